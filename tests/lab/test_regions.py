"""Grids over planes, against deciding cell by cell."""

from dataclasses import replace

import numpy as np
import pytest

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.regions import (
    COARSEST,
    FINEST,
    decodable,
    grid_side,
    make_frames,
    make_plane,
    make_points,
    make_regions,
    margins_of,
    plane_keys,
    quantise,
    telling_point,
)
from ecocviz.lab.run import run
from ecocviz.lab.scenario import choose, make_scenario

HAMMING, LIKELIHOOD, LINEAR = (choose("decoding", key) for key in ("hamming", "likelihood", "linear"))


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


def test_every_cell_says_what_the_estimator_says_there(model):
    plane = make_plane(model.prepared, "")
    decodings = (HAMMING, LIKELIHOOD, LINEAR)
    regions = make_regions(model, plane, decodings, n=12)
    scores_said = np.unpackbits(regions.bits, axis=1, count=144).T
    for j in range(12):
        for i in range(12):
            x = plane.x_range[0] + (i + 0.5) / 12 * (plane.x_range[1] - plane.x_range[0])
            y = plane.y_range[0] + (j + 0.5) / 12 * (plane.y_range[1] - plane.y_range[0])
            point = plane.origin + x * plane.axes[0] + y * plane.axes[1]
            cell = j * 12 + i
            for k, decoding in enumerate(decodings):
                assert regions.labels[k, cell] == model.estimator.predict(point[None], decoding.key)[0]
            assert (scores_said[cell] == (model.estimator.scores(point[None])[0] > 0)).all()


def test_confidence_is_the_root_of_the_margin_in_63_steps():
    costs = np.array([[0.0, 1.0, 5.0], [2.0, 2.0, 9.0], [np.inf, 1.0, np.inf], [4.0, 0.0, 3.0]])
    margins = margins_of(costs)
    assert margins.tolist() == [1.0, 0.0, np.inf, 3.0]
    top = float(np.quantile([1.0, 0.0, 3.0], 0.9))
    expected = [round(63 * (1 / top) ** 0.5), 0, 63, 63]
    assert quantise(margins).tolist() == expected
    assert quantise(np.array([0.0, 0.0])).tolist() == [0, 0]


def test_points_are_decided_as_the_estimator_decides_them(model):
    plane = make_plane(model.prepared, "")
    points = make_points(model, plane, (HAMMING, LINEAR))
    X = np.concatenate([model.prepared.X_train, model.prepared.X_test])
    for k, key in enumerate(("hamming", "linear")):
        assert (points.labels[k] == model.estimator.predict(X, key)).all()
    scores = model.estimator.scores(X)
    for i, truth in enumerate(points.truth):
        codeword = model.estimator.code_matrix_[truth]
        wrong = sum(1 for f, m in zip(scores[i], codeword, strict=True) if m != 0 and m * np.sign(f) <= 0)
        assert points.wrong_bits[i] == wrong
    assert points.is_test.sum() == len(model.prepared.y_test)


def test_the_telling_point_is_right_in_spite_of_a_wrong_bit_if_there_is_one(model):
    plane = make_plane(model.prepared, "")
    points = make_points(model, plane, (LINEAR,))
    pick = telling_point(points, plane, 0)
    repaired = (points.labels[0] == points.truth) & (points.wrong_bits > 0)
    wrong = points.labels[0] != points.truth
    if repaired.any():
        assert repaired[pick]
    elif wrong.any():
        assert wrong[pick]


@pytest.mark.parametrize("decoding", [HAMMING, LIKELIHOOD, LINEAR])
def test_the_last_frame_is_the_whole_code_and_the_first_is_one_machine(model, decoding):
    plane = make_plane(model.prepared, "")
    assert decodable(model)
    frames = make_frames(model, plane, decoding, n=10)
    whole = make_regions(model, plane, (decoding,), n=10)
    assert (frames.labels[-1] == whole.labels[0]).all()
    assert frames.lengths[0] == 1 and frames.lengths[-1] == model.estimator.code_matrix_.shape[1]
    # One machine tells at most three kinds of classes apart: +1, -1 and those it never saw.
    assert len(np.unique(frames.labels[0])) <= 3
    assert (
        frames.n_wrong[-1]
        == (model.estimator.predict(model.prepared.X_test, decoding.key) != model.prepared.y_test).sum()
    )


def test_frames_of_a_long_code_are_thinned_and_end_with_all_bits():
    model = run(
        make_scenario(data=("blobs", {"n_samples": 60, "n_classes": 10}), coding="one-vs-one")
    ).trained.shown
    frames = make_frames(model, make_plane(model.prepared, ""), HAMMING, n=4)
    assert len(frames.lengths) == 32 and frames.lengths[-1] == 45
    assert (np.diff(frames.lengths) > 0).all()


def test_large_problems_get_coarser_grids():
    assert grid_side(100, 4, 6) == FINEST
    assert grid_side(100_000, 26, 325) == COARSEST
    assert COARSEST < grid_side(4_000, 26, 78) < FINEST


def test_every_decoder_of_the_catalogue_fills_a_grid():
    model = run(make_scenario(data=("blobs", {"n_samples": 40}), coding="one-vs-one")).trained.shown
    plane = make_plane(model.prepared, "")
    for key in DECODINGS:
        regions = make_regions(model, plane, (choose("decoding", key),), n=5)
        assert set(regions.labels.ravel().tolist()) <= set(range(4)), key
        assert regions.confidence.max() <= 63
