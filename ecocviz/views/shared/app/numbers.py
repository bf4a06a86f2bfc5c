"""Numbers on a slider of equal factors, beside a field for the very number."""

import math
from collections.abc import Callable

import numpy as np
import streamlit as st

from ecocviz.engine.params import FloatParam, ParamValue
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.words import setting

Change = Callable[[str, ParamValue], None]
"""Called with a parameter's name and its new value."""

FIELD_WIDTH = 104
"""Of the field beside the slider, in pixels."""
SMALLEST = 1e-6
"""A slider that begins at 0 goes on at this share of its end."""


def log_number(
    param: FloatParam,
    key: str,
    number: float,
    change: Change,
    *,
    named: bool = True,
    mark: float | None = None,
) -> None:
    """Draw a slider in equal factors and a field for the number itself; any number keeps its digits.

    Parameters
    ----------
    param
        The parameter.
    key
        Of the slider; the field's begins with it.
    number
        Its value, or what its word stands for.
    change
        Called with the parameter's name and its new value.
    named
        Whether the label is to be seen.
    mark
        Another place at which the slider stops.
    """

    def moved(value: float) -> None:
        change(param.name, param.check(float(value)))

    stops = log_stops(param.low, param.high, number, mark)
    texts = stop_texts(stops)
    slider, field = bind(key, number), bind(f"{key}.exact", number)
    row = st.container(
        horizontal=True, wrap=False, gap="small", vertical_alignment="bottom", key=f"{key}.row"
    )
    with row:
        st.select_slider(
            literal(param.label),
            options=stops,
            format_func=lambda stop: literal(texts[stop]),
            key=slider.key,
            help=literal(param.help) or None,
            label_visibility="visible" if named else "collapsed",
            on_change=slider.on_change(moved),
        )
        st.number_input(
            literal(f"{param.label}: the number"),
            min_value=param.low,
            max_value=param.high,
            step=_step(number),
            format="%.6g",
            key=field.key,
            label_visibility="collapsed",
            on_change=field.on_change(lambda value: moved(number if value is None else value)),
            width=FIELD_WIDTH,
        )


def log_stops(low: float, high: float, *values: float | None) -> list[float]:
    """Return 1, 2, 5, 10, ... within a range, with its ends and given values; 0 comes first if it is an end.

    >>> log_stops(0.1, 2.0, 0.3)
    [0.1, 0.2, 0.3, 0.5, 1.0, 2.0]
    >>> log_stops(0.0, 1e3, 1.0)[:4]
    [0.0, 0.001, 0.002, 0.005]
    """
    least = low if low > 0 else SMALLEST * high
    exponents = range(int(np.floor(np.log10(least))), int(np.ceil(np.log10(high))) + 1)
    round_values = [float(f"{digit}e{exponent}") for exponent in exponents for digit in (1, 2, 5)]
    given = {float(value) for value in values if value is not None}
    return sorted({low, high, *given, *(stop for stop in round_values if least <= stop <= high)})


def stop_texts(stops: list[float]) -> dict[float, str]:
    """Write the stops of a slider with as few digits as tell them apart, three at least.

    >>> stop_texts([0.5, 1.23456, 1e6])
    {0.5: '0.5', 1.23456: '1.23', 1000000.0: '10⁶'}
    >>> stop_texts([1.23456, 1.23457])
    {1.23456: '1.23456', 1.23457: '1.23457'}
    """
    texts: list[str] = []
    for digits in (3, 6, 17):
        texts = [setting(stop, digits) for stop in stops]
        if len(set(texts)) == len(stops):
            break
    return dict(zip(stops, texts, strict=True))


def _step(number: float) -> float:
    """Return what the arrow keys add in the field: one of the number's second digit.

    >>> _step(3.35), _step(0.042), _step(0.0)
    (0.1, 0.001, 0.01)
    """
    return 10.0 ** (math.floor(math.log10(number)) - 1) if number > 0 else 0.01
