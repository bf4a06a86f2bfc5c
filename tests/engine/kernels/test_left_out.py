"""Where scores may lie when a point is left out, and the margins at the worst of them."""

import numpy as np
import oracles_analysis as oracles
from hypothesis import given
from hypothesis import strategies as st
from strategies_decodings import decoding_cases
from strategies_learned import plain

from ecocviz.engine.kernels.left_out import border_scores, interval_ends, margins_and_losers


def machines(case, seed):
    """Coefficients, diagonal, classes and gaps that go with scores and a code."""
    scores, code_matrix = case
    rng = np.random.default_rng(seed)
    y = rng.integers(len(code_matrix), size=len(scores))
    supports = (code_matrix[y] != 0) & (rng.random(scores.shape) < 0.6)
    alphas = np.where(supports, rng.uniform(0, 2, scores.shape), 0.0)
    return (
        alphas,
        rng.uniform(0.2, 3, len(scores)),
        y,
        rng.choice([-1e-12, 0.0, 0.01, 0.5], scores.shape[1]),
        rng,
    )


@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_borders_are_the_ends_of_the_intervals_that_favour_wrong_classes(case, seed):
    F, M = case
    A, G, y, gaps, rng = machines(case, seed)
    falls = rng.random(gaps.size) < 0.8
    T = M[y]
    low, high = plain(interval_ends)(F, A, G, T, gaps, 1e-9)
    for i, s in np.ndindex(F.shape):
        want = oracles.left_out_interval(F[i, s], A[i, s], T[i, s], G[i], max(gaps[s], 0), 1e-9)
        np.testing.assert_allclose((low[i, s], high[i, s]), want, atol=1e-12)
    for_minus, for_plus = plain(border_scores)(F, A, G, M, y, gaps, 1e-9, falls)
    # A machine that was shown the point has one border: the end where the true class is worst off.
    toward_minus, toward_plus = np.where(falls, low, high), np.where(falls, high, low)
    np.testing.assert_allclose(for_minus, np.where(T < 0, toward_plus, toward_minus), atol=1e-12)
    np.testing.assert_allclose(for_plus, np.where(T > 0, toward_minus, toward_plus), atol=1e-12)


@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_compiled_loops_say_the_same(case, seed):
    F, M = case
    A, G, y, gaps, rng = machines(case, seed)
    falls = rng.random(gaps.size) < 0.8
    for kernel, arguments in (
        (interval_ends, (F, A, G, M[y], gaps, 1e-9)),
        (border_scores, (F, A, G, M, y, gaps, 1e-9, falls)),
    ):
        np.testing.assert_allclose(kernel(*arguments), plain(kernel)(*arguments), atol=1e-12)


@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 1000))
def test_margins_are_against_the_best_wrong_class_and_ties_are_lost(n_classes, n_samples, seed):
    rng = np.random.default_rng(seed)
    costs, y = rng.integers(-3, 4, (n_samples, n_classes)) / 2, rng.integers(n_classes, size=n_samples)
    want = oracles.margin(costs.tolist(), y.tolist())
    for kernel in (margins_and_losers, plain(margins_and_losers)):
        for rounding in (0.0, 0.3):
            margins, losers = kernel(costs, y, rounding)
            assert margins.tolist() == want
            limits = [rounding * (1 + max(map(abs, row))) for row in costs.tolist()]
            assert losers.tolist() == [m <= limit for m, limit in zip(want, limits, strict=True)]
