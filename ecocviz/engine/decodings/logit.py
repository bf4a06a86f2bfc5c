"""Logit decoding: the loss of logistic regression."""

import numpy as np

from ecocviz.engine.entries import Decoding
from ecocviz.engine.losses import by_margin
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import FloatArray


def logit_loss(margins: FloatArray) -> FloatArray:
    """Charge log(1 + exp(-margin)), in any shape; an entry of 0 costs log 2.

    Implements a loss of the margin as in [Allwein2000]_. It is likelihood decoding with the fixed sigmoid
    A = -1, B = 0, but for entries of 0. Other systems divide it by 2 log 2.

    Examples
    --------
    >>> logit_loss(np.array([0.5, -2.0])).round(4).tolist()
    [0.4741, 2.1269]
    """
    loss: FloatArray = np.logaddexp(0.0, -margins)
    return loss


DECODING = Decoding(
    key="logit",
    title="Logit",
    summary="Strong support costs almost nothing; opposition costs more the stronger it is.",
    reference=ALLWEIN_2000,
    continuous=True,
    order=11,
    **by_margin(logit_loss),
)
