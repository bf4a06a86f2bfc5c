"""One support vector machine on all replicas: shrinking pair ascent, bursts of Newton's method, the bias."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ecocviz.engine.kernels.gram import GramArray
from ecocviz.engine.kernels.kronecker_smo import NEAR, Active, replica_matrix
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import BoolArray, FloatArray

SLICE_WORK = 20_000_000
"""Replicas looked at between two reports of progress: well below half a second."""
BURST_AFTER = 4
"""Bursts come after so many steps per replica."""
BURST_FREE = 500
"""Coarse solutions are finished by Newton's method only if fewer coefficients are free."""
BURST_MOST_FREE = 1_500
"""Above so many free coefficients a factorisation costs more than it gains."""
BURST_TOL = 1e-4
"""Tolerances finer than this are reached by Newton's method whatever the number below the limit."""
BURST_STEPS = 30
RIDGE = 1e-10
"""Duplicate points make the free system singular."""
_BLOCK_BYTES = 1 << 24


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
    C
        Price of a unit of hinge loss of one replica: the upper bound of each dual coefficient.
    """

    gram: GramArray
    targets: FloatArray
    low: FloatArray
    high: FloatArray
    C: float

    @classmethod
    def boxed(
        cls, gram: GramArray, targets: FloatArray, C: float, shown: BoolArray | None = None
    ) -> "Replicas":
        """Make the problem with one box for all, examples (n_samples,) that are not shown left out."""
        targets = np.asarray(targets, dtype=np.float64)
        high = np.where(targets > 0, C, 0.0)
        low = np.where(targets > 0, 0.0, -C)
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


def no_progress(_: float) -> None:
    """Hear about progress, and do nothing."""


def log_share(progress: Progress | None, tol: float) -> Callable[[float], None]:
    """Turn a falling number into a growing share: 0 at its first value, 1 at `tol`, on a log scale."""
    if progress is None:
        return no_progress
    first = 0.0
    told = 0.0

    def tell(value: float) -> None:
        nonlocal first, told
        if np.isfinite(value):
            first = max(first, value)
        if value <= tol:
            told = 1.0
        elif first > value:
            told = max(told, float(np.log(first / value) / np.log(first / tol)))
        progress(told)

    return tell


def product(gram: GramArray, coefficients: FloatArray) -> FloatArray:
    """Return gram @ coefficients in double precision, (n_samples, n_columns)."""
    if gram.dtype == np.float64:
        result: FloatArray = gram @ coefficients
        return result
    result = np.empty((gram.shape[0], coefficients.shape[1]))
    step = max(1, _BLOCK_BYTES // (8 * gram.shape[1]))
    for first in range(0, gram.shape[0], step):
        result[first : first + step] = gram[first : first + step].astype(np.float64) @ coefficients
    return result


def balanced(problem: Replicas, coefficients: FloatArray) -> FloatArray:
    """Return the coefficients put into their box and shrunk on one side until they sum to zero.

    A warm start from a problem with one example more, or a smaller C, need not be feasible.
    """
    B = np.clip(coefficients, problem.low, problem.high)
    excess = float(B.sum())
    if excess:
        side = B > 0 if excess > 0 else B < 0
        B[side] *= 1 - excess / float(B[side].sum())
    return B


def solve(
    problem: Replicas,
    class_kernel: FloatArray,
    start: Solution | None = None,
    *,
    tol: float,
    max_updates: int,
    shrink: bool = True,
    bursts: bool = True,
    progress: Progress | None = None,
) -> Solution:
    """Train the machine for one class kernel.

    Minimises <B, K B V> / 2 - <Y, B> with sum(B) = 0 in the box: half of Eq. 2 of [ElYaniv2008]_,
    the constraint of Eq. 3, for the matrix of Eq. 8, which is never formed.

    Differs from the paper: the box is [0, C], the one of Eq. 7; Eq. 1 implies C / 2 and Eq. 3 says
    C / (c m), and the three cannot all hold.

    Parameters
    ----------
    problem
    class_kernel : (n_columns, n_columns)
    start
        A feasible solution for another class kernel, or None.
    tol
        Largest violation of the optimality conditions.
    max_updates
        Most pair steps.
    shrink, bursts
        Whether to leave settled replicas out of the loops, and to end by Newton's method.
    progress
        Told the share of the work, on a log scale of the violation; may raise to cancel.
    """
    V = np.ascontiguousarray(class_kernel, dtype=np.float64)
    n_replicas = problem.targets.size
    B = np.zeros(problem.targets.shape) if start is None else start.coefficients.copy()
    T = np.zeros(problem.targets.shape) if start is None else start.expansion
    E = problem.targets - T @ V
    tell = log_share(progress, tol)
    active = Active(n_replicas)
    n_updates, n_bursts, waited = 0, 0, 0
    patience = BURST_AFTER * n_replicas if bursts else max_updates + 1
    while True:
        violation = active.fill(problem.gram, V, problem.low, problem.high, B, E)
        tell(violation)
        if violation < tol or n_updates >= max_updates:
            break
        due = min(max_updates - n_updates, patience - waited)
        done = _descend(problem, V, B, active, tol, due, tell, shrink=shrink)
        n_updates += done
        waited += done
        T, E = _expand(problem, V, B)
        if waited >= patience:
            waited = 0
            moved, steps, finished = newton_burst(problem, V, B, E, tol, partial(tell, violation))
            n_bursts += steps
            if not finished:  # too early: the free coefficients were not yet the right ones
                patience *= 2
            if steps:
                expansion, residual = _expand(problem, V, moved)
                if dual_objective(problem, moved, residual) > dual_objective(problem, B, E):
                    B, T, E = moved, expansion, residual
    return Solution(B, T, E, dual_objective(problem, B, E), n_updates, n_bursts, violation)


def _expand(problem: Replicas, V: FloatArray, B: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return T = K B and E = Y - T V by two matrix products, each (n_samples, n_columns)."""
    T = product(problem.gram, B)
    E: FloatArray = problem.targets - T @ V
    return T, E


