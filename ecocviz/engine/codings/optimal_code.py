"""A dense random code, redesigned for the machines that learned it."""

import numpy as np

from ecocviz.engine.columns import Train, held_out_scores, stratified_fold_ids
from ecocviz.engine.discrete import METHODS, search_code, tie_aware_error
from ecocviz.engine.entries import Coding, Design, Step
from ecocviz.engine.params import ChoiceParam, IntParam
from ecocviz.engine.partitions import added_bits, column_name, repair, two_classes
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.random_codes import best_random_code, drawn_bits
from ecocviz.engine.references import CRAMMER_2002
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

FOLDS = 3
"""The bits of a machine are those that it gives points it was not trained on, in so many folds."""
_STARTS = 5
"""Codes that a local search starts from."""


def optimal_code(
    X: FloatArray,
    y: IntArray,
    train: Train,
    n_bits: int = 0,
    method: str = "auto",
    rounds: int = 3,
    *,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Train machines on a random code, find the code that makes most of their answers, and repeat.

    Implements the discrete design problem of [Crammer2002]_ (their problem (b)): the code of least error
    for given machines, a tie counted by chance; found exhaustively, by branch and bound, or by local
    search, as the size allows.

    Differs from the paper: there the machines stay as they are; here the new code's machines are trained
    in turn, because a code must be learned by the machines that it is used with, and the code whose own
    machines err least is kept. Bits are those of three-fold cross-validation. Nothing makes the error
    fall from round to round.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Trains one machine per column of targets.
    n_bits
        Number of columns; 0 means ceil(5 log2 K).
    method
        "auto", "exhaustive", "branch-and-bound" or "local"; a method that the code is too large for
        gives way to "auto".
    rounds
        How often the code is redesigned at most.
    seed
        Draws the first code, the starts of searches, and folds.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_classes, n_bits) in {-1, +1}, and the held-out error of each round's code.
    """
    n_classes = int(y.max()) + 1
    value_name = "Error of the code's own machines, ties broken at random"
    if n_classes == 2:
        return two_classes("rounds", value_name)
    rng = np.random.default_rng(seed)
    folds = stratified_fold_ids(y, FOLDS, rng)
    length = _wanted(n_classes, n_bits)
    code = best_random_code(n_classes, length, zero_share=0.0, trials=200, rng=rng)
    story: list[Step] = []
    best, best_error = code, np.inf
    for number in range(rounds + 1):
        name = f"redesign {number} of {rounds}" if number else "random code"
        told = progress.part(number, rounds + 1, name)
        outputs = held_out_scores(train, X, code[y], folds, told.part(0, 2))
        bits = np.sign(outputs).astype(np.int8)
        error = tie_aware_error(bits, y, code)
        label = f"Redesign {number}" if number else "Random code"
        story.append(Step(value=error, label=label, bits=code.shape[1], table=code.astype(np.float64)))
        if error < best_error:
            best, best_error = code, error
        if number == rounds:
            break
        told.note("looking for the best code")
        found = search_code(
            bits,
            y,
            n_classes,
            _feasible(method, code),
            start=code,
            n_starts=_STARTS,
            rng=rng,
            progress=told.part(1, 2),
        )
        # Columns that parted rows of this code may be left out of the next, which has its own.
        redesigned = repair(_without_twins(found.code_matrix[:, :length], code), story)
        if redesigned.shape == code.shape and (redesigned == code).all():
            story.append(Step(value=error, label="The code is the best for its machines", bits=code.shape[1]))
            break
        code = redesigned
    return Design(code_matrix=best, story=tuple(story), kind="rounds", value_name=value_name)


def _without_twins(code_matrix: CodeMatrix, before: CodeMatrix) -> list[CodeMatrix]:
    """Return the columns (n_classes,); one that repeats another stays as it was before.

    For given machines a column may well occur twice, but machines that learn it anew would be the same.
    """
    columns: dict[bytes, CodeMatrix] = {}
    for b, column in enumerate(code_matrix.T):
        kept = before[:, b] if column_name(column) in columns else column
        columns.setdefault(column_name(kept), kept)
    return list(columns.values())


def _feasible(method: str, code_matrix: CodeMatrix) -> str:
    """Return the method, or "auto" where the code is too large for it."""
    limits = {"exhaustive": code_matrix.size <= 20, "branch-and-bound": code_matrix.shape[1] <= 8}
    return method if limits.get(method, True) else "auto"


def _wanted(n_classes: int, n_bits: int) -> int:
    return drawn_bits(n_classes, n_bits, 5, ternary=False)


def _n_bits(n_classes: int, n_bits: int = 0, method: str = "auto", rounds: int = 3) -> int:
    del method, rounds
    # A redesign may repeat columns, which are left out, and need others to part its rows.
    return 1 if n_classes == 2 else _wanted(n_classes, n_bits) + added_bits(n_classes)


CODING = Coding(
    key="optimal-code",
    title="Redesigned code",
    summary="A random code is changed to suit its machines, which then learn the new code.",
    design=optimal_code,
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
            help="How many columns the code has; 0 is automatic: five times log2 of the number of classes.",
        ),
        ChoiceParam(
            name="method",
            label="Search",
            default="auto",
            options=(
                (METHODS[0], "automatic: the most thorough that is still quick"),
                (METHODS[1], "all codes"),
                (METHODS[2], "branch and bound"),
                (METHODS[3], "local moves"),
            ),
            help="All codes, and branch and bound, are possible for small codes only.",
        ),
        IntParam(
            name="rounds",
            label="Redesigns",
            default=3,
            low=0,
            high=20,
            help="How often the code is redesigned and its machines trained again.",
        ),
    ),
    seeded=True,
    max_classes=200,
    instead="dense-random",
    order=207,
)
