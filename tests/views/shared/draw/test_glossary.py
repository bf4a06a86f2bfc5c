"""The glossary: one source, marked once in a sentence, and nothing from outside becomes markup by it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.views.shared.app.said import sentence
from ecocviz.views.shared.draw.glossary import GLOSSARY, document, glossary_css, marked
from ecocviz.views.shared.draw.outside import Shown, literal

DFN = re.compile(r'<dfn class="eco-term" data-term="([\w -]+)" tabindex="0">|</dfn>')


def words(text):
    return [word for word in DFN.findall(text) if word]


def test_the_document_is_the_glossary(root):
    assert Path(root, "docs/glossary.md").read_text(encoding="utf-8") == document()


def test_there_are_the_words_that_somebody_new_asks_for():
    asked = (
        "bit, codeword, row distance, margin, cost, likelihood, flip, one-vs-all, code matrix, machine, tie"
    )
    told = "p, log-loss, phi"  # what tables and figures say without more
    assert set(f"{asked}, {told}".split(", ")) <= GLOSSARY.keys() and 20 <= len(GLOSSARY) <= 25


@pytest.mark.parametrize("meaning", GLOSSARY.values())
def test_meanings_fit_a_style_sheet_and_a_table_as_they_are(meaning):
    assert not set(meaning) & set('"\\<>|\n`*_') and meaning.endswith(".") and len(meaning) < 170


def test_the_first_mention_is_marked_whatever_its_form():
    first, rest = marked("Row distance 4 repairs 1 bit.", "Two bits; row distances; a γ.")
    assert words(first) == ["row distance", "bit"] and words(rest) == ["gamma"]
    assert words(marked("Machines and machine")[0]) == ["machine"]
    assert words(marked("a rabbit, costly, C-like, one-vs-all")[0]) == ["one-vs-all"]


def test_a_letter_is_marked_where_it_is_a_quantity_and_not_where_it_is_a_class():
    assert words(marked("A and C (+) against B. C for D.")[0]) == []
    assert words(marked("Choosing C by the bound")[0]) == ["C", "bound"]
    assert words(marked("row 3: c or p, P(+)")[0]) == []
    assert words(marked("best at 3 of 11 values of C")[0]) == words(marked("at C = 2")[0]) == ["C"]
    assert words(marked("p < 0.001, φ = 0.3, Log-loss")[0]) == ["p", "phi", "log-loss"]


def test_markup_is_left_as_it_is():
    ours = Shown('<i title="margin">margin</i>')
    assert marked(ours, "margin")[0] == ours


@given(st.text(max_size=60), st.sampled_from(sorted(GLOSSARY)), st.text(max_size=60))
def test_what_is_around_a_mark_is_what_literal_makes_of_it(before, word, after):
    text = f"{before} {word} {after}"
    (shown,) = marked(text)
    assert DFN.sub("", shown) == literal(text)
    assert len(words(shown)) == len(set(words(shown)))


def test_a_sentence_marks_a_word_once_in_both_of_its_parts():
    assert words(sentence("2 flips", "of one flip")) == ["flip"]


def test_every_word_has_its_explanation_in_the_style():
    for word, meaning in GLOSSARY.items():
        assert f'[data-term="{word}"]:is(:hover, :focus)::after {{ content: "{meaning}"; }}' in glossary_css()
