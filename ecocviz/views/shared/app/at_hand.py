"""What is known without waiting, to be said beside settings: the data, the numbers of trained machines."""

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.types import Table
from ecocviz.engine.params import FloatParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.settled import AUTOMATIC, automatic_number, is_automatic, word_numbers
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.summaries import NOTHING, Known

Pairs = tuple[tuple[tuple[str, str], float], ...]
"""((parameter, word), number), ..."""


def table_at_hand(scenario: Scenario) -> Table | None:
    """Return the data if that takes no waiting: they come with the program, or were read before."""
    if not DATASETS[scenario.data.key].needs:
        try:
            return cache.table(scenario)
        except ValueError:
            return None
    found = cache.known("table", cache.data_key(scenario))
    if isinstance(found, Table):
        return found
    trained = cache.keeper().find(scenario)
    return None if trained is None else trained.table


def has_words(choice: Choice, slot: str) -> bool:
    """Say whether some parameter of a choice is set by a word."""
    params = SLOTS[slot][choice.key].params
    return any(
        isinstance(param, FloatParam) and isinstance(choice.values[param.name], str) for param in params
    )


def numbers_known(scenario: Scenario, slot: str) -> Pairs:
    """Return what the words of a slot's parameters stand for, if the machines are there; wait for nothing."""
    choice: Choice = getattr(scenario, slot)
    if not has_words(choice, slot):
        return ()
    trained = cache.keeper().find(scenario)
    if trained is None:
        return ()
    key = slot, cache.text_key(scenario)
    return cache.remember("numbers", key, lambda: tuple(word_numbers(trained, choice, slot).items()))


def automatic_known(scenario: Scenario, slot: str) -> dict[tuple[str, str], float]:
    """Return the numbers that are left to a slot's entry, as far as the data are at hand."""
    choice: Choice = getattr(scenario, slot)
    left = [
        param for param in SLOTS[slot][choice.key].params if is_automatic(param, choice.values[param.name])
    ]
    table = table_at_hand(scenario) if left else None
    n_classes = None if table is None else len(table.classes)
    found = {param.name: automatic_number(scenario, slot, param, n_classes) for param in left}
    return {(name, AUTOMATIC): float(number) for name, number in found.items() if number is not None}


def known(scenario: Scenario, slot: str) -> Known:
    """Return what is known of a group by its first slot."""
    choice: Choice = getattr(scenario, slot)
    params = SLOTS[slot][choice.key].params
    automatic = any(is_automatic(param, choice.values[param.name]) for param in params)
    asked = automatic or (slot == "data" and SLOTS["split"][scenario.split.key].as_it_came)
    numbers = numbers_known(scenario, slot)
    return (
        Known.of(table_at_hand(scenario), numbers)
        if asked
        else Known(numbers=numbers)
        if numbers
        else NOTHING
    )
