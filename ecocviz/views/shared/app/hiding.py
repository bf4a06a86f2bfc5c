"""What a link can hide: groups of the sidebar, and parts of pages."""

from dataclasses import dataclass

from ecocviz.lab.selection import Selection, hidden_parts

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Data", ("data", "preparation", "split")),
    ("Code", ("coding",)),
    ("Machine", ("machine",)),
    ("Reduction", ("reduction",)),
    ("Decoder", ("decoding", "rejecting")),
)
"""Of the sidebar: title, and the slots of a scenario in it."""


@dataclass(frozen=True, slots=True)
class Part:
    """What can be hidden: its name, and where it stands on a page ("": in the sidebar and the bar)."""

    label: str
    selector: str = ""


HIDEABLE = {title.lower(): Part(f"{title}, to choose") for title, _ in GROUPS} | {
    "matrix": Part("The code matrix", '[class*="st-key-"][class*="-grid"]'),
    "point": Part("The picked point", '[class*="st-key-"][class*="-inspector"]'),
    "words": Part("Sentences", '[data-testid="stMain"] :is(.eco-words, [data-testid="stCaptionContainer"])'),
}


def css_of(selection: Selection) -> str:
    """Return the style that hides parts of pages, "" for none."""
    names = [name for name in HIDEABLE if name in hidden_parts(selection) and HIDEABLE[name].selector]
    return "".join(f"{HIDEABLE[name].selector} {{ display: none; }}\n" for name in names)
