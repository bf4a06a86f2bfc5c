"""What a training run can tell about its machines, gathered field by field when a decoder asks."""

import threading
from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np

from ecocviz.engine.analysis.reliability import hinge_losses, local_reliability, static_reliability
from ecocviz.engine.columns import TrainedColumns, held_out_scores_of_shown
from ecocviz.engine.entries import Evidence
from ecocviz.engine.params import ParamValue
from ecocviz.engine.points import dense
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.calibration import Calibration, calibrate, speaking
from ecocviz.engine.reductions._shared.cost_scale import CostScale
from ecocviz.engine.types import Bits, CodeMatrix, FloatArray, IntArray, Points, Scores

FEW = 200
"""Points that are left out one by one, if need be, without much waiting."""


@dataclass(frozen=True, slots=True)
class Training:
    """A training run: the machines and what they were trained on.

    Attributes
    ----------
    columns
        The trained machines.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
        Code entries of each sample's class.
    code_matrix : (n_classes, n_bits)
    y_index : (n_samples,)
    fold_ids : (n_samples,)
        Calibration fold of each sample.
    weights : (n_samples,) or None
        Of the samples; None where all weigh 1.
    """

    columns: TrainedColumns
    X: Points
    targets: CodeMatrix
    code_matrix: CodeMatrix
    y_index: IntArray
    fold_ids: IntArray
    weights: FloatArray | None = None

    @property
    def counts(self) -> FloatArray:
        """What each point counts for, (n_samples,)."""
        return np.ones(self.y_index.size) if self.weights is None else self.weights

    def gather(
        self,
        name: str,
        known: Evidence,
        progress: Progress = NO_PROGRESS,
        held_out: Scores | None = None,
    ) -> Evidence:
        """Return what is known, with one more field and what is found with it.

        `progress` is told how far held-out scores (n_samples, n_bits) are, if none are given, and may raise.
        """
        if name == "sigmoids":
            found = _calibrated(self, progress, held_out)
            return replace(known, sigmoids=found.sigmoids, sources=found.sources)
        field: dict[str, Any] = {name: _GATHER[name](self)}
        return replace(known, **field)

    def local_reliabilities(self, X: Points, scores: Scores, params: Mapping[str, ParamValue]) -> FloatArray:
        """Return the dynamic reliability of every machine at new points, (n, n_bits)."""
        return self._locally(X, scores, params, None)

    def left_out_reliabilities(self, scores: Scores, params: Mapping[str, ParamValue]) -> FloatArray:
        """Return the dynamic reliability at the training points, none its own neighbour, (n_samples, n_bits).

        Norms and losses stay those of the full machines.
        """
        return self._locally(self.X, scores, params, np.arange(self.y_index.size))

    def _locally(
        self, X: Points, scores: Scores, params: Mapping[str, ParamValue], exclude: IntArray | None
    ) -> FloatArray:
        norms, C = _norms(self)
        what = "This decoder, which looks for near points,"
        if getattr(getattr(self.columns, "kernel", None), "name", "") == "precomputed":
            raise ValueError(f"{what} needs dense points, not kernel values; choose another decoder.")
        return local_reliability(
            dense(X, what),
            scores,
            dense(self.X, what),
            self.columns.scores,
            self.targets,
            norms,
            hinge_losses(self.columns.scores, self.targets),
            C,
            int(params["n_neighbors"]),
            exclude,
            weights=self.columns.weights,
            counts=self.weights,
        )


Margins: TypeAlias = dict[Hashable, FloatArray]
"""Decoder -> the margins of held-out points, (n_samples,)."""
Scales: TypeAlias = dict[Hashable, tuple[CostScale, float]]
"""Decoder -> how its probabilities fall with the cost, and what share of them is pairwise coupling's."""
Known: TypeAlias = tuple[Evidence, Scores | None, Scores | None, Margins, Scales]
"""The evidence, the scores of points left out one by one and fold by fold, margins and scales of cost."""


