import itertools
import pickle
import threading

import numpy as np
import oracles_machines as oracle
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, ending, shares_to
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import examples

from ecocviz.engine.columns import train_columns
from ecocviz.engine.kernels import gram as gram_module
from ecocviz.engine.machines._ways import whole as module
from ecocviz.engine.machines.kernel_machine import MACHINE, KernelMachine
from ecocviz.engine.params import complete

SETTINGS = [
    {"kernel": "rbf", "gamma": 0.7},
    {"kernel": "rbf", "gamma": 30.0, "bias": 0.0},
    {"kernel": "linear", "C": 5.0},
    {"kernel": "poly", "degree": 2, "bias": 3.0},
]


def made_up(n=40, n_bits=4, seed=0, zeros=True):
    """Points with a duplicate, and targets with zeros, of which the last column has one side only."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, 3)) + generator.integers(0, 3, size=(n, 1))
    X[n // 2] = X[0]
    targets = generator.choice([-1, 1], size=(n, n_bits)).astype(np.int8)
    targets[:, 0] = np.where(X[:, 0] > 1, 1, -1)
    if zeros:
        targets[generator.random((n, n_bits)) < 0.3] = 0
        targets[:, -1] = np.abs(targets[:, -1])
    return X, targets


def expected(machine):
    sides = {"check_class_weight_classifiers": "without bias no border can be far from the origin"}
    return unequal_copies(machine) | (sides if not machine.bias else {})


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # one side weighs 1e7 times more
@parametrize_with_checks(
    [KernelMachine(), KernelMachine(kernel="linear", C=0.1, bias=0.0)], expected_failed_checks=expected
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@given(seed=st.integers(0, 1_000), numbers=st.sampled_from(SETTINGS))
@examples(20)
def test_columns_are_optimal_and_know_their_gap(seed, numbers):
    X, targets = made_up(n=16, seed=seed)
    machine = KernelMachine(tol=1e-7, **numbers)
    trained = train_columns(machine, X, targets)
    kernel, C = machine.settle(X)
    gram = oracle.gram(kernel.name, X, gamma=kernel.gamma, degree=kernel.degree, bias=kernel.bias)
    np.testing.assert_allclose(trained.diagonal, np.diag(gram), rtol=1e-9)
    np.testing.assert_allclose(trained.upper, C)
    assert trained.converged.all()
    assert trained.theorem and not trained.probability_scale
    assert (trained.alphas[targets == 0] == 0).all()
    np.testing.assert_allclose(trained.scores, gram @ (trained.alphas * targets), atol=1e-8)
    for b in range(targets.shape[1]):
        shown = np.flatnonzero(targets[:, b])
        part, t, alphas = (
            gram[np.ix_(shown, shown)],
            targets[shown, b].astype(float),
            trained.alphas[shown, b],
        )
        assert oracle.violation(part, t, np.full(shown.size, C), alphas) <= 2e-7
        assert trained.gaps[b] == pytest.approx(oracle.duality_gap(part, t, C, alphas), abs=1e-8)
        assert trained.squared_norms[b] == pytest.approx((alphas * t) @ part @ (alphas * t), abs=1e-8)


@given(seed=st.integers(0, 1_000), numbers=st.sampled_from(SETTINGS), n_folds=st.integers(2, 4))
@examples(12)
def test_held_out_scores_are_those_of_training_without_the_fold(seed, numbers, n_folds):
    X, targets = made_up(n=20, seed=seed)
    fold_ids = np.random.default_rng(seed).integers(0, n_folds, size=20) * 7 - 3
    kernel, C = KernelMachine(**numbers).settle(X)
    fixed = KernelMachine(
        kernel.name, kernel.gamma, kernel.degree, C, kernel.bias, tol=1e-9, max_updates=200_000
    )
    held_out = train_columns(fixed, X, targets).held_out_scores(fold_ids)
    for fold in np.unique(fold_ids):
        kept, held = fold_ids != fold, fold_ids == fold
        alone = train_columns(fixed, X[kept], targets[kept])
        np.testing.assert_allclose(held_out[held], alone.predict_scores(X[held]), atol=2e-4)


@pytest.mark.parametrize("numbers", SETTINGS)
def test_leave_one_out_scores_are_those_of_training_without_the_point(numbers):
    X, targets = made_up(n=24)
    kernel, C = KernelMachine(**numbers).settle(X)
    fixed = KernelMachine(
        kernel.name, kernel.gamma, kernel.degree, C, kernel.bias, tol=1e-8, max_updates=200_000
    )
    trained = train_columns(fixed, X, targets)
    left_out = trained.leave_one_out_scores(tol=1e-8)
    for i in range(24):
        kept = np.arange(24) != i
        alone = train_columns(fixed, X[kept], targets[kept])
        np.testing.assert_allclose(left_out[i], alone.predict_scores(X[i : i + 1])[0], atol=1e-4)
    idle = trained.alphas == 0
    np.testing.assert_allclose(left_out[idle], trained.scores[idle], atol=1e-6)


def test_every_fold_alone_is_leave_one_out():
    X, targets = made_up(n=15)
    trained = train_columns(KernelMachine(gamma=1.0, tol=1e-8), X, targets)
    np.testing.assert_allclose(
        trained.held_out_scores(np.arange(15)), trained.leave_one_out_scores(tol=1e-8), atol=1e-5
    )


def test_columns_equal_machines_trained_alone():
    X, targets = made_up(n=30)
    together = train_columns(KernelMachine(gamma=0.5, C=2.0, tol=1e-8), X, targets)
    new = np.random.default_rng(9).normal(size=(11, 3))
    scores = together.predict_scores(new)
    assert scores.shape == (11, 4)
    for b in range(3):
        shown = targets[:, b] != 0
        alone = KernelMachine(gamma=0.5, C=2.0, tol=1e-8).fit(X[shown], targets[shown, b])
        np.testing.assert_allclose(scores[:, b], alone.decision_function(new), atol=1e-6)
        np.testing.assert_allclose(together.alphas[shown, b], alone.alphas_, atol=1e-4)
        assert alone.gap_ == pytest.approx(together.gaps[b], abs=1e-6)
        assert (alone.predict(new) == np.where(scores[:, b] > 0, 1, -1)).all()


def test_linear_machine_with_bias_one_is_liblinear():
    generator = np.random.default_rng(3)
    X = generator.normal(size=(60, 4))
    y = np.where(X[:, 0] + 0.5 * generator.normal(size=60) > 0, "yes", "no")
    ours = KernelMachine(kernel="linear", C=0.7, bias=1.0, tol=1e-9).fit(X, y)
    theirs = LinearSVC(loss="hinge", C=0.7, intercept_scaling=1, tol=1e-10, max_iter=1_000_000).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


def test_threads_do_not_change_a_bit():
    X, targets = made_up(n=40, n_bits=7)
    fold_ids = np.arange(40) % 3
    machine = KernelMachine(gamma=0.5)
    one, four = (train_columns(machine, X, targets, n_jobs=jobs) for jobs in (1, 4))
    for name in ("alphas", "scores", "gaps", "n_updates"):
        np.testing.assert_array_equal(getattr(one, name), getattr(four, name))
    np.testing.assert_array_equal(one.held_out_scores(fold_ids), four.held_out_scores(fold_ids))
    np.testing.assert_array_equal(one.leave_one_out_scores(), four.leave_one_out_scores())


def test_warm_start_reaches_the_same_machines_sooner():
    X, targets = made_up(n=60, zeros=False)
    near = train_columns(KernelMachine(gamma=0.5, C=1.0, tol=1e-8), X, targets)
    cold = train_columns(KernelMachine(gamma=0.55, C=0.9, tol=1e-8), X, targets)
    warm = train_columns(KernelMachine(gamma=0.55, C=0.9, tol=1e-8), X, targets, start=near.alphas)
    np.testing.assert_allclose(warm.scores, cold.scores, atol=1e-6)
    assert warm.n_updates.sum() < cold.n_updates.sum()
    again = train_columns(KernelMachine(gamma=0.55, C=0.9, tol=1e-6), X, targets, start=cold.alphas)
    assert again.n_updates.sum() == 0
    with pytest.raises(ValueError, match="starting coefficients have shape"):
        train_columns(KernelMachine(), X, targets, start=near.alphas[:, :2])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # at 1e4 a coarse tol costs all
@pytest.mark.parametrize("gamma", [1e-6, 1e8])
@pytest.mark.parametrize("C", [1e-6, 1e4])
def test_extreme_numbers(gamma, C):
    X, targets = made_up(n=20)
    trained = train_columns(KernelMachine(gamma=gamma, C=C, tol=1e-2), X, targets)
    assert np.isfinite(trained.scores).all()
    assert (trained.gaps >= 0).all()


def test_one_side_empty_column_and_single_points():
    X = np.array([[0.0], [1.0], [2.0]])
    targets = np.array([[1, 0, 1, 0], [1, 0, -1, 0], [1, 0, 0, -1]], dtype=np.int8)
    trained = train_columns(KernelMachine(gamma=1.0, C=10.0), X, targets)
    assert (trained.scores[:, 0] > 0.99).all()
    assert (trained.scores[:, 1] == 0).all()
    assert trained.scores[0, 2] > 0 > trained.scores[1, 2]
    assert (trained.scores[:, 3] < 0).all()
    assert trained.converged.all()
    held_out = trained.held_out_scores(np.array([0, 1, 2]))
    # Without its only point a machine knows nothing.
    assert held_out[2, 3] == 0
    assert (held_out[:, 1] == 0).all()
    assert trained.leave_one_out_scores()[2, 3] == 0


def test_no_support_at_all():
    X = np.array([[0.0], [1.0]])
    trained = train_columns(KernelMachine(), X, np.zeros((2, 1), dtype=np.int8))
    assert trained.predict_scores(X).tolist() == [[0.0], [0.0]]


def test_constant_features_and_the_zero_vector():
    zeros = np.zeros((4, 2))
    targets = np.array([[1], [-1], [1], [1]], dtype=np.int8)
    unbiased = train_columns(KernelMachine(kernel="linear", bias=0.0), zeros, targets)
    # Nothing can be learned, every hinge loss is 1 and every coefficient stands at its bound.
    assert (unbiased.scores == 0).all()
    assert (unbiased.alphas == 1.0).all()
    assert (unbiased.gaps == 0).all()
    assert train_columns(KernelMachine(), zeros, targets).scores.std() == 0


def test_single_precision_agrees_with_double(monkeypatch):
    X, targets = made_up(n=45)
    machine = KernelMachine(gamma=0.5, tol=1e-3)
    fold_ids = np.arange(45) % 3
    exact = train_columns(machine, X, targets)
    monkeypatch.setattr(gram_module, "_COARSE_ROWS", 10)
    monkeypatch.setattr(module, "STEPS_BETWEEN_REFRESHES", 5)
    coarse = train_columns(machine, X, targets)
    assert coarse.gram.dtype == np.float32
    assert coarse.converged.all()
    np.testing.assert_allclose(coarse.scores, exact.scores, atol=5e-3)
    np.testing.assert_allclose(coarse.predict_scores(X), coarse.scores, atol=1e-4)
    assert coarse.violations.max() <= 1e-3
    np.testing.assert_allclose(coarse.held_out_scores(fold_ids), exact.held_out_scores(fold_ids), atol=1e-2)
    np.testing.assert_allclose(coarse.leave_one_out_scores(), exact.leave_one_out_scores(), atol=5e-3)
    warm = train_columns(machine, X, targets, start=coarse.alphas)
    assert warm.n_updates.sum() < coarse.n_updates.sum()
    monkeypatch.setattr(module, "SINGLE_PRECISION_ROWS", 10)
    np.testing.assert_allclose(coarse.leave_one_out_scores(tol=1e-9), exact.leave_one_out_scores(), atol=5e-3)


def test_many_folds_are_done_in_groups(monkeypatch):
    X, targets = made_up(n=20)
    trained = train_columns(KernelMachine(gamma=1.0), X, targets)
    fold_ids = np.arange(20) % 5
    whole = trained.held_out_scores(fold_ids)
    monkeypatch.setattr(module, "FOLD_BYTES", 1)
    told = []
    np.testing.assert_allclose(trained.held_out_scores(fold_ids, shares_to(told.append)), whole, atol=1e-9)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_unconverged_is_said():
    X, targets = made_up(n=30, zeros=False)
    machine = KernelMachine(gamma=0.1, C=100.0, max_updates=2)
    with pytest.warns(ConvergenceWarning, match=r"stopped at max_updates with a duality gap of up to"):
        trained = train_columns(machine, X, targets)
    assert not trained.converged.any()
    assert (trained.gaps > 0).all()
    with pytest.warns(ConvergenceWarning, match="in their folds"):
        trained.held_out_scores(np.arange(30) % 3)
    with pytest.warns(ConvergenceWarning, match="a violation above 1e-06"):
        trained.leave_one_out_scores()


def test_pickle_leaves_the_gram_matrix_out():
    X, targets = made_up(n=50)
    trained = train_columns(KernelMachine(gamma=1.0), X, targets)
    data = pickle.dumps(trained)
    assert len(data) < 50 * 50 * 8
    copy = pickle.loads(data)  # noqa: S301 - made above
    np.testing.assert_array_equal(copy.predict_scores(X), trained.predict_scores(X))
    np.testing.assert_array_equal(
        copy.held_out_scores(np.arange(50) % 2), trained.held_out_scores(np.arange(50) % 2)
    )
    machine = KernelMachine().fit(X, targets[:, 0] >= 0)
    copied = pickle.loads(pickle.dumps(machine))  # noqa: S301 - made above
    np.testing.assert_array_equal(copied.predict(X), machine.predict(X))
    assert clone(machine).get_params() == machine.get_params()


def test_progress_is_told_and_may_cancel():
    X, targets = made_up(n=20)
    told = []
    trained = train_columns(KernelMachine(), X, targets, progress=shares_to(told.append))
    assert told[-1] == 1.0

    with pytest.raises(EndedError):
        train_columns(KernelMachine(), X, targets, progress=ending())
    with pytest.raises(EndedError):
        trained.leave_one_out_scores(ending())


@pytest.mark.parametrize("work", ["held_out_scores", "leave_one_out_scores"])
def test_parts_between_two_looks_do_not_show(work, monkeypatch):
    X, targets = made_up(n=40)
    trained = train_columns(KernelMachine(gamma=1.0), X, targets)
    told = [np.arange(40) % 3] if work == "held_out_scores" else []
    whole = getattr(trained, work)(*told)
    monkeypatch.setattr(module, "STEPS_BETWEEN_REFRESHES", 3)
    monkeypatch.setattr(module, "LEFT_OUT_AT_ONCE", 2)
    np.testing.assert_array_equal(getattr(trained, work)(*told), whole)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("number", range(3))
def test_one_long_column_can_be_cancelled(number, n_jobs, monkeypatch):
    X, targets = made_up(n=20)
    machine = KernelMachine(max_updates=10**9)
    trained = train_columns(machine, X, targets[:, :1], n_jobs=n_jobs)
    work = works(machine, X, targets[:, :1], trained)[number]
    enough, count = threading.Event(), itertools.count()

    def crawl(*_arguments):
        enough.wait(30)
        # An update takes no time: a column that hears nothing would go through all of these.
        return (10**9 if next(count) > 10**6 else 1), 1.0

    asked = []

    def ask(fraction):
        asked.append(fraction)
        if len(asked) == 3:
            enough.set()
            raise EndedError

    monkeypatch.setattr(module, "solve_box_dual", crawl)
    monkeypatch.setattr("ecocviz.engine.parallel.LISTEN_SECONDS", 0.02)
    with pytest.raises(EndedError):
        work(shares_to(ask))
    assert next(count) < 10**6


def works(machine, X, targets, trained):
    """What takes long, to be given a progress: training, and training again without folds or points."""
    return (
        lambda progress: train_columns(machine, X, targets, n_jobs=trained.n_jobs, progress=progress),
        lambda progress: trained.held_out_scores(np.arange(X.shape[0]) % 2, progress),
        trained.leave_one_out_scores,
    )


def test_making_the_gram_matrix_can_be_cancelled(monkeypatch):
    X, targets = made_up(n=40)
    trained = train_columns(KernelMachine(), X, targets)
    monkeypatch.setattr(gram_module, "_BLOCK_BYTES", 1)
    monkeypatch.setattr(module, "in_threads", None)
    for work in works(KernelMachine(), X, targets, trained):
        trained.release()
        with pytest.raises(EndedError):
            work(ending(calls=3))


def test_price_of_errors_is_one_over_the_mean_kernel_without_the_constant():
    X = np.array([[1.0, 0.0], [0.0, 3.0]])
    assert KernelMachine(bias=7.0).settle(X)[1] == 1.0
    assert KernelMachine(kernel="linear", bias=7.0).settle(X)[1] == pytest.approx(1 / 5)
    assert KernelMachine(kernel="poly", degree=2).settle(X)[1] == pytest.approx(1 / 52)


@pytest.mark.parametrize(
    "numbers, message",
    [
        ({"kernel": "cosine"}, "The kernel is one of"),
        ({"gamma": "auto"}, "gamma is a number"),
        ({"gamma": -1.0}, "gamma must be"),
        ({"degree": 1.5}, "degree must be"),
        ({"degree": 0}, "degree must be"),
        ({"bias": -1.0}, "bias must be"),
        ({"C": "mean"}, "C is a number"),
        ({"C": 0.0}, "C must be"),
        ({"tol": 0.0}, "tol must be"),
        ({"max_updates": 0}, "max_updates at least 1"),
        ({"kernel": "poly", "degree": 100, "C": 1.0}, "overflow"),
    ],
)
def test_bad_numbers_are_refused_in_a_sentence(numbers, message):
    with pytest.raises(ValueError, match=message):
        KernelMachine(**numbers).fit([[0.0], [9.0]], [0, 1])


def test_bad_folds_and_labels_are_refused_in_a_sentence():
    X, targets = made_up(n=10)
    trained = train_columns(KernelMachine(), X, targets)
    with pytest.raises(ValueError, match="fold_ids must hold one number"):
        trained.held_out_scores(np.arange(9))
    with pytest.raises(ValueError, match="one class only"):
        KernelMachine().fit(X, np.ones(10))
    with pytest.raises(ValueError, match="Only binary"):
        KernelMachine().fit(X, np.arange(10) % 3)


def test_gram_is_made_again_after_release():
    X, targets = made_up(n=10)
    trained = train_columns(KernelMachine(), X, targets)
    before = trained.gram
    trained.release()
    np.testing.assert_array_equal(trained.gram, before)


def test_catalogue_entry_makes_the_machine():
    values = complete(MACHINE.params, {})
    machine = MACHINE.make(**values)
    assert machine.get_params() == KernelMachine().get_params()
    assert MACHINE.theorem and MACHINE.kernel
