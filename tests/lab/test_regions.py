"""Grids over planes, against deciding cell by cell."""

from dataclasses import replace

import numpy as np
import pytest

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.evaluate import has_scores
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import (
    COARSEST,
    FINEST,
    MAX_DRAWN,
    example_point,
    grid_side,
    make_frames,
    make_points,
    make_regions,
    margins_of,
    play_point,
    quantise,
    small_plane,
)
from ecocviz.lab.run import run
from ecocviz.lab.scenario import choose, make_scenario

HAMMING, LIKELIHOOD, LINEAR = (choose("decoding", key) for key in ("hamming", "likelihood", "linear"))


@pytest.fixture(scope="module", params=["blobs", "iris"])
def model(request):
    data = ("blobs", {"n_samples": 60}) if request.param == "blobs" else request.param
    return run(make_scenario(data=data, coding="one-vs-one")).trained.shown


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


def test_the_example_point_is_right_in_spite_of_a_wrong_bit_if_there_is_one(model):
    plane = make_plane(model.prepared, "")
    points = make_points(model, plane, (LINEAR,))
    pick = example_point(points, plane, 0)
    repaired = (points.labels[0] == points.truth) & (points.wrong_bits > 0)
    wrong = points.labels[0] != points.truth
    if repaired.any():
        assert repaired[pick]
    elif wrong.any():
        assert wrong[pick]


@pytest.mark.parametrize("decoding", [HAMMING, LIKELIHOOD, LINEAR])
def test_the_last_frame_is_the_whole_code_and_the_first_is_one_machine(model, decoding):
    plane = make_plane(model.prepared, "")
    assert has_scores(model)
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


@pytest.mark.parametrize("decoding", [HAMMING, LIKELIHOOD, LINEAR])
def test_a_point_is_played_as_the_frames_are(model, decoding):
    frames = make_frames(model, make_plane(model.prepared, ""), decoding, n=4)
    wrong = np.zeros(len(frames.lengths), dtype=int)
    for x, truth in zip(model.prepared.X_test, model.prepared.y_test, strict=True):
        played = play_point(model, x, model.estimator.scores(x[None]), frames)
        wrong += [winner != truth for _, _, winner in played]
        costs = model.estimator.decode(model.estimator.scores(x[None]), decoding.key, X=x[None])[0]
        assert np.allclose(played[-1][1], costs)
    assert [length for length, _, _ in played] == frames.lengths.tolist()
    assert np.array_equal(wrong, frames.n_wrong)


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


def test_a_small_picture_has_its_cells_then_a_fair_share_of_the_points():
    model = run(make_scenario(data=("blobs", {"n_samples": 2_000}))).trained.shown
    X, truth, _ = model.points("train")
    plane = make_plane(model.prepared, "")
    small = small_plane(plane, X, truth, is_test=False, n=5)
    both = small.to_decide()
    assert len(both) == 25 + MAX_DRAWN and np.array_equal(both[:25], plane.lift(plane.cells(5)))
    assert np.array_equal(both[25], X[0]) and np.array_equal(both[-1], X[-1])
    labels = np.arange(2 * len(both)).reshape(2, -1) % 4
    regions, points = small.regions((HAMMING, LINEAR), labels), small.points(labels)
    assert (regions.n, regions.n_bits, regions.bits.shape[0], regions.confidence.shape) == (5, 0, 0, (2, 0))
    assert np.array_equal(regions.labels, labels[:, :25]) and np.array_equal(points.labels, labels[:, 25:])
    assert not points.is_test.any() and points.coordinates.shape == (MAX_DRAWN, 2)
    assert np.array_equal(points.truth[[0, -1]], truth[[0, -1]])


def test_of_equally_telling_points_a_test_point_is_shown_the_most_central_of_them(model):
    plane = make_plane(model.prepared, "")
    points = make_points(model, plane, (LINEAR,))
    alike = replace(points, labels=points.truth[None], wrong_bits=np.zeros_like(points.wrong_bits))
    pick = example_point(alike, plane, 0)
    low = np.array([plane.x_range[0], plane.y_range[0]])
    high = np.array([plane.x_range[1], plane.y_range[1]])
    off = np.linalg.norm((points.coordinates - low) / (high - low) - 0.5, axis=1)
    assert points.is_test[pick] and off[pick] == off[points.is_test].min()


def test_margins_are_between_the_two_least_costs_of_many():
    costs = np.random.default_rng(0).normal(size=(40, 7))
    two = np.sort(costs, axis=1)
    np.testing.assert_allclose(margins_of(costs), two[:, 1] - two[:, 0])


def test_classes_with_several_rows_are_counted_by_their_nearest_and_played_to_the_end():
    scenario = make_scenario(data=("spirals", {"n_samples": 150}), coding="subclass-ecoc")
    model = run(scenario).trained.shown
    plane = make_plane(model.prepared, "")
    rows, code = model.estimator.design_.row_classes, model.estimator.code_matrix_
    points = make_points(model, plane, (HAMMING,))
    X = np.concatenate([model.prepared.X_train, model.prepared.X_test])
    for truth, n_wrong, scores in zip(
        points.truth, points.wrong_bits, model.estimator.scores(X), strict=True
    ):
        own = code[rows == truth]
        assert n_wrong == min(int(((row != 0) & (row * scores <= 0)).sum()) for row in own)
    frames = make_frames(model, plane, HAMMING, 12)
    whole = make_regions(model, plane, (HAMMING,), n=12)
    assert np.array_equal(frames.labels[-1], whole.labels[0])
    assert frames.n_wrong[-1] == (points.labels[0] != points.truth)[points.is_test].sum()
