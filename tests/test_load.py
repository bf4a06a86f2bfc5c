"""The load benchmark: recorded lessons, who goes through them, the table; and its quick form, in full."""

import asyncio
import itertools
import json
import re
from pathlib import Path

import pytest
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load import document, readers, recordings
from benchmarks.load.__main__ import FORMS
from benchmarks.load.kept_runs import SETS, fill
from benchmarks.load.measures import Log, quantile
from benchmarks.load.recordings import MisfitError, Recording, Step
from benchmarks.load.report import ROWS, complete, crowd, each, heading, table, times_alone
from benchmarks.load.scenes import Plan
from benchmarks.load.screen import Node
from benchmarks.load.visitor import FIRST_SEED, Class, Visitor, state_of
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.store import Store
from ecocviz.lab.store_file import NAME
from ecocviz.lab.to_keep import counted

# Recordings ------------------------------------------------------------------------------------------


EVIDENCE = [recordings.evidence(name) for name in ("papers", "runs")]
ALL = [*recordings.lessons(), *EVIDENCE, recordings.together()]


@pytest.mark.parametrize("lesson", ALL, ids=lambda one: one.name)
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


# Readers ---------------------------------------------------------------------------------------------


def test_readers_see_several_exhibits_and_look_for_compare_pin_and_open_runs():
    papers, runs = ([step.page or step.key.partition(".")[2] for step in one.steps] for one in EVIDENCE)
    assert papers[0] == "/papers" and sum(key.startswith("list.") for key in papers) >= 3
    assert any(re.fullmatch(r"[\w-]+\.[\w-]+\.\d+", key) for key in papers)  # a figure's point
    assert runs[0] == "/runs" and {"data", "find", "pin", "open"} <= set(runs)
    chosen = [json.loads(step.says["string_value"]) for step in EVIDENCE[1].steps if "table" in step.key]
    assert max(len(one["selection"]["rows"]) for one in chosen) == 3
    assert not any(step.of_ones_own for one in EVIDENCE for step in one.steps)


def test_a_store_is_filled_with_the_same_runs_each_time(tmp_path):
    found = []
    for k in range(2):
        fill(tmp_path / str(k), 120)
        store = Store(tmp_path / str(k) / NAME)
        runs = store.runs()
        found.append([(run.id, run.kind, run.title, run.data, store.points(run.id)) for run in runs])
        store.close()
    assert found[0] == found[1] and len(found[0]) == 120
    assert [kind for _, kind, *_ in found[0]].count("sweep") == 2
    assert {name for *_, data, _ in found[0] for name in data} == set(SETS)


def test_crowds_are_one_a_third_and_all():
    assert readers.sizes(Plan(Path(), 60)) == [1, 20, 60]
    assert readers.sizes(Plan(Path(), 2)) == [1, 2]


def test_seeds_of_visitors_own_are_found_in_the_store(tmp_path):
    store = Store(tmp_path / NAME)
    for seed in (5, FIRST_SEED, FIRST_SEED, FIRST_SEED + 1, readers.WARM_UP_SEEDS):
        for decoding in ("hamming", "linear"):
            store.keep(make_scenario(seed=seed, decoding=decoding), {"test": counted(1, 9)}, 0.1)
    store.close()
    assert readers._kept_seeds(tmp_path) == 2


def test_a_crowds_rows_are_those_of_its_size_beside_one_alone():
    crowds = {
        str(n): {"costs": {"server_cpu_ms_per_change": 10.0 * n}, "latency": {"cached change": {"p50_ms": n}}}
        for n in (1, 20)
    }
    memory = {"left": {"heap_bytes": 2_000_000}, "end": {"heap_bytes": 1_000_000}}
    found = {"crowds": crowds, "memory": memory, "sessions": 20}
    assert crowd(20, "latency", "cached change", "p50_ms")(found) == 20
    assert crowd(60, "latency", "cached change", "p50_ms")(found) is None
    assert times_alone(20, "costs", "server_cpu_ms_per_change")(found) == 20
    assert times_alone(60, "costs", "server_cpu_ms_per_change")(found) is None
    assert each("heap_bytes", 1000.0)(found) == 50
    assert each("blocks", 1000.0)(found) is None


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
    told |= {"date": "2026-11-19", "settings": settings | {"kept_runs": 2000}}
    assert heading(told | {"rows": []}) == (
        "class: 60 sessions within 20 s, 3 real tabs, 2,000 kept runs, 600 s; m, load before 0.5, 2026-11-19"
    )
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
