"""Widgets made from declared parameters. No entry of a catalogue is known by name here.

Every widget is set from the scenario before it is drawn and reports to it when it is changed, so
that undo, links and other pages need not know it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam, Param, ParamValue
from ecocviz.lab.scenario import Choice
from ecocviz.lab.settled import AUTOMATIC, Numbers
from ecocviz.views.shared.app.numbers import Change, log_number
from ecocviz.views.shared.app.said import caption
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.settings import matters
from ecocviz.views.shared.draw.words import setting

SLIDER_STEPS = 100
"""A whole number with more steps than this is typed."""
LONGEST_SHOWN = 24
"""A list in the sidebar shows so many letters of its choice; the whole of longer ones stands under it."""


NO_NUMBERS: Numbers = {}


def param_widgets(
    slot: str, params: tuple[Param, ...], choice: Choice, change: Change, numbers: Numbers = NO_NUMBERS
) -> None:
    """Draw one widget for every parameter that matters now; `numbers` is what words stand for, if known."""
    values = choice.values
    for param in params:
        if not matters(param, values):
            continue
        key = f"w.{slot}.{choice.key}.{param.name}"
        if isinstance(param, IntParam):
            _int_widget(param, key, values[param.name], change, numbers)
        elif isinstance(param, FloatParam):
            _float_widget(param, key, values[param.name], change, numbers)
        elif isinstance(param, ChoiceParam):
            _choice_widget(param, key, values[param.name], change)
        elif param.help:
            caption(param.help)


def _report(param: Param, key: str, change: Change) -> None:
    value = st.session_state.get(key)
    if value is not None:  # None: a segmented control whose choice was clicked away
        change(param.name, param.check(value))


def _draw(
    widget: Callable[..., Any],
    param: Param,
    key: str,
    value: ParamValue,
    change: Change,
    **how: Any,  # noqa: ANN401 - each widget has options of its own
) -> None:
    st.session_state[key] = value
    # A number under a list of words carries the list's label.
    named = "collapsed" if has_word(param) else "visible"
    widget(
        literal(param.label),
        key=key,
        help=literal(param.help) or None,
        label_visibility=named,
        on_change=_report,
        args=(param, key, change),
        **how,
    )


def _int_widget(param: IntParam, key: str, value: ParamValue, change: Change, numbers: Numbers) -> None:
    if param.automatic is not None:
        known = numbers.get((param.name, AUTOMATIC))
        start = known or max(param.low, param.automatic + 1)
        automatic = value == param.automatic
        _word_toggle(
            param, key, AUTOMATIC if automatic else None, {AUTOMATIC: param.automatic}, start, change
        )
        if automatic:
            if known is not None:
                caption(f"{known:,.0f} for these data.")
            return
    how = {"min_value": param.low, "max_value": param.high, "step": 1}
    widget: Callable[..., Any] = st.slider if param.high - param.low <= SLIDER_STEPS else st.number_input
    _draw(widget, param, key, value, change, **how)


def _float_widget(param: FloatParam, key: str, value: ParamValue, change: Change, numbers: Numbers) -> None:
    if param.words:
        start = param.default if isinstance(param.default, float) else middle(param)
        chosen = value if isinstance(value, str) else None
        _word_toggle(param, key, chosen, {word: word for word, _ in param.words}, start, change)
        if isinstance(value, str):
            number = numbers.get((param.name, value))
            if number is not None:
                caption(f"{param.symbol or param.label} is {setting(number)} on these data.")
            return
    if param.log:
        log_number(param, key, float(value), change, named=not param.words)
        if param.hint:
            caption(f"{param.hint[:1].upper()}{param.hint[1:]}.")
    else:
        step = nice_step(param.high - param.low)
        how = {"min_value": param.low, "max_value": param.high, "step": step}
        _draw(st.slider, param, key, float(value), change, **how)


def has_word(param: Param) -> bool:
    """Say whether a number can be left to a word."""
    return bool(getattr(param, "words", ())) or getattr(param, "automatic", None) is not None


def _word_toggle(
    param: FloatParam | IntParam,
    key: str,
    chosen: str | None,
    words: Mapping[str, ParamValue],
    start: float,
    change: Change,
) -> None:
    """Let the user choose between words, each with what it sets, and a number, at first `start`."""
    own = "a number"
    labels = {word: word for word in (*words, own)} | dict(getattr(param, "words", ()))
    word_key = f"{key}.word"
    st.session_state[word_key] = chosen or own

    def changed() -> None:
        word = st.session_state[word_key]
        change(param.name, param.check(words.get(word, type(param.low)(start))))

    st.selectbox(
        literal(param.label),
        [*words, own],
        key=word_key,
        format_func=lambda word: plain(labels[word]),
        help=literal(param.help) or None,
        on_change=changed,
    )
    _whole(labels[st.session_state[word_key]])


def _whole(label: str) -> None:
    """Write the choice of a list in full where the list cuts it off."""
    if len(label) > LONGEST_SHOWN:
        caption(f"{label}.")


def _choice_widget(param: ChoiceParam, key: str, value: ParamValue, change: Change) -> None:
    labels = dict(param.options)
    short_enough = len(labels) <= 3 and sum(map(len, labels.values())) <= 26
    options = list(labels)
    if short_enough:
        _draw(
            st.segmented_control, param, key, value, change, options=options,
            format_func=lambda option: literal(labels[option]),
        )  # fmt: skip
    else:
        _draw(
            st.selectbox, param, key, value, change, options=options,
            format_func=lambda option: plain(labels[option]),
        )  # fmt: skip
        _whole(labels[str(value)])


def nice_step(span: float) -> float:
    """Return a round step, about a hundredth of a span.

    >>> nice_step(1.0), nice_step(7.0)
    (0.01, 0.1)
    """
    return float(10.0 ** np.ceil(np.log10(span / 100) - 1e-9))


def middle(param: FloatParam) -> float:
    """Return where a parameter's slider starts when its default is a word.

    >>> middle(FloatParam(name="C", label="C", default="auto", low=1e-3, high=1e3, log=True))
    1.0
    """
    if param.log:
        centre = float(np.sqrt(param.low * param.high))
        return float(f"{centre:.0e}")
    return (param.low + param.high) / 2
