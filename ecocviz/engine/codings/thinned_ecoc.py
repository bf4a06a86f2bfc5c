"""Thinned ECOC: a long code from which the machines that help least are removed one by one."""

import math

import numpy as np

from ecocviz.engine.columns import Train, held_out_scores, stratified_fold_ids
from ecocviz.engine.entries import Coding, Design, Step
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam
from ecocviz.engine.partitions import two_classes
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.random_codes import best_random_code, drawn_bits, fewest_bits
from ecocviz.engine.references import HATAMI_2012
from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray

FOLDS = 3
"""Outputs are those for points that the machines were not trained on, in so many folds."""

_STRIDE = 10_000_000
"""Points times entries of the code that are judged between two calls of `progress`."""


def thinned_ecoc(
    X: FloatArray,
    y: IntArray,
    train: Train,
    start: str = "dense-random",
    n_bits: int = 0,
    outputs: str = "bits",
    tolerance: float = 1.0,
    *,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Train a long code and remove, one by one, the columns whose loss costs the least accuracy.

    Implements the idea of thinned ECOC [Hatami2012]_: start from any code, remove redundant and unneeded
    columns in turn, and keep about the same accuracy at less cost.

    Differs from the paper: its measure of a column could not be had, so this one is reconstructed. The
    column goes without which the held-out accuracy is highest; among equals the one of least accuracy
    times (1 - its largest error correlation with another column), then the first. A column that alone
    puts two classes on opposite sides stays. The path goes on to the end, and the code kept is the
    shortest up to which no code was less accurate than the whole one by more than the tolerance.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Trains one machine per column of targets.
    start
        "dense-random" or "sparse-random": the code to thin. (One-vs-one cannot be thinned: every machine
        is the only one for its pair.)
    n_bits
        Its number of columns; 0 means ceil(10 log2 K), or 15 for sparse codes.
    outputs
        "bits" judges by Hamming decoding, "scores" by linear decoding.
    tolerance
        In standard errors of the whole code's accuracy.
    seed
        Draws the code and the folds.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_classes, n_bits), and the accuracy at every length on the way.
    """
    n_classes = int(y.max()) + 1
    if n_classes == 2:
        return two_classes("path", "Held-out accuracy")
    rng = np.random.default_rng(seed)
    code_matrix = _start(start, n_classes, n_bits, rng)
    folds = stratified_fold_ids(y, FOLDS, rng)
    F = held_out_scores(train, X, code_matrix[y], folds, progress.part(0, 2, "the whole code"))
    if outputs == "bits":
        F = np.sign(F)
    shortest = fewest_bits(n_classes)
    order, accuracies = thinning_path(code_matrix, F, y, shortest, progress.part(1, 2))
    margin = tolerance * math.sqrt(accuracies[0] * (1 - accuracies[0]) / y.size)
    n_gone = 0
    while n_gone < order.size and accuracies[n_gone + 1] >= accuracies[0] - margin - 1e-12:
        n_gone += 1
    story = [Step(value=float(accuracies[0]), label="The whole code", bits=code_matrix.shape[1])]
    for number, j in enumerate(order):
        verb = "Removed" if number < n_gone else "Would remove"
        story.append(
            Step(
                plus=tuple(np.flatnonzero(code_matrix[:, j] == 1).tolist()),
                minus=tuple(np.flatnonzero(code_matrix[:, j] == -1).tolist()),
                value=float(accuracies[number + 1]),
                label=f"{verb} machine {j + 1}",
                bits=code_matrix.shape[1] - number - 1,
            )
        )
    kept = np.delete(code_matrix, order[:n_gone], axis=1)
    return Design(code_matrix=kept, story=tuple(story), kind="path", value_name="Held-out accuracy")


def thinning_path(
    code_matrix: CodeMatrix, outputs: FloatArray, y: IntArray, shortest: int, progress: Progress = NO_PROGRESS
) -> tuple[IntArray, FloatArray]:
    """Remove columns until `shortest` are left or all others are needed to tell classes apart.

    Parameters
    ----------
    code_matrix : (n_classes, n_bits)
    outputs : (n_samples, n_bits)
        Of machines that were not trained on these points.
    y : (n_samples,)
    shortest
        Number of columns.
    progress
        Told the share of the columns that are gone.

    Returns
    -------
    order : (n_removed,)
        Columns in the order in which they go.
    accuracies : (n_removed + 1,)
        Of the whole code and after each removal, by linear decoding of the outputs.
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.thinning import needed_columns  # noqa: PLC0415 - see above

    F = np.ascontiguousarray(outputs, dtype=np.float64)
    hits, correlations = _judge_columns(code_matrix, F, y)
    progress.check()
    left = np.ones(code_matrix.shape[1], dtype=np.bool_)
    D = F @ code_matrix.T.astype(np.float64)
    order: list[int] = []
    step = progress.part(0, left.size - shortest + 1)
    without = _accuracies_without(D, F, code_matrix, y, left, step)
    accuracies = [without[-1]]
    while left.sum() > shortest:
        free = left & ~needed_columns(code_matrix, left)
        if not free.any():
            break
        equal = free & (without[:-1] >= without[:-1][free].max() - 1e-12)
        j = _least_worth(equal, left, hits, correlations)
        left[j] = False
        D -= np.multiply.outer(F[:, j], code_matrix[:, j].astype(np.float64))
        order.append(j)
        step = progress.part(len(order), left.size - shortest + 1)
        step.note(f"removing machine {len(order) + 1} of {left.size - shortest} at most")
        without = _accuracies_without(D, F, code_matrix, y, left, step)
        accuracies.append(without[-1])
    return np.array(order, dtype=np.int64), np.array(accuracies)


