"""Nested dichotomies: a random binary tree over the classes, one machine for each node."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.kernels.trees import tree_columns, uniform_splits
from ecocviz.engine.random_codes import TREES, drawn_nodes
from ecocviz.engine.references import FRANK_2004
from ecocviz.engine.types import CodeMatrix


def nested_dichotomies(n_classes: int, n_trees: int = 1, *, seed: int = 0) -> CodeMatrix:
    """Draw binary trees with the classes as leaves, all equally likely, one column for each node.

    Implements the systems of nested dichotomies of [Frank2004]_, each tree as probable as any other.
    The probability of a class under likelihood decoding is the product along its path.

    Differs from the paper: an ensemble of trees is one longer code here, decoded as a whole, and a
    node that two trees share is trained and counted once, because it is the same machine.

    Parameters
    ----------
    n_trees
        Number of trees whose columns are joined.

    Returns
    -------
    code_matrix : (n_classes, at most n_trees * (n_classes - 1))
        +1 and -1 for the two sides of a node, 0 for classes that are not below it; every two classes
        stand on opposite sides in exactly one column of each tree.

    Examples
    --------
    >>> code_matrix = nested_dichotomies(5)
    >>> code_matrix.shape, bool(code_matrix[:, 0].all())
    ((5, 4), True)
    """
    return tree_columns(n_classes, n_trees, uniform_splits, np.random.default_rng(seed))


CODING = Coding(
    key="nested-dichotomies",
    title="Nested dichotomies",
    summary="A random tree over the classes: each machine decides which branch to take.",
    build=nested_dichotomies,
    n_bits=drawn_nodes,
    reference=FRANK_2004,
    params=(TREES,),
    seeded=True,
    ternary=True,
    order=20,
)
