"""Decoders: every decoder on the same trained machines, in pictures and in numbers."""

from ecocviz.views.decoders.page import show

show()
