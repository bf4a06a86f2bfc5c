"""Training one binary machine per column of a code, whatever the machine.

A machine that can train all columns at once says so with a method `fit_columns`; any other
scikit-learn classifier is cloned and fitted column by column.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import _routing_enabled
from sklearn.utils.validation import has_fit_parameter

from ecocviz.engine.parallel import in_parallel, in_threads, nth_machine
from ecocviz.engine.points import check_weights, count, is_sparse, take, take_params
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Points, Scores

Classifier: TypeAlias = Any
"""A binary classifier that follows scikit-learn's conventions, which ships no types."""

ROUNDING = 1e-12
"""The share of the largest score below which differences are rounding."""


@runtime_checkable
class TrainedColumns(Protocol):
    """The trained machines of all columns.

    Attributes
    ----------
    targets : (n_samples, n_bits)
        What each machine was told of each point; 0 where a point was left out.
    scores : (n_samples, n_bits)
        Scores of all training points, also where the code leaves a point out; may be made when asked for.
    alphas : (n_samples, n_bits) or None
        Non-negative dual coefficients, 0 where a point was left out.
    diagonal : (n_samples,) or None
        Kernel of each training point with itself, bias constant included.
    gaps : (n_bits,) or None
        Duality gap of each machine.
    upper : (n_bits,) or None
        Upper bound C of the dual coefficients.
    weights : (n_samples,), (n_samples, n_bits) or None
        By what the upper bound, or the price of an error, is multiplied at each point; None for 1.
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
    alphas: FloatArray | None
    diagonal: FloatArray | None
    gaps: FloatArray | None
    upper: FloatArray | None
    weights: FloatArray | None
    converged: BoolArray
    n_updates: IntArray | None
    squared_norms: FloatArray | None
    probability_scale: bool
    theorem: bool

    @property
    def scores(self) -> Scores:
        """Scores of all training points, (n_samples, n_bits)."""

    @property
    def score_accuracy(self) -> FloatArray:
        """What the scores may be off by because solvers stop and numbers are rounded, (n_bits,)."""

    def predict_scores(self, X: Points) -> Scores:
        """Return the scores of new points, (n, n_bits)."""

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_bits)."""

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
        """Return each training point's scores by machines trained without it, (n_samples, n_bits)."""

    def release(self) -> None:
        """Give back memory that is only there to save time."""


