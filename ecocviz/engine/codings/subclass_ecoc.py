"""Sub-class ECOC: a learned tree in which classes that a machine cannot part are divided into groups."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.columns import Train
from ecocviz.engine.entries import Coding, Design, Step
from ecocviz.engine.params import FloatParam, IntParam
from ecocviz.engine.partitions import best_split, class_sums
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.references import ESCALERA_2008
from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray

_STARTS = 5
"""Random starts of two-means."""
_STEPS = 50


@dataclass(frozen=True, slots=True)
class _Groups:
    """The points divided into groups, each part of one class.

    Attributes
    ----------
    of_sample : (n_samples,)
        Group of each point.
    classes
        Class of each group.
    """

    of_sample: IntArray
    classes: tuple[int, ...]

    def divided(self, group: int, second: BoolArray) -> "_Groups":
        """Give the second part (n_samples,) of a group a new number."""
        of_sample = np.where(second, len(self.classes), self.of_sample)
        return _Groups(of_sample, (*self.classes, self.classes[group]))


@dataclass(frozen=True, slots=True)
class _Node:
    """A set of groups split in two, and the training error of the machine that learned it.

    Attributes
    ----------
    members : (k,)
        Group numbers, increasing.
    inside : (k,)
        Groups of the + side.
    wrong : (n_samples,)
        1 for points on the wrong side, 1/2 for those on neither.
    error
        Mean of the two sides' shares of wrong points.
    """

    groups: _Groups
    members: IntArray
    inside: BoolArray
    wrong: FloatArray
    error: float

    def worst(self, side: BoolArray) -> int:
        """Return the group of a side (k,) with most points on the wrong side."""
        groups = self.members[side]
        counts = np.bincount(self.groups.of_sample, weights=self.wrong)
        return int(groups[np.argmax(counts[groups])])


def subclass_ecoc(
    X: FloatArray,
    y: IntArray,
    train: Train,
    max_splits: int = 10,
    max_error: float = 0.05,
    min_points: int = 5,
    improvement: float = 0.2,
    *,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Grow a tree of splits; where a machine fails, divide the classes it confuses into sub-classes.

    Implements sub-class ECOC of [Escalera2008]_: the tree of [Pujol2006]_, but when a node's machine errs
    too much, classes are divided by two-means and the node is split anew, if that lowers the error enough.
    Each sub-class has a row of its own in the code, and a point gets the class of its best row.

    Differs from the paper: the order of the steps and the thresholds are reconstructed. The groups that
    are divided are the one with most errors on either side; dividing the first, the second, and both are
    compared, once at each node. The error of a machine is the mean of its two sides' error rates: by the
    plain rate, cutting off a small group would pass for an improvement. A side whose groups are all of
    one class is not split further, and groups of a class that end with the same codeword are joined.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Trains one machine per column of targets.
    max_splits
        Sub-classes added at most.
    max_error
        Training error of a node's machine, mean of both sides, that is good enough.
    min_points
        Points that each sub-class, and each side of a node that is to be mended, must have.
    improvement
        Share by which the error must fall.
    seed
        Draws the starts of two-means.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_rows, n_bits) in {-1, 0, +1}, the class of each row and the row of each point.
    """
    rng = np.random.default_rng(seed)
    groups = _Groups(y, tuple(range(int(y.max()) + 1)))
    columns: list[dict[int, int]] = []
    notes: list[tuple[float, str, int]] = []
    waiting = [(np.arange(len(groups.classes)), -1)]
    while waiting:
        members, parent = waiting.pop(0)
        told = progress.part(len(columns), int(y.max()) + max_splits, f"split {len(columns) + 1}")
        told.note(f"splitting {members.size} groups")
        node = _split(X, train, groups, members, told.part(0, 4))
        left = max_splits - (len(groups.classes) - int(y.max()) - 1)
        mended = _mended(X, train, node, left, max_error, min_points, improvement, rng, told)
        label = f"Split {members.size} groups"
        if mended is not None:
            n_new = len(mended.groups.classes) - len(groups.classes)
            who = "a new sub-class lowers" if n_new == 1 else "two new sub-classes lower"
            label += f"; {who} the error from {node.error:.3f} to {mended.error:.3f}"
            _inherit(columns, groups, mended.groups)
            node, groups = mended, mended.groups
        plus, minus = node.members[node.inside], node.members[~node.inside]
        columns.append({**dict.fromkeys(plus.tolist(), 1), **dict.fromkeys(minus.tolist(), -1)})
        notes.append((node.error, label, parent))
        here = len(columns) - 1
        waiting += [(side, here) for side in (plus, minus) if len({groups.classes[g] for g in side}) > 1]
    return _finished(groups, columns, notes)


