"""Which way finds the coefficients of which problem."""

from ecocviz.engine.machines._ways.problem import Problem, Way
from ecocviz.engine.machines._ways.whole import Whole


def choose_way(problem: Problem) -> Way:
    """Return the way that is expected to cost least within the memory that a problem is given."""
    return Whole(problem)
