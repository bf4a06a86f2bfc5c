"""What the Model selection page shows: curves over a parameter, their minima, the points behind a value."""

from dataclasses import dataclass
from html import escape
from math import isclose, log2
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.lab.curve_plan import (
    CurvePlan,
    collect_points,
    curves_of,
    grid_values,
    read_grid,
    reading_of,
    trace,
)
from ecocviz.lab.curves import CurvePoint, Measure
from ecocviz.lab.jobs import Snapshot
from ecocviz.views.model_selection import words as says
from ecocviz.views.model_selection.figures import (
    MEASURES,
    SHORT_NAMES,
    Curve,
    PointMargins,
    curves_figure,
    curves_table,
    margins_figure,
    margins_table,
    power_text,
)
from ecocviz.views.model_selection.page_settings import (
    ENLARGED,
    asked_curves,
    asked_plan,
    chosen_axis,
    chosen_measures,
    symbol_of,
)
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import chart, csv_button, html_table, theme_now
from ecocviz.views.shared.app.choices import deciders
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.draw import words

PLACE = "model-selection"


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen."""

    held: state.Session
    plan: CurvePlan
    snapshot: Snapshot
    points: dict[int, CurvePoint]
    curves: tuple[Curve, ...]
    """Those that are shown."""
    own: str
    """Name of the scenario's own decoder."""

    @property
    def symbol(self) -> str:
        """The parameter in one word."""
        return symbol_of(self.plan.axis)


def look(held: state.Session) -> View:
    """Start or join the job, and gather what it has found so far."""
    plan = asked_plan(held)
    memory = cache.readings()
    snapshot = watch(PLACE, plan, lambda report: trace(plan, report, memory))
    points = collect_points(snapshot.partial)
    names = [title for title, _ in deciders(held.scenario, plan.decodings)]
    titles = {d.key: name for d, name in zip(plan.decodings, names, strict=False)}
    shown = {measure.value for measure in chosen_measures(held)}
    curves = tuple(curve for curve in curves_of(plan, points, titles) if curve.measure in shown)
    return View(held, plan, snapshot, points, curves, names[0])


# The curves ----------------------------------------------------------------------------------------


def draw_curves(view: View) -> None:
    """Draw the figure, what is to be seen in it, and where the job stands."""
    if view.curves:
        chart(
            curves_figure(
                view.curves,
                view.symbol,
                view.plan.axis.value(view.held.scenario),
                theme_now(),
                enlarged=ENLARGED in asked_curves(view.held),
            ),
            key=f"{PLACE}.curves",
            alt=alt_text(view),
            on_pick=_on_value,
        )
    draw_panel(PLACE, view.snapshot)
    if not view.curves:
        return
    found = says.minima(view.curves, view.own)
    first = says.choice_sentence(found, view.symbol)
    if first and not view.snapshot.state.over:
        first = f"So far: {first[0].lower()}{first[1:]}"
    more = [
        says.other_choices_sentence(found),
        says.decoders_sentence(view.curves),
        says.tightness_sentence(view.curves, view.own),
        says.status_sentence(view.curves, _refused(view)),
    ]
    rest = escape(" ".join(filter(None, more)))
    st.html(f'<div class="eco-words"><b>{escape(first)}</b> <span>{rest}</span></div>')


def _refused(view: View) -> tuple[str, ...]:
    """Return why readings could not be taken, without what the test error's own sentence says."""
    said = (sentence for point in view.points.values() for sentence in point.refused)
    return tuple(s for s in dict.fromkeys(said) if "no test points" not in s)


def alt_text(view: View) -> str:
    """Describe the figure for those who do not see it."""
    minima = says.minima(view.curves, view.own)
    ends = f"{power_text(view.plan.values[0])} to {power_text(view.plan.values[-1])}"
    lows = (
        (MEASURES[m.curve.measure].lower(), power_text(m.value), words.percent(m.least, m.n)) for m in minima
    )
    least = "; ".join(f"{name} lowest at {value} with {share}" for name, value, share in lows)
    return f"Errors over {view.symbol} from {ends}, {view.own} decoding: {least}."


def _on_value(picked: dict[str, Any]) -> None:
    value = picked.get("x")
    if isinstance(value, int | float) and value > 0:
        _use_value(float(value))


def _use_value(value: float) -> None:
    """Put the grid's value nearest to one into the scenario."""
    held = state.session()
    axis = chosen_axis(held)
    values = grid_values(axis, *read_grid(held.selection.grid))
    nearest = min(values, key=lambda each: abs(log2(each / value)))
    state.set_slot(axis.slot, None, **{axis.param.name: nearest})


def draw_minima(view: View) -> None:
    """Draw the table of minima with buttons that take one of them into the scenario."""
    if not view.curves:
        return
    several = len(view.plan.decodings) > 1
    rows: list[tuple[str, ...]] = []
    offered: dict[float, str] = {}
    told = ""
    for decoder in dict.fromkeys(curve.decoder for curve in view.curves):
        for m in says.minima(view.curves, decoder):
            offered.setdefault(m.value, MEASURES[m.curve.measure])
            test = "–" if m.n_test_wrong is None else words.percent(m.n_test_wrong, m.n_test)
            test = test.partition(" (")[0] if several else test  # seven columns leave no room for counts
            excess = "–" if m.more is None else f"+{m.more:,}" if m.more else "0"
            status = f" <i>{m.curve.status}</i>" if m.curve.status in {"theorem", "estimate"} else ""
            rows.append(
                (
                    *((escape("" if rows and decoder == told else decoder),) if several else ()),
                    SHORT_NAMES[m.curve.measure] + status,
                    power_text(m.value),
                    f"{100 * m.least / m.n:.1f} %",
                    test,
                    excess,
                    says.seconds_text(m.curve.seconds),
                )
            )
            told = decoder
    head = (
        *(("Decoder",) if several else ()),
        "Minimum of",
        view.symbol,
        "there",
        "test error",
        "excess",
        "took",
    )
    st.html(html_table(head, rows, alt="What choosing each minimum costs", texts=2 if several else 1))
    trained = sum(point.seconds for point in view.points.values())
    st.html(
        '<div class="eco-words"><span>Excess: test errors more than at the best value. Of equal minima the '
        f"smallest value counts. Training all machines took {says.seconds_text(trained)}; the times are what "
        "each measure took beyond that.</span></div>"
    )
    now = view.plan.axis.value(view.held.scenario)
    with st.container(horizontal=True, gap="small"):
        for value, name in sorted(offered.items()):
            st.button(
                f"Use {view.symbol} = {power_text(value)}",
                key=f"ms.use.{value!r}",
                help=f"{name}: its minimum",
                on_click=_use_value,
                args=(value,),
                disabled=now is not None and isclose(now, value),
            )


