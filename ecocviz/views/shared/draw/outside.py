r"""Text from outside on its way to a reader: names in files and links, and sentences that quote them.

All of it passes `literal` or `plain`, and is then shown letter by letter, whatever it holds. `literal` is for
what reads markup: Streamlit's Markdown, HTML, and the pseudo-HTML of plotly. One form serves all three:

- What opens markup in any of them is written as a numeric character reference, which all three understand.
- Streamlit looks for web addresses, icons, emoji and arrows after it has read the references. There an
  unseen U+2060 (word joiner) parts the letters that it looks for.

`plain` is for what shows text as text: options of lists, cells, the words for those who see no picture, what
a component of ours draws. In both forms line breaks and tabs become spaces; what is not seen and what turns
the direction of writing is named by its number; marks that pile up over a letter are at most three; and what
is too long ends in an ellipsis.
"""

import re
from collections.abc import Sequence

from ecocviz.engine.params import shorten


class Shown(str):
    """Markup that holds nothing from outside but what has passed `literal`, which leaves it as it is."""

    __slots__ = ()


LONGEST, LONGEST_PLAIN = 5_000, 1_000
MOST_MARKS = 3
JOINER = "\N{WORD JOINER}"

_SPACES = re.compile(r"[\s\x1c-\x1f\x85]*[^\S\xa0\u202f ][\s\x1c-\x1f\x85]*|  +")
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]+"
    "|[\u200c\u200d]{2,}"
)
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]"
_PILED = re.compile(f"({_MARK}{{{MOST_MARKS}}}){_MARK}+")
_SOUGHT = re.compile(r"(?<=[:@])(?=\S)|(?<=[wW]{3})(?=\.)|(?<=(?<!\S)[<>~-])(?=[->=]{1,2}(?!\S))")
_MARKUP = re.compile(
    r"""[&<>"'`\\*_\[\]{}!|~$]|(?:(?<=^ )|^)[#+=-]"""
    r"|(?:(?<=^\d)|(?<=^ \d)|(?<=^\d\d)|(?<=^ \d\d))[.)](?=\s|$)"
)


def literal(text: str) -> Shown:
    """Return text so that Markdown, HTML and plotly show it letter by letter.

    >>> literal("4.0 % (6 of 150): fine"), literal("<b>![a](//b.c/d.png)")
    ('4.0 % (6 of 150): fine', '&#60;b&#62;&#33;&#91;a&#93;(//b.c/d.png)')
    """
    if isinstance(text, Shown):
        return text
    parted = _SOUGHT.sub(JOINER, plain(text, LONGEST))
    return Shown(_MARKUP.sub(lambda found: f"&#{ord(found[0])};", parted))


def plain(text: str, longest: int = LONGEST_PLAIN) -> str:
    r"""Return text that stays on its line, in its direction and within a length, for what reads no markup.

    >>> plain("two\nlines"), plain("a\N{RIGHT-TO-LEFT OVERRIDE}b")
    ('two lines', 'a⟨U+202E⟩b')
    """
    one_line = _SPACES.sub(" ", shorten(text, longest))
    return _PILED.sub(r"\1", _UNSEEN.sub(_named, one_line))


def told_apart(names: Sequence[str]) -> list[str]:
    r"""Return names as `plain` does, and number those that would look like one before them.

    >>> told_apart(["a b", "a\nb", "c"])
    ['a b', 'a b (2)', 'c']
    """
    found: dict[str, None] = {}
    met: dict[str, int] = {}
    for name in names:
        shown = first = plain(name)
        while shown in found:
            met[first] = met.get(first, 1) + 1
            shown = f"{first} ({met[first]})"
        found[shown] = None
    return list(found)


def _named(found: re.Match[str]) -> str:
    """Name the first of some unseen letters, and how many they are."""
    number = f"U+{ord(found[0][0]):04X}"
    return f"⟨{number}⟩" if len(found[0]) == 1 else f"⟨{len(found[0])} × {number}⟩"
