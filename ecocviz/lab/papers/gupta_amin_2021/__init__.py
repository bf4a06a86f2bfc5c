"""Codes by integer programming: distances with a proof, and the errors of such codes [Gupta2021]_."""

from ecocviz.engine.references import GUPTA_2021
from ecocviz.lab.evidence.entries import Exhibit, Paper
from ecocviz.lab.papers.gupta_amin_2021 import exhibits
from ecocviz.lab.papers.gupta_amin_2021.study import DISTANCES, ERRORS

ABSTRACT = "The paper could be had as an abstract only: the integer program is reconstructed."

PAPER = Paper(
    key="gupta-amin-2021",
    title="Codes by integer programming",
    reference=GUPTA_2021,
    group="Methods after the five",
    order=220,
    exhibits=(
        Exhibit(
            key="distances",
            title="Row distances with a proof",
            claim="Integer programming finds codes of the largest row distance and proves that there is no "
            "larger one.",
            protocol=(
                (
                    "The columns are chosen out of all dichotomies, each at most once, so that the least "
                    "distance of two rows is as large as possible."
                ),
                "Beside it: the best of 10,000 random codes, and one annealed code, by the same measure.",
                (
                    "Codes of 4 to 10 classes with 1, 1.5, 2 and 3 machines for each class, where there are "
                    "more columns than that to choose from."
                ),
            ),
            deviations=(
                ABSTRACT,
                (
                    "The paper looks for the shortest code with given distances; here the length is given "
                    "and the distance is sought."
                ),
                "The solver is HiGHS, and gives up after 600 nodes.",
            ),
            study=DISTANCES,
            judge=exhibits.judge_distances,
            rule="Agrees if the distance is proved to be the largest at 80 % of the sizes at least, and no "
            "search finds a larger one anywhere.",
            draw=exhibits.draw_distances,
            why=exhibits.why_distances,
        ),
        Exhibit(
            key="errors",
            title="Errors beside standard codes",
            claim="The proved codes reach a high accuracy beside one-vs-all, one-vs-one, dense and sparse "
            "codes.",
            protocol=(
                "Ten times log2 of the number of classes machines, as the dense random code has.",
                "Rbf machines, C = 10, features scaled to [0, 1], Hamming decoding.",
                "Eight bundled sets of 6 to 11 classes, three splits.",
            ),
            deviations=(
                ABSTRACT,
                (
                    "The paper's image sets and networks are not here, nor its attacks: bundled sets and "
                    "kernel machines take their place."
                ),
                "Of the large sets 1,600 to 2,000 rows train, the others test.",
            ),
            study=ERRORS,
            judge=exhibits.judge_errors,
            rule="Agrees if the error is at most that of the standard code on half of sets x splits at "
            "least, for each of the four standard codes.",
            draw=exhibits.draw_errors,
            why=exhibits.why_errors,
        ),
    ),
)
