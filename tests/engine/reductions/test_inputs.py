"""What may be handed over as points, and as machines."""

import os
import pickle

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.utils import get_tags

from ecocviz import (
    ContinuousCodeClassifier,
    DDAGClassifier,
    ECOCClassifier,
    JointECOCClassifier,
    KernelMachine,
    SingleBinaryClassifier,
    SupportPatternClassifier,
)

X, y = (part[::2] for part in load_iris(return_X_y=True))
GRAM = rbf_kernel(X, gamma=0.3)


def around(machine, **params):
    return ECOCClassifier("one-vs-one", machine=machine, random_state=0, **params)


SPARSE = {
    "rbf": around(KernelMachine()),
    "linear": around(KernelMachine("linear")),
    "poly": around(KernelMachine("poly", degree=2)),
    "libsvm": around(SVC()),
    "logistic": around(LogisticRegression()),
    "ddag": DDAGClassifier(),
    "joint": JointECOCClassifier("one-vs-one", decoding="linear"),
    "joint, linear": JointECOCClassifier(kernel="linear", decoding="linear"),
    "single": SingleBinaryClassifier(),
    "support pattern": SupportPatternClassifier(),
    "support pattern, linear": SupportPatternClassifier("linear", solver="two-level", tol=1e-6),
    "continuous": ContinuousCodeClassifier(),
}


@pytest.mark.parametrize("case", SPARSE)
@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_points_are_the_same_points(case, container):
    model = SPARSE[case]
    few = np.where(X < 1.5, 0, X)
    dense, thin = clone(model).fit(few, y), clone(model).fit(container(few), y)
    new = few[::3] + 0.1 * (few[::3] > 0)
    theirs = dense.costs(new)
    np.testing.assert_allclose(thin.costs(container(new)), theirs, atol=2e-3 * (1 + np.abs(theirs).max()))
    assert (thin.predict(container(new)) == dense.predict(new)).mean() > 0.9
    assert get_tags(model).input_tags.sparse
    again = pickle.loads(pickle.dumps(thin))  # noqa: S301 - made in the line itself
    np.testing.assert_array_equal(again.costs(new), thin.costs(new))


def test_who_needs_dense_points_says_so():
    thin = sparse.csr_array(X)
    with pytest.raises(
        ValueError, match="'forest-ecoc', which is learned from the points, needs dense points"
    ):
        ECOCClassifier("forest-ecoc", machine=SVC()).fit(thin, y)
    with pytest.raises(TypeError, match="dense data is required"):
        ECOCClassifier("forest-ecoc").fit(thin, y)
    model = around(KernelMachine()).fit(thin, y)
    with pytest.raises(ValueError, match=r"looks for near points, needs dense points; hand over X\.toarray"):
        model.predict(thin, decoding="drm")
    with pytest.raises(ValueError, match="'interior-point' needs dense points"):
        SupportPatternClassifier("linear", solver="interior-point").fit(thin, y)


# Missing values, data frames, text ----------------------------------------------------------------------


def with_gaps():
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    return holes


@pytest.mark.parametrize(
    "machine",
    [make_pipeline(SimpleImputer(), SVC()), HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)],
)
@pytest.mark.parametrize("kind", [ECOCClassifier, DDAGClassifier])
def test_a_machine_of_anothers_may_take_missing_values(machine, kind):
    model = kind(machine=machine).fit(with_gaps(), y)
    assert model.score(with_gaps(), y) > 0.8
    assert get_tags(kind(machine=HistGradientBoostingClassifier())).input_tags.allow_nan


@pytest.mark.parametrize("machine", [None, KernelMachine("linear"), SVC()])
def test_others_refuse_missing_values(machine):
    with pytest.raises(ValueError, match="contains NaN"):
        ECOCClassifier(machine=machine).fit(with_gaps(), y)


def test_data_frames_reach_the_machine_with_their_columns():
    frame = pd.DataFrame(X, columns=list("abcd")).assign(
        colour=pd.Categorical(np.where(X[:, 0] > 5.8, "red", "blue"))
    )
    reading = make_column_transformer((OneHotEncoder(), ["colour"]), (StandardScaler(), ["a", "d"]))
    model = ECOCClassifier("one-vs-one", machine=make_pipeline(reading, SVC()), random_state=0)
    model.fit(frame, y)
    assert model.feature_names_in_.tolist() == [*"abcd", "colour"]
    assert model.score(frame, y) > 0.9
    assert model.exact_loo("hamming").error < 0.2
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"a": "z"}))
    assert cross_val_score(model, frame, y, cv=3).mean() > 0.8


def test_text_reaches_a_pipeline_that_reads_it():
    texts = ["cats purr", "cats sleep", "dogs bark", "dogs sleep", "cows moo", "cows sleep"] * 3
    kinds = np.array(["cat", "cat", "dog", "dog", "cow", "cow"] * 3)
    model = ECOCClassifier(machine=make_pipeline(CountVectorizer(), LogisticRegression()), random_state=0)
    assert model.fit(texts, kinds).predict(["dogs moo and bark"]).tolist() == ["dog"]


def test_regressors_are_machines_whose_prediction_is_the_score():
    ours = ECOCClassifier("one-vs-all", decoding="euclidean", machine=Ridge()).fit(X, y)
    for b in range(3):
        alone = Ridge().fit(X, np.where(y == b, 1.0, -1.0))
        np.testing.assert_allclose(ours.scores(X)[:, b], alone.predict(X), atol=1e-12)
    assert not ours.columns_.probability_scale
    assert ours.score(X, y) > 0.7
    assert around(Ridge()).fit(X, y).predict_proba(X).shape == (75, 3)


# Kernel values in place of points -------------------------------------------------------------------------

