"""What the Model selection page is asked for: over what, where, for which decoders and measures."""

import streamlit as st

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS, SLOTS
from ecocviz.lab.curve_plan import (
    COSTLY,
    FEWEST,
    HIGHEST,
    LOWEST,
    MOST,
    Axis,
    CurvePlan,
    axes,
    grid_values,
    make_plan,
    read_grid,
)
from ecocviz.lab.curves import Measure
from ecocviz.lab.run import refusal
from ecocviz.lab.scenario import choose
from ecocviz.views.model_selection.figures import SHORT_NAMES, power_text
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.choices import unavailable

MAX_TRIED = 6
SHOWN_ALWAYS = (Measure.TEST, Measure.BOUND)
ENLARGED = "low"
"""Beside the measures: draw low errors larger."""
OPTIONAL = tuple(measure for measure in Measure if measure not in SHOWN_ALWAYS)


def symbol_of(axis: Axis) -> str:
    """Return a parameter's letter: the last word of its label.

    >>> from ecocviz.engine.params import FloatParam
    >>> price = FloatParam(name="C", label="Price of errors C", default=1.0, low=0.1, high=9.0)
    >>> symbol_of(Axis("machine", price))
    'C'
    """
    last = axis.param.label.rsplit(" ", 1)[-1]
    return last if len(last) <= 2 else axis.param.label


# What is asked for ---------------------------------------------------------------------------------


def chosen_axis(held: state.Session) -> Axis:
    """Return the parameter that the curves run over; raise ValueError with a sentence if there is none."""
    reason = refusal(held.scenario)
    if reason:
        raise ValueError(reason)
    found = axes(held.scenario)
    if not found:
        slot = "machine" if "machine" in REDUCTIONS[held.scenario.reduction.key].uses else "reduction"
        title = SLOTS[slot][getattr(held.scenario, slot).key].title
        raise ValueError(f"{title} has no parameter that a curve can run over; choose a kernel machine.")
    return next((axis for axis in found if axis.key == held.selection.axis), found[0])


def chosen_measures(held: state.Session) -> tuple[Measure, ...]:
    """Return the measures on the screen."""
    asked = asked_curves(held)
    return tuple(m for m in Measure if m in SHOWN_ALWAYS or m.value in asked)


def asked_curves(held: state.Session) -> list[str]:
    """Return what the link asks to be shown."""
    return held.selection.curves.split(".")


def tried_decoders(held: state.Session) -> tuple[str, ...]:
    """Return the keys of the decoders whose curves are shown, the scenario's own first."""
    own = held.scenario.decoding.key
    if "decoding" not in REDUCTIONS[held.scenario.reduction.key].uses:
        return (own,)
    reasons = unavailable(held.scenario, "decoding")
    asked = [key for key in held.selection.tried.split(".") if key in DECODINGS and key not in reasons]
    return tuple(dict.fromkeys((own, *asked)))[:MAX_TRIED]


def asked_plan(held: state.Session) -> CurvePlan:
    """Return what is to be measured; raise ValueError with a sentence where that is impossible."""
    axis, own = chosen_axis(held), held.scenario.decoding
    values = grid_values(axis, *read_grid(held.selection.grid))
    decodings = tuple(own if key == own.key else choose("decoding", key) for key in tried_decoders(held))
    costly = tuple(m for m in chosen_measures(held) if m in COSTLY)
    return make_plan(held.scenario, axis, values, decodings, costly)


# The settings --------------------------------------------------------------------------------------


def draw_settings(held: state.Session) -> None:
    """Draw one row of widgets: over what, where, for which decoders, by which measures."""
    axis = chosen_axis(held)
    with st.container(
        horizontal=True, gap="medium", vertical_alignment="bottom", key="model-selection.settings"
    ):
        _axis_choice(held, axis)
        _grid_choice(held)
        _decoder_choice(held)
        _measure_choice(held)


def _axis_choice(held: state.Session, axis: Axis) -> None:
    found = {each.key: each for each in axes(held.scenario)}
    st.session_state["ms.axis"] = axis.key
    st.selectbox(
        "Over",
        list(found),
        key="ms.axis",
        format_func=lambda key: found[key].param.label if key in found else key,
        on_change=lambda: state.select(axis=st.session_state["ms.axis"]),
        width=190,
    )


def _grid_choice(held: state.Session) -> None:
    low, high, n = read_grid(held.selection.grid)
    st.session_state["ms.from"], st.session_state["ms.to"], st.session_state["ms.points"] = low, high, n

    def changed() -> None:
        now = (str(st.session_state[key]) for key in ("ms.from", "ms.to", "ms.points"))
        state.select(grid=",".join(now))

    ends = (("From", "ms.from", range(LOWEST, high)), ("To", "ms.to", range(low + 1, HIGHEST + 1)))
    for label, key, exponents in ends:
        st.selectbox(
            label,
            exponents,
            key=key,
            format_func=lambda exponent: power_text(2.0**exponent),
            on_change=changed,
            width=85,
        )
    st.number_input(
        "Values", min_value=FEWEST, max_value=MOST, step=1, key="ms.points", on_change=changed, width=110
    )


def _decoder_choice(held: state.Session) -> None:
    if "decoding" not in REDUCTIONS[held.scenario.reduction.key].uses:
        return
    own = held.scenario.decoding.key
    reasons = unavailable(held.scenario, "decoding")
    st.session_state["ms.tried"] = [key for key in tried_decoders(held) if key != own]
    st.multiselect(
        "Compared with",
        [key for key in DECODINGS if key not in reasons and key != own],
        key="ms.tried",
        format_func=lambda key: DECODINGS[key].title,
        max_selections=MAX_TRIED - 1,
        placeholder="Other decoders",
        help="Decoded on the very same machines; each decoder gets a panel of its own.",
        on_change=lambda: state.select(tried=".".join(st.session_state["ms.tried"])),
        width=250,
    )


def _measure_choice(held: state.Session) -> None:
    asked = asked_curves(held)
    options = {measure.value: SHORT_NAMES[measure.value] for measure in OPTIONAL} | {
        ENLARGED: "Low errors enlarged"
    }
    st.session_state["ms.curves"] = [key for key in options if key in asked]
    st.pills(
        "Also show",
        list(options),
        key="ms.curves",
        selection_mode="multi",
        format_func=lambda key: options[key],
        help="Leave-one-out and cross-validation train machines again, which takes longer. "
        "Low errors enlarged: the axis fits the test error, and a far bound runs out of the picture.",
        on_change=lambda: state.select(curves=".".join(st.session_state["ms.curves"])),
        width="content",
    )
