"""Errors over two parameters: a job that is asked for, three maps, and values to be taken from them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import isclose
from typing import Any

import streamlit as st

from ecocviz.data.prepare import prepare
from ecocviz.data.types import Table
from ecocviz.lab.curve_plan import GridPlan, axes, plan_seconds
from ecocviz.lab.report import Snapshot
from ecocviz.lab.run import shown_fold, why_not_run
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.settled import Numbers, numbers_on
from ecocviz.lab.to_keep import ToKeep, curve_to_keep
from ecocviz.views.model_selection import words_maps as words
from ecocviz.views.model_selection.facts import MAPS
from ecocviz.views.model_selection.figures_maps import map_figure
from ecocviz.views.model_selection.maps import (
    MapFacts,
    MapGrid,
    gather_maps,
    map_grid,
    map_plan,
    why_no_map,
)
from ecocviz.views.model_selection.page_maps_settings import draw_decoder, draw_grid
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.at_hand import table_at_hand
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button, html_table, presenting
from ecocviz.views.shared.app.components.heard import items, whole
from ecocviz.views.shared.app.grids import tracer
from ecocviz.views.shared.app.job_panel import draw_panel, leave, watch, watching
from ecocviz.views.shared.app.said import caption, markup, said, title
from ecocviz.views.shared.app.stage import Scene
from ecocviz.views.shared.draw.curves import (
    MEASURES,
    SHORT_NAMES,
    curves_table,
    name_with_status,
    plain_text,
    symbol_of,
)
from ecocviz.views.shared.draw.outside import Shown, literal, plain

PLACE, ASKED = "model-selection.maps", "model-selection.maps.asked"
AT_ONCE_SECONDS = 20.0
"""Maps that a link asks for are begun at once if they should take no longer; else by a button."""


@dataclass(frozen=True, slots=True)
class MapView:
    """What there is of maps: `why` there are none, a plan that is only offered, or a job and its findings."""

    session: state.Session
    why: str = ""
    grid: MapGrid | None = None
    plan: GridPlan | None = None
    seconds: float | None = None
    snapshot: Snapshot | None = None
    facts: MapFacts | None = None


# Looking -------------------------------------------------------------------------------------------


def look_maps(session: state.Session) -> Scene[MapView]:
    """Start or join the job of the maps if somebody has asked for it."""
    scenario, selection = session.scenario, session.selection
    if why_not_run(scenario) or not axes(scenario):  # the curves' section says why
        return Scene(None)
    grid = map_grid(scenario, selection)
    if grid is None:
        return Scene(MapView(session, why_no_map(scenario)))
    try:
        plan = map_plan(scenario, selection, grid)
        table = table_at_hand(scenario)
        seconds = _seconds(plan, table)
    except ValueError as refusal:
        return Scene(MapView(session, str(refusal), grid))
    quick = bool(selection[MAPS]) and seconds is not None and seconds <= AT_ONCE_SECONDS
    if not quick and st.session_state.get(ASKED) != _asked(plan):
        leave(PLACE)
        return Scene(MapView(session, "", grid, plan, seconds))
    snapshot = watch(PLACE, plan, tracer(plan))
    facts = gather_maps(scenario, selection, plan, dict(snapshot.partial), _numbers(scenario, plan, table))
    return Scene(MapView(session, "", grid, plan, seconds, snapshot, facts))


def keeps(view: MapView) -> ToKeep | None:
    """Return the maps once they are there, to be kept."""
    return curve_to_keep(view.plan, view.snapshot)


def _seconds(plan: GridPlan, table: Table | None) -> float | None:
    return None if table is None else plan_seconds(plan, table)


def _asked(plan: GridPlan) -> GridPlan:
    """Return what has to be asked for: further decoders train nothing."""
    return replace(plan, decodings=())


def _numbers(scenario: Scenario, plan: GridPlan, table: Table | None) -> Mapping[str, Numbers]:
    """Return, by slot, what the words of the scenario's parameters stand for, if the data are at hand."""
    if table is None:
        return {}
    key = cache.data_key(scenario, "preparation", "split")
    try:
        return {
            slot: cache.remember(
                "maps.numbers",
                (slot, key, getattr(scenario, slot)),
                partial(_numbers_of, scenario, table, slot),
            )
            for slot in {line.axis.slot for line in plan.lines}
        }
    except ValueError:  # the job says why there are no points
        return {}


def _numbers_of(scenario: Scenario, table: Table, slot: str) -> Numbers:
    fold, preparation = shown_fold(scenario, table), scenario.preparation
    prepared = prepare(table, fold, preparation.key, preparation.values)
    return numbers_on(prepared.X_train, getattr(scenario, slot), slot)


# Drawing -------------------------------------------------------------------------------------------


