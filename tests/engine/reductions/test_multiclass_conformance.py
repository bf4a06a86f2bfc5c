"""What scikit-learn asks of its own multiclass classifiers, asked of every public one of ours."""

import numpy as np
import pytest
from multiclass_tools import (
    AROUND,
    MACHINES,
    N_CLASSES,
    OWN,
    REGRESSING,
    X,
    around,
    y,
)
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from ecocviz import (
    DDAGClassifier,
    ECOCClassifier,
    JointECOCClassifier,
    KernelMachine,
)

each = pytest.mark.parametrize("name", OWN)
each_around = pytest.mark.parametrize("name", AROUND)
each_machine = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


def n_machines(model):
    """How many binary machines a fitted model has."""
    return model.problem_sizes_.size


# Labels ----------------------------------------------------------------------------------------------


@each
def test_nothing_is_predicted_before_a_fit(name):
    model = OWN[name]()
    for method in ("predict", "decision_function", "costs", "predict_proba"):
        if not hasattr(model, method):
            continue
        with pytest.raises(NotFittedError):
            getattr(model, method)(X)


@each
@pytest.mark.parametrize(
    "labels",
    [
        pytest.param(np.array([[1, 2], [3, 1], [2, 2]]), id="multi-output"),
        pytest.param(np.array([[1.5, 2.4], [3.1, 0.8], [1.0, 1.0]]), id="continuous multi-output"),
        pytest.param(np.array([[0, 1], [1, 1], [1, 0]]), id="multi-label"),
        pytest.param(sparse.csr_array(np.array([[0, 1], [1, 1], [1, 0]])), id="sparse multi-label"),
    ],
)
def test_one_label_a_point(name, labels):
    with pytest.raises((ValueError, TypeError)):
        OWN[name]().fit(np.eye(3), labels)


@each
def test_measurements_are_no_labels(name):
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        OWN[name]().fit(X, X[:, 0])


@each
@pytest.mark.parametrize("label", [0, 1, "a"])
def test_one_class_alone_is_no_problem_to_solve(name, label):
    with pytest.raises(ValueError, match="the labels hold only one class"):
        OWN[name]().fit(np.eye(4), [label] * 4)


@each
def test_each_of_four_points_gets_its_own_name_back(name):
    names = np.array(["a", "b", "c", "d"])
    np.testing.assert_array_equal(OWN[name]().fit(np.eye(4), names).predict(np.eye(4)), names)


@each_around
@pytest.mark.parametrize("machine", [LinearSVC(random_state=0), SVC(), LogisticRegression()], ids=repr)
def test_each_of_four_points_gets_its_own_name_back_from_other_machines(name, machine):
    names = np.array(["a", "b", "c", "d"])
    model = around(name, machine).fit(np.eye(4), names)
    np.testing.assert_array_equal(model.predict(np.eye(4)), names)


TOY = np.array([[0, 0, 5], [0, 5, 0], [3, 0, 0], [0, 0, 6], [6, 0, 0]], dtype=float)
"""Each feature belongs to a label."""


@each
def test_words_as_labels(name):
    model = OWN[name]().fit(TOY, ["pear", "plum", "fig", "pear", "fig"])
    assert model.classes_.tolist() == ["fig", "pear", "plum"]
    assert model.predict([[0, 0, 4]]).tolist() == ["pear"]


@each
def test_two_classes_have_one_score_a_point(name):
    model = OWN[name]().fit(TOY, ["pear", "plum", "plum", "pear", "plum"])
    assert model.predict([[0, 0, 4]]).tolist() == ["pear"]
    decided = model.decision_function(TOY)
    assert decided.shape == (5,)
    np.testing.assert_array_equal(model.classes_[(decided > 0).astype(int)], model.predict(TOY))
    if hasattr(model, "predict_proba"):
        shares = model.predict_proba([[0, 0, 4]])
        assert shares.shape == (1, 2) and model.classes_[shares[0].argmax()] == "pear"


