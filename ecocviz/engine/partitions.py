"""What learned codings share: how well data part a set of classes, trees of splits, and repairs of codes.

Classes here may be any groups of points, such as the sub-classes of a class.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ecocviz.engine.entries import Design, Step
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray

EXACT_CLASSES = 14
"""Up to so many classes every split is tried; above, splits are searched by floating selection."""
MAX_POINTS = 2_000
"""Pairs of points are summed over so many points of a set of classes at most, drawn evenly per class."""
BLOCK = 250
"""Points whose pairs with all before them are summed between two calls of `progress`."""
_DISTANCE_POINTS = 500
"""The median distance is taken over so many points."""
SELF_POTENTIAL = 1.0
"""Every point meets itself in the sums: the potential at distance 0."""

Choose: TypeAlias = Callable[[IntArray, Progress], tuple[BoolArray, float, bool]]
"""Members (k,) in, + side (k,) out, with its value and whether the split becomes a column."""


@dataclass(frozen=True, slots=True)
class ClassSums:
    """Gaussian potentials summed class by class.

    Attributes
    ----------
    sums : (k, k)
        Over all pairs of a point of one class and a point of the other, each point with itself included.
    counts : (k,)
        Points per class.
    """

    sums: FloatArray
    counts: FloatArray

    def subset(self, members: IntArray) -> "ClassSums":
        """Keep some classes, (k,)."""
        return ClassSums(self.sums[np.ix_(members, members)], self.counts[members])


def class_sums(X: FloatArray, y: IntArray, members: IntArray, progress: Progress = NO_PROGRESS) -> ClassSums:
    """Sum potentials between the points of every two member classes.

    The potential of two points is exp(-|x_i - x_j|^2 / (4 s^2)), the product of two Gaussian windows
    of width s integrated; s is the median distance of two points of the members. Where there are more
    than MAX_POINTS points, the sums are estimated from the same share of every class.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    members : (k,)
        Increasing.
    progress
        Told the share of the points whose pairs are summed.
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.partitions import add_potentials  # noqa: PLC0415 - see above

    counts = np.array([np.count_nonzero(y == c) for c in members], dtype=np.float64)
    picks = _picks(y, members, counts)
    place = np.searchsorted(members, y[picks])
    points = np.ascontiguousarray(X[picks])
    width, sums = median_distance(points), np.zeros((members.size, members.size))
    for first in range(0, picks.size, BLOCK):
        last = min(first + BLOCK, picks.size)
        add_potentials(points, place, width, sums, first, last)
        progress.at(last / picks.size)
    picked = np.bincount(place, minlength=members.size).astype(np.float64)
    scale = np.outer(counts / picked, counts / picked)
    pairs = sums.copy()
    np.fill_diagonal(pairs, np.diag(sums) - picked * SELF_POTENTIAL)
    # Inside a class only pairs of different points are estimated; every point meets itself once.
    others = counts * (counts - 1) / np.maximum(picked * (picked - 1), 1)
    np.fill_diagonal(scale, others)
    sums = pairs * scale
    np.fill_diagonal(sums, np.diag(sums) + counts * SELF_POTENTIAL)
    return ClassSums(sums, counts)


def _picks(y: IntArray, members: IntArray, counts: FloatArray) -> IntArray:
    """Pick the same share of every class, two points at least, at random but always the same."""
    shown = np.flatnonzero(np.isin(y, members))
    if shown.size <= MAX_POINTS:
        return shown
    share = MAX_POINTS / counts.sum()
    shuffled = np.random.default_rng(0).permutation(shown)
    parts = [shuffled[y[shuffled] == c] for c in members]
    return np.concatenate([part[: max(2, round(share * part.size))] for part in parts])


