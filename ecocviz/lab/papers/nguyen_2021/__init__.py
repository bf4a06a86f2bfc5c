"""Bounds on the error of output codes, for independent and for correlated machines [Nguyen2021]_."""

from functools import partial

from ecocviz.engine.references import NGUYEN_2021
from ecocviz.lab.evidence.entries import Exhibit, Paper
from ecocviz.lab.papers.nguyen_2021 import exhibits
from ecocviz.lab.papers.nguyen_2021.study import STUDY

PROTOCOL = (
    "Dense random codes of 15, 31 and 63 columns; kernel machines, rbf, C = 10, features scaled to [0, 1].",
    "Each machine's rate of error, and the correlation of every two, are measured on the test points.",
    (
        "A point is beyond repair with more wrong bits than half of one less than the least distance of two "
        "rows: only then can Hamming decoding be wrong."
    ),
    "Six bundled sets of 7 to 26 classes, two splits.",
)
DEVIATIONS = (
    (
        "The paper could be had as an abstract only: its bounds are rebuilt, for independent machines as "
        "Chernoff's bound at their mean rate, for correlated ones from Bahadur's expansion up to pairs."
    ),
    "The paper's six sets are not known; ours are bundled ones. Of the large ones 1,000 to 2,000 rows train.",
    "The rates are those of the test points themselves, so nothing is lost by estimating them.",
)

_exhibit = partial(Exhibit, protocol=PROTOCOL, deviations=DEVIATIONS, study=STUDY, draw=exhibits.draw_lengths)

PAPER = Paper(
    key="nguyen-2021",
    title="Error bounds for independent and correlated machines",
    reference=NGUYEN_2021,
    group="Methods after the five",
    order=240,
    exhibits=(
        _exhibit(
            key="length",
            title="The bound and the length of the code",
            claim="The bound on the error falls exponentially with the length of the codewords, which "
            "explains why codes work.",
            judge=exhibits.judge_length,
            rule="Agrees if the exponential bound is below 100 % in at least 80 % of the cells, its exponent "
            "grows at least 1.5-fold in at least 80 % of the doublings of the length, and the error is "
            "smaller with 63 than with 15 machines in at least 80 % of sets x splits.",
            why=exhibits.why,
        ),
        _exhibit(
            key="independent",
            title="The bound for independent machines",
            claim="Measured errors agree with the bound for independent machines.",
            judge=exhibits.judge_independent,
            rule="Agrees if the error never exceeds the exponential bound where that is below 100 %, and in "
            "at least 80 % of the cells not even what independent machines have beyond repair.",
            why=exhibits.why,
        ),
        _exhibit(
            key="correlated",
            title="The effect of correlation",
            claim="Correlation among the machines weakens the code, and a model with correlations up to "
            "pairs describes it.",
            judge=exhibits.judge_correlated,
            rule="Agrees if in at least 80 % of the cells more points are beyond repair than with "
            "independent machines, and in at least 80 % the model with correlated pairs is nearer to that.",
            why=exhibits.why,
        ),
        _exhibit(
            key="moments",
            title="What no correlation can exceed",
            claim="Mean and variance of the number of wrong bits bound the error of any machines.",
            protocol=(
                *PROTOCOL,
                "The bound is the largest share that any distribution with both has, by linear programming.",
            ),
            deviations=("A control of our own, which needs no model.",),
            judge=exhibits.judge_moments,
            rule="Agrees if error, points beyond repair and bound are in this order in every cell.",
        ),
    ),
)
