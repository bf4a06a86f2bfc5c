"""Kernel machines of all columns whose kernel is an inner product of explicit features."""

from typing import Any

import numpy as np

from ecocviz.engine.machines._feature_map import FeatureMap
from ecocviz.engine.machines._kernel_columns import KernelColumns
from ecocviz.engine.machines._ways.explicit import Explicit
from ecocviz.engine.points import is_sparse
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.engine.types import Bits, FloatArray, Points, Scores


class LinearColumns(KernelColumns):
    """The trained machines of all columns; attributes as `TrainedColumns`.

    The leave-one-out lemma holds for the kernel that the features give, and so for machines whose features
    stay as they are when points are left out: landmarks stay, as the width of gamma="scale" does. Whoever
    draws landmarks anew without a point that is one has another kernel, of which the lemma says nothing.

    Parameters
    ----------
    feature_map
        Which features.
    X, targets
        As in `KernelColumns`.
    **settings
        What `KernelColumns` takes besides; `memory_limit` counts the bytes of the features.
    """

    def __init__(
        self,
        feature_map: FeatureMap,
        X: Points,
        targets: Bits,
        **settings: Any,  # noqa: ANN401 - numbers, weights, progress: those of the base
    ) -> None:
        self.feature_map = feature_map
        super().__init__(feature_map.kernel, X, targets, **settings)
        self._weights: FloatArray = self._solver().weights(np.ascontiguousarray(self.alphas.T)).T
        self.diagonal = self._solver().squares()

    def _solver(self) -> Explicit:
        if not isinstance(self._way, Explicit):
            self._way = Explicit(self._problem(), self.feature_map)
        return self._way

    @property
    def features(self) -> Points:
        """The features of the training points, (n_samples, n_weights), the constant last."""
        return self._solver().features(NO_PROGRESS)

    def predict_scores(self, X: Points) -> Scores:
        """Return the scores of new points, (n, n_bits), from their kernel values with the landmarks."""
        X = X if is_sparse(X) else np.asarray(X, dtype=np.float64)
        return self.feature_map.scores(X, self._weights)
