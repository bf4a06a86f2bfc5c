"""Checking training data, and deciding by least cost."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.metadata_routing import UNUSED

from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.inputs import read_training_set
from ecocviz.engine.types import Costs, FloatArray, IntArray


def begin_fit(
    estimator: Any,  # noqa: ANN401 - scikit-learn estimators share no type
    X: npt.ArrayLike,
    y: npt.ArrayLike,
) -> tuple[FloatArray, IntArray]:
    """Check the training data and set `classes_`; return X and each sample's class index.

    Parameters
    ----------
    estimator
        A scikit-learn classifier about to be fitted.
    X : (n_samples, n_features)
    y : (n_samples,)
        Labels of any kind scikit-learn accepts.

    Returns
    -------
    X : (n_samples, n_features)
    y_index : (n_samples,)
    """
    data = read_training_set(estimator, X, y)
    return data.X, data.y_index


class CostClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]  # scikit-learn ships no types
    """A classifier that decides for the class of least cost: what every reduction's estimator derives from.

    The subclass has `fit` and `costs`; the rest of `multiclass.Multiclass` follows.
    """

    __metadata_request__fit: ClassVar = {"progress": UNUSED}

    classes_: npt.NDArray[Any]
    n_features_in_: int

    def __sklearn_tags__(self) -> Tags:
        """Say whether two fits without a seed may differ."""
        tags = super().__sklearn_tags__()
        seeded = isinstance(getattr(self, "random_state", None), Integral)
        tags.non_deterministic = not seeded and self._draws()
        return tags

    def _draws(self) -> bool:
        """Say whether a fit draws by `random_state` what its answers depend on."""
        return False

    @property
    def problem_sizes_(self) -> IntArray:
        """Points that each binary problem was trained on, (n_problems,): none if nothing is said."""
        return np.empty(0, dtype=np.int64)

    @property
    def decoded(self) -> bool:
        """Whether a decoder reads the scores."""
        return False

    @abstractmethod
    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike, *, progress: Progress = NO_PROGRESS) -> Self:
        """Train on points (n_samples, n_features) with labels (n_samples,).

        Begins with `begin_fit` and ends with `progress.at(1.0)`: however short it is, a fit tells that
        it is done, and can be cancelled there.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """

    @abstractmethod
    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return costs, (n_samples, n_classes); the least cost wins.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        """

    def predict(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> npt.NDArray[Any]:
        """Return the class of least cost, the first in sorted order among equals, (n_samples,).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        """
        costs = self.costs(X, decoding, decoding_params)
        labels: npt.NDArray[Any] = self.classes_[np.argmin(costs, axis=1)]
        return labels

    def decision_function(self, X: npt.ArrayLike) -> FloatArray:
        """Return minus the costs, (n_samples, n_classes); for two classes their difference, (n_samples,).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        costs = self.costs(X)
        if self.classes_.size == 2:
            return costs[:, 0] - costs[:, 1]
        return -costs
