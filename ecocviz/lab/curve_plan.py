"""Errors over a grid of one or two parameters: at which values, in which order, as one job.

Over one parameter they are curves, over two maps.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from ecocviz.data.types import Table
from ecocviz.engine.params import FloatParam
from ecocviz.engine.progress import Progress
from ecocviz.lab.catalogue import REDUCTIONS, SLOTS
from ecocviz.lab.curves import CurvePoint, CurveTask, Measure, Memory, Reading
from ecocviz.lab.curves_away import measure_away, point_seconds
from ecocviz.lab.predict import CORRECTIONS, training_cost
from ecocviz.lab.report import Report
from ecocviz.lab.run import without_decoder
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.trained import Trained

LOWEST, HIGHEST = -14, 14
"""Powers of two that a grid may reach."""
FEWEST, MOST = 3, 41
"""Points that a grid may have."""
DEFAULT_GRID = (-5, 5, 11)

CHEAP = (Measure.TEST, Measure.TRAIN, Measure.BOUND)
"""Measures that every curve takes."""
COSTLY = (Measure.CROSS_VALIDATION, Measure.EXACT)
"""Measures that retrain machines, the cheaper one first."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter that a grid can run over."""

    slot: str
    param: FloatParam

    @property
    def key(self) -> str:
        """The name in links."""
        return f"{self.slot}.{self.param.name}"

    def value(self, scenario: Scenario) -> float | None:
        """Return what the scenario holds, None where that is a word."""
        choice: Choice = getattr(scenario, self.slot)
        value = choice.values[self.param.name]
        return None if isinstance(value, str) else float(value)

    def put(self, scenario: Scenario, value: float | str) -> Scenario:
        """Return the scenario with another value."""
        return scenario.chosen(self.slot, None, **{self.param.name: value})


@dataclass(frozen=True, slots=True)
class Line:
    """A parameter, and the values that it takes on a grid."""

    axis: Axis
    values: tuple[float, ...]


Place: TypeAlias = tuple[float, ...]
"""One value for each parameter of a grid."""


@dataclass(frozen=True, slots=True)
class GridPlan:
    """What to measure where; the key of the job that does it.

    `scenario` holds the default at every axis, and the default decoder: the same plan is the same
    curve or map, wherever on it the user stands.
    """

    scenario: Scenario
    lines: tuple[Line, ...]
    decodings: tuple[Choice, ...]
    measures: tuple[Measure, ...]

    @property
    def axis(self) -> Axis:
        """The parameter of a curve, the first of a map."""
        return self.lines[0].axis

    @property
    def values(self) -> tuple[float, ...]:
        """What that parameter takes."""
        return self.lines[0].values

    @property
    def places(self) -> tuple[Place, ...]:
        """All points of the grid; what the last parameter takes changes fastest."""
        return tuple(product(*(line.values for line in self.lines)))

    def put(self, scenario: Scenario, place: Place) -> Scenario:
        """Return the scenario with the values of a place."""
        for line, value in zip(self.lines, place, strict=True):
            scenario = line.axis.put(scenario, value)
        return scenario


def axes(scenario: Scenario) -> tuple[Axis, ...]:
    """List the parameters of a scenario that are told on a logarithmic scale and matter now."""
    found = []
    for slot in ("machine", "reduction"):
        if slot == "machine" and slot not in REDUCTIONS[scenario.reduction.key].uses:
            continue
        choice: Choice = getattr(scenario, slot)
        for param in SLOTS[slot][choice.key].params:
            matters = param.only_if is None or choice.values[param.only_if[0]] in param.only_if[1]
            if isinstance(param, FloatParam) and param.log and param.low > 0 and matters:
                found.append(Axis(slot, param))
    return tuple(found)


def grid_values(axis: Axis, low: int, high: int, n: int) -> tuple[float, ...]:
    """Return n values from 2^low to 2^high, evenly on the logarithmic scale, within the parameter's range.

    Examples
    --------
    >>> gamma = FloatParam(name="gamma", label="gamma", default=1.0, low=0.5, high=100.0, log=True)
    >>> grid_values(Axis("machine", gamma), -2, 2, 5)
    (0.5, 1.0, 2.0, 4.0)
    """
    values = (float(2.0**exponent) for exponent in np.linspace(low, high, n))
    return tuple(value for value in values if axis.param.low <= value <= axis.param.high)


def read_grid(text: str) -> tuple[int, int, int]:
    """Read "low,high,points"; anything unreadable or senseless gives the default.

    >>> read_grid("-3,3,7"), read_grid("3,-3,7"), read_grid("")
    ((-3, 3, 7), (-5, 5, 11), (-5, 5, 11))
    """
    try:
        low, high, n = (int(part) for part in text.split(","))
    except ValueError:
        return DEFAULT_GRID
    fits = LOWEST <= low < high <= HIGHEST and FEWEST <= n <= MOST
    return (low, high, n) if fits else DEFAULT_GRID


def make_plan(
    scenario: Scenario, lines: tuple[Line, ...], decodings: tuple[Choice, ...], measures: tuple[Measure, ...]
) -> GridPlan:
    """Build a plan; raise ValueError with a sentence where there is nothing to compare."""
    for line in lines:
        param = line.axis.param
        if len(line.values) < 2:
            raise ValueError(f"{param.label} has fewer than two values on this grid; choose another range.")
        scenario = line.axis.put(scenario, param.default)
    return GridPlan(without_decoder(scenario), lines, decodings, measures)


