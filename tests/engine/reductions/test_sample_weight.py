"""Weights of points: whole numbers are repetitions, 0 is absence, for every estimator."""

import numpy as np
import pytest
from expected_checks import unequal_copies
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import examples

from ecocviz import (
    ContinuousCodeClassifier,
    DDAGClassifier,
    ECOCClassifier,
    JointECOCClassifier,
    KernelMachine,
    SingleBinaryClassifier,
    SupportPatternClassifier,
)
from ecocviz.engine.columns import train_columns
from ecocviz.engine.kernels.sigmoid import fit_offsets, fit_sigmoids, sigmoid_losses

MACHINE = KernelMachine(tol=1e-10)


def problem(seed, n=36):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 3)), np.arange(n) % 3
    X[:, 0] += 2 * (y == 0)
    X[:, 1] += 2 * (y == 1)
    weights = rng.integers(0, 4, n)
    weights[:6] = 1  # no class vanishes
    return X, y, weights, rng.integers(0, 3, n)


def decoded(decoding, machine=MACHINE, coding="one-vs-one"):
    return ECOCClassifier(coding, decoding=decoding, machine=machine)


CASES = {
    "likelihood": (decoded("likelihood"), 1e-7),
    "coupling": (decoded("kl"), 1e-6),
    "loss-weighted": (decoded("loss-weighted-linear"), 1e-7),
    "beta-density": (decoded("beta-density"), 1e-7),
    "static reliability": (decoded("srm"), 1e-7),
    "dynamic reliability": (decoded("drm"), 1e-7),
    "logistic regression": (decoded("likelihood", LogisticRegression(tol=1e-10)), 1e-5),
    "regressor": (decoded("likelihood", Ridge()), 1e-7),
    "balanced": (decoded("linear", KernelMachine(tol=1e-10, class_weight="balanced")), 1e-7),
    "decision graph": (DDAGClassifier(MACHINE, order="frequency"), 1e-7),
    "joint, dense": (JointECOCClassifier(), 1e-6),
    "joint, dense and linear": (JointECOCClassifier(kernel="linear"), 1e-6),
    "joint, ternary": (JointECOCClassifier("one-vs-one", decoding="linear"), 1e-6),
    "joint, primal": (
        JointECOCClassifier("one-vs-one", kernel="linear", solver="primal", decoding="linear"),
        1e-6,
    ),
    "joint, descent": (
        JointECOCClassifier("one-vs-one", kernel="linear", solver="descent", tol=1e-10, decoding="linear"),
        1e-3,
    ),
    "single, prior": (SingleBinaryClassifier(tol=1e-7, mu_rule="prior", scale_C="cm", C=100.0), 1e-4),
    "single, code": (SingleBinaryClassifier("ecoc", tol=1e-7), 1e-4),
    "kessler": (SingleBinaryClassifier("kessler", tol=1e-7), 1e-4),
    "support pattern": (SupportPatternClassifier(tol=1e-9), 1e-3),
    "support pattern, linear": (SupportPatternClassifier("linear", tol=1e-9), 1e-3),
    "continuous": (ContinuousCodeClassifier(decoded("hamming"), tol=1e-9), 1e-3),
    "continuous, l1": (ContinuousCodeClassifier(decoded("hamming"), norm="l1"), 1e-3),
    "continuous, column by column": (
        ContinuousCodeClassifier(decoded("hamming"), norm="linf", construction="columns"),
        1e-3,
    ),
    "continuous, corrective": (
        ContinuousCodeClassifier(decoded("hamming"), construction="corrective", tol=1e-9),
        1e-3,
    ),
    "continuous, kernel": (ContinuousCodeClassifier(decoded("hamming"), kernel="rbf", tol=1e-9), 1e-3),
}


