"""The Bits page: each machine's errors, how many at once, which together, and whose points."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from zlib import crc32

import streamlit as st

from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.choices import deciders
from ecocviz.lab.evaluate import Outcome, evaluate
from ecocviz.lab.report import Report, Snapshot
from ecocviz.lab.selection import PART
from ecocviz.lab.to_keep import Found, ToKeep, errors_to_keep
from ecocviz.lab.trained import Trained
from ecocviz.views.bits import figures, figures_bounds, figures_together, words
from ecocviz.views.bits.facts import (
    AGAINST,
    BAR,
    Bar,
    BarPoints,
    BitFacts,
    bar_points,
    compare_bits,
    listed_bars,
    n_beyond_right,
    picked_bar,
    points_of,
)
from ecocviz.views.bits.kept import found_bits
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button
from ecocviz.views.shared.app.components.heard import chosen_row, items, whole
from ecocviz.views.shared.app.job_panel import draw_panel
from ecocviz.views.shared.app.room import keep
from ecocviz.views.shared.app.said import caption, info, said
from ecocviz.views.shared.app.stage import Awaited, Scene, Section, Stage, Work, show_page
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.words import count

PLACE, POINTS = "bits", "bits.points"
MAX_LISTED, MAX_NAMED = 300, 5
"""Points in the list, and wrong bits that are named of each; the CSV has all."""


@dataclass(frozen=True, slots=True)
class Side:
    """One reduction's bits; `facts` is None where it has none."""

    title: str
    trained: Trained
    facts: BitFacts | None


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen; `other` is None without a second reduction, or while it is awaited."""

    session: state.Session
    own: Side
    other: Side | None
    awaited: Awaited | None


# Looking ---------------------------------------------------------------------------------------------


def against_key(session: state.Session) -> str:
    """Return the key of the second reduction, "" for none."""
    key = session.selection[AGAINST]
    return key if key in REDUCTIONS and key != session.scenario.reduction.key else ""


def _begin(session: state.Session) -> Callable[[Trained, Report], BitFacts | None]:
    return lambda trained, report: compare_bits(trained, session.selection[PART], report)


def _side(session: state.Session, trained: Trained, facts: BitFacts | None) -> Side:
    return Side(REDUCTIONS[session.scenario.reduction.key].title, trained, facts)


def _gather(session: state.Session, trained: Trained, facts: BitFacts | None) -> View:
    own, key = _side(session, trained, facts), against_key(session)
    if not key:
        return View(session, own, None, None)
    beside = replace(session, scenario=session.scenario.chosen("reduction", key), draft=None)
    # For a setting that was shown before nothing is begun any more.
    shown_now = session.scenario == state.current().scenario
    found = AGAINST_STAGE.find(beside) if shown_now else AGAINST_STAGE.known(beside)
    if found is None or isinstance(found, Awaited):
        return View(session, own, None, found)
    return View(session, own, _side(beside, *found), None)


def _stage(place: str, gather: Callable[..., Any]) -> Stage[Any]:
    return Stage(place, (Work(place, lambda session: session.selection[PART], _begin),), gather)


STAGE: Stage[View] = _stage(PLACE, _gather)
AGAINST_STAGE: Stage[Side] = _stage(f"{PLACE}.against", _side)


def look(session: state.Session) -> Scene[View]:
    """Gather what is to be shown."""
    return STAGE.look(session)


def judge(view: View, facts: BitFacts) -> Work:
    """Return the job that lets the scenario's decoder decide the points whose bits are shown."""
    decoding = view.session.scenario.decoding
    return Work(
        POINTS,
        lambda _held: (facts.part, decoding),
        lambda _held: lambda trained, report: evaluate(trained, facts.part, decoding, report),
    )


def keeps(view: View) -> ToKeep | None:
    """Return the bits of what is on the screen, and the errors of its decoder once they are known."""
    own, other, scenario = view.own.facts, view.other, view.session.scenario
    if own is None:
        return None
    judged = judge(view, own).known(view.session)
    outcome: Outcome | None = None if judged is None else judged.result
    key = against_key(view.session)

    def found() -> Iterator[Found]:
        yield found_bits(scenario, own, view.own.trained.seconds, outcome)
        if other is not None and other.facts is not None:
            yield found_bits(scenario.chosen("reduction", key), other.facts, other.trained.seconds)

    return errors_to_keep((scenario, own.part, outcome is None, key, other is None), found)


# Drawing ---------------------------------------------------------------------------------------------


