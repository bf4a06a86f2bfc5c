"""Which way finds the coefficients of which problem: measured, see docs/decisions/0007."""

import numpy as np

from ecocviz.engine.kernels.gram import KERNELS
from ecocviz.engine.machines._ways.by_column import ByColumn
from ecocviz.engine.machines._ways.problem import Problem, Way
from ecocviz.engine.machines._ways.rows import ROWS_BYTES
from ecocviz.engine.machines._ways.whole import Whole
from ecocviz.engine.memory import LITTLE, SHARE_OF_MEMORY, available_memory
from ecocviz.engine.points import is_sparse

SMALL_ROWS = 1_000
"""Up to so many points the whole Gram matrix takes milliseconds, and scores of all points come along."""
_MANY_SQUARES = 4.0
"""Where the columns' own matrices together hold so many times as many entries, all share the whole one."""


def choose_way(problem: Problem) -> Way:
    """Return the way that is expected to cost least within the memory that a problem is given."""
    rows_can_be_made = problem.kernel.name in KERNELS and not is_sparse(problem.X)
    if not rows_can_be_made or (_fits(problem) and _whole_pays(problem)):
        return Whole(problem)
    return ByColumn(problem)


def _fits(problem: Problem) -> bool:
    """Say whether the Gram matrix of all points stays within the memory limit, or that of kept rows."""
    needed = problem.X.shape[0] ** 2 * problem.dtype.itemsize
    limit = ROWS_BYTES if problem.memory_limit is None else problem.memory_limit
    return needed <= limit and (needed <= LITTLE or needed <= SHARE_OF_MEMORY * available_memory())


def _whole_pays(problem: Problem) -> bool:
    """Say whether columns use so much of the whole Gram matrix, all together, that it should be made."""
    n_samples = problem.X.shape[0]
    shares = np.count_nonzero(problem.targets, axis=0) / max(1, n_samples)
    squares: float = (shares**2).sum()
    return n_samples <= SMALL_ROWS or squares > _MANY_SQUARES
