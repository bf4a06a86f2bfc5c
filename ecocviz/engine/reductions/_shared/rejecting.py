"""Classifiers whose decoder may leave doubtful points undecided.

What a user expects, and gets: `predict` names a class for every point, as everywhere in scikit-learn,
whatever the option says. `predict_or_reject` puts another label where a point is left undecided, `reasons`
says why, and `score_decided` counts the error among the others and the share left out.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ecocviz.engine.analysis.rejecting import (
    MARGIN,
    NONE,
    SHARE,
    Decided,
    certain_repairs,
    check_rule,
    count_decided,
    share_threshold,
)
from ecocviz.engine.analysis.rejection import Reason, margins, reject_by_margin, reject_by_syndrome
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Asking, Progress
from ecocviz.engine.reductions._shared.decoded_classifier import DecodedClassifier
from ecocviz.engine.reductions._shared.inputs import TrainingSet
from ecocviz.engine.reductions._shared.probable import ProbableClassifier
from ecocviz.engine.types import Costs, IntArray, Scores

WORDS = "attenuated-hamming"
"""The decoder whose costs are distances of the received word: zeros of a code cost nothing."""


class RejectingClassifier(ProbableClassifier):
    """A code, trained machines, and a decoder that may leave doubtful points undecided.

    The subclass stores the parameters `rejecting` and `reject_share`.
    """

    rejecting: str | None = None
    reject_share: float = float(SHARE.default)

    def _draws(self) -> bool:
        """Say whether the code, or the folds of a decoder or rule that asks for them, are drawn."""
        return super()._draws() or (self.rejecting == MARGIN.key and np.ndim(self.calibration_folds) == 0)

    def _fit(self, data: TrainingSet, progress: Progress) -> Self:
        rule, share = check_rule(self.rejecting, self.reject_share)
        super()._fit(data, progress)
        if rule is MARGIN:
            self.margin_threshold(share, progress=Asking(progress))
        return self

    def reasons(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> IntArray:
        """Return each point's `Reason` for not being decided, (n_samples,); 0 where it is decided.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        """
        scores = self.scores(X)
        costs = self.decode(scores, decoding, decoding_params, X=X)
        return self.reasons_of(scores, costs, decoding, decoding_params)

    def reasons_of(
        self,
        scores: Scores,
        costs: Costs,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        rejecting: str | None = None,
        share: float | None = None,
    ) -> IntArray:
        """Return the `Reason` of points whose scores, and the decoder's costs of them, are known.

        Parameters
        ----------
        scores : ndarray of shape (n_samples, n_bits)
            The machines' real outputs.
        costs : ndarray of shape (n_samples, n_classes)
            The decoder's, as `decode` returns them.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        rejecting : {"none", "syndrome", "margin"}, default=None
            The rule; None is the estimator's own.
        share : float, default=None
            Of the rule "margin"; None is the estimator's own.
        """
        check_is_fitted(self, "columns_")
        rule, asked = check_rule(
            self.rejecting if rejecting is None else rejecting, self.reject_share if share is None else share
        )
        if rule is NONE:
            return np.full(costs.shape[0], Reason.DECIDED, dtype=np.int64)
        if rule is MARGIN:
            return reject_by_margin(costs, self.margin_threshold(asked, decoding, decoding_params))
        distances = DecodedClassifier.decode(self, scores, WORDS, {})
        return reject_by_syndrome(distances, certain_repairs(self.code_matrix_, self._row_classes))

    def margin_threshold(
        self,
        share: float | None = None,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> float:
        """Return the margin below which the rule "margin" leaves points undecided.

        It is read off the training points' margins, each point judged by machines that were trained without
        its calibration fold; what the decoder learned (sigmoids, weights) and the code stay as they are.

        Parameters
        ----------
        share : float, default=None
            Share of new points to leave undecided; None is the estimator's own.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        check_is_fitted(self, "columns_")
        _, asked = check_rule("margin", self.reject_share if share is None else share)
        entry, params = self._decoder(decoding, decoding_params)
        decoder, known = (entry.key, tuple(sorted(params.items()))), self._gathered.margins
        if decoder not in known:
            scores = self._gathered.held_out_scores(progress)
            known[decoder] = margins(self._decode_left_out(scores, entry.key, params))
        return share_threshold(known[decoder], asked, self._gathered.training.weights)

    def predict_or_reject(
        self,
        X: npt.ArrayLike,
        rejected: Any = None,  # noqa: ANN401 - a label of any kind
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> npt.NDArray[Any]:
        """Return labels, (n_samples,), with another one where a point is left undecided.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        rejected : object, default=None
            What stands in place of the class; no class may be called so. The array holds objects unless it
            is of the classes' own kind, such as -1 among whole numbers.
        decoding : str, default=None
            Key of a decoding of the catalogue; None is the estimator's own.
        decoding_params : dict, default=None
            The decoding's own parameters.
        """
        if any(rejected == label for label in self.classes_.tolist()):
            raise ValueError(f"There is a class {rejected!r}; give rejected points another label.")
        scores = self.scores(X)
        costs = self.decode(scores, decoding, decoding_params, X=X)
        labels: npt.NDArray[Any] = self.classes_[np.argmin(costs, axis=1)]
        undecided = self.reasons_of(scores, costs, decoding, decoding_params) != Reason.DECIDED
        alike = np.asarray(rejected).dtype.kind == labels.dtype.kind
        labels = labels.astype(np.result_type(labels, np.asarray(rejected)) if alike else object)
        labels[undecided] = rejected
        return labels

    def score_decided(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Decided:
        """Return the error among the points that are decided, and the share that is not.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            By what each point counts.
        """
        scores = self.scores(X)
        costs = self.decode(scores, X=X)
        wrong = self.classes_[np.argmin(costs, axis=1)] != column_or_1d(y)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        return count_decided(wrong, self.reasons_of(scores, costs) != Reason.DECIDED, weights)
