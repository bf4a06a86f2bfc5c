"""Choices that cannot be: why, and which ones next to them can."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Any

from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES, why_not_drawn
from ecocviz.lab.catalogue import REDUCTIONS, SLOTS, why_not
from ecocviz.lab.run import fixed_code, why_not_run
from ecocviz.lab.scenario import Scenario, make_scenario

COMBINED = ("coding", "decoding", "machine", "reduction")
"""The slots whose entries have to go together, in the order in which another choice is offered."""


def why_impossible(scenario: Scenario, n_classes: int | None = None) -> str | None:
    """Say in one sentence why a scenario cannot be trained, or None if nothing is known against it.

    Parameters
    ----------
    n_classes
        Of its data; None if not known.
    """
    reason = why_not_run(scenario)
    if reason or n_classes is None or "coding" not in REDUCTIONS[scenario.reduction.key].uses:
        return reason
    return _why_no_code(
        make_scenario(scenario.seed, coding=(scenario.coding.key, scenario.coding.values)), n_classes
    )


@lru_cache(maxsize=512)
def _why_no_code(scenario: Scenario, n_classes: int) -> str | None:
    """Say why there is no code for so many classes, whatever a scenario has beside its coding."""
    try:
        if fixed_code(scenario, n_classes) is None:
            return why_not_drawn(CODINGS[scenario.coding.key], n_classes, scenario.coding.values)
    except ValueError as refusal:
        return str(refusal)
    return None


@lru_cache(maxsize=256)
def instead(scenario: Scenario, n_classes: int | None = None) -> tuple[Mapping[str, str], ...]:
    """Return what can be chosen instead of the impossible, each as slot -> key; nothing where it is possible.

    Of every slot that can help alone, the entry next to the chosen one; else two that help together.

    Examples
    --------
    >>> from ecocviz.lab.scenario import make_scenario
    >>> [dict(one) for one in instead(make_scenario(coding="binary-complete"), 26)]
    [{'coding': 'dense-random'}]
    """
    if why_impossible(scenario, n_classes) is None:
        return ()
    alone = [_first(scenario, (slot,), n_classes) for slot in _involved(scenario)]
    found = [one for one in alone if one]
    if not found:
        pairs = (_first(scenario, pair, n_classes) for pair in combinations(COMBINED, 2))
        found = [next((pair for pair in pairs if pair), {})]
    return tuple(MappingProxyType(one) for one in found if one)


def put_instead(scenario: Scenario, choices: Mapping[str, str]) -> Scenario:
    """Return the scenario with other entries."""
    for slot, key in choices.items():
        scenario = scenario.chosen(slot, key)
    return scenario


def _involved(scenario: Scenario) -> list[str]:
    """Return the slots without whose entry nothing would be against the others; the code's, if nothing is."""
    if why_not_run(scenario) is None:
        return ["coding"]
    parts: dict[str, Any] = {
        "coding": CODINGS[scenario.coding.key],
        "decoding": DECODINGS[scenario.decoding.key],
        "reduction": REDUCTIONS[scenario.reduction.key],
        "machine": MACHINES[scenario.machine.key],
    }
    return [slot for slot in COMBINED if why_not(**{**parts, slot: None}) is None]


def _first(scenario: Scenario, slots: tuple[str, ...], n_classes: int | None) -> dict[str, str]:
    """Return the nearest entries of some slots with which the scenario can be trained, if there are any."""
    for choices in _tries(scenario, slots):
        if why_impossible(put_instead(scenario, choices), n_classes) is None:
            return choices
    return {}


def _tries(scenario: Scenario, slots: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """List the entries of some slots, nearest first."""
    if not slots:
        yield {}
        return
    slot, *others = slots
    for key in _nearest_first(slot, getattr(scenario, slot).key):
        for rest in _tries(scenario, tuple(others)):
            yield {slot: key, **rest}


def _nearest_first(slot: str, chosen: str) -> list[str]:
    """List the other entries of a slot: of codes and decoders the neighbours first, else the plainest."""
    entries = SLOTS[slot]
    now = entries[chosen]

    def distance(key: str) -> tuple[bool, bool, int]:
        entry = entries[key]
        if slot not in ("coding", "decoding"):
            return False, False, entry.order
        learns = getattr(entry, "design", None), getattr(now, "design", None)
        differ = (learns[0] is None) != (learns[1] is None)
        return key != getattr(now, "instead", ""), differ, abs(entry.order - now.order)

    return sorted((key for key in entries if key != chosen), key=distance)