def _descend(
    problem: Replicas,
    V: FloatArray,
    B: FloatArray,
    active: Active,
    tol: float,
    due: int,
    tell: Callable[[float], None],
    *,
    shrink: bool,
) -> int:
    """Take up to `due` steps on the listed replicas, in slices; return how many were taken."""
    n_updates = 0
    while n_updates < due:
        allowed = min(due - n_updates, max(100, SLICE_WORK // max(1, active.size)))
        done, violation = active.ascend(
            problem.gram, V, problem.low, problem.high, B, tol, allowed, shrink=shrink
        )
        n_updates += done
        if violation < tol:
            break
        tell(violation)
    return n_updates


def dual_objective(problem: Replicas, B: FloatArray, E: FloatArray) -> float:
    """Return g_d = 2 <Y, B> - <B, F> = <Y, B> + <E, B>: Eq. 2 of [ElYaniv2008]_."""
    return float(np.vdot(problem.targets, B) + np.vdot(E, B))


def free_coefficients(problem: Replicas, B: FloatArray) -> BoolArray:
    """Say which coefficients stand strictly between their bounds, (n_samples, n_columns)."""
    near = NEAR * (problem.high - problem.low)
    free: BoolArray = (problem.low + near < B) & (problem.high - near > B)
    return free


def newton_burst(
    problem: Replicas, V: FloatArray, B: FloatArray, E: FloatArray, tol: float, beat: Callable[[], None]
) -> tuple[FloatArray, int, bool]:
    """Solve for the free coefficients at once, until all of them are optimal.

    Each step solves G_FF d + lambda 1 = E_F with 1'd = 0 and goes as far as the box allows; what
    meets its bound is free no more. The objective never gets worse, the sum stays zero. `beat` is
    called before each step; it may raise to cancel.

    Returns
    -------
    coefficients : (n_samples, n_columns)
        B itself where nothing was to be done or gained.
    n_steps : int
    finished : bool
        Whether the last step was not cut short by the box.
    """
    r, i = np.nonzero(free_coefficients(problem, B).T)  # sorted by column
    # Where pair steps would do as well, the system takes no more memory than the Gram matrix.
    most = BURST_MOST_FREE if tol < BURST_TOL else min(BURST_FREE - 1, problem.gram.shape[0])
    if not 2 <= i.size <= most:
        return B, 0, True
    low, high, b, e = problem.low[i, r], problem.high[i, r], B[i, r], E[i, r]
    inside = np.arange(i.size)
    finished, n_steps = False, 0
    while not finished and n_steps < BURST_STEPS and inside.size > 1:
        beat()
        step = newton_step(replica_matrix(problem.gram, V, i[inside], r[inside]), e[inside])
        if step is None:
            break
        direction, change = step
        room = np.where(direction > 0, high[inside] - b[inside], b[inside] - low[inside])
        with np.errstate(divide="ignore"):
            reach = room / np.abs(direction)
        length = min(1.0, float(reach.min()))
        b[inside] += length * direction
        e[inside] -= length * change
        blocked = reach <= length
        b[inside[blocked]] = np.where(direction > 0, high[inside], low[inside])[blocked]
        inside = inside[~blocked]
        finished = not blocked.any()
        n_steps += 1
    moved = B.copy()
    moved[i, r] = np.clip(b, low, high)
    roomiest = int(np.argmax(np.minimum(high - moved[i, r], moved[i, r] - low)))
    moved[i[roomiest], r[roomiest]] -= moved.sum()  # what rounding left of the sum
    return moved, n_steps, finished


def newton_step(G: FloatArray, e: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Solve G d + lambda 1 = e with 1'd = 0; return d and G d, or None where G is too far from definite.

    Parameters
    ----------
    G : (n_free, n_free)
        Positive semidefinite; changed.
    e : (n_free,)
    """
    ridge = RIDGE * float(np.trace(G)) / e.size
    G.flat[:: e.size + 1] += ridge
    try:
        # Transposed, because only columns in order are overwritten; G is symmetric.
        factor = cho_factor(G.T, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None
    solved = cho_solve(factor, np.stack([e, np.ones(e.size)], axis=1), check_finite=False)
    shift = solved[:, 0].sum() / solved[:, 1].sum()
    direction: FloatArray = solved[:, 0] - shift * solved[:, 1]
    return direction, e - shift - ridge * direction


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
    losses = np.maximum(0.0, problem.targets * (solution.residual - bias))[shown]
    squared_norm = float(np.vdot(solution.coefficients, problem.targets - solution.residual))
    dual = solution.objective / 2
    return max(0.0, squared_norm / 2 + problem.C * float(losses.sum()) - dual)
