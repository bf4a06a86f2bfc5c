"""Points that a decoder leaves undecided: what its rule has to learn, and which points they are."""

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.analysis.rejecting import MARGIN
from ecocviz.engine.analysis.rejection import Reason
from ecocviz.engine.progress import Asking, Progress
from ecocviz.engine.types import BoolArray, Costs, Scores
from ecocviz.lab.scenario import Choice, Decider
from ecocviz.lab.trained import Model, release

HELD_OUT = frozenset({"held-out scores"})


def rejects(model: Model, decoding: Choice) -> bool:
    """Say whether a decoder has a rule, and the model reads decoders at all."""
    return isinstance(decoding, Decider) and model.estimator.decoded


def needs_of(decoding: Choice) -> frozenset[str]:
    """Return what a decoder's rule needs to know of training, besides what the decoder needs."""
    return HELD_OUT if isinstance(decoding, Decider) and decoding.rule.key == MARGIN.key else frozenset()


def learn_rule(model: Model, decoding: Choice, progress: Progress) -> None:
    """Let a decoder's rule learn what it needs: it trains the machines again, without parts of the points."""
    if needs_of(decoding):
        estimator = _rejecting(model)
        estimator.margin_threshold(None, decoding.key, decoding.values, progress=Asking(progress))


def reject(model: Model, decoding: Choice, scores: Scores | None, costs: Costs) -> BoolArray:
    """Return which points a decoder leaves undecided, (n,): none without a rule.

    Parameters
    ----------
    model
        Trained.
    decoding
        The decoder, with its rule if it has one.
    scores : (n, n_bits)
        The machines'.
    costs : (n, n_trained_classes)
        The decoder's.
    """
    if scores is None or not isinstance(decoding, Decider) or not (rejects(model, decoding) and len(scores)):
        return np.zeros(costs.shape[0], dtype=np.bool_)
    share = decoding.rule.values.get("share")
    reasons = _rejecting(model).reasons_of(
        scores,
        costs,
        decoding.key,
        decoding.values,
        rejecting=decoding.rule.key,
        share=None if share is None else float(share),
    )
    release(model.estimator)
    undecided: BoolArray = reasons != Reason.DECIDED
    return undecided


def _rejecting(model: Model) -> can.Rejecting:
    if not isinstance(model.estimator, can.Rejecting):
        raise TypeError(f"{type(model.estimator).__name__} decides every point.")
    return model.estimator
