"""A code, trained machines, and a decoder over their scores."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.analysis.loo import LooBound, exact_loo
from ecocviz.engine.catalogue import CODINGS, DECODINGS, build_code, design_code, is_learned
from ecocviz.engine.columns import TrainedColumns, stratified_fold_ids
from ecocviz.engine.entries import (
    Decoding,
    Design,
    Evidence,
    check_code_matrix,
    check_scores,
    require,
)
from ecocviz.engine.lookup import look_up
from ecocviz.engine.losses import costs_in_order
from ecocviz.engine.params import IntParam, ParamValue, complete
from ecocviz.engine.points import dense, take
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.cheapest import way_to_cheapest
from ecocviz.engine.reductions._shared.chunks import CHUNK, SCORES_BYTES
from ecocviz.engine.reductions._shared.cost_classifier import CostClassifier
from ecocviz.engine.reductions._shared.evidence import Gathered, Known, Training
from ecocviz.engine.reductions._shared.inputs import TrainingSet, read_points, read_training_set
from ecocviz.engine.reductions._shared.nested import Nested
from ecocviz.engine.types import Bits, CodeMatrix, Costs, FloatArray, IntArray, Points, Scores

CALIBRATION_FOLDS = IntParam(
    name="calibration_folds",
    label="Calibration folds",
    default=3,
    low=2,
    high=20,
    help="A curve turns scores into probabilities. It is fitted on held-out points, with the data cut into "
    "this many parts.",
)


def calibration_fold_ids(
    folds: int | IntArray, y_index: IntArray, seed: int, data: TrainingSet | None = None
) -> IntArray:
    """Return the calibration fold of each point, (n_samples,): so many stratified folds, or those given.

    >>> calibration_fold_ids([5, 5, 7], np.array([0, 1, 1]), seed=0).tolist()
    [5, 5, 7]
    """
    if isinstance(folds, int | np.integer | float | str) or folds is None:
        return stratified_fold_ids(y_index, CALIBRATION_FOLDS.check(folds), seed)
    given = np.asarray(folds if data is None else data.follow(np.asarray(folds)))
    if given.shape != y_index.shape or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(
            f"Calibration folds are a whole number, or one for each of the {y_index.size} points."
        )
    if np.unique(given).size < 2:
        raise ValueError("Calibration needs points in at least two folds, but all are in one.")
    return given.astype(np.int64)


class DecodedClassifier(Nested, CostClassifier):
    """A code, trained machines, and a decoder over their scores.

    The subclass stores the parameters `coding`, `coding_params`, `decoding`, `decoding_params`,
    `calibration_folds` and `random_state`, and trains the machines in `_train_columns`.
    """

    coding: str | CodeMatrix
    coding_params: Mapping[str, ParamValue] | None
    decoding: str
    decoding_params: Mapping[str, ParamValue] | None
    calibration_folds: int | IntArray
    random_state: Any
    code_matrix_: CodeMatrix
    design_: Design
    _row_classes: IntArray | None = None
    columns_: TrainedColumns

    def _draws(self) -> bool:
        """Say whether the code, or the folds of a decoder that asks for sigmoids, are drawn."""
        coding = CODINGS.get(self.coding) if isinstance(self.coding, str) else None
        decoding = DECODINGS.get(self.decoding) if isinstance(self.decoding, str) else None
        calibrated = decoding is not None and "sigmoids" in decoding.needs
        return (coding is not None and coding.seeded) or (calibrated and np.ndim(self.calibration_folds) == 0)

    @property
    def decoded(self) -> bool:
        """Whether a decoder reads the scores."""
        return True

    @property
    def problem_sizes_(self) -> IntArray:
        """Points that each column's machine was trained on, (n_bits,)."""
        check_is_fitted(self, "columns_")
        sizes: IntArray = (self._gathered.training.targets != 0).sum(axis=0)
        return sizes

    @abstractmethod
    def _train_columns(
        self, X: Points, targets: Bits, progress: Progress, weights: FloatArray | None = None
    ) -> TrainedColumns:
        """Train one machine per column of the targets, (n_samples, n_bits), points having weights."""

    def _read(self, X: npt.ArrayLike) -> Points:
        """Return new points, checked, (n, n_features)."""
        return read_points(self, X)

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> Self:
        """Train one machine per column.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        sample_weight : array-like of shape (n_samples,), default=None
            By what each point counts; a whole number is as if the point were there so many times, 0 as if
            it were not there. What tells of training points tells of those with a weight above 0.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        return self._fit(read_training_set(self, X, y, sample_weight), progress)

    def _fit(self, data: TrainingSet, progress: Progress) -> Self:
        """Train on points that are checked."""
        X, y_index, weights = data.X, data.y_index, data.weights
        decoding, params = self._decoder(None, None)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        fold_ids = calibration_fold_ids(self.calibration_folds, y_index, seed, data)
        # Besides training, the search of a learned code and calibration train machines, too.
        learned, calibrated = is_learned(self.coding), "sigmoids" in decoding.needs
        n_parts = 1 + learned + calibrated
        if weights is not None:
            self.refuse_weights()
        design = self.design(X, y_index, seed, progress.part(0, n_parts, "searching the code"))
        self.design_ = design
        self.code_matrix_ = design.code_matrix
        rows = y_index if design.sample_rows is None else design.sample_rows
        targets = self.code_matrix_[rows]
        if learned:
            progress.note("training the machines")
        columns = self._train_columns(X, targets, progress.part(int(learned), n_parts), weights)
        training = Training(columns, X, targets, self.code_matrix_, rows, fold_ids, weights)
        self._adopt(training, y_index, design.row_classes, seed)
        calibration = progress.part(n_parts - 1, n_parts, "fitting the sigmoids")
        self.evidence(decoding.key, params, progress=calibration)
        return self

    def _adopt(self, training: Training, y_index: IntArray, row_classes: IntArray | None, seed: int) -> None:
        """Take a finished training run as one's own."""
        self.columns_ = training.columns
        self._gathered = Gathered(training)
        self._y_index, self._row_classes = y_index, row_classes
        self._seed = seed

    def design(self, X: Points, y_index: IntArray, seed: int, progress: Progress = NO_PROGRESS) -> Design:
        """Return the given matrix, or the named coding's: built, or learned from the training data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y_index : ndarray of shape (n_samples,)
            Class numbers; each of 0..n_classes-1 occurs.
        seed : int
            Of random codings and searches.
        progress : Progress, optional
            Told the share of the work that is done, where the code is learned; may raise to cancel.
        """
        n_classes, params = int(y_index.max()) + 1, dict(self.coding_params or {})
        if isinstance(self.coding, str) and self.coding == "custom" and not params.get("matrix"):
            raise ValueError('The coding "custom" is a matrix made by hand; hand it over as coding=matrix.')
        if not isinstance(self.coding, str):
            return Design(code_matrix=check_code_matrix(self.coding, n_classes))
        if not is_learned(self.coding):
            return Design(code_matrix=build_code(self.coding, n_classes, seed, **params))
        if get_tags(self).input_tags.pairwise:
            raise ValueError(f"The coding {self.coding!r} learns from points, not from kernel values.")
        points = dense(X, f"The coding {self.coding!r}, which is learned from the points,")
        return design_code(self.coding, points, y_index, self._train_columns, seed, progress, **params)

    def refuse_weights(self) -> None:
        """Raise with a sentence if the coding is one that is learned, from points that all count alike."""
        if is_learned(self.coding):
            raise ValueError(
                f"The coding {self.coding!r} learns its code from points that all count alike; leave "
                "sample_weight, class_weight and other metadata out, or choose a code that does not learn."
            )

    def _by_class(self, row_values: FloatArray, join: np.ufunc) -> FloatArray:
        """Join what the rows of each class got, (n, n_rows) to (n, n_classes).

        Differs from plain codes only where classes are split into sub-classes with a row each.
        """
        if self._row_classes is None:
            return row_values
        parts = [row_values[:, self._row_classes == c] for c in range(self.classes_.size)]
        return np.stack([join.reduce(part, axis=1) for part in parts], axis=1)

    def _decoder(
        self, decoding: str | None, params: Mapping[str, ParamValue] | None
    ) -> tuple[Decoding, dict[str, ParamValue]]:
        """Look up a decoder; parameters given at construction go with the decoder given there."""
        key = self.decoding if decoding is None else decoding
        entry = look_up(DECODINGS, "decoding", key)
        if params is None:
            params = self.decoding_params if key == self.decoding else None
        return entry, complete(entry.params, dict(params or {}))

    def evidence(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
        scores: Scores | None = None,
        progress: Progress = NO_PROGRESS,
    ) -> Evidence:
        """Return what a decoder needs to know of the machines, computing it once.

        Decoders that look around each sample also need the samples, (n, n_features), and their
        scores, (n, n_bits). An exception that `progress` raises ends the computation.
        """
        entry, params = self._decoder(decoding, decoding_params)
        known = self._gathered.evidence(entry.needs - {"local_reliabilities"}, progress)
        if "local_reliabilities" in entry.needs and X is not None and scores is not None:
            local = self._gathered.training.local_reliabilities(X, scores, params)
            return replace(known, local_reliabilities=local)
        return known

    def gathered(self) -> Known:
        """Return what has been computed of the machines since they were trained."""
        return self._gathered.known()

    def take(self, gathered: Known) -> None:
        """Keep what was computed of a copy of these machines."""
        self._gathered.take(gathered)

    @property
    def sigmoids_(self) -> FloatArray:
        """Slope and offset (A, B) of each machine's sigmoid, (n_bits, 2)."""
        check_is_fitted(self, "columns_")
        return require(self._gathered.evidence({"sigmoids"}), "sigmoids")

    @property
    def calibration_note_(self) -> str | None:
        """A sentence where some machines' held-out scores say too little for a sigmoid of their own."""
        check_is_fitted(self, "columns_")
        return self._gathered.evidence({"sigmoids"}).calibration_note

    def scores(self, X: npt.ArrayLike) -> Scores:
        """Return the machines' real outputs, (n_samples, n_bits).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        check_is_fitted(self, "columns_")
        return self.columns_.predict_scores(self._read(X))

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return a decoder's costs, (n_samples, n_classes); the least cost wins.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        """
        check_is_fitted(self, "columns_")
        step = max(CHUNK, SCORES_BYTES // (8 * self.code_matrix_.shape[1]))
        if not hasattr(X, "shape") or X.shape[0] <= step:
            return self.decode(self.scores(X), decoding, decoding_params, X=X)
        parts = np.split(np.arange(X.shape[0]), range(step, X.shape[0], step))
        return np.concatenate([self.costs(take(X, rows), decoding, decoding_params) for rows in parts])

    def predict(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> npt.NDArray[Any]:
        """Return the class of least cost, the first in sorted order among equals, (n_samples,).

        Where the code has a way to find it without the costs of all classes, and the decoder adds up what
        every machine costs on its own, that is taken.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        """
        entry, params = self._decoder(decoding, decoding_params)
        way = way_to_cheapest(self.coding, self.coding_params, entry, params)
        if way is None:
            return super().predict(X, decoding, decoding_params)
        scores = check_scores(self.scores(X), self.code_matrix_.shape[1])
        found = self._in_chunks(way, entry, params, scores, None)
        labels: npt.NDArray[Any] = self.classes_[found]
        return labels

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

        Parameters
        ----------
        scores : ndarray of shape (n_samples, n_bits)
            The machines' real outputs.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        X : array-like of shape (n_samples, n_features), default=None
            Points.
        """
        check_is_fitted(self, "columns_")
        scores = check_scores(scores, self.code_matrix_.shape[1])
        entry, params = self._decoder(decoding, decoding_params)
        # As the way to the cheapest class adds up, so that both come to the same class.
        ordered = way_to_cheapest(self.coding, self.coding_params, entry, params) is not None
        costs_of = partial(costs_in_order, entry.terms) if ordered else entry.costs
        return self._by_class(self._in_chunks(costs_of, entry, params, scores, X), np.minimum)

    def _in_chunks(
        self,
        function: Callable[..., npt.NDArray[Any]],
        entry: Decoding,
        params: dict[str, ParamValue],
        scores: Scores,
        X: npt.ArrayLike | None,
    ) -> npt.NDArray[Any]:
        evidence = self.evidence(entry.key, params, X=X, scores=scores)
        local = evidence.local_reliabilities
        parts = []
        for start in range(0, scores.shape[0], CHUNK):
            part = slice(start, start + CHUNK)
            here = evidence if local is None else replace(evidence, local_reliabilities=local[part])
            parts.append(function(scores[part], self.code_matrix_, here, **params))
        return np.concatenate(parts)

    def exact_loo(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> LooBound:
        """Return the leave-one-out error itself, every point left out of the machines in turn.

        The machines' scores of left-out points are computed once and serve every decoder.

        Parameters
        ----------
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        check_is_fitted(self, "columns_")
        self._decoder(decoding, decoding_params)
        scores = self._gathered.left_out_scores(progress)
        costs = self._decode_left_out(scores, decoding, decoding_params)
        return exact_loo(costs, self._y_index, self._gathered.training.weights)

    def cross_validated(
        self,
        n_folds: int,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> Costs:
        """Return the costs of every training point by machines trained without its fold.

        Folds are stratified and seeded; what the decoder learned (sigmoids, weights) stays as it is.

        Parameters
        ----------
        n_folds : int
            How many folds.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        progress : Progress, optional
            Told where the work is; may raise to end it.

        Returns
        -------
        costs : (n_samples, n_classes)
        """
        check_is_fitted(self, "columns_")
        fold_ids = stratified_fold_ids(self._y_index, n_folds, self._seed)
        scores = self.columns_.held_out_scores(fold_ids, progress=progress)
        return self._decode_left_out(scores, decoding, decoding_params)

    def _decode_left_out(
        self, scores: Scores, decoding: str | None, decoding_params: Mapping[str, ParamValue] | None
    ) -> Costs:
        """Decode scores that the training points got from machines not trained on them, (n, n_bits)."""
        entry, params = self._decoder(decoding, decoding_params)
        evidence = self.evidence(entry.key, params)
        if "local_reliabilities" in entry.needs:
            local = self._gathered.training.left_out_reliabilities(scores, params)
            evidence = replace(evidence, local_reliabilities=local)
        return self._by_class(entry.costs(scores, self.code_matrix_, evidence, **params), np.minimum)
