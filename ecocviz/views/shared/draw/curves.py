"""What every picture of curves shares: the names of the measures, the values of a grid, the table."""

from collections.abc import Sequence
from math import log2

import pandas as pd

from ecocviz.lab.curve_plan import Axis, Curve
from ecocviz.lab.curves import Measure
from ecocviz.views.shared.draw.words import MINUS, SUPERSCRIPTS

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


def power_text(value: float) -> str:
    """Write a value of the grid: powers of two as such.

    >>> power_text(0.25), power_text(3.0), power_text(1.0)
    ('2⁻²', '3', '1')
    """
    exponent = log2(value)
    if value in {1.0, 2.0} or exponent != round(exponent):
        return f"{value:.3g}".replace("-", MINUS)
    return f"2{str(round(exponent)).translate(SUPERSCRIPTS)}"


def symbol_of(axis: Axis) -> str:
    """Return a parameter's letter: the last word of its label.

    >>> from ecocviz.engine.params import FloatParam
    >>> price = FloatParam(name="C", label="Price of errors C", default=1.0, low=0.1, high=9.0)
    >>> symbol_of(Axis("machine", price))
    'C'
    """
    last = axis.param.label.rsplit(" ", 1)[-1]
    return last if len(last) <= 2 else axis.param.label


def curves_table(curves: Sequence[Curve], symbol: str) -> pd.DataFrame:
    """Return the readings as a table, a row each."""
    rows = [
        (curve.decoder, MEASURES[curve.measure], curve.status or "", value, n_wrong, curve.n)
        for curve in curves
        for value, n_wrong in zip(curve.grid, curve.n_wrong, strict=True)
        if n_wrong is not None
    ]
    return pd.DataFrame(rows, columns=["decoder", "measure", "status", symbol, "errors", "points"])
