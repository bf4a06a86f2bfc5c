"""Plotly's pseudo-HTML as printed text: what is bold, coloured and on a line of its own."""

import re
from dataclasses import dataclass

from ecocviz.views.shared.draw.outside import JOINER

_TAG = re.compile(r"<(/?)(b|i|br|sub|sup|span)\b([^>]*)>")
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|(lt|gt|amp|quot));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_COLOUR = re.compile(r"color:\s*(#[0-9a-fA-F]{3,6})")


@dataclass(frozen=True, slots=True)
class Run:
    """Letters that look alike; `colour` is None for that of the text around them."""

    text: str
    bold: bool = False
    colour: str | None = None


def runs(markup: str) -> list[list[Run]]:
    """Return the lines of a text as runs; what opens no tag of plotly's is shown as it is.

    >>> runs('<b>1</b><br><span style="color:#0f0">&#60;i&#62;</span>')
    [[Run(text='1', bold=True, colour=None)], [Run(text='<i>', bold=False, colour='#0f0')]]
    """
    lines: list[list[Run]] = [[]]
    colours: list[str | None] = []
    bold, at = 0, 0
    for tag in [*_TAG.finditer(markup), None]:
        letters = _REFERENCE.sub(_letter, markup[at : None if tag is None else tag.start()]).replace(
            JOINER, ""
        )
        if letters:
            lines[-1].append(Run(letters, bold > 0, next((c for c in reversed(colours) if c), None)))
        if tag is None:
            break
        at = tag.end()
        ends, name, rest = tag.groups()
        if name == "br":
            lines.append([])
        elif name == "b":
            bold += -1 if ends else 1
        elif name == "span" and ends:
            del colours[-1:]
        elif name == "span":
            found = _COLOUR.search(rest)
            colours.append(found[1] if found else None)
    return lines


def _letter(reference: re.Match[str]) -> str:
    """Return the letter that a reference stands for."""
    return chr(int(reference[1])) if reference[1] else _NAMED[reference[2]]


def letters_of(markup: object) -> str:
    r"""Return a text without its tags.

    >>> letters_of("Bound <i>theorem</i><br>of&#32;a"), letters_of(None)
    ('Bound theorem\nof a', '')
    """
    if markup is None:
        return ""
    return "\n".join("".join(run.text for run in line) for line in runs(str(markup)))


def look_of(markup: str) -> tuple[bool, str | None]:
    """Return whether a text is bold as a whole, and its colour where it has one.

    >>> look_of('<span style="color:#0f0">a</span>'), look_of("<b>a</b> b")
    ((False, '#0f0'), (False, None))
    """
    whole = [run for line in runs(markup) for run in line]
    colours = {run.colour for run in whole}
    return bool(whole) and all(run.bold for run in whole), colours.pop() if len(colours) == 1 else None
