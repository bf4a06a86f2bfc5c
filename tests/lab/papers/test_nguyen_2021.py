"""Error bounds: what is measured is what the pages show, and the verdicts follow the counts."""

import pytest

from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Panels, Table
from ecocviz.lab.evidence.entries import Cell, Measured, Setting, Word, word_of
from ecocviz.lab.papers._words_received import scenario_of
from ecocviz.lab.papers.nguyen_2021.exhibits import (
    judge_correlated,
    judge_independent,
    judge_length,
    judge_moments,
)
from ecocviz.lab.papers.nguyen_2021.study import CODING, LENGTHS, STUDY, measure
from ecocviz.lab.run import run, train
from ecocviz.views.bits.facts import compare_bits

PAPER = PAPERS["nguyen-2021"]


@pytest.fixture(scope="module")
def found():
    cells = [cell for cell in STUDY.cells(Setting.QUICK) if cell.key in ("vowel/15/0", "vowel/31/0")]
    return [Measured(cell, measure(cell, NO_PROGRESS)) for cell in cells]


def planted(chernoff=(0.5, 0.2, 0.05), wrong=(20, 10, 5), **bounds):
    """Records of one set in three lengths, of 100 points."""
    others = {
        "observed": 0.3,
        "independent": 0.25,
        "first_order": 0.28,
        "cantelli": 0.6,
        "sharp": 0.5,
        **bounds,
    }
    return [
        Measured(
            Cell(f"vowel/{length}/0", {"set": "vowel", "length": length, "seed": 0}),
            {
                "n": 100, "distance": 5, "repairs": 2, "rate": 0.1, "phi": 0.2, "proper": True,
                "wrong": n_wrong, "beyond": 30, "bounds": {**others, "chernoff": bound},
            },
        )
        for length, bound, n_wrong in zip(LENGTHS, chernoff, wrong, strict=True)
    ]  # fmt: skip


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
    assert word_of(judge_length(planted())) is Word.AGREES
    assert word_of(judge_length(planted(chernoff=(0.5, 0.4, 0.3)))) is Word.PARTLY
    assert word_of(judge_length(planted(chernoff=(1.0, 1.0, 1.0), wrong=(5, 5, 5)))) is Word.DIFFERS
    assert word_of(judge_independent(planted())) is Word.AGREES
    assert word_of(judge_independent(planted(wrong=(20, 10, 6)))) is Word.PARTLY
    assert word_of(judge_correlated(planted())) is Word.AGREES
    assert word_of(judge_correlated(planted(first_order=0.1))) is Word.PARTLY
    assert word_of(judge_correlated(planted(observed=0.2, first_order=0.1))) is Word.DIFFERS
    assert word_of(judge_moments(planted())) is Word.AGREES
    assert word_of(judge_moments(planted(sharp=0.29))) is Word.PARTLY


def test_the_cells_are_sets_lengths_and_splits():
    assert len(STUDY.cells(Setting.QUICK)) == 6 and len(STUDY.cells(Setting.FULL)) == 36


@pytest.mark.parametrize("exhibit", PAPER.exhibits, ids=lambda exhibit: exhibit.key)
def test_every_exhibit_is_drawn(found, exhibit):
    panels, table = exhibit.draw(found)
    assert isinstance(panels, Panels) and isinstance(table, Table)
    assert [point.x for point in panels.panels[0].lines[0].points] == [15.0, 31.0]
    assert exhibit.judge(found)
    if exhibit.key != "moments":
        assert "errors of two machines correlate by" in exhibit.why(found)


def test_it_is_said_where_no_machines_are_correlated_in_pairs_only():
    why = next(exhibit for exhibit in PAPER.exhibits if exhibit.key == "correlated").why
    assert "negative" not in why(planted())
    impossible = [Measured(one.cell, {**one.record, "proper": False}) for one in planted()[:2]]
    assert "In 2 of 3 cells no machines" in why([*impossible, planted()[2]])
    assert why([]) == ""
