"""What the maps of the Model selection page show: errors over two parameters at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2

from ecocviz.engine.params import ChoiceParam, FloatParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.choices import decider_names
from ecocviz.lab.curve_plan import (
    HIGHEST,
    LOWEST,
    Axis,
    Curve,
    GridPlan,
    Line,
    Place,
    axes,
    curves_of,
    grid_values,
    make_plan,
)
from ecocviz.lab.curves import CurvePoint, Measure
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.selection import Selection
from ecocviz.lab.settled import Numbers
from ecocviz.views.model_selection.facts import (
    MAPGRID,
    MAPOF,
    MAPS,
    Minimum,
    minima,
    tried_decoders,
    tried_decodings,
)

MEASURED = (Measure.BOUND, Measure.CROSS_VALIDATION, Measure.TEST)
"""A map each, from left to right."""
FEWEST, MOST, USUAL = 3, 15, 7
"""Values of either parameter."""
SPAN, MIDDLE = 12, 2
"""Of the usual grid, in powers of two; its middle where the parameter's own default is a word."""

Ends = tuple[int, int]
"""Powers of two that the values of a parameter go from and to."""


@dataclass(frozen=True, slots=True)
class MapGrid:
    """Over which two parameters, from where to where, at how many values of either."""

    across: Axis
    upwards: Axis
    ends: tuple[Ends, Ends]
    n: int

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """Both parameters."""
        return self.across, self.upwards

    @property
    def text(self) -> str:
        """What `MAPGRID` holds."""
        (left, right), (low, high) = self.ends
        return f"{left},{right},{low},{high},{self.n}"


# What is asked for ---------------------------------------------------------------------------------


def map_grid(scenario: Scenario, selection: Selection) -> MapGrid | None:
    """Return what a link asks for, or the usual; None where a scenario has no two parameters for it."""
    found = {axis.key: axis for axis in axes(scenario)}
    if len(found) < 2:
        return None
    asked = [key for key in dict.fromkeys(selection[MAPS].split(",")) if key in found]
    across, upwards = [found[key] for key in dict.fromkeys((*asked, *found))][:2]
    ends, n = _read(selection[MAPGRID]) or ((usual_ends(across), usual_ends(upwards)), USUAL)
    return MapGrid(across, upwards, ends, n)


