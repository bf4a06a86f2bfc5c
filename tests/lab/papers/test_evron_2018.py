"""Trellis codes: what is measured, and what is made of it."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.engine.trellis import trellis
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Panels, Table
from ecocviz.lab.evidence.entries import Cell, Measured, Setting, Word, word_of
from ecocviz.lab.papers.evron_2018 import study as measuring
from ecocviz.lab.papers.evron_2018.exhibits import (
    draw_errors,
    draw_times,
    grouped,
    judge_errors,
    judge_times,
    why_errors,
    why_times,
)
from ecocviz.lab.papers.evron_2018.study import ERRORS, TIMES, measure_error, measure_time
from ecocviz.lab.run import run


@pytest.fixture(scope="module")
def errors():
    cells = [cell for cell in ERRORS.cells(Setting.QUICK) if cell.key.startswith("vowel/")]
    return [Measured(cell, measure_error(cell, NO_PROGRESS)) for cell in cells]


def sized(*records):
    """Records of one width and growing numbers of classes: (machines, same, path, all)."""
    return [
        Measured(
            Cell(f"{100 * 10**k}/2", {"classes": 100 * 10**k, "width": 2}),
            {"machines": machines, "same": same, "of": 10, "path": path, "all": every},
        )
        for k, (machines, same, path, every) in enumerate(records)
    ]


def test_a_size_is_decoded_in_both_ways_with_the_same_answer():
    cell = TIMES.cells(Setting.QUICK)[0]
    record = measure_time(cell, NO_PROGRESS)
    graph = trellis(100, 2)
    assert record["machines"] == graph.n_edges - graph.shared.sum()
    assert record["same"] == record["of"] == 200
    assert record["path"] > 0 and record["all"] > 0
    measured = Measured(cell, record)
    panels, table = draw_times([measured])
    assert isinstance(panels, Panels) and isinstance(table, Table)
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
    good = sized((20, 10, 1.0, 5.0), (40, 10, 2.0, 50.0))
    assert word_of(judge_times(good)) is Word.AGREES
    assert "25 times as long" in why_times(good)
    assert why_times([]) == why_errors([]) == ""
    wrong, slow, steep = (
        sized((20, 10, 1.0, 5.0), last)
        for last in ((40, 9, 2.0, 50.0), (40, 10, 2.0, 1.0), (40, 10, 4.1, 50.0))
    )
    assert [[s.holds for s in judge_times(found)] for found in (wrong, slow, steep)] == [
        [False, True, True],
        [True, False, True],
        [True, True, False],
    ]


def test_a_point_opens_the_scenario_whose_errors_it_shows(errors):
    panels, _ = draw_errors(errors)
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
    assert word_of(judge_errors(planted(errors, lambda w, key: 10 - w + worth[key]))) is Word.AGREES
    assert word_of(judge_errors(planted(errors, lambda w, key: 10 + w - worth[key]))) is Word.DIFFERS
    assert word_of(judge_errors(planted(errors, lambda *_: 10))) is Word.PARTLY
    (linear, _) = grouped(errors)
    assert linear.widths == [2, 3, 4] and "one-vs-all" in why_errors(errors)


def test_the_full_studies_are_larger():
    for study in PAPERS["evron-2018"].studies:
        quick, full = (
            {cell.key for cell in study.cells(setting)} for setting in (Setting.QUICK, Setting.FULL)
        )
        assert quick < full
    assert TIMES.timed and not ERRORS.timed
