"""Runs: everything that was computed, kept, compared, and over several data sets ranked."""

from ecocviz.views.runs.page import show

show()
