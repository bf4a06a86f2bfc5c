"""Reductions: every way to make one multiclass learner of binary ones, on the same data."""

from ecocviz.views.reductions.page import show

show()
