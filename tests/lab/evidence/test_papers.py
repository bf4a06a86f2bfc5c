"""What holds of every paper of the catalogue."""

import json
import math
import pickle
import re
from functools import cache

import pytest
from evidence_tools import opening

from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Heatmap, Panels, Ranks, Table
from ecocviz.lab.evidence.entries import Measured, Setting, word_of
from ecocviz.lab.evidence.results import digest, find_study, measured, shipped, to_json
from ecocviz.lab.run import why_not_run
from ecocviz.lab.scenario import from_query

KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
STUDIES = [(paper.key, study.key) for paper in PAPERS.values() for study in paper.studies]
EXHIBITS = [(paper.key, exhibit.key) for paper in PAPERS.values() for exhibit in paper.exhibits]
SHIPPED = {keys: shipped(PAPERS[keys[0]], find_study(*keys)) for keys in STUDIES}
MOST_BYTES = 250_000
"""Of a file of results."""

studies = pytest.mark.parametrize(
    ("paper", "key"), [pytest.param(*keys, id="/".join(keys)) for keys in STUDIES]
)
exhibits = pytest.mark.parametrize(
    ("paper", "key"), [pytest.param(*keys, id="/".join(keys)) for keys in EXHIBITS]
)


def find_exhibit(paper, key):
    return next(exhibit for exhibit in PAPERS[paper].exhibits if exhibit.key == key)


@cache
def one_record(paper, key):
    """Measure the first quick cell of a study."""
    study = find_study(paper, key)
    cell = study.cells(Setting.QUICK)[0]
    return (Measured(cell, json.loads(json.dumps(study.measure(cell, NO_PROGRESS)))),)


@pytest.mark.parametrize("key", PAPERS)
def test_a_paper_is_named_by_keys_that_may_stand_in_links(key):
    paper = PAPERS[key]
    keys = [e.key for e in paper.exhibits]
    assert all(map(KEBAB.fullmatch, [key, *keys, *(study.key for study in paper.studies)]))
    assert len(set(keys)) == len(keys) > 0
    assert paper.title
    assert paper.group
    if paper.group == "The five papers":
        assert paper.reference is not None
        assert key.endswith(str(paper.reference.year))


@exhibits
def test_an_exhibit_says_what_is_claimed_how_it_is_measured_and_judged(paper, key):
    exhibit = find_exhibit(paper, key)
    for text in (exhibit.title, exhibit.claim, exhibit.rule, *exhibit.protocol, *exhibit.deviations):
        assert text.strip() == text != ""
    for sentence in (exhibit.claim, exhibit.rule, *exhibit.protocol, *exhibit.deviations):
        assert sentence.endswith((".", ".)")), sentence
    assert exhibit.protocol


@studies
def test_cells_have_keys_of_their_own_and_abouts_that_are_json(paper, key):
    study = find_study(paper, key)
    for setting in Setting:
        cells = study.cells(setting)
        assert len({cell.key for cell in cells}) == len(cells) > 0
        for cell in cells:
            assert json.loads(json.dumps(cell.about)) == dict(cell.about), cell.key
        assert digest(study.cells(setting)) == digest(cells)  # the same whenever it is asked
    assert len(study.cells(Setting.QUICK)) <= len(study.cells(Setting.FULL))


@studies
def test_another_process_can_measure(paper, key):
    study = find_study(paper, key)
    sent = pickle.loads(pickle.dumps(study.measure))  # noqa: S301 - our own
    assert sent == study.measure
    said = study.needs()
    assert said is None or said.endswith(".")


@studies
def test_what_ships_belongs_to_the_cells_of_today_and_is_small(paper, key):
    results = SHIPPED[paper, key]
    if results is None:
        pytest.skip("nothing ships of it")
    cells = find_study(paper, key).cells(results.setting)
    assert (results.paper, results.study) == (paper, key)
    assert results.cells == digest(cells)
    assert set(results.records) == {cell.key for cell in cells}
    assert len(to_json(results).encode()) < MOST_BYTES
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", results.date)
    assert results.command.startswith(f"ecocviz paper {paper}")


@exhibits
def test_what_ships_is_judged_and_drawn(paper, key):
    exhibit = find_exhibit(paper, key)
    results = SHIPPED[paper, exhibit.study.key]
    if results is None:
        pytest.skip("nothing ships of it")
    found = measured(exhibit.study, results)
    check_judgement(exhibit, found)
    drawings = exhibit.draw(found)
    assert drawings
    check_drawings(drawings)


@pytest.mark.thorough
@exhibits
def test_a_single_record_is_judged_and_drawn_without_complaint(paper, key):
    """A page shows what has been measured so far."""
    exhibit = find_exhibit(paper, key)
    found = one_record(paper, exhibit.study.key)
    check_judgement(exhibit, found)
    check_drawings(exhibit.draw(found))


def check_judgement(exhibit, found):
    """Every statement counts some of what it was asked of."""
    statements = exhibit.judge(found)
    assert word_of(statements)
    for statement in statements:
        assert 0 <= statement.held <= statement.of, str(statement)
        assert 0 < statement.least <= 1
        assert statement.text
    assert exhibit.why(found).strip() == exhibit.why(found)


def check_drawings(drawings):
    """Every drawing can be drawn, and all that it opens is what a link can hold and the lab can run."""
    for drawing in drawings:
        check_drawing(drawing)
    for opens in {each.opens for each in opening(drawings)}:
        assert why_not_run(opens.scenario) is None
        assert from_query(opens.scenario.to_query()) == (opens.scenario, ())


def check_drawing(drawing):
    """Every number is finite, every row as wide as its table."""
    assert drawing.title
    numbers = []
    if isinstance(drawing, Panels):
        for panel in drawing.panels:
            assert panel.x
            assert panel.y
            points = [p for line in panel.lines for p in line.points]
            numbers += [n for p in points for n in (p.x, p.y, p.low, p.high)]
            assert not panel.log_y or all(p.y > 0 for p in points), panel.title
            assert not panel.log_x or all(p.x > 0 for p in points), panel.title
    elif isinstance(drawing, Table):
        for name, entries in drawing.rows:
            assert len(entries) + 1 == len(drawing.columns), name
            numbers += [n for e in entries for n in (e.ours, e.theirs)]
    elif isinstance(drawing, Ranks):
        assert len(drawing.names) == len(drawing.ranks)
        numbers += [*drawing.ranks, drawing.critical_difference]
    else:
        assert isinstance(drawing, Heatmap)
        assert len(drawing.values) == len(drawing.rows)
        assert all(len(row) == len(drawing.columns) for row in drawing.values)
        numbers += [n for row in drawing.values for n in row]
    assert all(math.isfinite(n) for n in numbers if isinstance(n, int | float))
