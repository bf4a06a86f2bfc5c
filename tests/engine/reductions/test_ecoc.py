import pickle

import numpy as np
import pandas as pd
import pytest
from expected_checks import unequal_copies
from hearing import notes_to, shares_to
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz import DDAGClassifier, ECOCClassifier, ECOCClassifierCV, KernelMachine, build_code
from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES
from ecocviz.engine.columns import stratified_fold_ids
from ecocviz.engine.params import complete
from ecocviz.engine.reductions._shared.cost_classifier import CostClassifier
from ecocviz.engine.reductions._shared.decoded_classifier import DecodedClassifier

X, y = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(
    min_weight_fraction_leaf=0.01, random_state=0
)  # as checks of weights ask of trees


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:.*keep the tolerance")  # one check makes a class weigh 10 million others
@parametrize_with_checks(
    [
        ECOCClassifier(random_state=0),
        ECOCClassifier("one-vs-one", decoding="hamming"),
        ECOCClassifier("one-vs-one", decoding="hamming", probability="paper"),
        ECOCClassifier("dense-random", decoding="linear", machine=TREE, probability="paper"),
        ECOCClassifier(
            decoding="linear",
            machine=KernelMachine(tol=1e-10),
            class_weight="balanced",
            probability="paper",
        ),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.thorough
@pytest.mark.parametrize("decoding", list(DECODINGS))
@pytest.mark.parametrize("coding", [key for key in CODINGS if key != "custom"])
def test_every_coding_with_every_decoding_learns_iris(coding, decoding):
    try:
        model = ECOCClassifier(
            coding, decoding=decoding, machine=KernelMachine(gamma=0.5), random_state=0
        ).fit(X, y)
        error = 1 - model.score(X, y)
    except ValueError as refusal:
        assert str(refusal).endswith(".")  # noqa: PT017 - a refusal is a legal outcome, and a sentence
        return
    assert error < 0.3
    assert model.costs(X).shape == (150, 3)


def test_the_machines_serve_every_decoder_without_retraining():
    model = ECOCClassifier("one-vs-one", decoding="hamming", random_state=0).fit(X, y)
    before = model.columns_
    for decoding in ("hamming", "linear", "soft-margin", "likelihood"):
        fresh = ECOCClassifier("one-vs-one", decoding=decoding, random_state=0).fit(X, y)
        assert (model.predict(X, decoding) == fresh.predict(X)).all()
        np.testing.assert_allclose(model.costs(X, decoding), fresh.costs(X))
    assert model.columns_ is before


def test_linear_one_vs_all_is_scikit_learns_one_vs_rest():
    machine = LogisticRegression(C=2.0)
    ours = ECOCClassifier("one-vs-all", decoding="linear", machine=machine).fit(X, y)
    theirs = OneVsRestClassifier(machine).fit(X, y)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_the_folded_bias_is_liblinears():
    ours = ECOCClassifier(
        "one-vs-all", decoding="linear", machine=KernelMachine("linear", C=0.5, tol=1e-8)
    ).fit(X, y)
    for b in range(3):
        theirs = LinearSVC(loss="hinge", C=0.5, intercept_scaling=1, tol=1e-10, max_iter=10**7).fit(X, y == b)
        np.testing.assert_allclose(ours.scores(X)[:, b], theirs.decision_function(X), atol=1e-4)


def test_sigmoids_are_fitted_on_held_out_scores():
    model = ECOCClassifier("one-vs-all", random_state=0).fit(X, y)
    fold_ids = stratified_fold_ids(y.astype(np.int64), 3, np.random.RandomState(0).randint(2**31 - 1))
    machine = KernelMachine(C=1.0, gamma=1 / (4 * X.var()))
    for b in range(3):
        held_out = np.empty(150)
        for fold in range(3):
            rest = fold_ids != fold
            part = clone(machine).fit(X[rest], y[rest] == b)
            held_out[~rest] = part.decision_function(X[~rest])
        slope, offset = model.sigmoids_[b]
        positive = (y == b).sum()
        target = np.where(y == b, (positive + 1) / (positive + 2), 1 / (150 - positive + 2))

        def loss(a, o, target=target, held_out=held_out):
            u = a * held_out + o
            return np.sum(target * u + np.logaddexp(0, -u))

        best = loss(slope, offset)
        for step in (-0.05, 0.05):
            assert loss(slope + step, offset) > best - 1e-2
            assert loss(slope, offset + step) > best - 1e-2


def test_probabilities_are_those_of_the_decoder():
    model = ECOCClassifier("one-vs-one", random_state=0).fit(X, y)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(X)).all()
    assert not hasattr(ECOCClassifier(decoding="voting"), "predict_proba")
    assert not hasattr(ECOCClassifier(decoding="nothing"), "predict_proba")


@pytest.mark.parametrize(
    "labels", [np.array(["a", "b", "c"]), np.array([7, -2, 5]), np.array([2.0, 1.0, 3.0])]
)
def test_labels_and_order_are_kept(labels):
    plain = ECOCClassifier("one-vs-one", decoding="linear").fit(X, y)
    order = np.argsort(np.argsort(labels))
    renamed = ECOCClassifier("one-vs-one", decoding="linear").fit(X, labels[y])
    assert renamed.classes_.dtype == labels.dtype
    if (order == np.arange(3)).all():
        assert (renamed.predict(X) == labels[plain.predict(X)]).all()
    assert renamed.score(X, labels[y]) == pytest.approx(plain.score(X, y), abs=0.02)


def test_booleans_make_a_two_class_problem():
    model = ECOCClassifier(decoding="linear").fit(X, y == 0)
    assert model.predict(X).dtype == bool
    assert model.decision_function(X).shape == (150,)
    assert ((model.decision_function(X) > 0) == model.predict(X)).all()


def test_pandas_in_and_feature_names():
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = ECOCClassifier(decoding="linear").fit(frame, pd.Series(y).map({0: "x", 1: "y", 2: "z"}))
    assert model.feature_names_in_.tolist() == list("abcd")
    assert set(model.predict(frame)) <= {"x", "y", "z"}


def test_clone_pickle_and_grid_search():
    model = ECOCClassifier("one-vs-one", machine=KernelMachine(gamma=0.3), random_state=1).fit(X, y)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - made in the line itself
    np.testing.assert_allclose(again.costs(X), model.costs(X))
    assert (again.predict(X, "soft-margin") == model.predict(X, "soft-margin")).all()
    assert again.loo_bound("linear").flagged.tolist() == model.loo_bound("linear").flagged.tolist()
    unfitted = pickle.loads(pickle.dumps(clone(model)))  # noqa: S301 - made in the line itself
    assert not hasattr(unfitted, "columns_")
    grid = GridSearchCV(
        ECOCClassifier(machine=KernelMachine()),
        {"decoding": ["hamming", "likelihood"], "machine__gamma": [0.1, 1.0]},
        cv=3,
    ).fit(X, y)
    assert grid.best_score_ > 0.9


def test_hard_cases_train():
    one_member = np.where(np.arange(150) == 70, 3, y)
    assert ECOCClassifier("one-vs-one").fit(X, one_member).predict(X).shape == (150,)
    constant = np.column_stack([X, np.ones(150)])
    assert ECOCClassifier().fit(constant, y).score(constant, y) > 0.9
    same = np.zeros((9, 2))
    model = ECOCClassifier(decoding="linear").fit(same, np.repeat([0, 1, 2], 3))
    assert set(model.predict(same)) == {0}  # all classes tie, the lowest wins


def test_any_machine_serves():
    for machine in (
        GaussianNB(),
        DecisionTreeClassifier(max_depth=3),
        CalibratedClassifierCV(GaussianNB(), cv=2),
    ):
        model = ECOCClassifier("one-vs-one", machine=machine, random_state=0).fit(X, y)
        assert model.score(X, y) > 0.9
        assert model.columns_.alphas is None
        with pytest.raises(AttributeError, match="Only kernel machines"):
            _ = model.alphas_


def test_a_given_matrix_is_used_and_checked():
    code = np.array([[1, 1], [-1, 1], [0, -1]])
    model = ECOCClassifier(code, decoding="linear").fit(X, y)
    assert (model.code_matrix_ == code).all()
    assert model.scores(X).shape == (150, 2)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"coding": "nope"}, "There is no coding 'nope'"),
        ({"coding": build_code("one-vs-all", 4)}, "has 4 rows but the data have 3 classes"),
        ({"coding": np.ones((3, 2))}, "Column 1 has no class on one side"),
        ({"coding": np.array([[1, -1], [1, -1], [-1, 1]])}, "Rows 1 and 2 are equal"),
        ({"coding": np.full((3, 2), 2)}, "entries of a code matrix are"),
        ({"coding_params": {"nope": 1}}, "There is no parameter 'nope'"),
        ({"decoding": "nope"}, "There is no decoding 'nope'"),
        ({"calibration_folds": 1}, "from 2 to 20, not 1"),
        ({"n_jobs": 0}, "cannot be 0"),
    ],
)
def test_mistakes_get_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        ECOCClassifier(**arguments).fit(X, y)
    with pytest.raises(ValueError, match="only one class"):
        ECOCClassifier().fit(X, np.zeros(150))


