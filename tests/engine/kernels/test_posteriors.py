"""Coupling machines' probabilities to class probabilities, against general optimisers."""

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from strategies import examples
from strategies_decodings import codes, one_vs_all, one_vs_one

from ecocviz.engine.catalogue import build_code
from ecocviz.engine.kernels import posteriors
from ecocviz.engine.kernels.posteriors import couple, least_squares_posteriors


@examples(20)
@given(code_matrix=codes(max_classes=4, max_bits=5), seed=st.integers(0, 2**32 - 1))
def test_coupling_reaches_the_least_divergence(code_matrix, seed):
    rng = np.random.default_rng(seed)
    r, weights = (
        rng.uniform(0.02, 0.98, size=(1, code_matrix.shape[1])),
        rng.uniform(0.5, 9, code_matrix.shape[1]),
    )
    probabilities, divergences = couple(r, code_matrix, weights)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    reached = oracles.kl_objective(probabilities[0], r[0], code_matrix, weights)
    assert divergences[0] == pytest.approx(reached, rel=1e-7, abs=1e-9)
    starts = [np.zeros(len(code_matrix)), *rng.normal(size=(2, len(code_matrix)))]
    assert reached <= oracles.kl_minimum(r[0], code_matrix, weights, starts) + 2e-7 * weights.sum()


def multiply(r, code_matrix, weights, n_rounds, textbook):
    """Multiplicative updates alone: the textbooks' for pairs, or the one that descends for any code."""
    p = np.full(len(code_matrix), 1 / len(code_matrix))
    positive, negative = (code_matrix == 1).astype(float), (code_matrix == -1).astype(float)
    for _ in range(n_rounds):
        above, below = p @ positive, p @ negative
        if textbook:
            s = above / (above + below)
            said = positive @ (weights * r) + negative @ (weights * (1 - r))
            implied = positive @ (weights * s) + negative @ (weights * (1 - s))
        else:
            said = positive @ (weights * r / above) + negative @ (weights * (1 - r) / below)
            implied = (positive + negative) @ (weights / (above + below))
        p *= said / implied
        p /= p.sum()
    return p


def noisy(code_matrix, seed):
    rng = np.random.default_rng(seed)
    n_bits = code_matrix.shape[1]
    return rng.uniform(0.1, 0.9, size=(3, n_bits)), rng.uniform(1, 3, n_bits)


@pytest.mark.parametrize(
    "code_matrix, textbook",
    [(one_vs_one(4), True), (one_vs_one(4), False), (one_vs_all(4), False)],
    ids=["pairs-textbook", "pairs", "one-vs-all"],
)
def test_coupling_ends_where_multiplying_forever_would(code_matrix, textbook):
    r, weights = noisy(code_matrix, 6)
    probabilities, _ = couple(r, code_matrix, weights)
    expected = [multiply(row, code_matrix, weights, 4_000, textbook) for row in r]
    np.testing.assert_allclose(probabilities, expected, atol=1e-5)


def test_the_update_for_pairs_rests_above_the_minimum_of_other_codes():
    """Why the textbooks' update is not used: one-vs-all machines that contradict each other."""
    r, weights = noisy(one_vs_all(4), 6)
    _, divergences = couple(r, one_vs_all(4), weights)
    ends = [multiply(row, one_vs_all(4), weights, 2_000, textbook=True).clip(1e-12) for row in r]
    rest = [oracles.kl_objective(p, row, one_vs_all(4), weights) for p, row in zip(ends, r, strict=True)]
    assert (np.array(rest) >= divergences - 1e-9).all()
    assert (np.array(rest) > 1.001 * divergences).any()


def test_coupling_finds_solutions_on_the_boundary():
    """Machines that all deny a class drive its probability to zero without stopping the others."""
    r = np.array([[0.9, 0.1, 0.05]])
    probabilities, divergences = couple(r, one_vs_all(3), np.ones(3))
    assert probabilities.argmax() == 0
    assert np.isfinite(divergences).all()
    certain, _ = couple(np.array([[1.0, 0.0, 0.0]]), one_vs_all(3), np.ones(3))
    np.testing.assert_allclose(certain, [[1, 0, 0]], atol=1e-6)
    contradiction, _ = couple(np.array([[1.0, 1.0, 0.0]]), one_vs_all(3), np.ones(3))
    np.testing.assert_allclose(contradiction, [[0.5, 0.5, 0]], atol=1e-6)


def test_the_least_squares_start_wins_where_the_uniform_one_is_stuck(monkeypatch):
    """With both solvers switched off, the better start is returned; one is enough for some codes."""
    monkeypatch.setattr(posteriors, "MULTIPLYING_ROUNDS", 0)

    def unpolished(p, r, weights, classes, ends, masses):
        posteriors._masses(p, classes, ends, masses)
        return p, posteriors._divergence(r, weights, masses)

    monkeypatch.setattr(posteriors, "_polish", unpolished)
    run = getattr(posteriors._couple, "py_func", posteriors._couple)
    mixed = np.array([[1, 0], [-1, 1], [-1, -1]], dtype=np.int8)
    probabilities, _ = run(np.array([[0.7, 0.2]]), mixed, np.ones(2))
    assert probabilities[0].argmax() == 0
    for code_matrix in (one_vs_all(3), one_vs_one(3)):
        probabilities, _ = run(np.array([[0.7, 0.2, 0.1]]), code_matrix, np.ones(3))
        np.testing.assert_allclose(probabilities, 1 / 3, atol=1e-12)


