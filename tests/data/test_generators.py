"""Generators: shapes, seeds, class sizes, label noise, over all their parameters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_data import params_of

from ecocviz.data.catalogue import GENERATORS, load_table
from ecocviz.data.generators._shared import MIN_PER_CLASS, class_sizes, with_label_noise
from ecocviz.engine.params import IntParam

KEYS = list(GENERATORS)


def test_all_six_are_found_and_come_first():
    assert KEYS == ["blobs", "circles", "moons", "spirals", "quadrants", "checkerboard"]


@pytest.mark.parametrize("key", KEYS)
@given(data=st.data(), seed=st.integers(0, 2**31))
def test_every_parameter_gives_a_table_of_two_features(key, data, seed):
    params = data.draw(params_of(GENERATORS[key]))
    table = load_table(key, seed, **params)
    points = table.features.to_numpy()
    assert list(table.features.columns) == ["x1", "x2"]
    assert points.shape == (params["n_samples"], 2)
    assert np.isfinite(points).all()
    assert np.abs(points).max() < 4
    counts = table.labels.value_counts()
    n_classes = params.get("n_classes", 4)
    assert sorted(counts.index) == [chr(ord("A") + c) for c in range(n_classes)]
    assert counts.min() >= MIN_PER_CLASS
    assert table.features.equals(load_table(key, seed, **params).features)
    assert table.labels.equals(load_table(key, seed, **params).labels)


@pytest.mark.parametrize("key", KEYS)
def test_another_seed_gives_other_points(key):
    assert not load_table(key, 1).features.equals(load_table(key, 2).features)


@pytest.mark.parametrize("key", KEYS)
def test_without_overlap_most_points_lie_in_the_frame(key):
    points = load_table(key, 0, overlap=0.0).features.to_numpy()
    assert np.abs(points).max() <= 1.05
    assert np.abs(points).max() > 0.5


@given(n_classes=st.integers(2, 10), extra=st.integers(0, 500), imbalance=st.floats(0, 0.9))
def test_class_sizes_sum_up_and_decrease(n_classes, extra, imbalance):
    n_samples = MIN_PER_CLASS * n_classes + extra
    sizes = class_sizes(n_samples, n_classes, imbalance)
    assert sizes.sum() == n_samples
    assert sizes.min() >= MIN_PER_CLASS
    assert (np.diff(sizes) <= 0).all()


@pytest.mark.parametrize("imbalance", [0.0, 0.25, 0.5])
def test_class_sizes_follow_the_imbalance(imbalance):
    sizes = class_sizes(5_000, 4, imbalance)
    assert sizes[1:] / sizes[:-1] == pytest.approx(np.full(3, 1 - imbalance), abs=0.01)


def test_too_few_points_are_refused():
    with pytest.raises(ValueError, match="take at least 20"):
        class_sizes(19, 10, 0.0)


@pytest.mark.parametrize("label_noise", [0.0, 0.1, 0.37, 0.5])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_label_noise_changes_just_that_share(label_noise, n_classes):
    codes = np.repeat(np.arange(n_classes), 200)
    noisy = with_label_noise(codes, n_classes, label_noise, np.random.default_rng(3))
    assert int((noisy != codes).sum()) == round(label_noise * codes.size)
    wrong = noisy[noisy != codes]
    if wrong.size:
        assert np.bincount(wrong, minlength=n_classes).min() > 0


@pytest.mark.parametrize("key", KEYS)
def test_label_noise_leaves_the_points_where_they_are(key):
    clean, noisy = load_table(key, 5), load_table(key, 5, label_noise=0.3)
    order = [tuple(point) for point in clean.features.to_numpy()]
    where = {tuple(point): i for i, point in enumerate(noisy.features.to_numpy())}
    differs = [clean.labels[i] != noisy.labels[where[point]] for i, point in enumerate(order)]
    assert sum(differs) == round(0.3 * len(order))


def test_quadrants_without_overlap_are_the_signs():
    table = load_table("quadrants", 1, n_samples=400)
    x1, x2 = table.features["x1"], table.features["x2"]
    expected = np.select([(x1 > 0) & (x2 > 0), x2 > 0, x1 < 0], ["A", "B", "C"], "D")
    assert (table.labels.to_numpy() == expected).all()


@pytest.mark.parametrize("n_classes", range(2, 7))
@pytest.mark.parametrize("n_squares", range(3, 9))
def test_neighbouring_squares_differ(n_classes, n_squares):
    table = load_table(
        "checkerboard", 0, n_classes=n_classes, n_squares=n_squares, n_samples=2_000, overlap=0.0
    )
    squares = np.floor((table.features.to_numpy() + 1) / 2 * n_squares).astype(int)
    found = {}
    for (column, row), label in zip(squares.tolist(), table.labels, strict=True):
        assert found.setdefault((column, row), label) == label
    assert len(found) == n_squares**2
    for (column, row), label in found.items():
        for other in ((column + 1, row), (column, row + 1)):
            assert found.get(other) != label


def test_circles_without_overlap_have_one_radius_a_class():
    table = load_table("circles", 0, overlap=0.0, n_classes=4)
    radius = np.hypot(table.features["x1"], table.features["x2"])
    assert radius.groupby(table.labels).std().max() < 1e-12
    assert radius.groupby(table.labels).mean().is_monotonic_increasing


def test_more_overlap_makes_more_neighbours_of_another_class():
    def mixed(overlap):
        table = load_table("blobs", 0, overlap=overlap, n_samples=400)
        points, codes = table.features.to_numpy(), table.codes()
        distances = np.linalg.norm(points[:, None] - points[None], axis=2)
        np.fill_diagonal(distances, np.inf)
        return float((codes[distances.argmin(axis=1)] != codes).mean())

    assert mixed(0.0) == 0.0
    assert 0.0 < mixed(0.4) < mixed(1.0)


@pytest.mark.parametrize("key", KEYS)
def test_the_smallest_sample_holds_the_most_classes(key):
    entry = GENERATORS[key]
    ints = {param.name: param for param in entry.params if isinstance(param, IntParam)}
    assert ints["n_samples"].low >= MIN_PER_CLASS * getattr(ints.get("n_classes"), "high", 4)
