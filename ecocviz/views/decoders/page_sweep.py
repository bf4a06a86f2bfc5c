"""Error over a parameter for every decoder: a job whose points appear as they finish."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from ecocviz.lab.curve_plan import Curve, GridPlan, axes, curves_of
from ecocviz.lab.report import Snapshot
from ecocviz.lab.scenario import Choice
from ecocviz.lab.to_keep import ToKeep, curve_to_keep
from ecocviz.lab.trained import Trained
from ecocviz.views.decoders import words
from ecocviz.views.decoders.facts import Comparison, sweep_plan, sweep_seconds
from ecocviz.views.decoders.figures import sweep_figure
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button
from ecocviz.views.shared.app.grids import draw_where, tracer
from ecocviz.views.shared.app.job_panel import draw_panel, watch, watching
from ecocviz.views.shared.app.said import caption, said
from ecocviz.views.shared.draw.curves import curves_table, symbol_of
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.words import count

SWEEP = "decoders.sweep"
AT_ONCE_SECONDS = 20.0
"""A sweep that should take longer is begun by a button."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep: `plan` is None where there is nothing to sweep over, `snapshot` where it is not begun."""

    session: state.Session
    compared: Comparison
    plan: GridPlan | None = None
    seconds: float = 0.0
    snapshot: Snapshot | None = None


def find_sweep(
    session: state.Session, trained: Trained, decodings: tuple[Choice, ...], compared: Comparison
) -> Sweep:
    """Start or join the sweep if it is quick, or somebody asked for it."""
    plan = sweep_plan(session.scenario, session.selection, decodings, compared.part)
    if plan is None:
        return Sweep(session, compared)
    seconds = sweep_seconds(plan, trained, compared.judged)
    if seconds > AT_ONCE_SECONDS and plan not in watching().begun:
        return Sweep(session, compared, plan, seconds)
    return Sweep(session, compared, plan, seconds, watch(SWEEP, plan, tracer(plan)))


def keeps_sweep(sweep: Sweep) -> ToKeep | None:
    """Return the errors over the parameter once they are there, to be kept."""
    return curve_to_keep(sweep.plan, sweep.snapshot)


def draw_sweep(sweep: Sweep) -> None:
    """Draw the curves as far as they are known."""
    plan, snapshot = sweep.plan, sweep.snapshot
    if plan is None:
        st.caption("There is no parameter on a logarithmic scale to vary here.")
        return
    _draw_axis(sweep.session, plan)
    if snapshot is None:
        label = f"Train at {len(plan.values)} values of {symbol_of(plan.axis)}"
        st.button(literal(label), key="decoders.sweep.start", on_click=watching().begun.add, args=(plan,))
        caption(f"Expected to take about {sweep.seconds:,.0f} seconds in the background.")
        return
    curves = curves_of(plan, dict(snapshot.partial), sweep.compared.names)
    if curves:
        _draw_curves(sweep, plan, curves)
    draw_panel(SWEEP, snapshot)
    draw_where()


def _draw_axis(session: state.Session, plan: GridPlan) -> None:
    labels = {axis.key: axis.param.label for axis in axes(session.scenario)}
    bound = bind("decoders.axis", plan.axis.key)
    st.selectbox(
        "Error of every decoder over",
        list(labels),
        key=bound.key,
        format_func=lambda key: plain(labels.get(key, str(key))),
        on_change=bound.on_change(lambda key: state.select(axis=key)),
        width=260,
    )


def _draw_curves(sweep: Sweep, plan: GridPlan, curves: tuple[Curve, ...]) -> None:
    session, compared, symbol = sweep.session, sweep.compared, symbol_of(plan.axis)
    own = compared.names[session.scenario.decoding.key]
    mine = next((curve for curve in curves if curve.decoder == own), curves[0])
    beaten, range_ = words.beaten_sentence(own, curves, symbol), words.range_sentence(mine, symbol)
    n = count(len(curves), "decoder")
    chart(
        partial(sweep_figure, curves, own, symbol, plan.axis.value(session.scenario)),
        key="decoders.sweep.chart",
        alt=f"{compared.part_title} error of {n} over {symbol}. {beaten} {range_}",
    )
    said(beaten or range_, range_ if beaten else "")
    csv_button("Sweep as CSV", lambda: curves_table(curves, plan.axis.param.name), key="decoders.sweep.csv")
