"""Curves and readings that were never measured."""

import numpy as np

from ecocviz.lab.curve_plan import Curve, GridPlan, Line, axes
from ecocviz.lab.curves import CurvePoint, Measure, Reading
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.model_selection.facts import CurveFacts
from ecocviz.views.model_selection.maps import MapFacts

GRID = (0.25, 0.5, 1.0, 2.0)
HAMMING = choose("decoding", "hamming")
SCENARIO = make_scenario(data="iris")
PLAN = GridPlan(SCENARIO, (Line(axes(SCENARIO)[0], GRID),), (HAMMING,), tuple(Measure))


def curve(measure, n_wrong, *, decoder="Hamming", n=50, status=None, seconds=0.1, grid=GRID):
    return Curve(
        decoder=decoder,
        measure=Measure(measure),
        places=tuple((value,) for value in grid),
        n_wrong=n_wrong,
        n=n,
        seconds=seconds,
        status=status,
    )


def facts_of(*curves, points=None, now=None, enlarged=False, own="Hamming"):
    return CurveFacts(PLAN, points or {}, curves, own, now, enlarged)


def reading(measure, margins, *, rows=None, truth=None):
    """A reading of points that count as errors where their margin is not positive."""
    margins = np.asarray(margins, dtype=float)
    rows = np.arange(margins.size) if rows is None else np.asarray(rows)
    truth = rows % 2 if truth is None else truth
    flagged = margins <= 0
    return Reading(
        Measure(measure), HAMMING, int(flagged.sum()), rows.size, 0.1, None, rows, truth, flagged, margins
    )


def point_of(*readings):
    return CurvePoint(SCENARIO, ("a", "b"), 0.5, {(HAMMING, each.measure): each for each in readings})


MAP_PLAN = GridPlan(
    SCENARIO,
    tuple(
        Line(axis, values)
        for axis, values in zip(axes(SCENARIO), ((0.25, 1.0, 4.0), (0.5, 8.0)), strict=True)
    ),
    (HAMMING,),
    (Measure.BOUND, Measure.CROSS_VALIDATION, Measure.TEST),
)
"""Three values of gamma, and two of C for each of them."""


def error_map(measure, n_wrong, *, n=50, plan=MAP_PLAN):
    """A map; of its errors the first two are those at the least gamma."""
    return Curve(
        decoder="Hamming", measure=Measure(measure), places=plan.places, n_wrong=n_wrong, n=n, seconds=0.1
    )


def map_facts(*maps, now=None, plan=MAP_PLAN, refused=()):
    return MapFacts(plan, maps, "Hamming", refused, 12.5, now)
