"""How a learned code was found: trees, lines, the matrix behind a step."""

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.engine.entries import Design, Step
from ecocviz.views.code_matrix.facts import line_steps, shown_step
from ecocviz.views.code_matrix.figures_story import (
    confusion_driver_figure,
    line_figure,
    story_table,
    tree_figure,
    tree_layout,
)
from ecocviz.views.code_matrix.words import story_sentence
from ecocviz.views.shared.draw import theme

NAMES = ("a", "<b>", "c", "d")
CODE = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=np.int8)
TREE = Design(
    code_matrix=CODE,
    kind="tree",
    value_name="Information",
    story=(
        Step(plus=(0, 1), minus=(2, 3), value=0.9, label="Split 4 classes", bits=1),
        Step(plus=(0,), minus=(1,), value=0.5, label="Split 2 classes", parent=0, bits=2),
        Step(plus=(2,), minus=(3,), value=0.4, label="Split 2 classes", parent=0, bits=3),
        Step(plus=(0,), minus=(1, 2, 3), value=0.3, label="Split 4 classes", bits=4),
    ),
)
PATH = Design(
    code_matrix=CODE,
    kind="path",
    value_name="Held-out accuracy",
    story=(
        Step(value=0.7, label="The whole code", bits=4),
        Step(value=0.8, label="Removed machine 2", bits=3),
        Step(value=0.75, label="Removed machine 1", bits=2),
    ),
)
ADDED = Design(
    code_matrix=CODE,
    kind="additions",
    value_name="Error",
    story=(
        Step(value=0.3, label="Start: tree", bits=1),
        Step(plus=(0,), minus=(1,), value=0.2, label="For 1 and 2", bits=2, table=np.full((4, 4), 0.1)),
        Step(label="Left out 1 repeated columns", bits=2),
    ),
)


@pytest.fixture(params=[theme.LIGHT, theme.DARK], ids=["light", "dark"])
def colours(request):
    return request.param


def test_parents_stand_above_the_middle_of_their_children_and_trees_beside_each_other():
    places = tree_layout(TREE.story)
    assert places[:, 1].tolist() == [0, 1, 1, 0]
    assert places[0, 0] == (places[1, 0] + places[2, 0]) / 2
    assert places[3, 0] > places[2, 0] > places[1, 0]
    leaves = [places[k, 0] for k in (1, 2, 3)]
    assert len(set(leaves)) == 3


def test_every_split_is_a_node_that_says_its_sides(colours):
    figure = tree_figure(TREE, NAMES, colours)
    lines, nodes = figure.data
    assert len(go.Figure(figure.to_dict()).layout.annotations) == 4  # plotly accepts every value
    assert len(nodes.x) == 4 and sum(x is None for x in lines.x) == 2
    texts = [annotation.text for annotation in figure.layout.annotations]
    assert "+ a, &#60;b&#62;" in texts[0] and "c, d" in texts[0]
    assert "0.9" in nodes.text[0] and "<b>" not in nodes.text[0]
    wide = Design(
        code_matrix=CODE, kind="tree", story=tuple(Step(plus=(0,), minus=(1,), value=1.0) for _ in range(30))
    )
    assert not tree_figure(wide, NAMES, colours).layout.annotations


def test_a_path_runs_over_numbers_of_machines_and_marks_what_was_kept(colours):
    figure = line_figure(PATH, 0, colours)
    (line,) = figure.data
    assert len(go.Figure(figure.to_dict()).layout.shapes) == 1  # plotly accepts every value
    assert list(line.x) == [4, 3, 2] and list(line.y) == [0.7, 0.8, 0.75]
    assert figure.layout.shapes[0].x0 == 2
    assert (
        story_sentence(PATH, NAMES) == "Of 4 machines, 2 are kept; held-out accuracy goes from 0.7 to 0.75."
    )


def test_additions_leave_out_repairs_and_enlarge_the_picked_step(colours):
    assert line_steps(ADDED) == [0, 1]
    assert [shown_step(ADDED, picked) for picked in (-1, 0, 1, 2, 99)] == [1, 0, 1, 1, 1]
    assert shown_step(PATH, -1) == 2  # no step has sides or a matrix: the last one
    figure = line_figure(ADDED, 1, colours)
    (line,) = figure.data
    assert not go.Figure(figure.to_dict()).layout.shapes  # plotly accepts every value
    assert list(line.y) == [0.3, 0.2] and line.marker.size[1] > line.marker.size[0]
    assert story_sentence(ADDED, NAMES) == "Error goes from 0.3 to 0.2 in 1 step; the code has 2 machines."


def test_the_confusions_behind_a_column_colour_its_sides(colours):
    step = ADDED.story[1]
    figure = confusion_driver_figure(step, NAMES, colours)
    assert np.allclose(np.array(figure.data[0].z), 0.1)
    ticks = figure.layout.yaxis.ticktext
    assert colours.positive in ticks[0] and colours.negative in ticks[1] and colours.dim in ticks[2]
    assert "<b>" not in ticks[1]
    # The code of a round is another shape, with both poles.
    other = confusion_driver_figure(Step(table=CODE.astype(float)), NAMES, colours)
    assert len(go.Figure(figure.to_dict()).data) == len(go.Figure(other.to_dict()).data) == 1
    assert other.data[0].zmin == -1 and other.layout.xaxis.title.text == "machine"


def test_the_table_has_a_line_a_step():
    table = story_table(TREE, NAMES)
    assert table["machines"].tolist() == [1, 2, 3, 4]
    assert table["+ side"][0] == "a, <b>" and table["refines step"].tolist()[1:3] == [1, 1]
    assert story_sentence(TREE, NAMES) == "4 splits in 2 trees; the first puts a, <b> against c, d."
