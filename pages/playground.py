"""Playground: the decision regions of a problem, the code behind them, and one point decoded."""

from ecocviz.views.playground.page import show

show()
