"""Discrete codes for machines whose bits are known: the error that counts ties, best columns, best codes.

Everything here takes the machines as given and asks which code makes the most of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import Bits, CodeMatrix, FloatArray, IntArray

EXACT_CLASSES = 12
"""Up to so many classes all columns are tried; above, columns are improved entry by entry."""
_CLIMBS = 10
"""Random columns that such a search starts from, besides the given one."""
EXHAUSTIVE_ENTRIES = 18
"""Codes of up to so many entries are searched exhaustively when the method is chosen automatically."""
BOUNDED_ENTRIES = 40
"""Codes of up to so many entries are searched by branch and bound when it is chosen automatically."""
STRIDE = 4_000_000
"""Patterns times partial codes that branch and bound looks at between two calls of `progress`."""
WORD_BITS = 12
"""Up to so many bits all codewords are listed."""
MAX_NODES = 3_000_000
"""Partial codes that branch and bound looks at before it gives up."""
METHODS = ("auto", "exhaustive", "branch-and-bound", "local")


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A dense code for given machines.

    Attributes
    ----------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}.
    error
        Share of wrong answers on the sample, ties broken at random.
    proved
        Whether no code has a smaller error.
    method
        How it was searched.
    """

    code_matrix: CodeMatrix
    error: float
    proved: bool
    method: str


def tie_aware_error(bits: Bits, y: IntArray, code_matrix: CodeMatrix) -> float:
    """Return the error if the class of highest score wins and ties are broken at random.

    Implements Eq. 1 of [Crammer2002]_ for codes and bits in {-1, 0, +1}, whose scores are whole numbers:
    a point counts 1 / (number of leading classes) if its class leads, and 0 otherwise.

    Parameters
    ----------
    bits : (n_samples, n_bits)
    y : (n_samples,)
    code_matrix : (n_classes, n_bits)

    Examples
    --------
    With equal rows every answer is a guess:

    >>> tie_aware_error(np.array([[1], [-1]]), np.array([0, 1]), np.array([[1], [1]]))
    0.5
    """
    scores = bits.astype(np.int64) @ code_matrix.T.astype(np.int64)
    leads = scores == scores.max(axis=1, keepdims=True)
    return 1 - float((leads[np.arange(y.size), y] / leads.sum(axis=1)).mean())


def first_column(
    bits: Bits, y: IntArray, n_classes: int, weights: FloatArray | None = None
) -> tuple[CodeMatrix, float]:
    """Return the best column for one given machine, and its tie-aware error.

    Implements Theorem 1 of [Crammer2002]_. For w classes on the + side the best are those with the
    largest a_r^+ (K - w) - a_r^- w, where a_r^+ and a_r^- count the class's points on which the machine
    says + and -; all w are compared. Among equals the fewest classes, then the lowest numbers.

    Symbols: w -> number of classes on the + side, a^+ and a^- -> `plus` and `minus`.

    Parameters
    ----------
    bits : (n_samples,)
        Entries in {-1, 0, +1}; where the machine says 0 all classes tie whatever the column.
    y : (n_samples,)
        A class may have no points.
    n_classes
        At least 2. Constant columns are never better than the best other one.
    weights : (n_samples,), optional
        How much each point counts.

    Returns
    -------
    column : (n_classes,)
        Entries in {-1, +1}, both present.
    error

    Examples
    --------
    >>> column, error = first_column(np.array([1, 1, -1, -1]), np.array([0, 1, 1, 2]), 3)
    >>> column.tolist(), round(error, 3)
    ([1, -1, -1], 0.5)
    """
    counts = np.ones(y.size) if weights is None else weights
    plus = np.bincount(y, weights=counts * (bits == 1), minlength=n_classes)
    minus = np.bincount(y, weights=counts * (bits == -1), minlength=n_classes)
    best, best_hits = np.zeros(n_classes, dtype=np.bool_), -1.0
    for w in range(1, n_classes):
        order = np.argsort(-(plus * (n_classes - w) - minus * w), kind="stable")
        inside = np.zeros(n_classes, dtype=np.bool_)
        inside[order[:w]] = True
        hits = float(plus[inside].sum() / w + minus[~inside].sum() / (n_classes - w))
        if hits > best_hits + 1e-9 * counts.sum():
            best, best_hits = inside, hits
    undecided = float(counts[bits == 0].sum()) / n_classes
    error = 1 - (best_hits + undecided) / float(counts.sum())
    return np.where(best, 1, -1).astype(np.int8), error


