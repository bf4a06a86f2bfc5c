import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, notes_to, shares_to
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz import ECOCClassifier, ECOCClassifierCV, KernelMachine
from ecocviz.engine.reductions._shared.inputs import TrainingSet
from ecocviz.engine.tuning import estimator as module
from ecocviz.engine.tuning.grids import numbers
from ecocviz.engine.tuning.search import search_width

X, y = load_iris(return_X_y=True)
FINE = KernelMachine(tol=1e-10)  # copies and weights are to give the same to 1e-7


def search(gammas=(0.1, 1.0, 2), Cs=(0.5, 20.0, 2), **options):
    return ECOCClassifierCV(gammas, Cs, **{"decodings": ["linear"], "random_state": 0, **options})


@pytest.mark.thorough
@parametrize_with_checks(
    [
        search(machine=FINE, probability="paper"),
        search(decodings=["likelihood"], scoring="bound"),
        search(choice="one-standard-error", nested=True, machine=FINE, probability="paper"),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def same(one, other):
    """Everything but times is the same to the last digit."""
    assert one.cv_results_.keys() == other.cv_results_.keys()
    for name, column in one.cv_results_.items():
        if name not in ("mean_fit_time", "params"):
            np.testing.assert_array_equal(column, other.cv_results_[name])
    assert one.best_params_ == other.best_params_
    np.testing.assert_array_equal(one.costs(X), other.costs(X))


def test_it_is_a_classifier_of_what_it_chose():
    found = search(decodings=["linear", "likelihood"]).fit(X, y)
    assert found.best_params_ == found.cv_results_["params"][found.best_index_]
    assert found.best_score_ == found.cv_results_["mean_test_score"].max()
    assert found.cv_results_["rank_test_score"][found.best_index_] == 1
    model = found.best_estimator_
    assert model.machine.gamma == found.best_params_["gamma"]
    assert found.best_params_["C"] == model.machine.C
    assert (model.coding, model.decoding) == ("one-vs-all", found.best_params_["decoding"])
    assert model.machine.tol == KernelMachine().tol  # trained to the end
    for method in ("predict", "decision_function", "costs", "scores"):
        np.testing.assert_array_equal(getattr(found, method)(X), getattr(model, method)(X))
    assert (found.predict(X, "hamming") == model.predict(X, "hamming")).all()
    assert (found.problem_sizes_ == 150).all() and found.decoded
    assert found.classes_.tolist() == [0, 1, 2]


def test_probabilities_are_there_where_the_decoder_has_them():
    for none in (search(decodings=["voting"]), search(decodings=["hamming"], probability="paper")):
        assert not hasattr(none, "predict_proba") and not hasattr(none.fit(X, y), "predict_proba")
    found = search(decodings=[("likelihood", {})], probability="paper")
    assert hasattr(found, "predict_proba") and found.fit(X, y).best_estimator_.probability == "paper"
    np.testing.assert_allclose(found.fit(X, y).predict_proba(X).sum(axis=1), 1)


def test_ranges_and_values():
    assert numbers("Cs", 3, (1.0, 4.0)).tolist() == pytest.approx([1, 2, 4])
    found = ECOCClassifierCV(2, [5.0, 0.5], decodings=["linear"], cv=2).fit(X, y)
    assert found.cv_results_["param_C"].tolist() == [0.5, 0.5, 5.0, 5.0]
    scale = 1 / (4 * X.var())
    np.testing.assert_allclose(found.cv_results_["param_gamma"][:2].astype(float), [scale / 16, scale * 32])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"gammas": []}, "gammas is a number of values"),
        ({"gammas": 0}, "gammas is a number of values"),
        ({"gammas": "scale"}, "gammas is a number of values"),
        ({"Cs": (1.0, 2.0)}, "write values as a list"),
        ({"Cs": (2.0, 1.0, 3)}, "0 < low <= high"),
        ({"Cs": [1.0, 0.0]}, "Cs must be finite numbers above 0"),
        ({"Cs": [1.0, np.nan]}, "Cs must be finite numbers above 0"),
        ({"codings": "one-vs-all"}, "codings is a list"),
        ({"codings": ["nothing"]}, "There is no coding 'nothing'"),
        ({"codings": []}, "codings is a list"),
        ({"decodings": ["nothing"]}, "There is no decoding 'nothing'"),
        ({"decodings": [("hamming", {"what": 1})]}, "There is no parameter 'what'"),
        ({"scoring": "accuracy"}, "scoring is one of cv, bound, loo"),
        ({"choice": "worst"}, "choice is one of best, one-standard-error"),
        ({"machine": "libsvm"}, "put ECOCClassifier into scikit-learn's GridSearchCV"),
        ({"machine": LogisticRegression()}, "put ECOCClassifier into scikit-learn's GridSearchCV"),
        ({"machine": KernelMachine(approximation="nystroem")}, "leave approximation out"),
        ({"machine": KernelMachine(memory_limit=1000)}, "more than the"),
        ({"search_tol": 0.0}, "search_tol and the machine's tol must be above 0"),
        ({"cv": 1}, "at least 2 folds"),
        ({"cv": "three"}, "cv is a number of folds"),
        ({"cv": [0, 1, 2]}, "cv names the folds of 3 points, but there are 150"),
        ({"cv": np.zeros(150, int)}, "all are in one"),
        ({"calibration_folds": 1}, "Calibration folds takes"),
        ({"scoring": "bound", "decodings": ["drm"]}, "No leave-one-out bound is known"),
        ({"cv": np.arange(150) % 2, "nested": True}, "give it three"),
        ({"codings": ["decoc"], "machine": KernelMachine("precomputed")}, "learns from points"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_what_cannot_be_is_said_in_a_sentence(options, said):
    points = X @ X.T if options.keys() == {"codings", "machine"} else X
    with pytest.raises(ValueError, match=said) as refusal:
        search(**options).fit(points, y)
    assert str(refusal.value).endswith(".")


def test_learned_codes_refuse_weights():
    with pytest.raises(ValueError, match="learns its code from points that all count alike"):
        search(codings=["decoc"]).fit(X, y, np.arange(150) + 1.0)


# Folds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nested", [False, True])
def test_positions_are_those_of_the_points_given_also_where_some_have_no_weight(nested):
    weights = np.random.default_rng(0).choice([0.0, 1.0, 2.0], 150)
    splits = list(StratifiedKFold(4, shuffle=True, random_state=0).split(X, y))
    found = search(cv=splits, nested=nested).fit(X, y, weights)
    kept = np.flatnonzero(weights)
    place = {point: number for number, point in enumerate(kept)}
    among = [tuple([place[i] for i in part if i in place] for part in pair) for pair in splits]
    plain = search(cv=among, nested=nested).fit(X[kept], y[kept], weights[kept])
    same(plain, found)
    if nested:
        ids = np.empty(150, dtype=int)
        for number, (_, test) in enumerate(splits):
            ids[test] = number
        by_fold = search(cv=ids, nested=True).fit(X, y, weights)
        np.testing.assert_array_equal(found.nested_scores_, by_fold.nested_scores_)


def test_positions_that_leave_no_points_are_a_sentence():
    weights = np.repeat([1.0, 0.0], [140, 10])
    for cv, said in (
        ([(np.arange(140), np.arange(140, 150))], "no points with a weight above 0"),
        ([(np.arange(100), np.array([7_000]))], "beyond the 150 points"),
    ):
        with pytest.raises(ValueError, match=said):
            search(cv=cv).fit(X, y, weights if "weight" in said else None)


@pytest.mark.parametrize("nested", [False, True])
def test_groups_are_kept_together(nested):
    groups = np.random.default_rng(0).integers(0, 12, 150)
    weights = np.random.default_rng(1).choice([0.0, 1.0, 3.0], 150)
    options = {"cv": GroupKFold(4), "nested": nested}
    found = search(**options).fit(X, y, weights, groups=[f"patient {g}" for g in groups])
    kept = weights > 0
    parts = GroupKFold(4).split(X[kept], y[kept], groups[kept])
    ids = np.empty(kept.sum(), dtype=int)
    for number, (_, test) in enumerate(parts):
        ids[test] = number
    same(search(cv=ids).fit(X[kept], y[kept], weights[kept]), found)
    if nested:
        np.testing.assert_array_equal(
            found.nested_scores_,
            [
                search(cv=GroupKFold(4))
                .fit(X[kept][a], y[kept][a], weights[kept][a], groups=groups[kept][a])
                .score(X[kept][b], y[kept][b], weights[kept][b])
                for a, b in GroupKFold(4).split(X[kept], y[kept], groups[kept])
            ],
        )


def test_groups_are_routed_to_the_splitter():
    groups = np.arange(150) % 10
    plain = search(cv=GroupKFold(5)).fit(X, y, groups=groups)
    with config_context(enable_metadata_routing=True):
        same(plain, search(cv=GroupKFold(5)).fit(X, y, groups=groups))
        scores = cross_val_score(
            search(cv=GroupKFold(3)), X, y, cv=GroupKFold(5), params={"groups": groups}, error_score="raise"
        )
    outer = GroupKFold(5).split(X, y, groups)
    expected = [
        search(cv=GroupKFold(3)).fit(X[a], y[a], groups=groups[a]).score(X[b], y[b]) for a, b in outer
    ]
    np.testing.assert_array_equal(scores, expected)


def test_groups_that_nobody_reads_are_refused():
    for options, said in (
        ({"cv": 5}, "give cv one, as GroupKFold"),
        ({"cv": np.arange(150) % 3}, "give cv one, as GroupKFold"),
        ({"scoring": "bound", "cv": GroupKFold(5)}, "groups are for folds"),
    ):
        with pytest.raises(ValueError, match=said):
            search(**options).fit(X, y, groups=np.arange(150) % 10)


@pytest.mark.parametrize("scoring", ["bound", "loo"])
def test_a_point_of_weight_two_counts_twice_in_the_standard_error(scoring):
    weights = 10.0 * (np.arange(150) % 3 + 1)
    found = search([0.3], (0.001, 0.03, 9), scoring=scoring, choice="one-standard-error")
    table = found.fit(X, y, weights).cv_results_
    mean = table["mean_test_score"]
    error = np.sqrt(mean.max() * (1 - mean.max()) / weights.sum())
    order = [(params["C"], params["gamma"]) for params in table["params"]]
    enough = [i for i in range(len(order)) if mean[i] >= mean.max() - error]
    by_rows = np.sqrt(mean.max() * (1 - mean.max()) / 150)
    assert len(enough) < (mean >= mean.max() - by_rows).sum()  # or nothing is shown
    assert order[found.best_index_] == min(order[i] for i in enough)


# Choosing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scoring", ["cv", "bound"])
def test_the_simplest_within_one_standard_error(scoring):
    codings = ["one-vs-one", "one-vs-all", np.array([[1, 1], [-1, 1], [-1, -1]])]
    options = {"codings": codings, "scoring": scoring}
    best = search((0.01, 10.0, 4), (0.1, 100.0, 4), **options).fit(X, y)
    simple = search((0.01, 10.0, 4), (0.1, 100.0, 4), choice="one-standard-error", **options).fit(X, y)
    table = simple.cv_results_
    mean, top = table["mean_test_score"], best.best_index_
    assert best.best_score_ == mean.max() and best.best_index_ == np.flatnonzero(mean == mean.max())[0]
    if scoring == "cv":
        splits = [table[f"split{k}_test_score"][top] for k in range(5)]
        error = np.std(splits, ddof=1) / np.sqrt(5)
    else:
        error = np.sqrt(mean[top] * (1 - mean[top]) / 150)
        np.testing.assert_allclose(table["std_test_score"], np.sqrt(mean * (1 - mean)))
    bits = [np.shape(p["coding"])[1] if isinstance(p["coding"], np.ndarray) else 3 for p in table["params"]]
    order = [(p["C"], p["gamma"], n_bits) for p, n_bits in zip(table["params"], bits, strict=True)]
    enough = [i for i in range(len(order)) if mean[i] >= mean[top] - error]
    assert order[simple.best_index_] == min(order[i] for i in enough)
    assert simple.best_index_ != best.best_index_


def test_the_honest_estimate_searches_again_without_each_fold():
    noise = np.random.default_rng(0).normal(size=X.shape)
    found = search(nested=True, cv=3).fit(noise, y)
    slow = []
    data = TrainingSet(noise, y, None, None)
    folds = module.folds_of(3, data, np.random.RandomState(0).randint(2**31 - 1))
    for train, test in folds:
        slow.append(search(cv=3).fit(noise[train], y[train]).score(noise[test], y[test]))
    np.testing.assert_array_equal(found.nested_scores_, slow)
    assert found.nested_score_ == np.mean(slow)
    assert not hasattr(search().fit(X, y), "nested_score_")


def test_the_honest_estimate_goes_with_given_folds_and_weights():
    ids, weights = np.arange(150) % 3, np.random.default_rng(0).choice([0.0, 1.0, 2.0], 150)
    found = search(nested=True, cv=ids).fit(X, y, weights)
    for fold in range(3):
        train, test = ids != fold, ids == fold
        inner = search(cv=ids[train]).fit(X[train], y[train], weights[train])
        assert found.nested_scores_[fold] == pytest.approx(inner.score(X[test], y[test], weights[test]))
    splitter = StratifiedKFold(3)
    other = search(nested=True, cv=splitter).fit(X, y)
    np.testing.assert_allclose(other.nested_scores_, cross_val_score(search(cv=splitter), X, y, cv=splitter))


# Where it runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["threads", "processes", "n_jobs"])
def test_the_results_are_the_serial_ones_to_the_last_digit(where):
    options = {"decodings": ["likelihood"], "codings": ["one-vs-all", "one-vs-one"]}
    serial = search((0.1, 2.0, 3), **options).fit(X, y)
    if where == "n_jobs":
        same(serial, search((0.1, 2.0, 3), n_jobs=2, **options).fit(X, y))
        return
    pool = ThreadPoolExecutor(2) if where == "threads" else ProcessPoolExecutor(2, get_context("spawn"))
    with pool:
        elsewhere = search((0.1, 2.0, 3), executor=pool, nested=where == "threads", cv=3, **options)
        here = search((0.1, 2.0, 3), nested=where == "threads", cv=3, **options).fit(X, y)
        same(here, elsewhere.fit(X, y))
        assert clone(elsewhere).executor is pool
        assert pickle.loads(pickle.dumps(elsewhere)).executor is None  # noqa: S301 - our own


def test_pickles_predict():
    found = search().fit(X, y)
    copy = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own
    np.testing.assert_array_equal(copy.costs(X), found.costs(X))


def test_progress_rises_and_says_what_is_done():
    shares, notes = [], []
    search(nested=True, cv=3).fit(X, y, progress=shares_to(shares.append))
    assert shares == sorted(shares) and shares[-1] == 1.0
    search().fit(X, y, progress=notes_to(notes))
    assert any("gamma = 0.1, C = 0.5" in note for note in notes)
    assert any("training what was chosen" in note for note in notes)


def test_what_is_finished_is_kept_when_the_search_is_ended():
    seen, whole = [], search().fit(X, y)

    def end(share):
        if len(seen) == 1 and share > 0.3:
            raise EndedError

    ended = search(partial_results=seen.append)
    with pytest.raises(EndedError):
        ended.fit(X, y, progress=shares_to(end))
    known = np.isfinite(ended.cv_results_["mean_test_score"])
    assert known.tolist() == [True, False, True, False]  # the first gamma, both values of C
    for name in ("mean_test_score", "split3_test_score"):
        np.testing.assert_array_equal(ended.cv_results_[name][known], whole.cv_results_[name][known])
        np.testing.assert_array_equal(seen[0][name], ended.cv_results_[name])
    assert not hasattr(ended, "best_estimator_")


def test_partial_results_come_as_they_are_found():
    seen = []
    found = search((0.1, 1.0, 3), partial_results=seen.append).fit(X, y)
    assert [int(np.isfinite(table["mean_test_score"]).sum()) for table in seen] == [2, 4, 6]
    np.testing.assert_array_equal(seen[-1]["mean_test_score"], found.cv_results_["mean_test_score"])


def _not_wide(task, gamma):
    if gamma > 0.5:
        raise ValueError("Too narrow.")
    return search_width(task, gamma)


def test_a_gamma_that_fails_leaves_the_others(monkeypatch):
    monkeypatch.setattr(module, "search_width", _not_wide)
    with pytest.warns(FitFailedWarning, match="1 of 2 values of gamma could not be searched: Too narrow"):
        found = search().fit(X, y)
    assert found.best_params_["gamma"] == pytest.approx(0.1)
    assert found.cv_results_["rank_test_score"].max() == 3
    with pytest.raises(ValueError, match="Too narrow"):
        search([1.0, 2.0]).fit(X, y)


def test_machines_that_are_given_up_are_told():
    with (
        pytest.warns(ConvergenceWarning, match="trainings of the search stopped at max_updates"),
        pytest.warns(ConvergenceWarning, match="3 of 3 kernel machines stopped"),
    ):
        search(machine=KernelMachine(max_updates=3)).fit(X, y)


@pytest.mark.parametrize(("coding", "decoding"), [("one-vs-all", "linear"), ("one-vs-one", "likelihood")])
def test_the_bound_orders_prices_by_the_machines_not_by_how_far_they_are_from_trained(coding, decoding):
    wine, labels = load_wine(return_X_y=True)
    wine = (wine - wine.mean(axis=0)) / wine.std(axis=0)
    options = {"codings": [coding], "decodings": [decoding], "scoring": "bound"}
    coarse, fine = (
        search([0.1], [0.1, 1, 10, 100, 1000], **options, machine=KernelMachine(tol=tol)).fit(wine, labels)
        for tol in (1e-3, 1e-8)
    )
    scores = coarse.cv_results_["mean_test_score"]
    np.testing.assert_array_equal(scores, fine.cv_results_["mean_test_score"])
    assert coarse.best_params_ == fine.best_params_
    assert (scores[2:] > 0.8).all()  # no point of C >= 10 is lost to what training left open
    slow = ECOCClassifier(
        coding, decoding=decoding, machine=KernelMachine(gamma=0.1, C=1000.0, tol=1e-10), random_state=0
    ).fit(wine, labels)
    assert scores[-1] == pytest.approx(1 - slow.loo_bound().error)


def test_a_bound_that_may_be_better_than_it_seems_is_told():
    hasty = search([1.0], [0.1, 1e3], scoring="bound", machine=KernelMachine(max_updates=30))
    with pytest.warns(ConvergenceWarning) as told:
        hasty.fit(X, y)
    assert any("combination that was chosen: 2." in str(one.message) for one in told)


def test_weights_are_routed():
    weights = np.arange(150) % 3 + 1.0
    plain = search().fit(X, y, weights)
    with config_context(enable_metadata_routing=True):
        routed = search().set_fit_request(sample_weight=True).fit(X, y, sample_weight=weights)
        same(plain, routed)
        scores = cross_val_score(
            search().set_fit_request(sample_weight=True).set_score_request(sample_weight=True),
            X,
            y,
            params={"sample_weight": weights},
        )
    assert scores.shape == (5,)
