"""Bounds on how many machines err at once: each is a bound on every joint distribution that is tried."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz.engine.analysis.bits import bit_report
from ecocviz.engine.analysis.error_bounds import (
    SLACK,
    cantelli_tail,
    chernoff_tail,
    first_order_counts,
    independent_counts,
    sharp_tail,
    tails,
)
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.bits.facts import compare_bits

RATES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6).map(np.array)


def patterns(n):
    """All ways in which n machines can err, (2**n, n)."""
    return np.array(list(product((0, 1), repeat=n)), dtype=float)


def counts_of(chances, errors):
    """The chances of 0, 1, ..., n errors."""
    return np.bincount(errors.sum(axis=1).astype(int), chances, minlength=errors.shape[1] + 1)


def joint(n, seed):
    """A distribution over all patterns, most of the weight on a few."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(2**n, rng.choice([0.02, 0.3, 1.0])))


def largest_tail(mean, second, n, k):
    """By every basis of three counts, or of two or one: what a linear program would choose among."""
    best = 0.0
    for size in (1, 2, 3):
        for support in combinations(range(n + 1), size):
            s = np.array(support, dtype=float)
            rows = np.vstack([np.ones(size), s, s * s])
            weights, *_ = np.linalg.lstsq(rows, np.array([1.0, mean, second]), rcond=None)
            if (weights > -1e-9).all() and np.allclose(rows @ weights, [1.0, mean, second], atol=1e-9):
                best = max(best, float(weights[s > k].sum()))
    return best


@given(RATES)
def test_independent_machines_are_counted_as_all_patterns_say(rates):
    errors = patterns(rates.size)
    chances = np.prod(np.where(errors == 1, rates, 1 - rates), axis=1)
    found = independent_counts(rates)
    np.testing.assert_allclose(found, counts_of(chances, errors), atol=1e-12)
    for k in range(rates.size + 1):
        bound = chernoff_tail(float(rates.mean()), rates.size, k)
        assert found[k + 1 :].sum() <= bound + 1e-12 and bound <= 1


def test_the_exponential_bound_falls_exponentially_with_the_length():
    # Half as many errors as would be one too many: each doubling of the length squares the bound.
    bounds = [chernoff_tail(0.125, n, n // 4 - 1) for n in (16, 32, 64, 128)]
    np.testing.assert_allclose(np.log(bounds[1:]), 2 * np.log(bounds[:-1]), rtol=1e-9)


@given(st.integers(2, 6), st.integers(0, 10_000))
def test_correlated_machines_are_counted_as_all_patterns_say(n, seed):
    rng = np.random.default_rng(seed)
    rates, half = rng.uniform(0.05, 0.95, n), rng.uniform(-0.05, 0.05, (n, n))
    covariances = np.triu(half, 1) + np.triu(half, 1).T
    errors = patterns(n)
    chances = np.prod(np.where(errors == 1, rates, 1 - rates), axis=1)
    z = (errors - rates) / (rates * (1 - rates))
    factor = 1 + sum(covariances[i, j] * z[:, i] * z[:, j] for i, j in combinations(range(n), 2))
    found = first_order_counts(rates, covariances)
    np.testing.assert_allclose(found, counts_of(chances * factor, errors), atol=1e-9)
    number = np.arange(n + 1)
    variance = (rates * (1 - rates)).sum() + covariances.sum()
    np.testing.assert_allclose(found.sum(), 1, atol=1e-9)
    np.testing.assert_allclose(found @ number, rates.sum(), atol=1e-9)
    np.testing.assert_allclose(found @ (number - rates.sum()) ** 2, variance, atol=1e-9)


def test_one_and_half_as_a_rate_is_no_special_case():
    for n in (1, 2, 3, 4):
        half = np.full(n, 0.5)
        expected = independent_counts(half)
        np.testing.assert_allclose(first_order_counts(half, np.zeros((n, n))), expected, atol=1e-12)


@examples(40)
@given(st.integers(1, 5), st.integers(0, 10_000))
def test_what_knows_mean_and_variance_bounds_every_joint_distribution_and_is_sharp(n, seed):
    errors, chances = patterns(n), joint(n, seed)
    counts, number = counts_of(chances, errors), np.arange(n + 1)
    mean = float(counts @ number)
    variance = float(counts @ (number - mean) ** 2)
    for k in range(n + 1):
        happens = counts[k + 1 :].sum()
        sharp, cantelli = sharp_tail(mean, variance, n, k), cantelli_tail(mean, variance, k)
        assert happens <= sharp + 1e-12 and happens <= cantelli + 1e-12
        assert sharp <= cantelli + 2 * SLACK
        assert sharp == pytest.approx(largest_tail(mean, float(counts @ number**2), n, k), abs=1e-5)


@given(st.integers(1, 40), st.integers(1, 6), st.integers(0, 10_000))
def test_what_happened_stays_below_its_bounds_with_any_code(n, n_bits, seed):
    rng = np.random.default_rng(seed)
    code = rng.integers(-1, 2, (4, n_bits)).astype(np.int8)
    scores, truth = rng.normal(size=(n, n_bits)), rng.integers(0, 4, n)
    scores[:, n_bits // 2 :] = scores[:, :1]  # machines that err together
    report = bit_report(scores, code, truth)
    found = tails(report, n_bits)
    number = (np.sign(scores) != code[truth]) & (code[truth] != 0)
    expected = [(number.sum(axis=1) > k).mean() for k in range(n_bits + 1)]
    np.testing.assert_allclose(found.observed, expected)
    assert (found.observed <= found.sharp + 1e-12).all() and (found.observed <= found.cantelli + 1e-12).all()
    assert (found.independent <= found.chernoff + 1e-12).all()
    assert ((found.first_order >= 0) & (found.first_order <= 1)).all()


@examples(12)
@given(st.integers(7, 400), st.integers(1, 300), st.integers(0, 10_000))
def test_bounds_of_long_codes_are_above_what_happened(n_bits, n, seed):
    rng = np.random.default_rng(seed)
    spread = rng.binomial(n_bits, rng.random(), n)
    few = rng.choice(rng.integers(0, n_bits + 1, 3), n)  # what a sharp bound is reached by
    small = np.minimum(rng.geometric(rng.uniform(0.1, 1), n) - 1, n_bits)
    for number in (spread, few, small):
        mean, variance = float(number.mean()), float(number.var())
        for k in {0, 2, n_bits // 8, int(np.median(number)), int(number.max()) - 1} - {-1}:
            sharp, cantelli = sharp_tail(mean, variance, n_bits, k), cantelli_tail(mean, variance, k)
            assert (number > k).mean() <= min(sharp, cantelli) + 1e-9
            assert sharp <= cantelli + 2 * SLACK


@pytest.mark.parametrize("coding", ["hadamard", "dense-random", "one-vs-one"])
def test_trained_machines_stay_below_their_bounds(coding):
    facts = compare_bits(train(make_scenario(data="glass", coding=coding)), "test")
    found = tails(facts.report, facts.n_bits)
    assert (found.observed <= found.sharp + 1e-12).all() and (found.sharp <= found.cantelli + SLACK * 2).all()
    assert (
        found.observed[max(facts.repairs, 0)]
        == 1 - facts.report.histogram[: max(facts.repairs, 0) + 1].sum() / facts.n
    )
