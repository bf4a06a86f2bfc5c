"""Training one binary machine per column of a code, whatever the machine.

A machine that can train all columns at once says so with a method `fit_columns`; any other
scikit-learn classifier is cloned and fitted column by column.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from numbers import Real
from threading import Event
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from sklearn.base import clone

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Scores

Classifier: TypeAlias = Any
"""A binary classifier that follows scikit-learn's conventions, which ships no types."""

Outcome = TypeVar("Outcome")

ROUNDING = 1e-12
"""The share of the largest score below which differences are rounding."""
LISTEN_SECONDS = 0.1
"""How often whoever waits for tasks asks whether to go on."""


@runtime_checkable
class TrainedColumns(Protocol):
    """The trained machines of all columns.

    Attributes
    ----------
    targets : (n_samples, n_bits)
        What each machine was told of each point; 0 where a point was left out.
    scores : (n_samples, n_bits)
        Scores of all training points, also where the code leaves a point out.
    alphas : (n_samples, n_bits) or None
        Non-negative dual coefficients, 0 where a point was left out.
    diagonal : (n_samples,) or None
        Kernel of each training point with itself, bias constant included.
    gaps : (n_bits,) or None
        Duality gap of each machine.
    upper : (n_bits,) or None
        Upper bound C of the dual coefficients.
    converged : (n_bits,)
        Whether each machine reached its tolerance.
    n_updates : (n_bits,) or None
        Solver steps of each machine.
    squared_norms : (n_bits,) or None
        Squared norm of each machine in the space of its kernel.
    probability_scale : bool
        Whether scores are 2 p - 1 of a class probability p, and so lie in [-1, 1].
    theorem : bool
        Whether the leave-one-out lemma covers these machines (box dual, bias inside the kernel).
    """

    targets: Bits
    scores: Scores
    alphas: FloatArray | None
    diagonal: FloatArray | None
    gaps: FloatArray | None
    upper: FloatArray | None
    converged: BoolArray
    n_updates: IntArray | None
    squared_norms: FloatArray | None
    probability_scale: bool
    theorem: bool

    @property
    def score_accuracy(self) -> FloatArray:
        """What the scores may be off by because solvers stop and numbers are rounded, (n_bits,)."""

    def predict_scores(self, X: FloatArray) -> Scores:
        """Return the scores of new points, (n, n_bits)."""

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_bits)."""

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
        """Return each training point's scores by machines trained without it, (n_samples, n_bits)."""

    def release(self) -> None:
        """Give back memory that is only there to save time."""


Train: TypeAlias = Callable[[FloatArray, Bits, Progress], TrainedColumns]
"""Trains one machine per column of targets (n, n_bits) on points (n, n_features), and tells how far it is."""


@dataclass(frozen=True, slots=True)
class DualExpansion:
    """What a fitted machine tells of its dual solution.

    Attributes
    ----------
    alphas : (n_samples,)
        Non-negative dual coefficients.
    diagonal : (n_samples,)
        Kernel of each training point with itself.
    upper
        Upper bound of the coefficients.
    squared_norm
        Squared norm of the machine, without an explicit bias.
    """

    alphas: FloatArray
    diagonal: FloatArray
    upper: float
    squared_norm: float


def thread_count(n_jobs: int | None) -> int:
    """Translate scikit-learn's `n_jobs`: None is two threads at most, -1 is one per processor."""
    processors = os.cpu_count() or 1
    if n_jobs is None:
        return min(2, processors)
    if n_jobs == 0:
        raise ValueError("n_jobs is a number of threads, or -1 for all processors; it cannot be 0.")
    return n_jobs if n_jobs > 0 else max(1, processors + 1 + n_jobs)


def _task(number: int) -> str:
    """Name a task that has no better name."""
    return f"part {number + 1}"


def in_threads(
    task: Callable[[int], Outcome],
    n_tasks: int,
    n_jobs: int | None = None,
    progress: Progress = NO_PROGRESS,
    stop: Event | None = None,
    doing: Callable[[int], str] = _task,
) -> list[Outcome]:
    """Return [task(0), ..., task(n_tasks - 1)], computed by a bounded pool of threads.

    Parameters
    ----------
    task
        Given its number.
    n_tasks
        How many.
    n_jobs
        As scikit-learn's.
    progress
        Told the finished share from the calling thread, now and then also while tasks go on; if it
        raises, tasks that have not begun never do.
    stop
        Set when `progress` raises: a task that takes long looks at it, and may return anything.
    doing
        Names a task, by its number, for `progress`.
    """
    n_threads = min(thread_count(n_jobs), n_tasks)
    if n_tasks == 0:
        return []
    pool = ThreadPoolExecutor(n_threads)
    try:
        outcomes = []
        for number, future in enumerate([pool.submit(task, number) for number in range(n_tasks)]):
            progress.note(doing(number))
            while not wait((future,), LISTEN_SECONDS).done:
                progress.check()
            outcomes.append(future.result())
            progress.at((number + 1) / n_tasks)
    except BaseException:  # also a keyboard's: it goes on after the tasks have been told
        if stop is not None:
            stop.set()
        raise
    else:
        return outcomes
    finally:
        pool.shutdown(cancel_futures=True)


