"""Forest-ECOC: several trees learned from data, side by side, without a column twice."""

import numpy as np

from ecocviz.engine.columns import Train
from ecocviz.engine.entries import Coding, Design, Step
from ecocviz.engine.params import IntParam
from ecocviz.engine.partitions import (
    ClassSums,
    best_split,
    class_sums,
    grow_tree,
    two_classes,
)
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.references import ESCALERA_2007
from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray


def forest_ecoc(
    X: FloatArray, y: IntArray, train: Train, n_trees: int = 3, *, progress: Progress = NO_PROGRESS
) -> Design:
    """Grow several trees of splits, each of which must differ from the earlier ones.

    Implements Forest-ECOC of [Escalera2007]_: the columns of several discriminant trees [Pujol2006]_ side
    by side, so that wrong bits of one tree can be repaired by the others.

    Differs from the paper: what makes later trees differ is reconstructed. A split whose column is there
    already, or its complement, is replaced by the next best one; where every split of a node is taken,
    the best one is followed without a new column, so that there may be fewer than n_trees (K - 1).

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Not used: the splits look at the points only.
    n_trees
        Number of trees.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_classes, n_bits) in {-1, 0, +1}, and the trees.

    Examples
    --------
    Three classes have three trees, and each parts another class first:

    >>> X = np.array([[0.0], [0.1], [1.0], [1.1], [5.0], [5.1]])
    >>> forest_ecoc(X, np.array([0, 0, 1, 1, 2, 2]), None).code_matrix.tolist()
    [[-1, -1, -1, 0, -1, -1], [-1, 1, 1, -1, 1, 0], [1, 0, 1, 1, -1, 1]]
    """
    del train
    n_classes = int(y.max()) + 1
    if n_classes == 2:
        return two_classes("tree", "Quadratic mutual information")
    search = _Splits(X, y)
    columns: list[CodeMatrix] = []
    story: list[Step] = []
    for tree in range(n_trees):
        told = progress.part(tree, n_trees, f"tree {tree + 1} of {n_trees}")
        more, steps = grow_tree(n_classes, search.choose, len(story), len(columns), progress=told)
        columns += more
        story += steps
    return Design(
        code_matrix=np.stack(columns, axis=1),
        story=tuple(story),
        kind="tree",
        value_name="Quadratic mutual information",
    )


class _Splits:
    """The best split of each set of classes that is not a column yet."""

    def __init__(self, X: FloatArray, y: IntArray) -> None:
        self.X, self.y = X, y
        self.sums: dict[bytes, ClassSums] = {}
        self.sides: dict[bytes, list[BoolArray]] = {}

    def choose(self, members: IntArray, progress: Progress) -> tuple[BoolArray, float, bool]:
        """Split the members (k,)."""
        key = members.tobytes()
        if key not in self.sums:
            self.sums[key] = class_sums(self.X, self.y, members, progress)
        taken = self.sides.setdefault(key, [])
        found = best_split(self.sums[key], taken)
        if found is None:
            best = best_split(self.sums[key])
            assert best is not None  # noqa: S101 - nothing is taken
            return *best, False
        inside, value = found
        taken.append(inside)
        return inside, value, True


def _n_bits(n_classes: int, n_trees: int = 3) -> int:
    return 1 if n_classes == 2 else n_trees * (n_classes - 1)


CODING = Coding(
    key="forest-ecoc",
    title="Forest-ECOC: several learned trees",
    summary="Several trees learned from the data; each splits the classes differently.",
    design=forest_ecoc,
    n_bits=_n_bits,
    reference=ESCALERA_2007,
    params=(
        IntParam(
            name="n_trees",
            label="Trees",
            default=3,
            low=1,
            high=10,
            help="Each tree adds at most one machine fewer than there are classes.",
        ),
    ),
    ternary=True,
    max_classes=200,
    instead="nested-dichotomies",
    order=201,
)
