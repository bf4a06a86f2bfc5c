"""BCH codes: codewords of an algebraic error-correcting code, one for each class."""

import numpy as np

from ecocviz.engine.entries import Coding
from ecocviz.engine.kernels.columns import count_dense_columns, first_entry_positive, usable_columns
from ecocviz.engine.kernels.field import bch_generators, encode
from ecocviz.engine.kernels.row_distances import row_distances, smallest_and_mean
from ecocviz.engine.params import IntParam
from ecocviz.engine.random_codes import fewest_bits
from ecocviz.engine.references import DIETTERICH_1995
from ecocviz.engine.types import BoolArray, CodeMatrix

_DRAWS = 50
"""Sets of codewords tried; most differ little."""


def bch(n_classes: int, n_bits: int = 0, *, seed: int = 0) -> CodeMatrix:
    """Give each class a word of a primitive narrow-sense binary BCH code.

    The shortest such code with room for n_bits columns and the least dimension with enough words is
    built in GF(2^m) [Lin2004]_. One word per class is drawn (the best of several draws by number of
    usable columns and row distance), constant, repeated and complementary columns are dropped, and
    then columns are taken out, those first that hurt the closest rows least, until n_bits are left.

    Differs from the paper: [Dietterich1995]_ describes BCH codes of which columns were then selected
    by hand-made criteria and randomised hill climbing; the paper prints neither the words nor the
    columns, so the very matrices of its experiments, and of later work that used "3Q columns", cannot
    be reproduced. This is a code of the same family.

    Parameters
    ----------
    n_bits
        Number of columns; 0 means three for each class. Fewer where not so many usable columns exist,
        and never fewer than the code's dimension, which keep the words apart.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, +1}; the first row is all +1.

    Examples
    --------
    Ten classes and 30 columns come from the code of length 31 whose words differ in 15 places or
    more; taking out one column leaves 14 at least:

    >>> code_matrix = bch(10)
    >>> code_matrix.shape, bool(smallest_and_mean(row_distances(code_matrix))[0] >= 14)
    ((10, 30), True)
    """
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    m, dimension, wanted = _plan(n_classes, n_bits)
    rng = np.random.default_rng(seed)
    best = np.zeros((n_classes, 0), dtype=np.int8)
    best_protected = np.zeros(0, dtype=np.bool_)
    best_merit = (-1, 0.0, 0.0)
    for _ in range(_DRAWS):
        messages = rng.choice(1 << dimension, size=n_classes, replace=False)
        words = (2 * encode(messages, dimension, m) - 1).astype(np.int8)
        kept = usable_columns(words)
        candidate = first_entry_positive(words[:, kept])
        merit = (min(wanted, kept.size), *smallest_and_mean(row_distances(candidate)))
        if merit > best_merit:
            best, best_protected, best_merit = candidate, kept < dimension, merit
    return _shorten(best, wanted, best_protected)


def _plan(n_classes: int, n_bits: int) -> tuple[int, int, int]:
    """Choose m, the dimension of the BCH code of length 2^m - 1, and the number of columns to keep."""
    needed = fewest_bits(n_classes)
    wanted = min(max(n_bits or 3 * n_classes, needed), count_dense_columns(n_classes))
    m = wanted.bit_length()
    while max(bch_generators(m)) < needed:
        m += 1
    dimension = min(k for k in bch_generators(m) if k >= needed)
    return m, dimension, min(max(wanted, dimension), count_dense_columns(n_classes))


def _shorten(code_matrix: CodeMatrix, n_bits: int, protected: BoolArray) -> CodeMatrix:
    """Take out columns until n_bits are left, keeping all rows apart.

    The message bits alone tell all words apart: should the free choice lose a pair of rows, the
    columns are chosen again among the others.
    """
    free = _take_out(code_matrix, n_bits, np.zeros_like(protected))
    if smallest_and_mean(row_distances(free))[0] > 0:
        return free
    return _take_out(code_matrix, n_bits, protected)


def _take_out(code_matrix: CodeMatrix, n_bits: int, protected: BoolArray) -> CodeMatrix:
    """Take out the columns that separate the fewest close pairs of rows, some at a time."""
    kept = np.arange(code_matrix.shape[1])
    while kept.size > n_bits:
        M = code_matrix[:, kept].astype(np.float64)
        distances = row_distances(code_matrix[:, kept])
        np.fill_diagonal(distances, np.inf)
        urgency = np.exp2(distances.min() - distances)
        separated = (urgency.sum() - np.einsum("cb,cb->b", M, urgency @ M)) / 2
        order = np.argsort(np.where(protected[kept], np.inf, separated), kind="stable")
        count = max(1, (kept.size - n_bits) // 8)
        kept = np.sort(kept[order[count:]])
    return np.ascontiguousarray(code_matrix[:, kept])


def _n_bits(n_classes: int, n_bits: int = 0) -> int:
    return 1 if n_classes == 2 else _plan(n_classes, n_bits)[2]


CODING = Coding(
    key="bch",
    title="BCH",
    summary="Codewords of an algebraic error-correcting code: long, and far apart by construction.",
    build=bch,
    n_bits=_n_bits,
    reference=DIETTERICH_1995,
    params=(
        IntParam(
            name="n_bits",
            label="Machines",
            default=0,
            low=0,
            high=500,
            automatic=0,
            help="How many columns to keep; 0 is automatic: three for each class.",
        ),
    ),
    seeded=True,
    max_classes=128,
    instead="dense-random",
    order=12,
)
