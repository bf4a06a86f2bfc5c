"""The design of output codes: a fast solver, the best first column, and how large the programs are."""

from ecocviz.engine.references import CRAMMER_2002
from ecocviz.lab.evidence.entries import Exhibit, Paper
from ecocviz.lab.papers.crammer_singer_2002 import claims, figures, first_columns, run_time, sizes

PAPER = Paper(
    key="crammer-singer-2002",
    title="Designing codes by columns, continuous codes and a fast solver",
    reference=CRAMMER_2002,
    exhibits=(
        Exhibit(
            key="theorem-1",
            title="Theorem 1: the best first column",
            claim="For a given machine, the first column of least error is found in polynomial time: by "
            "sorting, for each number of classes on its + side.",
            protocol=(
                "Random samples of up to 60 points and 2 to 10 classes; classes may have no points.",
                "The given machines are right more or less often.",
                "The error of every column is counted point by point, ties included.",
            ),
            deviations=("The paper proves it and reports no experiment.",),
            study=first_columns.STUDY,
            judge=claims.judge_columns,
            rule=claims.COLUMN_RULE,
            draw=figures.draw_columns,
        ),
        Exhibit(
            key="table-1",
            title="Table 1: sizes of the optimisation problems",
            claim="The numbers of variables and constraints of six programs: only with the squared norm does "
            "the dual not grow with the number of machines.",
            protocol=(
                "The programs are written out as printed, for random scores, and counted.",
                "Linear programs are solved; for the squared norm, our solver's solution is put into both.",
            ),
            study=sizes.STUDY,
            judge=claims.judge_sizes,
            rule=claims.SIZE_RULE,
            draw=figures.draw_sizes,
        ),
        Exhibit(
            key="figure-5",
            title="Figure 5: run time of SPOC and of a generic solver",
            claim="The algorithm can be two orders of magnitude faster than a standard solver of quadratic "
            "programs.",
            protocol=(
                "Four classes, the quadrants of a square; 10 to 250 points.",
                "The mean run time over three data sets of each size.",
                "All solve the dual, Eq. 29; the Gram matrix and writing out the program are timed too.",
                "SPOC is Fig. 4 to the letter; the scheme of two levels is ours, for comparison.",
            ),
            deviations=(
                "quadprog and clarabel stand for Matlab's solver.",
                "Processor time is counted, and the fastest of up to five runs.",
                "β and the gap are not printed: β = 1, 0.1 and 0.01, and a relative gap of 10⁻⁶.",
                "Each quadrant has its exact share of the points.",
            ),
            study=run_time.STUDY,
            judge=claims.judge_times,
            rule=claims.TIME_RULE,
            draw=figures.draw_times,
            why=claims.why_times,
        ),
    ),
    order=30,
)