def test_folds_are_stratified_and_even():
    labels = np.repeat([0, 1, 2], [50, 7, 1]).astype(np.int64)
    folds = stratified_fold_ids(labels, 3, seed=4)
    assert np.ptp(np.bincount(folds, minlength=3)) <= 1
    for c in range(3):
        assert np.ptp(np.bincount(folds[labels == c], minlength=3)) <= 1
    assert (folds == stratified_fold_ids(labels, 3, seed=4)).all()
    assert (folds != stratified_fold_ids(labels, 3, seed=5)).any()


def test_shells_are_no_classifiers_yet():
    for shell, missing in ((CostClassifier, "costs"), (DecodedClassifier, "_train_columns")):
        with pytest.raises(TypeError, match=missing):
            shell()


def test_progress_and_cancel():
    seen = []
    ECOCClassifier("one-vs-one", decoding="linear").fit(X, y, progress=shares_to(seen.append))
    assert seen[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("machine", [KernelMachine(), GaussianNB()])
def test_long_work_names_its_machines_folds_and_points(machine):
    notes = []
    model = ECOCClassifier("one-vs-one", machine=machine, decoding="linear", random_state=0)
    model.fit(X[::3], y[::3], progress=notes_to(notes))
    assert notes == [f"training machine {b} of 3" for b in (1, 2, 3)]
    notes.clear()
    model.cross_validated(4, progress=notes_to(notes))
    where = "folds 1 to 4 of 4" if isinstance(machine, KernelMachine) else "fold 1 of 4"
    assert notes[0] == f"{where}: training machine 1 of 3"
    notes.clear()
    model.exact_loo(progress=notes_to(notes))
    assert notes[0].startswith("leaving")


# Machines by key, and weights of classes ---------------------------------------------------------------

Z = (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize("key", [key for key in MACHINES if not MACHINES[key].effort > 20])
def test_a_machine_may_be_named_by_its_key(key):
    named = ECOCClassifier("one-vs-one", decoding="linear", machine=key, random_state=0)
    made = MACHINES[key].make(**complete(MACHINES[key].params, {}))
    assert clone(named).machine == key and named.get_params(deep=False)["machine"] == key
    other = ECOCClassifier("one-vs-one", decoding="linear", machine=made, random_state=0).fit(Z, y)
    np.testing.assert_array_equal(clone(named).fit(Z, y).costs(Z), other.costs(Z))
    for name, value in made.get_params().items():
        assert named.get_params()[f"machine__{name}"] == value


def test_keys_of_machines_are_searched_and_set_like_estimators():
    grid = {"machine": ["kernel", "decision-tree", "naive-bayes"], "decoding": ["linear", "hamming"]}
    found = GridSearchCV(ECOCClassifier("one-vs-one", random_state=0), grid, cv=2, error_score="raise").fit(
        X, y
    )
    assert found.best_params_["machine"] in grid["machine"]
    inner = GridSearchCV(ECOCClassifier(machine="kernel"), {"machine__C": [0.1, 7.0]}, cv=2).fit(X, y)
    assert inner.best_params_["machine__C"] == inner.best_estimator_.machine.C
    assert ECOCClassifier(machine="kernel").set_params(machine__C=3.0).machine.C == 3.0
    assert ECOCClassifierCV([1.0], [1.0], machine="kernel", random_state=0).fit(X, y).score(X, y) > 0.9
    assert DDAGClassifier("linear-svm").fit(Z, y).score(Z, y) > 0.9
    with config_context(enable_metadata_routing=True):
        routed = ECOCClassifier(machine="logistic-regression").set_fit_request(sample_weight=True)
        weights = np.arange(150) + 1.0
        routed.fit(X, y, sample_weight=weights)
    plain = ECOCClassifier(machine="logistic-regression").fit(X, y, weights)
    np.testing.assert_array_equal(routed.scores(X), plain.scores(X))


LABELS = np.array(["ant", "bee", "cat"])[y]


@pytest.mark.parametrize("machine", ["kernel", "logistic-regression"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "class_weight", [{"ant": 0.5, "cat": 3.0, "bee": 1.0}, {"ant": 4.0}, "balanced", {"cat": 0.0}]
)
def test_weights_of_classes_are_weights_of_their_points(class_weight, weighted, machine):
    few = np.sort(np.random.default_rng(0).permutation(150)[:90])
    points, labels = X[few], LABELS[few]
    own = np.random.default_rng(1).integers(0, 3, 90).astype(float) if weighted else None
    counted = np.ones(90) if own is None else own
    if class_weight == "balanced":
        totals = {label: counted[labels == label].sum() for label in set(labels)}
        shares = np.array([counted.sum() / (3 * totals[label]) for label in labels])
    else:
        shares = np.array([class_weight.get(label, 1.0) for label in labels])
    options = {"machine": machine, "random_state": 0}
    found = ECOCClassifier(**options, class_weight=class_weight).fit(points, labels, own)
    plain = ECOCClassifier(**options).fit(points, labels, shares * counted)
    assert found.classes_.tolist() == plain.classes_.tolist()
    np.testing.assert_allclose(found.scores(X), plain.scores(X), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.sigmoids_, plain.sigmoids_, rtol=1e-9)
    with config_context(enable_metadata_routing=True):
        routed = ECOCClassifier(**options, class_weight=class_weight).set_fit_request(sample_weight=True)
        routed.fit(points, labels, sample_weight=own)
    np.testing.assert_array_equal(routed.scores(X), found.scores(X))