@pytest.mark.parametrize("case", CASES)
def test_a_weight_is_a_number_of_repetitions(case):
    model, tol = CASES[case]
    X, y, weights, folds = problem(3)
    weighted, repeated = (type(model)(**model.get_params(deep=False)) for _ in range(2))
    if "calibration_folds" in model.get_params():
        weighted.set_params(calibration_folds=folds)
        repeated.set_params(calibration_folds=folds.repeat(weights))
    weighted.fit(X, y, sample_weight=weights)
    repeated.fit(X.repeat(weights, axis=0), y.repeat(weights))
    new = np.random.default_rng(0).normal(size=(20, 3))
    ours, theirs = weighted.costs(new), repeated.costs(new)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tol * (1 + np.abs(theirs).max()))
    assert (weighted.classes_ == repeated.classes_).all()


LEFT_OUT = [
    "likelihood",
    "balanced",
    "joint, dense",
    "joint, ternary",
    "single, code",
    "kessler",
    "regressor",
]


@pytest.mark.parametrize("case", LEFT_OUT)
def test_a_point_leaves_with_all_its_copies(case):
    model, tol = CASES[case]
    X, y, weights, folds = problem(4, n=24)
    kept = np.flatnonzero(weights)
    weighted, repeated = (type(model)(**model.get_params(deep=False)) for _ in range(2))
    for estimator in (weighted, repeated):
        estimator.set_params(decoding="linear")
    weighted.fit(X, y, sample_weight=weights)
    repeated.fit(X.repeat(weights, axis=0), y.repeat(weights))
    ours = weighted.columns_.held_out_scores(folds[kept])
    theirs = repeated.columns_.held_out_scores(folds.repeat(weights))
    np.testing.assert_allclose(ours.repeat(weights[kept], axis=0), theirs, atol=100 * tol)
    if "joint" in case:  # which keeps its relation, and the weights 1/N of the others, when points leave
        return
    if case == "balanced":  # the sides' weights stay those of all points
        return
    ours = weighted.columns_.leave_one_out_scores()
    theirs = repeated.columns_.held_out_scores(np.arange(y.size).repeat(weights))
    np.testing.assert_allclose(ours.repeat(weights[kept], axis=0), theirs, atol=max(1e-4, 100 * tol))
    found = weighted.exact_loo("linear")
    assert found.error == pytest.approx(np.average(found.flagged, weights=weights[kept]))


@pytest.mark.parametrize(("coding", "kernel"), [("one-vs-all", "rbf"), ("one-vs-one", "rbf")])
def test_joint_machines_leave_a_point_out_as_their_equations_say(coding, kernel):
    X, y, weights, _ = problem(5, n=24)
    weights = np.maximum(weights, 1)
    model = JointECOCClassifier(coding, kernel=kernel, decoding="linear", lambda1=1e-2).fit(X, y, weights)
    columns = model.columns_
    left_out = columns.leave_one_out_scores()
    S, gram, i = columns._inverse_penalty(), columns._gram(), 7
    targets = columns.targets.astype(float)
    others = np.arange(y.size) != i
    # All equations of the others, B zero at the point: solved as they stand.
    pairs = np.argwhere((targets != 0) & others[:, None])
    n, L = len(pairs), targets.shape[1]
    totals = weights @ (targets != 0)
    system = np.zeros((n + L, n + L))
    for a, (p, b) in enumerate(pairs):
        for c, (q, d) in enumerate(pairs):
            system[a, c] = gram[p, q] * S[d, b]
        system[a, a] += totals[b] / 2 / weights[p]
        system[a, n + b] = system[n + b, a] = 1
    right = np.concatenate([[targets[p, b] for p, b in pairs], np.zeros(L)])
    solved = np.linalg.solve(system, right)
    B = np.zeros(targets.shape)
    for a, (p, b) in enumerate(pairs):
        B[p, b] = solved[a]
    np.testing.assert_allclose(left_out[i], gram[i] @ B @ S + solved[n:], atol=1e-6)