def next_column(
    scores: IntArray,
    bits: Bits,
    y: IntArray,
    taken: Iterable[CodeMatrix] = (),
    rng: np.random.Generator | None = None,
    progress: Progress = NO_PROGRESS,
) -> tuple[CodeMatrix, float]:
    """Return the best further column for one more given machine, and the error of the code with it.

    All columns with both signs are compared up to EXACT_CLASSES classes; above, the best of a few climbs
    that flip one entry at a time is returned. The first column of a code (all scores 0) is exact for
    any number of classes, by Theorem 1 of [Crammer2002]_.

    Parameters
    ----------
    scores : (n_samples, n_classes)
        Whole scores of the classes by the columns so far.
    bits : (n_samples,)
        The new machine's.
    y : (n_samples,)
    taken
        Columns (n_classes,) that may not be returned, nor their complements.
    rng
        Draws the starts of climbs.
    progress
        Told the share of the climbs that are made.
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.discrete_codes import column_hits  # noqa: PLC0415 - see above

    n_classes = scores.shape[1]
    used = list(taken)
    if not used and not scores.any():
        return first_column(bits, y, n_classes)
    F, h, N = _compress(scores, bits, y)
    if n_classes > EXACT_CLASSES:
        return _climbed_column(F, h, N, used, rng or np.random.default_rng(0), progress)
    values = column_hits(F, h, N)
    powers = 1 << np.arange(n_classes)
    values[[0, -1]] = -np.inf
    for column in used:
        values[[int(powers @ (column == 1)), int(powers @ (column == -1))]] = -np.inf
    number = int(np.argmax(values))
    if np.isneginf(values[number]):
        raise ValueError("Every column is taken; ask for fewer machines.")
    return np.where(number & powers, 1, -1).astype(np.int8), 1 - float(values[number]) / y.size


def _climbed_column(
    F: IntArray,
    h: IntArray,
    N: FloatArray,
    used: list[CodeMatrix],
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[CodeMatrix, float]:
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.discrete_codes import climb_column  # noqa: PLC0415 - see above

    found: list[tuple[float, CodeMatrix]] = []
    ends: list[CodeMatrix] = []
    for n_tries in range(1, _CLIMBS + 1):
        column, hits = climb_column(F, h, N, _half(F.shape[1], rng))
        progress.at(n_tries / _CLIMBS)
        ends.append(column)
        if _is_new(column, used):
            found.append((hits, column))
    if not found:  # all climbs end at taken columns, as on every machine that answers the same to all
        found = [(_column_hits(F, h, N, column), column) for column in _near(ends, used, rng)]
    hits, column = max(found, key=lambda pair: pair[0])
    return column, 1 - hits / float(N.sum())


def _half(n_classes: int, rng: np.random.Generator) -> CodeMatrix:
    """Draw a column with as many +1 as -1."""
    half = np.where(np.arange(n_classes) < n_classes // 2, 1, -1)
    column: CodeMatrix = rng.permutation(half).astype(np.int8)
    return column


def _is_new(column: CodeMatrix, used: list[CodeMatrix]) -> bool:
    """Say whether a column has both signs, and neither it nor its complement is taken."""
    taken = any((column == other).all() or (column == -other).all() for other in used)
    return abs(int(column.sum(dtype=np.int64))) < column.size and not taken


def _near(ends: list[CodeMatrix], used: list[CodeMatrix], rng: np.random.Generator) -> list[CodeMatrix]:
    """Return columns that differ from climbed ones in one entry and are not taken; else one at random."""
    found = []
    for column in np.unique(ends, axis=0):
        for place in range(column.size):
            flipped = column.copy()
            flipped[place] *= -1
            if _is_new(flipped, used):
                found.append(flipped)
    while not found:
        drawn = _half(ends[0].size, rng)
        found = [drawn] if _is_new(drawn, used) else []
    return found


def _column_hits(F: IntArray, h: IntArray, N: FloatArray, column: CodeMatrix) -> float:
    """Count the points decided rightly with one more column; of classes that tie, each gets its share."""
    scores = F + np.multiply.outer(h, column.astype(np.int64))
    best = scores == scores.max(axis=1, keepdims=True)
    return float((N * best / best.sum(axis=1, keepdims=True)).sum())


def _compress(scores: IntArray, bits: Bits, y: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Join points with equal scores and bits; return F (P, k), h (P,) and counts N (P, k)."""
    rows, place = np.unique(np.column_stack([scores, bits]).astype(np.int64), axis=0, return_inverse=True)
    counts = np.zeros((rows.shape[0], scores.shape[1]))
    np.add.at(counts, (place.ravel(), y), 1)
    return np.ascontiguousarray(rows[:, :-1]), np.ascontiguousarray(rows[:, -1]), counts


