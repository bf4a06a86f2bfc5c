"""Codes by integer programming: what is measured, and what is made of it."""

import pytest
from evidence_tools import exhibits_of, judge_of, measure_quick

from ecocviz.engine.codings.integer_programming import integer_programming
from ecocviz.lab.evidence.entries import Cell, Measured
from ecocviz.lab.papers.gupta_amin_2021.study import DISTANCES, ERRORS, PROVED, STANDARD
from ecocviz.lab.run import run

EXHIBITS = exhibits_of("gupta-amin-2021")
word = judge_of("gupta-amin-2021")


@pytest.fixture(scope="module")
def distances():
    return measure_quick(DISTANCES, "5x5", "6x9")


@pytest.fixture(scope="module")
def errors():
    return measure_quick(ERRORS, "glass/0")


def sizes(proved, bound, searched):
    """Records of as many sizes as there are entries."""
    found = []
    for distance, most, other in zip(proved, bound, searched, strict=True):
        record = {name: {"distance": other} for name in ("random", "annealed")}
        record["proved"] = {"distance": distance, "bound": most, "took": 1.0}
        found.append(Measured(Cell("5x5", {}), record))
    return found


def test_a_size_has_the_proved_distance_and_those_of_searches(distances):
    first, second = (one.record for one in distances)
    assert first["proved"]["distance"] == first["proved"]["bound"] == 2 and first["plain_bound"] == 3
    assert second["proved"]["distance"] == 5 >= second["annealed"]["distance"] >= second["random"]["distance"]
    assert word("distances", distances) == "agrees"


def test_a_search_that_finds_more_is_held_against_the_program():
    exhibit, better = EXHIBITS["distances"], sizes([4, 4], [4, 4], [4, 3])
    assert word("distances", better) == "agrees"
    assert word("distances", sizes([4, 4], [4, 4], [5, 3])) == "partly"
    assert word("distances", sizes([3, 3], [4, 4], [4, 4])) == "differs"
    assert "larger row distance" in exhibit.why(better) and "at 1 of 2 sizes" in exhibit.why(better)


def test_a_point_opens_the_code_whose_distance_it_shows(distances):
    panels, _, _ = EXHIBITS["distances"].draw(distances)
    point = panels.panels[1].lines[0].points[0]
    assert (point.x, point.y, point.note) == (9, 5, "proved")
    coding = point.opens.scenario.coding
    assert coding.key == PROVED and integer_programming(6, **coding.values).shape == (6, 9)


def test_a_bar_opens_the_scenario_whose_errors_it_shows(errors):
    panels, _ = EXHIBITS["errors"].draw(errors)
    record = errors[0].record
    for line, code in zip(panels.panels[0].lines, (PROVED, *STANDARD), strict=True):
        (point,) = line.points
        assert point.y == pytest.approx(100 * record["wrong"][code] / record["n_test"])
    dense = panels.panels[0].lines[3].points[0]
    assert run(dense.opens.scenario).test.n_wrong == record["wrong"]["dense-random"]


def test_errors_are_judged_code_by_code(errors):
    (one,) = errors

    def planted(proved):
        wrong = {**dict.fromkeys(one.record["wrong"], 10), PROVED: proved}
        return [Measured(one.cell, {**one.record, "wrong": wrong, "n_test": 100})]

    exhibit = EXHIBITS["errors"]
    assert word("errors", planted(10)) == "agrees"  # as many are not more
    assert word("errors", planted(11)) == "differs"
    assert [statement.of for statement in exhibit.judge(planted(10) + planted(11))] == [2, 2, 2, 2]
    n_machines = one.record["machines"][PROVED]
    assert f"integer program 12.0 % with {n_machines} machines; one-vs-all 10.0 %" in exhibit.why(planted(12))
    assert exhibit.why([]) == EXHIBITS["distances"].why([]) == ""