@given(st.integers(0, 10_000), st.sampled_from([1e-3, 1e-9]))
@examples(15)
def test_the_bound_misses_no_left_out_error_of_weighted_points(seed, tol):
    X, y, _, _ = problem(seed, n=18)
    weights = np.random.default_rng(seed).exponential(size=18) + 0.05
    model = ECOCClassifier("one-vs-one", decoding="linear", machine=KernelMachine(C=2.0, tol=tol))
    model.fit(X, y, sample_weight=weights)
    bound, exact = model.loo_bound(), model.exact_loo()
    assert bound.status == "theorem"
    assert not (exact.flagged & ~bound.flagged).any()
    assert bound.error >= exact.error - 1e-12
    assert bound.error == pytest.approx(np.average(bound.flagged, weights=weights))


def test_upper_limits_are_those_of_each_point():
    X, y, weights, _ = problem(6)
    model = decoded("linear", KernelMachine(C=0.1, tol=1e-8)).fit(X, y, sample_weight=weights)
    limits = 0.1 * weights[weights > 0]
    assert (model.alphas_ <= limits[:, None]).all()
    assert (model.alphas_ == limits[:, None]).any()
    columns = model.columns_
    worst = np.abs(columns.gaps - _gaps(columns, limits)).max()
    assert worst < 1e-9


def _gaps(columns, limits):
    margins = columns.targets * columns.scores
    hinges = np.where(columns.targets != 0, np.maximum(0, 1 - margins), 0)
    return columns.squared_norms + limits @ hinges - columns.alphas.sum(axis=0)


@given(st.integers(0, 10_000))
@examples(20)
def test_sigmoids_of_weighted_points_are_those_of_repeated_ones(seed):
    rng = np.random.default_rng(seed)
    scores, counts = rng.normal(size=(25, 2)), rng.integers(1, 5, 25)
    targets = np.where(scores + rng.normal(size=(25, 2)) > 0, 1, -1).astype(np.int8)
    targets[:2] = [[1, 1], [-1, -1]]
    again = [np.repeat(part, counts, axis=0) for part in (scores, targets)]
    sigmoids = fit_sigmoids(scores, targets, weights=counts)
    np.testing.assert_allclose(sigmoids, fit_sigmoids(*again), rtol=1e-9, atol=1e-9)
    slopes = np.array([-1.0, -3.0])
    ours = fit_offsets(scores, targets, slopes, counts)
    np.testing.assert_allclose(ours, fit_offsets(*again, slopes), atol=1e-9)
    ours = sigmoid_losses(scores, targets, sigmoids, counts)
    np.testing.assert_allclose(ours, sigmoid_losses(*again, sigmoids), rtol=1e-12)
    np.testing.assert_array_equal(
        fit_sigmoids(scores, targets), fit_sigmoids(scores, targets, weights=np.ones(25))
    )


def test_a_class_without_weight_is_not_there():
    X, y, _, _ = problem(1)
    for model in (decoded("linear"), DDAGClassifier(), JointECOCClassifier(), SupportPatternClassifier()):
        assert model.fit(X, y, sample_weight=y != 2).classes_.tolist() == [0, 1]
        assert model.predict(X).shape == y.shape
    machine = KernelMachine().fit(X, y, y != 2)
    assert machine.classes_.tolist() == [0, 1] and machine.alphas_.shape == y.shape
    assert not machine.alphas_[y == 2].any()


def test_weights_of_one_are_no_weights():
    X, y, _, _ = problem(2)
    for model in (decoded("likelihood"), JointECOCClassifier(), SingleBinaryClassifier()):
        model.set_params(random_state=0)
        plain = model.fit(X, y).costs(X)
        np.testing.assert_array_equal(model.fit(X, y, sample_weight=np.ones(y.size)).costs(X), plain)


