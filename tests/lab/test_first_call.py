"""What is timed was called before: compiling is nobody's training time."""

import numpy as np
import pytest

from ecocviz.lab import first_call
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario

BLOBS = ("blobs", {"n_samples": 120})


@pytest.fixture
def fits(monkeypatch):
    """How many points every fit is given, in a process that has called nothing yet."""
    monkeypatch.setattr(first_call, "_CALLED", set())
    sizes = []

    def watch(scenario):
        kind = type(train(scenario).shown.estimator)
        first_call._CALLED.clear()
        known = kind.fit

        def fit(self, X, y, **how):
            sizes.append(len(X))
            return known(self, X, y, **how)

        monkeypatch.setattr(kind, "fit", fit)
        return sizes

    return watch


def test_each_kind_is_tried_on_a_few_points_once_in_a_process(fits):
    scenario = make_scenario(data=BLOBS)
    sizes = fits(scenario)
    trained = train(scenario)
    n_train, n_classes = trained.shown.prepared.y_train.size, len(trained.classes)
    assert sizes == [first_call.N_FIRST * n_classes, n_train]
    train(scenario.chosen("machine", gamma=3.0))
    assert sizes[2:] == [n_train]
    train(scenario.chosen("machine", kernel="linear"))
    assert sizes[3:] == [first_call.N_FIRST * n_classes, n_train]


def test_trying_changes_no_number(monkeypatch):
    scenario = make_scenario(data=BLOBS)
    monkeypatch.setattr(first_call, "_CALLED", set())
    first, second = (train(scenario).shown.estimator for _ in range(2))
    X = np.zeros((1, 2))
    assert np.array_equal(first.scores(X), second.scores(X))


def test_too_few_points_to_try_are_no_reason_to_refuse(monkeypatch):
    monkeypatch.setattr(first_call, "N_FIRST", 1)
    monkeypatch.setattr(first_call, "_CALLED", set())
    assert train(make_scenario(data=BLOBS)).classes
