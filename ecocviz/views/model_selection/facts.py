"""What the Model selection page shows of curves over a parameter."""

from ecocviz.engine.params import TextParam
from ecocviz.lab.selection import LIST, LOWER

TRIED = TextParam(name="tried", label="Decoders of the curves", default="", alphabet=LIST, max_length=600)
"""Those with curves of their own beside the scenario's, dot-separated."""
CURVES = TextParam(name="curves", label="Curves shown", default="train", alphabet=f"{LOWER}-.", max_length=80)
"""The optional measures, dot-separated."""

SELECTION = (TRIED, CURVES)
