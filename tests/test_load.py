"""The load benchmark: recorded lessons, who goes through them, the table; and its quick form, in full."""

import asyncio
import itertools
import json
from pathlib import Path

import pytest
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load import document, recordings
from benchmarks.load.__main__ import FORMS
from benchmarks.load.measures import Log, quantile
from benchmarks.load.recordings import MisfitError, Recording, Step
from benchmarks.load.report import ROWS, complete, table
from benchmarks.load.scenes import Plan
from benchmarks.load.screen import Node
from benchmarks.load.visitor import Class, Visitor, state_of

# Recordings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", [*recordings.lessons(), recordings.together()], ids=lambda one: one.name)
def test_recordings_are_complete(lesson, tmp_path):
    assert len(lesson.steps) >= 4
    assert all(bool(step.page) != bool(step.key) for step in lesson.steps)
    assert all(0 < step.pause < 15 for step in lesson.steps)
    assert lesson.steps[-1].key == "reset"
    lesson.write(tmp_path)
    assert recordings.read(tmp_path / f"{lesson.name}.jsonl") == lesson


def test_about_a_third_of_what_is_done_is_new():
    steps = [step for lesson in recordings.lessons() for step in lesson.steps]
    assert 0.28 < sum(step.of_ones_own for step in steps) / len(steps) < 0.38


def test_seeds_and_numbers_are_ones_own_and_components_keep_what_they_said_before():
    numbers = itertools.count(7)

    def number(_of):
        return next(numbers)

    node = Node(BidiComponent(id="k"), "run", "part", "page")
    before = WidgetState(id="k", json_value='{"decoder":"linear","pick":{"n":1}}')
    step = Step(1, key="k", says={"json_value": {"pick": {"point": 3, "n": 1}}})
    told = state_of(node, step, before, number)
    assert json.loads(told.json_value) == {"decoder": "linear", "pick": {"point": 3, "n": 7}}
    seed = state_of(node, Step(1, key="seed", says={"int_value": "12"}), None, number)
    assert seed.int_value == 8
    back = state_of(node, Step(1, key="seed", says={"int_value": "0"}), None, number)
    assert back.int_value == 0


def test_a_recording_that_does_not_fit_says_so_in_a_sentence(monkeypatch):
    monkeypatch.setattr("benchmarks.load.visitor.APPEARS_SECONDS", 0.0)
    visitor = Visitor("v", recordings.together(), Class("http://here", Log(), recordings.together()))
    told = r"^The recording 'old' no longer fits the app: there is no widget 'gone' on page /; make it anew"
    with pytest.raises(MisfitError, match=told):
        asyncio.run(visitor.do(Step(1, key="gone", says={"bool_value": True}), "old"))
    with pytest.raises(MisfitError, match="there is no page '/gone'"):
        asyncio.run(visitor.do(Step(1, page="/gone"), "old"))


def test_the_bell_is_heard_once_each_time_it_rings():
    nothing = Recording("n", "", ())
    visitor = Visitor("v", nothing, Class("http://here", Log(), nothing, bell=[0.0, 1.0]))
    heard = [asyncio.run(visitor._think(until)) for until in (0.5, 2.0, 3.0)]
    assert heard == [True, False, False]  # both bells rang long ago: one reaction


# The table -------------------------------------------------------------------------------------------


def test_quantiles_are_measured_values():
    assert [quantile([5.0, 1.0, 2.0, 4.0, 3.0], share) for share in (0.0, 0.2, 0.5, 0.95)] == [1, 1, 3, 5]


def test_a_row_says_what_was_wanted_and_whether_it_was_met():
    log = Log()
    for seconds in (0.1, 0.15, 0.25):
        log.took("cached change", seconds)
    log.wrong("Something.")
    heap = {
        when: {"heap_bytes": size, "machines_bytes": 0, "views_bytes": 0, "results_bytes": 0}
        for when, size in MEMORY.items()
    }
    costs = {
        "server_cpu_share": 0.5,
        "load_generator_cpu_share": 0.25,
        "others_cpu_share": 0.0,
        "rss_peak_bytes": 2**30,
    }
    found = {"latency": log.told(), "errors": dict(log.errors), "gave_up": 0, "costs": costs, "memory": heap}
    whole = complete("class", found, Plan(Path("/somewhere")), "a command", 0.0)
    rows = {row["what"]: row for row in whole["rows"]}
    assert rows["cached change, p95"] | {"unit": ""} == {
        "what": "cached change, p95",
        "unit": "",
        "wanted": 200,
        "measured": 250.0,
        "met": False,
    }
    assert rows["errors"]["met"] is False
    assert rows["visitors who gave up"]["met"] is True
    assert rows["first page, p95"]["met"] is None
    assert rows["growth of the heap, after all have left"]["measured"] == 10.0
    assert "checkout" not in whole["settings"]
    written = table(json.loads(json.dumps(whole)))
    assert "| cached change, p95 | ≤ 200 ms | 250 ms | **no** |" in written
    assert "| first page, p95 | ≤ 300 ms | not measured |  |" in written


MEMORY = {"start": 100, "end": 110}


def test_every_form_has_a_table():
    assert set(FORMS) == set(ROWS)


def test_the_document_has_the_tables_of_what_was_measured():
    text = document.DOCUMENT.read_text(encoding="utf-8")
    assert document.with_tables(text, document.measurements()) == text


def test_tables_are_put_between_the_marks(tmp_path):
    settings = {"sessions": 60, "arrive_seconds": 20.0, "tabs": 3, "seconds": 600.0}
    row = {"what": "errors", "unit": "", "wanted": 0, "measured": 0.0, "met": True}
    told = {"form": "class", "command": "c", "machine": "m", "load_before": 0.5, "settings": settings}
    (tmp_path / "class.json").write_text(json.dumps(told | {"rows": [row]}))
    found = document.measurements(tmp_path)
    written = document.with_tables(f"a\n{document.BEGIN}old{document.END}\nb", found)
    assert written.startswith(f"a\n{document.BEGIN}\n\n### class\n\n`c`\n\nclass: 60 sessions within 20 s")
    assert "| errors | ≤ 0 | 0 | yes |" in written
    assert written.endswith(f"{document.END}\nb")
    with pytest.raises(ValueError, match="no place"):
        document.with_tables("nothing", found)


# Everything ------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor times of Linux")
def test_twenty_browsers_for_half_a_minute():
    play, plan = FORMS["quick"]
    found = play(plan)
    assert found["errors"] == {}
    assert found["gave_up"] == 0
    assert found["latency"]["cached change"]["n"] >= 20
    assert found["latency"]["new training"]["n"] >= 5
    rows = [wanted.row(found) for wanted in ROWS["quick"]]
    assert [row for row in rows if row["met"] is False] == []
