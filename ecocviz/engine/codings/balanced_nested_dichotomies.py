"""Balanced nested dichotomies: a random tree that halves the classes at every node."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.kernels.trees import balanced_splits, tree_columns
from ecocviz.engine.random_codes import TREES, drawn_nodes
from ecocviz.engine.references import DONG_2005
from ecocviz.engine.types import CodeMatrix


def balanced_nested_dichotomies(n_classes: int, n_trees: int = 1, *, seed: int = 0) -> CodeMatrix:
    """Draw binary trees that halve the classes at every node, one column for each node.

    Implements the class-balanced nested dichotomies of [Dong2005]_: the classes are shuffled and halved
    at every node, so a class meets about log2 K machines that know it.
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
    >>> code_matrix = balanced_nested_dichotomies(5)
    >>> code_matrix.shape, bool(code_matrix[:, 0].all())
    ((5, 4), True)
    """
    return tree_columns(n_classes, n_trees, balanced_splits, np.random.default_rng(seed))


CODING = Coding(
    key="balanced-nested-dichotomies",
    title="Balanced nested dichotomies",
    summary="A random tree that halves the classes at every node, so that paths are short and sides equal.",
    build=balanced_nested_dichotomies,
    n_bits=drawn_nodes,
    reference=DONG_2005,
    params=(TREES,),
    seeded=True,
    ternary=True,
    order=21,
)
