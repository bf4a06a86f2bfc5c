"""Hamming decoding: count the machines that point to the wrong side.

Implements the Hamming row of the decoder table of [Passerini2004]_: (1 - sign(margin)) / 2 with sign(0) = 0.

Differs from the paper: its Eq. 1 charges nothing where both entry and score are 0, because it compares the
two directly; one half keeps the cost monotone in the score.
"""

from ecocviz.engine.entries import Decoding
from ecocviz.engine.losses import by_margin, wrong_bits
from ecocviz.engine.references import PASSERINI_2004

DECODING = Decoding(
    key="hamming",
    title="Hamming",
    summary="Counts the bits that differ from the codeword; how sure the machines are does not matter.",
    reference=PASSERINI_2004,
    hard=True,
    order=1,
    **by_margin(wrong_bits),
)
