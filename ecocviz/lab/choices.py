"""What can be chosen beside what is chosen: facts about entries, for any view."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ecocviz.data.catalogue import SPLITS
from ecocviz.data.splits import no_own_split
from ecocviz.data.types import Table
from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES, why_not_drawn
from ecocviz.lab.catalogue import REDUCTIONS, SLOTS, why_not
from ecocviz.lab.scenario import Choice, Scenario, choose
from ecocviz.lab.selection import COMPARE, Selection, hidden_parts

DEFAULT_COMPARED = 4
MAX_COMPARED = 5


@lru_cache(maxsize=1024)
def why_not_options(scenario: Scenario, slot: str) -> Mapping[str, str]:
    """Return the entries of a slot that do not go with the rest, each with the sentence that says why."""
    parts: dict[str, Any] = {
        "coding": CODINGS[scenario.coding.key],
        "decoding": DECODINGS[scenario.decoding.key],
        "reduction": REDUCTIONS[scenario.reduction.key],
        "machine": MACHINES[scenario.machine.key],
    }
    entries = SLOTS[slot] if slot in parts else {}
    found = {key: why_not(**{**parts, slot: entry}) for key, entry in entries.items()}
    return MappingProxyType({key: reason for key, reason in found.items() if reason})


def why_not_for(scenario: Scenario, slot: str, table: Table | None) -> Mapping[str, str]:
    """Return what `why_not_options` does, and the entries that do not go with a table, if there is one."""
    reasons = dict(why_not_options(scenario, slot))
    if table is not None and slot == "split" and not table.has_own_split:
        reasons |= {key: no_own_split(table.name) for key, split in SPLITS.items() if split.as_it_came}
    if table is not None and slot == "coding" and uses(scenario, "coding"):
        n_classes = len(table.classes)
        for key, entry in CODINGS.items():
            values = scenario.coding.values if key == scenario.coding.key else choose(slot, key).values
            reason = why_not_drawn(entry, n_classes, values)
            if reason:
                reasons.setdefault(key, reason)
    return MappingProxyType(reasons)


def uses(scenario: Scenario, slot: str) -> bool:
    """Say whether the scenario's reduction reads a slot."""
    return slot in REDUCTIONS[scenario.reduction.key].uses


def decoders_beside(scenario: Scenario, asked: frozenset[str]) -> tuple[Choice, ...]:
    """Return the scenario's own decoder and the asked ones that go with it, in the catalogue's order."""
    own = scenario.decoding
    if not uses(scenario, "decoding"):
        return (own,)
    allowed = asked - why_not_options(scenario, "decoding").keys()
    keys = [key for key in DECODINGS if key == own.key or key in allowed]
    return tuple(own if key == own.key else choose("decoding", key) for key in keys)


def compared(selection: Selection) -> tuple[str, ...]:
    """Return the decoders asked for beside the scenario's own, only such as exist."""
    return tuple(dict.fromkeys(key for key in selection[COMPARE].split(".") if key in DECODINGS))


@lru_cache(maxsize=512)
def shown_decoders(scenario: Scenario, selection: Selection) -> tuple[Choice, ...]:
    """Return the decoders on the screen, the scenario's own among them."""
    reasons, own = why_not_options(scenario, "decoding"), scenario.decoding.key
    if "decoder" in hidden_parts(selection):  # those beside it are a choice as well
        return decoders_beside(scenario, frozenset())
    allowed = [key for key in DECODINGS if key not in reasons]
    wanted = compared(selection) or allowed[:DEFAULT_COMPARED]
    others = [key for key in wanted if key in allowed and key != own][:MAX_COMPARED]
    return decoders_beside(scenario, frozenset(others))


def deciders(scenario: Scenario, decodings: tuple[Choice, ...]) -> tuple[tuple[str, str], ...]:
    """Return title and summary of what decides: the decoders, or a reduction that uses none."""
    reduction = REDUCTIONS[scenario.reduction.key]
    if not uses(scenario, "decoding"):
        return ((reduction.title, reduction.summary),)
    return tuple((DECODINGS[d.key].title, DECODINGS[d.key].summary) for d in decodings)


def decider_names(scenario: Scenario, decodings: tuple[Choice, ...]) -> dict[str, str]:
    """Return decoder key -> the name of what decides."""
    names = (title for title, _ in deciders(scenario, decodings))
    return {decoding.key: name for decoding, name in zip(decodings, names, strict=False)}
