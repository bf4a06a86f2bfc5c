"""Binary trees over the classes, and the dichotomies at their nodes."""

from collections.abc import Callable

import numpy as np

from ecocviz.engine.types import CodeMatrix

Split = tuple[list[int], list[int]]
"""The classes on the two sides of a node."""


def uniform_splits(n_classes: int, rng: np.random.Generator) -> list[Split]:
    """Draw one of the (2K - 3)!! binary trees with the classes as leaves, all equally likely.

    Classes are hung in one after the other, each above a node drawn among all nodes so far: every
    tree arises in exactly one way.

    Returns
    -------
    splits
        K - 1 pairs of class lists, the root first, each side with its smallest class in front; the
        side of the smaller class comes first.
    """
    children: dict[int, tuple[int, int]] = {}
    parent: dict[int, int] = {}
    root = 0  # nodes 0..K-1 are leaves, K.. are inner nodes
    for leaf in range(1, n_classes):
        place = int(rng.integers(2 * leaf - 1))
        below = place if place < leaf else n_classes + place - leaf
        inner = n_classes + leaf - 1
        above = parent.get(below)
        if above is None:
            root = inner
        else:
            left, right = children[above]
            children[above] = (inner, right) if left == below else (left, inner)
            parent[inner] = above
        children[inner] = (below, leaf)
        parent[below] = parent[leaf] = inner
    leaves = _leaves_below(root, children)
    inner_nodes = _preorder(root, children)
    return [_ordered(leaves[children[node][0]], leaves[children[node][1]]) for node in inner_nodes]


def balanced_splits(n_classes: int, rng: np.random.Generator) -> list[Split]:
    """Split the shuffled classes in halves, and these again, down to single classes.

    Returns
    -------
    splits
        As `uniform_splits`; the sides of a node differ by at most one class.
    """
    splits: list[Split] = []
    waiting = [rng.permutation(n_classes).tolist()]
    while waiting:
        classes = waiting.pop()
        if len(classes) > 1:
            middle = (len(classes) + int(rng.integers(2))) // 2
            one, other = _ordered(sorted(classes[:middle]), sorted(classes[middle:]))
            splits.append((one, other))
            waiting += [rng.permutation(other).tolist(), rng.permutation(one).tolist()]
    return splits


def tree_columns(
    n_classes: int,
    n_trees: int,
    splits: Callable[[int, np.random.Generator], list[Split]],
    rng: np.random.Generator,
) -> CodeMatrix:
    """Write the nodes of one or more trees as dichotomies; a node met before is not repeated.

    Returns
    -------
    code_matrix : (n_classes, n_columns)
        +1 for the side of a node that holds its smallest class, -1 for the other, 0 for classes that
        are not below the node; for two classes the second one is the +1.
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    columns: dict[bytes, CodeMatrix] = {}
    for _ in range(n_trees):
        for one, other in splits(n_classes, rng):
            dichotomy = np.zeros(n_classes, dtype=np.int8)
            dichotomy[one] = 1
            dichotomy[other] = -1
            columns.setdefault(dichotomy.tobytes(), dichotomy)
    return np.stack(list(columns.values()), axis=1)


def _preorder(root: int, children: dict[int, tuple[int, int]]) -> list[int]:
    """List the inner nodes, every node before those below it."""
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node in children:
            found.append(node)
            waiting += reversed(children[node])
    return found


def _leaves_below(root: int, children: dict[int, tuple[int, int]]) -> dict[int, list[int]]:
    """List the classes below each node, in increasing order."""
    leaves: dict[int, list[int]] = {}
    for node in reversed(_preorder(root, children)):
        left, right = children[node]
        leaves[node] = sorted(leaves.get(left, [left]) + leaves.get(right, [right]))
    for node in {side for sides in children.values() for side in sides}:
        leaves.setdefault(node, [node])
    return leaves


def _ordered(one: list[int], other: list[int]) -> Split:
    return (one, other) if one[0] < other[0] else (other, one)
