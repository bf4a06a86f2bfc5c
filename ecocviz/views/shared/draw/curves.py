"""What every picture of curves shares: the names of the measures, the values of a grid, the table."""

from collections.abc import Mapping, Sequence
from math import log2

import numpy as np
import pandas as pd

from ecocviz.lab.curve_plan import Axis, Curve
from ecocviz.lab.curves import Measure
from ecocviz.views.shared.draw.outside import Shown, literal
from ecocviz.views.shared.draw.words import MINUS, SUPERSCRIPTS, listed

MEASURES = {
    Measure.TEST: "Test error",
    Measure.TRAIN: "Training error",
    Measure.BOUND: "Leave-one-out bound",
    Measure.EXACT: "Leave-one-out error",
    Measure.CROSS_VALIDATION: "Cross-validation",
}
"""What is measured -> its name, in the order in which it is told."""

SHORT_NAMES = {
    Measure.TEST: "Test error",
    Measure.TRAIN: "Training error",
    Measure.BOUND: "Bound",
    Measure.EXACT: "Leave-one-out",
    Measure.CROSS_VALIDATION: "Cross-validation",
}
"""The same for a narrow table."""


def name_with_status(curve: Curve, names: Mapping[Measure, str]) -> str:
    """Return the name of what was measured, with what a bound is worth."""
    name = names[curve.measure]
    worth = curve.status if curve.status in {"theorem", "estimate"} else None
    return name if worth is None else Shown(f"{literal(name)} <i>{literal(worth)}</i>")


def power_text(value: float) -> str:
    """Write a value of the grid: powers of two as such.

    >>> power_text(0.25), power_text(3.0), power_text(1.0)
    ('2⁻²', '3', '1')
    """
    exponent = log2(value)
    if value in {1.0, 2.0} or exponent != round(exponent):
        return f"{value:.3g}".replace("-", MINUS)
    return f"2{str(round(exponent)).translate(SUPERSCRIPTS)}"


def plain_text(value: float) -> str:
    """Write a value of the grid as a plain number.

    >>> plain_text(0.25), plain_text(2**-14), plain_text(3.1748), plain_text(16384.0)
    ('0.25', '0.000061', '3.17', '16,384')
    """
    return f"{value:,.0f}" if value >= 1000 else np.format_float_positional(float(f"{value:.3g}"), trim="-")


def edge_text(*curves: Curve) -> str:
    """Say of which whole curves the fewest errors lie at an edge of the values, "" where of none.

    Where errors are equally few inside, there is nothing to be gained beyond.
    """
    edged = []
    for curve in curves:
        least = [k for k in curve.known if curve.n_wrong[k] == curve.least]
        ends = {0, len(curve.grid) - 1}
        if len(curve.known) == len(curve.grid) > 2 and set(least) <= ends:
            edged.append(MEASURES[curve.measure].lower())
    if not edged:
        return ""
    verb = "is" if len(edged) == 1 else "are"
    return f"The {listed(edged)} {verb} least at the edge of the range: values beyond it may be better."


def symbol_of(axis: Axis) -> str:
    """Return a parameter's letter: the last word of its label.

    >>> from ecocviz.engine.params import FloatParam
    >>> price = FloatParam(name="C", label="Price of errors C", default=1.0, low=0.1, high=9.0)
    >>> symbol_of(Axis("machine", price))
    'C'
    """
    last = axis.param.label.rsplit(" ", 1)[-1]
    return last if len(last) <= 2 else axis.param.label


def curves_table(curves: Sequence[Curve], *names: str) -> pd.DataFrame:
    """Return the readings as a table, a row each; `names` are the parameters'."""
    rows = [
        (curve.decoder, MEASURES[curve.measure], curve.status or "", *place, n_wrong, curve.n)
        for curve in curves
        for place, n_wrong in zip(curve.places, curve.n_wrong, strict=True)
        if n_wrong is not None
    ]
    return pd.DataFrame(rows, columns=["decoder", "measure", "status", *names, "errors", "points"])
