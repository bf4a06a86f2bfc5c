"""What the Bits page shows: each machine's errors, how many at once, which together, and whose points."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.jobs import Report
from ecocviz.lab.run import Trained, judged_part, undecoded
from ecocviz.lab.scenario import Scenario
from ecocviz.views.bits import words as says
from ecocviz.views.bits.facts import (
    Bar,
    BitView,
    look_at_bits,
    read_bar,
    repaired_share,
    telling_bar,
)
from ecocviz.views.bits.figures import (
    accuracy_figure,
    accuracy_table,
    histogram_figure,
    histogram_table,
    shown_counts,
    together,
    together_figure,
    together_table,
)
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.app.fresh import offer
from ecocviz.views.shared.app.job_panel import draw_panel, still_runs
from ecocviz.views.shared.app.stage import Awaited, Stage
from ecocviz.views.shared.draw import words

PLACE, POINTS = "bits", "bits.points"
PART_NAMES = {"test": "Test points", "train": "Training points"}


@dataclass(frozen=True, slots=True)
class Side:
    """One reduction's bits; `view` is None where it has none."""

    title: str
    trained: Trained
    view: BitView | None


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen; `other` is None without a second reduction, or while it is awaited."""

    held: state.Session
    scenario: Scenario
    own: Side
    other: Side | None
    awaited: Awaited | None

    @property
    def sides(self) -> tuple[Side, ...]:
        """What is shown side by side."""
        return (self.own,) if self.other is None else (self.own, self.other)


def against_key(held: state.Session) -> str:
    """Return the key of the second reduction, "" for none."""
    key = held.selection.against
    return key if key in REDUCTIONS and key != held.scenario.reduction.key else ""


def _key(held: state.Session) -> str:
    return held.selection.part


def _work(held: state.Session) -> Callable[[Trained, Report], BitView | None]:
    part, note = held.selection.part, "comparing the bits with the code"
    return lambda trained, report: look_at_bits(trained, part, lambda: report.progress(0.0, note))


def _gather(held: state.Session, trained: Trained, found: BitView | None) -> View:
    scenario = undecoded(held.scenario)
    own, key = Side(_title(scenario.reduction.key), trained, found), against_key(held)
    if not key:
        return View(held, scenario, own, None, None)
    # For a setting that was shown before nothing is begun any more.
    shown_now = held.scenario == state.session().scenario
    second = AGAINST.find(_other(held)) if shown_now else AGAINST.known(_other(held))
    awaited = second if isinstance(second, Awaited) else None
    other = None if second is None or isinstance(second, Awaited) else Side(_title(key), *second)
    return View(held, scenario, own, other, awaited)


def _other(held: state.Session) -> state.Session:
    """Return the session as it would be with the second reduction."""
    return replace(held, scenario=held.scenario.chosen("reduction", against_key(held)), draft=None)


def _gather_other(held: state.Session, trained: Trained, found: BitView | None) -> Side:
    return Side(_title(held.scenario.reduction.key), trained, found)


STAGE = Stage(PLACE, _key, _work, _gather)
AGAINST = Stage(f"{PLACE}.against", _key, _work, _gather_other)


def busy(held: state.Session) -> bool:
    """Say whether more is to come."""
    second = bool(against_key(held)) and AGAINST.busy(_other(held))
    return second or STAGE.busy(held) or still_runs(POINTS)


def _title(key: str) -> str:
    return str(REDUCTIONS[key].title)


# The settings --------------------------------------------------------------------------------------


def draw_settings(held: state.Session) -> None:
    """Draw one row of widgets: on which points, and beside which other reduction."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key=f"{PLACE}.settings"):
        part = offer("bits.part", held.selection.part)
        st.segmented_control(
            "Bits of",
            list(PART_NAMES),
            key=part.key,
            format_func=PART_NAMES.__getitem__,
            on_change=part.chosen(lambda value: state.select(part=value or held.selection.part)),
        )
        others = [key for key in REDUCTIONS if key != held.scenario.reduction.key]
        against = offer("bits.against", against_key(held))
        st.selectbox(
            "Beside",
            ["", *others],
            key=against.key,
            format_func=lambda key: _title(key) if key else "No other reduction",
            help="Trained with the same code on the same points.",
            on_change=against.chosen(lambda value: state.select(against=value)),
            width=260,
        )


# One reduction -------------------------------------------------------------------------------------


def picked_bar(view: BitView, held: state.Session) -> Bar:
    """Return the bar that is picked, or the one that tells most."""
    return read_bar(held.selection.bar, view.n_bits) or telling_bar(view)


def draw_heading(view: View) -> None:
    """Say what the machines got wrong, and compare two reductions."""
    if view.own.view is None:
        st.info(no_bits(view.own))
    elif view.awaited is None and judged_part(view.own.trained) != view.held.selection.part == "test":
        st.caption("This split keeps no test points, so the training points are shown.")
    if view.awaited is not None:
        draw_panel(view.awaited.place, view.awaited.snapshot, stopped="only the first reduction is shown")
    if view.other is not None and view.other.view is None:
        st.caption(no_bits(view.other))
    elif view.other is not None and view.own.view is not None and view.other.view is not None:
        first, second = view.own.view, view.other.view
        said = says.reductions_sentence(
            view.own.title,
            view.other.title,
            (int(first.report.wrong_bits.sum()), int(second.report.wrong_bits.sum())),
            (first.n - repaired_share(first)[0], second.n - repaired_share(second)[0]),
            (mean_phi(first), mean_phi(second)),
        )
        st.html(f'<div class="eco-words"><b>{escape(said)}</b></div>')


