"""What every picture of curves shares."""

from curves_tools import GRID, curve

from ecocviz.data.writers import write_csv
from ecocviz.views.shared.draw.curves import curves_table, power_text


def test_the_tables_hold_every_number():
    frame = curves_table(
        [curve("test", (9, None, 6, 8)), curve("bound", (20, 19, 25, 30), status="theorem")], "gamma"
    )
    assert frame["gamma"].tolist() == [0.25, 1.0, 2.0, *GRID]
    assert frame["errors"].tolist() == [9, 6, 8, 20, 19, 25, 30]
    assert set(frame["status"]) == {"", "theorem"}
    assert write_csv(frame).count("\r\n") == 8


def test_words_for_powers():
    assert [power_text(v) for v in (2.0**-5, 0.5, 1.0, 2.0, 32.0, 0.3)] == [
        "2⁻⁵",
        "2⁻¹",
        "1",
        "2",
        "2⁵",
        "0.3",
    ]