def _split(
    X: FloatArray,
    train: Train,
    groups: _Groups,
    members: IntArray,
    progress: Progress,
) -> _Node:
    """Split groups (k,) where data part them best, and train the machine."""
    found = best_split(class_sums(X, groups.of_sample, members, progress.part(0, 2)))
    assert found is not None  # noqa: S101 - nothing is taken
    inside = found[0]
    shown = np.isin(groups.of_sample, members)
    target = np.where(np.isin(groups.of_sample[shown], members[inside]), 1, -1).astype(np.int8)
    wrong = np.zeros(shown.size)
    machine = train(X[shown], target[:, None], progress.part(1, 2))
    wrong[shown] = (1 - np.sign(machine.scores[:, 0]) * target) / 2
    on = wrong[shown]
    error = float(on[target == 1].mean() + on[target == -1].mean()) / 2
    return _Node(groups, members, inside, wrong, error)


def _mended(
    X: FloatArray,
    train: Train,
    node: _Node,
    left: int,
    max_error: float,
    min_points: int,
    improvement: float,
    rng: np.random.Generator,
    progress: Progress,
) -> _Node | None:
    """Return the node with one or two groups divided, if that helps enough; `left` may still be added.

    The node itself was the first of four splits that `progress` is told of.
    """
    sizes = np.bincount(node.groups.of_sample, minlength=len(node.groups.classes))[node.members]
    small = min(sizes[node.inside].sum(), sizes[~node.inside].sum()) < min_points
    if node.error <= max_error or small:
        return None
    pair = (node.worst(node.inside), node.worst(~node.inside))
    ways: tuple[tuple[int, ...], ...] = (pair[:1], pair[1:], pair)
    best: _Node | None = None
    for number, way in enumerate(ways, start=1):
        if len(way) > left:
            continue
        groups: _Groups | None = node.groups
        for group in way:
            groups = None if groups is None else _divided(X, groups, group, min_points, rng)
        if groups is None:
            continue
        progress.note("dividing classes that the machine confuses")
        new = np.arange(len(node.groups.classes), len(groups.classes))
        candidate = _split(X, train, groups, np.r_[node.members, new], progress.part(number, 4))
        if best is None or candidate.error < best.error:
            best = candidate
    return best if best is not None and best.error <= (1 - improvement) * node.error else None


def _divided(
    X: FloatArray, groups: _Groups, group: int, min_points: int, rng: np.random.Generator
) -> _Groups | None:
    """Divide a group by two-means, or return None where a part would be too small."""
    members = np.flatnonzero(groups.of_sample == group)
    second = two_means(X[members], rng)
    if min(second.sum(), members.size - second.sum()) < min_points:
        return None
    part = np.zeros(groups.of_sample.size, dtype=np.bool_)
    part[members[second]] = True
    return groups.divided(group, part)


