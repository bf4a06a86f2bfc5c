"""Class probabilities: fitted to held-out points, never at odds with the decision, the paper's on request."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import oracles_decodings as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from strategies import examples

from ecocviz import ECOCClassifier, JointECOCClassifier, KernelMachine
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.reductions._shared.cost_scale import (
    HOTTEST,
    CostScale,
    cost_shares,
    coupled_shares,
    fit_coupled_share,
    fit_scale,
)
from ecocviz.engine.reductions._shared.evidence import Gathered

X, y = load_iris(return_X_y=True)


def ecoc(*coding, **options):
    return ECOCClassifier(*coding, **{"random_state": 0, **options})


# Shares of costs -----------------------------------------------------------------------------------

COSTS = st.one_of(
    st.sampled_from([0.0, 1.0, 1.0 + 1e-16, 1.0 + 2**-52, -1e308, 1e308, np.inf]), st.floats(-1e3, 1e3)
)


@examples(200)
@given(
    nps.arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(2, 5)), elements=COSTS),
    st.floats(1e-9, 1e9),
    st.sampled_from([0.0, 1e-3, 1.0, 1e6]),
)
def test_the_most_probable_class_is_the_one_decided_for(costs, temperature, bend):
    found = cost_shares(costs, CostScale(temperature, bend))
    assert np.isfinite(found).all() and (found >= 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_array_equal(found.argmax(axis=1), costs.argmin(axis=1))
    with np.errstate(over="ignore"):
        expected = [oracles.shares(row, temperature, bend) for row in costs]
    np.testing.assert_allclose(found, expected, atol=1e-14)
    # A dearer class never is more probable than a cheaper one.
    rises = np.diff(np.take_along_axis(found, np.argsort(costs, axis=1, kind="stable"), axis=1), axis=1)
    assert (rises <= 0).all()


@examples(30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.integers(2, 4), st.floats(0, 3))
def test_no_temperature_tried_one_by_one_is_better(seed, n, n_classes, signal):
    random = np.random.default_rng(seed)
    truth = random.integers(0, n_classes, n)
    costs = random.gamma(1.0, 2.0, (n, n_classes)) - signal * np.eye(n_classes)[truth]
    counts = random.choice([0.5, 1.0, 3.0], n)
    found = fit_scale(costs, truth, counts)
    reached = oracles.soft_log_loss(costs, truth, counts, *found)
    excess = (costs - costs.min(axis=1, keepdims=True)).mean(axis=1)
    for bend in (0.0, found.bend):
        grid = np.minimum(
            found.temperature * np.logspace(-2, 2, 81), HOTTEST * np.average(excess, weights=counts)
        )
        tried = [oracles.soft_log_loss(costs, truth, counts, T, bend) for T in grid]
        assert reached <= min(tried) + 1e-6
    assert found.bend == 0 or reached < oracles.soft_log_loss(
        costs, truth, counts, *fit_scale(costs, truth, counts)[:1]
    )


def test_a_scale_keeps_the_unit_of_costs_and_counts_repeated_points():
    random = np.random.default_rng(0)
    costs, truth = random.gamma(1.0, 1.0, (60, 4)), random.integers(0, 4, 60)
    times = random.integers(0, 4, 60)
    found = fit_scale(costs, truth, times)
    again = fit_scale(costs.repeat(times, axis=0), truth.repeat(times), np.ones(times.sum()))
    np.testing.assert_allclose(found, again, rtol=1e-6)
    larger = fit_scale(1e9 * costs, truth, times)
    np.testing.assert_allclose(larger, (1e9 * found.temperature, found.bend / 1e9), rtol=1e-6)


@pytest.mark.parametrize("signal", [-1.0, 0.0, 1.0, 1e-100, 1e100, 1e300, np.inf])
def test_costs_that_say_all_nothing_or_the_opposite_have_a_scale(signal):
    truth = np.arange(12) % 3
    costs = np.where(np.eye(3)[truth] > 0, 0.0, signal) if signal > 0 else -signal * np.eye(3)[truth]
    scale = fit_scale(costs, truth, np.ones(12))
    assert 0 < scale.temperature < np.inf and 0 <= scale.bend < np.inf
    shares = cost_shares(costs, scale)
    np.testing.assert_array_equal(shares.argmax(axis=1), costs.argmin(axis=1))
    if signal > 0:  # never wrong: as sure as one of 14 allows
        assert shares.max() == pytest.approx(13 / 14, abs=1e-3) or signal > 1e100
    assert fit_scale(costs, truth, np.zeros(12)) == (1, 0)


def test_far_costs_count_less_where_held_out_points_say_so():
    """Costs of pairs of letters: the second of two grows with the classes, not with how sure it is."""
    random = np.random.default_rng(1)
    costs = random.gamma(1.0, 1.0, (400, 5))
    truth = np.where(random.random(400) < 0.8, costs.argmin(axis=1), random.integers(0, 5, 400))
    costs = np.expm1(3 * costs)
    found = fit_scale(costs, truth, np.ones(400))
    straight = [oracles.soft_log_loss(costs, truth, np.ones(400), T) for T in np.logspace(-3, 5, 60)]
    assert found.bend > 0 == fit_scale(costs[:10], truth[:10], np.ones(10)).bend
    assert oracles.soft_log_loss(costs, truth, np.ones(400), *found) < min(straight) - 2


@examples(200)
@given(nps.arrays(np.float64, (3, 4, 5), elements=st.floats(0.01, 9)), st.sampled_from([0.5, 1.0]))
def test_what_is_coupled_keeps_the_decision_and_is_as_near_as_that_allows(values, share):
    costs, (shares, coupled) = values[2], values[:2] / values[:2].sum(axis=2, keepdims=True)
    found = coupled_shares(shares, coupled, share, costs)
    np.testing.assert_array_equal(found.argmax(axis=1), costs.argmin(axis=1))
    expected = [
        oracles.led((1 - share) * one + share * other, np.argmin(row))
        for one, other, row in zip(shares, coupled, costs, strict=True)
    ]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_coupling_takes_part_where_held_out_points_gain_by_it():
    random, truth = np.random.default_rng(2), np.arange(300) % 3
    told = random.dirichlet([1, 1, 1], 300) / 2 + np.eye(3)[truth] / 2
    costs, blind = -np.log(told), np.full((300, 3), 1 / 3)
    for shares, coupled, expected in ((blind, told, 1.0), (told, blind, 0.0), (told, told, 0.0)):
        assert fit_coupled_share(shares, coupled, costs, truth, np.ones(300)) == expected


# Long codes ----------------------------------------------------------------------------------------


def losses(model, X, y, X_new, y_new):
    """Log-losses of one fit: as they are, the paper's, and KL coupling's."""
    model.fit(X, y)
    scores = model.scores(X_new)
    paper = clone(model).set_params(probability="paper")
    paper.__dict__.update({name: value for name, value in vars(model).items() if name.endswith("_")})
    paper._gathered, paper._y_index = model._gathered, model._y_index
    found = model.probabilities(scores), paper.probabilities(scores), model.probabilities(scores, "kl")
    assert (model.classes_[found[0].argmax(axis=1)] == model.predict(X_new)).all()
    return [log_loss(y_new, shares) for shares in found]


@pytest.mark.parametrize("n_bits", [34, 60])
def test_long_random_codes_keep_their_probabilities(n_bits):
    digits, labels = load_digits(return_X_y=True)
    even, odd = slice(None, None, 4), slice(1, None, 4)
    model = ecoc("dense-random", coding_params={"n_bits": n_bits}, machine=KernelMachine("linear", C=0.01))
    now, paper, kl = losses(model, digits[even], labels[even], digits[odd], labels[odd])
    assert paper > 2.0 and now < 0.35 and now <= 1.05 * kl


def test_codes_in_the_order_of_classes_are_coupled_where_classes_have_none():
    digits, labels = load_digits(return_X_y=True)
    even, odd = slice(None, None, 4), slice(1, None, 4)
    model = ecoc("ordinal", machine=KernelMachine("linear", C=0.01))
    now, paper, kl = losses(model, digits[even], labels[even], digits[odd], labels[odd])
    alone = log_loss(labels[odd], cost_shares(model.costs(digits[odd]), model.cost_scale()))
    assert now <= 1.05 * kl and now < min(paper, 0.85 * alone)


@pytest.mark.parametrize("n_classes", [26, 100])
def test_hadamard_codes_of_many_classes_keep_their_probabilities(n_classes):
    points, labels = make_blobs(12 * n_classes, 30, centers=n_classes, cluster_std=4.0, random_state=0)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    even, odd = slice(None, None, 2), slice(1, None, 2)
    model = ecoc("hadamard", machine=KernelMachine("linear"))
    now, paper, kl = losses(model, points[even], labels[even], points[odd], labels[odd])
    assert paper > 0.95 * np.log(n_classes)
    assert now < 0.25 * np.log(n_classes) and now <= 1.05 * kl


# Estimators ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", DECODINGS)
def test_what_gives_probabilities_does_and_what_does_not_says_who_does(key):
    model = ecoc("one-vs-one", decoding=key)
    if DECODINGS[key].gives_probabilities():
        shares = model.fit(X[::2], y[::2]).predict_proba(X[1::2])
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        np.testing.assert_array_equal(shares.argmax(axis=1), model.predict(X[1::2]))
        assert log_loss(y[1::2], shares) < 0.4
        return
    sentence = f"{DECODINGS[key].title} decoding gives no class probabilities; these do: .*Likelihood"
    with pytest.raises(AttributeError) as refusal:
        _ = model.predict_proba
    assert DECODINGS[key].title in str(refusal.value.__cause__)
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        model.fit(X, y).probabilities(model.scores(X))


@pytest.mark.parametrize("kind", [ECOCClassifier, JointECOCClassifier])
def test_the_papers_probabilities_are_there_on_request(kind):
    model = kind("one-vs-one", probability="paper", decoding="likelihood", random_state=0).fit(X, y)
    entry, evidence = DECODINGS["likelihood"], model.evidence("likelihood")
    expected = entry.probabilities(model.scores(X), model.code_matrix_, evidence)
    np.testing.assert_array_equal(model.predict_proba(X), expected)
    with pytest.raises(
        ValueError, match="Hamming decoding gives no class probabilities of the paper; these do"
    ):
        model.probabilities(model.scores(X), "hamming")
    with pytest.raises(ValueError, match='probability is "calibrated" or "paper", not \'mass\''):
        kind(probability="mass").fit(X, y)


def test_held_out_points_are_asked_for_once_and_not_before(monkeypatch):
    asked = []
    hold_out = Gathered._hold_out

    def counted(self, progress):
        asked.append(self._held_out is None)
        return hold_out(self, progress)

    monkeypatch.setattr(Gathered, "_hold_out", counted)
    model = ecoc(decoding="hamming").fit(X, y)
    model.predict(X)
    assert not asked
    kept = pickle.loads(pickle.dumps(model))  # noqa: S301 - made in the line itself
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(model.predict_proba, [X] * 4)
    assert sum(asked) == 1 and all(np.array_equal(first, other) for other in others)
    model.probabilities(model.scores(X), "linear")
    assert sum(asked) == 1 and len(model._gathered.scales) == 2
    np.testing.assert_array_equal(kept.predict_proba(X), first)
    copy = clone(model).fit(X, y)
    copy.take(model.gathered())
    asked.clear()
    np.testing.assert_array_equal(copy.predict_proba(X), first)
    assert not asked


def test_one_point_a_class_and_points_of_no_weight():
    shares = ecoc().fit(np.eye(4), list("abcd")).predict_proba(np.eye(4))
    assert (shares.argmax(axis=1) == range(4)).all() and np.isfinite(shares).all()
    weights = np.where(np.arange(y.size) % 5 == 0, 0.0, 1.0)
    folds = np.arange(y.size) % 3
    kept = weights > 0
    weighted = ecoc("dense-random", calibration_folds=folds).fit(X, y, weights)
    alone = ecoc("dense-random", calibration_folds=folds[kept]).fit(X[kept], y[kept])
    np.testing.assert_allclose(weighted.predict_proba(X), alone.predict_proba(X), atol=1e-6)


def test_classes_of_several_rows_are_as_probable_as_their_costs_say():
    model = ecoc("subclass-ecoc", machine=KernelMachine("linear")).fit(X, y)
    shares, costs = model.predict_proba(X), model.costs(X)
    assert shares.shape == (150, 3)
    expected = [oracles.shares(row, *model.cost_scale()) for row in costs]
    np.testing.assert_allclose(shares, expected, atol=1e-12)


def test_searches_votes_and_stacks_read_sane_probabilities():
    even, odd = slice(None, None, 2), slice(1, None, 2)
    model = ecoc("dense-random", coding_params={"n_bits": 3}, machine=KernelMachine())
    found = GridSearchCV(model, {"machine__gamma": [1e-6, 0.3]}, scoring="neg_log_loss", cv=3).fit(X, y)
    assert found.best_params_ == {"machine__gamma": 0.3} and found.best_score_ > -0.3
    near = [("near", KNeighborsClassifier())]
    vote = VotingClassifier([("ecoc", model), *near], voting="soft").fit(X[even], y[even])
    stack = StackingClassifier([("ecoc", model), *near], LogisticRegression()).fit(X[even], y[even])
    for both in (vote, stack):
        assert log_loss(y[odd], both.predict_proba(X[odd])) < 0.3
