import pickle

import numpy as np
import oracles_machines as oracle
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, ending, shares_to
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix, issparse, random_array
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import examples

from ecocviz import ECOCClassifier
from ecocviz.engine.columns import train_columns
from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.machines import _feature_map
from ecocviz.engine.machines._feature_map import (
    FeatureMap,
    candidates,
    draw_landmarks,
    explicit_features,
    nystroem_map,
)
from ecocviz.engine.machines._kernel_columns import KernelColumns
from ecocviz.engine.machines._linear_columns import LinearColumns
from ecocviz.engine.machines._ways import explicit
from ecocviz.engine.machines.kernel_machine import KernelMachine

KERNELS = [
    Kernel("linear", 1.0, 1, 1.0),
    Kernel("linear", 1.0, 1, 0.0),
    Kernel("rbf", 0.4, 1, 1.0),
    Kernel("poly", 1.0, 2, 0.5),
]
FINE = {"C": 1.0, "tol": 1e-7, "max_updates": 2_000_000}


def made_up(n=40, n_bits=4, seed=0):
    """Points with duplicates; a column with one side, and one that is shown nothing."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, 3)) + generator.integers(0, 3, size=(n, 1))
    X[n // 2 :: 7] = X[0]
    targets = generator.choice([-1, 0, 1], size=(n, n_bits)).astype(np.int8)
    targets[:, 0] = np.where(X[:, 0] > 1, 1, -1)
    targets[:, -2] = np.abs(targets[:, -2])
    targets[:, -1] = 0
    return X, targets


def features_of(kernel, X, rows=None):
    return FeatureMap(kernel) if kernel.name == "linear" else nystroem_map(kernel, X, rows)


def both(kernel, X, targets, **settings):
    """Machines on the features that give the kernel itself, and those of the kernel matrix."""
    settings = FINE | settings
    features = features_of(kernel, X, np.arange(X.shape[0]))
    return LinearColumns(features, X, targets, **settings), KernelColumns(kernel, X, targets, **settings)


@pytest.fixture(params=[10, 1_000])
def few(request, monkeypatch):
    """Once with sweeps, once with pairs only."""
    monkeypatch.setattr(explicit, "FEW", request.param)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # one side weighs 1e7 times more
@parametrize_with_checks(
    [KernelMachine(approximation="nystroem", rank=20)], expected_failed_checks=unequal_copies
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("few", [5, 1_000])
@given(seed=st.integers(0, 1_000), kernel=st.sampled_from(KERNELS), weighted=st.booleans())
@examples(15)
def test_features_of_the_whole_kernel_give_its_machines(few, seed, kernel, weighted):
    X, targets = made_up(n=25, seed=seed)
    weights = np.random.default_rng(seed).integers(0, 4, size=25) / 2 if weighted else None
    before, explicit.FEW = explicit.FEW, few
    try:
        linear, exact = both(kernel, X, targets, weights=weights)
        np.testing.assert_allclose(linear.scores, exact.scores, atol=1e-4)
        assert linear.converged.all() and linear.theorem and linear.violations.max() <= 1e-7
        np.testing.assert_allclose(linear.squared_norms, exact.squared_norms, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(linear.diagonal, exact.diagonal, rtol=1e-6)
        np.testing.assert_allclose(linear.predict_scores(X), linear.scores, atol=1e-6)
        fold_ids = np.arange(25) % 3
        held_out = exact.held_out_scores(fold_ids)
        np.testing.assert_allclose(linear.held_out_scores(fold_ids), held_out, atol=1e-3)
        left_out = exact.leave_one_out_scores(tol=1e-7)
        np.testing.assert_allclose(linear.leave_one_out_scores(tol=1e-7), left_out, atol=1e-3)
    finally:
        explicit.FEW = before


@pytest.mark.usefixtures("few")
def test_columns_know_their_gap_and_keep_the_box():
    X, targets = made_up(n=30)
    trained = LinearColumns(nystroem_map(KERNELS[2], X, np.arange(0, 30, 4)), X, targets, **FINE)
    features = trained.features
    assert features.shape == (30, 9 - (X[np.arange(0, 30, 4)] == X[0]).all(axis=1).sum() + 1)
    gram = features @ features.T
    np.testing.assert_allclose(trained.diagonal, np.diag(gram))
    for b in range(targets.shape[1] - 1):
        shown = np.flatnonzero(targets[:, b])
        part, t, alphas = (
            gram[np.ix_(shown, shown)],
            targets[shown, b].astype(float),
            trained.alphas[shown, b],
        )
        assert oracle.violation(part, t, np.ones(shown.size), alphas) <= 2e-7
        assert trained.gaps[b] == pytest.approx(oracle.duality_gap(part, t, 1.0, alphas), abs=1e-8)
    assert (trained.alphas[targets == 0] == 0).all()
    assert (trained.scores[:, -1] == 0).all()


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("kernel", [KERNELS[0], KERNELS[2]])
def test_held_out_scores_are_those_of_training_without_the_fold_on_the_same_landmarks(kernel):
    X, targets = made_up(n=36)
    features = features_of(kernel, X, np.arange(0, 36, 3))
    trained = LinearColumns(features, X, targets, **FINE)
    fold_ids = np.random.default_rng(0).integers(0, 3, size=36) * 5
    held_out, left_out = trained.held_out_scores(fold_ids), trained.leave_one_out_scores()
    for fold in np.unique(fold_ids):
        kept, held = fold_ids != fold, fold_ids == fold
        alone = LinearColumns(features, X[kept], targets[kept], **FINE)
        np.testing.assert_allclose(held_out[held], alone.predict_scores(X[held]), atol=1e-4)
    for i in range(0, 36, 5):
        kept = np.arange(36) != i
        alone = LinearColumns(features, X[kept], targets[kept], **FINE)
        np.testing.assert_allclose(left_out[i], alone.predict_scores(X[i : i + 1])[0], atol=1e-4)
    with pytest.raises(ValueError, match="fold_ids must hold one number for each of the 36 points"):
        trained.held_out_scores(fold_ids[1:])


@pytest.mark.usefixtures("few")
def test_threads_other_columns_and_runs_do_not_change_a_bit():
    X, targets = made_up(n=60, n_bits=7)
    features = nystroem_map(KERNELS[2], X, np.arange(0, 60, 2))
    fold_ids = np.arange(60) % 3
    one, four = (LinearColumns(features, X, targets, n_jobs=jobs, **FINE) for jobs in (1, 4))
    for name in ("alphas", "scores", "gaps", "n_updates"):
        np.testing.assert_array_equal(getattr(one, name), getattr(four, name))
    np.testing.assert_array_equal(one.held_out_scores(fold_ids), four.held_out_scores(fold_ids))
    alone = LinearColumns(features, X, targets[:, :1], **FINE)
    np.testing.assert_array_equal(alone.alphas[:, 0], one.alphas[:, 0])


def test_single_precision_features_agree_with_double(monkeypatch):
    monkeypatch.setattr(explicit, "FEW", 50)
    X, targets = made_up(n=1_200, n_bits=3)
    features = nystroem_map(KERNELS[2], X, np.arange(0, 1_200, 30))
    coarse, fine = (
        LinearColumns(features, X, targets, **(FINE | {"tol": tol, "C": 0.5})) for tol in (1e-3, 1e-5)
    )
    assert coarse.features.dtype == np.float32 and fine.features.dtype == np.float64
    assert coarse.violations.max() <= 1e-3
    np.testing.assert_allclose(coarse.scores, fine.scores, atol=5e-3)
    np.testing.assert_allclose(coarse.predict_scores(X), coarse.scores, atol=1e-4)


def test_warm_start_reaches_the_same_machines_sooner(monkeypatch):
    monkeypatch.setattr(explicit, "FEW", 10)
    X, targets = made_up(n=80)
    settings = FINE | {"tol": 1e-5}
    cold = LinearColumns(FeatureMap(KERNELS[0]), X, targets, **settings)
    warm = LinearColumns(FeatureMap(KERNELS[0]), X, targets, start=cold.alphas, **settings)
    assert warm.n_updates.sum() < cold.n_updates.sum() / 10
    np.testing.assert_allclose(warm.scores, cold.scores, atol=1e-3)
    with pytest.raises(ValueError, match="starting coefficients have shape"):
        LinearColumns(FeatureMap(KERNELS[0]), X, targets, start=cold.alphas[:, :1], **settings)


def test_unconverged_is_said(monkeypatch):
    monkeypatch.setattr(explicit, "FEW", 5)
    X, targets = made_up(n=50)
    with pytest.warns(ConvergenceWarning, match=r"stopped at max_updates with a duality gap of up to"):
        trained = LinearColumns(FeatureMap(KERNELS[0]), X, targets, **(FINE | {"max_updates": 2}))
    assert not trained.converged[0] and trained.converged[-1]
    with pytest.warns(ConvergenceWarning, match="in their folds"):
        trained.held_out_scores(np.arange(50) % 2)
    monkeypatch.setattr(explicit, "POINTS_FOR_UPDATES", 1)
    assert explicit.Explicit(trained._problem(), trained.feature_map)


def test_features_are_released_and_left_out_of_pickles():
    X, targets = made_up(n=300)
    trained = LinearColumns(nystroem_map(KERNELS[2], X, np.arange(0, 300, 2)), X, targets, **FINE)
    data = pickle.dumps(trained)
    assert len(data) < 300 * 150 * 8
    copy = pickle.loads(data)  # noqa: S301 - made above
    trained.release()
    fold_ids = np.arange(300) % 2
    np.testing.assert_array_equal(copy.held_out_scores(fold_ids), trained.held_out_scores(fold_ids))
    np.testing.assert_array_equal(copy.predict_scores(X[:9]), trained.predict_scores(X[:9]))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("work", ["training", "held_out_scores", "leave_one_out_scores"])
def test_progress_is_told_and_may_cancel(work):
    X, targets = made_up(n=30)
    trained = LinearColumns(FeatureMap(KERNELS[0]), X, targets, **FINE)

    def run(progress):
        if work == "training":
            LinearColumns(FeatureMap(KERNELS[0]), X, targets, progress=progress, **FINE)
        else:
            getattr(trained, work)(
                *([np.arange(30) % 3] if work == "held_out_scores" else []), progress=progress
            )

    told = []
    run(shares_to(told.append))
    assert told == sorted(told) and told[-1] == 1.0
    with pytest.raises(EndedError):
        run(ending(calls=3))


# Landmarks --------------------------------------------------------------------------------------------


def test_small_groups_are_candidates():
    targets = np.full((1_000, 2), -1, dtype=np.int8)
    targets[:3, 0] = targets[3:10, 1] = 1
    drawn = candidates(targets, np.arange(1_000), 48, np.random.default_rng(0))
    assert np.unique(drawn).size == 48
    assert np.count_nonzero(drawn < 3) == 3
    assert np.count_nonzero((drawn >= 3) & (drawn < 10)) >= 4
    assert set(candidates(targets, np.arange(5, 25), 48, np.random.default_rng(0))) == {*range(5, 25)}
    # More groups than candidates.
    many = np.arange(100, dtype=np.int8)[:, None] % 50
    assert candidates(many, np.arange(100), 10, np.random.default_rng(0)).size == 10


@pytest.mark.parametrize("name", ["rbf", "precomputed"])
def test_landmarks_are_far_from_each_other(name):
    """Three heaps of very different sizes: each has landmarks, and nothing is drawn once all is explained."""
    generator = np.random.default_rng(0)
    heap = generator.choice(3, size=400, p=[0.9, 0.08, 0.02])
    X = 10.0 * heap[:, None] + np.zeros((400, 2))
    targets = np.ones((400, 1), dtype=np.int8)
    kernel = Kernel("rbf", 0.1, 1, 1.0)
    points = gram_matrix(Kernel("rbf", 0.1, 1, 0.0), X) if name == "precomputed" else X
    kernel = Kernel(name, 0.1, 1, 1.0)
    rows = draw_landmarks(kernel, points, targets, np.arange(400), 20, generator)
    assert (np.diff(rows) > 0).all() and sorted(heap[rows].tolist()) == [0, 1, 2]
    X += 0.01 * generator.normal(size=X.shape)
    rows = draw_landmarks(Kernel("rbf", 1e4, 1, 1.0), X, targets, np.arange(400), 20, generator)
    assert rows.size == 20
    few = draw_landmarks(Kernel("rbf", 0.1, 1, 1.0), X, targets, np.arange(10, 15), 20, generator)
    assert few.tolist() == [*range(10, 15)]


def test_drawn_landmarks_explain_more_than_any_points():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(500, 3)) * np.where(generator.random(500) < 0.9, 0.1, 1.0)[:, None]
    targets = np.ones((500, 1), dtype=np.int8)

    def unexplained(rows):
        features = nystroem_map(KERNELS[2], X, rows)
        out = np.empty((500, features.width(X)))
        features.write(X, out)
        return (2.0 - np.einsum("ij,ij->i", out, out)).sum()

    drawn, uniform = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        drawn.append(unexplained(draw_landmarks(KERNELS[2], X, targets, np.arange(500), 20, rng)))
        uniform.append(unexplained(rng.permutation(500)[:20]))
    assert min(drawn) >= 0
    assert np.mean(drawn) < 0.75 * np.mean(uniform)


def test_landmarks_follow_the_seed():
    X, targets = made_up(n=100)
    machines = [KernelMachine(approximation="nystroem", rank=10, random_state=seed) for seed in (0, 0, 1)]
    rows = [train_columns(machine, X, targets).feature_map.rows.tolist() for machine in machines]
    assert rows[0] == rows[1] != rows[2]
    assert clone(machines[2]).get_params()["random_state"] == 1


def test_points_of_weight_0_are_as_if_they_were_not_there():
    X, targets = made_up(n=60)
    weights = np.where(np.arange(60) % 3 == 0, 0.0, 1.0)
    machine = KernelMachine(gamma=0.4, C=1.0, tol=1e-8, approximation="nystroem", rank=20)
    weighted, without = (
        train_columns(machine, X, targets, fit_params={"sample_weight": weights}),
        train_columns(machine, X[weights > 0], targets[weights > 0]),
    )
    np.testing.assert_allclose(weighted.predict_scores(X), without.predict_scores(X), atol=1e-6)


@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear", "precomputed", "callable", "sparse"])
def test_every_kernel_can_be_approximated(kernel):
    """With all points as landmarks the machines are the exact ones, whatever kind of kernel."""
    X, targets = made_up(n=40)
    new = np.random.default_rng(5).normal(size=(9, 3))
    rbf = Kernel("rbf", 0.4, 1, 0.0)
    name, points, others = kernel, X, new
    if kernel == "precomputed":
        points, others = gram_matrix(rbf, X), gram_matrix(rbf, new, X)
    elif kernel == "callable":
        name = lambda left, right: gram_matrix(rbf, left, right)  # noqa: E731 - a user's function
    elif kernel == "sparse":
        name, points, others = "rbf", csr_matrix(X), csr_matrix(new)
    settings = {"kernel": name, "gamma": 0.4, "degree": 2, "C": 1.0, "tol": 1e-8}
    exact = train_columns(KernelMachine(**settings), points, targets)
    for rank in (40, 1_000):
        near = train_columns(KernelMachine(**settings, approximation="nystroem", rank=rank), points, targets)
        assert isinstance(near, LinearColumns)
        np.testing.assert_allclose(near.scores, exact.scores, atol=1e-4)
        np.testing.assert_allclose(near.predict_scores(others), exact.predict_scores(others), atol=1e-4)
    coarse = train_columns(KernelMachine(**settings, approximation="nystroem", rank=2), points, targets)
    assert coarse.feature_map.width(points) == 3
    np.testing.assert_allclose(coarse.predict_scores(points), coarse.scores, atol=1e-6)


def test_linear_kernels_of_many_points_take_features(monkeypatch):
    monkeypatch.setattr(_feature_map, "MANY_ROWS", 50)
    X, targets = made_up(n=60)
    machine = KernelMachine(kernel="linear", tol=1e-7)
    many, exact = train_columns(machine, X, targets), train_columns(machine, X[:50], targets[:50])
    assert isinstance(many, LinearColumns) and many.feature_map.landmarks is None
    assert not isinstance(exact, LinearColumns)
    wide = np.hstack([X] * 3)
    assert not isinstance(train_columns(machine, wide, targets), LinearColumns)
    thin = train_columns(machine, csr_matrix(X), targets)
    assert isinstance(thin, LinearColumns)
    np.testing.assert_allclose(thin.predict_scores(csr_matrix(X)), many.scores, atol=1e-6)
    assert not isinstance(train_columns(KernelMachine(), X, targets), LinearColumns)
    assert explicit_features(None, 5, KERNELS[0], X, targets, None, 60 * 4 * 8, 0) is not None
    assert explicit_features(None, 5, KERNELS[0], X, targets, None, 60 * 4 * 8 - 1, 0) is None


@pytest.mark.parametrize("few, sweeps", [(5, 0), (1_000, 0), (1_000, 3), (1_000, 1_000)])
@given(
    seed=st.integers(0, 1_000),
    bias=st.sampled_from([0.0, 1.0]),
    C=st.sampled_from([0.1, 5.0]),
    weighted=st.booleans(),
)
@examples(10)
def test_points_without_zeros_are_trained_as_they_are(few, sweeps, seed, bias, C, weighted):
    """The machines are those of the Gram matrix, within what both sides' gaps certify, folds among them."""
    X, targets = made_up(n=25, seed=seed)
    X[np.random.default_rng(seed).random(X.shape) < 0.5] = 0.0
    weights = np.random.default_rng(seed).integers(0, 4, size=25) / 2 if weighted else None
    kernel, settings = Kernel("linear", 1.0, 1, bias), FINE | {"C": C, "weights": weights}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explicit, "FEW", few)
        patch.setattr(explicit, "SWEEPS", sweeps)
        patch.setattr(_feature_map, "THIN", 1.0)
        thin = LinearColumns(FeatureMap(kernel), csr_array(X), targets, **settings)
        exact = KernelColumns(kernel, X, targets, **settings)
        assert issparse(thin.features) and thin.converged.all()
        # Two machines whose objectives are within their gaps of the least are no farther apart than this.
        apart = np.sqrt(2 * (thin.gaps + exact.gaps) * exact.diagonal.max()) + 1e-9
        assert (np.abs(thin.scores - exact.scores) <= apart).all()
        np.testing.assert_allclose(thin.predict_scores(csr_array(X)), thin.scores, atol=1e-9)
        folds = np.arange(25) % 3
        np.testing.assert_allclose(
            thin.held_out_scores(folds), exact.held_out_scores(folds), atol=1e-3 * max(1.0, C)
        )
        np.testing.assert_allclose(
            thin.leave_one_out_scores(tol=1e-7), exact.leave_one_out_scores(tol=1e-7), atol=1e-3 * max(1.0, C)
        )