def plan_seconds(plan: GridPlan, table: Table) -> float:
    """Predict how long a plan takes on its table, to about a factor of three.

    Raises
    ------
    ValueError
        Where the scenario's parts do not fit the table.
    """
    training = training_cost(plan.scenario, table, CORRECTIONS).seconds
    task = CurveTask(plan.scenario, plan.decodings, plan.measures)
    return len(plan.places) * point_seconds(task, training)


def coarse_to_fine(*sizes: int) -> list[int]:
    """Return the positions of a grid so that the first ones already show its shape.

    Parameters
    ----------
    sizes
        How many values each parameter takes.

    Examples
    --------
    >>> coarse_to_fine(7)
    [0, 6, 3, 1, 4, 2, 5]
    >>> coarse_to_fine(3, 3)
    [0, 2, 6, 8, 1, 7, 3, 5, 4]
    """
    turns = list(product(*(map(_halving(n).index, range(n)) for n in sizes)))
    return sorted(range(len(turns)), key=lambda position: (max(turns[position]), turns[position]))


def _halving(n: int) -> list[int]:
    """Return the positions 0..n-1, both ends first, then the middles of the gaps, wider ones before."""
    order: list[int] = [0, n - 1] if n > 1 else [0]
    gaps = [(0, n - 1)]
    while gaps:
        wider = []
        for low, high in gaps:
            if high - low > 1:
                middle = (low + high) // 2
                order.append(middle)
                wider += [(low, middle), (middle, high)]
        gaps = wider
    return order


def trace(
    plan: GridPlan, report: Report, memory: Memory, train: Callable[[Scenario, Progress], Trained]
) -> None:
    """Measure every point of a plan; hand (position, what is known there) over as they come.

    Of the many points of a map only the counts are handed over. `train` is for jobs without worker processes.
    """
    order = coarse_to_fine(*(len(line.values) for line in plan.lines))
    single = len(plan.lines) == 1
    for done, position in enumerate(order):
        place = plan.places[position]
        now = " and ".join(f"{value:.4g}" for value in place)
        step = report.part(
            done, len(order), f"{done} of {len(order)} {'values' if single else 'pairs'}, now {now}"
        )

        def tell(point: CurvePoint, position: int = position) -> None:
            report.add((position, point if single else point.counts()))

        task = CurveTask(plan.put(plan.scenario, place), plan.decodings, plan.measures)
        measure_away(task, report, step, memory=memory, so_far=tell, train=train)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One kind of error of one decoder over a grid: a curve over one parameter, a map over two.

    Attributes
    ----------
    decoder
        Its name.
    measure
        What kind.
    places
        The points of the grid, rising.
    n_wrong
        Errors at every point of the grid, None where they are not known yet.
    n
        Points that were judged.
    seconds
        What all readings took beyond training.
    status
        "theorem", "estimate" or "exact" for leave-one-out curves.
    """

    decoder: str
    measure: Measure
    places: tuple[Place, ...]
    n_wrong: tuple[int | None, ...]
    n: int
    seconds: float
    status: str | None = None

    @property
    def grid(self) -> tuple[float, ...]:
        """The values of the first parameter, of a curve the only one."""
        return tuple(place[0] for place in self.places)

    @property
    def known(self) -> tuple[int, ...]:
        """Positions of the grid that have been measured."""
        return tuple(k for k, n_wrong in enumerate(self.n_wrong) if n_wrong is not None)

    @property
    def minimum(self) -> int:
        """Position of the least error; of equal ones the smallest value."""
        return min(self.known, key=lambda k: (self.n_wrong[k], self.places[k]))

    @property
    def least(self) -> int:
        """The least number of errors."""
        return int(self.n_wrong[self.minimum] or 0)


def curves_of(
    plan: GridPlan, points: Mapping[int, CurvePoint], titles: Mapping[str, str]
) -> tuple[Curve, ...]:
    """Return the curves of every decoder and measure of a plan that has a reading, decoder by decoder.

    Parameters
    ----------
    plan
        What was measured.
    points
        Position on the grid -> what is known there.
    titles
        Decoder key -> its name.
    """
    found = []
    for decoding in plan.decodings:
        for measure in (measure for measure in Measure if measure in plan.measures):
            readings = {position: point.reading(decoding, measure) for position, point in points.items()}
            known = {position: reading for position, reading in readings.items() if reading is not None}
            if known:
                found.append(_curve(plan, titles[decoding.key], measure, known))
    return tuple(found)


def _curve(plan: GridPlan, decoder: str, measure: Measure, readings: dict[int, Reading]) -> Curve:
    n_wrong = tuple(
        readings[position].n_wrong if position in readings else None for position in range(len(plan.places))
    )
    first = next(iter(readings.values()))
    return Curve(
        decoder=decoder,
        measure=measure,
        places=plan.places,
        n_wrong=n_wrong,
        n=first.n,
        seconds=sum(reading.seconds for reading in readings.values()),
        status=None if first.status is None else first.status.value,
    )
