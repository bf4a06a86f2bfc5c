import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import confusion_matrix, log_loss

from ecocviz.engine.analysis import statistics
from ecocviz.engine.analysis.statistics import calibration, confusion, mcnemar, wilson_interval


@given(st.integers(1, 500), st.data())
def test_wilson_ends_are_the_rates_at_which_the_count_is_just_acceptable(n, data):
    wrong = data.draw(st.integers(0, n))
    low, high = wilson_interval(wrong, n)
    assert 0 <= low <= wrong / n <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            z = (wrong / n - end) / math.sqrt(end * (1 - end) / n)
            assert abs(z) == pytest.approx(1.959964, abs=1e-4)


def test_wilson_refuses_nonsense():
    for wrong, n in ((-1, 5), (6, 5), (0, 0)):
        with pytest.raises(ValueError, match="An error rate needs"):
            wilson_interval(wrong, n)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_mcnemar_sums_the_binomial_tail(pairs):
    first, second = (np.array(column) for column in zip(*pairs, strict=True))
    a, b = int((first & ~second).sum()), int((second & ~first).sum())
    n = a + b
    tail = sum(math.comb(n, k) for k in range(n + 1) if math.comb(n, k) <= math.comb(n, a)) / 2**n
    assert mcnemar(first, second) == pytest.approx(tail if n else 1.0)


def test_confusion_is_scikit_learns():
    rng = np.random.default_rng(0)
    truth, labels = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    assert (confusion(truth, labels, 4) == confusion_matrix(truth, labels, labels=range(4))).all()


def test_calibration_matches_scikit_learn():
    rng = np.random.default_rng(1)
    probabilities = rng.dirichlet(np.ones(3), 400)
    truth = np.array([rng.choice(3, p=p) for p in probabilities])
    found = calibration(probabilities, truth)
    right = probabilities.argmax(axis=1) == truth
    happened, stated = calibration_curve(right, probabilities.max(axis=1), n_bins=10)
    np.testing.assert_allclose(found.stated, stated)
    np.testing.assert_allclose(found.happened, happened)
    assert found.counts.sum() == 400
    assert found.log_loss == pytest.approx(log_loss(truth, probabilities))
    assert found.calibration_error < 0.1
    sure = calibration(np.eye(3)[truth], truth)
    assert sure.log_loss == 0 and sure.calibration_error == 0


def test_the_normal_quantile_is_looked_up_once_for_a_whole_table(monkeypatch):
    asked, ppf = [], statistics.stats.norm.ppf
    monkeypatch.setattr(statistics.stats.norm, "ppf", lambda share: asked.append(share) or ppf(share))
    statistics._deviations.cache_clear()
    found = [wilson_interval(k, 100) for k in range(101)]
    assert asked == [0.975] and len(set(found)) == 101
    assert wilson_interval(50, 100, confidence=0.9)[0] > found[50][0]
