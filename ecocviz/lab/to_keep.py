"""What a page shows of errors, on its way into the store: single scenarios, and curves and maps as sweeps.

A page only says what there is and by what it is known; all else is done where nobody waits for it.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ecocviz.engine.analysis.rejecting import Decided
from ecocviz.engine.params import shorten
from ecocviz.lab.curve_plan import GridPlan, Place
from ecocviz.lab.curves import CurvePoint
from ecocviz.lab.report import JobState, Snapshot
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.store import Store
from ecocviz.lab.store_about import decided_record, key_of, record_of, title_of
from ecocviz.lab.store_rows import DONE, STOPPED, SWEEP

LONGEST_TITLE = 160


@dataclass(frozen=True, slots=True)
class Found:
    """A scenario whose errors are known.

    Attributes
    ----------
    scenario
        With its decoder.
    counts
        "test" and "train", as far as they are known -> points decided wrongly, of how many.
    seconds
        What training took.
    decided
        The same parts -> what comes of the points that the scenario leaves undecided, if it does.
    more
        What else was computed of it, by names that say what it is.
    """

    scenario: Scenario
    counts: Mapping[str, tuple[int, int]]
    seconds: float
    decided: Mapping[str, Decided] = field(default_factory=dict)
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToKeep:
    """What is to be kept.

    Attributes
    ----------
    key
        Another one where there is something else to keep.
    write
        Writes it into a store, for an owner, as what a page shows, and whether nobody asked for it.
    """

    key: Hashable
    write: Callable[[Store, str, str, bool], None]


def errors_to_keep(key: Hashable, found: Callable[[], Iterable[Found]]) -> ToKeep:
    """Return errors of scenarios as what is to be kept; they are gathered when they are written."""

    def write(store: Store, owner: str, page: str, recent: bool = True) -> None:
        for one in found():
            errors = {
                part: counted(*count) | decided_record(one.decided.get(part))
                for part, count in one.counts.items()
                if count[1]
            }
            if errors or one.more:
                store.record(one.scenario, {**errors, **one.more}, one.seconds, owner, page, recent=recent)

    return ToKeep(key, write)


def counted(wrong: int, n: int) -> dict[str, Any]:
    """Return a count of errors as the store keeps it.

    >>> counted(3, 12)
    {'points': 12, 'wrong': 3, 'error': 0.25}
    """
    return {"points": int(n), "wrong": int(wrong), "error": int(wrong) / int(n)}


def curve_to_keep(plan: GridPlan | None, job: Snapshot | None) -> ToKeep | None:
    """Return a curve or a map as a sweep that is to be kept, as far as it is known; None without any point.

    While its job goes on it counts as stopped: nobody may look at it when it ends.
    """
    points: dict[int, CurvePoint] = {} if job is None else dict(job.partial)
    if plan is None or job is None or not (points or job.state.over):
        return None
    whole = job.state is JobState.DONE

    def write(store: Store, owner: str, page: str, recent: bool = True) -> None:
        n_points = len(plan.places) * len(plan.decodings)
        title, about = curve_title(plan), about_curve(plan)
        run = store.begin(SWEEP, title, about, n_points, owner, page, recent=recent)
        known = store.known(run)
        for place, point in sorted(points.items()):
            for scenario, found in _measured(plan, plan.places[place], point):
                before = known.get(key_of(scenario), {})
                if found and any(before.get(name) != record for name, record in found.items()):
                    store.add(run, key_of(scenario), {"scenario": scenario.to_flat(), **found})
        seconds = sum(point.seconds for point in points.values())
        store.end(run, DONE if whole else STOPPED, seconds)

    return ToKeep((plan, len(points), job.state.over, whole), write)


def _measured(
    plan: GridPlan, place: Place, point: CurvePoint
) -> Iterator[tuple[Scenario, dict[str, dict[str, Any]]]]:
    """Go through the decoders of a point: the scenario, and what was read of it by measures."""
    for decoding in plan.decodings:
        readings = {measure.value: point.reading(decoding, measure) for measure in plan.measures}
        found = {name: record_of(reading) for name, reading in readings.items() if reading is not None}
        yield replace(plan.put(plan.scenario, place), decoding=decoding), found


def about_curve(plan: GridPlan) -> dict[str, Any]:
    """Say what a plan computes, as the command line does of a sweep."""
    over = {line.axis.key: [line.axis.param.text(value) for value in line.values] for line in plan.lines}
    over["decoding"] = [decoding.key for decoding in plan.decodings]
    measures = sorted(measure.value for measure in plan.measures)
    return {"scenario": plan.scenario.to_flat(), "over": over, "measures": measures}


def curve_title(plan: GridPlan) -> str:
    """Name a plan: the scenario, and over what it runs."""
    over = " and ".join(line.axis.param.symbol or line.axis.param.label for line in plan.lines)
    first = plan.scenario.chosen("decoding", plan.decodings[0].key, **plan.decodings[0].values)
    n = len(plan.decodings)
    name = title_of(first) if n == 1 else f"{title_of(first).rpartition(', ')[0]}, {n} decoders"
    return shorten(f"{name}, over {over}", LONGEST_TITLE)
