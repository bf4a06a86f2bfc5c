"""Loss-weighted exponential decoding (ELW): losses weighted by how often each machine is right.

Implements loss-weighted decoding of [Escalera2010]_ (see `losses.by_trusted_margin`).
"""

from ecocviz.engine.entries import Decoding
from ecocviz.engine.losses import by_trusted_margin, exponential_loss
from ecocviz.engine.references import ESCALERA_2010

DECODING = Decoding(
    key="loss-weighted-exponential",
    title="Loss-weighted exponential (ELW)",
    summary="Adds up exponential losses; machines that were right more often in training count more.",
    reference=ESCALERA_2010,
    order=31,
    **by_trusted_margin(exponential_loss),
)
