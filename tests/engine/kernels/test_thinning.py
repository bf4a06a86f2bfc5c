"""What a column is worth to a code: accuracy without it, and pairs that only it parts."""

import numpy as np
import oracles_codes
from hypothesis import given
from hypothesis import strategies as st
from strategies import code_matrices
from strategies_learned import plain

from ecocviz.engine.kernels.thinning import hits_without, needed_columns


@given(code_matrices(max_bits=6), st.data())
def test_needed_columns_are_the_only_ones_for_some_pair(code_matrix, data):
    n_bits = code_matrix.shape[1]
    left = np.array(data.draw(st.lists(st.booleans(), min_size=n_bits, max_size=n_bits)))
    needed = needed_columns(code_matrix, left)
    np.testing.assert_array_equal(needed, plain(needed_columns)(code_matrix, left))
    rows = code_matrix[:, left].tolist()
    for j in np.flatnonzero(left):
        rest = code_matrix[:, left & (np.arange(n_bits) != j)].tolist()
        lost = any(
            oracles_codes.row_distance(rows[a], rows[b]) == 1
            and oracles_codes.row_distance(rest[a], rest[b]) == 0
            for a in range(len(rows))
            for b in range(a)
        )
        assert needed[j] == lost
    assert not needed[~left].any()


def test_hits_count_the_first_of_equal_scores():
    M = np.array([[1, 1], [-1, -1]], np.int8)
    F = np.array([[1.0, -1.0], [1.0, -1.0]])
    left = np.array([True, True])
    scores = F @ M.T.astype(float)
    values = hits_without(scores, F, M, np.array([0, 1]), left)
    # All: a tie, which class 0 wins; without the first only class 1 is answered.
    assert values.tolist() == [1, 1, 1]
    values = hits_without(scores, F, M, np.array([0, 0]), left)
    assert values.tolist() == [0, 2, 2]
    assert plain(hits_without)(scores, F, M, np.array([0, 0]), left).tolist() == [0, 2, 2]