def test_many_points_without_zeros_take_their_own_features():
    generator = np.random.default_rng(0)
    X = csr_array(random_array((1_100, 3_000), density=0.01, rng=generator, format="csr"))
    y = np.asarray(X[:, :1_500].sum(axis=1) > X[:, 1_500:].sum(axis=1))
    machine = KernelMachine(kernel="linear", C=1.0)
    targets = np.where(y, 1, -1).astype(np.int8)[:, None]
    trained = train_columns(machine, X, targets)
    assert isinstance(trained, LinearColumns) and issparse(trained.features) and trained.converged.all()
    assert not isinstance(train_columns(machine, X[:900], targets[:900]), LinearColumns)
    for limit, fits in ((1e5, False), (1e6, True)):
        assert (explicit_features(None, 5, KERNELS[0], X, targets, None, limit, 0) is not None) == fits


def test_few_features_of_a_linear_kernel_need_no_landmarks():
    X, targets = made_up(n=20)
    asked = {
        "approximation": "nystroem",
        "kernel": KERNELS[0],
        "targets": targets,
        "weights": None,
        "limit": None,
        "seed": 0,
    }
    assert explicit_features(rank=3, X=X, **asked).rows is None
    assert explicit_features(rank=2, X=X, **asked).rows.size == 2


