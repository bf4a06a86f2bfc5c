"""How the benchmarks keep what they measured: topics one by one, the report, the figure."""

import json
from importlib import import_module
from xml.etree import ElementTree as ET

import pytest

from benchmarks import _growth_figure, run
from benchmarks._growth_figure import draw
from benchmarks.common import Table

TOPIC, OTHER = run.TOPICS[0], run.TOPICS[-1]


def results(*met):
    table = Table("Old", "Said.", [{"data": "a", "met": one} for one in met])
    return run.merge({"runs": {}, "tables": []}, OTHER, {"date": "one", "numpy": "2"}, [table])


@pytest.mark.parametrize("topic", run.TOPICS)
def test_every_topic_can_be_measured(topic):
    assert callable(import_module(f"benchmarks.{topic}").measure)


def test_a_topic_measured_again_replaces_its_tables_and_no_other():
    known = run.merge(results("yes"), TOPIC, {"date": "two", "numpy": "2"}, [Table("New", "", [])])
    again = run.merge(known, OTHER, {"date": "three", "numpy": "2"}, [Table("Newer", "", [])])
    assert [table["title"] for table in known["tables"]] == ["New", "Old"]  # in the order of the topics
    assert [table["title"] for table in again["tables"]] == ["New", "Newer"]
    assert again["runs"] == {TOPIC: {"date": "two", "numpy": "2"}, OTHER: {"date": "three", "numpy": "2"}}


def test_the_report_counts_targets_and_says_what_differs_between_runs():
    both = run.merge(results("yes", "no"), TOPIC, {"date": "two", "numpy": "2"}, [Table("New", "", [])])
    said = run.report(both)
    assert "Targets met: 1 of 2." in said
    assert "- numpy: 2" in said
    assert f"| {OTHER} | one |" in said
    assert f"| {TOPIC} | two |" in said


def test_the_report_is_what_the_results_say():
    stored = json.loads((run.HERE / "results.json").read_text())
    assert (run.HERE / "RESULTS.md").read_text() == run.report(stored)


def test_the_figure_has_a_line_for_each_kind_of_growth(tmp_path, monkeypatch):
    monkeypatch.setattr(_growth_figure, "HERE", tmp_path)
    rows = [
        {"varied": "rows", "data": "a & b", "rows": n, "classes": 2, "columns": 2, "s": f"{n / 1e5}"}
        for n in (500, 1000, 60_000)
    ]
    rows.append({"varied": "rows", "data": "c", "rows": 70_000, "classes": 2, "columns": 2, "s": "refused"})
    draw({"tables": [{"title": "Growth", "rows": rows}]})
    drawn = ET.fromstring((tmp_path / "growth.svg").read_text())  # noqa: S314 - written a line above
    name = "{http://www.w3.org/2000/svg}"
    (line,) = drawn.iter(f"{name}polyline")
    assert len(line.get("points").split()) == 3
    assert "a & b" in [text.text for text in drawn.iter(f"{name}text")]
