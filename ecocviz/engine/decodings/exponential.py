"""Exponential-loss decoding: the loss behind boosting.

Implements the exponential loss of [Allwein2000]_, exp(-margin); an entry of 0 costs 1.
Other systems halve it.

Differs from the paper: beyond a margin of -500 the loss follows its tangent, because costs must stay finite
and still grow.
"""

from ecocviz.engine.entries import Decoding
from ecocviz.engine.losses import by_margin, exponential_loss
from ecocviz.engine.references import ALLWEIN_2000

DECODING = Decoding(
    key="exponential",
    title="Exponential",
    summary="Machines that strongly oppose the class cost a lot: the cost grows exponentially.",
    reference=ALLWEIN_2000,
    continuous=True,
    order=10,
    **by_margin(exponential_loss),
)
