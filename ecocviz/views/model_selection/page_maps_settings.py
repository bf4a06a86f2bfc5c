"""Which maps are shown: over what, from where to where, at how many values, of which decoder."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from ecocviz.lab.choices import decider_names
from ecocviz.lab.curve_plan import HIGHEST, LOWEST, axes
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.views.model_selection.maps import FEWEST, MOST, MapGrid, shown_decoder
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.draw.curves import plain_text, symbol_of
from ecocviz.views.shared.draw.outside import literal, plain


def draw_grid(scenario: Scenario, grid: MapGrid) -> None:
    """Draw the widgets of the grid; parameters can be chosen where there are more than two."""
    found = {axis.key: axis.param.label for axis in axes(scenario)}
    for side, name in enumerate(("Across", "Upwards")) if len(found) > 2 else ():
        _axis_choice(grid, side, name, found)
    for side, axis in enumerate(grid.axes):
        for end, name in enumerate(("from", "to")):
            _end_choice(grid, side, end, f"{symbol_of(axis)} {name}")
    _number_choice(grid)


def _axis_choice(grid: MapGrid, side: int, name: str, labels: Mapping[str, str]) -> None:
    keys = [axis.key for axis in grid.axes]
    bound = bind(f"maps.axis{side}", keys[side])

    def choose(key: str) -> None:
        other = keys[1 - side]
        pair = (key, other) if side == 0 else (other, key)
        state.select(maps=",".join(keys[::-1] if key == other else pair), mapgrid="")

    st.selectbox(
        literal(name),
        list(labels),
        key=bound.key,
        format_func=lambda key: plain(labels.get(key, str(key))),
        on_change=bound.on_change(choose),
        width=190,
    )


def _end_choice(grid: MapGrid, side: int, end: int, label: str) -> None:
    low, high = grid.ends[side]
    bound = bind(f"maps.end{side}{end}", (low, high)[end])

    def choose(exponent: int) -> None:
        mine = (low, exponent) if end else (exponent, high)
        ends = (mine, grid.ends[1]) if side == 0 else (grid.ends[0], mine)
        state.select(mapgrid=replace(grid, ends=ends).text)

    st.selectbox(
        literal(label),
        range(low + 1, HIGHEST + 1) if end else range(LOWEST, high),
        key=bound.key,
        format_func=lambda exponent: plain(plain_text(2.0**exponent)),
        on_change=bound.on_change(choose),
        width=105,
    )


def _number_choice(grid: MapGrid) -> None:
    bound = bind("maps.n", grid.n)
    st.number_input(
        "Values of each",
        min_value=FEWEST,
        max_value=MOST,
        step=1,
        key=bound.key,
        on_change=bound.on_change(lambda n: state.select(mapgrid=replace(grid, n=n).text)),
        width=120,
    )


def draw_decoder(session: state.Session, decodings: tuple[Choice, ...]) -> None:
    """Let one of several decoders be chosen whose maps are shown."""
    if len(decodings) < 2:
        return
    names = decider_names(session.scenario, decodings)
    bound = bind("maps.decoder", shown_decoder(session.scenario, session.selection))
    st.selectbox(
        "Decoder",
        [decoding.key for decoding in decodings],
        key=bound.key,
        format_func=lambda key: plain(names.get(key, str(key))),
        on_change=bound.on_change(lambda key: state.select(mapof=key)),
        width=170,
    )
