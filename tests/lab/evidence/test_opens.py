"""Where a number says that it opens exactly what was measured, the scenario has the very number."""

import pytest
from evidence_tools import exhibits_of, numbers, shipped_records

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import build_code
from ecocviz.lab.evaluate import score_part
from ecocviz.lab.evidence.drawings import EXACTLY, Opens
from ecocviz.lab.evidence.entries import nearest
from ecocviz.lab.run import run, train
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.papers.facts import places


def drawn(paper, key):
    exhibit = exhibits_of(paper)[key]
    return exhibit.draw(shipped_records(paper, exhibit.study))


def exact(paper, key, title, **slots):
    """Return the number and the scenario of the first place that says exactly, of a data set and more."""
    for drawing in drawn(paper, key):
        if drawing.title.startswith(title):
            for (_, number), opens in zip(numbers(drawing), places(drawing), strict=True):
                if opens and opens.what == EXACTLY:
                    found = {slot: getattr(opens.scenario, slot).key for slot in slots}
                    if found == slots:
                        return number, opens.scenario
    raise AssertionError("no place says exactly")


@pytest.mark.parametrize(
    ("paper", "key", "title", "slots"),
    [
        ("liu-zheng-2005", "table-1", "Table I", {"data": "iris-uci", "decoding": "srm"}),
        ("liu-2016", "table-2", "Accuracy by real", {}),
        ("el-yaniv-2008", "table-2", "Test error", {"data": "balance"}),
        ("evron-2023", "controls", "Codes whose", {"data": "glass"}),
        ("rejection", "syndrome", "Rejected", {"data": "glass", "coding": "bch"}),
    ],
)
def test_where_it_says_exactly_the_scenario_has_the_very_number(paper, key, title, slots):
    number, scenario = exact(paper, key, title, **slots)
    if paper == "rejection":  # the first number of a row is that of the bits that the code repairs
        code = build_code(scenario.coding.key, 6, scenario.seed)
        assert number == code_report(code).repairable_bits
        return
    share = run(scenario).test.error
    assert number == pytest.approx(100 * (1 - share if paper == "liu-2016" else share))


def test_a_rule_by_syndrome_leaves_undecided_what_the_study_rejects():
    (table,) = drawn("rejection", "syndrome")
    _, rejected, _, rest = next(entries for name, entries in table.rows if name == "glass, split 0, BCH")
    assert rejected.opens.what == EXACTLY and rejected.opens == rest.opens
    found = run(rejected.opens.scenario).test
    assert 100 * found.undecided.mean() == pytest.approx(rejected.ours)
    assert 100 * found.decided.error == pytest.approx(rest.ours)


def test_points_of_passerini_et_al_have_the_training_errors_shown():
    (table,) = drawn("passerini-2004", "theorem-4-1")
    assert table.columns[2] == "training"
    for _, entries in table.rows[:2]:
        scenario = entries[1].opens.scenario
        assert (entries[1].opens.what, scenario.data.key) == (EXACTLY, "iris")
        scored = score_part(train(scenario), "train")
        assert scored.decide(scenario.decoding).n_wrong == entries[1].ours


@pytest.mark.parametrize("coding", ["integer-programming", "dense-random", "minimum-distance"])
def test_codes_of_gupta_and_amin_have_the_distance_shown(coding):
    number, scenario = exact("gupta-amin-2021", "distances", "How far", coding=coding)
    code = build_code(coding, scenario.data.values["n_classes"], scenario.seed, **scenario.coding.values)
    assert number == code_report(code).min_distance


def test_what_differs_is_said_in_one_phrase():
    plain = Opens(make_scenario())
    one = plain.first_of(3, "splits").but("", "with all rows")
    assert one.what == "the first of 3 splits, whose mean is shown, with all rows"
    assert one.which("iris").what == f"iris, {one.what}"
    assert plain.first_of(1, "splits").what == plain.but("").what == EXACTLY
    assert nearest(2.0, [3.0, 1.0]) == 0
