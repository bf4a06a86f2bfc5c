"""What is chosen, in a line: the summaries of the sidebar's groups."""

from dataclasses import dataclass
from functools import lru_cache

from ecocviz.data.splits import DEFAULT_SHARE
from ecocviz.data.types import Table
from ecocviz.engine.analysis.rejecting import NONE
from ecocviz.engine.params import ChoiceParam, TextParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.settled import automatic_number
from ecocviz.views.shared.draw.settings import matters, text_of, told

LONGEST_TOLD = 24
"""An option with more letters is told only where it is not the usual one."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the data and the machines, to be said beside the settings.

    Attributes
    ----------
    n_classes
        Of the data; None if not known.
    own_split
        Whether the set came in a training and a test part; None if not known.
    numbers
        ((parameter, word), number) of the words of the group's first slot.
    """

    n_classes: int | None = None
    own_split: bool | None = None
    numbers: tuple[tuple[tuple[str, str], float], ...] = ()

    @classmethod
    def of(cls, table: Table | None, numbers: tuple[tuple[tuple[str, str], float], ...] = ()) -> "Known":
        """Return what a table tells, if there is one."""
        if table is None:
            return cls(numbers=numbers)
        return cls(len(table.classes), table.has_own_split, numbers)


NOTHING = Known()


@lru_cache(maxsize=1024)
def summary(scenario: Scenario, slots: tuple[str, ...], known: Known = NOTHING) -> str:
    """Return a group's settings in one line: the parameters, or the entry's own summary."""
    first, parts = slots[0], []
    for slot in slots:
        choice: Choice = getattr(scenario, slot)
        entry = SLOTS[slot][choice.key]
        if slot != first and entry is not NONE:
            parts.append(_title(slot, choice, known))
        for param in entry.params:
            value = choice.values[param.name]
            if isinstance(param, TextParam) or not matters(param, choice.values):
                continue
            usual = value == param.default
            wordy = isinstance(param, ChoiceParam) and len(text_of(param, value)) > LONGEST_TOLD
            if usual and (slot != first or wordy):
                continue
            numbers = dict(known.numbers) if slot == first else {}
            number = automatic_number(scenario, slot, param, known.n_classes)
            parts.append(
                told(param, value, numbers.get((param.name, str(value))) if number is None else number)
            )
    return " · ".join(parts) or str(SLOTS[first][getattr(scenario, first).key].summary)


def _title(slot: str, choice: Choice, known: Known) -> str:
    entry = SLOTS[slot][choice.key]
    if getattr(entry, "as_it_came", False) and known.own_split is False:
        return f"{100 * DEFAULT_SHARE:.0f} % held out, no split of its own"
    return str(entry.title)
