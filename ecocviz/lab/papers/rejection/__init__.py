"""Rejecting doubtful points, by syndrome and by margin [Simeone2012]_."""

from functools import partial

from ecocviz.engine.references import SIMEONE_2012
from ecocviz.lab.evidence.entries import Exhibit, Paper
from ecocviz.lab.papers.rejection import exhibits
from ecocviz.lab.papers.rejection.study import STUDY

PROTOCOL = (
    "Kernel machines, rbf, C = 10, features scaled to [0, 1], are trained on one part and answer the other.",
    (
        "By syndrome, a point is decided only if its received word differs from a codeword in no more bits "
        "than the code repairs and no other codeword is as near; zeros of a code cost nothing."
    ),
    "By margin, the points go whose two smallest costs differ least.",
    "Nine bundled sets of 4 to 26 classes, four codes, three splits.",
)
DEVIATIONS = (
    (
        "The rules are the classical ones, a bounded distance and a difference of costs; of the paper only "
        "its subject is taken, not its rules inside each machine."
    ),
    "Of the large sets 700 to 2,000 rows train, the others test.",
)

_exhibit = partial(Exhibit, protocol=PROTOCOL, deviations=DEVIATIONS, study=STUDY)

PAPER = Paper(
    key="rejection",
    title="Leaving doubtful points undecided",
    reference=SIMEONE_2012,
    group="Methods after the five",
    order=230,
    exhibits=(
        _exhibit(
            key="syndrome",
            title="Rejection by syndrome",
            claim="Deciding only what lies within certain repair of one codeword makes errors rarer among "
            "the decided.",
            judge=exhibits.judge_syndrome,
            rule="Agrees if the error among the decided is smaller than among all in at least 80 % of sets x "
            "codes x splits where some points, and not all, are rejected; and if every point with no more "
            "wrong bits than the code repairs is decided rightly.",
            draw=exhibits.draw_syndrome,
            why=exhibits.why,
        ),
        _exhibit(
            key="margin",
            title="Margin against syndrome",
            claim="What one expects: the margin of a decoder that reads scores rejects better than the "
            "syndrome, which sees only bits.",
            protocol=(*PROTOCOL, "By margin no more points are rejected than by syndrome."),
            judge=exhibits.judge_margin,
            rule="Agrees if, with linear loss, exponential loss and likelihood decoding, the error among the "
            "decided is smaller than by syndrome in at least 80 % of sets x codes x splits, each; where the "
            "syndrome leaves no error there is nothing to beat, and it is not counted.",
            draw=exhibits.draw_margin,
            why=exhibits.why_margin,
        ),
        _exhibit(
            key="curve",
            title="Error against rejection",
            claim="The more of the doubtful points are rejected, the smaller the error among the others.",
            judge=exhibits.judge_curve,
            rule="Agrees if, with each of three decoders, the error falls from 0 to 5, 5 to 10, 10 to 20 and "
            "20 to 30 % rejected in at least 80 % of the steps that begin with an error.",
            draw=exhibits.draw_curve,
        ),
    ),
)
