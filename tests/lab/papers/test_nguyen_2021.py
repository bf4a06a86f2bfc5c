"""Error bounds: what is measured is what the pages show, and the verdicts follow the counts."""

import pytest
from evidence_tools import exhibits_of, judge_of, measure_quick

from ecocviz.lab.evidence.drawings import Table
from ecocviz.lab.evidence.entries import Cell, Measured
from ecocviz.lab.papers._words_received import scenario_of
from ecocviz.lab.papers.nguyen_2021.study import CODING, LENGTHS, STUDY
from ecocviz.lab.run import run, train
from ecocviz.views.bits.facts import compare_bits

EXHIBITS = exhibits_of("nguyen-2021")
word = judge_of("nguyen-2021")


@pytest.fixture(scope="module")
def found():
    return measure_quick(STUDY, "vowel/15/0", "vowel/31/0")


def planted(chernoff=(0.5, 0.2, 0.05), wrong=(20, 10, 5), **bounds):
    """Records of one set in three lengths, of 100 points."""
    others = {"observed": 0.3, "independent": 0.25, "first_order": 0.28, "sharp": 0.5, **bounds}
    found = []
    for length, bound, n_wrong in zip(LENGTHS, chernoff, wrong, strict=True):
        record = {"n": 100, "phi": 0.2, "proper": True, "wrong": n_wrong, "beyond": 30}
        record["bounds"] = {**others, "chernoff": bound}
        found.append(Measured(Cell(f"{length}", {"set": "vowel", "length": length, "seed": 0}), record))
    return found


def test_what_is_counted_is_what_the_page_shows(found):
    for one in found:
        scenario = scenario_of(one.cell.about, CODING, one.cell.about["length"])
        facts, record = compare_bits(train(scenario), "test"), one.record
        assert record["n"] == facts.n and record["repairs"] == facts.repairs
        assert record["beyond"] == facts.n - facts.n_within
        assert record["wrong"] == run(scenario).test.n_wrong <= record["beyond"]
        for name, bound in record["bounds"].items():
            assert bound == pytest.approx(getattr(facts.tails, name)[facts.repairs], rel=1e-6)
        assert record["phi"] == pytest.approx(facts.mean_phi, abs=1e-3)


def test_verdicts_follow_the_counts():
    assert {word(key, planted()) for key in EXHIBITS} == {"agrees"}
    assert word("length", planted(chernoff=(0.5, 0.4, 0.3))) == "partly"
    assert word("length", planted(chernoff=(1.0, 1.0, 1.0), wrong=(5, 5, 5))) == "differs"
    assert word("independent", planted(wrong=(20, 10, 6))) == "partly"
    assert word("correlated", planted(first_order=0.1)) == "partly"
    assert word("correlated", planted(observed=0.2, first_order=0.1)) == "differs"
    assert word("moments", planted(sharp=0.29)) == "partly"


def test_lengths_are_drawn_and_correlation_told(found):
    for exhibit in EXHIBITS.values():
        panels, table = exhibit.draw(found)
        assert [p.x for p in panels.panels[0].lines[0].points] == [15.0, 31.0] and isinstance(table, Table)
        if exhibit.key != "moments":
            assert "errors of two machines correlate by" in exhibit.why(found)


def test_it_is_said_where_no_machines_are_correlated_in_pairs_only():
    why = EXHIBITS["correlated"].why
    assert "negative" not in why(planted())
    impossible = [Measured(one.cell, {**one.record, "proper": False}) for one in planted()[:2]]
    assert "In 2 of 3 cells no machines" in why([*impossible, planted()[2]])
    assert why([]) == ""
