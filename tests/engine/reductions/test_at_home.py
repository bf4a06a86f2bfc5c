"""Our classifiers inside scikit-learn's tools: pickles, searches, ensembles, inspections, pipelines."""

import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_predict,
    cross_validate,
    learning_curve,
    validation_curve,
)
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from ecocviz import (
    ContinuousCodeClassifier,
    DDAGClassifier,
    ECOCClassifier,
    JointECOCClassifier,
    KernelMachine,
    SingleBinaryClassifier,
    SupportPatternClassifier,
)

X, y = (part[::2] for part in load_iris(return_X_y=True, as_frame=True))
names = load_iris().target_names[y]

CLASSIFIERS = {
    "ECOCClassifier": ECOCClassifier(random_state=0),
    "JointECOCClassifier": JointECOCClassifier(decoding="linear", random_state=0),
    "SingleBinaryClassifier": SingleBinaryClassifier(C=8.0, gamma=0.5),
    "SupportPatternClassifier": SupportPatternClassifier(),
    "ContinuousCodeClassifier": ContinuousCodeClassifier(random_state=0),
    "DDAGClassifier": DDAGClassifier(),
}
each = pytest.mark.parametrize("model", CLASSIFIERS.values(), ids=CLASSIFIERS)


def ecoc(**params):
    return ECOCClassifier("one-vs-one", random_state=0, **params)


def through_pickle(model):
    return pickle.loads(pickle.dumps(model))  # noqa: S301 - made in the line itself


def through_joblib(model):
    kept = io.BytesIO()
    joblib.dump(model, kept, compress=3)
    kept.seek(0)
    return joblib.load(kept)


@each
@pytest.mark.parametrize("through", [through_pickle, through_joblib])
def test_a_kept_model_decides_as_before(model, through):
    model = clone(model).fit(X, names)
    again = through(model)
    np.testing.assert_allclose(again.decision_function(X), model.decision_function(X), rtol=1e-9)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(through(clone(model)).fit(X, names).predict(X), model.predict(X))


@pytest.mark.parametrize("through", [through_pickle, through_joblib])
def test_a_kept_model_still_serves_every_decoder(through):
    model = ecoc().fit(X, y)
    again = through(model)
    for decoding in ("hamming", "likelihood", "kl", "drm"):
        np.testing.assert_array_equal(again.predict(X, decoding), model.predict(X, decoding))
    assert again.exact_loo("linear").error == model.exact_loo("linear").error
    assert again.loo_bound("hamming").error == model.loo_bound("hamming").error


@each
def test_names_of_columns_are_kept_and_checked(model):
    model = clone(model).fit(X, y)
    assert model.feature_names_in_.tolist() == X.columns.tolist()
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X.rename(columns=str.upper))


@each
def test_cross_validated_scores_have_a_column_a_class(model):
    decided = cross_val_predict(model, X, names, cv=3, method="decision_function")
    assert decided.shape == (75, 3)
    assert (np.unique(names)[decided.argmax(axis=1)] == names).mean() > 0.85


def test_cross_validated_probabilities_are_some():
    shares = cross_val_predict(ecoc(), X, names, cv=3, method="predict_proba")
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (np.unique(names)[shares.argmax(axis=1)] == names).mean() > 0.9
    with pytest.raises(AttributeError, match="predict_proba"):
        cross_val_predict(ecoc(decoding="voting"), X, names, cv=3, method="predict_proba")


def test_several_measures_at_once():
    measures = {
        "auc": "roc_auc_ovr",
        "loss": "neg_log_loss",
        "right": "accuracy",
        "fair": "balanced_accuracy",
    }
    found = cross_validate(ecoc(), X, y, cv=3, scoring=measures, return_estimator=True, error_score="raise")
    assert found["test_auc"].min() > 0.95 and found["test_loss"].max() < 0
    assert all(isinstance(model, ECOCClassifier) for model in found["estimator"])
    two = y < 2
    area = make_scorer(roc_auc_score, response_method="decision_function")
    assert cross_validate(ecoc(), X[two], y[two], cv=3, scoring=area)["test_score"].min() == 1


@each
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_scikit_learn_calibrates_it(model, method):
    calibrated = CalibratedClassifierCV(model, method=method, cv=3).fit(X, names)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)
    assert calibrated.score(X, names) > 0.9


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_it_votes_with_others(voting):
    others = [("logistic", make_pipeline(StandardScaler(), LogisticRegression()))]
    model = VotingClassifier([("ecoc", ecoc()), *others], voting=voting).fit(X, names)
    assert model.score(X, names) > 0.9


