"""What every picture of curves shares."""

from curves_tools import GRID, curve, error_map

from ecocviz.data.writers import write_csv
from ecocviz.views.shared.draw.curves import MEASURES, curves_table, name_with_status, power_text


def test_the_tables_hold_every_number():
    frame = curves_table(
        [curve("test", (9, None, 6, 8)), curve("bound", (20, 19, 25, 30), status="theorem")], "gamma"
    )
    assert frame["gamma"].tolist() == [0.25, 1.0, 2.0, *GRID]
    assert frame["errors"].tolist() == [9, 6, 8, 20, 19, 25, 30]
    assert set(frame["status"]) == {"", "theorem"}
    assert write_csv(frame).count("\r\n") == 8


def test_tables_of_two_parameters_have_a_column_for_each():
    frame = curves_table([error_map("test", (9, None, 6, 8, 1, 2))], "gamma", "C")
    assert frame["gamma"].tolist() == [0.25, 1.0, 1.0, 4.0, 4.0]
    assert frame["C"].tolist() == [0.5, 0.5, 8.0, 0.5, 8.0]
    assert frame["errors"].tolist() == [9, 6, 8, 1, 2]


def test_what_a_bound_is_worth_stands_beside_its_name():
    assert name_with_status(curve("test", (1, 1, 1, 1)), MEASURES) == "Test error"
    bound = curve("bound", (1, 1, 1, 1), status="estimate")
    assert name_with_status(bound, MEASURES) == "Leave-one-out bound <i>estimate</i>"
    exact = curve("exact", (1, 1, 1, 1), status="exact")
    assert name_with_status(exact, MEASURES) == "Leave-one-out error"


def test_words_for_powers():
    assert [power_text(v) for v in (2.0**-5, 0.5, 1.0, 2.0, 32.0, 0.3)] == [
        "2⁻⁵",
        "2⁻¹",
        "1",
        "2",
        "2⁵",
        "0.3",
    ]
