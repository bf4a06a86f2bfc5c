"""Solvers of the l2 program on a Gram matrix: cold, warm, and along a path of regularisers.

The dual of [Crammer2002]_ (Eq. 29) knows the data by inner products only, so one Gram matrix serves
the multiclass kernel machine and the design of continuous codes alike.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.kernels.spoc import ascend_in_blocks, ascend_plainly, certificate, expand_taus
from ecocviz.engine.progress import NO_PROGRESS, Falling, Progress
from ecocviz.engine.types import FloatArray, IntArray

BLOCK = 128
"""Examples in a working set."""
MAX_ROUNDS = 100_000
"""Rounds after which a solver gives up with a warning."""
WORK_PER_CALL = 100_000
"""Rows times rounds that a compiled call may take on before it tells how far it is."""
_RESTARTS = 5
"""Times that rounding errors may be cleared away by computing all class scores afresh."""


@dataclass(frozen=True, slots=True)
class SpocSolution:
    """A feasible dual point of the l2 program and what it proves.

    Attributes
    ----------
    beta
        Weight of the regulariser.
    eta : (n_samples, n_classes)
        Each example's distribution over the classes; exact zeros outside its support.
    expansions : (n_samples, n_classes)
        K tau, the class scores times beta.
    objective
        Primal objective, beta / 2 |M|^2 + sum of losses, of the code that eta stands for.
    gap
        Primal minus dual objective, computed afresh at the end: how far from optimal it may be.
    violation
        Largest violation of the optimality conditions over the examples.
    history : (n_rounds + 1, 2)
        Dual objective and gap at the start of each round; the first column never decreases.
    n_visits
        Exact solutions of one example's share.
    converged
        Whether the gap is at most tol times the objective.
    codewords : (n_classes, n_bits) or None
        tau^T H / beta (Eq. 26), where the solver worked on scores H and not on a Gram matrix.
    """

    beta: float
    eta: FloatArray
    expansions: FloatArray
    objective: float
    gap: float
    violation: float
    history: FloatArray
    n_visits: int
    converged: bool
    codewords: FloatArray | None = None

    def taus(self, y_index: IntArray) -> FloatArray:
        """Return the dual coefficients tau = one-hot(y) - eta, (n_samples, n_classes)."""
        return taus_of(self.eta, y_index)


def taus_of(eta: FloatArray, y_index: IntArray) -> FloatArray:
    """Return one-hot(y) - eta, (n_samples, n_classes), with exact zeros where both are zero."""
    taus = 0.0 - eta
    rows = np.arange(y_index.size)
    # Summing the other classes keeps every row at sum zero, to the last digit of the largest entry.
    taus[rows, y_index] = 0.0
    taus[rows, y_index] = -taus.sum(axis=1)
    return taus


def one_hot(y_index: IntArray, n_classes: int) -> FloatArray:
    """Return the indicator matrix of the labels, (n_samples, n_classes)."""
    indicator = np.zeros((y_index.size, n_classes))
    indicator[np.arange(y_index.size), y_index] = 1.0
    return indicator


def required_margins(y_index: IntArray, n_classes: int) -> FloatArray:
    """Return b of Eq. 11, (n_samples, n_classes): 1 everywhere but at the true class."""
    margins: FloatArray = 1.0 - one_hot(y_index, n_classes)
    return margins


def check_program(
    y_index: IntArray, n_classes: int, beta: float, tol: float, margins: FloatArray | None
) -> FloatArray:
    """Return the required margins, (n_samples, n_classes), or raise with a sentence."""
    if not (beta > 0 and np.isfinite(beta)):
        raise ValueError(f"beta must be a finite number above 0, not {beta}.")
    if not tol > 0:
        raise ValueError(f"tol must be above 0, not {tol}.")
    if margins is None:
        return required_margins(y_index, n_classes)
    if margins.shape != (y_index.size, n_classes) or margins[np.arange(y_index.size), y_index].any():
        raise ValueError(
            f"The required margins need shape {(y_index.size, n_classes)} and a 0 at every true class."
        )
    return margins


def certify(
    y_index: IntArray, eta: FloatArray, outputs: FloatArray, margins: FloatArray
) -> tuple[float, float, float]:
    """Return primal objective, duality gap and largest violation of a feasible dual point.

    P = <tau, f> / 2 + sum_i (max_r G_ir - G_{i, y_i}) and gap = sum_i (max_r G_ir - eta_i . G_i)
    with G = f + b.

    Parameters
    ----------
    y_index : (n_samples,)
    eta, outputs, margins : (n_samples, n_classes)
        Distributions, class scores f = K tau / beta, and b.
    """
    primal, gap, violation = certificate(y_index, margins, eta, outputs)
    return primal, max(gap, 0.0), violation


def solve_on_gram(
    gram: npt.NDArray[np.floating],
    y_index: IntArray,
    n_classes: int,
    beta: float,
    *,
    margins: FloatArray | None = None,
    start: SpocSolution | None = None,
    tol: float = 1e-3,
    max_rounds: int = MAX_ROUNDS,
    plain: bool = False,
    block: int = BLOCK,
    progress: Progress = NO_PROGRESS,
) -> SpocSolution:
    """Solve the l2 program on a Gram matrix.

    Implements the algorithm of Fig. 4 of [Crammer2002]_ (SPOC).

    Symbols: K -> gram, y -> y_index, k -> n_classes, b -> margins, eta -> start.eta.

    Differs from the paper: examples are taken in working sets with their own small Gram matrix, and
    the duality gap decides when to stop, because that is 6-24 times faster and the paper leaves both
    open; `plain` visits the worst example round by round instead.

    Parameters
    ----------
    gram : (n_samples, n_samples)
        In either precision; in single precision the gap is certified for the rounded matrix.
    y_index : (n_samples,)
        Class numbers, 0 to n_classes - 1.
    n_classes
        Number of classes.
    beta
        Weight of the regulariser against the sum of losses.
    margins : (n_samples, n_classes), optional
        Required margins b with a 0 at every true class; 1 elsewhere when left out.
    start
        A solution of a similar problem on the same examples to go on from.
    tol
        Relative duality gap at which to stop.
    max_rounds
        Rounds after which to stop with a `ConvergenceWarning`.
    plain, block
        Which scheme, and how many examples a working set holds.
    progress
        Told the share of the work that is done; may raise to cancel.
    """
    b = check_program(y_index, n_classes, beta, tol, margins)
    if start is None:
        eta, expansions = one_hot(y_index, n_classes), np.zeros(b.shape)
    else:
        if start.eta.shape != b.shape:
            raise ValueError(f"The starting point has shape {start.eta.shape}; this problem needs {b.shape}.")
        eta, expansions = start.eta.copy(), start.expansions
    ascend = _Plain(gram, y_index, beta, b) if plain else _Blocks(gram, y_index, beta, b, block)
    falling = Falling(progress, tol)
    history: list[FloatArray] = []
    visits = rounds = 0
    while True:
        part, n, eta = ascend.run(eta, expansions / beta + b, tol, max_rounds - rounds, falling)
        history.append(part)
        visits += n
        rounds += part.shape[0] - 1
        # What was kept up to date is computed afresh: the certificate holds no accumulated rounding.
        expansions = expand(gram, taus_of(eta, y_index))
        primal, gap, violation = certify(y_index, eta, expansions / beta, b)
        converged = gap <= tol * primal
        if converged or rounds >= max_rounds or len(history) == _RESTARTS:
            break
    if not converged:
        warn_of_gap(gap, primal)
    steps = np.concatenate(history)
    return SpocSolution(beta, eta, expansions, primal, gap, violation, steps, visits, converged)


def solve_path(
    gram: npt.NDArray[np.floating],
    y_index: IntArray,
    n_classes: int,
    betas: Sequence[float],
    *,
    tol: float = 1e-3,
    max_rounds: int = MAX_ROUNDS,
    progress: Progress = NO_PROGRESS,
) -> list[SpocSolution]:
    """Solve for several regularisers in the given order, each warm-started from the one before.

    Parameters are those of `solve_on_gram`. Feasibility does not depend on beta, and K tau need not
    be computed again. From large to small beta is the faster order.
    """
    solutions: list[SpocSolution] = []
    for number, beta in enumerate(betas):
        solutions.append(
            solve_on_gram(
                gram,
                y_index,
                n_classes,
                beta,
                start=solutions[-1] if solutions else None,
                tol=tol,
                max_rounds=max_rounds,
                progress=progress.part(number, len(betas), f"β = {beta:g}"),
            )
        )
    return solutions


def relative(gap: float, primal: float) -> float:
    """Return the gap as a share of the objective; 0 of 0 is 0."""
    return gap / max(primal, 1e-300)


def expand(gram: npt.NDArray[np.floating], taus: FloatArray) -> FloatArray:
    """Return K tau, (n_samples, n_classes)."""
    expansions = np.zeros(taus.shape[::-1])
    expand_taus(gram, taus, expansions)
    return np.ascontiguousarray(expansions.T)


def warn_of_gap(gap: float, primal: float) -> None:
    """Say with the number that a solver stopped early."""
    warnings.warn(
        f"The multiclass solver stopped with a duality gap of {gap:.2g} at an objective of {primal:.4g}; "
        "raise max_rounds, tol or beta.",
        ConvergenceWarning,
        stacklevel=4,
    )


class _Blocks:
    """The two-level scheme, class-major."""

    def __init__(
        self, gram: npt.NDArray[np.floating], y_index: IntArray, beta: float, b: FloatArray, block: int
    ) -> None:
        self.gram, self.y_index, self.beta = gram, y_index, float(beta)
        self.b = np.ascontiguousarray(b.T)
        self.members = np.full(min(block, y_index.size), -1, dtype=np.int64)

    def run(
        self, eta: FloatArray, G: FloatArray, tol: float, max_rounds: int, falling: Falling
    ) -> tuple[FloatArray, int, FloatArray]:
        """Return the history, the number of visits, and the distributions, (n_samples, n_classes)."""
        eta, G = np.ascontiguousarray(eta.T), np.ascontiguousarray(G.T)
        step = max(1, WORK_PER_CALL // self.y_index.size)

        def call(n_rounds: int, history: FloatArray) -> tuple[int, int, float, float, float]:
            outcome: tuple[int, int, float, float, float] = ascend_in_blocks(
                self.gram, self.beta, self.y_index, self.b, eta, G, self.members, tol, n_rounds, history
            )
            return outcome

        history, visits = _in_calls(call, step, max_rounds, tol, falling)
        return history, visits, np.ascontiguousarray(eta.T)


class _Plain:
    """Fig. 4 to the letter, sample-major."""

    def __init__(self, gram: npt.NDArray[np.floating], y_index: IntArray, beta: float, b: FloatArray) -> None:
        self.gram, self.y_index, self.beta, self.b = gram, y_index, float(beta), b

    def run(
        self, eta: FloatArray, G: FloatArray, tol: float, max_rounds: int, falling: Falling
    ) -> tuple[FloatArray, int, FloatArray]:
        """Return the history, the number of visits, and the distributions, (n_samples, n_classes)."""
        step = max(1, 50 * WORK_PER_CALL // self.y_index.size)

        def call(n_rounds: int, history: FloatArray) -> tuple[int, int, float, float, float]:
            outcome: tuple[int, int, float, float, float] = ascend_plainly(
                self.gram, self.beta, self.y_index, self.b, eta, G, tol, n_rounds, history
            )
            return outcome

        history, visits = _in_calls(call, step, max_rounds, tol, falling)
        return history, visits, eta


def _in_calls(
    call: Callable[[int, FloatArray], tuple[int, int, float, float, float]],
    step: int,
    max_rounds: int,
    tol: float,
    falling: Falling,
) -> tuple[FloatArray, int]:
    """Run a compiled ascent in short calls, so that it can be watched and cancelled."""
    parts: list[FloatArray] = []
    visits = rounds = 0
    while True:
        history = np.empty((min(step, max_rounds - rounds) + 1, 2))
        n, v, dual, gap, _ = call(history.shape[0] - 1, history)
        visits += v
        rounds += n
        done = gap <= tol * (dual + gap) or rounds >= max_rounds
        # A call's last row is the next call's first.
        parts.append(history[: n + 1] if done else history[:n])
        falling.at(relative(gap, dual + gap))
        if done:
            return np.concatenate(parts), visits
