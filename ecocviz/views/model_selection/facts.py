"""What the Model selection page shows of curves over a parameter: the plan, the minima, the points behind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose

import numpy as np

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.params import TextParam
from ecocviz.engine.types import FloatArray
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.choices import decider_names, uses, why_not_options
from ecocviz.lab.curve_plan import (
    CHEAP,
    COSTLY,
    Axis,
    Curve,
    GridPlan,
    Line,
    Place,
    axes,
    curves_of,
    grid_values,
    make_plan,
    read_grid,
)
from ecocviz.lab.curves import CurvePoint, Measure, Reading
from ecocviz.lab.run import why_not_run
from ecocviz.lab.scenario import Choice, Scenario, choose
from ecocviz.lab.selection import AXIS, DIGITS, GRID, KEYS, LOWER, Selection

TRIED = TextParam(
    name="tried", label="Decoders of the curves", default="", alphabet=f"{KEYS}.", max_length=600
)
"""Those with curves of their own beside the scenario's, dot-separated."""
CURVES = TextParam(name="curves", label="Curves shown", default="train", alphabet=f"{LOWER}-.", max_length=80)
"""The optional measures, dot-separated."""
MAPS = TextParam(
    name="maps",
    label="Parameters of the maps",
    default="",
    alphabet=f"{LOWER}{LOWER.upper()}{DIGITS}._,",
    max_length=120,
)
"""Two parameters "slot.name,slot.name"; "" where no maps are asked for."""
MAPGRID = TextParam(
    name="mapgrid", label="Grid of the maps", default="", alphabet=f"{DIGITS}-,", max_length=30
)
"""Values "low,high,low,high,points", the ends of either parameter as powers of two."""
MAPOF = TextParam(name="mapof", label="Decoder of the maps", default="", alphabet=KEYS, max_length=60)

SELECTION = (TRIED, CURVES, MAPS, MAPGRID, MAPOF)

MAX_TRIED = 6
SHOWN_ALWAYS = (Measure.TEST, Measure.BOUND)
OPTIONAL = tuple(measure for measure in Measure if measure not in SHOWN_ALWAYS)
ENLARGED = "low"
"""Among the optional measures: draw low errors larger."""

# What is asked for ---------------------------------------------------------------------------------


def chosen_axis(scenario: Scenario, selection: Selection) -> Axis:
    """Return the parameter that the curves run over; raise ValueError with a sentence if there is none."""
    reason = why_not_run(scenario)
    if reason:
        raise ValueError(reason)
    found = axes(scenario)
    if not found:
        slot = "machine" if uses(scenario, "machine") else "reduction"
        title = SLOTS[slot][getattr(scenario, slot).key].title
        raise ValueError(f"{title} has no parameter that a curve can run over; choose a kernel machine.")
    return next((axis for axis in found if axis.key == selection[AXIS]), found[0])


def asked_curves(selection: Selection) -> list[str]:
    """Return what the link asks to be shown beside the rest."""
    return selection[CURVES].split(".")


def chosen_measures(selection: Selection) -> tuple[Measure, ...]:
    """Return the measures on the screen."""
    asked = asked_curves(selection)
    return tuple(measure for measure in Measure if measure in SHOWN_ALWAYS or measure in asked)


def tried_decoders(scenario: Scenario, selection: Selection) -> tuple[str, ...]:
    """Return the keys of the decoders whose curves are shown, the scenario's own first."""
    own = scenario.decoding.key
    if not uses(scenario, "decoding"):
        return (own,)
    reasons = why_not_options(scenario, "decoding")
    asked = [key for key in selection[TRIED].split(".") if key in DECODINGS and key not in reasons]
    return tuple(dict.fromkeys((own, *asked)))[:MAX_TRIED]


def tried_decodings(scenario: Scenario, selection: Selection) -> tuple[Choice, ...]:
    """Return the same decoders with their settings."""
    own = scenario.decoding
    tried = tried_decoders(scenario, selection)
    return tuple(own if key == own.key else choose("decoding", key) for key in tried)


def asked_plan(scenario: Scenario, selection: Selection) -> GridPlan:
    """Return what is to be measured; raise ValueError with a sentence where that is impossible."""
    axis, shown = chosen_axis(scenario, selection), chosen_measures(selection)
    line = Line(axis, grid_values(axis, *read_grid(selection[GRID])))
    measures = (*CHEAP, *(measure for measure in COSTLY if measure in shown))
    return make_plan(scenario, (line,), tried_decodings(scenario, selection), measures)


