"""The Model selection page: curves over a parameter, their minima, the points behind a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import isclose, log2
from typing import Any

import streamlit as st

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.choices import uses, why_not_options
from ecocviz.lab.curve_plan import FEWEST, HIGHEST, LOWEST, MOST, Axis, axes, read_grid
from ecocviz.lab.report import Snapshot
from ecocviz.lab.selection import GRID, PICK
from ecocviz.lab.to_keep import ToKeep, curve_to_keep
from ecocviz.views.model_selection import figures, page_maps, words
from ecocviz.views.model_selection.facts import (
    ENLARGED,
    MAX_TRIED,
    OPTIONAL,
    CurveFacts,
    Minimum,
    PointMargins,
    asked_curves,
    asked_plan,
    chosen_axis,
    gather,
    minima,
    point_margins,
    shown_position,
    tried_decoders,
)
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button, html_table
from ecocviz.views.shared.app.components.heard import decimal, items, whole
from ecocviz.views.shared.app.grids import draw_where, tracer
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.app.room import keep
from ecocviz.views.shared.app.said import markup, said
from ecocviz.views.shared.app.stage import Scene, Section, show_page
from ecocviz.views.shared.draw.curves import (
    MEASURES,
    SHORT_NAMES,
    curves_table,
    name_with_status,
    power_text,
    symbol_of,
)
from ecocviz.views.shared.draw.outside import Shown, literal, plain
from ecocviz.views.shared.draw.words import percent

PLACE = "model-selection"
SETTINGS_HEIGHT = 150
"""Of two rows of widgets."""
SPLIT_HEIGHT = 660
"""Pixels of chart, words and table: points come one by one, and what stands below does not move for them."""
SMALLEST, LARGEST = 1e-12, 1e12
"""Of the values that a parameter can take."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen; of the points behind a value there are none before the curves are done."""

    facts: CurveFacts
    snapshot: Snapshot
    pick: int
    position: int | None
    margins: PointMargins | None

    @property
    def symbol(self) -> str:
        """The parameter in one word."""
        return symbol_of(self.facts.plan.axis)


def look(session: state.Session) -> Scene[View]:
    """Start or join the job, and gather what it has found so far."""
    plan = asked_plan(session.scenario, session.selection)
    snapshot = watch(PLACE, plan, tracer(plan))
    facts = gather(session.scenario, session.selection, plan, dict(snapshot.partial))
    position = shown_position(facts)
    margins = None if position is None else point_margins(facts.points[position], plan.decodings[0])
    pick = session.selection[PICK]
    inside = margins is not None and pick < margins.judged.n
    return Scene(View(facts, snapshot, pick if inside else -1, position, margins))


def keeps(view: View) -> ToKeep | None:
    """Return the curves once they are there, to be kept."""
    return curve_to_keep(view.facts.plan, view.snapshot)


def draw(view: View) -> None:
    """Draw the figures as far as they are known."""
    keep("split", SPLIT_HEIGHT)
    with st.container(key="split"):
        left, right = st.columns([57, 51], gap="medium")
    with left:
        draw_curves(view)
        draw_downloads(view)
    with right:
        draw_minima(view)
    # The table of several decoders is long: the other column then has room for the points.
    with right if len(view.facts.plan.decodings) == 1 else left:
        draw_points(view)


# The settings --------------------------------------------------------------------------------------


def draw_settings(session: state.Session) -> None:
    """Draw one row of widgets: over what, where, for which decoders, by which measures."""
    axis = chosen_axis(session.scenario, session.selection)
    keep(f"{PLACE}.settings", SETTINGS_HEIGHT)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key=f"{PLACE}.settings"):
        _axis_choice(session, axis)
        _grid_choice(session)
        _decoder_choice(session)
        _measure_choice(session)


def _axis_choice(session: state.Session, axis: Axis) -> None:
    found = {each.key: each for each in axes(session.scenario)}
    st.session_state["ms.axis"] = axis.key
    st.selectbox(
        "Over",
        list(found),
        key="ms.axis",
        format_func=lambda key: plain(found[key].param.label if key in found else key),
        on_change=lambda: state.select(axis=st.session_state["ms.axis"]),
        width=190,
    )


