"""Similar classes, similar codewords: what is measured, and what is made of it."""

import numpy as np
import pytest

from ecocviz.engine.catalogue import build_code
from ecocviz.engine.params import unpack_matrix
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Panels, Table
from ecocviz.lab.evidence.entries import Cell, Measured, Setting, Word, word_of
from ecocviz.lab.papers.evron_2023.exhibits import draw_error, judge_bits, judge_controls, judge_error
from ecocviz.lab.papers.evron_2023.study import CODES, CONTROLS, STUDY, code_of, measure, rows_of
from ecocviz.lab.run import run

PAPER = PAPERS["evron-2023"]


@pytest.fixture(scope="module")
def found():
    cells = [cell for cell in STUDY.cells(Setting.QUICK) if cell.key in ("glass/linear/0", "glass/rbf/0")]
    return [Measured(cell, measure(cell, NO_PROGRESS)) for cell in cells]


def planted(near, arbitrary, far, *, spread=0):
    """Records of one set in which each assignment has so many wrong points and bits of 100."""

    def one(wrong):
        wrongs = {"hamming": wrong, "exponential": wrong}
        return {"rows": "ABCDEF", "agreement": 0.1, "bits": wrong / 100, "wrong": wrongs}

    any_three = {f"any {k}": one(arbitrary) for k in range(3)}
    codes = {code: {"near": one(near), "far": one(far), **any_three} for code in CODES}
    controls = {code: {f"any {k}": one(arbitrary + spread * k) for k in range(3)} for code in CONTROLS}
    record = {"n_test": 100, "n_classes": 6, "codes": {**codes, **controls}}
    return [
        Measured(Cell(f"glass/{kernel}/0", {"set": "glass", "kernel": kernel, "seed": 0}), record)
        for kernel in ("linear", "rbf")
    ]


def test_every_code_is_tried_in_every_order(found):
    for one in found:
        record = one.record
        assert record["n_classes"] == 6 and record["n_test"] == 107
        assert set(record["codes"]) == {*CODES, *CONTROLS}
        for code, runs in record["codes"].items():
            orders = {"any 0", "any 1", "any 2"} | (set() if code in CONTROLS else {"near", "far"})
            assert set(runs) == orders
            assert all(sorted(run["rows"]) == list("ABCDEF") for run in runs.values())
            assert runs["any 0"]["rows"] == "ABCDEF"
            if code in CODES:
                others = [run["agreement"] for run in runs.values()]
                assert runs["near"]["agreement"] == max(others) > min(others) == runs["far"]["agreement"]
            else:
                assert {run["agreement"] for run in runs.values()} == {None}


def test_a_click_opens_what_was_counted(found):
    panels, *tables = draw_error(found)
    assert isinstance(panels, Panels) and all(isinstance(table, Table) for table in tables)
    record = found[0].record["codes"]["bch"]
    for line, order in zip(panels.panels[0].lines, ("near", "any 0", "far"), strict=True):
        (point,) = (one for one in line.points if one.x == CODES["bch"])
        scenario = point.opens.scenario
        asked = unpack_matrix(scenario.coding.values["matrix"])
        assert (asked == build_code("bch", 6)[rows_of(record[order]["rows"])]).all()
        assert run(scenario).test.n_wrong == record[order]["wrong"]["hamming"]


def test_errors_of_arbitrary_orders_are_their_mean(found):
    panels, *_ = draw_error(found)
    runs = found[0].record["codes"]["short"]
    expected = np.mean([100 * runs[f"any {k}"]["wrong"]["hamming"] / 107 for k in range(3)])
    (point,) = (one for one in panels.panels[0].lines[1].points if one.x == CODES["short"])
    assert point.y == pytest.approx(expected)


def test_verdicts_follow_from_the_counts():
    better, worse = planted(5, 10, 20), planted(20, 10, 5)
    for judge in (judge_error, judge_bits):
        assert word_of(judge(better)) is Word.AGREES
        assert word_of(judge(worse)) is Word.DIFFERS
        assert word_of(judge(planted(10, 10, 20))) is Word.PARTLY  # a tie is not better
    assert {(s.held, s.of) for s in judge_error(better)} == {(10, 10)}
    assert word_of(judge_controls(better)) is Word.AGREES
    assert word_of(judge_controls(planted(5, 10, 20, spread=1))) is Word.DIFFERS


def test_it_is_said_which_machines_the_order_moves_most():
    why = next(exhibit for exhibit in PAPER.exhibits if exhibit.key == "error").why
    linear, rbf = planted(10, 20, 30)[0], planted(15, 16, 18)[1]
    assert why([linear, rbf]).endswith("The order of the rows moves linear machines most, by 20.0 points.")
    assert "most" not in why([linear]) and why([]) == ""


def test_the_short_code_has_twice_the_fewest_columns():
    assert code_of("short", 6, 0).shape == (6, 6)
    assert code_of("short", 26, 0).shape == (26, 10)


def test_the_controls_hold_where_they_are_measured(found):
    assert all(statement.holds for statement in judge_controls(found))


def test_the_full_study_is_larger_and_its_cells_are_one_scenario_each():
    quick, full = (STUDY.cells(setting) for setting in (Setting.QUICK, Setting.FULL))
    assert {cell.key for cell in quick} < {cell.key for cell in full}
    assert len({cell.key for cell in full}) == len(full) == 60
    assert PAPER.studies == (STUDY,)
