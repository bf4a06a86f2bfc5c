"""Sentences about codes, from their reports."""

import numpy as np
import pytest

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import CODINGS, build_code
from ecocviz.views.code_matrix import words as says
from ecocviz.views.code_matrix.facts import measures
from ecocviz.views.shared.draw.words import any_wrong

NAMES = ("a", "<b>", "c", "d")
COUNTS = np.array([10, 20, 30, 5])
BROKEN = np.array([[1, 1, -1, 1, 1], [1, -1, 1, -1, 0], [1, 1, -1, 1, -1], [1, 1, -1, 1, -1]], dtype=np.int8)


def test_faults_name_their_twins():
    report = code_report(BROKEN)
    faults = says.column_faults(report)
    assert faults[0] == "no class on one side"
    assert "the same as column 4" in faults[1] and "the opposite of column 3" in faults[1]
    assert 4 not in faults
    rows = says.row_faults(report, NAMES)
    assert rows[2] == "the same as d" and rows[3] == "the same as c" and 1 not in rows


@pytest.mark.parametrize("key", [key for key, coding in CODINGS.items() if coding.build is not None])
def test_sentences_of_every_coding(key):
    report = code_report(build_code(key, 4), COUNTS)
    meanings = says.repair_sentences(report)
    # One meaning without zeros, two with them.
    assert len(meanings) == 1 + bool(report.zeros_per_row.any())
    if report.repairable_bits:
        assert f"Repairs {any_wrong(report.repairable_bits)}" in meanings[0][0]
    assert f"{round(report.linear_cost):,} points" in says.cost_sentence(report, int(COUNTS.sum()))
    assert says.zeros_sentence(report).endswith(".") and says.balance_sentence(report).endswith(".")


def test_a_broken_code_promises_nothing():
    ((said, why),) = says.repair_sentences(code_report([[1, 1], [1, 1], [-1, 1]]))
    assert said.startswith("Can miss a class") and "puts two of the classes on opposite sides" in why
    assert says.repair_sentences(code_report([[0.5, 1], [1, -0.2]])) == ()


def test_the_comparison_says_what_differs():
    first = measures(code_report(build_code("one-vs-all", 4), COUNTS))
    second = measures(code_report(build_code("one-vs-one", 4), COUNTS))
    said = says.comparison_sentence(("the code above", "One-vs-one"), first, second)
    ratio = second["Pairs of training points, summed"] / first["Pairs of training points, summed"]
    assert said == (
        "Compared with the code above, One-vs-one has 2 more machines, row distance 1 instead of 2 and "
        f"{100 * ratio:.0f} % of the training pairs."
    )