PRECOMPUTED = [KernelMachine("precomputed", C=1.0, tol=1e-8), SVC(kernel="precomputed", C=1.0, tol=1e-8)]
ON_POINTS = [KernelMachine(gamma=0.3, C=1.0, tol=1e-8), SVC(gamma=0.3, C=1.0, tol=1e-8)]


@pytest.mark.parametrize(
    ("ours", "plain"), list(zip(PRECOMPUTED, ON_POINTS, strict=True)), ids=["KernelMachine", "SVC"]
)
def test_precomputed_kernel_values_stand_for_points(ours, plain):
    weights = np.random.default_rng(0).integers(0, 3, y.size)
    by_values, by_points = around(ours), around(plain)
    assert get_tags(by_values).input_tags.pairwise and not get_tags(by_points).input_tags.pairwise
    for sample_weight in (None, weights):
        by_values.fit(GRAM, y, sample_weight=sample_weight)
        by_points.fit(X, y, sample_weight=sample_weight)
        np.testing.assert_allclose(by_values.scores(GRAM[:9]), by_points.scores(X[:9]), atol=1e-5)
        np.testing.assert_allclose(by_values.predict_proba(GRAM), by_points.predict_proba(X), atol=1e-4)
    folds = np.arange(by_values.columns_.scores.shape[0]) % 4
    np.testing.assert_allclose(
        by_values.columns_.held_out_scores(folds), by_points.columns_.held_out_scores(folds), atol=1e-5
    )
    ddag = DDAGClassifier(ours).fit(GRAM, y)
    assert (ddag.predict(GRAM) == DDAGClassifier(plain).fit(X, y).predict(X)).all()
    assert GridSearchCV(by_values, {"machine__C": [0.5, 1.0]}, cv=3).fit(GRAM, y).best_score_ > 0.85
    code = ContinuousCodeClassifier(clone(by_values).set_params(decoding="hamming")).fit(GRAM, y)
    assert code.score(GRAM, y) > 0.9


def test_kernel_values_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"must be a square matrix.* not of shape \(75, 4\)"):
        around(PRECOMPUTED[0]).fit(X, y)
    with pytest.raises(ValueError, match="must be a square matrix"):
        KernelMachine("precomputed").fit(X, y == 0)
    with pytest.raises(ValueError, match="'forest-ecoc' learns from points, not from kernel values"):
        ECOCClassifier("forest-ecoc", machine=KernelMachine("precomputed")).fit(GRAM, y)
    with pytest.raises(ValueError, match="need points, not precomputed kernel values"):
        ContinuousCodeClassifier(ECOCClassifier(machine=PRECOMPUTED[0]), interleave="machines").fit(X, y)


def kernel(left, right):
    return rbf_kernel(left, right, gamma=0.3)


@pytest.mark.parametrize("C", [1.0, "inverse-mean-kernel"])
def test_a_function_may_be_the_kernel(C):
    named = around(KernelMachine(gamma=0.3, C=C, tol=1e-8)).fit(X, y)
    ours = around(KernelMachine(kernel, C=C, tol=1e-8)).fit(X, y)
    np.testing.assert_allclose(ours.costs(X), named.costs(X), atol=1e-6)
    assert (ours.loo_bound().flagged == named.loo_bound().flagged).all()
    thin = around(KernelMachine(kernel, C=C, tol=1e-8)).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(thin.costs(X), named.costs(X), atol=1e-6)
    for wrong in (lambda a, b: a @ b.T * np.nan, lambda a, _b: a):
        with pytest.raises(ValueError, match="The kernel function must return finite numbers of shape"):
            KernelMachine(wrong, C=1.0).fit(X, y == 0)


def test_the_memory_of_the_kernel_matrix_can_be_limited():
    assert KernelMachine(memory_limit=75 * 75 * 8).fit(X, y == 0).columns_.converged.all()
    whole, parts = (
        ECOCClassifier(machine=KernelMachine(memory_limit=limit, tol=1e-6)).fit(X, y)
        for limit in (75 * 75 * 8, 75 * 75 * 8 - 1)
    )
    np.testing.assert_allclose(parts.scores(X), whole.scores(X), atol=1e-4)
    with pytest.raises(ValueError, match="memory_limit is a number of bytes above 0, or None, not '2G'"):
        KernelMachine(memory_limit="2G").fit(X, y == 0)


# Backends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", [KernelMachine(), LogisticRegression()])
def test_the_backend_changes_nothing(machine):
    plain = around(machine).fit(X, y).costs(X)
    for settings in ({"backend": "threading", "n_jobs": 2}, {"backend": "sequential"}, {"n_jobs": 2}):
        with parallel_config(**settings):
            np.testing.assert_array_equal(around(machine).fit(X, y).costs(X), plain)
    np.testing.assert_array_equal(around(machine, n_jobs=3).fit(X, y).costs(X), plain)


class Where(ClassifierMixin, BaseEstimator):
    """Says in which process it was fitted."""

    def fit(self, X, y):
        self.n_, self.classes_, self.process_ = len(X), np.unique(y), os.getpid()
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


@pytest.mark.thorough
def test_machines_of_others_are_trained_in_processes_where_joblib_is_told_so():
    with parallel_config(backend="loky", n_jobs=2):
        model = around(Where(), decoding="linear").fit(X, y)
        fine = around(LogisticRegression()).fit(X, y)
    assert os.getpid() not in {machine.process_ for machine in model.columns_.machines}
    np.testing.assert_array_equal(fine.costs(X), around(LogisticRegression()).fit(X, y).costs(X))
    assert {
        machine.process_ for machine in around(Where(), decoding="linear").fit(X, y).columns_.machines
    } == {os.getpid()}
