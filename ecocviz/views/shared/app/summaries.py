"""What is chosen, in a line: the summaries of the sidebar's groups."""

from dataclasses import dataclass
from functools import lru_cache

from ecocviz.data.splits import DEFAULT_SHARE
from ecocviz.data.types import Table
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam, Param, ParamValue, TextParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.settled import automatic_number, is_automatic
from ecocviz.views.shared.draw.words import setting

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
        if slot != first:
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


def told(param: Param, value: ParamValue, number: float | None = None) -> str:
    """Write one setting; `number` is what a word stands for, or what an automatic number became.

    >>> gamma = FloatParam(name="g", label="Width g", symbol="g", default="auto", low=0.1, high=9.0,
    ...                    words=(("auto", "from the data"),))
    >>> told(gamma, "auto", 0.4217), told(gamma, "auto"), told(gamma, 2.0)
    ('g 0.422, from the data', 'g from the data', 'g 2')
    >>> told(IntParam(name="n", label="Machines", default=0, low=0, high=99, automatic=0), 0, 30)
    'Machines automatic (30)'
    """
    text, name = text_of(param, value), param.symbol or param.label
    if isinstance(param, ChoiceParam):
        return text
    if is_automatic(param, value):
        return f"{name} {text}" + ("" if number is None else f" ({number:,})")
    if isinstance(value, str) and number is not None:
        return f"{name} {setting(number)}, {text}"
    return f"{name} {text}"


def text_of(param: Param, value: ParamValue) -> str:
    """Write a value the way a person reads it."""
    if isinstance(param, ChoiceParam):
        return dict(param.options)[str(value)]
    if is_automatic(param, value):
        return "automatic"
    if isinstance(value, str):
        words = dict(param.words) if isinstance(param, FloatParam) else {}
        return words.get(value, value)
    return f"{value:,}" if isinstance(param, IntParam) else setting(value, 6)


def matters(param: Param, values: dict[str, ParamValue]) -> bool:
    """Say whether a parameter has a meaning beside the values of the others."""
    return param.only_if is None or values[param.only_if[0]] in param.only_if[1]
