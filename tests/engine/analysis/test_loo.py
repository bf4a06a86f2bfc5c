import itertools
from types import SimpleNamespace

import numpy as np
import oracles_analysis as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.svm import SVC
from strategies_decodings import decoding_cases, random_evidence

from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.data.catalogue import DATASETS
from ecocviz.engine.analysis import loo
from ecocviz.engine.analysis.loo import BoundStatus, score_intervals
from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES
from ecocviz.engine.entries import BoundRule
from ecocviz.engine.params import complete


def covered():
    """Every decoder, with every value of its choices, for which a bound is declared."""
    found = []
    for key, decoding in DECODINGS.items():
        choices = [
            [(p.name, option) for option, _ in p.options] for p in decoding.params if hasattr(p, "options")
        ]
        for combination in itertools.product(*choices):
            params = complete(decoding.params, dict(combination))
            if decoding.bound_rule(params) is not BoundRule.NONE:
                found.append((key, params))
    return found


COVERED = covered()

KERNELS = [
    {"kernel": "rbf", "gamma": 0.3},
    {"kernel": "rbf", "gamma": 3.0},
    {"kernel": "rbf", "gamma": 30.0},
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 2},
]


def unit_box(X):
    return (X - X.min(axis=0)) / np.ptp(X, axis=0)


@pytest.fixture(scope="module")
def tables():
    glass = DATASETS["glass"].load()
    return {
        "iris": (unit_box(load_iris().data), load_iris().target),
        "wine": (unit_box(load_wine().data), load_wine().target),
        "glass": (unit_box(glass.features.to_numpy(float)), np.unique(glass.labels, return_inverse=True)[1]),
    }


def assert_bounds(model, decodings):
    """The bound flags every leave-one-out error, and its margins never exceed the exact ones."""
    for key, params in decodings:
        bound = model.loo_bound(key, params)
        exact = model.exact_loo(key, params)
        assert bound.status is BoundStatus.THEOREM
        assert exact.status is BoundStatus.EXACT
        missed = exact.flagged & ~bound.flagged
        assert not missed.any(), (key, params, np.flatnonzero(missed))
        assert bound.error >= exact.error
        scale = 1 + np.abs(exact.slack_margins)
        assert (bound.slack_margins <= exact.slack_margins + 1e-6 * scale).all(), (key, params)


@pytest.mark.thorough
@pytest.mark.parametrize("coding", ["one-vs-all", "one-vs-one", "dense-random"])
@pytest.mark.parametrize("name", ["iris", "wine", "glass"])
def test_bound_holds_on_the_papers_sets(tables, name, coding):
    X, y = tables[name]
    costs = [0.01, 1.0] if name == "glass" else [0.01, 0.1, 1.0, 10.0]
    for kernel, C in itertools.product(KERNELS, costs):
        machine = KernelMachine(**kernel, C=C, bias=1.0)
        model = ECOCClassifier(coding, machine=machine, random_state=0).fit(X, y)
        assert_bounds(model, COVERED)


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_classes = draw(st.integers(2, 4))
    n = draw(st.integers(n_classes, 25))
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    X = rng.normal(size=(n, 2)) + draw(st.sampled_from([0.0, 1.0, 3.0])) * np.eye(n_classes, 2)[y]
    if draw(st.booleans()):
        X = X.round()  # duplicated points
    coding = draw(st.sampled_from([key for key, c in CODINGS.items() if c.build and key != "custom"]))
    kernel = draw(st.sampled_from(KERNELS))
    C = draw(st.sampled_from([0.01, 0.3, 1.0, 20.0]))
    bias = draw(st.sampled_from([0.0, 1.0, 5.0]))
    machine = KernelMachine(**kernel, C=C, bias=bias, tol=draw(st.sampled_from([1e-1, 1e-3, 1e-6])))
    return X, y, ECOCClassifier(coding, machine=machine, random_state=0)


@given(problems())
def test_hypothesis_cannot_break_the_bound(problem):
    X, y, model = problem
    assert_bounds(model.fit(X, y), COVERED)


def test_the_intervals_hold_the_exact_leave_one_out_scores(tables):
    X, y = tables["iris"]
    for tol in (1e-1, 1e-3):
        model = ECOCClassifier("one-vs-one", machine=KernelMachine(gamma=1.0, tol=tol)).fit(X, y)
        left_out = model.columns_.leave_one_out_scores(tol=1e-9)
        low, high = score_intervals(model.columns_, model.code_matrix_[y])
        assert (low <= left_out + 1e-6).all() and (left_out <= high + 1e-6).all()


