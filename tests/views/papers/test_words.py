"""Sentences of the Papers page: counts, verdicts, where numbers are from."""

import dataclasses

from papers_tools import cells, drawings, gathered, make_paper

from ecocviz.lab.evidence.drawings import Table
from ecocviz.lab.evidence.entries import Measured, Setting, Statement
from ecocviz.lab.evidence.standing import Standing, stand
from ecocviz.views.papers import words
from ecocviz.views.shared.draw.statements import statement_row


def standing(k=0, square=2):
    paper = make_paper()
    return stand(paper, paper.exhibits[k], gathered(paper, Setting.QUICK, k, square))


def unmeasured():
    paper = make_paper()
    return Standing(paper, paper.exhibits[2], None, None)


def test_the_list_is_counted():
    strong, _ = words.list_sentence([standing(), standing(1), unmeasured()])
    assert strong == "3 figures, tables and claims of 1 paper: 2 partly agree and 1 is not measured yet."
    table = words.list_table([standing(), unmeasured()])
    assert set(table["Paper"]) == {"Passerini et al. 2004: squares"}
    long = dataclasses.replace(unmeasured(), paper=dataclasses.replace(make_paper(), title="decoding " * 9))
    assert words.list_table([long])["Paper"][0] == "Passerini et al. 2004: decoding de…"
    assert table["Verdict"].tolist() == ["◐ partly", "– not run"]
    assert table["Holds"].tolist() == ["1 of 2", ""]


def test_a_verdict_has_its_counts():
    assert words.verdict_sentence(standing()) == "◐ partly: 1 of 2 statements hold."
    assert words.verdict_sentence(unmeasured()) == "Not measured yet: there is no verdict."
    row = statement_row(Statement("it grows", 1, 3, 0.5))
    assert row == ("it grows", "33.3 % (1 of 3)", "50 %", "no")
    assert statement_row(Statement("nothing", 0, 0))[1:] == ("0 of 0", "80 %", "no")


def test_numbers_say_where_they_are_from():
    made = words.made_sentence(standing().results)
    assert made.startswith("Measured with the quick setting on 2026-11-19 by ecocviz ")
    beside = words.beside_sentence(standing(), standing(square=0))
    assert beside == "Measured here: ◐ partly, the same as the results that ship: ◐ partly."
    assert words.beside_sentence(standing(), unmeasured()).endswith("No results ship.")
    assert "times of this computer" in words.quick_sentence(3, timed=True)
    assert "takes 3 measurements on" in words.quick_sentence(3, timed=False)
    assert "kept on the Runs page" in words.quick_sentence(3, timed=False)
    assert "not listed among your runs" in words.quick_sentence(3, timed=False, shared=True)


def test_a_table_says_how_it_is_read():
    table = drawings([Measured(cell, {"square": 0}) for cell in cells(Setting.QUICK)])[1]
    said = "In %. The paper's numbers are in brackets. Tinted: the best of its row."
    assert words.table_sentence(table) == said
    assert words.table_sentence(Table(title="", columns=("a",), rows=())) == ""


def test_it_is_said_what_a_click_opens_and_how_it_differs():
    _, table, ranks, _ = drawings([Measured(cell, {"square": 0}) for cell in cells(Setting.QUICK)])
    assert words.opens_sentence(table) == "A click on a number opens exactly what was measured."
    assert words.opens_sentence(ranks) == (
        "A click on a method's line opens one of 4 sets; or exactly what was measured."
    )
    assert words.opens_sentence(Table(title="", columns=("a",), rows=())) == ""
    one = ranks.opens[0]
    many = dataclasses.replace(ranks, opens=tuple(one.but(f"number {k}") for k in range(3)))
    assert words.opens_sentence(many) == (
        "A click on a method's line opens the scenario that comes nearest, for example: one of 4 sets, "
        "number 0. The page that it opens says how it differs."
    )
    assert words.opened_sentence(standing(), one) == (
        "This scenario was opened from Passerini et al. 2004, Fig. 1: squares: one of 4 sets."
    )
