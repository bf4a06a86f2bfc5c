"""What can be chosen beside what is chosen: facts about entries, no widgets."""

from typing import Any

from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES
from ecocviz.lab.catalogue import REDUCTIONS, SLOTS, why_not
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.views.shared.app import state

DEFAULT_COMPARED = 4
MAX_COMPARED = 5


def shown_decoders(held: state.Session) -> tuple[str, ...]:
    """Return the keys of the decoders on the screen, in catalogue order, the scenario's own among them."""
    reasons, own = unavailable(held.scenario, "decoding"), held.scenario.decoding.key
    if "decoding" not in REDUCTIONS[held.scenario.reduction.key].uses:
        return (own,)
    allowed = [key for key in DECODINGS if key not in reasons]
    wanted = state.compared(held.selection) or allowed[:DEFAULT_COMPARED]
    others = [key for key in wanted if key in allowed and key != own][:MAX_COMPARED]
    return tuple(key for key in DECODINGS if key == own or key in others)


def unavailable(scenario: Scenario, slot: str) -> dict[str, str]:
    """Return the entries of a slot that do not go with the rest, each with the sentence that says why."""
    parts: dict[str, Any] = {
        "coding": CODINGS[scenario.coding.key],
        "decoding": DECODINGS[scenario.decoding.key],
        "reduction": REDUCTIONS[scenario.reduction.key],
        "machine": MACHINES[scenario.machine.key],
    }
    if slot not in parts:
        return {}
    found = {key: why_not(**{**parts, slot: entry}) for key, entry in SLOTS[slot].items()}
    return {key: reason for key, reason in found.items() if reason}


def deciders(scenario: Scenario, decodings: tuple[Choice, ...]) -> tuple[tuple[str, str], ...]:
    """Return title and summary of what decides: the decoders, or a reduction that uses none."""
    reduction = REDUCTIONS[scenario.reduction.key]
    if "decoding" not in reduction.uses:
        return ((reduction.title, reduction.summary),)
    return tuple((DECODINGS[d.key].title, DECODINGS[d.key].summary) for d in decodings)
