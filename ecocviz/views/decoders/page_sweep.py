"""Error over a parameter for every decoder: a job whose points appear as they finish."""

from html import escape

import streamlit as st

from ecocviz.lab.curve_plan import (
    Axis,
    CurvePlan,
    axes,
    collect_points,
    curves_of,
    grid_values,
    read_grid,
    trace,
)
from ecocviz.lab.curves import Measure
from ecocviz.lab.jobs import Snapshot
from ecocviz.views.decoders import words as says
from ecocviz.views.decoders.figures import sweep_figure
from ecocviz.views.decoders.page import View, look
from ecocviz.views.model_selection.figures import Curve, curves_table, power_text
from ecocviz.views.model_selection.page_settings import symbol_of
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.app.fresh import offer
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.draw.words import count

PLACE, ASKED = "decoders.sweep", "decoders.asked"
AT_ONCE_SECONDS = 20.0
"""A sweep that should take longer is begun by a button."""


def sweep_plan(view: View, axis: Axis) -> CurvePlan:
    """Return what to measure: one error of every decoder compared, over the grid of the model selection."""
    values = grid_values(axis, *read_grid(view.held.selection.grid))
    base = axis.put(view.scenario, axis.param.default)
    measure = Measure.TEST if view.part == "test" else Measure.TRAIN
    return CurvePlan(base, axis, values, view.decodings, (measure,))


def expected_seconds(view: View, n_values: int) -> float:
    """Return about how long a sweep will take, from what one value has cost."""
    n = view.judgements[0].outcome.rows.size
    deciding = sum(judgement.milliseconds for judgement in view.judgements) * n / 1e6
    return n_values * (view.trained.seconds + deciding)


def asked_plan(view: View) -> tuple[CurvePlan, float] | None:
    """Return what is to be measured and about how long it takes; None where there is nothing to sweep."""
    found = axes(view.scenario)
    if view.own < 0 or not found:
        return None
    axis = next((axis for axis in found if axis.key == view.held.selection.axis), found[0])
    plan = sweep_plan(view, axis)
    return plan, expected_seconds(view, len(plan.values))


def begun(plan: CurvePlan, seconds: float) -> bool:
    """Say whether the job of a plan is to run: it is quick, or somebody asked for it."""
    return seconds <= AT_ONCE_SECONDS or st.session_state.get(ASKED) == plan


def job(plan: CurvePlan) -> Snapshot:
    """Start the job or join it."""
    memory = cache.readings()
    return watch(PLACE, plan, lambda report: trace(plan, report, memory))


def running(held: state.Session) -> bool:
    """Say whether points of the sweep are still to come; a failure is left to `draw_sweep`."""
    try:
        scene = look(held)
    except ValueError:
        return False
    if scene.view is None or scene.awaited is not None:
        return False
    asked = asked_plan(scene.view)
    return asked is not None and begun(*asked) and not job(asked[0]).state.over


def draw_sweep(view: View) -> bool:
    """Draw the section; return whether its job runs."""
    asked = asked_plan(view)
    if asked is None:
        if view.own >= 0:
            st.caption("No parameter on a logarithmic scale is left that the decoders could be swept over.")
        return False
    plan, seconds = asked
    _axis_choice({axis.key: axis for axis in axes(view.scenario)}, plan.axis)
    if not begun(plan, seconds):
        label = f"Train at {len(plan.values)} values of {symbol_of(plan.axis)}"
        st.button(label, key="decoders.sweep.start", on_click=_ask, args=(plan,))
        st.caption(f"Expected to take about {seconds:,.0f} seconds in the background.")
        return False
    snapshot = job(plan)
    curves = curves_of(plan, collect_points(snapshot.partial), view.names)
    if curves:
        _draw_curves(view, plan, curves)
    draw_panel(PLACE, snapshot)
    return not snapshot.state.over


def _ask(plan: CurvePlan) -> None:
    st.session_state[ASKED] = plan


def _axis_choice(found: dict[str, Axis], axis: Axis) -> None:
    offered = offer("decoders.axis", axis.key)
    st.selectbox(
        "Error of every decoder over",
        list(found),
        key=offered.key,
        format_func=lambda key: found[key].param.label if key in found else key,
        on_change=offered.chosen(lambda key: state.select(axis=key)),
        width=260,
    )


def best_counts(curves: tuple[Curve, ...]) -> tuple[list[int], int]:
    """Count at how many values each decoder has the fewest errors, and the values where all are known."""
    columns = [
        [wrong for wrong in errors if wrong is not None]
        for errors in zip(*(curve.n_wrong for curve in curves), strict=True)
    ]
    whole = [errors for errors in columns if len(errors) == len(curves)]
    return [sum(errors[k] == min(errors) for errors in whole) for k in range(len(curves))], len(whole)


def _draw_curves(view: View, plan: CurvePlan, curves: tuple[Curve, ...]) -> None:
    own, symbol = view.names[view.held.scenario.decoding.key], symbol_of(plan.axis)
    n_best, n_values = best_counts(curves)
    said = ""
    if n_values and len(curves) > 1:
        said = says.beaten_sentence(own, [curve.decoder for curve in curves], n_best, n_values, symbol)
    mine = next((curve for curve in curves if curve.decoder == own), curves[0])
    lowest = (
        f"{mine.decoder} is best at {symbol} = {power_text(mine.grid[mine.minimum])} with "
        f"{count(mine.least, 'error')} of {mine.n:,}."
    )
    chart(
        sweep_figure(curves, own, symbol, plan.axis.value(view.held.scenario), theme_now()),
        key="decoders.sweep.chart",
        alt=f"{view.part_title} error of {count(len(curves), 'decoder')} over {symbol}. {said} {lowest}",
    )
    first, rest = (said, lowest) if said else (lowest, "")
    st.html(f'<div class="eco-words"><b>{escape(first)}</b> <span>{escape(rest)}</span></div>')
    csv_button("Sweep as CSV", lambda: curves_table(curves, plan.axis.param.name), key="decoders.sweep.csv")
