"""Strokes, the rubber, undo and redo as the browser does them, run by node."""

import json
import math
from itertools import pairwise

import pytest

from ecocviz.views.playground.drawing import MAX_BRUSHES, MAX_DRAWN, read_points


@pytest.fixture(scope="module")
def node(node_on):
    return node_on("drawing_logic.js")


LIMITS = json.dumps({"points": MAX_DRAWN, "classes": MAX_BRUSHES})

SPRAY = """
const {way, spacing, radius} = given, random = logic.randomFrom(given.seed);
let left = 0, points = [];
for (let k = 1; k < way.length; k++) {
  const part = logic.sprayed(way[k - 1], way[k], 2, {spacing, radius, left, random});
  points = points.concat(part.points); left = part.left;
}
return points;
"""


def distance_to_way(x, y, way):
    """The least distance to any of very many places along the way."""
    least = math.inf
    for (x0, y0), (x1, y1) in pairwise(way):
        for k in range(2001):
            share = k / 2000
            least = min(least, math.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0)))
    return least


@pytest.mark.parametrize("seed", [1, 2])
def test_a_stroke_leaves_a_point_every_so_often_near_its_way(node, seed):
    way = [[0.2, 0.2], [0.5, 0.2], [0.5, 0.21], [0.5, 0.81]]
    given = {"seed": seed, "way": way, "spacing": 0.02, "radius": 0.05}
    points = node(SPRAY, given)
    assert len(points) == math.floor(0.91 / 0.02) + 1
    assert all(c == 2 and distance_to_way(x, y, way) <= 0.05 + 1e-4 for x, y, c in points)
    assert len({(x, y) for x, y, _ in points}) > 40
    assert node(SPRAY, given) == points
    assert node(SPRAY, {**given, "seed": 99}) != points


def test_how_a_stroke_is_cut_does_not_change_how_many_points_it_leaves(node):
    whole = {"seed": 1, "way": [[0.1, 0.5], [0.9, 0.5]], "spacing": 0.03, "radius": 0.0}
    pieces = {**whole, "way": [[0.1 + 0.8 * k / 50, 0.5] for k in range(51)]}
    assert [p[0] for p in node(SPRAY, whole)] == pytest.approx(
        [p[0] for p in node(SPRAY, pieces)], abs=1.1e-4
    )


def test_points_stay_on_the_sheet(node):
    points = node(SPRAY, {"seed": 4, "way": [[0, 0], [1, 1]], "spacing": 0.01, "radius": 0.2})
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y, _ in points)
    assert node("return logic.pointAt(1.7, -3, 1);", None) == [1, 0, 1]


def test_the_rubber_takes_what_it_passes_over(node):
    points = [[k / 20, j / 20, 0] for k in range(21) for j in range(21)]
    way = [[0.31, 0.42], [0.77, 0.13]]
    kept = node("return logic.erased(given.points, ...given.way, 0.11);", {"points": points, "way": way})
    assert kept == [p for p in points if distance_to_way(p[0], p[1], way) > 0.11]
    at = node("return logic.erased(given, [0.5, 0.5], [0.5, 0.5], 0.06);", points)
    assert len(at) == len(points) - 5


def test_undo_and_redo_walk_through_what_was_drawn(node):
    seen = node(
        """
        let h = logic.newHistory([]);
        const a = [[0.1, 0.1, 0]], b = [...a, [0.2, 0.2, 1]], c = [[0.3, 0.3, 2]];
        const seen = [];
        const look = () => seen.push([h.points.length, h.past.length, h.future.length]);
        h = logic.commit(h, a); h = logic.commit(h, b); look();
        h = logic.commit(h, [...h.points]); look();
        h = logic.undone(h); look(); h = logic.undone(h); look(); h = logic.undone(h); look();
        h = logic.redone(h); look(); h = logic.redone(h); h = logic.redone(h); look();
        h = logic.undone(h); h = logic.commit(h, c); look();
        h = logic.redone(h); seen.push(h.points);
        return seen;
        """,
        None,
    )
    assert seen[:7] == [[2, 2, 0], [2, 2, 0], [1, 1, 1], [0, 0, 2], [0, 0, 2], [1, 1, 1], [2, 2, 0]]
    assert seen[7] == [1, 2, 0] and seen[8] == [[0.3, 0.3, 2]]


def test_the_history_forgets_its_oldest_steps(node):
    told = node(
        """
        let h = logic.newHistory([]);
        for (let k = 0; k < 500; k++) h = logic.commit(h, [[k / 500, 0, 0]]);
        return [h.past.length, h.past[0][0][0]];
        """,
        None,
    )
    assert told == [200, pytest.approx(299 / 500)]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], "Nothing is drawn yet"),
        ([[0.1, 0.2, 3]], "Only class D has points, but two are needed"),
        ([[0.1, 0.2, 0], [0.1, 0.2, 1]], "All points lie in the same place"),
        ([[0.1, 0.2, 0], [0.1, 0.3, 1]], ""),
    ],
)
def test_what_cannot_be_trained_on_is_one_sentence(node, points, expected):
    said = node("return logic.obstacle(given);", points)
    assert said.startswith(expected) and bool(said) == bool(expected)
    assert "\n" not in said and said.count(". ") == 0


def test_unused_classes_are_closed_up_so_that_colours_stay(node):
    points = [[0.1, 0.2, 4], [0.3, 0.4, 1], [0.5, 0.6, 4]]
    closed = node("return logic.compacted(given);", points)
    assert [c for _, _, c in closed] == [1, 0, 1]
    assert node("return logic.compacted(given);", closed) == closed
    assert sorted(set(read_points({"points": closed})["class"])) == ["A", "B"]


def test_what_the_browser_kept_is_read_as_far_as_it_makes_sense(node):
    read = f"return logic.readDrawing(given, {LIMITS});"
    good = [[0.5, 0.5, 0], [1, 0, 9]]
    bad = [[0.5, 2, 0], [0.5, 0.5, 10], [0.5, 0.5, 0.5], [0.1], "x", None, [-1, 0, 0]]
    assert node(read, json.dumps([*good, *bad])) == good
    assert node(read, "{not json") == [] and node(read, '{"a": 1}') == []
    assert len(node(read, json.dumps(good * 3_000))) == MAX_DRAWN


def test_a_drawing_takes_as_many_points_as_python_says(node):
    assert node(f"return logic.added(given, given, {LIMITS}).length;", [[0, 0, 0]] * 1_500) == MAX_DRAWN
