"""Similar classes, similar codewords: what the order of a code's rows does to the error [Evron2023]_."""

from functools import partial

from ecocviz.engine.references import EVRON_2023
from ecocviz.lab.evidence.entries import Exhibit, Paper
from ecocviz.lab.papers.evron_2023 import exhibits
from ecocviz.lab.papers.evron_2023.study import STUDY

PROTOCOL = (
    "Classes are alike where the means of their training points are near, features in units of their spread.",
    (
        "The rows of a code are given to the classes in five orders: the one in which distances of classes "
        "and codewords agree best, the one in which they agree least, and three arbitrary ones."
    ),
    (
        "The code is the same in all five but for the order, and so are points, machines and decoders: "
        "kernel machines, linear and rbf, C = 10, features scaled to [0, 1]."
    ),
    "Ten bundled sets of 6 to 26 classes, five codes, three splits; errors are means over the splits.",
)
DEVIATIONS = (
    (
        "The paper could be had as an abstract only: its measures of similarity, its search for the order "
        "and its protocol are reconstructed."
    ),
    "The paper's image sets and networks are not here; bundled sets and kernel machines take their place.",
    "Of the large sets 700 to 2,000 rows train, the others test.",
)

_exhibit = partial(Exhibit, protocol=PROTOCOL, deviations=DEVIATIONS, study=STUDY)

PAPER = Paper(
    key="evron-2023",
    title="Similar classes, similar codewords",
    reference=EVRON_2023,
    group="Methods after the five",
    order=210,
    exhibits=(
        _exhibit(
            key="error",
            title="The order of the rows and the error",
            claim="Giving similar codewords to similar classes is superior to other ways to give a code's "
            "rows to the classes.",
            judge=exhibits.judge_error,
            rule="Agrees if, with linear and with rbf machines, the error is smaller than with arbitrary and "
            "with unlike codewords for similar classes, each in at least 80 % of sets x codes x decoders.",
            draw=exhibits.draw_error,
            why=exhibits.why_error,
        ),
        _exhibit(
            key="subproblems",
            title="Easier binary problems",
            claim="Giving similar codewords to similar classes makes the binary problems easier.",
            protocol=(*PROTOCOL, "Counted are the wrong answers of single machines on test points."),
            judge=exhibits.judge_bits,
            rule="Agrees if, with linear and with rbf machines, the machines' answers are wrong less often "
            "than with arbitrary and with unlike codewords, each in at least 80 % of sets x codes.",
            draw=exhibits.draw_bits,
        ),
        _exhibit(
            key="controls",
            title="Codes for which the order cannot matter",
            claim="One-vs-all and one-vs-one have the same columns in every order of their rows, so their "
            "error does not change.",
            protocol=(*PROTOCOL[2:], "Three orders of the rows are trained and tested."),
            deviations=(
                (
                    "A control of our own. Errors are allowed to differ by half a point, because training "
                    "stops at a tolerance."
                ),
            ),
            judge=exhibits.judge_controls,
            rule="Agrees if the errors of the three orders differ by at most 0.5 points in at least 95 % of "
            "sets x splits x machines x decoders, for both codes.",
            draw=exhibits.draw_controls,
        ),
    ),
)
