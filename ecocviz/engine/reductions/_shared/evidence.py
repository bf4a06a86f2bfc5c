"""What a training run can tell about its machines, gathered field by field when a decoder asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ecocviz.engine.analysis.reliability import hinge_losses, local_reliability, static_reliability
from ecocviz.engine.columns import TrainedColumns
from ecocviz.engine.kernels.sigmoid import fit_sigmoids
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray, Scores


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
    """

    columns: TrainedColumns
    X: FloatArray
    targets: CodeMatrix
    code_matrix: CodeMatrix
    y_index: IntArray
    fold_ids: IntArray

    def gather(self, name: str, progress: Progress | None = None) -> FloatArray:
        """Compute one field of `Evidence`; `progress` is told how far held-out scores are, and may raise."""
        return _sigmoids(self, progress) if name == "sigmoids" else _GATHER[name](self)

    def local_reliabilities(
        self, X: FloatArray, scores: Scores, params: Mapping[str, ParamValue]
    ) -> FloatArray:
        """Return the dynamic reliability of every machine at new points, (n, n_bits)."""
        return self._locally(X, scores, params, None)

    def left_out_reliabilities(self, scores: Scores, params: Mapping[str, ParamValue]) -> FloatArray:
        """Return the dynamic reliability at the training points, none its own neighbour, (n_samples, n_bits).

        Norms and losses stay those of the full machines.
        """
        return self._locally(self.X, scores, params, np.arange(self.y_index.size))

    def _locally(
        self, X: FloatArray, scores: Scores, params: Mapping[str, ParamValue], exclude: IntArray | None
    ) -> FloatArray:
        norms, C = _norms(self)
        return local_reliability(
            X,
            scores,
            self.X,
            self.columns.scores,
            self.targets,
            norms,
            hinge_losses(self.columns.scores, self.targets),
            C,
            int(params["n_neighbors"]),
            exclude,
        )


def _sigmoids(training: Training, progress: Progress | None) -> FloatArray:
    held_out = training.columns.held_out_scores(training.fold_ids, progress)
    return fit_sigmoids(held_out, training.targets)


def _hit_rates(training: Training) -> FloatArray:
    """Share of each class's points on the side its codeword asks for, (n_classes, n_bits)."""
    right = (np.sign(training.columns.scores) == training.targets) & (training.targets != 0)
    n_classes = training.code_matrix.shape[0]
    counts = np.bincount(training.y_index, minlength=n_classes)
    rates = np.zeros(training.code_matrix.shape)
    np.add.at(rates, training.y_index, right.astype(np.float64))
    return rates / np.maximum(counts, 1)[:, None]


def _accuracies(training: Training) -> FloatArray:
    right = (np.sign(training.columns.scores) == training.targets) & (training.targets != 0)
    rates: FloatArray = right.sum(axis=0) / np.maximum((training.targets != 0).sum(axis=0), 1)
    return rates


def _weights(training: Training) -> FloatArray:
    counts: FloatArray = (training.targets != 0).sum(axis=0).astype(np.float64)
    return counts


def _norms(training: Training) -> tuple[FloatArray, FloatArray]:
    """Return the machines' squared norms and upper bounds C, both (n_bits,)."""
    columns = training.columns
    if columns.squared_norms is None or columns.upper is None:
        raise ValueError("Reliability measures need kernel machines; choose one, or another decoder.")
    return columns.squared_norms, columns.upper


def _reliabilities(training: Training) -> FloatArray:
    norms, C = _norms(training)
    losses = hinge_losses(training.columns.scores, training.targets)
    return static_reliability(norms, losses, training.targets, C)


_GATHER: dict[str, Callable[[Training], FloatArray]] = {
    "hit_rates": _hit_rates,
    "accuracies": _accuracies,
    "weights": _weights,
    "reliabilities": _reliabilities,
}
