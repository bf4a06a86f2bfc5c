"""Soft-margin decoding: the hinge loss the support vector machines were trained with."""

import numpy as np

from ecocviz.engine.entries import Decoding
from ecocviz.engine.losses import by_margin
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import FloatArray


def hinge_loss(margins: FloatArray) -> FloatArray:
    """Charge what a margin lacks to 1, in any shape; an entry of 0 costs 1.

    Implements the soft-margin row of the decoder table of [Passerini2004]_. Other systems halve it ("hinge").

    Examples
    --------
    >>> hinge_loss(np.array([0.5, -2.0, 3.0])).tolist()
    [0.5, 3.0, 0.0]
    """
    loss: FloatArray = np.maximum(0.0, 1.0 - margins)
    return loss


DECODING = Decoding(
    key="soft-margin",
    title="Soft margin",
    summary="Every machine that supports the class with less than full confidence costs something.",
    reference=PASSERINI_2004,
    continuous=True,
    order=4,
    **by_margin(hinge_loss),
)