@each_around
@pytest.mark.parametrize(
    "machine",
    [
        MultinomialNB(),
        LinearSVC(random_state=0),
        LogisticRegression(),
        *REGRESSING.values(),
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "labels", [["pear", "plum", "fig", "pear", "fig"], ["pear", "plum", "plum", "pear", "plum"]]
)
def test_words_as_labels_with_other_machines(name, machine, labels):
    model = around(name, machine).fit(TOY, labels)
    assert model.predict([[0, 0, 4]]).tolist() == ["pear"]
    assert model.decision_function(TOY).shape == ((5, 3) if "fig" in labels else (5,))


@each
def test_lists_are_as_good_as_arrays(name):
    model = OWN[name](random_state=0)
    expected = model.fit(X, y).predict(X)
    np.testing.assert_array_equal(model.fit(X.tolist(), y.tolist()).predict(X.tolist()), expected)


# Points ----------------------------------------------------------------------------------------------


@each_around
@pytest.mark.parametrize(
    ("coding", "expected"), [("one-vs-all", N_CLASSES), ("one-vs-one", N_CLASSES * (N_CLASSES - 1) // 2)]
)
@each_machine
def test_machines_of_all_kinds_are_counted_and_learn(name, coding, expected, machine):
    model = around(name, machine, coding).fit(X, y)
    assert n_machines(model) == (3 if name == "DDAGClassifier" else expected)
    assert model.score(X, y) > 0.65


@pytest.mark.parametrize("machine", [LinearSVC(random_state=0), MultinomialNB()], ids=repr)
def test_a_random_code_has_as_many_machines_as_asked(machine):
    halves = 2 * y + (X[:, 1] > 3)  # six classes
    model = ECOCClassifier("dense-random", coding_params={"n_bits": 12}, machine=machine, random_state=0)
    assert n_machines(model.fit(X, halves)) == 12
    assert set(model.predict(X)) <= set(halves)
    # No column comes twice, and three classes can be divided in three ways only.
    assert n_machines(model.fit(X, y)) == 3


def test_one_against_all_is_what_a_linear_machine_does_by_itself():
    ours = around("ECOCClassifier", LinearSVC(random_state=0)).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), LinearSVC(random_state=0).fit(X, y).predict(X))


def test_two_classes_are_decided_as_the_machine_alone_does():
    points, labels = (part[::3] for part in load_breast_cancer(return_X_y=True))
    alone = KNeighborsClassifier(n_neighbors=8, weights="distance").fit(points, labels)
    for coding in ("one-vs-all", "one-vs-one"):
        ours = around("ECOCClassifier", KNeighborsClassifier(n_neighbors=8, weights="distance"), coding)
        np.testing.assert_array_equal(ours.fit(points, labels).predict(points), alone.predict(points))


@each_around
def test_a_pipeline_is_as_good_as_its_last_step(name):
    tree = DecisionTreeClassifier(random_state=0)
    expected = around(name, tree).fit(X, y).predict(X)
    np.testing.assert_array_equal(around(name, make_pipeline(tree)).fit(X, y).predict(X), expected)


@each_around
@pytest.mark.parametrize("machine", list(REGRESSING.values()), ids=repr)
@pytest.mark.parametrize("coding", ["one-vs-all", "one-vs-one"])
def test_regressors_as_machines(name, machine, coding):
    model = around(name, machine, coding).fit(X, y)
    assert n_machines(model) == 3
    assert np.unique(model.predict(X)).tolist() == [0, 1, 2]
    assert model.score(X, y) > 0.75


@each_around
def test_missing_values_are_the_machines_own_affair(name):
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    machine = make_pipeline(SimpleImputer(), LogisticRegression())
    assert around(name, machine).fit(holes, y).score(holes, y) > 0.7


@each
def test_missing_values_are_refused_by_machines_that_cannot_read_them(name):
    holes = X.copy()
    holes[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"NaN|missing"):
        OWN[name]().fit(holes, y)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok"])
@each_around
def test_sparse_points_for_machines_that_take_them(name, kind):
    points = sparse.csr_array(X).asformat(kind)
    machine = LinearSVC(random_state=0)
    expected = around(name, machine).fit(X, y).predict(X)
    assert (around(name, machine).fit(points, y).predict(points) == expected).mean() > 0.97


@each_around
def test_sparse_points_are_refused_where_the_machine_cannot_read_them(name):
    points = sparse.csc_array(X)
    with pytest.raises((TypeError, ValueError), match=r"[Ss]parse"):
        around(name, GaussianNB()).fit(points, y)
    model = around(name, GaussianNB()).fit(X, y)
    with pytest.raises((TypeError, ValueError), match=r"[Ss]parse"):
        model.predict(points)


# Kernels computed beforehand -------------------------------------------------------------------------

GRAM = X @ X.T


@each_around
def test_kernels_computed_beforehand_give_the_same_labels(name):
    # Machines of every two classes see a part of the points, so of the matrix rows and columns.
    expected = around(name, SVC(kernel="linear"), "one-vs-one").fit(X, y)
    model = around(name, SVC(kernel="precomputed"), "one-vs-one").fit(GRAM, y)
    assert model.n_features_in_ == y.size
    np.testing.assert_array_equal(model.predict(GRAM), expected.predict(X))


@each_around
def test_kernels_computed_beforehand_say_so(name):
    assert get_tags(around(name, SVC(kernel="precomputed"))).input_tags.pairwise


@each_around
def test_points_do_not_say_that_they_are_kernels(name):
    assert not get_tags(around(name, SVC())).input_tags.pairwise
    assert around(name, SVC(kernel="linear")).fit(X, y).n_features_in_ == 4


@each_around
def test_kernels_computed_beforehand_are_cross_validated(name):
    expected = cross_val_score(around(name, SVC(kernel="linear")), X, y, error_score="raise")
    found = cross_val_score(around(name, SVC(kernel="precomputed")), GRAM, y, error_score="raise")
    np.testing.assert_allclose(found, expected)


# Ties ------------------------------------------------------------------------------------------------


class Undecided(BaseEstimator):
    """A machine that always answers 0."""

    def fit(self, _X, _y):
        return self

    def decision_function(self, X):
        return np.zeros(len(X))


class Certain(ClassifierMixin, BaseEstimator):
    """A machine that is certain of its first class, whatever it sees."""

    def fit(self, _X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.tile([1.0, 0.0], (len(X), 1))


@pytest.mark.parametrize("decoding", ["linear", "hamming", "likelihood", "euclidean"])
def test_equal_costs_go_to_the_first_class(decoding):
    model = ECOCClassifier(machine=Undecided(), decoding=decoding).fit(np.zeros((4, 1)), [0, 1, 2, 3])
    costs = model.costs(np.zeros((4, 1)))
    np.testing.assert_allclose(costs, costs[:1, :1] + np.zeros((4, 4)))
    assert model.predict(np.zeros((4, 1))).tolist() == [0] * 4


def test_machines_that_always_say_no_leave_probabilities_that_are_some():
    shares = ECOCClassifier(machine=Certain()).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose(shares, shares[:1].repeat(y.size, axis=0))


CIRCLE = np.array([[1, 2], [2, 1], [-2, 1], [-2, -1]], dtype=float)
"""The first point gets one vote for each of three classes from perceptrons of every two."""


@pytest.mark.parametrize("turn", range(3))
def test_among_equal_votes_every_label_can_win(turn):
    labels = (np.array([2, 0, 1, 2]) + turn) % 3
    model = around("ECOCClassifier", Perceptron(shuffle=False, max_iter=4, tol=None), "one-vs-one")
    model.fit(CIRCLE, labels)
    assert (-model.costs(CIRCLE, "voting")[0]).astype(int).tolist() == [1, 1, 1]
    assert model.predict(CIRCLE)[0] == turn


def test_votes_are_counted_and_scores_tell_equal_votes_apart():
    model = around("ECOCClassifier", LinearSVC(random_state=0), "one-vs-one").fit(X, y)
    votes = np.zeros((y.size, N_CLASSES))
    for machine, (first, second) in zip(model.columns_.machines, [(0, 1), (0, 2), (1, 2)], strict=True):
        answers = machine.predict(X)
        votes[answers == 1, first] += 1
        votes[answers == -1, second] += 1
    np.testing.assert_array_equal(np.floor(-model.costs(X)), votes)
    decided = model.decision_function(X)
    assert decided.shape == (y.size, N_CLASSES)
    np.testing.assert_array_equal(model.classes_[decided.argmax(axis=1)], model.predict(X))
    assert np.unique(decided, axis=0).shape[0] > 140  # some flowers come twice
    # The graph asks two of the three; who has all its votes is left over.
    clear = votes.max(axis=1) == 2
    graph = DDAGClassifier(LinearSVC(random_state=0)).fit(X, y)
    np.testing.assert_array_equal(graph.predict(X)[clear], votes.argmax(axis=1)[clear])


# Answers ---------------------------------------------------------------------------------------------


@each
def test_scores_decide(name):
    model = OWN[name](random_state=0).fit(X, y)
    decided = model.decision_function(X)
    assert decided.shape == (y.size, N_CLASSES)
    np.testing.assert_array_equal(model.classes_[decided.argmax(axis=1)], model.predict(X))
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize("kind", [ECOCClassifier, JointECOCClassifier])
def test_probabilities_decide(kind):
    model = kind(random_state=0).fit(X[:80], y[:80])
    shares = model.predict_proba(X[80:])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X[80:]))


