"""What a code matrix promises before any machine is trained, as numbers and in words."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ecocviz.engine.kernels.columns import (
    column_distances,
    smallest_column_distance,
    twin_columns,
    two_sided,
)
from ecocviz.engine.kernels.row_distances import (
    hamming_repairs,
    hamming_row_distances,
    largest_distance,
    row_distances,
    smallest_and_mean,
)
from ecocviz.engine.types import AnyCode, BoolArray, FloatArray, IntArray

MAX_COLUMN_TABLE = 512
"""Columns up to which a report holds the distances of all of them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodeReport:
    """What a code matrix promises, whatever the machines. Rows and columns are counted from 0.

    Attributes
    ----------
    n_classes, n_bits
        The shape of the matrix.
    continuous
        Some entry is not -1, 0 or +1; what only makes sense for these is then None or empty.
    row_distances : (n_classes, n_classes)
        D(a, b) = 1/2 sum over s of |m_as| |m_bs| |m_as - m_bs|: the columns that put a and b on
        opposite sides. Columns that leave out either class do not count.
    hamming_distances : (n_classes, n_classes)
        Sum of (1 - m_as m_bs) / 2, as in [Allwein2000]_: columns that leave out either class count 1/2,
        so that this is not 0 even between a row with zeros and itself. Equal to D without zeros.
    min_distance, mean_distance
        Of D, over pairs of different rows; 0 if there is no pair.
    min_hamming_distance
        The same for the other definition.
    largest_distance
        No code with as many rows and columns has a larger minimum D (Plotkin's argument: a column puts
        at most half times half of the rows on opposite sides).
    closest_rows : (n_pairs, 2)
        The pairs at the minimum of D.
    repairable_bits
        floor((d - 1) / 2) for the minimum d of D: with so many wrong bits among those a class's row
        shows, attenuated Hamming decoding (zeros cost nothing) still finds the class, whatever the
        other machines say. -1 if not even a row without a wrong bit is found for certain; None for
        continuous codes and fewer than two rows.
    class_repairs : (n_classes,)
        The same for Hamming decoding, in which each zero costs every class 1/2, row by row: see
        `hamming_repairs`. Empty where `repairable_bits` is None.
    repairable_bits_hamming
        Its minimum. Equal to `repairable_bits` where all rows have the same number of zeros.
    equal_rows : (n_pairs, 2)
        No decoder tells these classes apart.
    unseparated_rows : (n_pairs, 2)
        D = 0: no machine has these classes on opposite sides. Contains the equal rows.
    disjoint
        Every two rows have a column with product -1, so no word of bits fits two rows and the
        probabilities of likelihood decoding are exact.
    one_sided_columns : (n_columns,)
        No class on one side or on both: no machine can be trained (constant columns are of this kind).
    repeated_columns, complementary_columns : (n_pairs, 2)
        A column and the first earlier one with the same entries, or all signs turned: the same machine.
    column_distances : (n_bits, n_bits), or None for more than 512 columns
        See `column_distances`.
    min_column_distance
        Over pairs of different columns; 0 if there is no pair.
    zeros_per_row : (n_classes,)
        Machines that never see the class.
    positive_classes, negative_classes : (n_bits,)
        Number of classes on either side.
    balance : (n_bits,)
        Share of the samples a machine is shown that are on its smaller side, 0 to 1/2.
    sizes : (n_bits,)
        Samples a machine is shown, N_s, from the class counts (one sample per class without them).
    linear_cost, quadratic_cost
        Sums of N_s and of N_s^2: training grows like something between the two.
    """

    n_classes: int
    n_bits: int
    continuous: bool
    row_distances: FloatArray
    hamming_distances: FloatArray
    min_distance: float
    mean_distance: float
    min_hamming_distance: float
    largest_distance: int
    closest_rows: IntArray
    repairable_bits: int | None
    class_repairs: IntArray
    repairable_bits_hamming: int | None
    equal_rows: IntArray
    unseparated_rows: IntArray
    disjoint: bool
    one_sided_columns: IntArray
    repeated_columns: IntArray
    complementary_columns: IntArray
    column_distances: FloatArray | None
    min_column_distance: float
    zeros_per_row: IntArray
    positive_classes: IntArray
    negative_classes: IntArray
    balance: FloatArray
    sizes: FloatArray
    linear_cost: float
    quadratic_cost: float