@pytest.mark.parametrize(
    "settings, sentence",
    [
        ({"approximation": "fourier"}, "approximation is None or \"nystroem\", not 'fourier'"),
        ({"approximation": "nystroem", "rank": 0}, "rank is a whole number of landmarks, at least 1, not 0"),
        ({"approximation": "nystroem", "rank": 2.5}, "rank is a whole number"),
        ({"approximation": "nystroem", "rank": True}, "rank is a whole number"),
        ({"approximation": "nystroem", "rank": 30, "memory_limit": 1000.0}, "features of 60 points need"),
    ],
)
def test_refusals(settings, sentence):
    X, targets = made_up(n=60)
    with pytest.raises(ValueError, match=sentence):
        train_columns(KernelMachine(**settings), X, targets)


# What it costs -----------------------------------------------------------------------------------------


def test_what_the_approximation_costs_is_said():
    X, y = load_iris(return_X_y=True)
    near = {rank: KernelMachine(gamma=2.0, C=10.0, approximation="nystroem", rank=rank) for rank in (3, 60)}
    coarse, fine = (
        ECOCClassifier(machine=machine, decoding="linear").fit(X, y).approximation_report(60)
        for machine in near.values()
    )
    assert (coarse.rank, fine.rank) == (3, 60)
    assert (coarse.n_trained, coarse.n_compared) == (60, 60) and fine.n_trained + fine.n_compared == 90
    assert coarse.differ > fine.differ
    assert fine.error == fine.exact_error or fine.differ > 0
    assert "held-out decisions differ from those of exact machines" in str(fine)
    binary = near[3].fit(X, y == 1)
    assert 0 <= binary.approximation_report().differ <= 1
    with pytest.raises(ValueError, match="These machines are exact"):
        KernelMachine().fit(X, y == 1).approximation_report()
    with pytest.raises(ValueError, match="All points are landmarks"):
        KernelMachine(approximation="nystroem").fit(X, y == 1).approximation_report()


