"""Trellis codes: what is measured, and what is made of it."""

import numpy as np
import pytest
from evidence_tools import by_hand, exhibits_of, judge_of, measure_quick
from threadpoolctl import threadpool_info, threadpool_limits

from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.engine.trellis import trellis
from ecocviz.lab.evidence.entries import Cell, Measured, Setting
from ecocviz.lab.papers.evron_2018 import study as measuring
from ecocviz.lab.papers.evron_2018.study import ERRORS, TIMES, measure_time
from ecocviz.lab.run import run

EXHIBITS = exhibits_of("evron-2018")
word = judge_of("evron-2018")


@pytest.fixture(scope="module")
def errors():
    return measure_quick(ERRORS, "vowel/linear/0", "vowel/rbf/0")


def sized(*records):
    """Records of one width and growing numbers of classes: (machines, same, path, all)."""
    cells = [Cell(f"{k}", {"classes": 100 * 10**k, "width": 2}) for k in range(len(records))]
    names = ("machines", "same", "path", "all")
    return by_hand(cells, lambda cell: {"of": 10, **dict(zip(names, records[int(cell.key)], strict=True))})


def test_a_size_is_decoded_in_both_ways_with_the_same_answer():
    (one,) = measure_quick(TIMES, "100/2")
    graph, record = trellis(100, 2), one.record
    assert record["machines"] == graph.n_edges - graph.shared.sum()
    assert record["same"] == record["of"] == 200
    assert record["path"] > 0 and record["all"] > 0
    panels, _ = EXHIBITS["decoding-time"].draw([one])
    assert panels.panels[0].lines[0].points[0].y == record["path"]


def test_times_are_those_of_one_thread(monkeypatch):
    seen = set()

    def loss(scores):
        seen.update(about["num_threads"] for about in threadpool_info() if about["user_api"] == "blas")
        return np.exp(-scores)

    monkeypatch.setattr(measuring, "exponential_loss", loss)
    monkeypatch.setattr(measuring, "REPEATS", 1)
    with threadpool_limits(3, user_api="blas"):
        measure_time(TIMES.cells(Setting.QUICK)[0], NO_PROGRESS)
        outside = {about["num_threads"] for about in threadpool_info() if about["user_api"] == "blas"}
    assert 1 in seen and outside == {3}


def test_times_are_judged_by_answers_speed_and_growth():
    good, exhibit = sized((20, 10, 1.0, 5.0), (40, 10, 2.0, 50.0)), EXHIBITS["decoding-time"]
    assert word("decoding-time", good) == "agrees"
    assert "25 times as long" in exhibit.why(good)
    assert exhibit.why([]) == EXHIBITS["width"].why([]) == ""
    # Each with one wrong answer, slower or steeper.
    for k, last in enumerate(((40, 9, 2.0, 50.0), (40, 10, 2.0, 1.0), (40, 10, 4.1, 50.0))):
        held = [statement.holds for statement in exhibit.judge(sized((20, 10, 1.0, 5.0), last))]
        assert held == [other != k for other in range(3)]


def test_a_point_opens_the_scenario_whose_errors_it_shows(errors):
    panels, _ = EXHIBITS["width"].draw(errors)
    record = errors[1].record  # rbf
    line = panels.panels[1].lines[0]
    assert [point.x for point in line.points] == [2, 3, 4]
    point = line.points[1]
    assert run(point.opens.scenario).test.n_wrong == record["widths"]["3"]["wrong"]["exponential"]
    assert point.note == f"{record['widths']['3']['machines']} machines"
    assert record["widths"]["0"]["machines"] == 11


def planted(errors, wrong):
    """The records with other numbers of wrong points: wrong(width, decoder)."""
    found = []
    for one in errors:
        widths = {
            width: {**what, "wrong": {key: wrong(int(width), key) for key in what["wrong"]}}
            for width, what in one.record["widths"].items()
        }
        found.append(Measured(one.cell, {**one.record, "widths": widths}))
    return found


def test_errors_are_judged_by_width_and_by_loss(errors):
    worth = {"exponential": 0, "linear": 1, "hamming": 2}
    assert word("width", planted(errors, lambda w, key: 10 - w + worth[key])) == "agrees"
    assert word("width", planted(errors, lambda w, key: 10 + w - worth[key])) == "differs"
    assert word("width", planted(errors, lambda *_: 10)) == "partly"
    assert "one-vs-all" in EXHIBITS["width"].why(errors)