def usual_ends(axis: Axis) -> Ends:
    """Return where the values of a parameter go from and to unless somebody chooses."""
    default = axis.param.default
    middle = MIDDLE if isinstance(default, str) else round(log2(default))
    low = min(max(middle - SPAN // 2, LOWEST), HIGHEST - SPAN)
    return low, low + SPAN


def _read(text: str) -> tuple[tuple[Ends, Ends], int] | None:
    """Read "low,high,low,high,points"; None for anything unreadable or senseless."""
    try:
        left, right, low, high, n = (int(part) for part in text.split(","))
    except ValueError:
        return None
    fits = LOWEST <= left < right <= HIGHEST and LOWEST <= low < high <= HIGHEST
    return (((left, right), (low, high)), n) if fits and FEWEST <= n <= MOST else None


def map_plan(scenario: Scenario, selection: Selection, grid: MapGrid) -> GridPlan:
    """Return what is to be measured; raise ValueError with a sentence where that is impossible."""
    lines = tuple(
        Line(axis, grid_values(axis, *ends, grid.n)) for axis, ends in zip(grid.axes, grid.ends, strict=True)
    )
    return make_plan(scenario, lines, tried_decodings(scenario, selection), MEASURED)


def why_no_map(scenario: Scenario) -> str:
    """Say why a scenario has no two parameters for a map; "" where it has not even one."""
    found = axes(scenario)
    if not found:
        return ""
    (only,) = found
    others = [other for slot in ("machine", "reduction") for other in _idle(scenario, slot, only)]
    more = f" {others[0]}" if others else ""
    return f"A map needs two parameters, and here only {only.param.label} can be varied.{more}"


def _idle(scenario: Scenario, slot: str, only: Axis) -> list[str]:
    """Say with which setting of a slot the parameters come that have no meaning now."""
    if slot != only.slot:
        return []
    declared = {param.name: param for param in SLOTS[slot][getattr(scenario, slot).key].params}
    said = []
    for param in declared.values():
        if isinstance(param, FloatParam) and param.log and param.only_if is not None and param != only.param:
            name, allowed = param.only_if
            setting = declared[name]
            labels = dict(setting.options) if isinstance(setting, ChoiceParam) else {}
            kind = labels.get(str(allowed[0]), str(allowed[0]))
            said.append(f"{param.label} comes with {setting.label.lower()} {kind}.")
    return said


# What was found ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MapFacts:
    """What is known of a plan so far, for the decoder whose maps are shown.

    Attributes
    ----------
    plan
        What was asked for.
    maps
        Those that have begun, from left to right.
    decoder
        Name of the decoder.
    refused
        Why others could not be measured.
    seconds
        What training took.
    now
        The scenario's own place; None where that is not known.
    """

    plan: GridPlan
    maps: tuple[Curve, ...]
    decoder: str
    refused: tuple[str, ...]
    seconds: float
    now: Place | None

    @property
    def whole(self) -> bool:
        """Whether every pair is measured."""
        return all(len(one.known) == len(one.places) for one in self.maps)

    @property
    def minima(self) -> tuple[Minimum, ...]:
        """The minimum of every map, and what choosing it costs in test error."""
        return minima(self.maps, self.decoder)

    @property
    def here(self) -> int | None:
        """Position of the grid's cell in which the scenario's own place lies; None where it is outside."""
        if self.now is None:
            return None
        position = 0
        for line, value in zip(self.plan.lines, self.now, strict=True):
            steps = [log2(each) for each in line.values]
            half = (steps[-1] - steps[0]) / (len(steps) - 1) / 2
            nearest = min(range(len(steps)), key=lambda k: abs(steps[k] - log2(value)))
            if abs(steps[nearest] - log2(value)) > half * (1 + 1e-9):
                return None
            position = position * len(steps) + nearest
        return position


def shown_decoder(scenario: Scenario, selection: Selection) -> str:
    """Return the key of the decoder whose maps are shown: the asked one, else the scenario's own."""
    tried = tried_decoders(scenario, selection)
    return selection[MAPOF] if selection[MAPOF] in tried else tried[0]


def gather_maps(
    scenario: Scenario,
    selection: Selection,
    plan: GridPlan,
    points: Mapping[int, CurvePoint],
    numbers: Mapping[str, Numbers],
) -> MapFacts:
    """Put together what is known of a plan.

    Parameters
    ----------
    scenario, selection
        What is on the screen.
    plan
        What is measured.
    points
        Position on the grid -> what is known there.
    numbers
        Slot -> what the words of its parameters stand for, as far as that is known.
    """
    titles = decider_names(scenario, plan.decodings)
    shown = shown_decoder(scenario, selection)
    (decoding,) = (each for each in plan.decodings if each.key == shown)
    found = {one.measure: one for one in curves_of(plan, points, titles) if one.decoder == titles[shown]}
    maps = tuple(found[measure] for measure in MEASURED if measure in found)
    refused = (said for point in points.values() for said in point.refused((decoding,), MEASURED))
    return MapFacts(
        plan,
        maps,
        titles[shown],
        tuple(dict.fromkeys(refused)),
        sum(point.seconds for point in points.values()),
        own_place(scenario, plan, numbers),
    )


def own_place(scenario: Scenario, plan: GridPlan, numbers: Mapping[str, Numbers]) -> Place | None:
    """Return the scenario's own values of the parameters; None where one is a word of unknown meaning."""
    place = []
    for line in plan.lines:
        slot, name = line.axis.slot, line.axis.param.name
        value = getattr(scenario, slot).values[name]
        number = numbers.get(slot, {}).get((name, value)) if isinstance(value, str) else float(value)
        if number is None or number <= 0:
            return None
        place.append(number)
    return tuple(place)
