"""Hypothesis strategies for codes and class counts; how many examples, and which cases, a test gets."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

USUAL_EXAMPLES, MOST_EXAMPLES = 50, 2_000
NIGHTLY = settings.default.max_examples > USUAL_EXAMPLES
nightly = pytest.mark.skipif(not NIGHTLY, reason="left to make nightly")
"""Mark of a case that says little beyond another one, which runs every time."""
ENTRIES = {True: (-1, 0, 1), False: (-1, 1)}


def examples(n, **options):
    """Settings of a test whose examples cost more or less than others': n where those get 50.

    Under another profile it is in proportion, up to 2000 (or n, where that is more).
    """
    in_proportion = n * settings.default.max_examples // USUAL_EXAMPLES
    return settings(max_examples=min(max(in_proportion, 2), max(n, MOST_EXAMPLES)), **options)


def ternary_arrays(min_rows=0, max_rows=6, min_columns=0, max_columns=7):
    """Any int8 array of -1, 0 and +1: most break some rule of code matrices, and some are empty."""
    shapes = st.tuples(st.integers(min_rows, max_rows), st.integers(min_columns, max_columns))
    return nps.arrays(np.int8, shapes, elements=st.sampled_from([-1, 0, 1]))


def continuous_arrays(max_rows=5, max_columns=6):
    """Float arrays with a few values, so that equal rows and columns occur."""
    shapes = st.tuples(st.integers(0, max_rows), st.integers(0, max_columns))
    return nps.arrays(np.float64, shapes, elements=st.sampled_from([-2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0]))


@st.composite
def code_matrices(draw, min_classes=2, max_classes=7, max_bits=9, ternary=True):
    """Legal code matrices: every column has both signs, no two rows are equal."""
    n_classes = draw(st.integers(min_classes, max_classes))
    entries = st.sampled_from(ENTRIES[ternary])
    column = st.lists(entries, min_size=n_classes, max_size=n_classes).filter(
        lambda values: -1 in values and 1 in values
    )
    needed = (n_classes - 1).bit_length()
    drawn = draw(st.lists(column, min_size=needed, max_size=max(needed, max_bits)))
    matrix = np.array(drawn, dtype=np.int8).T
    if len({row.tobytes() for row in np.ascontiguousarray(matrix)}) < n_classes:
        # Write the row numbers in binary over the first columns: the shortest code there is.
        matrix[:, :needed] = 2 * (np.arange(n_classes)[:, None] >> np.arange(needed) & 1) - 1
    return matrix


@st.composite
def class_counts(draw, n_classes, smallest=0, largest=50):
    """How many samples each class has, (n_classes,)."""
    return draw(
        st.lists(st.integers(smallest, largest), min_size=n_classes, max_size=n_classes).map(np.array)
    )
