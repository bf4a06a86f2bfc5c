"""What holds of every paper of the catalogue."""

import json
import math
import pickle
import re
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from evidence_tools import exhibits_of, measure_quick, numbers, shipped_records, shipped_results

from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Heatmap, Panels, Table
from ecocviz.lab.evidence.entries import Setting, word_of
from ecocviz.lab.evidence.results import digest, find_study, to_json
from ecocviz.lab.evidence.standing import complete
from ecocviz.lab.run import why_not_run
from ecocviz.lab.scenario import from_query
from ecocviz.views.papers.facts import places

PAGES = Path(__file__).parents[3] / "pages"
KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
STUDIES = [(paper.key, study.key) for paper in PAPERS.values() for study in paper.studies]
EXHIBITS = [(paper.key, exhibit.key) for paper in PAPERS.values() for exhibit in paper.exhibits]
TIMED = {"crammer-singer-2002/run-time", "gupta-amin-2021/distances", "evron-2018/times"}
N_CELLS = {"el-yaniv-2008/errors": (45, 9 * (8 + 2 * 3)), "passerini-2004/error-curves": (180, 10 * 3 * 11)}
N_CELLS |= {"nguyen-2021/tails": (6, 36), "rejection/rejected": (3, 27), "evron-2023/orders": (8, 60)}
"""How many cells some studies have, quick and full."""
MOST_BYTES = 250_000
"""Of a file of results."""
OPENS_NOTHING = ("Texture", "AD")
"""Rows that open nothing: two printed ones of sets that cannot be had."""

studies = pytest.mark.parametrize(("paper", "key"), STUDIES, ids=map("/".join, STUDIES))
exhibits = pytest.mark.parametrize(("paper", "key"), EXHIBITS, ids=map("/".join, EXHIBITS))


@cache
def one_record(paper, key):
    """Measure the first quick cell of a study, and read its record as whoever reads a file does."""
    study = find_study(paper, key)
    (one,) = measure_quick(study, study.cells(Setting.QUICK)[0].key)
    return (replace(one, record=json.loads(json.dumps(one.record))),)


@pytest.mark.parametrize("key", PAPERS)
def test_a_paper_is_named_by_keys_that_may_stand_in_links(key):
    paper = PAPERS[key]
    files = (resources.files("ecocviz.lab.evidence") / "results" / key).iterdir()
    assert {file.name for file in files} <= {f"{study.key}.json" for study in paper.studies}
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
    exhibit = exhibits_of(paper)[key]
    for text in (exhibit.title, exhibit.claim, exhibit.rule, *exhibit.protocol, *exhibit.deviations):
        assert text.strip() == text != ""
    for sentence in (exhibit.claim, exhibit.rule, *exhibit.protocol, *exhibit.deviations):
        assert sentence.endswith((".", ".)")), sentence
    assert exhibit.protocol


@studies
def test_cells_have_keys_of_their_own_and_abouts_that_are_json(paper, key):
    study, name = find_study(paper, key), f"{paper}/{key}"
    for setting in Setting:
        cells = study.cells(setting)
        assert len({cell.key for cell in cells}) == len(cells) > 0
        for cell in cells:
            assert json.loads(json.dumps(cell.about)) == dict(cell.about), cell.key
        assert digest(study.cells(setting)) == digest(cells)  # the same whenever it is asked
    quick, full = ({cell.key for cell in study.cells(setting)} for setting in Setting)
    assert quick <= full
    assert quick != full or name in {"crammer-singer-2002/first-columns", "liu-2016/weights"}
    n_cells = (len(quick), len(full))
    assert n_cells == N_CELLS.get(name, n_cells)
    assert study.timed == (name in TIMED)


@studies
def test_another_process_can_measure(paper, key):
    study = find_study(paper, key)
    sent = pickle.loads(pickle.dumps(study.measure))  # noqa: S301 - our own
    assert sent == study.measure
    said = study.needs()
    assert said is None or said.endswith(".")


@studies
def test_what_ships_belongs_to_the_cells_of_today_and_is_small(paper, key):
    study = find_study(paper, key)
    results = shipped_results(paper, study)
    cells = study.cells(results.setting)
    assert (results.paper, results.study, results.setting) == (paper, key, Setting.FULL)
    assert complete(study, results) and results.cells == digest(cells)
    assert set(results.records) == {cell.key for cell in cells}
    assert len(to_json(results).encode()) < MOST_BYTES
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", results.date)
    assert results.command.startswith(f"ecocviz paper {paper}")


@exhibits
def test_what_ships_is_judged_and_drawn_and_every_number_opens_a_scenario(paper, key):
    exhibit = exhibits_of(paper)[key]
    found = shipped_records(paper, exhibit.study)
    check_judgement(exhibit, found)
    drawings = exhibit.draw(found)
    assert check_drawings(drawings)
    for drawing in drawings:
        for (name, number), opens in zip(numbers(drawing), places(drawing), strict=True):
            assert opens or number is None or name in OPENS_NOTHING, f"{drawing.title}, {name}: {number}"


@pytest.mark.thorough
@exhibits
def test_a_single_record_is_judged_and_drawn_without_complaint(paper, key):
    """A page shows what has been measured so far."""
    exhibit = exhibits_of(paper)[key]
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
    """Every drawing can be drawn; return what it opens, which a link can hold and the lab can run."""
    for drawing in drawings:
        check_drawing(drawing)
    opened = {opens for drawing in drawings for opens in places(drawing) if opens}
    for opens in opened:
        assert why_not_run(opens.scenario) is None
        assert from_query(opens.scenario.to_query()) == (opens.scenario, ())
        assert (PAGES / f"{opens.page}.py").is_file()
        assert not opens.what.endswith(".")
        assert opens.what.strip(" ,") == opens.what
    return opened


def check_drawing(drawing):
    """Every number is finite, every row as wide as its table."""
    assert drawing.title
    found = [number for _, number in numbers(drawing)]
    if isinstance(drawing, Panels):
        for panel in drawing.panels:
            assert panel.x
            assert panel.y
            points = [p for line in panel.lines for p in line.points]
            found += [n for p in points for n in (p.x, p.low, p.high)]
            assert not panel.log_y or all(p.y > 0 for p in points), panel.title
            assert not panel.log_x or all(p.x > 0 for p in points), panel.title
    elif isinstance(drawing, Table):
        for name, entries in drawing.rows:
            assert len(entries) + 1 == len(drawing.columns), name
            found += [entry.theirs for entry in entries]
    elif isinstance(drawing, Heatmap):
        assert all(len(row) == len(drawing.columns) for row in drawing.values)
    else:
        found.append(drawing.critical_difference)
    assert all(math.isfinite(n) for n in found if isinstance(n, int | float))
