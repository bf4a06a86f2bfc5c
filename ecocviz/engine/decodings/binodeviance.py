"""Binomial-deviance decoding: the logistic loss of twice the margin, as in LogitBoost."""

import numpy as np

from ecocviz.engine.entries import Decoding
from ecocviz.engine.losses import by_margin
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import FloatArray


def binodeviance_loss(margins: FloatArray) -> FloatArray:
    """Charge log(1 + exp(-2 margin)), in any shape; an entry of 0 costs log 2.

    Implements the logistic loss of [Allwein2000]_. Other systems divide it by 2 log 2.

    Examples
    --------
    >>> binodeviance_loss(np.array([0.5, -2.0])).round(4).tolist()
    [0.3133, 4.0181]
    """
    loss: FloatArray = np.logaddexp(0.0, -2.0 * margins)
    return loss


DECODING = Decoding(
    key="binodeviance",
    title="Binomial deviance",
    summary="Like logit, but twice as sensitive: the loss behind LogitBoost.",
    reference=ALLWEIN_2000,
    continuous=True,
    order=12,
    **by_margin(binodeviance_loss),
)
