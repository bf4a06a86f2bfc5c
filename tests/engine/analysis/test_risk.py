import math

import numpy as np
import oracles_single as oracle
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ecocviz.engine.analysis import risk as bound


@given(
    st.integers(20, 10**6), st.integers(1, 30), st.floats(0.5, 50), st.floats(0.5, 3), st.floats(0.001, 0.5)
)
def test_complexity_is_that_of_the_formula(m, n, R, gamma, delta):
    assume(gamma * math.e * m > 8 * math.sqrt(R))
    assert bound.complexity(m, n, R, margin=gamma, delta=delta) == pytest.approx(
        oracle.root_of_q(m, n, R, gamma, delta)
    )


@pytest.mark.parametrize(
    ("m", "radius", "expected"),
    [
        (135, None, 74.8),
        (1555, None, 60.5),
        (10**6, None, 22.0),
        (10**9, None, 5.8),
        (135, 1.0, 23.9),
        (1555, 1.0, 10.1),
        (10**6, 1.0, 0.70),
        (10**9, 1.0, 0.032),
    ],
)
def test_the_bound_is_vacuous_at_any_size_met(m, radius, expected):
    R = math.sqrt(m) if radius is None else radius
    assert bound.complexity(m, 3, R, margin=1.0, delta=0.05) == pytest.approx(expected, rel=0.01)


def test_complexity_is_infinite_outside_the_formula():
    assert bound.complexity(2, 3, 1.0, margin=1.0, delta=0.05) == math.inf  # e m <= 8
    assert bound.complexity(3, 3, 1.0, margin=1.0, delta=0.05) < math.inf
    # A huge margin makes the second logarithm negative, and Q with it.
    assert bound.complexity(10, 1, 1e-12, margin=1.0, delta=0.999) == math.inf


def test_margins_are_those_of_a_machine_of_norm_one():
    scores, targets = np.array([[2.0, -4.0], [-1.0, 3.0]]), np.array([[1.0, -1.0], [1.0, -1.0]])
    # Y h = 2, 4, -1, -3; divided by the norm 2: 1, 2, -0.5, -1.5
    assert bound.margin_error(scores, targets, 2.0, 1.0) == 0.5
    assert bound.margin_error(scores, targets, 2.0, 1.01) == 0.75
    assert bound.margin_error(scores, targets, 1.0, 1.01) == 0.5  # not normalised: another number
    assert bound.margin_error(scores, targets, 2.0, 1.01, np.array([1, 0])) == 0.5
    assert bound.margin_error(scores, targets, 2.0, 1.01, np.array([0, 0])) == 1.0


def test_the_sample_of_replicas_has_the_reported_expectation():
    rng = np.random.default_rng(0)
    scores, targets = rng.normal(size=(40, 3)), rng.choice([-1.0, 1.0], size=(40, 3))
    arguments = {"margin": 0.5, "delta": 0.05}
    mean = bound.risk_bound(scores, targets, 1.0, 1.0, 3, **arguments)
    drawn = [
        bound.risk_bound(scores, targets, 1.0, 1.0, 3, seed=seed, **arguments).margin_error
        for seed in range(400)
    ]
    assert np.mean(drawn) == pytest.approx(mean.margin_error, abs=0.015)
    assert len(set(drawn)) > 3
    again = bound.risk_bound(scores, targets, 1.0, 1.0, 3, seed=7, **arguments)
    assert again.margin_error == drawn[7]
    assert mean.raw == pytest.approx(3 * (mean.margin_error + mean.complexity))
    assert mean.value == 1.0


def test_a_bound_below_one_is_given_as_it_is():
    scores = np.full((1, 2), 10.0)
    good = bound.risk_bound(
        np.broadcast_to(scores, (10**6, 2)), np.ones((10**6, 2)), 1.0, 1e-4, 1, margin=1.0, delta=0.05
    )
    assert good.margin_error == 0
    assert 0 < good.raw == good.value < 1


@pytest.mark.parametrize("settings", [{"margin": 0.0, "delta": 0.1}, {"margin": 1.0, "delta": 1.0}])
def test_bad_settings_are_refused(settings):
    with pytest.raises(ValueError, match=r"margin must be|delta must lie"):
        bound.risk_bound(np.ones((2, 2)), np.ones((2, 2)), 1.0, 1.0, 1, **settings)


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=4))
def test_no_scores_have_less_expected_loss(parts):
    """Lemma 4.2: the loss is sum_r P_r (1 - f_r)_+ + (1 - P_r) (1 + f_r)_+, one term per class."""
    posteriors = np.array(parts) / sum(parts)

    def loss(r, f):
        return posteriors[r] * max(0.0, 1 - f) + (1 - posteriors[r]) * max(0.0, 1 + f)

    best = np.where(posteriors > 0.5, 1.0, -1.0)
    for r, f in enumerate(best):
        assert loss(r, f) <= min(loss(r, other) for other in np.linspace(-2, 2, 81)) + 1e-12
    if posteriors.max() <= 0.5:
        assert set(best) == {-1.0}  # a tie of all classes: the loss is not consistent here
    else:
        assert best.argmax() == posteriors.argmax()