def _grid_choice(session: state.Session) -> None:
    low, high, n = read_grid(session.selection[GRID])
    st.session_state["ms.from"], st.session_state["ms.to"], st.session_state["ms.points"] = low, high, n

    def changed() -> None:
        now = (str(st.session_state[key]) for key in ("ms.from", "ms.to", "ms.points"))
        state.select(grid=",".join(now))

    ends = (("From", "ms.from", range(LOWEST, high)), ("To", "ms.to", range(low + 1, HIGHEST + 1)))
    for label, key, exponents in ends:
        st.selectbox(
            literal(label),
            exponents,
            key=key,
            format_func=lambda exponent: plain(power_text(2.0**exponent)),
            on_change=changed,
            width=85,
        )
    st.number_input(
        "Values", min_value=FEWEST, max_value=MOST, step=1, key="ms.points", on_change=changed, width=110
    )


def _decoder_choice(session: state.Session) -> None:
    if not uses(session.scenario, "decoding"):
        return
    own = session.scenario.decoding.key
    reasons = why_not_options(session.scenario, "decoding")
    st.session_state["ms.tried"] = [
        key for key in tried_decoders(session.scenario, session.selection) if key != own
    ]
    st.multiselect(
        "Compared with",
        [key for key in DECODINGS if key not in reasons and key != own],
        key="ms.tried",
        format_func=lambda key: plain(DECODINGS[key].title),
        max_selections=MAX_TRIED - 1,
        placeholder="Other decoders",
        help="Decoded from the same machines; each decoder gets a panel of its own.",
        on_change=lambda: state.select(tried=".".join(st.session_state["ms.tried"])),
        width=250,
    )


def _measure_choice(session: state.Session) -> None:
    asked = asked_curves(session.selection)
    options = {
        **{measure.value: SHORT_NAMES[measure] for measure in OPTIONAL},
        ENLARGED: "Low errors enlarged",
    }
    st.session_state["ms.curves"] = [key for key in options if key in asked]
    st.pills(
        "Also show",
        list(options),
        key="ms.curves",
        selection_mode="multi",
        format_func=lambda key: literal(options[key]),
        help="Leave-one-out and cross-validation train machines again, which takes longer. "
        "Low errors enlarged: the axis fits the test error, and a much larger bound leaves the picture.",
        on_change=lambda: state.select(curves=".".join(st.session_state["ms.curves"])),
        width="content",
    )


# The curves ----------------------------------------------------------------------------------------


def draw_curves(view: View) -> None:
    """Draw the figure, what is to be seen in it, and where the job stands."""
    facts = view.facts
    if facts.curves:
        chart(
            partial(figures.curves_figure, facts),
            key=f"{PLACE}.curves",
            alt=words.alt_text(facts),
            on_pick=lambda picked: _use_value(decimal(picked.get("x"), low=SMALLEST, high=LARGEST)),
        )
    draw_panel(PLACE, view.snapshot)
    draw_where()
    if not facts.curves:
        return
    first = words.choice_sentence(minima(facts.curves, facts.own), view.symbol)
    if first and not view.snapshot.state.over:
        first = f"So far: {first[0].lower()}{first[1:]}"
    said(first, words.more_sentences(facts))


def _use_value(value: float) -> None:
    """Put the grid's value nearest to one into the scenario."""
    session = state.current()
    plan = asked_plan(session.scenario, session.selection)
    nearest = min(plan.values, key=lambda each: abs(log2(each / value)))
    state.set_slot(plan.axis.slot, None, **{plan.axis.param.name: nearest})


def draw_downloads(view: View) -> None:
    """Offer the numbers of both figures."""
    facts, position, margins = view.facts, view.position, view.margins
    if not facts.curves:
        return
    with st.container(horizontal=True, gap="small"):
        name = facts.plan.axis.param.name
        csv_button("Curves as CSV", lambda: curves_table(facts.curves, name), key="ms.curves.csv")
        if position is not None and margins is not None:
            classes = facts.points[position].classes
            csv_button("Points as CSV", lambda: figures.margins_table(margins, classes), key="ms.points.csv")


