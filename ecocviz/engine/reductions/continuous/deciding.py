"""How a continuous code decides: by the closeness of the machines' outputs to real codewords."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.entries import check_scores
from ecocviz.engine.params import ParamValue
from ecocviz.engine.reductions._shared.cost_classifier import CostClassifier
from ecocviz.engine.reductions._shared.inputs import read_points
from ecocviz.engine.reductions.continuous.kernel_code import KernelCode
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.types import AnyCode, Costs, FloatArray, IntArray, Scores


class Deciding(CostClassifier):
    """What is asked of a code that has been designed."""

    code_matrix_: AnyCode
    base_: ECOCClassifier | None
    taus_: FloatArray | None
    _columns: Any
    _kernel_code: KernelCode

    @abstractmethod
    def _machine(self) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
        """Return the machine that reads the points."""

    @property
    def problem_sizes_(self) -> IntArray:
        """Points that each machine was trained on, (n_bits,); none if trained with the code."""
        check_is_fitted(self, "code_matrix_")
        return np.empty(0, dtype=np.int64) if self.base_ is None else self.base_.problem_sizes_

    def scores(self, X: npt.ArrayLike) -> Scores:
        """Return the machines' real outputs, (n, n_bits).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        check_is_fitted(self, "code_matrix_")
        scores: Scores = self._columns.predict_scores(read_points(self, X, self._machine()))
        return scores

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return minus the closeness to each codeword, (n, n_classes); this code decides by itself.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Not used: this classifier decides by itself.
        decoding_params : dict, default=None
            Not used.
        """
        return self.decode(self.scores(X), decoding, decoding_params)

    def decode(
        self,
        scores: Scores,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
    ) -> Costs:
        """Return minus the closeness of given scores (n, n_bits) to each codeword, (n, n_classes).

        Parameters
        ----------
        scores : ndarray of shape (n_samples, n_bits)
            The machines' real outputs.
        decoding : str, default=None
            Not used: this classifier decides by itself.
        decoding_params : dict, default=None
            Not used.
        X : array-like of shape (n_samples, n_features), default=None
            Not used.
        """
        del decoding, decoding_params, X
        check_is_fitted(self, "code_matrix_")
        scores = check_scores(scores, self.code_matrix_.shape[1])
        if self.taus_ is None:
            closeness: FloatArray = scores @ self.code_matrix_.T
            return -closeness
        return -self._kernel_code.closeness(scores)
