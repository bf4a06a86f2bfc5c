"""Planes through feature space."""

from dataclasses import replace

import numpy as np
import pytest

from ecocviz.lab.plane import make_plane, plane_keys
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario


@pytest.fixture(scope="module", params=["blobs", "iris"])
def model(request):
    data = ("blobs", {"n_samples": 60}) if request.param == "blobs" else request.param
    return run(make_scenario(data=data, coding="one-vs-one")).trained.shown


def test_a_plane_lifts_and_projects_back(model):
    X = model.prepared.X_train
    for key in plane_keys(X.shape[1]):
        plane = make_plane(model.prepared, key)
        coordinates = plane.cells(7)
        assert np.allclose(plane.project(plane.lift(coordinates)), coordinates)
        assert np.allclose(plane.axes @ plane.axes.T, np.eye(2))
        shown = plane.project(np.concatenate([X, model.prepared.X_test]))
        for values, (low, high) in zip(shown.T, (plane.x_range, plane.y_range), strict=True):
            assert low < values.min() and values.max() < high


def test_a_plane_of_two_features_holds_the_others_at_their_mean(model):
    X = model.prepared.X_train
    if X.shape[1] < 3:
        return
    plane = make_plane(model.prepared, "1,3")
    lifted = plane.lift(np.array([[0.25, 0.75]]))[0]
    assert lifted[1] == 0.25 and lifted[3] == 0.75
    assert np.allclose(lifted[[0, 2]], X.mean(axis=0)[[0, 2]])
    assert plane.names == (model.prepared.feature_names[1], model.prepared.feature_names[3])
    assert "4 features" in plane.sentence


def test_the_main_directions_hold_the_most_variance():
    prepared = run(make_scenario(data="iris")).trained.shown.prepared
    plane = make_plane(prepared, "pca")
    variances = plane.project(prepared.X_train).var(axis=0)
    assert variances[0] >= variances[1]
    rng = np.random.default_rng(0)
    for _ in range(50):
        direction = rng.normal(size=4)
        direction /= np.linalg.norm(direction)
        assert (prepared.X_train @ direction).var() <= variances[0] + 1e-12


@pytest.mark.parametrize("key", ["", "pca", "9,1", "0,0", "0", "a,b", "0,1,2", "-1,2", "1e3,4", "0,99999999"])
def test_an_unreadable_plane_is_the_default(model, key):
    default = make_plane(model.prepared, plane_keys(model.prepared.X_train.shape[1])[0])
    assert make_plane(model.prepared, key).key == default.key


def test_one_feature_is_drawn_along_one_axis(model):
    one = replace(
        model.prepared,
        X_train=model.prepared.X_train[:, :1],
        X_test=model.prepared.X_test[:, :1],
        feature_names=model.prepared.feature_names[:1],
    )
    plane = make_plane(one, "")
    assert (plane.project(one.X_train)[:, 1] == 0).all()
    assert plane.lift(plane.cells(5)).shape == (25, 1)
    assert plane.y_range == (-0.5, 0.5)


def test_the_planes_offered_are_the_directions_and_pairs_of_the_first_twelve_features():
    assert plane_keys(1) == plane_keys(2) == ("0,1",)
    assert plane_keys(3) == ("pca", "0,1", "0,2", "1,2")
    pairs = [tuple(map(int, key.split(","))) for key in plane_keys(40)[1:]]
    assert pairs == [(i, j) for i in range(12) for j in range(i + 1, 12)]
