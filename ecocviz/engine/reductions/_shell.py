"""What reductions share: checking data, deciding by least cost, decoding the scores of trained machines."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ecocviz.engine.analysis.loo import LooBound, exact_loo
from ecocviz.engine.catalogue import DECODINGS, build_code
from ecocviz.engine.columns import Progress, TrainedColumns
from ecocviz.engine.entries import Decoding, Evidence, check_code_matrix
from ecocviz.engine.params import ParamValue, complete, shorten
from ecocviz.engine.reductions._training import Training, stratified_fold_ids
from ecocviz.engine.types import Bits, CodeMatrix, Costs, FloatArray, IntArray, Scores

CHUNK = 4096
"""Samples decoded at a time, so that decoders with (samples, classes, bits) terms stay small."""


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
    points, y = validate_data(estimator, X, y, dtype=np.float64)
    check_classification_targets(y)
    classes, y_index = np.unique(y, return_inverse=True)
    if classes.size < 2:
        raise ValueError("A code needs at least two classes; the labels hold only one class.")
    estimator.classes_ = classes
    return points, y_index.astype(np.int64)


class CostClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A classifier that decides for the class of least cost; the subclass has `costs`."""

    classes_: npt.NDArray[Any]
    n_features_in_: int

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return costs, (n_samples, n_classes); the least cost wins."""
        raise NotImplementedError

    def predict(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> npt.NDArray[Any]:
        """Return the class of least cost, the first in sorted order among equals, (n_samples,)."""
        costs = self.costs(X, decoding, decoding_params)
        labels: npt.NDArray[Any] = self.classes_[np.argmin(costs, axis=1)]
        return labels

    def decision_function(self, X: npt.ArrayLike) -> FloatArray:
        """Return minus the costs, (n_samples, n_classes); for two classes their difference, (n_samples,)."""
        costs = self.costs(X)
        if self.classes_.size == 2:
            return costs[:, 0] - costs[:, 1]
        return -costs


def _gives_probabilities(estimator: "DecodedClassifier") -> bool:
    decoding = DECODINGS.get(estimator.decoding)
    if decoding is None or decoding.probabilities is None:
        raise AttributeError(f"{estimator.decoding!r} decoding defines no class probabilities.")
    return True


class DecodedClassifier(CostClassifier):
    """A code, trained machines, and a decoder over their scores.

    The subclass stores the parameters `coding`, `coding_params`, `decoding`, `decoding_params`,
    `calibration_folds` and `random_state`, and trains the machines in `_train_columns`.
    """

    coding: str | CodeMatrix
    coding_params: Mapping[str, ParamValue] | None
    decoding: str
    decoding_params: Mapping[str, ParamValue] | None
    calibration_folds: int
    random_state: Any
    code_matrix_: CodeMatrix
    columns_: TrainedColumns

    def _train_columns(self, X: FloatArray, targets: Bits, progress: Progress | None) -> TrainedColumns:
        """Train one machine per column of the targets, (n_samples, n_bits)."""
        raise NotImplementedError

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, *, progress: Callable[[float], None] | None = None
    ) -> Self:
        """Train one machine per column.

        Parameters
        ----------
        X : (n_samples, n_features)
        y : (n_samples,)
            Labels of any kind scikit-learn accepts.
        progress
            Called with the share of the work that is done; an exception it raises ends the fit.
        """
        X, y_index = begin_fit(self, X, y)
        decoding, params = self._decoder(None, None)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self.code_matrix_ = self._build_code(self.classes_.size, seed)
        self._y_index = y_index
        targets = self.code_matrix_[y_index]
        self.columns_ = self._train_columns(X, targets, progress)
        fold_ids = stratified_fold_ids(y_index, self.calibration_folds, seed)
        self._training = Training(self.columns_, X, targets, self.code_matrix_, y_index, fold_ids)
        self._evidence = Evidence()
        self._lock = threading.Lock()
        self.evidence(decoding.key, X=X, decoding_params=params)
        return self

    def _build_code(self, n_classes: int, seed: int) -> CodeMatrix:
        if isinstance(self.coding, str):
            return build_code(self.coding, n_classes, seed, **(self.coding_params or {}))
        return check_code_matrix(self.coding, n_classes)

    def _decoder(
        self, decoding: str | None, params: Mapping[str, ParamValue] | None
    ) -> tuple[Decoding, dict[str, ParamValue]]:
        """Look up a decoder; parameters given at construction go with the decoder given there."""
        key = self.decoding if decoding is None else decoding
        entry = DECODINGS.get(key)
        if entry is None:
            raise ValueError(f"There is no decoding {shorten(str(key))!r}; known: {', '.join(DECODINGS)}.")
        if params is None:
            params = self.decoding_params if key == self.decoding else None
        return entry, complete(entry.params, dict(params or {}))

    def evidence(
        self,
        decoding: str | None = None,
        *,
        X: npt.ArrayLike | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Evidence:
        """Return what a decoder needs to know of the machines, computing it once."""
        entry, _ = self._decoder(decoding, decoding_params)
        with self._lock:
            for name in sorted(entry.needs - {"local_reliabilities"}):
                self._gather(name)
        if "local_reliabilities" in entry.needs and X is not None:
            local = self._training.local_reliabilities(np.asarray(X, dtype=np.float64))
            return replace(self._evidence, local_reliabilities=local)
        return self._evidence

    def _gather(self, name: str) -> FloatArray:
        """Compute one field of the evidence if it is not there yet; the caller holds the lock."""
        known: FloatArray | None = getattr(self._evidence, name)
        if known is None:
            known = self._training.gather(name)
            self._evidence = replace(self._evidence, **{name: known})
        return known

    @property
    def sigmoids_(self) -> FloatArray:
        """Slope and offset (A, B) of each machine's sigmoid, (n_bits, 2)."""
        check_is_fitted(self, "columns_")
        with self._lock:
            return self._gather("sigmoids")

    def scores(self, X: npt.ArrayLike) -> Scores:
        """Return the machines' real outputs, (n_samples, n_bits)."""
        check_is_fitted(self, "columns_")
        return self.columns_.predict_scores(validate_data(self, X, dtype=np.float64, reset=False))

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return a decoder's costs, (n_samples, n_classes); the least cost wins."""
        scores = self.scores(X)
        return self.decode(scores, decoding, decoding_params, X=X)

    def decode(
        self,
        scores: Scores,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
    ) -> Costs:
        """Return a decoder's costs of given scores, (n_samples, n_classes).

        `X` is needed only by decoders that look at the neighbourhood of the samples.
        """
        check_is_fitted(self, "columns_")
        entry, params = self._decoder(decoding, decoding_params)
        return self._in_chunks(entry.costs, entry, params, scores, X)

    def _in_chunks(
        self,
        function: Callable[..., FloatArray],
        entry: Decoding,
        params: dict[str, ParamValue],
        scores: Scores,
        X: npt.ArrayLike | None,
    ) -> FloatArray:
        evidence = self.evidence(entry.key, X=X, decoding_params=params)
        local = evidence.local_reliabilities
        parts = []
        for start in range(0, scores.shape[0], CHUNK):
            part = slice(start, start + CHUNK)
            here = evidence if local is None else replace(evidence, local_reliabilities=local[part])
            parts.append(function(scores[part], self.code_matrix_, here, **params))
        return np.concatenate(parts)

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return class probabilities, (n_samples, n_classes), where the decoder defines them."""
        entry, params = self._decoder(None, None)
        assert entry.probabilities is not None  # noqa: S101 - available_if has checked it
        return self._in_chunks(entry.probabilities, entry, params, self.scores(X), X)

    def exact_loo(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Callable[[float], None] | None = None,
    ) -> LooBound:
        """Return the leave-one-out error itself, every point left out of the machines in turn."""
        check_is_fitted(self, "columns_")
        entry, params = self._decoder(decoding, decoding_params)
        evidence = self.evidence(entry.key, decoding_params=params)
        if "local_reliabilities" in entry.needs:
            evidence = replace(evidence, local_reliabilities=self._training.left_out_reliabilities())
        return exact_loo(
            self.columns_,
            self._y_index,
            lambda scores: entry.costs(scores, self.code_matrix_, evidence, **params),
            progress=progress,
        )

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_lock", None)  # a lock belongs to its process
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "columns_"):
            self._lock = threading.Lock()