def code_report(code_matrix: npt.ArrayLike, class_counts: npt.ArrayLike | None = None) -> CodeReport:
    """Measure a code matrix; broken ones (a matrix being edited) are measured too.

    Parameters
    ----------
    code_matrix : array-like of shape (n_classes, n_bits)
        Entries in {-1, 0, +1}, or any numbers for a continuous code.
    class_counts : array-like of shape (n_classes,), default=None
        Training samples of each class, for the cost of training; one per class if left out.

    Examples
    --------
    >>> report = code_report([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]])
    >>> report.min_distance, report.repairable_bits, report.disjoint
    (2.0, 0, True)
    """
    M = _as_code(code_matrix)
    n_classes, n_bits = M.shape
    counts = _as_counts(class_counts, n_classes)
    continuous = bool(np.issubdtype(M.dtype, np.floating))
    promises = n_classes >= 2 and not continuous
    signs = np.sign(M).astype(np.int8)
    distances = row_distances(M)
    min_distance, mean_distance = smallest_and_mean(distances)
    hamming = hamming_row_distances(M)
    opposite = row_distances(signs)
    repairs = hamming_repairs(M) if promises else np.zeros(0, dtype=np.int64)
    repeated, complementary = twin_columns(M)
    table = column_distances(M) if n_bits <= MAX_COLUMN_TABLE else None
    if table is not None:
        min_column_distance = smallest_and_mean(table)[0]
    else:
        min_column_distance = 0.0 if repeated.size + complementary.size else smallest_column_distance(M)
    positive, negative = counts @ (signs > 0), counts @ (signs < 0)
    sizes = positive + negative
    return CodeReport(
        n_classes=n_classes,
        n_bits=n_bits,
        continuous=continuous,
        row_distances=distances,
        hamming_distances=hamming,
        min_distance=min_distance,
        mean_distance=mean_distance,
        min_hamming_distance=smallest_and_mean(hamming)[0],
        largest_distance=largest_distance(n_classes, n_bits),
        closest_rows=_row_pairs(distances == min_distance),
        repairable_bits=(int(min_distance) - 1) // 2 if promises else None,
        class_repairs=repairs,
        repairable_bits_hamming=int(repairs.min()) if promises else None,
        equal_rows=_row_pairs(_equal_rows(M)),
        unseparated_rows=_row_pairs(opposite == 0),
        disjoint=_row_pairs(opposite == 0).size == 0,
        one_sided_columns=np.flatnonzero(~two_sided(signs)),
        repeated_columns=repeated,
        complementary_columns=complementary,
        column_distances=table,
        min_column_distance=min_column_distance,
        zeros_per_row=(signs == 0).sum(axis=1),
        positive_classes=(signs > 0).sum(axis=0),
        negative_classes=(signs < 0).sum(axis=0),
        balance=np.minimum(positive, negative) / np.maximum(sizes, np.finfo(np.float64).tiny),
        sizes=sizes,
        linear_cost=float(sizes.sum()),
        quadratic_cost=float((sizes**2).sum()),
    )


def _as_code(code_matrix: npt.ArrayLike) -> AnyCode:
    """Return int8 if all entries are -1, 0, +1, else float64."""
    M = np.asarray(code_matrix)
    if M.ndim != 2:
        raise ValueError(f"A code matrix has rows and columns; this array has {M.ndim} dimensions.")
    entries: FloatArray = M.astype(np.float64)
    if not np.isfinite(entries).all():
        raise ValueError("A code matrix holds finite numbers only; replace the entries that are not.")
    return entries.astype(np.int8) if np.isin(entries, (-1, 0, 1)).all() else entries


def _as_counts(class_counts: npt.ArrayLike | None, n_classes: int) -> FloatArray:
    if class_counts is None:
        return np.ones(n_classes)
    counts = np.asarray(class_counts, dtype=np.float64)
    if counts.shape != (n_classes,) or not (counts >= 0).all():
        raise ValueError(f"The class counts must be {n_classes} numbers, one for each row, none negative.")
    return counts


def _row_pairs(holds: BoolArray) -> IntArray:
    """List the pairs a < b for which the relation holds, (n_pairs, 2)."""
    return np.argwhere(np.triu(holds, k=1))


