"""DECOC: a tree that splits the classes in two wherever the data part them best."""

import numpy as np

from ecocviz.engine.columns import Train
from ecocviz.engine.entries import Coding, Design
from ecocviz.engine.params import ChoiceParam
from ecocviz.engine.partitions import (
    column_name,
    discriminant_tree,
    grow_tree,
    split_column,
    two_classes,
)
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.references import PUJOL_2006
from ecocviz.engine.types import BoolArray, FloatArray, IntArray

BINS = 11
"""Histogram bins of the library's criterion, centred on 0, 0.1, ..., 1."""
ROUNDS = 5
"""Moves that the library tries at each split."""


def decoc(
    X: FloatArray,
    y: IntArray,
    train: Train,
    criterion: str = "mutual-information",
    *,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Split the classes in two by the data, and each part again, until single classes are left.

    Implements the discriminant ECOC of [Pujol2006]_: K - 1 machines, each of which parts the classes of
    one node of a tree and never sees the others; every split maximises the mutual information between
    the points and the side of their class.

    Differs from the paper: the mutual information is the quadratic one of [Torkkola2003]_, whose window
    width is reconstructed as the median distance of two points of the node; up to 14 classes all splits
    are tried, above they are searched by floating selection [Pudil1994]_ as in the paper.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Not used: the splits look at the points only.
    criterion
        "mutual-information" as above. "separation" is the heuristic of [EscaleraLibrary2010]_: the
        distance between the two sides' histograms, summed over features, is improved by five random
        moves of a class. "library" is that heuristic as the library runs it, which results published
        with the library are based on: it lowers the distance and compares every move with the start.
    seed
        Picks the moves of the two heuristics.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_classes, n_classes - 1) in {-1, 0, +1}, and the tree.

    Examples
    --------
    Two pairs of neighbours: the pairs are parted first, then the neighbours.

    >>> X = np.array([[0.0], [0.1], [1.0], [1.1], [9.0], [9.1], [10.0], [10.1]])
    >>> decoc(X, np.array([0, 0, 1, 1, 2, 2, 3, 3]), None).code_matrix.tolist()
    [[-1, 0, -1], [-1, 0, 1], [1, -1, 0], [1, 1, 0]]
    """
    del train
    n_classes = int(y.max()) + 1
    value_name = "Quadratic mutual information" if criterion == "mutual-information" else "Separation"
    if n_classes == 2:
        return two_classes("tree", value_name)
    if criterion == "mutual-information":
        columns, steps = discriminant_tree(X, y, progress)
    else:
        search = _Heuristic(X, y, np.random.default_rng(seed), as_library=criterion == "library")
        columns, steps = grow_tree(n_classes, search.choose, depth_first=True, progress=progress)
    return Design(
        code_matrix=np.stack(columns, axis=1), story=tuple(steps), kind="tree", value_name=value_name
    )


class _Heuristic:
    """The library's search for a split: a start in label order, and a few random moves."""

    def __init__(self, X: FloatArray, y: IntArray, rng: np.random.Generator, *, as_library: bool) -> None:
        self.X, self.y, self.rng, self.as_library = X, y, rng, as_library
        self.n_classes = int(y.max()) + 1
        self.names: set[bytes] = set()

    def choose(self, members: IntArray, progress: Progress) -> tuple[BoolArray, float, bool]:
        """Split the members (k,): the first half is the + side, until moves change that."""
        k = members.size
        inside = np.arange(k) < (k + 1) // 2
        shown = np.isin(self.y, members)
        points, classes = _scaled(self.X[shown]), self.y[shown]
        value = separation(points, np.isin(classes, members[inside]))
        bar = value
        for turn in range(ROUNDS if k > 2 else 0):
            progress.at(turn / ROUNDS)
            side = np.flatnonzero(inside if turn % 2 == 0 else ~inside)
            if side.size < 2:
                continue
            moved = inside.copy()
            moved[self.rng.choice(side)] ^= True
            candidate = separation(points, np.isin(classes, members[moved]))
            better = candidate < bar if self.as_library else candidate > bar
            if better and self._name(members, moved) not in self.names:
                inside, value = moved, candidate
                bar = bar if self.as_library else value
        self.names.add(self._name(members, inside))
        return inside, value, True

    def _name(self, members: IntArray, inside: BoolArray) -> bytes:
        return column_name(split_column(members, inside, self.n_classes))


def _scaled(X: FloatArray) -> FloatArray:
    """Bring each feature to [0, 1], (n_samples, n_features)."""
    low, spread = X.min(axis=0), np.ptp(X, axis=0)
    scaled: FloatArray = (X - low) / np.where(spread > 0, spread, 1)
    return scaled


def separation(X: FloatArray, side: BoolArray) -> float:
    """Sum over features the Euclidean distance between the two sides' histograms, as shares of each side.

    Parameters
    ----------
    X : (n_samples, n_features)
        Features in [0, 1].
    side : (n_samples,)
        True on the + side.
    """
    bins = np.clip(np.floor(X * (BINS - 1) + 0.5).astype(np.int64), 0, BINS - 1)
    cells = bins + BINS * np.arange(X.shape[1])
    size = BINS * X.shape[1]
    shares = [np.bincount(cells[mask].ravel(), minlength=size) / mask.sum() for mask in (side, ~side)]
    differences = (shares[0] - shares[1]).reshape(X.shape[1], BINS)
    return float(np.sqrt((differences**2).sum(axis=1)).sum())


def _n_bits(n_classes: int, criterion: str = "mutual-information") -> int:
    del criterion
    return n_classes - 1


CODING = Coding(
    key="decoc",
    title="DECOC: a tree learned from data",
    summary="Classes are split where the data are easiest to tell apart, then each part is split again.",
    design=decoc,
    n_bits=_n_bits,
    reference=PUJOL_2006,
    params=(
        ChoiceParam(
            name="criterion",
            label="A split is good if",
            default="mutual-information",
            options=(
                ("mutual-information", "a point tells its side (mutual information)"),
                ("separation", "the sides' features are distributed differently"),
                ("library", "they are distributed alike, as in the ECOC Library"),
            ),
            help="Choose the last one to repeat results that were published with that library.",
        ),
    ),
    seeded=True,
    ternary=True,
    max_classes=200,
    instead="nested-dichotomies",
    order=200,
)