@each_machine
def test_other_machines_have_probabilities_too(machine):
    shares = ECOCClassifier(machine=machine, random_state=0).fit(X[:80], y[:80]).predict_proba(X[80:])
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@each
def test_probabilities_are_there_only_where_the_decoder_defines_them(name):
    probabilistic = {"ECOCClassifier", "JointECOCClassifier"}
    assert hasattr(OWN[name](), "predict_proba") == (name in probabilistic)
    if name in probabilistic:
        model = OWN[name](decoding="voting")
        assert not hasattr(model, "predict_proba") and not hasattr(model.fit(X, y), "predict_proba")


@each
def test_nobody_claims_to_learn_piece_by_piece(name):
    model = OWN[name]()
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit"):
        model.partial_fit(X, y)


# Searches and weights --------------------------------------------------------------------------------

GRIDS = {
    "ECOCClassifier": {"coding": ["one-vs-all", "one-vs-one"], "decoding": ["hamming", "linear"]},
    "JointECOCClassifier": {"lambda2": [1e-4, 1e-2], "decoding": ["hamming"]},
    "SingleBinaryClassifier": {"C": [1.0, 8.0]},
    "SupportPatternClassifier": {"beta": [0.1, 1.0]},
    "ContinuousCodeClassifier": {
        "beta": [0.1, 1.0],
        "base": [ECOCClassifier("one-vs-one", decoding="linear")],
    },
    "DDAGClassifier": {"order": ["sorted", "frequency"]},
}