def test_the_report_compares_with_machines_trained_by_hand():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(1).permutation(150)
    X, y = X[order], y[order] == 2
    machine = KernelMachine(gamma=2.0, C=10.0, approximation="nystroem", rank=2).fit(X, y)
    columns = machine.columns_
    rows = np.setdiff1d(np.arange(150), columns.feature_map.rows)
    drawn = np.random.default_rng(0).permutation(rows)[:80]
    trained, held = drawn[:40], drawn[40:]
    exact = KernelMachine(gamma=2.0, C=10.0).fit(X[trained], y[trained]).predict(X[held])
    ours = LinearColumns(
        columns.feature_map, X[trained], columns.targets[trained], C=10.0, tol=1e-3, max_updates=10**6
    )
    decided = ours.predict_scores(X[held])[:, 0] > 0
    report = machine.approximation_report(40)
    assert report.differ == np.mean(decided != exact)
    assert report.error == np.mean(decided != y[held])
    assert report.exact_error == np.mean(exact != y[held])


def test_precomputed_kernels_are_compared_too():
    X, y = load_iris(return_X_y=True)
    gram = gram_matrix(Kernel("rbf", 0.5, 1, 0.0), X)
    settings = {"C": 1.0, "approximation": "nystroem", "rank": 5}
    given = KernelMachine(kernel="precomputed", **settings).fit(gram, y == 1).approximation_report(50)
    assert given == KernelMachine(gamma=0.5, **settings).fit(X, y == 1).approximation_report(50)


def test_bounds_and_exact_errors_hold_for_landmarks_that_stay():
    X, y = load_iris(return_X_y=True)
    machine = KernelMachine(gamma=1.0, C=5.0, tol=1e-6, approximation="nystroem", rank=15)
    model = ECOCClassifier(machine=machine, decoding="linear").fit(X, y)
    bound, exact = model.loo_bound(), model.exact_loo()
    assert (exact.flagged <= bound.flagged).all()