@runtime_checkable
class ScoresShown(Protocol):
    """Machines that spare themselves the scores of points that they are not shown."""

    def held_out_scores_of_shown(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_bits).

        Those of points that a machine is not shown are anything finite.
        """


Train: TypeAlias = Callable[[Points, Bits, Progress], TrainedColumns]
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


def check_targets(targets: Bits, n_samples: int) -> Bits:
    """Return the targets as int8, (n_samples, n_bits) in {-1, 0, +1}, or raise with a sentence."""
    checked = np.asarray(targets)
    if checked.ndim != 2 or checked.shape[0] != n_samples:
        raise ValueError(
            f"The targets must be a matrix with a row for each of the {n_samples} points, "
            f"not of shape {checked.shape}."
        )
    if checked.dtype.kind == "i":
        within = checked.min(initial=0) >= -1 and checked.max(initial=0) <= 1
    else:
        within = bool(np.isin(checked, (-1, 0, 1)).all())
    if not within:
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


def held_out_scores_of_shown(columns: TrainedColumns, fold_ids: IntArray, progress: Progress) -> Scores:
    """Return each training point's scores by machines trained without its fold, (n_samples, n_bits).

    Scores of points that a machine is not shown may be anything finite.
    """
    spares = columns.held_out_scores_of_shown if isinstance(columns, ScoresShown) else columns.held_out_scores
    return spares(fold_ids, progress)


def train_columns(
    machine: Classifier,
    X: Points,
    targets: Bits,
    *,
    n_jobs: int | None = None,
    progress: Progress = NO_PROGRESS,
    start: FloatArray | None = None,
    fit_params: Mapping[str, Any] | None = None,
) -> TrainedColumns:
    """Train one binary machine per column.

    Parameters
    ----------
    machine
        An unfitted scikit-learn classifier, or a regressor; left as it is.
    X : (n_samples, n_features)
        What the machine reads: a machine of another's validates it itself.
    targets : (n_samples, n_bits)
        +1 and -1 are the two sides of each machine, 0 leaves the point out.
    n_jobs
        Threads over columns; the result does not depend on it.
    progress
        Told the finished share; may raise to cancel.
    start : (n_samples, n_bits), optional
        Dual coefficients of a similar problem, where a kernel machine may start from.
    fit_params
        What the machine's `fit` is given besides, `sample_weight` above all; values with one entry a point
        follow the points.
    """
    params = dict(fit_params or {})
    weights = check_weights(params.pop("sample_weight", None), X)
    if hasattr(machine, "fit_columns"):
        X = contiguous(X)
        if params:
            raise ValueError(
                f"{type(machine).__name__} takes no {', '.join(params)} in fit, only sample_weight."
            )
        trained: TrainedColumns = machine.fit_columns(
            X,
            check_targets(targets, X.shape[0]),
            n_jobs=n_jobs,
            progress=progress,
            start=start,
            weights=weights,
        )
        return trained
    if weights is not None:
        if not takes_weights(machine):
            raise ValueError(
                f"{type(machine).__name__} takes no sample_weight in fit; leave the weights out, or choose "
                "another machine (a pipeline takes them with scikit-learn's metadata routing)."
            )
        params["sample_weight"] = weights
    targets = check_targets(targets, count(X))
    return SeparateColumns(machine, X, targets, n_jobs=n_jobs, progress=progress, fit_params=params)


def takes_weights(machine: Classifier) -> bool:
    """Say whether a machine's `fit` takes weights of points, its own or by way of its metadata routing."""
    if hasattr(machine, "fit_columns") or has_fit_parameter(machine, "sample_weight"):
        return True
    if not (_routing_enabled() and hasattr(machine, "get_metadata_routing")):
        return False
    return "sample_weight" in machine.get_metadata_routing().consumes("fit", ["sample_weight"])


def contiguous(X: Points) -> Points:
    """Return points as our own machines read them, dense or sparse, or raise with a sentence."""
    points = X.tocsr().astype(np.float64) if is_sparse(X) else np.ascontiguousarray(X, dtype=np.float64)
    if not np.isfinite(points.data if is_sparse(points) else points).all():
        raise ValueError("The points hold missing or infinite values; fill or drop them first.")
    return points


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

    def decision_function(self, X: Points) -> FloatArray:
        """Return the same score for every point, (n,)."""
        return np.full(count(X), self.value)


def is_pairwise(machine: Classifier) -> bool:
    """Say whether a machine reads kernel values with the training points in place of points."""
    return bool(get_tags(machine).input_tags.pairwise)


def _fit_one(machine: Classifier, X: Points, target: Bits, params: Mapping[str, Any]) -> Classifier:
    """Fit a clone on the points of one column, (n_samples,) in {-1, 0, +1}."""
    shown = np.flatnonzero(target)
    sides = np.unique(target[shown])
    if sides.size < 2:
        return _Constant(float(sides.sum()))
    points = take(X, shown, shown if is_pairwise(machine) else None)
    kind = np.float64 if is_regressor(machine) else np.int64
    return clone(machine).fit(points, target[shown].astype(kind), **take_params(X, params, shown))


def _score(fitted: Classifier, X: Points) -> FloatArray:
    """Return the scores of one fitted machine, (n,)."""
    if hasattr(fitted, "decision_function"):
        return np.asarray(fitted.decision_function(X), dtype=np.float64)
    if is_regressor(fitted):
        return np.asarray(fitted.predict(X), dtype=np.float64).reshape(count(X))
    column = list(fitted.classes_).index(1)
    return 2 * np.asarray(fitted.predict_proba(X), dtype=np.float64)[:, column] - 1


def _score_one(
    machine: Classifier, X: Points, target: Bits, params: Mapping[str, Any], held: IntArray
) -> FloatArray:
    """Fit a clone on the points of one column but those held out; return the scores of these, (n_held,)."""
    target = target.copy()
    target[held] = 0
    shown = np.flatnonzero(target) if is_pairwise(machine) else None
    return _score(_fit_one(machine, X, target, params), take(X, held, shown))