# What was found ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CurveFacts:
    """What is known of a plan so far.

    Attributes
    ----------
    plan
        What was asked for.
    points
        Position on the grid -> what is known there.
    curves
        Those that are shown and have begun.
    own
        Name of the scenario's own decoder.
    now
        The scenario's own value of the parameter; None where that is a word.
    enlarged
        Whether low errors are drawn larger.
    """

    plan: GridPlan
    points: Mapping[int, CurvePoint]
    curves: tuple[Curve, ...]
    own: str
    now: float | None
    enlarged: bool

    @property
    def decoders(self) -> tuple[str, ...]:
        """Names of the decoders that have curves."""
        return tuple(dict.fromkeys(curve.decoder for curve in self.curves))

    @property
    def seconds(self) -> float:
        """What training took."""
        return sum(point.seconds for point in self.points.values())

    @property
    def refused(self) -> tuple[str, ...]:
        """Why readings could not be taken, without what the test error's own sentence says."""
        plan = self.plan
        said = (s for p in self.points.values() for s in p.refused(plan.decodings, plan.measures))
        return tuple(sentence for sentence in dict.fromkeys(said) if "no test points" not in sentence)


def gather(
    scenario: Scenario, selection: Selection, plan: GridPlan, points: Mapping[int, CurvePoint]
) -> CurveFacts:
    """Put together what is known of a plan, as the selection wants it shown."""
    titles, shown = decider_names(scenario, plan.decodings), chosen_measures(selection)
    curves = tuple(curve for curve in curves_of(plan, points, titles) if curve.measure in shown)
    own, now = titles[plan.decodings[0].key], plan.axis.value(scenario)
    return CurveFacts(plan, points, curves, own, now, ENLARGED in asked_curves(selection))


@dataclass(frozen=True, slots=True)
class Minimum:
    """What choosing the minimum of one curve means.

    Attributes
    ----------
    curve
        Whose minimum.
    test
        The test errors of the same decoder; None without test points, or before they are known.
    """

    curve: Curve
    test: Curve | None

    @property
    def place(self) -> Place:
        """The values of the parameters."""
        return self.curve.places[self.curve.minimum]

    @property
    def value(self) -> float:
        """The value of the parameter, of several the first."""
        return self.place[0]

    @property
    def n_test_wrong(self) -> int | None:
        """Test errors at that value; None where they are not known."""
        return None if self.test is None else self.test.n_wrong[self.curve.minimum]

    @property
    def more(self) -> int | None:
        """Test errors more than at the best value for the test points."""
        if self.test is None or self.n_test_wrong is None:
            return None
        return self.n_test_wrong - self.test.least


def minima(curves: Sequence[Curve], decoder: str) -> tuple[Minimum, ...]:
    """Return the minimum of every curve of one decoder, and what choosing it costs in test error."""
    own = [curve for curve in curves if curve.decoder == decoder]
    test = next((curve for curve in own if curve.measure == Measure.TEST), None)
    return tuple(Minimum(curve, test) for curve in own)


# The points behind one value -----------------------------------------------------------------------


def shown_position(facts: CurveFacts) -> int | None:
    """Return the grid's value whose points are shown: the scenario's own, else the bound's minimum."""
    for position in facts.points:
        if facts.now is not None and isclose(facts.plan.values[position], facts.now, rel_tol=1e-9):
            return position
    own = {curve.measure: curve for curve in facts.curves if curve.decoder == facts.own}
    found = (own[measure] for measure in (Measure.BOUND, Measure.EXACT, Measure.TEST) if measure in own)
    return next((curve.minimum for curve in found), None)


@dataclass(frozen=True, slots=True)
class PointMargins:
    """Every training point's multiclass margins at one value; a margin at or below 0 is an error.

    Attributes
    ----------
    seen
        What `before` was read from: the training error, or the leave-one-out error.
    judged
        The bound, or what stands in for it: the margin that each point is judged by, and its verdict.
    before : (n,)
        Margins that the same points are seen with.
    """

    seen: Measure
    judged: Reading
    before: FloatArray

    @property
    def n_new(self) -> int:
        """Points that count as errors, although they are decided rightly as they are seen."""
        return int((self.judged.flagged & (self.before > 0)).sum())


def point_margins(point: CurvePoint, decoding: Choice) -> PointMargins | None:
    """Return the margins behind the bound, or behind the leave-one-out error where there is no bound."""
    readings = {measure: point.reading(decoding, measure) for measure in Measure}
    bound, exact = readings[Measure.BOUND], readings[Measure.EXACT]
    seen = exact if bound is not None and exact is not None else readings[Measure.TRAIN]
    judged = bound or exact or readings[Measure.CROSS_VALIDATION]
    if seen is None or judged is None:
        return None
    place = np.argsort(seen.rows, kind="stable")
    before = seen.margins[place[np.searchsorted(seen.rows[place], judged.rows)]]
    return PointMargins(seen.measure, judged, before)
