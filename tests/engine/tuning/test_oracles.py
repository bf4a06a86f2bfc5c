"""Every combination against an ECOCClassifier that is literally fitted to each fold's training points."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, PredefinedSplit, ShuffleSplit, StratifiedKFold

from ecocviz import ECOCClassifier, ECOCClassifierCV, KernelMachine
from ecocviz.engine.columns import stratified_fold_ids

FINE = KernelMachine(tol=1e-9)
GAMMAS, CS = [0.1, 1.0], [0.2, 3.0, 100.0]


def problem(n=60, seed=0, n_classes=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    return rng.normal(size=(n, 3)) + 1.2 * np.eye(n_classes, 3)[y], y


X, y = problem()
IDS = np.random.default_rng(1).integers(0, 4, y.size)


def search(gammas=GAMMAS, Cs=CS, **options):
    options = {
        "machine": FINE,
        "search_tol": 1e-9,
        "cv": IDS,
        "random_state": 0,
        "decodings": ["linear"],
    } | options
    return ECOCClassifierCV(gammas, Cs, **options)


def model_of(params, machine=FINE, **options):
    """The classifier of one combination."""
    keys = {}
    for name in ("coding", "decoding"):
        given = params[name] if isinstance(params[name], tuple) else (params[name], None)
        keys[name], keys[f"{name}_params"] = given
    numbers = {name: params[name] for name in ("gamma", "C") if name in params}
    fixed = {name: getattr(machine, name) for name in machine.get_params() if name not in numbers}
    return ECOCClassifier(**keys, machine=KernelMachine(**fixed, **numbers), random_state=0, **options)


def refitted(found, X, y, weights=None, machine=FINE, ids=IDS, calibration=None, kernel_values=False):
    """The scores of every combination on every fold, (n_combinations, n_folds), one fit each."""
    scores = []
    for params in found.cv_results_["params"]:
        for fold in np.unique(ids):
            train, test = ids != fold, ids == fold
            folds = ids[train] if calibration is None else calibration[train]
            given = (X[train][:, train], X[test][:, train]) if kernel_values else (X[train], X[test])
            own, theirs = (None, None) if weights is None else (weights[train], weights[test])
            model = model_of(params, machine, calibration_folds=folds).fit(given[0], y[train], own)
            scores.append(model.score(given[1], y[test], theirs))
    return np.reshape(scores, (-1, np.unique(ids).size))


def scores_of(found):
    return np.transpose([found.cv_results_[f"split{k}_test_score"] for k in range(found.n_splits_)])


def test_it_is_scikit_learns_grid_search():
    codings, decodings = ["one-vs-all", "one-vs-one", "dense-random"], ["linear", "hamming"]
    ours = search(codings=codings, decodings=decodings).fit(X, y)
    grid = {"coding": codings, "decoding": decodings, "machine__gamma": GAMMAS, "machine__C": CS}
    folds = PredefinedSplit(IDS)
    theirs = GridSearchCV(ECOCClassifier(machine=FINE, random_state=0), grid, cv=folds).fit(X, y)
    for name in ("mean_test_score", "std_test_score", "rank_test_score", "split2_test_score"):
        np.testing.assert_allclose(ours.cv_results_[name], theirs.cv_results_[name], atol=1e-12)
    for name in ("gamma", "C"):
        np.testing.assert_array_equal(
            ours.cv_results_[f"param_{name}"], theirs.cv_results_[f"param_machine__{name}"]
        )
    assert ours.best_index_ == theirs.best_index_
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize(
    "decoding",
    [
        "likelihood",
        "euclidean",
        "loss-weighted-linear",
        "srm",
        "drm",
        "beta-density",
        ("attenuated-hamming", {}),
    ],
    ids=str,
)
def test_decoders_that_learn_learn_from_the_training_points_of_each_fold(decoding):
    found = search(codings=["one-vs-one", "one-vs-all"], decodings=[decoding, "hamming"]).fit(X, y)
    np.testing.assert_allclose(scores_of(found), refitted(found, X, y), atol=1e-12)


def test_calibration_folds_may_be_given():
    folds = np.random.default_rng(3).integers(0, 3, y.size)
    found = search(decodings=["likelihood"], calibration_folds=folds).fit(X, y)
    np.testing.assert_allclose(scores_of(found), refitted(found, X, y, calibration=folds), atol=1e-12)


def test_few_points_are_left_out_one_by_one_for_sigmoids():
    """A class with fewer points than calibration folds; then a class that a fold takes away altogether."""
    few = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1), np.flatnonzero(y == 2)[:3]]
    ids = np.arange(few.size) % 4
    found = search(decodings=["likelihood"], cv=ids).fit(X[few], y[few])
    np.testing.assert_allclose(scores_of(found), refitted(found, X[few], y[few], ids=ids), atol=1e-12)
    lone = np.r_[few, few[-1]]
    labels = np.r_[y[few], 3]
    found = search(decodings=["likelihood", "linear"], cv=np.r_[ids, 0]).fit(X[lone], labels)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("kernel", ["linear", "poly", "callable"])
def test_other_kernels_have_no_gamma(kernel):
    machine = KernelMachine(rbf_kernel if kernel == "callable" else kernel, degree=2, bias=0.5, tol=1e-9)
    found = search(Cs=[0.01, 0.3], machine=machine).fit(X, y)
    assert set(found.best_params_) == {"C", "coding", "decoding"} and "param_gamma" not in found.cv_results_
    np.testing.assert_allclose(scores_of(found), refitted(found, X, y, machine=machine), atol=1e-12)
    assert found.best_estimator_.machine.kernel == machine.kernel


def test_kernel_values_stand_for_points():
    values = rbf_kernel(X, gamma=0.5)
    machine = KernelMachine("precomputed", tol=1e-9)
    found = search(machine=machine, decodings=["likelihood", "linear"]).fit(values, y)
    expected = refitted(found, values, y, machine=machine, kernel_values=True)
    np.testing.assert_allclose(scores_of(found), expected, atol=1e-12)
    assert found.predict(values[:5]).shape == (5,)


def test_sparse_points_are_those_points():
    X = problem()[0]
    X[X < 0.3] = 0
    dense, sparse = (search(decodings=["likelihood"]).fit(points, y) for points in (X, csr_array(X)))
    np.testing.assert_allclose(scores_of(dense), scores_of(sparse))
    assert dense.best_params_ == sparse.best_params_


@pytest.mark.parametrize("class_weight", [None, "balanced", {-1: 0.3, 1: 2.0}], ids=str)
def test_weights_count_in_training_and_in_scores(class_weight):
    weights = np.random.default_rng(5).choice([0.5, 1.0, 3.0], y.size)
    machine = KernelMachine(tol=1e-9, class_weight=class_weight)
    codings = ["one-vs-all", -np.array([[1, -1], [-1, 1], [-1, -1]]), np.array([[1, -1], [-1, 1], [-1, -1]])]
    found = search(codings=codings, machine=machine, decodings=["likelihood", "linear"]).fit(X, y, weights)
    np.testing.assert_allclose(scores_of(found), refitted(found, X, y, weights, machine=machine), atol=1e-12)


def test_a_weight_of_0_takes_a_point_out():
    weights = np.where(np.arange(y.size) % 5 == 0, 0.0, 1.0)
    kept = weights > 0
    whole = search(decodings=["likelihood"]).fit(X, y, weights)
    less = search(decodings=["likelihood"], cv=IDS[kept]).fit(X[kept], y[kept])
    np.testing.assert_array_equal(scores_of(whole), scores_of(less))
    assert (whole.predict(X) == less.predict(X)).all()


@pytest.mark.parametrize(
    "cv", [4, StratifiedKFold(3), ShuffleSplit(3, random_state=0), [([*range(30)], [31, 33])]]
)
def test_folds_come_as_scikit_learn_takes_them(cv):
    found = search(cv=cv).fit(X, y)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    theirs = PredefinedSplit(stratified_fold_ids(y, 4, seed)) if cv == 4 else cv
    grid = {"machine__gamma": GAMMAS, "machine__C": CS}
    slow = GridSearchCV(ECOCClassifier(decoding="linear", machine=FINE), grid, cv=theirs).fit(X, y)
    np.testing.assert_allclose(found.cv_results_["mean_test_score"], slow.cv_results_["mean_test_score"])


def test_many_folds_have_calibration_folds_of_their_own():
    ids = np.arange(y.size) % 9
    found = search(GAMMAS[:1], CS[:1], decodings=["likelihood"], cv=ids).fit(X, y)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    params = found.cv_results_["params"][0]
    for fold in range(9):
        train, test = ids != fold, ids == fold
        folds = stratified_fold_ids(y[train], 3, seed)
        model = model_of(params, calibration_folds=folds).fit(X[train], y[train])
        assert model.score(X[test], y[test]) == found.cv_results_[f"split{fold}_test_score"][0]


@pytest.mark.parametrize("scoring", ["bound", "loo"])
def test_the_bound_and_leaving_out_are_the_classifiers_own(scoring):
    codings, decodings = ["one-vs-all", "one-vs-one"], ["likelihood", "linear"]
    found = search(codings=codings, decodings=decodings, scoring=scoring, calibration_folds=IDS).fit(X, y)
    for params, score in zip(found.cv_results_["params"], found.cv_results_["mean_test_score"], strict=True):
        model = model_of(params, calibration_folds=IDS).fit(X, y)
        error = (model.loo_bound() if scoring == "bound" else model.exact_loo()).error
        assert score == pytest.approx(1 - error)
    assert found.n_splits_ == 1 and "split0_test_score" not in found.cv_results_


@pytest.mark.parametrize("scoring", ["cv", "loo"])
def test_learned_codes_are_learned_from_the_training_points_of_each_fold(scoring):
    machine = KernelMachine(tol=1e-6)
    options = {"codings": ["decoc", "one-vs-all"], "machine": machine, "search_tol": 1e-6, "scoring": scoring}
    found = search(GAMMAS[:1], CS[:2], decodings=["hamming", "linear"], **options).fit(X, y)
    if scoring == "cv":
        np.testing.assert_allclose(scores_of(found), refitted(found, X, y, machine=machine), atol=1e-12)
        return
    model = model_of(found.cv_results_["params"][0], machine).fit(X, y)
    assert found.cv_results_["mean_test_score"][0] == pytest.approx(1 - model.exact_loo().error)


def test_the_best_of_a_coarse_search_is_the_best_of_a_fine_one():
    points, labels = load_iris(return_X_y=True)
    coarse, fine = (
        ECOCClassifierCV(4, 4, decodings=["linear"], search_tol=tol, random_state=0).fit(points, labels)
        for tol in (1e-2, 1e-8)
    )
    difference = coarse.cv_results_["mean_test_score"] - fine.cv_results_["mean_test_score"]
    assert np.abs(difference).max() <= 2 / 150
    assert coarse.best_params_ == fine.best_params_
