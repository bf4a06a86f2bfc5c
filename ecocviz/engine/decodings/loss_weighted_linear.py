"""Loss-weighted linear decoding (LLW): margins, weighted by how often each machine is right.

Implements loss-weighted decoding of [Escalera2010]_ (see `losses.by_trusted_margin`).
"""

import numpy as np

from ecocviz.engine.entries import Decoding
from ecocviz.engine.losses import by_trusted_margin
from ecocviz.engine.references import ESCALERA_2010

DECODING = Decoding(
    key="loss-weighted-linear",
    title="Loss-weighted linear (LLW)",
    summary="Adds up margins; machines that were right more often in training count more.",
    reference=ESCALERA_2010,
    order=30,
    **by_trusted_margin(np.negative),
)