@each
def test_others_stack_on_it(model):
    last = make_pipeline(StandardScaler(), LogisticRegression())
    stack = StackingClassifier([("ours", model), ("linear", DDAGClassifier())], last, cv=3)
    assert stack.fit(X, names).score(X, names) > 0.9


def test_it_is_the_last_of_a_stack():
    below = [("logistic", make_pipeline(StandardScaler(), LogisticRegression()))]
    assert StackingClassifier(below, ecoc(), cv=3).fit(X, names).score(X, names) > 0.9


@pytest.mark.parametrize("wrapper", [OneVsRestClassifier, OneVsOneClassifier])
@pytest.mark.parametrize("inside", [ecoc(), KernelMachine(), SupportPatternClassifier()], ids=repr)
def test_scikit_learns_own_reductions_take_it(wrapper, inside):
    assert wrapper(inside).fit(X, names).score(X, names) > 0.9


def test_it_decides_several_questions_at_once():
    both = np.column_stack([y, X.iloc[:, 0] > 5.8])
    assert MultiOutputClassifier(ecoc()).fit(X, both).predict(X).shape == (75, 2)


@each
def test_it_is_bagged(model):
    bag = BaggingClassifier(model, n_estimators=3, random_state=0).fit(X, names)
    assert bag.score(X, names) > 0.9


@each
def test_features_are_ranked_by_shuffling(model):
    model = clone(model).fit(X, y)
    found = permutation_importance(model, X, y, n_repeats=3, random_state=0)
    petals = found.importances_mean[2:]
    assert found.importances.shape == (4, 3)
    assert petals.max() == found.importances_mean.max() > 0.1


def test_features_are_chosen_one_by_one():
    chosen = SequentialFeatureSelector(ecoc(decoding="hamming"), n_features_to_select=2, cv=2).fit(X, y)
    assert chosen.get_support()[2:].any()


@each
def test_learning_and_validation_are_drawn(model):
    sizes, train, test = learning_curve(
        model, X, y, train_sizes=[0.3, 1.0], cv=3, shuffle=True, random_state=0
    )
    assert sizes.tolist() == [15, 50] and train.shape == test.shape == (2, 3)
    assert np.isfinite(train).all() and test[-1].mean() > 0.85


def test_a_curve_over_a_parameter_of_the_machine():
    model = ecoc(machine=KernelMachine())
    train, test = validation_curve(model, X, y, param_name="machine__gamma", param_range=[1e-4, 0.5], cv=3)
    assert train.shape == test.shape == (2, 3)
    assert test[1].mean() > 0.9


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_dependence_on_one_feature(method):
    model = ecoc().fit(X, y)
    found = partial_dependence(model, X, [2], response_method=method, kind="both", grid_resolution=5)
    assert found["average"].shape == (3, 5) and found["individual"].shape == (3, 75, 5)
    assert found["average"][0, 0] > found["average"][0, -1]  # short petals are setosa's


@each
def test_tables_go_through_a_pipeline_that_hands_on_tables(model):
    seen = []
    look = FunctionTransformer(lambda table: seen.append(table) or table, validate=False)
    pipeline = make_pipeline(StandardScaler(), PCA(2), look, clone(model)).set_output(transform="pandas")
    assert pipeline.fit(X, names).score(X, names) > 0.85
    assert isinstance(seen[0], pd.DataFrame) and seen[0].columns.tolist() == ["pca0", "pca1"]
    assert pipeline[-1].feature_names_in_.tolist() == ["pca0", "pca1"]


def test_a_pipeline_is_searched():
    pipeline = make_pipeline(StandardScaler(), ecoc(machine=KernelMachine()))
    grid = {
        "ecocclassifier__coding": ["one-vs-all", "one-vs-one"],
        "ecocclassifier__machine__C": [0.1, 10.0],
        "ecocclassifier__decoding": ["hamming", "likelihood"],
    }
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(X, names)
    assert (
        search.best_score_ > 0.9 and search.predict(X).tolist() == search.best_estimator_.predict(X).tolist()
    )


def test_labels_may_be_a_column_of_categories():
    model = ecoc().fit(X, pd.Series(names, dtype="category"))
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert model.score(X, names) > 0.9