class Gathered:
    """What has been gathered of a training run so far; every field is computed once, by whoever asks first.

    Attributes
    ----------
    training
        The training run.
    lock
        Held while something is computed.
    margins
        Those of held-out points that decoders have asked for.
    scales
        Those of decoders whose probabilities were asked for.
    """

    def __init__(self, training: Training) -> None:
        self.training = training
        self.lock = threading.Lock()
        self._evidence = Evidence()
        self._left_out: Scores | None = None
        self._held_out: Scores | None = None
        self.margins: Margins = {}
        self.scales: Scales = {}

    def evidence(self, names: AbstractSet[str], progress: Progress = NO_PROGRESS) -> Evidence:
        """Return the evidence with these fields, and those that were asked for before."""
        with self.lock:
            for name in sorted(names):
                if getattr(self._evidence, name) is None:
                    if name == "sigmoids" and self.training.targets.all():
                        # Every machine is shown every point: these scores serve whatever else asks for them.
                        self._hold_out(progress)
                    self._evidence = self.training.gather(name, self._evidence, progress, self._held_out)
            return self._evidence

    def left_out_scores(self, progress: Progress = NO_PROGRESS) -> Scores:
        """Return the training points' scores by machines trained without them, (n_samples, n_bits)."""
        with self.lock:
            if self._left_out is None:
                self._left_out = self.training.columns.leave_one_out_scores(progress=progress)
            return self._left_out

    def held_out_scores(self, progress: Progress = NO_PROGRESS) -> Scores:
        """Return the training points' scores by machines trained without their fold, (n_samples, n_bits)."""
        with self.lock:
            return self._hold_out(progress)

    def _hold_out(self, progress: Progress) -> Scores:
        if self._held_out is None:
            self._held_out = _held_out(self.training, progress)
        return self._held_out

    def known(self) -> Known:
        """Return what has been gathered so far."""
        with self.lock:
            return (
                self._evidence,
                self._left_out,
                self._held_out,
                dict(self.margins),
                dict(self.scales),
            )

    def take(self, known: Known) -> None:
        """Keep what was gathered elsewhere of a copy of this training run."""
        evidence, left_out, held_out, margins, scales = known
        with self.lock:
            here = {part.name: getattr(self._evidence, part.name) for part in fields(Evidence)}
            new = {name: getattr(evidence, name) for name, value in here.items() if value is None}
            self._evidence = replace(self._evidence, **new)
            self._left_out = left_out if self._left_out is None else self._left_out
            self._held_out = held_out if self._held_out is None else self._held_out
            self.margins = {**margins, **self.margins}
            self.scales = {**scales, **self.scales}

    def __getstate__(self) -> dict[str, Any]:
        """Leave the lock out of pickles: it belongs to its process."""
        return {**self.__dict__, "lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Models kept by an earlier version know nothing of held-out scores.
        later: dict[str, Any] = {"_held_out": None, "margins": {}, "scales": {}}
        self.__dict__.update({**later, **state}, lock=threading.Lock())


def _one_by_one(training: Training) -> bool:
    """Say whether points are held out one by one.

    Where a class has fewer points than there are folds, folds take half of it or all: a small problem then
    leaves out point by point.
    """
    counts = np.bincount(training.y_index)
    folds = np.unique(training.fold_ids).size
    return bool(counts[counts > 0].min() < folds and training.y_index.size <= FEW)


def _held_out(training: Training, progress: Progress) -> Scores:
    """Return the scores of held-out points, also by machines that are not shown them, (n_samples, n_bits)."""
    if _one_by_one(training):
        return training.columns.leave_one_out_scores(progress)
    return training.columns.held_out_scores(training.fold_ids, progress)


def sides_that_speak(training: Training) -> Bits:
    """Return the side of each held-out point that may speak for a machine, else 0, (n_samples, n_bits)."""
    ids = np.arange(training.y_index.size) if _one_by_one(training) else training.fold_ids
    return speaking(training.targets, training.y_index, ids)


def _calibrated(training: Training, progress: Progress, held_out: Scores | None) -> Calibration:
    """Fit the sigmoids to scores of held-out points."""
    columns = training.columns
    if held_out is None and _one_by_one(training):
        held_out = columns.leave_one_out_scores(progress)
    elif held_out is None:
        held_out = held_out_scores_of_shown(columns, training.fold_ids, progress)
    return calibrate(held_out, sides_that_speak(training), columns.score_accuracy, training.weights)


def _hit_rates(training: Training) -> FloatArray:
    """Share of each class's points on the side its codeword asks for, (n_classes, n_bits)."""
    right = (np.sign(training.columns.scores) == training.targets) & (training.targets != 0)
    n_classes = training.code_matrix.shape[0]
    totals = np.bincount(training.y_index, training.counts, minlength=n_classes)
    rates = np.zeros(training.code_matrix.shape)
    np.add.at(rates, training.y_index, right * training.counts[:, None])
    rates /= np.where(totals > 0, totals, 1.0)[:, None]
    return rates


def _accuracies(training: Training) -> FloatArray:
    right = (np.sign(training.columns.scores) == training.targets) & (training.targets != 0)
    shown = _weights(training)
    rates: FloatArray = training.counts @ right / np.where(shown > 0, shown, 1.0)
    return rates


def _weights(training: Training) -> FloatArray:
    totals: FloatArray = training.counts @ (training.targets != 0)
    return totals


def _norms(training: Training) -> tuple[FloatArray, FloatArray]:
    """Return the machines' squared norms and upper bounds C, both (n_bits,)."""
    columns = training.columns
    if columns.squared_norms is None or columns.upper is None:
        raise ValueError("Reliability measures need kernel machines; choose one, or another decoder.")
    return columns.squared_norms, columns.upper


def _reliabilities(training: Training) -> FloatArray:
    norms, C = _norms(training)
    losses = hinge_losses(training.columns.scores, training.targets)
    return static_reliability(norms, losses, training.targets, C, training.columns.weights)


_GATHER: dict[str, Callable[[Training], FloatArray]] = {
    "hit_rates": _hit_rates,
    "accuracies": _accuracies,
    "weights": _weights,
    "reliabilities": _reliabilities,
}
