"""Metadata of points reach the machine: by scikit-learn's routing, or as its metaestimators hand them on."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ecocviz import ContinuousCodeClassifier, DDAGClassifier, ECOCClassifier, KernelMachine

X, y = (part[::3] for part in load_iris(return_X_y=True))
WEIGHTS = np.random.default_rng(0).integers(1, 5, y.size).astype(float)
MACHINES = [LogisticRegression(), KernelMachine()]


class Noting(ClassifierMixin, BaseEstimator):
    """Keeps what it was given."""

    def fit(self, X, y, group=None, sample_weight=None):
        self.classes_, self.n_, self.group_, self.weight_ = np.unique(y), len(X), group, sample_weight
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


with config_context(enable_metadata_routing=True):
    SCALER = StandardScaler().set_fit_request(sample_weight=False)


@pytest.fixture(name="routing")
def _routing():
    with config_context(enable_metadata_routing=True):
        yield


def asking(machine, **requests):
    return type(machine)(**machine.get_params()).set_fit_request(**requests)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", [ECOCClassifier, DDAGClassifier])
def test_weights_are_handed_on_without_routing(machine, kind):
    weighted = kind(machine=machine, random_state=0).fit(X, y, sample_weight=WEIGHTS)
    alone = kind(machine=machine, random_state=0).fit(X, y)
    assert np.abs(weighted.scores(X) - alone.scores(X)).max() > 1e-3
    with pytest.raises(ValueError, match="group"):
        kind(machine=Noting()).fit(X, y, group=y)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", [ECOCClassifier, DDAGClassifier])
def test_a_machine_that_asks_gets_weights_through_pipelines(machine, kind):
    plain = kind(machine=machine, random_state=0)
    with config_context(enable_metadata_routing=False):
        plain.fit(StandardScaler().fit_transform(X), y, sample_weight=WEIGHTS)
    model = kind(machine=asking(machine, sample_weight=True), random_state=0)
    piped = make_pipeline(SCALER, model).fit(X, y, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(
        piped.decision_function(X), plain.decision_function(StandardScaler().fit_transform(X))
    )


@pytest.mark.usefixtures("routing")
def test_searches_and_validations_hand_weights_on():
    model = ECOCClassifier(machine=asking(LogisticRegression(), sample_weight=True), random_state=0)
    searched = GridSearchCV(model, {"machine__C": [0.1, 10.0]}, cv=3, refit=True)
    best = searched.fit(X, y, sample_weight=WEIGHTS).best_estimator_
    again = ECOCClassifier(machine=best.machine, random_state=0).fit(X, y, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(best.costs(X), again.costs(X))
    assert (
        np.abs(best.costs(X) - ECOCClassifier(machine=best.machine, random_state=0).fit(X, y).costs(X)).max()
        > 1e-3
    )
    found = cross_validate(model, X, y, cv=3, params={"sample_weight": WEIGHTS}, return_estimator=True)
    assert all(part.columns_.weights.size == part.columns_.scores.shape[0] for part in found["estimator"])
    piped = GridSearchCV(make_pipeline(SCALER, model), {"ecocclassifier__machine__C": [0.1, 10.0]}, cv=3)
    assert np.isfinite(piped.fit(X, y, sample_weight=WEIGHTS).best_score_)
    code = ContinuousCodeClassifier(model.set_params(decoding="hamming"))
    found = cross_validate(code, X, y, cv=3, params={"sample_weight": WEIGHTS}, return_estimator=True)
    assert all(part.base_.columns_.weights is not None for part in found["estimator"])


@pytest.mark.usefixtures("routing")
def test_nobody_gets_what_nobody_asked_for():
    for model in (ECOCClassifier(machine=LogisticRegression()), DDAGClassifier(LogisticRegression())):
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            model.fit(X, y, sample_weight=WEIGHTS)
    declined = asking(LogisticRegression(), sample_weight=False)
    model = ECOCClassifier(machine=declined, random_state=0).set_fit_request(sample_weight=True)
    model.fit(X, y, sample_weight=WEIGHTS)
    assert model.columns_.weights is None  # the machine did not want them; what is told of points is weighed
    np.testing.assert_allclose(model.evidence("kl").weights, [WEIGHTS.sum()] * 3)


@pytest.mark.usefixtures("routing")
def test_the_default_machine_asks_for_what_its_estimator_asks_for():
    with config_context(enable_metadata_routing=False):
        plain = ECOCClassifier(random_state=0).fit(X, y, sample_weight=WEIGHTS).costs(X)
    for model in (
        ECOCClassifier(random_state=0).set_fit_request(sample_weight=True),
        ECOCClassifier(machine=asking(KernelMachine(), sample_weight=True), random_state=0),
    ):
        piped = make_pipeline(model).fit(X, y, sample_weight=WEIGHTS)
        np.testing.assert_array_equal(piped[-1].costs(X), plain)
    code = ContinuousCodeClassifier().set_fit_request(sample_weight=True)
    assert make_pipeline(code).fit(X, y, sample_weight=WEIGHTS)[-1].base_.columns_.weights is not None


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("kind", [ECOCClassifier, DDAGClassifier])
def test_other_metadata_follow_their_points(kind):
    machine = Noting().set_fit_request(group=True, sample_weight="importance")
    group = np.arange(y.size)
    model = kind(machine=machine).fit(X, y, group=group, importance=WEIGHTS)
    if kind is ECOCClassifier:
        return
    for b, fitted in enumerate(model.columns_.machines):
        shown = np.flatnonzero(model.columns_.targets[:, b])
        assert fitted.group_.tolist() == shown.tolist()
        np.testing.assert_array_equal(fitted.weight_, WEIGHTS[shown])


@pytest.mark.usefixtures("routing")
def test_points_without_weight_take_their_metadata_along():
    machine = Noting().set_fit_request(group=True, sample_weight=True)
    weights = np.where(np.arange(y.size) % 5 == 0, 0.0, 2.0)
    model = DDAGClassifier(machine).fit(X, y, group=np.arange(y.size), sample_weight=weights)
    kept = np.flatnonzero(weights)
    shown = kept[model.columns_.targets[:, 0] != 0]
    assert model.columns_.machines[0].group_.tolist() == shown.tolist()


@pytest.mark.usefixtures("routing")
def test_a_pipeline_is_a_machine_that_routes():
    within = make_pipeline(SCALER, asking(GaussianNB(), sample_weight=True))
    model = ECOCClassifier(machine=within, random_state=0).fit(X, y, sample_weight=WEIGHTS)
    assert model.columns_.weights is not None
    with (
        config_context(enable_metadata_routing=False),
        pytest.raises(ValueError, match="Pipeline takes no sample_"),
    ):
        ECOCClassifier(machine=make_pipeline(GaussianNB())).fit(X, y, sample_weight=WEIGHTS)