def _accuracies_without(
    D: FloatArray, F: FloatArray, code_matrix: CodeMatrix, y: IntArray, left: BoolArray, progress: Progress
) -> FloatArray:
    """Return the accuracy without each column that is left, and after them that with all, (n_bits + 1,).

    Parameters
    ----------
    D : (n_samples, n_classes)
        Scores of the classes by the columns that are left.
    F : (n_samples, n_bits)
    left : (n_bits,)
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.thinning import hits_without  # noqa: PLC0415 - see above

    hits = np.zeros(left.size + 1)
    step = max(1, _STRIDE // code_matrix.size)
    for first in range(0, y.size, step):
        part = slice(first, min(first + step, y.size))
        hits += hits_without(D[part], F[part], code_matrix, y[part], left)
        progress.at(part.stop / y.size)
    return hits / y.size


def _judge_columns(code_matrix: CodeMatrix, F: FloatArray, y: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return each column's accuracy (n_bits,) and how its errors go with others', (n_bits, n_bits)."""
    targets = code_matrix[y]
    wrong = ((targets != 0) & (np.sign(F) != targets)).astype(np.float64)
    asked = np.maximum((targets != 0).sum(axis=0), 1)
    centred = wrong - wrong.mean(axis=0)
    lengths = np.sqrt((centred**2).sum(axis=0))
    scaled = centred / np.where(lengths > 1e-9, lengths, np.inf)
    correlations = np.abs(scaled.T @ scaled)
    np.fill_diagonal(correlations, 0)
    return 1 - wrong.sum(axis=0) / asked, correlations


def _least_worth(equal: BoolArray, left: BoolArray, hits: FloatArray, correlations: FloatArray) -> int:
    """Return the column of least accuracy times (1 - largest correlation with one that is left)."""
    worth = hits * (1 - (correlations * left).max(axis=1))
    candidates = np.flatnonzero(equal)
    return int(candidates[worth[candidates] <= worth[candidates].min() + 1e-9][0])


def _start(start: str, n_classes: int, n_bits: int, rng: np.random.Generator) -> CodeMatrix:
    """Make the code that is to be thinned."""
    zero_share = 0.0 if start == "dense-random" else 0.5
    length = _wanted(n_classes, start, n_bits)
    return best_random_code(n_classes, length, zero_share=zero_share, trials=200, rng=rng)


def _wanted(n_classes: int, start: str, n_bits: int) -> int:
    dense = start == "dense-random"
    return drawn_bits(n_classes, n_bits, 10 if dense else 15, ternary=not dense)


def _n_bits(
    n_classes: int,
    start: str = "dense-random",
    n_bits: int = 0,
    outputs: str = "bits",
    tolerance: float = 1.0,
) -> int:
    del outputs, tolerance
    return 1 if n_classes == 2 else _wanted(n_classes, start, n_bits)


CODING = Coding(
    key="thinned-ecoc",
    title="Thinned ECOC",
    summary="A long code is trained, then the machines that help least are taken out one by one.",
    design=thinned_ecoc,
    n_bits=_n_bits,
    reference=HATAMI_2012,
    params=(
        ChoiceParam(
            name="start",
            label="Code to thin",
            default="dense-random",
            options=(("dense-random", "Dense random"), ("sparse-random", "Sparse random")),
            help="All its machines are trained before any is removed.",
        ),
        IntParam(
            name="n_bits",
            label="Machines to start with",
            default=0,
            low=0,
            high=500,
            automatic=0,
            help="0 is automatic: ten times log2 of the number of classes, fifteen times for sparse codes.",
        ),
        ChoiceParam(
            name="outputs",
            label="Accuracy is measured with",
            default="bits",
            options=(("bits", "Hamming decoding"), ("scores", "Linear decoding")),
            help="The decoder whose accuracy decides which machines stay.",
        ),
        FloatParam(
            name="tolerance",
            label="Accuracy given up",
            default=1.0,
            low=0.0,
            high=10.0,
            help="How much worse the thinned code may be, in standard errors of the whole code's accuracy.",
        ),
    ),
    seeded=True,
    ternary=True,
    max_classes=60,
    instead="sparse-random",
    order=205,
)
