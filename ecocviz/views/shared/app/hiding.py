"""What a link can hide: the choice of slots of the scenario, wherever it is offered, and parts of pages."""

from dataclasses import dataclass

from ecocviz.lab.scenario import Scenario
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


HOLDER = {slot: title.lower() for title, slots in GROUPS for slot in slots} | {"seed": "data"}
"""By which name a link hides the choice of a slot."""


def offers(selection: Selection, slot: str) -> bool:
    """Say whether a slot is to be chosen on a screen with this selection."""
    return HOLDER[slot] not in hidden_parts(selection)


def refuse_hidden(selection: Selection, before: Scenario, after: Scenario) -> None:
    """Raise a ValueError with a sentence where a change is one of what the link hides."""
    for slot, part in HOLDER.items():
        if getattr(before, slot) != getattr(after, slot) and not offers(selection, slot):
            raise ValueError(f"The {part} cannot be changed on this screen: its link hides the choice.")


def css_of(selection: Selection) -> str:
    """Return the style that hides parts of pages, "" for none."""
    names = [name for name in HIDEABLE if name in hidden_parts(selection) and HIDEABLE[name].selector]
    return "".join(f"{HIDEABLE[name].selector} {{ display: none; }}\n" for name in names)