def likely(code_matrix, n, seed, noise):
    """Machines' probabilities that follow from classes', a few of them likely, but for noise."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(len(code_matrix), 0.1), n) + 1e-6
    above, below = p @ (code_matrix == 1), p @ (code_matrix == -1)
    return expit(np.log(above / below) + noise * rng.normal(size=above.shape)), rng.uniform(
        0.5, 9, above.shape[1]
    )


LARGE = {
    "one-vs-all": one_vs_all(100),
    "pairs": one_vs_one(30),
    "dense": build_code("dense-random", 100, 0, n_bits=60),
    "sparse": build_code("sparse-random", 30, 0),
    "trees": build_code("nested-dichotomies", 60, 0),
}


@pytest.mark.parametrize("noise", [0.3, 2.0])
@pytest.mark.parametrize("name", LARGE)
def test_coupling_of_many_classes_reaches_the_least_divergence(name, noise):
    code_matrix = LARGE[name]
    r, weights = likely(code_matrix, 1, 3, noise)
    probabilities, divergences = couple(r, code_matrix, weights)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    for p, row, reached in zip(probabilities, r, divergences, strict=True):
        assert reached == pytest.approx(
            oracles.kl_objective(p, row, code_matrix, weights), rel=1e-8, abs=1e-9
        )
        assert reached <= oracles.kl_minimum_by_slopes(row, code_matrix, weights) + 1e-9 * weights.sum()


@examples(20)
@given(code_matrix=codes(max_classes=7, max_bits=12), seed=st.integers(0, 2**32 - 1), noise=st.floats(0, 4))
def test_coupling_rests_where_no_slope_is_left(code_matrix, seed, noise):
    """All slopes in log p are 0, machines' probabilities as extreme as sigmoids make them, or little is left.

    Where many distributions explain the machines, Newton creeps along a valley without height.
    """
    r, weights = likely(code_matrix, 3, seed, noise)
    probabilities, divergences = couple(r, code_matrix, weights)
    above, below = probabilities @ (code_matrix == 1), probabilities @ (code_matrix == -1)
    on_plus, on_minus = (
        weights * (1 / (above + below) - share / side) for share, side in ((r, above), (1 - r, below))
    )
    slopes = on_plus @ (code_matrix == 1).T + on_minus @ (code_matrix == -1).T
    creeps = np.abs(probabilities * slopes).max(axis=1) > 1e-8 * weights.sum()
    for row, reached in zip(r[creeps], divergences[creeps], strict=True):
        assert reached <= oracles.kl_minimum_by_slopes(row, code_matrix, weights) + 1e-9 * weights.sum()


def test_weights_scale_the_divergence_and_not_the_answer():
    rng = np.random.default_rng(1)
    r, code_matrix = rng.uniform(size=(4, 6)), one_vs_one(4)
    p, d = couple(r, code_matrix, np.ones(6))
    p_scaled, d_scaled = couple(r, code_matrix, np.full(6, 1e5))
    np.testing.assert_allclose(p_scaled, p, atol=1e-9)
    np.testing.assert_allclose(d_scaled, 1e5 * d, rtol=1e-9)


def test_machines_without_weight_are_not_heard():
    code_matrix = np.array([[1, 1], [-1, 0], [0, -1]], dtype=np.int8)
    p, d = couple(np.array([[0.8, 0.3]]), code_matrix, np.array([0.0, 1.0]))
    assert p[0, 0] / (p[0, 0] + p[0, 2]) == pytest.approx(0.3, abs=1e-6)
    assert d[0] == pytest.approx(0, abs=1e-9)
    one_sided = np.column_stack([code_matrix, np.ones(3, dtype=np.int8)])
    np.testing.assert_array_equal(
        couple(np.array([[0.8, 0.3, 0.1]]), one_sided, np.array([0.0, 1.0, 2.0]))[0], p
    )
    p, _ = couple(np.array([[0.8, 0.3]]), code_matrix, np.zeros(2))
    np.testing.assert_allclose(p, 1 / 3)


@examples(30)
@given(code_matrix=codes(max_classes=5, max_bits=6), seed=st.integers(0, 2**32 - 1))
def test_least_squares_reaches_the_least_objective(code_matrix, seed):
    rng = np.random.default_rng(seed)
    r = rng.choice([0.0, 0.1, 0.3, 0.5, 0.8, 1.0], size=(1, code_matrix.shape[1]))
    p = least_squares_posteriors(r, code_matrix)[0]
    assert (p >= 0).all() and p.sum() == pytest.approx(1, abs=1e-12)
    reached = oracles.qp_objective(p, r[0], code_matrix)
    assert reached <= oracles.qp_minimum(r[0], code_matrix) + 1e-7


@given(code_matrix=codes(max_classes=5, max_bits=6), seed=st.integers(0, 2**32 - 1))
def test_least_squares_is_optimal_by_its_own_conditions(code_matrix, seed):
    """Gradient equal on the classes in use, nowhere smaller: no other solver needed."""
    r = np.random.default_rng(seed).uniform(size=code_matrix.shape[1])
    p = least_squares_posteriors(r[None], code_matrix)[0]
    rows = np.where(code_matrix == 1, 1 - r, np.where(code_matrix == -1, -r, 0.0))
    gradient = rows @ (p @ rows)
    level = gradient @ p
    assert (gradient >= level - 1e-7).all()
    np.testing.assert_allclose(gradient[p > 1e-6], level, atol=1e-7)


def test_the_active_set_gives_up_after_enough_rounds(monkeypatch):
    """Rounding may let the same entry enter for ever; then what is there is returned."""
    entered = []
    monkeypatch.setattr(posteriors, "_steepest", lambda *_: entered.append(1) or (0, 1.0))
    run = getattr(posteriors._nonnegative, "py_func", posteriors._nonnegative)
    H = np.array([[2.0, 1.9], [1.9, 2.0]])
    x = run(H, np.array([1.0, 0.1]), 0.0)
    assert len(entered) == 3 * 2 + 10
    np.testing.assert_allclose(x, [0.5, 0])
