"""What widgets are made of; that every parameter gets one is tested with the pages."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.params import ChoiceParam, FloatParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.choices import why_not_options
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.shared.app.components.code_grid import read_rows, write_rows
from ecocviz.views.shared.app.numbers import log_stops, stop_texts
from ecocviz.views.shared.app.sidebar import GROUPS
from ecocviz.views.shared.app.summaries import summary
from ecocviz.views.shared.app.widgets import middle, nice_step
from ecocviz.views.shared.draw.settings import text_of

FLOATS = [
    param
    for entries in SLOTS.values()
    for entry in entries.values()
    for param in entry.params
    if isinstance(param, FloatParam)
]


@pytest.mark.parametrize("param", FLOATS, ids=lambda param: param.name)
def test_every_number_has_a_legal_slider(param):
    start = param.default if isinstance(param.default, float) else middle(param)
    assert param.check(start) == start
    if param.log:
        stops = log_stops(param.low, param.high, start)
        assert stops == sorted(set(stops)) and start in stops
        assert all(param.check(stop) == stop for stop in stops)
        assert stops[0] == param.low and stops[-1] == param.high
        texts = list(stop_texts(stops).values())
        assert len(set(texts)) == len(stops) and not any("e" in text for text in texts)
        assert all(b <= 2.51 * a for a, b in pairwise(stops) if a > 0)
    else:
        assert 10 <= (param.high - param.low) / nice_step(param.high - param.low) <= 1000


@given(st.floats(1e-9, 1.0), st.floats(1.5, 1e9), st.floats(0, 1))
def test_log_stops_are_ordered_and_in_range(low, factor, share):
    high = low * factor
    value = min(high, max(low, low * factor**share))
    stops = log_stops(low, high, value)
    assert stops[0] == low and stops[-1] == high and value in stops
    assert all(a < b for a, b in pairwise(stops))


def test_values_are_told_as_a_person_reads_them():
    choice = ChoiceParam(name="k", label="K", default="rbf", options=(("rbf", "Gaussian"),))
    number = FloatParam(
        name="C", label="C", default="auto", low=0.1, high=10, words=(("auto", "from the data"),)
    )
    assert [text_of(choice, "rbf"), text_of(number, "auto"), text_of(number, 0.5)] == [
        "Gaussian",
        "from the data",
        "0.5",
    ]


def test_every_slot_is_in_one_group():
    assert sorted(slot for _, slots in GROUPS for slot in slots) == sorted(SLOTS)


@pytest.mark.parametrize("title", [title for title, _ in GROUPS])
def test_summaries_are_one_line(title):
    slots = dict(GROUPS)[title]
    scenario = make_scenario()
    for key in SLOTS[slots[0]]:
        line = summary(scenario.chosen(slots[0], key), slots)
        assert line and "\n" not in line


def test_no_entry_is_unavailable_beside_the_first_screen_that_is_on_it():
    scenario = make_scenario()
    for slot in SLOTS:
        assert getattr(scenario, slot).key not in why_not_options(scenario, slot)


@given(st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3), min_size=1, max_size=6))
def test_rows_of_signs_read_back(rows):
    assert read_rows(write_rows(np.array(rows, dtype=np.int8)), len(rows)).tolist() == rows


@pytest.mark.parametrize("text", ["", "+-", "+-\n+", "+x\n--", "+-\n+-\n--", "\n"])
def test_anything_else_is_one_sentence(text):
    with pytest.raises(ValueError, match=r"^[A-Z].*\.$"):
        read_rows(text, 2)