def nth_machine(n_bits: int) -> Callable[[int], str]:
    """Return what names, by its number, the machine that is trained of so many.

    Examples
    --------
    >>> nth_machine(10)(2)
    'training machine 3 of 10'
    """
    return lambda b: f"training machine {b + 1} of {n_bits}"


def check_targets(targets: Bits, n_samples: int) -> Bits:
    """Return the targets as int8, (n_samples, n_bits) in {-1, 0, +1}, or raise with a sentence."""
    checked = np.asarray(targets)
    if checked.ndim != 2 or checked.shape[0] != n_samples:
        raise ValueError(
            f"The targets must be a matrix with a row for each of the {n_samples} points, "
            f"not of shape {checked.shape}."
        )
    if not np.isin(checked, (-1, 0, 1)).all():
        raise ValueError("The targets of binary machines are -1, 0 and +1 only.")
    return checked.astype(np.int8)


def stratified_fold_ids(y_index: IntArray, n_folds: int, seed: int | np.random.Generator) -> IntArray:
    """Assign every sample a fold, (n_samples,), stratified by class, shared by all machines.

    The classes' shuffled members are dealt to the folds in turn, one class going on where the last
    one stopped, so that folds differ by at most one sample in size, and in each class.

    Choice: [Passerini2004]_ says three-fold cross-validation and no more.
    """
    if n_folds < 2:
        raise ValueError(f"Cross-validation needs at least 2 folds, not {n_folds}.")
    order = np.random.default_rng(seed).permutation(y_index.size)
    by_class = order[np.argsort(y_index[order], kind="stable")]
    fold_ids = np.empty(y_index.size, dtype=np.int64)
    fold_ids[by_class] = np.arange(y_index.size) % n_folds
    return fold_ids


def held_out_scores(
    train: Train, X: FloatArray, targets: Bits, fold_ids: IntArray, progress: Progress
) -> Scores:
    """Train machines; return each point's scores by those trained without its fold, (n_samples, n_bits).

    Parameters
    ----------
    train
        Trains the machines.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
    fold_ids : (n_samples,)
    progress
        Told the share of both: training, and training again without each fold.
    """
    columns = train(X, targets, progress.part(0, 2))
    return columns.held_out_scores(fold_ids, progress.part(1, 2, "holding points out"))


def train_columns(
    machine: Classifier,
    X: FloatArray,
    targets: Bits,
    *,
    n_jobs: int | None = None,
    progress: Progress = NO_PROGRESS,
    start: FloatArray | None = None,
) -> TrainedColumns:
    """Train one binary machine per column.

    Parameters
    ----------
    machine
        An unfitted scikit-learn classifier; left as it is.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
        +1 and -1 are the two sides of each machine, 0 leaves the point out.
    n_jobs
        Threads over columns; the result does not depend on it.
    progress
        Told the finished share; may raise to cancel.
    start : (n_samples, n_bits), optional
        Dual coefficients of a similar problem, where a kernel machine may start from.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    if not np.isfinite(X).all():
        raise ValueError("The points hold missing or infinite values; fill or drop them first.")
    targets = check_targets(targets, X.shape[0])
    if hasattr(machine, "fit_columns"):
        trained: TrainedColumns = machine.fit_columns(
            X, targets, n_jobs=n_jobs, progress=progress, start=start
        )
        return trained
    return SeparateColumns(machine, X, targets, n_jobs=n_jobs, progress=progress)


def accuracy_of(scores: Scores, tol: object) -> FloatArray:
    """Return what scores (n_samples, n_bits) may be off by, (n_bits,): a solver's tolerance, or rounding."""
    rounding: FloatArray = ROUNDING * np.abs(scores).max(axis=0, initial=0.0)
    if isinstance(tol, Real) and np.isfinite(float(tol)):
        return np.maximum(rounding, float(tol))
    return rounding


class _Constant:
    """The machine of a column that shows one side only, or nothing."""

    def __init__(self, value: float) -> None:
        self.value = value

    def decision_function(self, X: FloatArray) -> FloatArray:
        """Return the same score for every point, (n,)."""
        return np.full(X.shape[0], self.value)


def _fit_one(machine: Classifier, X: FloatArray, target: Bits) -> Classifier:
    """Fit a clone on the points of one column, (n_samples,) in {-1, 0, +1}."""
    shown = np.flatnonzero(target)
    sides = np.unique(target[shown])
    if sides.size < 2:
        return _Constant(float(sides.sum()))
    return clone(machine).fit(X[shown], target[shown].astype(np.int64))


