"""Statements, verdicts and papers."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from papers_tools import make_paper

from ecocviz.lab.evidence.entries import Statement, Word, word_of

SHARES = [Fraction(0), Fraction(1, 2), Fraction(3, 4), Fraction(4, 5), Fraction(1)]


@given(st.integers(0, 50), st.integers(0, 50), st.sampled_from(SHARES))
def test_a_statement_holds_from_its_share_on(held, more, least):
    of = held + more
    wanted = of > 0 and Fraction(held, max(of, 1)) >= least
    assert Statement("it is so", held, of, float(least)).holds is wanted


def test_a_statement_that_was_never_asked_does_not_hold():
    assert not Statement("it is so", 0, 0, least=0.0).holds


def test_a_statement_says_its_counts():
    assert str(Statement("it is so", 3, 4)) == "it is so: 3 of 4"
    assert not Statement("it is so", 3, 4).holds  # 80 % where nothing is said
    assert Statement("it is so", 4, 5).holds


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_all_agree_some_in_part_none_differs(truths):
    statements = [Statement("", int(true), 1, least=1.0) for true in truths]
    wanted = Word.AGREES if all(truths) else Word.PARTLY if any(truths) else Word.DIFFERS
    assert word_of(statements) is wanted


def test_nothing_said_is_not_judged():
    with pytest.raises(ValueError, match="cannot be judged"):
        word_of([])


def test_a_paper_lists_each_study_once_in_the_order_of_its_exhibits():
    paper = make_paper()
    assert [study.key for study in paper.studies] == ["squares", "times"]
    assert paper.studies[0] is paper.exhibits[0].study


def test_a_paper_refuses_a_key_twice():
    paper = make_paper()
    with pytest.raises(ValueError, match="a key comes twice"):
        replace(paper, exhibits=(*paper.exhibits, paper.exhibits[0]))
    other = replace(paper.exhibits[0], key="other", study=replace(paper.exhibits[0].study))
    with pytest.raises(ValueError, match="squares"):
        replace(paper, exhibits=(*paper.exhibits, other))
