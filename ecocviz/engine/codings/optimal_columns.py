"""Column by column: each column is the best one for the machine that learned it."""

import math

import numpy as np

from ecocviz.engine.columns import Train, held_out_scores, stratified_fold_ids
from ecocviz.engine.discrete import next_column
from ecocviz.engine.entries import Coding, Design, Step
from ecocviz.engine.kernels.columns import count_dense_columns
from ecocviz.engine.params import IntParam
from ecocviz.engine.partitions import added_bits, column_name, repair, two_classes
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.references import CRAMMER_2002
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

FOLDS = 3
"""The bits of a machine are those that it gives points it was not trained on, in so many folds."""
_DRAWS = 30
"""Random columns to choose each start from."""


def optimal_columns(
    X: FloatArray,
    y: IntArray,
    train: Train,
    n_bits: int = 0,
    rounds: int = 3,
    *,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Choose columns one after the other, each the best for its own machine and the columns before it.

    A random column is learned by a machine; the column that makes most of the machine's answers is
    found, learned in turn, and so on until it stays. So classes that a machine cannot bring to its side
    change sides.

    Implements Theorem 1 of [Crammer2002]_ for the first column and its objective, the error that counts
    ties, for all further ones (exact up to 12 classes, climbing entry by entry above).

    Differs from the paper: there the machines are given once and for all; here each column's machine is
    trained again on its column, because a code must be learned by the machines that it is used with. Its
    bits are those of three-fold cross-validation. The start of each column is the one of 30 random halves
    that parts most of the closest row pairs.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Trains one machine per column of targets.
    n_bits
        Number of columns; 0 means ceil(5 log2 K).
    rounds
        How often a column may change at most.
    seed
        Draws the starts and folds.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_classes, n_bits) in {-1, +1}, and the error of the code after each column; one or
        a few columns more where classes would share a codeword.
    """
    n_classes = int(y.max()) + 1
    if n_classes == 2:
        return two_classes("additions", "Error, ties broken at random")
    rng = np.random.default_rng(seed)
    folds = stratified_fold_ids(y, FOLDS, rng)
    columns: list[CodeMatrix] = []
    story: list[Step] = []
    scores = np.zeros((y.size, n_classes), dtype=np.int64)
    length = _wanted(n_classes, n_bits)
    for b in range(length):
        better, n_changes = _start(n_classes, columns, rng), 0
        while True:
            column, number = better, b * (rounds + 1) + n_changes
            told = progress.part(number, length * (rounds + 1), f"column {b + 1} of {length}")
            outputs = held_out_scores(train, X, column[y][:, None], folds, told.part(0, 2))
            bits = np.sign(outputs[:, 0]).astype(np.int8)
            told.note("looking for a better column")
            better, error = next_column(scores, bits, y, columns, rng, told.part(1, 2))
            if n_changes == rounds or (better == column).all():
                break
            n_changes += 1
        columns.append(better)
        scores += np.multiply.outer(bits, better).astype(np.int64)
        story.append(
            Step(
                plus=tuple(np.flatnonzero(better == 1).tolist()),
                minus=tuple(np.flatnonzero(better == -1).tolist()),
                value=error,
                label=f"Column {b + 1}: changed {n_changes} times" if n_changes else f"Column {b + 1}",
                bits=b + 1,
            )
        )
    return Design(
        code_matrix=repair(columns, story),
        story=tuple(story),
        kind="additions",
        value_name="Error, ties broken at random",
    )


def _start(n_classes: int, columns: list[CodeMatrix], rng: np.random.Generator) -> CodeMatrix:
    """Draw a column (n_classes,) that is new and parts most of the closest row pairs."""
    names = {column_name(column) for column in columns}
    distances = np.full((n_classes, n_classes), 0)
    for column in columns:
        distances += np.not_equal.outer(column, column)
    pairs = np.triu(np.ones((n_classes, n_classes), dtype=np.bool_), k=1)
    closest = pairs & (distances == distances[pairs].min())
    half = np.where(np.arange(n_classes) < n_classes // 2, 1, -1).astype(np.int8)
    drawn = [rng.permutation(half) for _ in range(_DRAWS)]
    new = [column for column in drawn if column_name(column) not in names]
    while not new:
        # All halves may be taken; then any column will do.
        column = rng.choice(np.array([-1, 1], dtype=np.int8), n_classes)
        if abs(int(column.sum())) < n_classes and column_name(column) not in names:
            new.append(column)
    return max(new, key=lambda column: int((np.not_equal.outer(column, column) & closest).sum()))


def _wanted(n_classes: int, n_bits: int) -> int:
    """Return the number of columns asked for, which cannot be more than there are."""
    wanted = n_bits or math.ceil(5 * math.log2(n_classes))
    return min(wanted, count_dense_columns(n_classes))


def _n_bits(n_classes: int, n_bits: int = 0, rounds: int = 3) -> int:
    del rounds
    return 1 if n_classes == 2 else _wanted(n_classes, n_bits) + added_bits(n_classes)


CODING = Coding(
    key="optimal-columns",
    title="Optimal columns",
    summary="Column by column: each is changed until its machine can learn it best.",
    design=optimal_columns,
    n_bits=_n_bits,
    reference=CRAMMER_2002,
    params=(
        IntParam(
            name="n_bits",
            label="Machines",
            default=0,
            low=0,
            high=200,
            automatic=0,
            help="How many columns to choose; 0 is automatic: five times log2 of the number of classes.",
        ),
        IntParam(
            name="rounds",
            label="Changes",
            default=3,
            low=0,
            high=10,
            help="How often classes may change sides in a column, to suit its machine.",
        ),
    ),
    seeded=True,
    max_classes=200,
    instead="dense-random",
    order=206,
)