# The minima ----------------------------------------------------------------------------------------


def draw_minima(view: View) -> None:
    """Draw the table of minima with buttons that take one of them into the scenario."""
    facts = view.facts
    if not facts.curves:
        return
    several = len(facts.plan.decodings) > 1
    found = [(k, m) for decoder in facts.decoders for k, m in enumerate(minima(facts.curves, decoder))]
    rows = [
        (*(("" if k else m.curve.decoder,) if several else ()), *_minimum_row(m, brief=several))
        for k, m in found
    ]
    shared = ("Minimum of", view.symbol, "value there", "test error", "extra test errors", "time")
    head = ("Decoder", *shared) if several else shared
    table = html_table(head, rows, alt="What choosing each minimum costs", texts=2 if several else 1)
    markup(Shown(f'<div class="eco-wrap">{table}</div>'))
    said("", words.times_sentence(facts.seconds))
    _use_buttons(view, {m.value: MEASURES[m.curve.measure] for _, m in reversed(found)})


def _minimum_row(m: Minimum, *, brief: bool) -> tuple[str, ...]:
    """Return the cells of a minimum; seven columns leave no room for the counts of the test errors."""
    curve, test = m.curve, "–"
    if m.test is not None and m.n_test_wrong is not None:
        test = percent(m.n_test_wrong, m.test.n)
    return (
        name_with_status(curve, SHORT_NAMES),
        power_text(m.value),
        f"{100 * curve.least / curve.n:.1f} %",
        test.partition(" (")[0] if brief else test,
        "–" if m.more is None else f"+{m.more:,}" if m.more else "0",
        words.seconds_text(curve.seconds),
    )


def _use_buttons(view: View, offered: dict[float, str]) -> None:
    """Offer values of the parameter, each the minimum of a measure."""
    now = view.facts.now
    if not state.is_offered(view.facts.plan.axis.slot):
        return
    with st.container(horizontal=True, gap="small"):
        for value, name in sorted(offered.items()):
            st.button(
                literal(f"Use {view.symbol} = {power_text(value)}"),
                key=f"ms.use.{value!r}",
                help=literal(f"{name}: its minimum"),
                on_click=_use_value,
                args=(value,),
                disabled=now is not None and isclose(now, value),
            )


# The points ----------------------------------------------------------------------------------------


def draw_points(view: View) -> None:
    """Draw how far the bound takes every training point at one value."""
    facts, position, margins = view.facts, view.position, view.margins
    if not view.snapshot.state.over:
        # A slider that is moved from here while the browser polls would report its old place as a choice.
        st.caption("The flagged points are shown once the curves are finished.")
        return
    if position is None:
        return
    value, classes = facts.plan.values[position], facts.points[position].classes
    bound = bind("ms.value", value)
    st.select_slider(
        literal(f"Points flagged at {view.symbol}, {facts.own} decoding"),
        facts.plan.values,
        key=bound.key,
        format_func=lambda value: literal(power_text(value)),
        on_change=bound.on_change(_use_value),
        disabled=not state.is_offered(facts.plan.axis.slot),
    )
    if margins is None:
        st.caption("Neither a bound nor a leave-one-out error is known here, so no point is flagged.")
        return
    chart(
        partial(figures.margins_figure, margins, classes, view.pick),
        key=f"{PLACE}.points",
        alt=f"Margins of {margins.judged.n} training points at {view.symbol} = {power_text(value)}: "
        f"{words.before_name(margins).lower()} across, {words.after_name(margins).lower()} upwards.",
        on_pick=_on_point,
    )
    said(words.flags_sentence(margins), words.pick_sentence(margins, classes, view.pick))


def _on_point(picked: Mapping[str, Any]) -> None:
    state.select(pick=whole(items(picked.get("customdata"), most=2, n=2)[0]), place="", flips="")


def show() -> None:
    """Draw the page."""
    curves = Section(PLACE, look, draw, keeps=keeps)
    maps = Section(page_maps.PLACE, page_maps.look_maps, page_maps.draw_maps, keeps=page_maps.keeps)
    show_page("model_selection", "Model selection", curves, maps, settings=draw_settings)