DISTANCES = {
    "hamming": lambda f, m: sum((1 - np.sign(a * b)) / 2 for a, b in zip(m, f, strict=True)),
    "linear": lambda f, m: -sum(a * b for a, b in zip(m, f, strict=True)),
    "soft-margin": lambda f, m: sum(max(0.0, 1 - a * b) for a, b in zip(m, f, strict=True)),
}


@pytest.mark.parametrize("key", DISTANCES)
@pytest.mark.parametrize("coding", ["one-vs-all", "one-vs-one", "sparse-random"])
def test_uncertified_bound_is_the_normative_form(tables, key, coding):
    X, y = tables["wine"]
    model = ECOCClassifier(coding, decoding=key, machine=KernelMachine(gamma=1.0), random_state=0).fit(X, y)
    columns = model.columns_
    want = oracles.pessimistic_margins(
        columns.scores, columns.alphas, columns.diagonal, model.code_matrix_, y, None, DISTANCES[key]
    )
    np.testing.assert_allclose(model.loo_bound(certified=False).slack_margins, want, atol=1e-9)


def test_uncertified_likelihood_bound_heeds_the_sign_of_the_slope(tables):
    X, y = tables["wine"]
    model = ECOCClassifier("one-vs-one", machine=KernelMachine(gamma=1.0), random_state=0).fit(X, y)
    sigmoids = model.sigmoids_
    sigmoids[0, 0] *= -1  # a useless machine, as large gammas make them
    columns = model.columns_

    def distance(f, m):
        used = m != 0
        u = m[used] * (sigmoids[used, 0] * f[used] + sigmoids[used, 1])
        return np.logaddexp(0, u).sum()

    want = oracles.pessimistic_margins(
        columns.scores, columns.alphas, columns.diagonal, model.code_matrix_, y, sigmoids[:, 0], distance
    )
    np.testing.assert_allclose(model.loo_bound(certified=False).slack_margins, want, atol=1e-9)


def test_the_chain_of_errors_training_leave_one_out_bound(tables):
    X, y = tables["iris"]
    model = ECOCClassifier("one-vs-all", decoding="linear", machine=KernelMachine(gamma=3.0, C=1.0)).fit(X, y)
    wrong = model.predict(X) != y
    exact, bound = model.exact_loo(), model.loo_bound(certified=False)
    assert wrong.sum() == 4 and exact.flagged.sum() == 7 and bound.flagged.sum() == 33
    assert not (wrong & ~exact.flagged).any() and not (exact.flagged & ~bound.flagged).any()


def test_machines_with_a_free_bias_give_an_estimate_that_can_miss_errors(tables):
    """Iris, all pairs, rbf 0.3, C = 0.1: every vector is at its bound and b jumps when one is left out."""
    X, y = tables["iris"]
    machine = MACHINES["libsvm"].make(**complete(MACHINES["libsvm"].params, {"gamma": 0.3, "C": 0.1}))
    model = ECOCClassifier("one-vs-one", decoding="hamming", machine=machine).fit(X, y)
    bound, exact = model.loo_bound(), model.exact_loo()
    assert bound.status is BoundStatus.ESTIMATE
    assert exact.error > bound.error


def test_no_bound_is_a_sentence(tables):
    X, y = tables["iris"]
    model = ECOCClassifier("one-vs-all", decoding="linear", machine=KernelMachine()).fit(X, y)
    unbounded = next(key for key, d in DECODINGS.items() if key not in dict(COVERED))
    with pytest.raises(ValueError, match="No leave-one-out bound is known"):
        model.loo_bound(unbounded)
    other = ECOCClassifier("one-vs-all", decoding="linear", machine=MACHINES["decision-tree"].make()).fit(
        X, y
    )
    with pytest.raises(ValueError, match="needs kernel machines"):
        other.loo_bound()


def test_exact_leave_one_out_is_retraining(tables):
    X, y = tables["iris"]
    X, y = X[::3], y[::3]
    machine = KernelMachine(gamma=2.0, C=1.0, tol=1e-9)
    model = ECOCClassifier("one-vs-all", decoding="soft-margin", machine=machine).fit(X, y)
    exact = model.exact_loo()
    for i in range(y.size):
        rest = np.arange(y.size) != i
        again = ECOCClassifier("one-vs-all", decoding="soft-margin", machine=machine).fit(X[rest], y[rest])
        assert exact.flagged[i] == (again.predict(X[i : i + 1])[0] != y[i])


