"""Codes by integer programming: what is measured, and what is made of it."""

import pytest

from ecocviz.engine.codings.integer_programming import integer_programming
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Panels, Table
from ecocviz.lab.evidence.entries import Cell, Measured, Setting, Word, word_of
from ecocviz.lab.papers.gupta_amin_2021.exhibits import (
    draw_distances,
    draw_errors,
    judge_distances,
    judge_errors,
    why_distances,
    why_errors,
)
from ecocviz.lab.papers.gupta_amin_2021.study import (
    DISTANCES,
    ERRORS,
    PROVED,
    STANDARD,
    measure_distance,
    measure_error,
)
from ecocviz.lab.run import run


def measured(study, measure, *keys):
    cells = [cell for cell in study.cells(Setting.QUICK) if cell.key in keys]
    return [Measured(cell, measure(cell, NO_PROGRESS)) for cell in cells]


@pytest.fixture(scope="module")
def distances():
    return measured(DISTANCES, measure_distance, "5x5", "6x9")


@pytest.fixture(scope="module")
def errors():
    return measured(ERRORS, measure_error, "glass/0")


def sizes(proved, bound, searched):
    """Records of as many sizes as there are entries."""
    return [
        Measured(
            Cell(f"5x{k}", {"classes": 5, "machines": k}),
            {
                "proved": {"distance": d, "bound": b, "took": 1.0},
                "plain_bound": b,
                "random": {"distance": s, "took": 1.0},
                "annealed": {"distance": s, "took": 1.0},
            },
        )
        for k, (d, b, s) in enumerate(zip(proved, bound, searched, strict=True))
    ]


def test_a_size_has_the_proved_distance_and_those_of_searches(distances):
    first, second = (one.record for one in distances)
    assert first["proved"]["distance"] == first["proved"]["bound"] == 2 and first["plain_bound"] == 3
    assert second["proved"]["distance"] == 5 >= second["annealed"]["distance"] >= second["random"]["distance"]
    assert word_of(judge_distances(distances)) is Word.AGREES
    assert "larger row distance" in why_distances(distances)


def test_a_search_that_finds_more_is_held_against_the_program():
    assert word_of(judge_distances(sizes([4, 4], [4, 4], [4, 3]))) is Word.AGREES
    assert word_of(judge_distances(sizes([4, 4], [4, 4], [5, 3]))) is Word.PARTLY
    assert word_of(judge_distances(sizes([3, 3], [4, 4], [4, 4]))) is Word.DIFFERS
    assert "at 1 of 2 sizes" in why_distances(sizes([4, 4], [4, 4], [4, 3]))


def test_a_point_opens_the_code_whose_distance_it_shows(distances):
    panels, table, times = draw_distances(distances)
    assert isinstance(panels, Panels) and isinstance(table, Table) and isinstance(times, Panels)
    point = panels.panels[1].lines[0].points[0]
    assert (point.x, point.y, point.note) == (9, 5, "proved")
    coding = point.opens.scenario.coding
    assert coding.key == PROVED and integer_programming(6, **coding.values).shape == (6, 9)


def test_a_bar_opens_the_scenario_whose_errors_it_shows(errors):
    panels, _ = draw_errors(errors)
    record = errors[0].record
    for line, code in zip(panels.panels[0].lines, (PROVED, *STANDARD), strict=True):
        (point,) = line.points
        assert point.y == pytest.approx(100 * record["wrong"][code] / record["n_test"])
    dense = panels.panels[0].lines[3].points[0]
    assert run(dense.opens.scenario).test.n_wrong == record["wrong"]["dense-random"]


def test_errors_are_judged_code_by_code(errors):
    (one,) = errors
    wrong = dict.fromkeys(one.record["wrong"], 10)
    found = [Measured(one.cell, {**one.record, "wrong": wrong})]
    assert word_of(judge_errors(found)) is Word.AGREES  # as many are not more
    worse = [Measured(one.cell, {**one.record, "wrong": {**wrong, PROVED: 11}})]
    assert word_of(judge_errors(worse)) is Word.DIFFERS
    assert [statement.of for statement in judge_errors(worse + found)] == [2, 2, 2, 2]
    of_100 = [Measured(one.cell, {**one.record, "wrong": {**wrong, PROVED: 12}, "n_test": 100})]
    said, machines = why_errors(of_100), one.record["machines"]
    assert f"integer program 12.0 % with {machines[PROVED]} machines; one-vs-all 10.0 %" in said
    assert why_errors([]) == why_distances([]) == ""


def test_the_full_studies_are_larger():
    for study in PAPERS["gupta-amin-2021"].studies:
        quick, full = (
            {cell.key for cell in study.cells(setting)} for setting in (Setting.QUICK, Setting.FULL)
        )
        assert quick < full
    assert all(study.timed == (study is DISTANCES) for study in PAPERS["gupta-amin-2021"].studies)