def draw_settings(session: state.Session) -> None:
    """Draw one row of widgets: on which points, and beside which other reduction."""
    keep(f"{PLACE}.settings", 64)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key=f"{PLACE}.settings"):
        part, parts = bind("bits.part", session.selection[PART]), dict(PART.options)
        st.segmented_control(
            "Bits of",
            list(parts),
            key=part.key,
            format_func=lambda part: literal(parts[part]),
            on_change=part.on_change(lambda value: state.select(part=value or session.selection[PART])),
        )
        others = [key for key in REDUCTIONS if key != session.scenario.reduction.key]
        against = bind("bits.against", against_key(session))
        st.selectbox(
            "Compared with",
            ["", *others],
            key=against.key,
            format_func=lambda key: plain(REDUCTIONS[key].title if key else "No other reduction"),
            help="Trained with the same code on the same points.",
            on_change=against.on_change(lambda value: state.select(against=value)),
            width=260,
        )


def draw(view: View) -> None:
    """Draw one reduction's figures two by two, or those of two reductions side by side."""
    draw_heading(view)
    facts = view.own.facts
    judging = None if facts is None else judge(view, facts).watch(view.session, view.own.trained)
    outcome: Outcome | None = None if judging is None else judging.result
    draws: tuple[Callable[[BitFacts, Bar, str, str], None], ...] = (
        partial(draw_histogram, decided=_decided(view, outcome)),
        draw_accuracies,
        draw_together,
        draw_bounds,
    )
    if view.other is None:
        with st.container(key="split"):
            first, second, third = (st.columns(2, gap="medium") for _ in range(3))
        for draw_one, place in zip(draws, (*first, second[0], third[0]), strict=True):
            with place:
                _draw_side(draw_one, view.own, view.session, "only")
        with second[1]:
            draw_points(view, judging)
        return
    with st.container(key="split"):
        rows = [st.columns(2, gap="medium") for _ in draws]
    for draw_one, (left, right) in zip(draws, rows, strict=True):
        with left:
            _draw_side(draw_one, view.own, view.session, "own")
        with right:
            _draw_side(draw_one, view.other, view.session, "other")
    st.divider()
    draw_points(view, judging)


def _decided(view: View, outcome: Outcome | None) -> tuple[str, int | None]:
    """Return the decoder's name, and how many points it gets right that are beyond certain repair."""
    facts, scenario = view.own.facts, view.session.scenario
    title = deciders(scenario, (scenario.decoding,))[0][0]
    return title, None if outcome is None or facts is None else n_beyond_right(facts, outcome)


def draw_heading(view: View) -> None:
    """Say what the machines got wrong, and compare two reductions."""
    own, other, asked = view.own, view.other, view.session.selection[PART]
    if own.facts is None:
        info(no_bits(own))
    elif view.awaited is None and own.trained.judged_part != asked == "test":
        st.caption("This split keeps no test points, so the training points are shown.")
    if view.awaited is not None:
        draw_panel(view.awaited.place, view.awaited.snapshot, stopped="only the first reduction is shown")
    if other is not None and other.facts is None:
        caption(no_bits(other))
    elif other is not None and own.facts is not None and other.facts is not None:
        said(words.reductions_sentence((own.title, own.facts), (other.title, other.facts)))


def no_bits(side: Side) -> str:
    """Say that a reduction has no bits."""
    return f"{side.title} trains no binary machines of a code, so it has no bits that could be wrong."


def _draw_side(
    draw_one: Callable[[BitFacts, Bar, str, str], None], side: Side, session: state.Session, place: str
) -> None:
    if side.facts is not None:
        bar = picked_bar(side.facts, session.selection[BAR])
        draw_one(side.facts, bar, "" if place == "only" else side.title, place)


def draw_histogram(
    facts: BitFacts, bar: Bar, name: str, place: str, *, decided: tuple[str, int | None]
) -> None:
    """Draw how many bits are wrong at once; `decided` is what a decoder makes of the scenario's own bits."""
    promise, tail = words.promise_sentence(facts), words.tail_sentence(facts)
    bridge = words.bridge_sentence(facts, *decided) if place != "other" else ""
    said("Wrong bits at once", name)
    chart(
        partial(figures.histogram_figure, facts, bar),
        key=f"bits.histogram.{place}",
        alt=f"Points by their number of wrong bits. {promise}",
        on_pick=lambda point: _pick("count", point, 0),
    )
    said(promise, f"{tail} {bridge}".rstrip())
    csv_button("Histogram as CSV", lambda: figures.histogram_table(facts), key=f"bits.histogram.csv.{place}")


def draw_accuracies(facts: BitFacts, bar: Bar, name: str, place: str) -> None:
    """Draw how often each machine is right."""
    accuracy = words.accuracy_sentence(facts)
    said("How often each bit is right", name)
    chart(
        partial(figures.accuracy_figure, facts, bar),
        key=f"bits.accuracy.{place}",
        alt=f"Accuracy of {count(facts.n_bits, 'machine')}. {accuracy}",
        on_pick=(lambda point: _pick("bit", point, 1)) if facts.n_bits <= figures.MOST_BARS else None,
    )
    said("", accuracy)
    csv_button("Accuracies as CSV", lambda: figures.accuracy_table(facts), key=f"bits.accuracy.csv.{place}")