def no_bits(side: Side) -> str:
    """Say that a reduction has no bits."""
    return f"{side.title} trains no binary machines of a code, so it has no bits that could be wrong."


def mean_phi(view: BitView) -> float:
    """Return the mean correlation over all pairs of machines; 0 for a single one."""
    first, second = np.triu_indices(view.n_bits, k=1)
    return float(view.phi[first, second].mean()) if first.size else 0.0


def draw_histogram(side: Side, held: state.Session, place: str) -> None:
    """Draw how many bits are wrong at once."""
    view = side.view
    if view is None:
        return
    bar = picked_bar(view, held)
    within, expected = repaired_share(view)
    said = says.promise_sentence(view.repairs, within, view.n, expected)
    report = view.report
    _headline("Wrong bits at once", side, place)
    chart(
        histogram_figure(
            report.histogram,
            view.expected,
            view.repairs,
            bar.numbers[0] if bar.kind == "count" else -1,
            shown_counts(report.histogram, view.expected, view.repairs),
            theme_now(),
        ),
        key=f"bits.histogram.{place}",
        alt=f"Points by their number of wrong bits. {said}",
        on_pick=lambda point: _pick("count", point, 0),
    )
    more = says.tail_sentence(view.n - within, view.n - expected, mean_phi(view)) if view.repairs >= 0 else ""
    st.html(f'<div class="eco-words"><b>{escape(said)}</b> <span>{escape(more)}</span></div>')
    csv_button(
        "Histogram as CSV",
        lambda: histogram_table(report.histogram, view.expected),
        key=f"bits.histogram.csv.{place}",
    )


def _headline(text: str, side: Side, place: str) -> None:
    name = "" if place == "only" else f" <span>{escape(side.title)}</span>"
    st.html(f'<div class="eco-words"><b>{escape(text)}</b>{name}</div>')


def draw_accuracies(side: Side, held: state.Session, place: str) -> None:
    """Draw how often each machine is right."""
    view = side.view
    if view is None:
        return
    bar, report = picked_bar(view, held), view.report
    said = accuracy_words(view)
    errors = np.diag(report.together)
    _headline("How often each bit is right", side, place)
    chart(
        accuracy_figure(
            report.accuracies,
            view.baselines,
            bar.numbers[0] if bar.kind == "bit" else -1,
            theme_now(),
        ),
        key=f"bits.accuracy.{place}",
        alt=f"Accuracy of {words.count(view.n_bits, 'machine')}. {said}",
        on_pick=lambda point: _pick("bit", point, 1),
    )
    st.html(f'<div class="eco-words"><span>{escape(said)}</span></div>')
    csv_button(
        "Accuracies as CSV",
        lambda: accuracy_table(report.accuracies, view.baselines, errors),
        key=f"bits.accuracy.csv.{place}",
    )


def accuracy_words(view: BitView) -> str:
    """Say which machine is weakest."""
    accuracies = view.report.accuracies
    if not np.isfinite(accuracies).any():
        return "No machine is asked about these points."
    worst = int(np.nanargmin(accuracies))
    below = int((accuracies <= view.baselines).sum())
    return says.accuracy_sentence(
        worst, float(accuracies[worst]), float(view.baselines[worst]), below, view.n_bits
    )


def _pick(kind: str, point: dict[str, Any], first: int) -> None:
    x = point.get("x")
    if isinstance(x, int | float) and x >= first:
        state.select(bar=Bar(kind, (int(x) - first,)).text)


def draw_together(side: Side, held: state.Session, place: str) -> None:
    """Draw which machines err together."""
    view = side.view
    if view is None:
        return
    bar, report = picked_bar(view, held), view.report
    _headline("Which bits fail together", side, place)
    if view.n_bits < 2:
        st.caption("A single machine has nobody to fail together with.")
        return
    found = together(view.phi, report.together)
    closest = view.closest
    phi, joint = (0.0, 0) if closest is None else (float(view.phi[closest]), int(report.together[closest]))
    said = says.pair_sentence(closest, phi, joint, mean_phi(view))
    pair = (bar.numbers[0], bar.numbers[1]) if bar.kind == "pair" else None
    chart(
        together_figure(found, pair, theme_now()),
        key=f"bits.together.{place}",
        alt=f"Correlations φ of the errors of every two machines. {said}",
        on_pick=_pick_pair,
    )
    if found.shown.size < found.n_bits:
        said = f"{said} Shown: the {found.shown.size} machines with the most errors of {found.n_bits}."
    st.html(f'<div class="eco-words"><span>{escape(said)}</span></div>')
    csv_button(
        "Pairs as CSV",
        lambda: together_table(view.phi, report.together),
        key=f"bits.together.csv.{place}",
    )


def _pick_pair(point: dict[str, Any]) -> None:
    custom = point.get("customdata")
    if isinstance(custom, list | tuple) and len(custom) == 4:
        first, second = sorted(int(b) for b in custom[:2])
        state.select(bar=Bar("pair", (first, second)).text)
