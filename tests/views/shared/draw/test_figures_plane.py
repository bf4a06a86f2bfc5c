"""Planes for print: regions as the grid says, with lines between them and every point on top."""

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from print_tools import SVG, parsed

from ecocviz.lab.plane import Plane
from ecocviz.lab.regions import Points, Regions
from ecocviz.lab.scenario import choose
from ecocviz.views.shared.draw.plane import Look, plane_figure, planes_figure
from ecocviz.views.shared.draw.plane_pixels import Layer, borders, decided, middles, rgb, said_by, winners
from ecocviz.views.shared.draw.plane_tables import cells_table, points_table
from ecocviz.views.shared.draw.print import print_figure
from ecocviz.views.shared.draw.theme import LIGHT, class_colour, mixed

NAMES = ("left", "right <b>", "=top")
TITLES = ("Hamming", "Linear")


def made(n=20, n_points=12, confidence=True):
    """Two decoders that differ in the upper half, machines that see left and right, points in a row."""
    x, y = np.meshgrid(np.arange(n), np.arange(n))
    left = (x >= n // 2).astype(np.uint8).ravel()
    labels = np.array([left, np.where(y.ravel() >= n // 2, 2, left)], np.uint8)
    bits = np.packbits(left[None] > 0, axis=1)
    plane = Plane("0,1", ("length", "width"), np.zeros(2), np.eye(2), (0.0, 1.0), (0.0, 3.0))
    sure = np.full(labels.shape, 63, np.uint8) if confidence else np.zeros((0, 0), np.uint8)
    decodings = tuple(choose("decoding", key) for key in ("hamming", "linear"))
    regions = Regions(plane, decodings, n, 1, bits, labels, sure)
    at = np.linspace(0.05, 0.95, n_points)
    truth = (at > 0.5).astype(np.int64)
    decided_as = np.array([truth, np.where(at < 0.2, 2, truth)])
    places = np.stack([at, np.full(n_points, 0.5)], axis=1)
    return regions, Points(places, truth, at > 0.3, decided_as, np.zeros(n_points, np.int64))


def drawn(look, width=8.5, **how):
    regions, points = made(**how)
    return plane_figure(regions, points, look, classes=NAMES, title="A title", width=width, theme=LIGHT)


def pixels(figure, width=8.5):
    with Image.open(io.BytesIO(print_figure(figure, "png", width))) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def share(picture, colour):
    return (np.abs(picture - rgb(colour)).max(axis=2) <= 2).mean()


def surest(c):
    return mixed(LIGHT.surface, class_colour(c), LIGHT.region)


# Whose a place is ------------------------------------------------------------------------------------


def blend(labels, margins, x, y):
    """One place between the four cells around it, by the definition; all labels with the largest claim."""
    n = len(labels)
    at = [min(max(v, 0), n - 1) for v in (x, y)]
    first = [min(int(v), n - 2) for v in at]
    u, v = at[0] - first[0], at[1] - first[1]
    claims = {}
    for c in np.unique(labels):
        claims[c] = sum(
            weight * margins[k, j] * (1 if labels[k, j] == c else -1)
            for k, down in ((first[1], 1 - v), (first[1] + 1, v))
            for j, weight in ((first[0], down * (1 - u)), (first[0] + 1, down * u))
        )
    best = max(claims.values())
    return {c for c, claim in claims.items() if claim > best - 1e-5}, min(max(best, 0), 1)


@given(st.integers(2, 6), st.integers(1, 4), st.integers(2, 10), st.integers(0, 10_000))
def test_every_place_is_of_the_label_with_the_largest_claim(n, n_labels, side, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_labels, n * n).astype(np.uint8)
    margins = rng.uniform(0.01, 1, n * n).astype(np.float32)
    who, sure = winners(Layer(labels, margins), side)
    places = middles(-0.5, n - 0.5, side)
    for k, y in enumerate(places):
        for j, x in enumerate(places):
            possible, best = blend(labels.reshape(n, n), margins.reshape(n, n), x, y)
            assert who[k, j] in possible
            assert sure[k, j] == pytest.approx(best, abs=1e-5)


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 10_000))
def test_a_border_has_its_own_label_on_one_side(n, n_labels, seed):
    labels = np.random.default_rng(seed).integers(0, n_labels, n * n).astype(np.uint8)
    layer = Layer(labels, None)
    who, _ = winners(layer, 25)
    for label, field in zip(np.unique(labels)[:-1].tolist(), borders(layer, 25), strict=True):
        assert (who[field > 1e-5] == label).all() and (who[field < -1e-5] != label).all()


def test_without_any_margin_neighbours_share_the_way_between_them():
    regions, _ = made()
    still = replace(regions, confidence=np.zeros_like(regions.confidence))
    who, _ = winners(decided(still, 0), 100)
    assert (who[:, :50] == 0).all() and (who[:, 50:] == 1).all()


def test_the_bits_of_a_machine_are_its_two_sides():
    regions, _ = made()
    assert np.array_equal(said_by(regions, 0).labels, regions.labels[0])


# Pictures --------------------------------------------------------------------------------------------


def test_the_regions_of_a_decoder_have_their_colours_where_they_are():
    picture = pixels(drawn(Look(1)))
    left, right, top = (np.abs(picture - rgb(surest(c))).max(axis=2) <= 2 for c in range(3))
    assert left.mean() > 0.1 and right.mean() > 0.1 and top.mean() > 0.2
    assert np.argwhere(left)[:, 1].max() < np.argwhere(right)[:, 1].min()
    assert np.argwhere(top)[:, 0].max() < np.argwhere(left)[:, 0].min()  # rows of cells run upwards


def test_a_plane_is_square_for_a_column_and_for_a_page():
    for width in (8.5, 17.0):
        (clip,) = {
            (rect.get("width"), rect.get("height"))
            for rect in parsed(print_figure(drawn(Look(0), width), "svg", width)).iter(f"{SVG}rect")
            if float(rect.get("width")) > 100
        }
        assert float(clip[0]) == pytest.approx(float(clip[1]), rel=0.01)
        assert float(clip[0]) > 0.7 * width / 2.54 * 72


def test_points_of_every_class_are_marks_and_not_pixels():
    root = parsed(print_figure(drawn(Look(0)), "svg", 8.5))
    assert len(list(root.iter(f"{SVG}image"))) == 1
    marks = [part for part in root.iter() if class_colour(1) in part.get("style", "")]
    assert len(marks) > 6  # the points of a class, and its place in the legend
    texts = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    for word in ("A title", *NAMES, "length", "width", "test point", "training point", "misclassified"):
        assert word in texts


def test_what_decoders_disagree_on_is_striped_and_the_rest_is_pale():
    picture = pixels(drawn(Look(0, differences=True)))
    pale = [mixed(LIGHT.surface, class_colour(c), 0.08) for c in range(2)]
    strong = [mixed(LIGHT.surface, class_colour(c), 0.62) for c in range(2)]
    dark = [mixed(colour, LIGHT.ink, 0.28) for colour in strong]
    for colours in (pale, strong, dark):
        assert all(share(picture, colour) > 0.03 for colour in colours)


def test_the_sides_of_a_machine_and_an_undecided_plane_name_what_they_show():
    sides = print_figure(drawn(Look(0, bit=0)), "svg", 8.5).decode()
    assert "machine 1 says +" in sides and "misclassified" not in sides
    bare = print_figure(drawn(Look(undecided=True)), "svg", 8.5).decode()
    assert "<image" not in bare and "misclassified" not in bare and "left" in bare


def test_the_picked_place_is_ringed():
    without, ringed = (pixels(drawn(Look(0, picked=place))) for place in (None, (0.5, 2.0)))
    assert share(ringed, LIGHT.accent) > share(without, LIGHT.accent)


def test_small_pictures_stand_in_rows_with_their_titles_and_where_they_disagree():
    regions, points = made(confidence=False)
    tiles = [(title, "3 of 12 wrong") for title in TITLES]
    figure = planes_figure(regions, points, tiles, classes=NAMES, own=1, width=8.5, theme=LIGHT)
    root = parsed(print_figure(figure, "svg", 8.5))
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert {*TITLES, "50.0 % of the plane", "Where they disagree"} <= set(texts)
    assert len(list(root.iter(f"{SVG}image"))) == 3
    assert share(pixels(figure), LIGHT.dim) > 0.05  # half of a third of the picture
    one = replace(regions, decodings=regions.decodings[:1], labels=regions.labels[:1])
    alone = planes_figure(one, points, tiles[:1], classes=NAMES, own=0, width=8.5, theme=LIGHT)
    assert b"disagree" not in print_figure(alone, "svg", 8.5)


def test_what_is_left_undecided_is_hatched_and_told():
    regions, points = made()
    cells = np.arange(regions.n**2) < regions.n**2 // 2  # the lower half
    regions = replace(regions, undecided=np.packbits([cells, ~cells], axis=1))
    points = replace(points, undecided=np.array([points.truth == 0, points.truth == 1]))
    figure = plane_figure(regions, points, Look(1), classes=NAMES, title="", width=8.5, theme=LIGHT)
    assert "hatched: not decided" in print_figure(figure, "svg", 8.5).decode()
    picture = pixels(figure)
    assert share(picture, surest(2)) < 0.01 < share(picture, surest(0))
    ink = np.rint(0.55 * np.array(rgb(LIGHT.ink)) + 0.45 * (0.3 * np.array(rgb(surest(2))) + 0.7 * 255))
    assert (np.abs(picture - ink).max(axis=2) <= 2).mean() > 0.02
    table = points_table(points, regions.plane, TITLES, NAMES)
    assert (table["Hamming"] == "(not decided)").tolist() == (points.truth == 0).tolist()
    grid = cells_table(regions, TITLES, NAMES)
    assert (grid["Hamming"] == "(not decided)").tolist() == cells.tolist()
    assert set(grid["Linear"]) == {"(not decided)", *NAMES[:2]}


def test_points_are_a_table_with_what_everybody_decides():
    regions, points = made()
    table = points_table(points, regions.plane, TITLES, NAMES)
    assert list(table.columns) == ["length", "width", "class", "part", *TITLES]
    assert table["class"].tolist() == [NAMES[c] for c in points.truth]
    assert (table["Linear"] == "=top").sum() == (points.labels[1] == 2).sum() > 0
    assert table["part"].tolist() == ["test" if test else "train" for test in points.is_test]