def _pick(kind: str, point: Mapping[str, Any], first: int) -> None:
    state.select(bar=Bar(kind, (whole(point.get("x"), low=first) - first,)).text)


def draw_together(facts: BitFacts, bar: Bar, name: str, place: str) -> None:
    """Draw which machines err together."""
    said("Which bits fail together", name)
    if facts.n_bits < 2:
        st.caption("There is only one machine, so no two can fail together.")
        return
    pair = words.pair_sentence(facts)
    chart(
        partial(figures_together.together_figure, facts, bar),
        key=f"bits.together.{place}",
        alt=f"Correlations φ of the errors of every two machines. {pair}",
        on_pick=_pick_pair,
    )
    n_shown = figures_together.together_shown(facts).size
    if n_shown < facts.n_bits:
        pair = f"{pair} Shown: the {n_shown} machines with the most errors of {facts.n_bits}."
    said("", pair)
    csv_button(
        "Pairs as CSV", lambda: figures_together.together_table(facts), key=f"bits.together.csv.{place}"
    )


def _pick_pair(point: Mapping[str, Any]) -> None:
    first, second = sorted(whole(b) for b in items(point.get("customdata"), most=4, n=4)[:2])
    state.select(bar=Bar("pair", (first, second)).text)


def draw_bounds(facts: BitFacts, _bar: Bar, name: str, place: str) -> None:
    """Draw how often more bits fail than are repaired, beside its bounds."""
    said("How bad it can be", name)
    sentence = words.bounds_sentence(facts)
    chart(
        partial(figures_bounds.bounds_figure, facts),
        key=f"bits.bounds.{place}",
        alt=f"Points with more than 0, 1, 2 and more wrong bits, and bounds on their share. {sentence}",
    )
    said("", sentence)
    csv_button("Bounds as CSV", lambda: figures_bounds.bounds_table(facts), key=f"bits.bounds.csv.{place}")


# The points of a bar ---------------------------------------------------------------------------------


def draw_points(view: View, judging: Snapshot | None) -> None:
    """List the points of the picked bar; a chosen one opens on the Playground."""
    facts = view.own.facts
    if facts is None or judging is None:
        return
    bar = picked_bar(facts, view.session.selection[BAR])
    titles = {b.text: words.bar_title(b, points_of(facts, b).size) for b in listed_bars(facts, bar)}
    bound = bind("bits.bar", bar.text)
    st.selectbox(
        "Listed points",
        list(titles),
        key=bound.key,
        format_func=lambda text: plain(titles.get(text, str(text))),
        help="You can also click a bar or a cell in the figures.",
        on_change=bound.on_change(lambda text: state.select(bar=text)),
    )
    if not points_of(facts, bar).size:
        st.caption("No point is in this bar; pick another.")
        return
    draw_panel(POINTS, judging, stopped="their decisions are not known")
    outcome: Outcome | None = judging.result
    if outcome is not None:
        listed = bar_points(facts, view.own.trained, bar, outcome)
        _draw_list(view, facts, listed, titles[bar.text])


def _draw_list(view: View, facts: BitFacts, listed: BarPoints, title: str) -> None:
    decider = deciders(view.session.scenario, (view.session.scenario.decoding,))[0][0]
    fate = words.fate_sentence(decider, listed)
    said("", f"{fate} Choose a point to open it in the Playground.")
    classes = view.own.trained.classes
    table = figures.points_table(facts, listed, classes)
    shown = figures.points_table(facts, listed, classes, MAX_NAMED).head(MAX_LISTED)
    numbers = listed.numbers[:MAX_LISTED].tolist()
    # What is chosen is a position: other points are another table.
    key = f"bits.points.{facts.part}.{crc32(repr(numbers).encode())}"
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        on_select=lambda: _choose_point(key, numbers),
        selection_mode="single-row",
        row_height=28,
        height=min(28 * len(shown) + 38, 300),
        alt=plain(f"{title}: true class, decided class and wrong bits."),
    )
    if len(shown) < len(table):
        caption(f"The first {len(shown):,} of {len(table):,} points; the CSV has all of them.")
    _open_button(key, numbers)
    csv_button("Points as CSV", lambda: table, key="bits.points.csv")


def _choose_point(key: str, numbers: list[int]) -> None:
    row = chosen_row(key, len(numbers))
    if row is not None and numbers[row] >= 0:
        state.select(pick=numbers[row], place="", flips="")


def _open_button(key: str, numbers: list[int]) -> None:
    """Offer the chosen point, or the first of the list."""
    point = numbers[chosen_row(key, len(numbers)) or 0]
    if point >= 0 and st.button(literal(f"Open point {point} in the Playground"), key="bits.open"):
        state.select(pick=point, place="", flips="")
        st.switch_page("pages/playground.py")


def show() -> None:
    """Draw the page."""
    show_page("bits", "Bits", Section(PLACE, look, draw, keeps=keeps), settings=draw_settings)
