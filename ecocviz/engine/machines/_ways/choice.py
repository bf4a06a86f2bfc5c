"""Which way finds the coefficients of which problem: measured, see docs/decisions/0007."""

import numpy as np

from ecocviz.engine.kernels.gram import KERNELS
from ecocviz.engine.machines._ways.by_column import ByColumn
from ecocviz.engine.machines._ways.problem import Problem, Way
from ecocviz.engine.machines._ways.rows import ROWS_BYTES
from ecocviz.engine.machines._ways.whole import Whole
from ecocviz.engine.machines._ways.working_set import WorkingSet
from ecocviz.engine.memory import LITTLE, SHARE_OF_MEMORY, available_memory
from ecocviz.engine.points import is_sparse

SMALL_ROWS = 1_000
"""Up to so many points the whole Gram matrix takes milliseconds, and scores of all points come along."""
WHOLE_BYTES = 96 << 20
"""What the whole Gram matrix may take where nobody allows more, and rows could be made instead;"""
LARGEST_WHOLE_BYTES = 400_000_000
"""and where they could not: rounds on working sets take up to twice as long, of sparse points far longer."""
_MOST_ROWS = 0.5
"""Share of all rows up to which making the rows that a machine may rest on beats making all."""
_MANY_SQUARES = 4.0
"""Where the columns' own matrices together hold so many times as many entries, all share the whole one."""
_BOTH_SIDES = 2
"""A machine rests on about as many points of one side as of the other."""


def choose_way(problem: Problem) -> Way:
    """Return the way that is expected to cost least within the memory that a problem is given."""
    n_samples = problem.X.shape[0]
    rows_can_be_made = problem.kernel.name in KERNELS and not is_sparse(problem.X)
    shared = _columns_share(problem)
    if rows_can_be_made and not shared and n_samples > SMALL_ROWS:
        return ByColumn(problem)
    if _fits(problem, n_samples, WHOLE_BYTES):
        return Whole(problem)
    rows = _rows_needed(problem)
    rows_fit = rows_can_be_made and (not shared or _fits(problem, rows, ROWS_BYTES))
    if rows_fit and (not shared or rows <= _MOST_ROWS * n_samples):
        return ByColumn(problem)
    if _fits(problem, n_samples, LARGEST_WHOLE_BYTES):
        return Whole(problem)
    return ByColumn(problem) if rows_fit else WorkingSet(problem)


def _fits(problem: Problem, n_rows: int, usual: int) -> bool:
    """Say whether so many rows of the Gram matrix of all points stay within the limit, or the usual one."""
    needed = int(n_rows * problem.X.shape[0] * problem.dtype.itemsize)
    limit = usual if problem.memory_limit is None else problem.memory_limit
    return needed <= limit and (needed <= LITTLE or needed <= SHARE_OF_MEMORY * available_memory())


def _columns_share(problem: Problem) -> bool:
    """Say whether columns use so much of the whole Gram matrix, all together, that it should be made."""
    shares = np.count_nonzero(problem.targets, axis=0) / max(1, problem.X.shape[0])
    return bool((shares**2).sum() > _MANY_SQUARES)


def _rows_needed(problem: Problem) -> int:
    """Return about how many points a machine of these columns may rest on."""
    sides = [np.count_nonzero(problem.targets == side, axis=0) for side in (-1, 1)]
    smaller: int = np.minimum(*sides).max(initial=0)
    return _BOTH_SIDES * smaller