def _score(fitted: Classifier, X: FloatArray) -> FloatArray:
    """Return the scores of one fitted machine, (n,)."""
    if hasattr(fitted, "decision_function"):
        return np.asarray(fitted.decision_function(X), dtype=np.float64)
    column = list(fitted.classes_).index(1)
    return 2 * np.asarray(fitted.predict_proba(X), dtype=np.float64)[:, column] - 1


class SeparateColumns:
    """Machines cloned and fitted column by column; attributes as `TrainedColumns`.

    Differs from shared kernel machines: held-out and leave-one-out scores are had by fitting again.
    """

    theorem = False

    def __init__(
        self,
        machine: Classifier,
        X: FloatArray,
        targets: Bits,
        *,
        n_jobs: int | None = None,
        progress: Progress = NO_PROGRESS,
    ) -> None:
        if not (hasattr(machine, "decision_function") or hasattr(machine, "predict_proba")):
            raise ValueError(
                f"{type(machine).__name__} has neither decision_function nor predict_proba; "
                "binary machines must tell how sure they are."
            )
        # Words such as gamma="scale" mean the full training set, as they do for shared machines.
        machine = machine.settled(X) if hasattr(machine, "settled") else machine
        self.machine = machine
        self.X = X
        self.targets = targets
        self.theorem = False
        self.n_jobs = n_jobs
        n_bits = targets.shape[1]
        self.machines = in_threads(
            lambda b: _fit_one(machine, X, targets[:, b]), n_bits, n_jobs, progress, doing=nth_machine(n_bits)
        )
        self.probability_scale = not hasattr(machine, "decision_function")
        self.scores: Scores = self.predict_scores(X)
        self.gaps: FloatArray | None = None
        self.n_updates: IntArray | None = None
        self.converged: BoolArray = np.array([getattr(m, "fit_status_", 0) == 0 for m in self.machines])
        self._read_expansions()

    @property
    def score_accuracy(self) -> FloatArray:
        """What scores may be off by: the machine's tolerance where it has one."""
        return accuracy_of(self.scores, getattr(self.machine, "tol", None))

    def _read_expansions(self) -> None:
        """Collect the dual coefficients of machines that tell them."""
        self.alphas: FloatArray | None = None
        self.diagonal: FloatArray | None = None
        self.upper: FloatArray | None = None
        self.squared_norms: FloatArray | None = None
        if not hasattr(self.machine, "dual_expansion"):
            return
        n_samples, n_bits = self.targets.shape
        self.alphas = np.zeros((n_samples, n_bits))
        self.diagonal = np.zeros(n_samples)
        self.upper = np.zeros(n_bits)
        self.squared_norms = np.zeros(n_bits)
        for b, fitted in enumerate(self.machines):
            if isinstance(fitted, _Constant):
                continue
            shown = np.flatnonzero(self.targets[:, b])
            expansion: DualExpansion = fitted.dual_expansion(self.X[shown])
            self.alphas[shown, b] = expansion.alphas
            self.diagonal[shown] = expansion.diagonal
            self.upper[b] = expansion.upper
            self.squared_norms[b] = expansion.squared_norm

    def release(self) -> None:
        """Give back nothing: no kernel values are kept."""

    def predict_scores(self, X: FloatArray) -> Scores:
        """Return the scores of new points, (n, n_bits)."""
        columns = in_threads(lambda b: _score(self.machines[b], X), len(self.machines), self.n_jobs)
        return np.stack(columns, axis=1)

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_bits)."""
        folds = np.unique(fold_ids)
        n_bits = self.targets.shape[1]
        scores = np.empty(self.targets.shape)

        def refit(number: int) -> None:
            fold, b = divmod(number, n_bits)
            held = np.flatnonzero(fold_ids == folds[fold])
            target = self.targets[:, b].copy()
            target[held] = 0
            scores[held, b] = _score(_fit_one(self.machine, self.X, target), self.X[held])

        def doing(number: int) -> str:
            fold, b = divmod(number, n_bits)
            return f"fold {fold + 1} of {folds.size}: {nth_machine(n_bits)(b)}"

        in_threads(refit, folds.size * n_bits, self.n_jobs, progress, doing=doing)
        return scores

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
        """Return each training point's scores by machines trained without it, (n_samples, n_bits).

        `tol` is for solvers that can be told one; here it is not used.
        """
        del tol
        scores = self.scores.copy()
        points, bits = np.nonzero(self.targets)

        def refit(number: int) -> None:
            i, b = points[number], bits[number]
            target = self.targets[:, b].copy()
            target[i] = 0
            scores[i, b] = _score(_fit_one(self.machine, self.X, target), self.X[i : i + 1])[0]

        def doing(number: int) -> str:
            return f"leaving out point {points[number] + 1} of {scores.shape[0]}"

        in_threads(refit, points.size, self.n_jobs, progress, doing=doing)
        return scores
