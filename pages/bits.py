"""Bits: which machines err, how many at once, which together, and on which points."""

from ecocviz.views.bits.page import show

show()
