"""The records that catalogue files end in, and what a legal code matrix is.

An entry declares facts about itself (does it hold zeros, what does it need, which theorem covers
it); everything that combines entries reads those facts and knows no names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from ecocviz.engine.multiclass import Multiclass
from ecocviz.engine.params import Param, ParamValue
from ecocviz.engine.references import Reference
from ecocviz.engine.types import CodeMatrix, Costs, FloatArray, IntArray, Scores

MAX_BITS = 2_000
"""Longest code that pages draw and links carry; the engine takes any that memory holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What training told about the machines, for the decoders that ask for it.

    Attributes
    ----------
    sigmoids : (n_bits, 2)
        Slope and offset (A, B) of each machine's sigmoid, P(bit = +1 | f) = 1 / (1 + exp(A f + B)).
    sources : (n_bits,)
        Where each sigmoid comes from: 0 the machine's own held-out scores, 1 those of all machines
        together, 2 nowhere (the default slope), because they say nothing.
    hit_rates : (n_classes, n_bits)
        Share of each class's training points that each machine puts on the side the code asks for;
        0 where the code entry is 0.
    accuracies : (n_bits,)
        Training accuracy of each machine over both its sides.
    weights : (n_bits,)
        Number of training points each machine was shown, or what they weigh together.
    reliabilities : (n_bits,)
        Static reliability measure of each machine.
    local_reliabilities : (n_samples, n_bits)
        Dynamic reliability of each machine at the very samples that are decoded.
    """

    sigmoids: FloatArray | None = None
    sources: IntArray | None = None
    hit_rates: FloatArray | None = None
    accuracies: FloatArray | None = None
    weights: FloatArray | None = None
    reliabilities: FloatArray | None = None
    local_reliabilities: FloatArray | None = None

    @property
    def calibration_note(self) -> str | None:
        """A sentence where some machines' held-out points say too little for a sigmoid of their own.

        >>> Evidence(sources=np.array([0, 0, 1])).calibration_note
        '1 of 3 machines turns scores into probabilities by a common rule: its own held-out points are too \
few, or do not tell how.'
        """
        n_borrowed = 0 if self.sources is None else int(np.count_nonzero(self.sources))
        if self.sources is None or not n_borrowed:
            return None
        turns, their = ("turns", "its") if n_borrowed == 1 else ("turn", "their")
        return (
            f"{n_borrowed:,} of {self.sources.size:,} machines {turns} scores into probabilities by a common"
            f" rule: {their} own held-out points are too few, or do not tell how."
        )


NO_EVIDENCE = Evidence()


def require(evidence: Evidence, name: str) -> FloatArray:
    """Return a field of the evidence, or raise with a sentence if training did not provide it."""
    value: FloatArray | None = getattr(evidence, name)
    if value is None:
        raise ValueError(
            f"This decoder needs the machines' {name.replace('_', ' ')}, which were not computed."
        )
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a search for a code, as a page can tell it.

    Attributes
    ----------
    plus, minus
        Classes (row numbers) on the two sides of the column that the step added or looked at.
    value
        What the search weighed: a criterion, an accuracy.
    label
        The step in a few words.
    parent
        Position, in the story, of the step this one refines; -1 for none.
    bits
        Number of columns after the step.
    table
        A matrix that drove the step, such as a confusion matrix.
    """

    plus: tuple[int, ...] = ()
    minus: tuple[int, ...] = ()
    value: float = 0.0
    label: str = ""
    parent: int = -1
    bits: int = 0
    table: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A code made for data, and how it was found.

    Attributes
    ----------
    code_matrix : (n_rows, n_bits)
        One row per class, or per sub-class.
    row_classes : (n_rows,)
        Class of each row; None where rows are the classes.
    sample_rows : (n_samples,)
        Row of each training sample; None where rows are the classes.
    kind
        How to show the story: "tree" (steps name their parents), "additions" (one column a step),
        "path" (values against numbers of columns) or "rounds" (values of one code, round after round).
    value_name
        What `Step.value` is.
    """

    code_matrix: CodeMatrix
    story: tuple[Step, ...] = ()
    kind: str = ""
    value_name: str = ""
    row_classes: IntArray | None = None
    sample_rows: IntArray | None = None


@dataclass(frozen=True, kw_only=True)
class Coding:
    """A way to make a code matrix.

    A fixed coding has `build(n_classes, **params)`, which returns the matrix. A learned one has
    `design(X, y, train, *, progress, **params)` instead: X (n_samples, n_features), y (n_samples,)
    class numbers, each of 0..n_classes-1 present, and `train(X, targets, progress)`, which trains one
    machine per column of targets (n_samples, n_bits) and returns `columns.TrainedColumns`; it returns a
    `Design`. Several times a second it says to `progress` where it is, and what it does; an exception
    that this raises ends the work. A seeded coding also takes `seed`.
    `n_bits(n_classes, **params)` is the number of columns it will have, or the most it may have.
    `instead` is the key of the coding to offer where there are too many classes for this one.
    `guarantee(n_classes, **params)` says in a sentence or two what was proved of its matrix.
    `nearest(n_classes, plus, minus, **params)` returns the class of least cost, the first of several,
    (n_samples,), without comparing all: a class costs the sum of plus (n_samples, n_bits) where its codeword
    holds +1 and of minus where it holds -1, added up from the first column to the last.
    """

    key: str
    title: str
    summary: str
    build: Callable[..., CodeMatrix] | None = None
    design: Callable[..., Design] | None = None
    n_bits: Callable[..., int]
    reference: Reference | None
    params: tuple[Param, ...] = ()
    guarantee: Callable[..., str] | None = None
    nearest: Callable[..., IntArray] | None = None
    seeded: bool = False
    ternary: bool = False
    distinct_columns: bool = True
    min_classes: int = 2
    max_classes: int = 1_000
    instead: str = ""
    order: int = 100


class BoundRule(StrEnum):
    """How the leave-one-out bound decodes the pessimistic scores of a decoder."""

    BORDERS = "borders"
    """Every term is monotone with one weight a column: all right borders are attained at once."""
    ENDPOINTS = "endpoints"
    """Weights differ from row to row: each class's terms take the worse of their two endpoints."""
    NONE = "none"
    """No bound is known."""


