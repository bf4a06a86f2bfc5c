"""Trellis codes with loss-based decoding in logarithmic time [Evron2018]_."""

from ecocviz.engine.references import EVRON_2018
from ecocviz.lab.evidence.entries import Exhibit, Paper
from ecocviz.lab.papers.evron_2018 import exhibits
from ecocviz.lab.papers.evron_2018.study import ERRORS, TIMES

PAPER = Paper(
    key="evron-2018",
    title="Trellis codes for very many classes",
    reference=EVRON_2018,
    group="Methods after the five",
    order=230,
    exhibits=(
        Exhibit(
            key="decoding-time",
            title="Loss-based decoding in logarithmic time",
            claim="With codes made of the paths of a graph, loss-based decoding is a shortest path: exact, "
            "and in a time that grows with the logarithm of the number of classes.",
            protocol=(
                (
                    "The same random scores are decoded by the shortest path and by the costs of all "
                    "classes, with the exponential loss; the shortest of five runs over 200 points counts."
                ),
                "100 to 100,000 classes, graphs of widths 2 and 4, one thread.",
            ),
            deviations=(
                "Scores are drawn, not those of trained machines: the time does not depend on them.",
                "Comparing all is a matrix product, the fastest way known here to do so.",
            ),
            study=TIMES,
            judge=exhibits.judge_times,
            rule="Agrees if every point gets a class that costs as little as the cheapest, if the path is "
            "faster at every size from 1,000 classes on, and if at every width the time for a point and a "
            "machine at most doubles from the fewest classes to the most.",
            draw=exhibits.draw_times,
            why=exhibits.why_times,
        ),
        Exhibit(
            key="width",
            title="Error by the width of the graph and by the loss",
            claim="Wider graphs trade more machines for a smaller error, and decoding by a loss improves on "
            "hard bits and on the heaviest path.",
            protocol=(
                "Graphs of every width from 2 to the root of the number of classes, rounded up.",
                (
                    "The same kernel machines, linear and rbf, C = 10, features scaled to [0, 1], are "
                    "decoded with the exponential loss, by the sum of scores (the heaviest path) "
                    "and by Hamming."
                ),
                "Six bundled sets of 10 to 26 classes, three splits; one-vs-all beside them.",
            ),
            deviations=(
                "The paper's sets have 105 to 12,294 classes and are not here.",
                (
                    "The paper trains online linear machines and draws the assignment of paths; here classes "
                    "take the paths in their order."
                ),
                "Of the large sets 1,600 to 2,000 rows train, the others test.",
                "Digits is a part of optical digits, so the two say less than two sets would.",
            ),
            study=ERRORS,
            judge=exhibits.judge_errors,
            rule="Agrees if, with linear and with rbf machines, the widest graph errs less than width 2 on "
            "80 % of the sets, and the exponential loss errs at most as often as Hamming at 80 % and as the "
            "sum of scores at half of sets x machines x widths.",
            draw=exhibits.draw_errors,
            why=exhibits.why_errors,
        ),
    ),
)