def two_means(X: FloatArray, rng: np.random.Generator) -> BoolArray:
    """Divide points (n, n_features) in two so that they are close to their part's mean, (n,).

    Lloyd's algorithm from a few random pairs of points; the division of least squared distance counts.
    """
    best, least = np.zeros(X.shape[0], dtype=np.bool_), np.inf
    if X.shape[0] < 2:
        return best
    for _ in range(_STARTS):
        centres = X[rng.choice(X.shape[0], size=2, replace=False)]
        second = np.zeros(X.shape[0], dtype=np.bool_)
        for _ in range(_STEPS):
            squares = ((X[:, None] - centres) ** 2).sum(axis=2)
            moved = squares[:, 1] < squares[:, 0]
            if not moved.any() or (moved == second).all():
                break
            second = moved
            centres = np.stack([X[~second].mean(axis=0), X[second].mean(axis=0)])
        squares = ((X[:, None] - centres) ** 2).sum(axis=2)
        spent = float(squares.min(axis=1).sum())
        if spent < least:
            best, least = squares[:, 1] < squares[:, 0], spent
    return best


def _inherit(columns: list[dict[int, int]], before: _Groups, after: _Groups) -> None:
    """Give new groups the entries that the group they came from has in the columns so far."""
    for group in range(len(before.classes), len(after.classes)):
        origin = int(before.of_sample[np.argmax(after.of_sample == group)])
        for column in columns:
            if origin in column:
                column[group] = column[origin]


def _finished(
    groups: _Groups,
    columns: list[dict[int, int]],
    notes: list[tuple[float, str, int]],
) -> Design:
    """Write groups as rows, in the order of their classes; join groups of a class with equal codewords."""
    n_groups = len(groups.classes)
    entries = np.zeros((n_groups, len(columns)), dtype=np.int8)
    for b, column in enumerate(columns):
        for group, sign in column.items():
            entries[group, b] = sign
    row_of = np.empty(n_groups, dtype=np.int64)
    rows: dict[tuple[int, bytes], int] = {}
    kept: list[CodeMatrix] = []
    classes: list[int] = []
    for group in np.argsort(groups.classes, kind="stable"):
        name = (groups.classes[group], entries[group].tobytes())
        if name not in rows:
            rows[name] = len(kept)
            kept.append(entries[group])
            classes.append(groups.classes[group])
        row_of[group] = rows[name]
    code_matrix = np.stack(kept)
    story = tuple(
        Step(
            plus=tuple(np.flatnonzero(code_matrix[:, b] == 1).tolist()),
            minus=tuple(np.flatnonzero(code_matrix[:, b] == -1).tolist()),
            value=error,
            label=label,
            parent=parent,
            bits=b + 1,
        )
        for b, (error, label, parent) in enumerate(notes)
    )
    one_each = len(kept) == len(set(classes))
    return Design(
        code_matrix=code_matrix,
        story=story,
        kind="tree",
        value_name="Training error of the machine, mean of both sides",
        row_classes=None if one_each else np.array(classes, dtype=np.int64),
        sample_rows=None if one_each else row_of[groups.of_sample],
    )


def _n_bits(
    n_classes: int,
    max_splits: int = 10,
    max_error: float = 0.05,
    min_points: int = 5,
    improvement: float = 0.2,
) -> int:
    del max_error, min_points, improvement
    return n_classes + max_splits - 1


CODING = Coding(
    key="subclass-ecoc",
    title="Sub-class ECOC",
    summary="A learned tree in which a class that a machine cannot tell from others is divided into groups.",
    design=subclass_ecoc,
    n_bits=_n_bits,
    reference=ESCALERA_2008,
    params=(
        IntParam(
            name="max_splits",
            label="New sub-classes",
            default=10,
            low=0,
            high=100,
            help="At most this many; each has a row of its own in the code.",
        ),
        FloatParam(
            name="max_error",
            label="Small enough error",
            default=0.05,
            low=0.0,
            high=0.5,
            help="Classes are divided only where the training error of a machine is larger.",
        ),
        IntParam(
            name="min_points",
            label="Smallest sub-class",
            default=5,
            low=1,
            high=1000,
            help="A sub-class has at least this many points.",
        ),
        FloatParam(
            name="improvement",
            label="Error must fall by",
            default=0.2,
            low=0.0,
            high=1.0,
            help="As a share of the error before; if it falls by less, the classes stay whole.",
        ),
    ),
    seeded=True,
    ternary=True,
    max_classes=200,
    instead="nested-dichotomies",
    order=204,
)
