"""Parameters of what is nested: of the default machine, and in dictionaries."""

import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ecocviz import (
    ContinuousCodeClassifier,
    DDAGClassifier,
    ECOCClassifier,
    JointECOCClassifier,
    KernelMachine,
    SingleBinaryClassifier,
)

X, y = (part[::3] for part in load_iris(return_X_y=True))


@pytest.mark.parametrize("kind", [ECOCClassifier, DDAGClassifier])
def test_the_default_machine_has_parameters(kind):
    model = kind()
    assert model.get_params()["machine__C"] == "inverse-mean-kernel"
    assert "machine__C" not in model.get_params(deep=False)
    assert model.machine is None and clone(model).machine is None
    model.set_params(machine__C=2.0, machine__gamma=0.1)
    assert model.machine.get_params() == KernelMachine(C=2.0, gamma=0.1).get_params()
    assert clone(model).machine.C == 2.0
    model.set_params(machine=None)
    assert model.machine is None
    with pytest.raises(ValueError, match="Invalid parameter 'price' for estimator KernelMachine"):
        model.set_params(machine__price=1.0)


def test_grids_reach_what_is_nested():
    grid = {
        "ecocclassifier__machine__C": [0.5, 2.0],
        "ecocclassifier__coding_params__n_bits": [5, 8],
    }
    piped = make_pipeline(StandardScaler(), ECOCClassifier("dense-random", decoding="linear", random_state=0))
    search = GridSearchCV(piped, grid, cv=2, error_score="raise").fit(X, y)
    best = search.best_estimator_[-1]
    assert best.coding_params == {"n_bits": search.best_params_["ecocclassifier__coding_params__n_bits"]}
    assert piped[-1].coding_params is None and piped[-1].machine is None
    search = GridSearchCV(
        ContinuousCodeClassifier(), {"base__machine__C": [0.5, 2.0]}, cv=2, error_score="raise"
    )
    assert search.fit(X, y).best_estimator_.base.machine.C in {0.5, 2.0}


@pytest.mark.parametrize(
    "model",
    [
        ECOCClassifier("dense-random", decoding="drm"),
        JointECOCClassifier("dense-random", decoding="drm"),
        SingleBinaryClassifier("ecoc", coding="dense-random", decoding="drm"),
    ],
)
def test_dictionaries_have_parameters(model):
    params = model.get_params()
    assert params["decoding_params__n_neighbors"] == 5 and "coding_params__n_bits" in params
    given = {"n_neighbors": 3}
    model.set_params(decoding_params=given, decoding_params__n_neighbors=7, coding_params__n_bits=9)
    assert given == {"n_neighbors": 3}  # what was handed over stays what it was
    assert model.decoding_params == {"n_neighbors": 7} and model.coding_params == {"n_bits": 9}
    model.set_params(coding="sparse-random", coding_params__n_bits=11)
    assert model.get_params()["coding_params__n_bits"] == 11
    with pytest.raises(ValueError, match="no parameter 'width' in coding_params of this coding; known param"):
        model.set_params(coding_params__width=3)
    with pytest.raises(ValueError, match="known parameters: none"):
        model.set_params(coding=[[1], [-1]], coding_params__n_bits=3)
