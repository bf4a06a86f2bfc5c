"""A code matrix for print: its signs, its classes, what the picked point makes of it, and its table."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from print_tools import SVG, parsed

from ecocviz.views.shared.draw.code_picture import Marks, Rows, code_figure, code_table
from ecocviz.views.shared.draw.print import print_figure
from ecocviz.views.shared.draw.theme import LIGHT, class_colour
from ecocviz.views.shared.draw.words import MINUS

CODE = np.array([[1, -1, 0], [-1, 1, 1]], np.int8)
ROWS = Rows((0, 4), ("A", "<i>"), {}, {})


def texts(figure, width=8.5):
    return ["".join(t.itertext()) for t in parsed(print_figure(figure, "svg", width)).iter(f"{SVG}text")]


def test_signs_names_and_symbols_are_drawn():
    figure = code_figure(CODE, ROWS, None, title="Code <matrix>", width=8.5, theme=LIGHT)
    found = texts(figure)
    assert found.count("+") == 3 and found.count(MINUS) == 2 and found.count("0") == 1
    assert {"A", "<i>", "Code <matrix>", "column", "1", "2", "3"} <= set(found)
    assert class_colour(4) in print_figure(figure, "svg", 8.5).decode()


def test_a_picked_point_marks_what_agrees_and_the_winner():
    marks = Marks((1, 1, 1), ("2.00", "1.00"), 1, "Hamming")
    figure = code_figure(CODE, ROWS, marks, title="", width=8.5, theme=LIGHT)
    assert (
        len(figure.layout.shapes) == 3
    )  # one entry of the first row agrees, two of the second; 0 asks nothing
    assert {"2.00", "1.00, wins", "Hamming cost"} <= set(texts(figure))


def test_faults_are_marked_in_heads():
    rows = Rows((0, 4), ("A", "B"), {1: "twin"}, {2: "constant"})
    figure = code_figure(CODE, rows, None, title="", width=8.5, theme=LIGHT)
    assert LIGHT.wrong in figure.layout.xaxis.ticktext[2] and LIGHT.wrong in figure.layout.yaxis.ticktext[1]
    assert LIGHT.wrong not in figure.layout.xaxis.ticktext[1]


@given(st.integers(2, 26), st.integers(1, 400))
def test_any_size_has_a_figure_whose_heads_fit(n_classes, n_bits):
    code = np.random.default_rng(n_bits).integers(-1, 2, (n_classes, n_bits))
    rows = Rows(tuple(range(n_classes)), tuple(f"class {c}" for c in range(n_classes)), {}, {})
    figure = code_figure(code, rows, None, title="", width=17.0, theme=LIGHT)
    assert len(figure.layout.xaxis.ticktext) <= 60
    assert (figure.data[0]["text"] is None) == (n_bits > 53)


def test_the_table_has_the_entries_themselves():
    table = code_table(CODE, ROWS)
    assert table["class"].tolist() == ["A", "<i>"]
    assert np.array_equal(table.drop(columns="class").to_numpy(int), CODE)