def search_code(
    bits: Bits,
    y: IntArray,
    n_classes: int,
    method: str = "auto",
    *,
    start: CodeMatrix | None = None,
    n_starts: int = 20,
    rng: np.random.Generator | None = None,
    progress: Progress = NO_PROGRESS,
) -> FoundCode:
    """Search the dense code of least tie-aware error for given machines, problem (b) of [Crammer2002]_.

    Finding the best code is NP-hard (Theorem 2 there, see `analysis.vertex_cover`).

    Parameters
    ----------
    bits : (n_samples, n_bits)
        Entries in {-1, 0, +1}.
    y : (n_samples,)
    n_classes
        A class may have no points.
    method
        "exhaustive" tries all 2^(n_classes n_bits) codes; "branch-and-bound" leaves out what cannot beat
        the best so far; "local" flips entries, and replaces rows where codewords can be listed, from
        many starts; "auto" takes the surest that is quick.
    start : (n_classes, n_bits), optional
        A code that local search starts from, besides random ones; it is kept where none is better.
    n_starts
        Number of starts of local search.
    rng
        Draws the starts.
    progress
        Told the share of the starts, then of the partial codes, that are looked at.
    """
    if method not in METHODS:
        raise ValueError(f"The method is one of {', '.join(METHODS)}.")
    n_bits = bits.shape[1]
    entries = n_classes * n_bits
    if method == "auto":
        method = "local" if entries > BOUNDED_ENTRIES or n_bits > WORD_BITS else "branch-and-bound"
        method = "exhaustive" if entries <= EXHAUSTIVE_ENTRIES else method
    if method == "exhaustive" and entries > 24:
        raise ValueError(
            f"There are 2^{entries} codes of this size; choose branch and bound or local search."
        )
    if method == "branch-and-bound" and n_bits > WORD_BITS:
        raise ValueError(
            f"Branch and bound lists all codewords, of up to {WORD_BITS} bits; these have {n_bits}."
        )
    H, counts = _patterns(bits, y, n_classes)
    if method == "exhaustive":
        from ecocviz.engine.kernels.discrete_codes import try_all  # noqa: PLC0415 - waits for the compiler

        rows, hits = try_all(_word_scores(H), counts)
        code_matrix, error = _words(n_bits)[rows], 1 - hits / y.size
        if start is not None and tie_aware_error(bits, y, start) <= error + 1e-12:
            code_matrix = start
        return FoundCode(code_matrix, error, proved=True, method=method)
    n_parts = 1 if method == "local" else 2
    rng = rng or np.random.default_rng(0)
    code_matrix, hits = _local(H, counts, start, n_starts, rng, progress.part(0, n_parts))
    if method == "local":
        return FoundCode(code_matrix, 1 - hits / y.size, proved=False, method=method)
    rows, hits, proved = _bounded(_word_scores(H), counts, code_matrix, hits, progress.part(1, 2))
    return FoundCode(_words(n_bits)[rows], 1 - hits / y.size, proved=proved, method=method)


def _patterns(bits: Bits, y: IntArray, n_classes: int) -> tuple[Bits, FloatArray]:
    """Join points with equal bits; return H (P, l) and counts N (P, k)."""
    H, place = np.unique(bits.astype(np.int8), axis=0, return_inverse=True)
    counts = np.zeros((H.shape[0], n_classes))
    np.add.at(counts, (place.ravel(), y), 1)
    return H, counts


def _words(n_bits: int) -> CodeMatrix:
    """List all codewords, (2^n_bits, n_bits): bit t of the number is entry t."""
    numbers = np.arange(1 << n_bits)[:, None]
    return (2 * (numbers >> np.arange(n_bits) & 1) - 1).astype(np.int8)


