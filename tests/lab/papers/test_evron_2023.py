"""Similar classes, similar codewords: what is measured, and what is made of it."""

import numpy as np
import pytest
from evidence_tools import exhibits_of, judge_of, measure_quick

from ecocviz.engine.catalogue import build_code
from ecocviz.engine.params import unpack_matrix
from ecocviz.lab.evidence.entries import Cell, Measured
from ecocviz.lab.papers.evron_2023.study import CODES, CONTROLS, STUDY, code_of, rows_of
from ecocviz.lab.run import run

EXHIBITS = exhibits_of("evron-2023")
word = judge_of("evron-2023")


@pytest.fixture(scope="module")
def found():
    return measure_quick(STUDY, "glass/linear/0", "glass/rbf/0")


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
    panels, *_ = EXHIBITS["error"].draw(found)
    record = found[0].record["codes"]["bch"]
    for line, order in zip(panels.panels[0].lines, ("near", "any 0", "far"), strict=True):
        (point,) = (one for one in line.points if one.x == CODES["bch"])
        scenario = point.opens.scenario
        asked = unpack_matrix(scenario.coding.values["matrix"])
        assert (asked == build_code("bch", 6)[rows_of(record[order]["rows"])]).all()
        assert run(scenario).test.n_wrong == record[order]["wrong"]["hamming"]
    # Those of arbitrary orders are their mean.
    runs = found[0].record["codes"]["short"]
    expected = np.mean([100 * runs[f"any {k}"]["wrong"]["hamming"] / 107 for k in range(3)])
    (point,) = (one for one in panels.panels[0].lines[1].points if one.x == CODES["short"])
    assert point.y == pytest.approx(expected)


def test_verdicts_follow_from_the_counts(found):
    better = planted(5, 10, 20)
    for key in ("error", "subproblems"):
        assert word(key, better) == "agrees"
        assert word(key, planted(20, 10, 5)) == "differs"
        assert word(key, planted(10, 10, 20)) == "partly"  # a tie is not better
    assert {(s.held, s.of) for s in EXHIBITS["error"].judge(better)} == {(10, 10)}
    assert word("controls", better) == word("controls", found) == "agrees"
    assert word("controls", planted(5, 10, 20, spread=1)) == "differs"


def test_it_is_said_which_machines_the_order_moves_most():
    why = EXHIBITS["error"].why
    linear, rbf = planted(10, 20, 30)[0], planted(15, 16, 18)[1]
    assert why([linear, rbf]).endswith("The order of the rows moves linear machines most, by 20.0 points.")
    assert "most" not in why([linear]) and why([]) == ""


def test_the_short_code_has_twice_the_fewest_columns():
    assert code_of("short", 6, 0).shape == (6, 6)
    assert code_of("short", 26, 0).shape == (26, 10)