# The points ----------------------------------------------------------------------------------------


def draw_points(view: View) -> None:
    """Draw how far the bound takes every training point at one value."""
    if not view.snapshot.state.over:
        # A slider that is moved from here while the browser polls would report its old place as a choice.
        st.caption("The flagged points are shown once the curves are finished.")
        return
    position = shown_position(view)
    if position is None:
        return
    value = view.plan.values[position]
    margins = point_margins(view, position)
    _value_choice(view, position)
    if margins is None:
        st.caption("Neither a bound nor a leave-one-out error is known here, so no point is flagged.")
        return
    classes = view.points[position].classes
    pick = view.held.selection.pick if view.held.selection.pick < margins.rows.size else -1
    chart(
        margins_figure(margins, classes, pick, theme_now()),
        key=f"{PLACE}.points",
        alt=f"Margins of {margins.rows.size} training points at {view.symbol} = {power_text(value)}: "
        f"{margins.before_name.lower()} across, {margins.after_name.lower()} upwards.",
        on_pick=_on_point,
    )
    new = int((margins.flagged & (margins.before > 0)).sum())
    said = says.flags_sentence(int(margins.flagged.sum()), margins.rows.size, new, float(margins.after.min()))
    picked = "" if pick < 0 else pick_words(margins, classes, pick)
    st.html(f'<div class="eco-words"><b>{escape(said)}</b> <span>{escape(picked)}</span></div>')


def pick_words(margins: PointMargins, classes: tuple[str, ...], pick: int) -> str:
    """Say what the bound makes of the picked point."""
    before, after = (words.number(float(side[pick])) for side in (margins.before, margins.after))
    fate = "flagged" if margins.flagged[pick] else "not flagged"
    return f"Picked: row {margins.rows[pick]}, {classes[margins.truth[pick]]}: {before} to {after}, {fate}."


def shown_position(view: View) -> int | None:
    """Return the grid's value whose points are shown: the scenario's own, else the bound's minimum."""
    now = view.plan.axis.value(view.held.scenario)
    for position in view.points:
        if now is not None and isclose(view.plan.values[position], now, rel_tol=1e-9):
            return position
    own = {curve.measure: curve for curve in view.curves if curve.decoder == view.own}
    for measure in ("bound", "exact", "test"):
        if measure in own:
            return own[measure].minimum
    return None


def _value_choice(view: View, position: int) -> None:
    title = f"Points flagged at {view.symbol}, {view.own} decoding"
    st.session_state["ms.value"] = view.plan.values[position]
    st.select_slider(
        title,
        view.plan.values,
        key="ms.value",
        format_func=power_text,
        on_change=lambda: _use_value(st.session_state["ms.value"]),
    )


def point_margins(view: View, position: int) -> PointMargins | None:
    """Return the margins behind the bound, or behind the leave-one-out error where there is no bound."""
    point, own = view.points[position], view.plan.decodings[0]
    fitted = reading_of(point, own, Measure.TRAIN)
    bound, exact = reading_of(point, own, Measure.BOUND), reading_of(point, own, Measure.EXACT)
    judged = bound or exact or reading_of(point, own, Measure.CROSS_VALIDATION)
    if fitted is None or judged is None:
        return None
    place = np.argsort(fitted.rows, kind="stable")
    before = fitted.margins[place[np.searchsorted(fitted.rows[place], judged.rows)]]
    before_name = "Margin as trained"
    if bound is not None and exact is not None:
        before, before_name = exact.margins, "Margin when left out"
    names = {Measure.BOUND: "Least margin the bound allows", Measure.EXACT: "Margin when left out"}
    return PointMargins(
        rows=judged.rows,
        truth=judged.truth,
        before=before,
        before_name=before_name,
        after=judged.margins,
        after_name=names.get(judged.measure, "Margin when held out"),
        flagged=judged.flagged,
    )


def _on_point(picked: dict[str, Any]) -> None:
    custom = picked.get("customdata")
    if isinstance(custom, list | tuple) and custom and isinstance(custom[0], int):
        state.select(pick=custom[0], place="", flips="")


def draw_downloads(view: View) -> None:
    """Offer the numbers of both figures."""
    if not view.curves:
        return
    with st.container(horizontal=True, gap="small"):
        csv_button(
            "Curves as CSV", lambda: curves_table(view.curves, view.plan.axis.param.name), key="ms.curves.csv"
        )
        position = shown_position(view)
        margins = None if position is None else point_margins(view, position)
        if position is not None and margins is not None:
            classes = view.points[position].classes
            csv_button("Points as CSV", lambda: margins_table(margins, classes), key="ms.points.csv")