def _equal_rows(M: AnyCode) -> BoolArray:
    """Tell which rows are equal, (n_classes, n_classes)."""
    _, names = np.unique(M, axis=0, return_inverse=True) if M.size else (None, np.zeros(M.shape[0]))
    equal: BoolArray = names[:, None] == names[None, :]
    return equal


def describe_code(report: CodeReport) -> str:
    """Say in a few sentences what the numbers of a report mean. Rows and columns count from 1 here.

    Examples
    --------
    >>> print(describe_code(code_report([[1, 1, 1, 1, 1], [1, -1, -1, 1, -1], [-1, 1, -1, -1, 1]])))
    Row distance 3, so one wrong bit is always repaired; no code of this size does better. \
Columns 1 and 4, 2 and 5 are equal: the same machine twice. No one-sided or mirrored columns.
    """
    if report.n_classes < 2 or report.n_bits < 1:
        return "A code matrix needs at least two rows (classes) and one column (machine)."
    return " ".join([*_row_sentences(report), *_column_sentences(report)])


def _row_sentences(report: CodeReport) -> list[str]:
    if report.equal_rows.size:
        return [f"{_list_pairs('Rows', report.equal_rows)} equal: no decoder tells these classes apart."]
    if report.repairable_bits is None or report.repairable_bits_hamming is None:
        return ["A continuous code: bits cannot be counted as wrong or right, so it repairs no fixed number."]
    if report.unseparated_rows.size:
        listed = _list_pairs("Rows", report.unseparated_rows)
        return [f"{listed} never on opposite sides: no machine was taught to tell these classes apart."]
    sentence = f"Row distance {report.min_distance:.0f}, so {_repairs(report.repairable_bits)}"
    if report.min_distance == report.largest_distance:
        sentence += "; no code of this size does better."
    else:
        sentence += f"; no code of this size can have more than {report.largest_distance}."
    sentences = [sentence]
    if report.zeros_per_row.any():
        sentences += _zero_sentences(report)
    return sentences


def _zero_sentences(report: CodeReport) -> list[str]:
    """Say what zeros change: which decoders the promise is about."""
    if report.repairable_bits_hamming == report.repairable_bits:
        return ["It holds whatever the machines that never saw the class answer."]
    plain = "a class can be lost even when no bit is wrong"
    if report.repairable_bits_hamming is not None and report.repairable_bits_hamming >= 0:
        plain = _repairs(report.repairable_bits_hamming)
    return [
        "This is for decoders that ignore machines that never saw the class.",
        f"With plain Hamming decoding, where each of these costs one half, {plain}.",
    ]


def _repairs(n_bits: int) -> str:
    if n_bits == 0:
        return "one wrong bit can be enough to lose the class"
    return "one wrong bit is always repaired" if n_bits == 1 else f"{n_bits} wrong bits are always repaired"


def _column_sentences(report: CodeReport) -> list[str]:
    sentences = []
    clean = []
    if report.one_sided_columns.size:
        many = report.one_sided_columns.size > 1
        listed = _list_items([str(b + 1) for b in report.one_sided_columns])
        sentences.append(
            f"Column{'s' * many} {listed} {'have' if many else 'has'} no class on one side: "
            "no machine can be trained."
        )
    else:
        clean.append("one-sided")
    for word, pairs in (
        ("equal", report.repeated_columns),
        ("mirrored", report.complementary_columns),
    ):
        if pairs.size:
            sentences.append(f"{_list_pairs('Columns', pairs)} {word}: the same machine twice.")
        else:
            clean.append("repeated" if word == "equal" else word)
    if clean:
        joined = clean[0] if len(clean) == 1 else ", ".join(clean[:-1]) + f" or {clean[-1]}"
        sentences.append(f"No {joined} columns.")
    return sentences


def _list_pairs(noun: str, pairs: IntArray) -> str:
    """Write the first few pairs, with the verb: "Rows 1 and 3 are"."""
    return f"{noun} {_list_items([f'{first + 1} and {second + 1}' for first, second in pairs])} are"


def _list_items(items: list[str]) -> str:
    """Join with commas, at most three; say how many more there are."""
    shown = ", ".join(items[:3])
    return shown if len(items) <= 3 else f"{shown} and {len(items) - 3} more"
