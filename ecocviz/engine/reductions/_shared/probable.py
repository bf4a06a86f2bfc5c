"""Classifiers whose decoder gives class probabilities: calibrated on held-out points, or the paper's."""

from collections.abc import Mapping
from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.decodings.kl import DECODING as COUPLING
from ecocviz.engine.decodings.kl import kl_probabilities
from ecocviz.engine.entries import Decoding, check_scores
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.cost_scale import (
    CALIBRATED,
    PAPER,
    CostScale,
    check_probability,
    cost_shares,
    coupled_shares,
    fit_coupled_share,
    fit_scale,
    settled,
)
from ecocviz.engine.reductions._shared.decoded_classifier import DecodedClassifier
from ecocviz.engine.reductions._shared.evidence import sides_that_speak
from ecocviz.engine.reductions._shared.inputs import TrainingSet
from ecocviz.engine.types import FloatArray, Scores

COUPLED_POINTS = 1_000
"""Held-out points, at most, on which coupling is tried: it takes up to milliseconds a point."""


def gives_probabilities(estimator: "ProbableClassifier") -> bool:
    decoding = DECODINGS.get(estimator.decoding) if isinstance(estimator.decoding, str) else None
    if decoding is None:
        raise AttributeError(f"There is no decoding {estimator.decoding!r}.")
    if not decoding.gives_probabilities(estimator.probability):
        raise AttributeError(_without_probabilities(decoding, estimator.probability))
    return True


def _without_probabilities(decoding: Decoding, probability: str) -> str:
    giving = (each.title for each in DECODINGS.values() if each.gives_probabilities(probability))
    which = " of the paper" if probability == PAPER else ""
    return f"{decoding.title} decoding gives no class probabilities{which}; these do: {', '.join(giving)}."


class ProbableClassifier(DecodedClassifier):
    """A code, trained machines, and a decoder that may give class probabilities.

    The subclass stores the parameter `probability`.
    """

    probability: str = CALIBRATED

    def _fit(self, data: TrainingSet, progress: Progress) -> Self:
        check_probability(self.probability)
        return super()._fit(data, progress)

    @available_if(gives_probabilities)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Return class probabilities, (n_samples, n_classes), where the decoder gives any.

        The first of the most probable classes is the one that `predict` names.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        return self.probabilities(self.scores(X), X=X)

    def probabilities(
        self,
        scores: Scores,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
    ) -> FloatArray:
        """Return the class probabilities of scores, (n_samples, n_classes), by the parameter `probability`.

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
        if not entry.gives_probabilities(self.probability):
            raise ValueError(_without_probabilities(entry, self.probability))
        paper, own = self.probability == PAPER, entry.probabilities
        if own is not None and (paper or entry.terms is None):
            rows = self._in_chunks(own, entry, params, scores, X)
            shares = self._by_class(rows, np.add if paper else np.maximum)
            return shares if paper else settled(shares, self.decode(scores, entry.key, params, X=X))
        costs = self.decode(scores, entry.key, params, X=X)
        scale, coupled = self._fitted_shares(entry, params, NO_PROGRESS)
        shares = cost_shares(costs, scale)
        return coupled_shares(shares, self._coupled(scores), coupled, costs) if coupled else shares

    def cost_scale(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> CostScale:
        """Return how fast calibrated probability falls with the cost, learned when first asked for.

        It is fitted to the costs of held-out points, each judged by machines trained without its calibration
        fold; what the decoder learned (sigmoids, weights) and the code stay as they are.

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
        entry, params = self._decoder(decoding, decoding_params)
        return self._fitted_shares(entry, params, progress)[0]

    def _fitted_shares(
        self, entry: Decoding, params: dict[str, ParamValue], progress: Progress
    ) -> tuple[CostScale, float]:
        """Return how fast probability falls with the cost, and what share of it is pairwise coupling's."""
        decoder, gathered = (entry.key, tuple(sorted(params.items()))), self._gathered
        if decoder not in gathered.scales:
            scores = gathered.held_out_scores(progress)
            costs = self._decode_left_out(scores, entry.key, params)
            speak = sides_that_speak(gathered.training).any(axis=1)
            counts = gathered.training.counts * speak
            scale, share, used = fit_scale(costs, self._y_index, counts), 0.0, np.flatnonzero(counts)
            if used.size and "sigmoids" in entry.needs:  # which coupling reads, too
                some = used[np.linspace(0, used.size - 1, min(used.size, COUPLED_POINTS)).astype(int)]
                shares, coupled = cost_shares(costs[some], scale), self._coupled(scores[some])
                share = fit_coupled_share(shares, coupled, costs[some], self._y_index[some], counts[some])
            gathered.scales[decoder] = scale, share
        return gathered.scales[decoder]

    def _coupled(self, scores: Scores) -> FloatArray:
        """Return what pairwise coupling makes of scores, (n_samples, n_classes)."""
        rows = self._in_chunks(kl_probabilities, COUPLING, {}, scores, None)
        return self._by_class(rows, np.add)