def by_borders(_params: Mapping[str, ParamValue]) -> BoundRule:
    """Answer for decoders whose terms are monotone whatever their parameters."""
    return BoundRule.BORDERS


def by_endpoints(_params: Mapping[str, ParamValue]) -> BoundRule:
    """Answer for row-weighted decoders."""
    return BoundRule.ENDPOINTS


def without_bound(_params: Mapping[str, ParamValue]) -> BoundRule:
    """Answer for decoders no bound is known for."""
    return BoundRule.NONE


class Reads(StrEnum):
    """What of the machines a decoder reads, and so what a wrong bit is to it."""

    SIGNS = "signs"
    """Only on which side of 0 a score is."""
    SCORES = "scores"
    """How far on that side."""
    PROBABILITIES = "probabilities"
    """What a sigmoid makes of the score; it may be on the other side of one half."""


@dataclass(frozen=True, kw_only=True)
class Decoding:
    """A way to turn the machines' scores into costs per class.

    `costs(scores, code_matrix, evidence, **params)` returns (n_samples, n_classes); the class of
    least cost wins, the lowest index among equals. `terms`, with the same arguments, returns the
    (n_samples, n_classes, n_bits) summands where the costs are such a sum. `probabilities`, with
    the same arguments, returns (n_samples, n_classes) with rows summing to one: the paper's own; estimators
    give calibrated ones of costs that are sums (see `reductions/_shared/cost_scale.py`).

    `needs` names the fields of `Evidence` that must be there. `continuous` says that code entries
    may be any real number. `hard` says that only signs of scores count.
    """

    key: str
    title: str
    summary: str
    costs: Callable[..., Costs]
    reference: Reference | None
    terms: Callable[..., FloatArray] | None = None
    probabilities: Callable[..., FloatArray] | None = None
    params: tuple[Param, ...] = ()
    needs: frozenset[str] = field(default_factory=frozenset)
    continuous: bool = False
    hard: bool = False
    repairs: bool = True
    bound_rule: Callable[[Mapping[str, ParamValue]], BoundRule] = without_bound
    order: int = 100

    @property
    def reads(self) -> Reads:
        """What it reads of the machines."""
        if "sigmoids" in self.needs:
            return Reads.PROBABILITIES
        return Reads.SIGNS if self.hard else Reads.SCORES

    def gives_probabilities(self, probability: str = "calibrated") -> bool:
        """Say whether classes have probabilities: of its own, or, "calibrated", of costs that are sums."""
        return self.probabilities is not None or (probability == "calibrated" and self.terms is not None)


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A binary learner: `make(**params)` returns an unfitted scikit-learn classifier.

    `theorem` says that the leave-one-out lemma covers it (bias folded into the kernel);
    `kernel` that its scores are expansions over training points, so that bounds can be estimated.
    `effort` is about how many times as long as the plainest one of its kind it trains.
    `settle(X, **params)` says which numbers its parameters have on training points X (n_samples, n_features)
    where they were set by words: name -> number.
    """

    key: str
    title: str
    summary: str
    make: Callable[..., Any]
    reference: Reference | None = None
    params: tuple[Param, ...] = ()
    kernel: bool = False
    theorem: bool = False
    seeded: bool = False
    settle: Callable[..., Mapping[str, float]] | None = None
    effort: float = 1.0
    order: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a scenario hands to a reduction; each takes what it `uses`.

    Attributes
    ----------
    coding
        A code matrix (n_classes, n_bits), or the key of a learned coding.
    coding_params
        Of a learned coding.
    machine
        An unfitted binary classifier.
    decoding, decoding_params
        Key and parameters of a decoding.
    seed
        For everything random.
    n_jobs
        Machines trained at the same time.
    """

    coding: str | CodeMatrix
    coding_params: Mapping[str, ParamValue] = field(default_factory=dict)
    machine: Any = None
    decoding: str = "hamming"
    decoding_params: Mapping[str, ParamValue] = field(default_factory=dict)
    seed: int = 0
    n_jobs: int | None = None