def median_distance(X: FloatArray) -> float:
    """Return the median distance of two different points, 1 where that is 0; X is (n_samples, n_features)."""
    step = max(1, -(-X.shape[0] // _DISTANCE_POINTS))
    points = X[::step]
    squares = (points**2).sum(axis=1)
    distances = np.sqrt(np.maximum(squares[:, None] + squares - 2 * points @ points.T, 0))
    pairs = distances[np.triu_indices(points.shape[0], k=1)]
    median = float(np.median(pairs)) if pairs.size else 0.0
    return median if median > 0 else 1.0


def information(table: ClassSums, inside: BoolArray) -> float:
    """Return the quadratic mutual information between the points and the side of their class.

    Implements I_Q = V_in + V_all - 2 V_btw of [Torkkola2003]_ from class-by-class sums. With N points,
    N_+ and N_- on the sides: V_in sums the potentials of pairs on the same side, V_all those of all
    pairs times (N_+^2 + N_-^2) / N^2, V_btw for each side those between it and all points times its
    share; each over N^2.

    Parameters
    ----------
    inside : (k,)
        Classes of the + side.
    """
    sums, counts = table.sums, table.counts
    sides = np.stack([inside, ~inside]).astype(np.float64)
    shares = sides @ counts / counts.sum()
    between = sides @ sums @ sides.T
    within = float(np.trace(between))
    total = float(sums.sum()) * float(shares @ shares)
    across = float(shares @ between.sum(axis=1))
    return (within + total - 2 * across) / float(counts.sum()) ** 2


def best_split(table: ClassSums, taken: Iterable[BoolArray] = ()) -> tuple[BoolArray, float] | None:
    """Return the + side of the most informative split that is not taken, and its information.

    Every split is tried up to EXACT_CLASSES classes; above, splits are searched by sequential floating
    selection [Pudil1994]_. The first class is always on the - side.

    Parameters
    ----------
    taken
        Sides (k,) that may not be used again, nor may their complements.

    Returns
    -------
    inside : (k,)
    value
        None instead of both where all that was found is taken.
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.partitions import floating_search, split_values  # noqa: PLC0415 - see above

    k = table.counts.size
    used = [np.where(side[0], ~side, side) for side in taken]
    if k > EXACT_CLASSES:
        none = np.zeros((0, k), dtype=np.bool_)
        inside, value = floating_search(table.sums, table.counts, np.stack(used) if used else none)
        if not inside.any():
            return None
        return np.where(inside[0], ~inside, inside), float(value)
    values = split_values(table.sums, table.counts)
    bits = 1 << np.arange(k - 1)
    for side in used:
        values[int(bits @ side[1:]) - 1] = -np.inf
    number = int(np.argmax(values))
    if np.isneginf(values[number]):
        return None
    return np.r_[False, (number + 1) & bits != 0], float(values[number])


def split_column(members: IntArray, inside: BoolArray, n_classes: int) -> CodeMatrix:
    """Write a split as a column, (n_classes,): the + side +1, the other members -1, all others 0."""
    column = np.zeros(n_classes, dtype=np.int8)
    column[members] = np.where(inside, 1, -1)
    return column


def column_name(column: CodeMatrix) -> bytes:
    """Name a column (n_classes,) so that it and its complement have the same name."""
    used = np.flatnonzero(column)
    first = column[used[0]] if used.size else np.int8(1)
    return np.ascontiguousarray(column * first, dtype=np.int8).tobytes()


def grow_tree(
    n_classes: int,
    choose: Choose,
    first_step: int = 0,
    n_before: int = 0,
    *,
    depth_first: bool = False,
    progress: Progress = NO_PROGRESS,
) -> tuple[list[CodeMatrix], list[Step]]:
    """Split all classes in two, and each part again, until every part is one class.

    Parameters
    ----------
    choose
        Splits a set of classes; told its members, and whom to tell how far it is.
    first_step
        Number, in the whole story, of this tree's first step.
    n_before
        Number of columns that are there already.
    depth_first
        Whether a + side is finished before its - side is begun; otherwise level by level.
    progress
        Told the share of the splits that are made.

    Returns
    -------
    columns
        One (n_classes,) for each split that is to be a column.
    steps
        One for each split, with its parent.
    """
    columns: list[CodeMatrix] = []
    steps: list[Step] = []
    waiting: list[tuple[IntArray, int]] = [(np.arange(n_classes), -1)]
    while waiting:
        members, parent = waiting.pop() if depth_first else waiting.pop(0)
        told = progress.part(len(steps), n_classes - 1)
        told.note(f"split {len(steps) + 1} of {n_classes - 1}")
        inside, value, is_column = choose(members, told)
        if is_column:
            columns.append(split_column(members, inside, n_classes))
        plus, minus = members[inside], members[~inside]
        here = first_step + len(steps)
        label = f"Split {members.size} classes" if is_column else "A split that is a column already"
        steps.append(
            Step(
                plus=tuple(plus.tolist()),
                minus=tuple(minus.tolist()),
                value=value,
                label=label,
                parent=parent,
                bits=n_before + len(columns),
            )
        )
        sides = (minus, plus) if depth_first else (plus, minus)
        waiting += [(side, here) for side in sides if side.size > 1]
        progress.at(len(steps) / (n_classes - 1))
    return columns, steps


def discriminant_tree(
    X: FloatArray, y: IntArray, progress: Progress = NO_PROGRESS
) -> tuple[list[CodeMatrix], list[Step]]:
    """Grow the tree whose every split tells most about the points [Pujol2006]_; returns as `grow_tree`.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    """

    def choose(members: IntArray, told: Progress) -> tuple[BoolArray, float, bool]:
        found = best_split(class_sums(X, y, members, told))
        assert found is not None  # noqa: S101 - nothing is taken
        return *found, True

    return grow_tree(int(y.max()) + 1, choose, progress=progress)


def repair(columns: list[CodeMatrix], story: list[Step]) -> CodeMatrix:
    """Join columns (n_classes,) to a legal code, and tell the story what had to be mended.

    One-sided columns are left out, and so are those that repeat another or its complement. Classes that
    no column puts on opposite sides are then numbered, and the binary digits of these numbers are added
    as columns as long as they part some of them: at most `added_bits(n_classes)`.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
    """
    kept: dict[bytes, CodeMatrix] = {}
    for column in columns:
        if (column == 1).any() and (column == -1).any():
            kept.setdefault(column_name(column), column)
    if len(kept) < len(columns):
        n_dropped = len(columns) - len(kept)
        story.append(Step(label=f"Left out {n_dropped} one-sided or repeated columns", bits=len(kept)))
    matrix = np.stack(list(kept.values()), axis=1) if kept else np.zeros((columns[0].size, 0), dtype=np.int8)
    together = ~apart(matrix)
    classes = np.flatnonzero(together.any(axis=1))
    for digit in range(added_bits(classes.size)):
        column = np.zeros(matrix.shape[0], dtype=np.int8)
        column[classes] = 2 * (np.arange(classes.size) >> digit & 1) - 1
        parted = together & (np.multiply.outer(column, column) == -1)
        if not parted.any():
            continue
        together &= ~parted
        matrix = np.column_stack([matrix, column])
        story.append(
            Step(
                plus=tuple(np.flatnonzero(column == 1).tolist()),
                minus=tuple(np.flatnonzero(column == -1).tolist()),
                label="Added to part classes that no column put on opposite sides",
                bits=matrix.shape[1],
            )
        )
    return matrix.astype(np.int8)


def added_bits(n_classes: int) -> int:
    """Return the most columns that `repair` may add: enough binary digits to number the classes.

    >>> [added_bits(n_classes) for n_classes in (2, 3, 4, 5)]
    [1, 2, 2, 3]
    """
    return max(0, n_classes - 1).bit_length()


def apart(code_matrix: CodeMatrix) -> BoolArray:
    """Tell which rows some column puts on opposite sides; a row counts as apart from itself, (k, k)."""
    M = code_matrix.astype(np.int64)
    opposite: BoolArray = np.abs(M) @ np.abs(M).T - M @ M.T > 0
    np.fill_diagonal(opposite, True)
    return opposite


def two_classes(kind: str, value_name: str) -> Design:
    """Return the only code there is for two classes: one machine."""
    step = Step(plus=(1,), minus=(0,), label="Two classes take one machine", bits=1)
    code_matrix = np.array([[-1], [1]], dtype=np.int8)
    return Design(code_matrix=code_matrix, story=(step,), kind=kind, value_name=value_name)