@each
def test_a_grid_of_its_own_parameters_is_searched(name):
    search = GridSearchCV(OWN[name](), GRIDS[name], cv=2, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.85
    for key, values in GRIDS[name].items():
        assert search.best_params_[key] in values


@each_around
@pytest.mark.parametrize("machine", [LinearSVC(random_state=0), KernelMachine()], ids=repr)
def test_a_grid_of_the_machines_parameters_is_searched(name, machine):
    key = "base__machine__C" if name == "ContinuousCodeClassifier" else "machine__C"
    search = GridSearchCV(around(name, machine), {key: [0.1, 0.5, 0.8]}, cv=2, error_score="raise").fit(X, y)
    assert search.best_params_[key] in {0.1, 0.5, 0.8}


@pytest.mark.parametrize("name", ["ECOCClassifier", "DDAGClassifier"])
def test_a_grid_of_the_default_machines_parameters_is_searched(name):
    search = GridSearchCV(OWN[name](), {"machine__C": [0.1, 0.5]}, cv=2, error_score="raise").fit(X, y)
    assert search.best_params_["machine__C"] in {0.1, 0.5}


@each
def test_points_of_no_weight_are_as_if_they_were_not_there(name):
    kept = np.arange(y.size) % 3 > 0
    expected = OWN[name](random_state=0).fit(X[kept], y[kept])
    model = OWN[name](random_state=0).fit(X, y, sample_weight=kept.astype(float))
    assert (model.predict(X) == expected.predict(X)).mean() > 0.97


@each_around
def test_weights_are_handed_on_to_other_machines(name):
    kept = np.arange(y.size) % 3 > 0
    machine = LogisticRegression()
    expected = around(name, machine).fit(X[kept], y[kept])
    model = around(name, machine).fit(X, y, sample_weight=kept.astype(float))
    assert (model.predict(X) == expected.predict(X)).mean() > 0.97


@each_around
def test_what_the_machine_asks_for_is_routed_to_it(name):
    router = around(name, LogisticRegression()).get_metadata_routing()
    assert "machine" in str(router)
