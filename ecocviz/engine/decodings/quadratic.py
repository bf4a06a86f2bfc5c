"""Quadratic decoding: the squared distance of every margin to 1."""

import numpy as np

from ecocviz.engine.entries import Decoding, without_bound
from ecocviz.engine.losses import by_margin
from ecocviz.engine.references import ALLWEIN_2000
from ecocviz.engine.types import FloatArray


def quadratic_loss(margins: FloatArray) -> FloatArray:
    """Charge (1 - margin) squared, in any shape; an entry of 0 costs 1.

    Implements the square loss of [Allwein2000]_. Meant for scores within [-1, 1], such as 2 p - 1 for a
    probability p. Other systems halve it.

    Examples
    --------
    >>> quadratic_loss(np.array([0.5, -2.0])).tolist()
    [0.25, 9.0]
    """
    loss: FloatArray = np.square(1.0 - margins)
    return loss


DECODING = Decoding(
    key="quadratic",
    title="Quadratic",
    summary="Every machine should support the class with exactly full confidence: too much costs as much "
    "as too little.",
    reference=ALLWEIN_2000,
    continuous=True,
    order=13,
    # The loss rises again beyond a margin of 1, so no bound follows from monotone terms.
    **by_margin(quadratic_loss, without_bound),
)
