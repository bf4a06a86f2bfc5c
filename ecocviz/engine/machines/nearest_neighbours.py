"""Nearest neighbours, scikit-learn's, on columns that may hold fewer points than neighbours."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ecocviz.engine.entries import Machine
from ecocviz.engine.params import IntParam
from ecocviz.engine.types import FloatArray


class NearestNeighbours(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Vote of the nearest training points, of all where there are fewer than asked for.

    Parameters
    ----------
    n_neighbors
        Number of voters.
    """

    def __init__(self, n_neighbors: int = 5) -> None:
        self.n_neighbors = n_neighbors

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training points, (n_samples, n_features), and their labels, (n_samples,)."""
        points, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.voters_ = KNeighborsClassifier(min(self.n_neighbors, points.shape[0])).fit(points, labels)
        self.classes_ = self.voters_.classes_
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Return the shares of votes, (n, n_classes)."""
        check_is_fitted(self)
        votes: FloatArray = self.voters_.predict_proba(validate_data(self, X, dtype=np.float64, reset=False))
        return votes

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of most votes, (n,), the first among equals."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels


MACHINE = Machine(
    key="nearest-neighbours",
    title="Nearest neighbours",
    summary="The nearest training points vote.",
    make=NearestNeighbours,
    params=(
        IntParam(
            name="n_neighbors",
            label="Neighbours",
            default=5,
            low=1,
            high=100,
            help="How many of the nearest training points vote.",
            hint="more neighbours make smoother borders",
            prominent=True,
        ),
    ),
    order=21,
    effort=3.0,
)
