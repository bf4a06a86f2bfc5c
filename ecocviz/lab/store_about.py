"""What a kept run is about, in words and numbers: its data sets, its title, and records of what was found."""

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ecocviz.data.uploads import UPLOAD, name_of
from ecocviz.lab.catalogue import DEFAULTS, SLOTS
from ecocviz.lab.scenario import Choice, from_flat

if TYPE_CHECKING:
    from ecocviz.engine.analysis.rejecting import Decided
    from ecocviz.lab.curves import Reading
    from ecocviz.lab.evaluate import Outcome
    from ecocviz.lab.scenario import Scenario


def canonical(about: Mapping[str, Any]) -> str:
    """Write JSON in the one way in which equal things are written equally."""
    return json.dumps(about, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def as_text(record: Mapping[str, Any]) -> str:
    """Write a record in the order that it has; every digit of a number is kept."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def digest_of(kind: str, about: str, owner: str, version: str) -> str:
    """Return by what the same run is found again."""
    return hashlib.sha256(json.dumps([kind, about, owner, version]).encode()).hexdigest()


def key_of(scenario: "Scenario") -> str:
    """Return the key of a sweep's point: its scenario as text."""
    return canonical(scenario.to_flat())


def read_object(text: str) -> dict[str, Any] | None:
    """Return the object that a row of the store holds as JSON, None where that is damaged."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def sets_in(about: str) -> str:
    """Return the data sets of what a run is about, as one text such as |glass|iris|.

    >>> sets_in('{"over": {"data": ["iris", "glass"]}, "scenario": {"v": "1"}}')
    '|glass|iris|'
    """
    try:
        read = json.loads(about)
        if "scenario" not in read:
            return ""
        own = read["scenario"].get("data", DEFAULTS["data"])
        sets = {str(each) for each in read.get("over", {}).get("data", [own])}
    except (ValueError, TypeError, AttributeError):
        return ""
    return f"|{'|'.join(sorted(sets))}|"


def title_of(scenario: "Scenario") -> str:
    """Name a scenario in a few words.

    >>> from ecocviz.lab.scenario import make_scenario
    >>> title_of(make_scenario(data="glass", decoding="hamming"))
    'Glass, One-vs-all, Hamming'
    """
    shown = ("data", "coding", "reduction", "machine", "decoding", "rejecting")
    named = [
        title_of_choice(slot, getattr(scenario, slot))
        for slot in shown
        if slot in {"data", "coding", "decoding"} or getattr(scenario, slot).key != DEFAULTS[slot]
    ]
    return ", ".join(named)


def title_of_choice(slot: str, choice: Choice) -> str:
    """Name what is chosen in a slot: a file of one's own by its name, all else by its title.

    >>> title_of_choice("data", Choice("glass"))
    'Glass'
    """
    own = name_of(str(choice.values["digest"])) if (slot, choice.key) == ("data", UPLOAD.key) else ""
    return own or str(SLOTS[slot][choice.key].title)


def record_of(found: "Outcome | Reading") -> dict[str, Any]:
    """Return what is kept of an error: of how many points it is, how many are wrong, the share of them.

    Where a decoder leaves points undecided, also how many, and what is wrong among the others.
    """
    return {"points": found.n, "wrong": found.n_wrong, "error": found.error, **decided_record(found.decided)}


def decided_record(decided: "Decided | None") -> dict[str, Any]:
    """Return what is kept of points that are left undecided, nothing where every point is decided.

    >>> from ecocviz.engine.analysis.rejecting import Decided
    >>> decided_record(Decided(10, 2, 4))
    {'undecided': 2, 'decided_wrong': 4, 'decided_error': 0.5}
    """
    if decided is None:
        return {}
    return {
        "undecided": int(decided.n_rejected),
        "decided_wrong": int(decided.n_wrong),
        "decided_error": decided.error,
    }


def settings_of(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return every setting of a scenario and its seed; what this version cannot read, as it is.

    >>> found = settings_of({"v": "1", "data": "glass", "machine.gamma": "0.5"})
    >>> found["data"], found["machine.gamma"], found["coding"], found["seed"]
    ('glass', 0.5, 'one-vs-all', 0)
    """
    scenario, problems = from_flat({str(name): str(value) for name, value in flat.items()})
    if problems:
        return dict(flat)
    found: dict[str, Any] = {"v": flat.get("v", "1"), "seed": scenario.seed}
    for slot in SLOTS:
        choice: Choice = getattr(scenario, slot)
        found[slot] = choice.key
        found |= {f"{slot}.{name}": value for name, value in choice.values.items()}
    return found
