"""Text from outside: harmless in Markdown, HTML and plotly's pseudo-HTML, and still read letter by letter."""

import ast
import html
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from hostile.names import HOSTILE
from hypothesis import given
from hypothesis import strategies as st
from pages_tools import read
from strategies import examples

from ecocviz.lab.export import python_script
from ecocviz.lab.scenario import from_flat
from ecocviz.views.catalogue import FIELDS
from ecocviz.views.shared.app.state import read_link
from ecocviz.views.shared.draw.outside import (
    JOINER,
    LONGEST,
    LONGEST_PLAIN,
    Shown,
    literal,
    plain,
    told_apart,
)

TEXTS = st.one_of(
    st.text(), st.text(alphabet="<>&\"'`*_[](){}!|~$#+-=:@.\\/w%0 \n\tahref"), st.sampled_from(HOSTILE)
)


class Seen(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.words = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


@examples(100)
@given(TEXTS)
def test_a_text_is_read_as_it_was(text):
    assert read(literal(text)) == plain(text, LONGEST).replace(JOINER, "")


@examples(100)
@given(TEXTS)
def test_html_sees_no_tag_and_no_other_attribute(text):
    seen = Seen()
    seen.feed(f'<p title="{literal(text)}">{literal(text)}</p>')
    seen.close()
    shown = html.unescape(literal(text))
    assert seen.tags == [("p", {"title": shown})]
    assert "".join(seen.words) == shown


@examples(100)
@given(TEXTS)
def test_nothing_is_left_that_opens_markup(text):
    shown = literal(text)
    assert not set(shown) & set("<>\"'`\\*_[]{}!|~$")
    assert not re.search(r"&(?!#\d+;)", shown)
    assert not re.match(r" ?(?:[#+=-]|\d{1,2}[.)](?:\s|$))", shown)


@examples(100)
@given(TEXTS)
def test_what_streamlit_looks_for_after_reading_is_parted(text):
    shown = html.unescape(literal(text))
    assert not re.search(
        r"[:@](?![\s\u2060]|$)|www\.|(?<!\S)(?:<->|->|<-|--|>=|<=|~=)(?!\S)", shown, re.IGNORECASE
    )


@examples(100)
@given(st.text(st.characters(codec=None)))
def test_nothing_unseen_or_out_of_line_is_left(text):
    shown = plain(text)
    assert len(shown) <= 12 * LONGEST_PLAIN
    assert not {"Cc", "Cs", "Zl", "Zp"} & {unicodedata.category(letter) for letter in shown}
    assert not set(shown) & set(
        "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
    )
    assert shown.encode() is not None


def test_what_is_not_seen_is_named():
    assert plain("a\u202eb") == "a⟨U+202E⟩b"
    assert plain("\u200b" * 500 + "x") == "⟨500 × U+200B⟩x"
    assert plain("a\x00b\x1b[31m") == "a⟨U+0000⟩b⟨U+001B⟩[31m"
    assert plain("\ud800") == "⟨U+D800⟩"
    assert plain("o" + "\u0301" * 50) == "o" + 3 * "\u0301"
    assert plain("one\r\n  two\tthree") == "one two three"
    assert plain("क्‍ष मी‌خواهم") == "क्‍ष मी‌خواهم"  # joiners that scripts need stay
    assert plain("x" * 5_000) == "x" * (LONGEST_PLAIN - 1) + "…"
    assert len(read(literal("x" * 50_000))) == LONGEST


def test_our_own_sentences_stay_as_they_are():
    for text in (
        "Test error 4.0 % (6 of 150), by likelihood: fine; a/b, x = 2.",
        "−1 and +1",
        "10:30 is not",
    ):
        assert read(literal(text)) == text
    plain_text = "Test error 4.0 % (6 of 150) at most; 2.5 times."
    assert literal(plain_text) == plain_text


def test_markup_stays_markup_and_what_is_made_of_it_does_not():
    inner = Shown(f"<b>{literal('<i>')}</b>")
    assert literal(inner) is inner
    assert literal(f"{inner}!").startswith("&#60;b")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_read_the_same(name):
    assert read(literal(name)) == name
    assert literal(literal(name)) == literal(name)


def test_names_that_look_alike_are_told_apart():
    assert told_apart(["a b", "a\nb", "a\tb", "a b (2)", "c"]) == [
        "a b",
        "a b (2)",
        "a b (3)",
        "a b (2) (2)",
        "c",
    ]
    many = told_apart([f"{'x' * LONGEST_PLAIN}{k}" for k in range(2_000)])
    assert len(set(many)) == 2_000


@pytest.mark.parametrize("name", HOSTILE)
def test_a_script_of_a_hostile_link_is_python(name):
    fields = ["data", "coding.matrix", "data.digest", "seed", "machine.C", *FIELDS, name]
    for field in fields:
        scenario, _, _ = read_link({"data": "upload", "coding": "custom", field: name})
        found = [
            node.value
            for node in ast.walk(ast.parse(python_script(scenario)))
            if isinstance(node, ast.Constant)
        ]
        assert name not in found
        assert from_flat(scenario.to_flat())[0] == scenario
