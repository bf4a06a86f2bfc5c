"""The points of one kept run, a sweep or a study of a paper, and how they are drawn."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.spread import Spread, over_seeds
from ecocviz.lab.store import Store
from ecocviz.lab.store_rows import Run
from ecocviz.views.runs.facts import Count, Difference, count_of, differences, read_scenario

MOST_POINTS = 1_000
"""So many are drawn; the table has all."""
SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class Place:
    """A point of a figure: where it is, and its error or another number."""

    x: float
    y: float
    count: Count | None
    key: str


@dataclass(frozen=True, slots=True)
class Points:
    """The points of a sweep or of a paper's study.

    Attributes
    ----------
    rows
        Each point's key and record.
    axis
        Over what the figure runs; None where the points stand in the order in which they were finished.
    value
        What is drawn: "error", or the name of a number in the records; "" where there is none.
    lines
        What else is varied -> points of the figure, from left to right.
    spreads
        Where seeds are varied: the errors of each setting over them.
    """

    rows: tuple[tuple[str, Mapping[str, Any]], ...]
    axis: Difference | None
    value: str
    lines: Mapping[str, tuple[Place, ...]]
    spreads: tuple[Spread[str], ...] = ()


def points_of(store: Store, run: Run, owner: str | None) -> Points:
    """Read the points of a run and choose how to draw them.

    Test errors stand over the number that was varied most; other numbers in the order of the points.
    """
    rows = tuple(store.points(run.id, owner).items())
    known = [
        (scenario, count, key)
        for key, record in rows[:MOST_POINTS]
        if (scenario := _scenario_in(key)) is not None and (count := count_of(record.get("test"))) is not None
    ]
    if not known:
        return _numbers(rows)
    varied = differences([scenario for scenario, _, _ in known])
    numeric = [one for one in varied if all(_is_number(value) for value in one.values)]
    axis = max(numeric, key=lambda one: len(set(one.values)), default=None)
    lines: dict[str, list[Place]] = {}

    def told(k: int, *leaving: Difference | None) -> str:
        others = (one for one in varied if one not in leaving)
        return " · ".join(told_value(one.slot, one.name, one.values[k]) for one in others)

    for k, (_, count, key) in enumerate(known):
        x = float(k + 1 if axis is None else axis.values[k])
        line = "" if axis is None else told(k, axis)
        lines.setdefault(line, []).append(Place(x, count.error, count, key))
    seeds = [one for one in varied if one.slot == "seed"]
    spreads = over_seeds((told(k, *seeds), count.error) for k, (_, count, _) in enumerate(known) if seeds)
    placed = {name: tuple(sorted(line, key=_x)) for name, line in lines.items()}
    return Points(rows, axis, "error", placed, tuple(spreads))


def _x(place: Place) -> float:
    return place.x


def _numbers(rows: tuple[tuple[str, Mapping[str, Any]], ...]) -> Points:
    """Draw the number that most records hold, times apart, in the order of the points."""
    names = Counter(name for _, record in rows for name, value in record.items() if _is_number(value))
    names.pop(SECONDS, None)
    if not names:
        return Points(rows, None, "", {})
    value = max(names, key=names.__getitem__)
    found = [
        Place(float(k + 1), float(record[value]), None, key)
        for k, (key, record) in enumerate(rows[:MOST_POINTS])
        if _is_number(record.get(value))
    ]
    return Points(rows, None, value, {"": tuple(found)})


def _scenario_in(key: str) -> Scenario | None:
    """Return the scenario of a sweep's point, whose key it is; None for any other point."""
    if not key.startswith("{"):
        return None
    try:
        return read_scenario(key)
    except (ValueError, AttributeError):
        return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def told_value(slot: str, name: str, value: object) -> str:
    """Name a value plainly: a choice by its title, a parameter as name and value."""
    if name:
        return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
    entry = SLOTS[slot].get(str(value)) if slot in SLOTS else None
    return f"{slot} {value}" if entry is None else str(entry.title)