def draw_maps(view: MapView) -> None:
    """Draw what is asked for and, as far as it is known, the maps with what choosing by them costs."""
    grid, plan, facts, snapshot = view.grid, view.plan, view.facts, view.snapshot
    st.divider()
    title("Two parameters together" if grid is None else f"{words.both(grid.axes)} together")
    if grid is None or plan is None:
        caption(view.why)
    elif facts is None:
        said("", words.offer_sentence(grid, plan, view.seconds))
    if grid is not None:
        draw_settings(view, grid)
    if facts is None or snapshot is None:
        return
    if facts.maps:
        first = words.map_choice_sentence(facts)
        if first and not snapshot.state.over:
            first = f"So far: {first[0].lower()}{first[1:]}"
        said(first, words.map_more_sentences(facts))
    draw_panel(PLACE, snapshot, words.map_times_sentence(facts))
    if facts.maps:
        draw_three(facts)
        if snapshot.state.over:
            draw_taking(facts)


def draw_three(facts: MapFacts) -> None:
    """Draw the maps side by side."""
    with st.container(key="trio"):
        places = st.columns(3)
    for place, shown in zip(places, facts.maps, strict=False):
        with place:
            chart(
                partial(map_figure, facts, shown, brief=presenting()),
                key=f"{PLACE}.{shown.measure}",
                alt=words.map_alt_text(facts, shown),
                on_pick=partial(_on_cell, facts.plan),
            )
    caption(words.frames_sentence(facts))


def _on_cell(plan: GridPlan, picked: Mapping[str, Any]) -> None:
    position = items(picked.get("customdata"), most=2, n=2)[0]
    _take(plan, whole(position, high=len(plan.places) - 1))


def _take(plan: GridPlan, position: int) -> None:
    """Put a place of the grid into the scenario, both values as one change."""
    session = state.current()
    state.adopt(session, plan.put(session.scenario, plan.places[position]))


# The settings --------------------------------------------------------------------------------------


def draw_settings(view: MapView, grid: MapGrid) -> None:
    """Draw one row of widgets: the grid, and the decoder whose maps are shown or what begins the job."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key=f"{PLACE}.settings"):
        draw_grid(view.session.scenario, grid)
        if view.facts is not None:
            draw_decoder(view.session, view.facts.plan.decodings)
        elif view.plan is not None:
            st.button(
                literal(f"Measure {len(view.plan.places)} pairs"),
                key=f"{PLACE}.start",
                on_click=_ask,
                args=(view.plan,),
            )


def _ask(plan: GridPlan) -> None:
    st.session_state[ASKED] = _asked(plan)
    watching().begun.add(plan)
    state.select(maps=",".join(line.axis.key for line in plan.lines))


# Taking values -------------------------------------------------------------------------------------


def draw_taking(facts: MapFacts) -> None:
    """Draw what the minima cost, and what takes their values, or any others, into the scenario."""
    with st.container(key="split.maps"):
        left, right = st.columns([57, 51], gap="medium")
    symbols = [symbol_of(line.axis) for line in facts.plan.lines]
    rows = [
        (
            name_with_status(m.curve, SHORT_NAMES),
            *(plain_text(value) for value in m.place),
            words.share_text(m.curve.least, m.curve.n),
            "–" if m.test is None or m.n_test_wrong is None else words.share_text(m.n_test_wrong, m.test.n),
            "–" if m.more is None else f"+{m.more:,}" if m.more else "0",
        )
        for m in facts.minima
    ]
    with left:
        head = ("Minimum of", *symbols, "value there", "test error", "extra test errors")
        table = html_table(head, rows, alt="What choosing the minimum of each map costs")
        markup(Shown(f'<div class="eco-wrap">{table}</div>'))
    with right:
        if all(state.is_offered(line.axis.slot) for line in facts.plan.lines):
            _use_buttons(facts)
            _pair_choice(facts)
        names = [line.axis.param.name for line in facts.plan.lines]
        csv_button("Maps as CSV", lambda: curves_table(facts.maps, *names), key="maps.csv")


def _use_buttons(facts: MapFacts) -> None:
    """Offer the minima of the maps."""
    offered: dict[int, list[str]] = {}
    for m in facts.minima:
        offered.setdefault(m.curve.minimum, []).append(MEASURES[m.curve.measure])
    with st.container(horizontal=True, gap="small", key=f"{PLACE}.use"):
        for position, names in offered.items():
            st.button(
                literal(f"Use {words.pair_text(facts, facts.plan.places[position])}"),
                key=f"{PLACE}.use.{position}",
                help=literal(f"Minimum of: {', '.join(names)}"),
                on_click=_take,
                args=(facts.plan, position),
                disabled=position == _stands_at(facts),
            )


def _pair_choice(facts: MapFacts) -> None:
    """Offer every pair with its errors in a list: what a click on a map does, by keys."""
    bound = bind("maps.pair", _stands_at(facts))

    def choose(position: int | None) -> None:
        if position is not None:
            _take(facts.plan, whole(position, high=len(facts.plan.places) - 1))

    st.selectbox(
        "Or any other pair",
        range(len(facts.plan.places)),
        key=bound.key,
        index=None,
        placeholder="Pairs and their errors",
        format_func=lambda position: plain(words.option_text(facts, position)),
        on_change=bound.on_change(choose),
    )


def _stands_at(facts: MapFacts) -> int | None:
    """Return the position whose very values the scenario has."""
    if facts.here is None or facts.now is None:
        return None
    pairs = zip(facts.plan.places[facts.here], facts.now, strict=True)
    return facts.here if all(isclose(a, b) for a, b in pairs) else None
