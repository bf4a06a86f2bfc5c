"""Where the regions lie on the screen and which pixel has which colour, run by node, against slow loops."""

import numpy as np
import pytest

from ecocviz.views.shared.draw.theme import LIGHT, THEMES, class_colour, mixed, palette

HOME = [-1.0, 3.0, 10.0, 12.0]
BOX = {"x": 40, "y": 0, "w": 200, "h": 100}

MOVED = """
const camera = new logic.Camera();
camera.settle(given.home); camera.fit(given.box); camera.reset();
for (const [what, ...how] of given.moves) camera[what](...how);
const [px, py] = given.at || [0, 0];
return {
  view: camera.view, zoomed: camera.zoomed, place: camera.place(px, py), holds: camera.holds(px, py),
  back: [camera.px(camera.place(px, py)[0]), camera.py(camera.place(px, py)[1])],
};
"""

PAINTED = """
const {labels, margins, nx, size, view, home, hexes, colours, mask} = given;
const across = logic.neighbours(size, nx, view[0], view[1], home[0], home[1]);
const down = logic.neighbours(size, nx, view[3], view[2], home[2], home[3]);
const {who, sure} = logic.blended({labels, margins}, nx, across, down), out = new Uint32Array(size * size);
if (mask) logic.stripe(out, who, {mask, nx, across, down}, hexes, colours, 1);
else logic.shade(out, who, margins ? sure : null, logic.tones(hexes, colours));
const bare = Array.from(out);
logic.border(out, who, size, colours.ink, false);
const hex = (v) => "#" + [0, 8, 16].map((k) => ((v >> k) & 255).toString(16).padStart(2, "0")).join("");
return {who: Array.from(who), bare: bare.map(hex), drawn: Array.from(out, hex)};
"""


@pytest.fixture(scope="module")
def camera(node_on):
    node = node_on("region_camera.js")

    def look(*moves, at=None):
        return node(MOVED, {"home": HOME, "box": BOX, "moves": moves, "at": at})

    return look


@pytest.fixture(scope="module")
def painted(node_on):
    node = node_on("region_raster.js")

    def paint(labels, *, size, margins=None, view=HOME, mask=None, theme="light"):
        n = int(max(labels)) + 1
        given = {
            "labels": labels, "margins": margins, "nx": int(np.sqrt(len(labels))), "mask": mask,
            "size": size, "home": HOME, "view": view,
            "hexes": [class_colour(c) for c in range(n)], "colours": palette()[theme],
        }  # fmt: skip
        return node(PAINTED, given)

    return paint


def test_corners_of_the_box_are_corners_of_the_plane(camera):
    assert camera(at=[40, 100])["place"] == [-1, 10] and camera(at=[240, 0])["place"] == [3, 12]
    assert [camera(at=at)["holds"] for at in ([40, 0], [39, 50], [241, 50], [140, 101])] == [True] + 3 * [
        False
    ]


@pytest.mark.parametrize("at", [[40, 0], [100, 30], [240, 100]])
def test_zooming_leaves_the_place_under_the_pointer_where_it_is(camera, at):
    place = camera(at=at)["place"]
    near = camera(["zoom", 0.25, place], at=at)
    np.testing.assert_allclose(near["place"], place)
    np.testing.assert_allclose(near["back"], at)
    low, high, bottom, top = near["view"]
    assert (high - low, top - bottom) == pytest.approx((1, 0.5))
    assert near["zoomed"]


def test_the_view_never_leaves_the_plane_nor_comes_closer_than_sixty_times(camera):
    assert camera(["zoom", 0.5], ["zoom", 40])["view"] == HOME
    low, high, *_ = camera(["zoom", 1e-6])["view"]
    assert high - low == pytest.approx(4 / 60)
    assert camera(["pan", 500, 500])["view"] == HOME  # everything is shown already
    low, high, bottom, top = camera(["zoom", 0.5], ["pan", 1e6, 1e6])["view"]
    assert (low, top) == (-1, 12) and (high, bottom) == (1, 11)


def test_dragging_moves_the_plane_with_the_pointer(camera):
    before = camera(["zoom", 0.5], at=[100, 40])
    after = camera(["zoom", 0.5], ["pan", 30, -10], at=[130, 30])
    np.testing.assert_allclose(after["place"], before["place"])
    assert not camera(["zoom", 0.5], ["reset"])["zoomed"]


def test_pixels_show_the_nearest_cell_where_all_are_equally_sure(painted):
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 3, 16).tolist()
    size = 40
    found = painted(labels, size=size)
    grid = np.reshape(labels, (4, 4))[::-1]  # the first row of cells is the lowest
    expected = np.kron(grid, np.ones((10, 10), dtype=int))
    told = np.reshape(found["who"], (size, size))
    # Away from the edges between cells, where several are mixed.
    middle = np.zeros((10, 10), dtype=bool)
    middle[4:6, 4:6] = True
    inside = np.tile(middle, (4, 4))
    assert (told[inside] == expected[inside]).all()


@pytest.mark.parametrize("theme", THEMES)
def test_the_surer_the_stronger(painted, theme):
    colours = THEMES[theme]
    sure = painted([0] * 4, size=4, margins=[1.0] * 4, theme=theme)["bare"]
    doubtful = painted([0] * 4, size=4, margins=[0.0] * 4, theme=theme)["bare"]
    assert set(sure) == {mixed(colours.surface, class_colour(0), colours.region)}
    assert set(doubtful) == {mixed(colours.surface, class_colour(0), 0.4 * colours.region)}


def test_lines_stand_between_classes_and_nowhere_else(painted):
    size = 12
    found = painted([0, 1, 0, 1], size=size)
    who, bare, drawn = (np.reshape(found[name], (size, size)) for name in ("who", "bare", "drawn"))
    edge = np.zeros((size, size), dtype=bool)
    for y in range(size):
        for x in range(size):
            edge[y, x] = (x + 1 < size and who[y, x + 1] != who[y, x]) or (
                y + 1 < size and who[y + 1, x] != who[y, x]
            )
    assert ((bare != drawn) == edge).all() and edge.sum() == size
    for before, after in zip(bare[edge], drawn[edge], strict=True):
        expected = mixed(before, LIGHT.ink, 0.5)
        assert all(abs(int(after[k : k + 2], 16) - int(expected[k : k + 2], 16)) <= 1 for k in (1, 3, 5))


def test_stripes_stand_where_decoders_differ(painted):
    size = 24
    found = painted([0, 0, 0, 0], size=size, mask=[1, 0, 0, 0])["bare"]
    colours = np.reshape(found, (size, size))
    low_left, others = colours[size // 2 :, : size // 2], colours[: size // 2]
    assert len(set(low_left.ravel())) == 2
    assert set(others.ravel()) == {mixed(LIGHT.surface, class_colour(0), 0.08)}
    assert not set(low_left.ravel()) & set(others.ravel())


def test_a_view_of_a_quarter_shows_that_quarter(painted):
    labels = [0, 1, 2, 3]  # low left, low right, top left, top right
    quarters = {0: [-1, 1, 10, 11], 1: [1, 3, 10, 11], 2: [-1, 1, 11, 12], 3: [1, 3, 11, 12]}
    for c, view in quarters.items():
        who = np.reshape(painted(labels, size=9, view=view)["who"], (9, 9))
        assert who[4, 4] == c
