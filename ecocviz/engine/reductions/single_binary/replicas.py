"""The binary problem on copies of the points, and what its solutions say."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.kernels.gram import GramArray
from ecocviz.engine.kernels.kronecker_smo import NEAR
from ecocviz.engine.types import BoolArray, FloatArray

BLOCK_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class Replicas:
    """The binary problem on replicas, but for the class kernel.

    Attributes
    ----------
    gram : (n_samples, n_samples)
    targets : (n_samples, n_columns)
        +1 or -1.
    low, high : (n_samples, n_columns)
        Bounds of the signed dual coefficients: [0, C] where the target is +1, [-C, 0] where it is -1;
        both 0 for an example that is left out.
    C : (n_samples,)
        Price of a unit of hinge loss of one replica of each point: the upper bound of its dual coefficients.
    """

    gram: GramArray
    targets: FloatArray
    low: FloatArray
    high: FloatArray
    C: FloatArray

    @classmethod
    def boxed(
        cls, gram: GramArray, targets: FloatArray, C: float | FloatArray, shown: BoolArray | None = None
    ) -> "Replicas":
        """Make the problem with one box for all, or one a point, examples (n_samples,) not shown left out."""
        targets = np.asarray(targets, dtype=np.float64)
        C = np.broadcast_to(np.asarray(C, dtype=np.float64), targets.shape[:1])
        high = np.where(targets > 0, C[:, None], 0.0)
        low = np.where(targets > 0, 0.0, -C[:, None])
        if shown is not None:
            high[~shown] = 0.0
            low[~shown] = 0.0
        return cls(gram, targets, low, high, C)


@dataclass(frozen=True, slots=True)
class Solution:
    """A machine on replicas.

    Attributes
    ----------
    coefficients : (n_samples, n_columns)
        Signed dual coefficients B.
    expansion : (n_samples, n_columns)
        T = K B, which does not depend on the class kernel.
    residual : (n_samples, n_columns)
        E = Y - T V: the targets minus the outputs without bias.
    objective
        2 <Y, B> - <B, T V>: g_d of Eq. 2 of [ElYaniv2008]_.
    n_updates, n_bursts
        Pair steps, and Newton steps.
    violation
        Largest violation of the optimality conditions.
    """

    coefficients: FloatArray
    expansion: FloatArray
    residual: FloatArray
    objective: float
    n_updates: int
    n_bursts: int
    violation: float


def product(gram: GramArray, coefficients: FloatArray) -> FloatArray:
    """Return gram @ coefficients in double precision, (n_samples, n_columns)."""
    if gram.dtype == np.float64:
        result: FloatArray = gram @ coefficients
        return result
    result = np.empty((gram.shape[0], coefficients.shape[1]))
    step = max(1, BLOCK_BYTES // (8 * gram.shape[1]))
    for first in range(0, gram.shape[0], step):
        result[first : first + step] = gram[first : first + step].astype(np.float64) @ coefficients
    return result


def dual_objective(problem: Replicas, B: FloatArray, E: FloatArray) -> float:
    """Return g_d = 2 <Y, B> - <B, F> = <Y, B> + <E, B>: Eq. 2 of [ElYaniv2008]_."""
    return float(np.vdot(problem.targets, B) + np.vdot(E, B))


def free_coefficients(problem: Replicas, B: FloatArray) -> BoolArray:
    """Say which coefficients stand strictly between their bounds, (n_samples, n_columns)."""
    near = NEAR * (problem.high - problem.low)
    free: BoolArray = (problem.low + near < B) & (problem.high - near > B)
    return free


def balanced(problem: Replicas, coefficients: FloatArray) -> FloatArray:
    """Return the coefficients put into their box and shrunk on one side until they sum to zero.

    A warm start from a problem with one example more, or a smaller C, need not be feasible.
    """
    B = np.clip(coefficients, problem.low, problem.high)
    excess = float(B.sum())
    if excess:
        side = B > 0 if excess > 0 else B < 0
        # With coefficients of one sign only the share is 1, or by rounding more, which would turn the sign.
        B[side] *= max(0.0, 1 - excess / float(B[side].sum()))
    return B


def intercept(problem: Replicas, solution: Solution) -> float:
    """Return the bias b of h = F + b.

    Differs from the paper: footnote 1 averages Y - F over all positive dual coefficients; at those
    that stand at C the margin is violated by an unknown amount, so only free ones count. If none is
    free, any b between the largest residual that may rise and the least that may fall is optimal,
    and the middle is taken.
    """
    free = free_coefficients(problem, solution.coefficients)
    if free.any():
        return float(solution.residual[free].mean())
    B, E = solution.coefficients, solution.residual
    near = NEAR * (problem.high - problem.low)
    rising = E[problem.high - near > B]
    falling = E[problem.low + near < B]
    if not (rising.size and falling.size):  # targets of one sign only: nothing was learned
        return float((rising if rising.size else falling).mean())
    return float((rising.max() + falling.min()) / 2)


def duality_gap(problem: Replicas, solution: Solution, bias: float) -> float:
    """Return primal minus dual objective of |w|^2 / 2 + C sum of hinge losses, at least 0."""
    shown = problem.high > problem.low
    losses = np.where(shown, np.maximum(0.0, problem.targets * (solution.residual - bias)), 0.0)
    squared_norm = float(np.vdot(solution.coefficients, problem.targets - solution.residual))
    dual = solution.objective / 2
    return max(0.0, squared_norm / 2 + total_price(problem.C, losses) - dual)


def total_price(C: FloatArray, losses: FloatArray) -> float:
    """Return the sum of C_i times the losses of point i, (n_samples, n_columns)."""
    largest = float(C.max())
    return largest * float((losses * (C / largest)[:, None]).sum())