@pytest.mark.filterwarnings("ignore:.*keep the tolerance")  # and a large gap, as they may
@pytest.mark.parametrize("tol", [1e-1, 1e-2, 1e-4])
@pytest.mark.parametrize("limit", [None, 3000.0])  # bytes: on one matrix, and on working sets
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_exact_is_retraining_to_the_end_however_coarse_the_training_was(tables, name, limit, tol):
    X, y = (part[::7] for part in tables[name])
    settings = {"gamma": 1.0, "C": 104.4, "memory_limit": limit}
    coarse = KernelMachine(**settings, tol=tol)
    model = ECOCClassifier("one-vs-one", decoding="soft-margin", machine=coarse).fit(X, y)
    finest, costs = KernelMachine(gamma=1.0, C=104.4, tol=1e-11), np.empty((y.size, 3))
    for i in range(y.size):
        rest = np.arange(y.size) != i
        again = ECOCClassifier("one-vs-one", decoding="soft-margin", machine=finest).fit(X[rest], y[rest])
        costs[i] = again.costs(X[i : i + 1])[0]
    exact = model.exact_loo()
    assert (exact.flagged == (costs.argmin(axis=1) != y)).all()
    own = costs[np.arange(y.size), y].copy()
    costs[np.arange(y.size), y] = np.inf
    np.testing.assert_allclose(exact.slack_margins, costs.min(axis=1) - own, atol=1e-4)


def test_exact_leave_one_out_of_any_machine(tables):
    X, y = tables["iris"]
    X, y = X[::5], y[::5]
    exact = ECOCClassifier("one-vs-one", decoding="hamming", machine=SVC(gamma=1.0)).fit(X, y).exact_loo()
    for i in range(y.size):
        rest = np.arange(y.size) != i
        again = ECOCClassifier("one-vs-one", decoding="hamming", machine=SVC(gamma=1.0)).fit(X[rest], y[rest])
        assert exact.flagged[i] == (again.predict(X[i : i + 1])[0] != y[i])


@pytest.mark.parametrize(("key", "params"), COVERED)
@given(case=decoding_cases(n_samples=6), seed=st.integers(0, 2**32 - 1), certified=st.booleans())
def test_the_bound_is_that_of_every_term_at_its_worse_end(key, params, case, seed, certified):
    """The borders of machines, some of them useless, say what their definition says, term by term."""
    scores, code_matrix = case
    rng = np.random.default_rng(seed)
    y = rng.integers(len(code_matrix), size=len(scores))
    targets = code_matrix[y]
    alphas = np.where((targets != 0) & (rng.random(scores.shape) < 0.6), rng.uniform(0, 2, scores.shape), 0.0)
    columns = SimpleNamespace(
        scores=scores,
        alphas=alphas,
        diagonal=rng.uniform(0.2, 3, len(scores)),
        gaps=np.where(rng.random(scores.shape[1]) < 0.3, 0.0, rng.uniform(0, 0.3, scores.shape[1])),
        theorem=True,
    )
    decoding, evidence = DECODINGS[key], random_evidence(rng, code_matrix, len(scores))
    bound = loo.loo_bound(columns, code_matrix, y, decoding, params, evidence, certified=certified)
    ends = np.empty((2, *scores.shape))
    for i, s in np.ndindex(scores.shape):
        gap, rounding = (columns.gaps[s], loo.ROUNDING_OF_SCORES) if certified else (0.0, 0.0)
        ends[:, i, s] = oracles.left_out_interval(
            scores[i, s], alphas[i, s], targets[i, s], columns.diagonal[i], gap, rounding
        )
    np.testing.assert_allclose(score_intervals(columns, targets, certified=certified), ends, atol=1e-12)
    terms = [decoding.terms(end, code_matrix, evidence, **params) for end in ends]
    want = oracles.least_favourable_margins(*terms, y)
    scale = 1 + np.abs(terms).sum(axis=(0, 3)).max(axis=1)
    np.testing.assert_allclose(bound.slack_margins, want, atol=1e-12 * scale.max())
    assert bound.flagged[want <= 0].all() and not bound.flagged[want > 1e-9 * scale].any()
    assert bound.error == bound.flagged.mean()