def _word_numbers(code_matrix: CodeMatrix) -> IntArray:
    numbers: IntArray = (code_matrix == 1) @ (1 << np.arange(code_matrix.shape[1]))
    return numbers.astype(np.int64)


def _word_scores(H: Bits) -> IntArray:
    """Return S, (P, 2^l)."""
    return H.astype(np.int64) @ _words(H.shape[1]).T.astype(np.int64)


def _bounded(
    S: IntArray, counts: FloatArray, code_matrix: CodeMatrix, hits: float, progress: Progress
) -> tuple[IntArray, float, bool]:
    """Return the rows of a best code, its hits, and whether the search came to its end."""
    from ecocviz.engine.kernels.discrete_codes import branch_and_bound, open_search  # noqa: PLC0415 - waits for the compiler

    search = open_search(S, counts, _word_numbers(code_matrix), hits)
    stride, n_nodes, ended = max(1, STRIDE // S.shape[0]), 0, False
    while not ended and n_nodes < MAX_NODES:
        ended, n_nodes = branch_and_bound(S, counts, search, min(n_nodes + stride, MAX_NODES))
        progress.at(min(1.0, n_nodes / MAX_NODES))
    return search.rows, float(search.best[0]), n_nodes < MAX_NODES


def _local(
    H: Bits,
    counts: FloatArray,
    start: CodeMatrix | None,
    n_starts: int,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[CodeMatrix, float]:
    """Climb from several codes, first by entries, then by rows where codewords can be listed."""
    n_bits, n_classes = H.shape[1], counts.shape[1]
    by_rows = n_bits <= WORD_BITS and H.shape[0] << n_bits <= 1 << 20
    S = _word_scores(H) if by_rows else None
    best: CodeMatrix = np.zeros((n_classes, n_bits), dtype=np.int8)
    best_hits = -1.0
    for number in range(n_starts):
        code = start if number == 0 and start is not None else rng.choice([-1, 1], size=best.shape)
        told = progress.part(number, n_starts)
        code, hits = climb_code(H, counts, np.ascontiguousarray(code, dtype=np.int8), told)
        if S is not None:
            rows, hits = climb_rows(S, counts, _word_numbers(code), told)
            code = _words(n_bits)[rows]
        told.at(1.0)
        if hits > best_hits + 1e-9:
            best, best_hits = code, float(hits)
    return best, best_hits


def climb_code(
    H: Bits, counts: FloatArray, code_matrix: CodeMatrix, progress: Progress = NO_PROGRESS
) -> tuple[CodeMatrix, float]:
    """Flip single entries of a code while that gains hits; return it with its hits.

    Parameters
    ----------
    H : (P, n_bits)
        Distinct bit patterns.
    counts : (P, n_classes)
        Points of each class with each pattern.
    code_matrix : (n_classes, n_bits)
    progress
        Asked after each row: nobody knows how long the climb is.
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.discrete_codes import count_hits, flip_entries  # noqa: PLC0415 - see above

    climbed = code_matrix.copy()
    F = H.astype(np.int64) @ climbed.T.astype(np.int64)
    hits, before = count_hits(F, counts), -np.inf
    while hits > before:
        before = hits
        for r in range(climbed.shape[0]):
            hits = flip_entries(H, counts, climbed, F, r, hits)
            progress.check()
    return climbed, float(hits)


def climb_rows(
    S: IntArray, counts: FloatArray, rows: IntArray, progress: Progress = NO_PROGRESS
) -> tuple[IntArray, float]:
    """Replace whole rows of a code while that gains hits; return them with their hits.

    Parameters
    ----------
    S : (P, 2^n_bits)
        Scores of all codewords.
    counts : (P, n_classes)
    rows : (n_classes,)
        Codeword numbers.
    progress
        As in `climb_code`.
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.discrete_codes import count_hits, replace_row  # noqa: PLC0415 - see above

    climbed = rows.copy()
    F = np.ascontiguousarray(S[:, climbed])
    hits, before = count_hits(F, counts), -np.inf
    while hits > before:
        before = hits
        for r in range(climbed.size):
            hits = replace_row(S, counts, climbed, F, r, hits)
            progress.check()
    return climbed, float(hits)