@dataclass(frozen=True, kw_only=True)
class Reduction:
    """A way to make one multiclass learner of binary ones.

    `make(parts, **params)` returns an unfitted estimator (see `multiclass`); `uses` says which choices of
    a scenario it reads among "coding", "machine", "decoding"; `ternary` whether its code may hold zeros;
    `continuous` whether training replaces its code by one of real numbers.

    `problems(class_counts, code_matrix, **params)` says before training how large its binary problems will
    be, (n_problems,), from the training points of each class, (n_classes,), and the code; empty where it
    solves none. Without it, every column of the code is one (`column_sizes`). `effort` is about how many
    times as long as machines trained one by one it trains, for problems of these sizes. `settle` is as for
    a `Machine`.
    """

    key: str
    title: str
    summary: str
    make: Callable[..., Multiclass]
    reference: Reference | None = None
    params: tuple[Param, ...] = ()
    uses: frozenset[str] = frozenset({"coding", "machine", "decoding"})
    ternary: bool = True
    continuous: bool = False
    problems: Callable[..., IntArray] | None = None
    settle: Callable[..., Mapping[str, float]] | None = None
    effort: float = 1.0
    order: int = 100


def column_sizes(class_counts: IntArray, code_matrix: CodeMatrix) -> IntArray:
    """Return how many training points each column's machine is shown, (n_bits,).

    Examples
    --------
    >>> column_sizes(np.array([10, 20, 30]), np.array([[1, 1], [-1, 0], [-1, -1]])).tolist()
    [60, 40]
    """
    sizes: IntArray = np.asarray(class_counts, dtype=np.int64) @ (np.asarray(code_matrix) != 0)
    return sizes


LARGEST_SCORE = 1e80
"""Beyond this, losses of scores and products of them leave the range of numbers."""


def check_scores(scores: Scores, n_bits: int) -> Scores:
    """Return scores that a decoder can read, (n_samples, n_bits), or raise with one sentence.

    Examples
    --------
    >>> check_scores(np.array([[1.0, np.nan]]), 2)
    Traceback (most recent call last):
        ...
    ValueError: Some scores are not numbers; a decoder cannot read them.
    """
    given = np.asarray(scores, dtype=np.float64)
    if given.ndim != 2 or given.shape[1] != n_bits:
        raise ValueError(
            f"Scores are a table with one column for each of the {n_bits} machines, "
            f"not of shape {given.shape}."
        )
    if not given.shape[0]:
        raise ValueError("There are no scores to decode: the table has 0 rows.")
    if np.isnan(given).any():
        raise ValueError("Some scores are not numbers; a decoder cannot read them.")
    if np.abs(given).max(initial=0.0) > LARGEST_SCORE:
        raise ValueError(f"Some scores are beyond {LARGEST_SCORE:g}; scale the features or the scores.")
    return given


def check_code_matrix(code_matrix: CodeMatrix, n_classes: int | None = None) -> CodeMatrix:
    """Return the matrix as int8 if machines can be trained on it, or raise with one sentence.

    Parameters
    ----------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}; every column needs both signs, every two rows must differ.
    """
    given: object = code_matrix
    if isinstance(given, str) or callable(given):
        raise ValueError("A code is the key of a coding, or a matrix with a row for each class.")  # noqa: TRY004 - one kind of error for every bad value
    try:
        matrix = np.asarray(code_matrix)
    except ValueError:
        raise ValueError("The rows of a code matrix must all have the same number of entries.") from None
    if matrix.ndim != 2 or matrix.shape[0] < 2 or matrix.shape[1] < 1:
        raise ValueError("A code matrix needs at least two rows (classes) and one column (machine).")
    if n_classes is not None and matrix.shape[0] != n_classes:
        raise ValueError(f"The code matrix has {matrix.shape[0]} rows but the data have {n_classes} classes.")
    if not np.isin(matrix, (-1, 0, 1)).all():
        raise ValueError("The entries of a code matrix are -1, 0 and +1 only.")
    one_sided = np.flatnonzero(~((matrix == 1).any(axis=0) & (matrix == -1).any(axis=0)))
    if one_sided.size:
        raise ValueError(
            f"Column {one_sided[0] + 1} has no class on one side; a machine needs a +1 and a -1."
        )
    unseen = np.flatnonzero(~matrix.any(axis=1))
    if unseen.size:
        raise ValueError(f"Row {unseen[0] + 1} is all zeros; no machine would ever be shown this class.")
    twins = _equal_rows(matrix)
    if twins is not None:
        raise ValueError(
            f"Rows {twins[0] + 1} and {twins[1] + 1} are equal; no decoder could tell these classes apart."
        )
    return matrix.astype(np.int8)


def _equal_rows(matrix: CodeMatrix) -> tuple[int, int] | None:
    seen: dict[bytes, int] = {}
    for c, codeword in enumerate(np.ascontiguousarray(matrix, dtype=np.int8)):
        first = seen.setdefault(codeword.tobytes(), c)
        if first != c:
            return first, c
    return None