class SeparateColumns:
    """Machines cloned and fitted column by column; attributes as `TrainedColumns`.

    Differs from shared kernel machines: held-out and leave-one-out scores are had by fitting again.
    """

    theorem = False

    def __init__(
        self,
        machine: Classifier,
        X: Points,
        targets: Bits,
        *,
        n_jobs: int | None = None,
        progress: Progress = NO_PROGRESS,
        fit_params: Mapping[str, Any] | None = None,
    ) -> None:
        tells = hasattr(machine, "decision_function") or hasattr(machine, "predict_proba")
        if not (tells or is_regressor(machine)):
            raise ValueError(
                f"{type(machine).__name__} has neither decision_function nor predict_proba; "
                "binary machines must tell how sure they are."
            )
        self.fit_params = dict(fit_params or {})
        self.weights: FloatArray | None = self.fit_params.get("sample_weight")
        # Words such as gamma="scale" mean the full training set, as they do for shared machines.
        machine = machine.settled(X, self.weights) if hasattr(machine, "settled") else machine
        self.machine = machine
        self.X = X
        self.targets = targets
        self.theorem = False
        self.n_jobs = n_jobs
        self.pairwise = is_pairwise(machine)
        n_bits = targets.shape[1]
        self.machines = in_parallel(
            lambda b: partial(_fit_one, machine, X, targets[:, b], self.fit_params),
            n_bits,
            n_jobs,
            progress,
            doing=nth_machine(n_bits),
        )
        self.probability_scale = not (is_regressor(machine) or hasattr(machine, "decision_function"))
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
            expansion: DualExpansion = fitted.dual_expansion(take(self.X, shown))
            self.alphas[shown, b] = expansion.alphas
            self.diagonal[shown] = expansion.diagonal
            self.upper[b] = expansion.upper
            self.squared_norms[b] = expansion.squared_norm

    def release(self) -> None:
        """Give back nothing: no kernel values are kept."""

    def predict_scores(self, X: Points) -> Scores:
        """Return the scores of new points, (n, n_bits)."""
        columns = in_threads(lambda b: self._score_column(b, X), len(self.machines), self.n_jobs)
        return np.stack(columns, axis=1)

    def _score_column(self, b: int, X: Points) -> FloatArray:
        """Return the scores of one machine, (n,); of kernel values it gets those with its own points."""
        if not self.pairwise:
            return _score(self.machines[b], X)
        return _score(self.machines[b], take(X, np.arange(count(X)), np.flatnonzero(self.targets[:, b])))

    def _refit(self, b: int, held: IntArray) -> "partial[FloatArray]":
        """Return what scores held-out points by machine b trained without them."""
        return partial(_score_one, self.machine, self.X, self.targets[:, b], self.fit_params, held)

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_bits)."""
        folds, fold = np.unique(fold_ids, return_inverse=True)
        members = [np.flatnonzero(fold == number) for number in range(folds.size)]
        n_bits = self.targets.shape[1]

        def doing(number: int) -> str:
            fold, b = divmod(number, n_bits)
            return f"fold {fold + 1} of {folds.size}: {nth_machine(n_bits)(b)}"

        found = in_parallel(
            lambda number: self._refit(number % n_bits, members[number // n_bits]),
            folds.size * n_bits,
            self.n_jobs,
            progress,
            doing=doing,
        )
        scores = np.empty(self.targets.shape)
        for number, values in enumerate(found):
            scores[members[number // n_bits], number % n_bits] = values
        return scores

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
        """Return each training point's scores by machines trained without it, (n_samples, n_bits).

        `tol` is for solvers that can be told one; here it is not used.
        """
        del tol
        scores = self.scores.copy()
        points, bits = np.nonzero(self.targets)

        def doing(number: int) -> str:
            return f"leaving out point {points[number] + 1} of {scores.shape[0]}"

        found = in_parallel(
            lambda number: self._refit(bits[number], points[number : number + 1]),
            points.size,
            self.n_jobs,
            progress,
            doing=doing,
        )
        for i, b, values in zip(points, bits, found, strict=True):
            scores[i, b] = values[0]
        return scores