ESTIMATORS = [
    ECOCClassifier(),
    DDAGClassifier(),
    JointECOCClassifier(),
    SingleBinaryClassifier(),
    SupportPatternClassifier(),
    ContinuousCodeClassifier(),
]


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda model: type(model).__name__)
def test_weights_that_mean_nothing_are_refused_in_a_sentence(model):
    X, y, _, _ = problem(2)
    with pytest.raises(ValueError, match=r"cannot be negative; leave a point out by the weight 0\.$"):
        model.fit(X, y, sample_weight=np.where(y == 0, -1.0, 1.0))
    with pytest.raises(ValueError, match=r"All weights are zero, so that no point is left to train on"):
        model.fit(X, y, sample_weight=np.zeros(y.size))
    with pytest.raises(ValueError, match="only one class"):
        model.fit(X, y, sample_weight=y == 0)


def test_who_cannot_weigh_says_so():
    X, y, weights, _ = problem(2)
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight in fit; leave"):
        decoded("linear", KNeighborsClassifier()).fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="'decoc' learns its code from points that all count alike"):
        decoded("linear", coding="decoc").fit(X, y, sample_weight=weights)
    model = SupportPatternClassifier().fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="points that all count alike"):
        model.generalization_bounds()
    model = SingleBinaryClassifier().fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="points that all count alike"):
        model.risk_bound()


# Weights of classes -----------------------------------------------------------------------------------


def test_class_weights_multiply_those_of_points():
    X, y, _, _ = problem(7)
    labels = np.where(y == 0, "rare", "usual")
    named = KernelMachine(tol=1e-9, C=0.5, gamma=0.5, class_weight={"rare": 3.0}).fit(X, labels)
    weighed = KernelMachine(tol=1e-9, C=0.5, gamma=0.5).fit(X, labels, np.where(y == 0, 3.0, 1.0))
    np.testing.assert_allclose(named.decision_function(X), weighed.decision_function(X), atol=1e-7)
    balanced = KernelMachine(tol=1e-9, C=0.5, gamma=0.5, class_weight="balanced").fit(X, labels)
    weighed.fit(X, labels, np.where(y == 0, 1.5, 0.75))
    np.testing.assert_allclose(balanced.decision_function(X), weighed.decision_function(X), atol=1e-7)
    sides = decoded(
        "linear", KernelMachine(tol=1e-9, C=0.5, gamma=0.5, class_weight={1: 2.0, -1: 0.5}), "one-vs-all"
    )
    targets = sides.fit(X, y).columns_.targets
    machine, weights = KernelMachine(tol=1e-9, C=0.5, gamma=0.5), np.where(y == 0, 2.0, 0.5)
    alone = train_columns(machine, X, targets[:, :1], fit_params={"sample_weight": weights})
    np.testing.assert_allclose(sides.scores(X)[:, :1], alone.predict_scores(X), atol=1e-7)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"none": 2.0}, "class_weight names 'none', which is none of the labels 'rare' and 'usual'"),
        ("even", 'class_weight is None, "balanced", or a dictionary'),
        ({"rare": -1.0}, "must be finite numbers of at least 0"),
    ],
)
def test_class_weights_that_mean_nothing(wrong, sentence):
    X, y, _, _ = problem(7)
    with pytest.raises(ValueError, match=sentence):
        KernelMachine(class_weight=wrong).fit(X, np.where(y == 0, "rare", "usual"))


# scikit-learn's own checks ------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        KernelMachine(tol=1e-12),
        ECOCClassifier(decoding="linear", probability="paper", machine=KernelMachine(tol=1e-12)),
        DDAGClassifier(KernelMachine(tol=1e-12)),
        JointECOCClassifier(decoding="linear", probability="paper"),
        ECOCClassifier(
            decoding="linear", probability="paper", machine=KernelMachine(kernel="precomputed", tol=1e-12)
        ),
        SupportPatternClassifier(tol=1e-12),
        SingleBinaryClassifier("kessler", tol=1e-12),
        ECOCClassifier(decoding="linear", probability="paper", machine=Ridge()),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
