"""The scenario in the sidebar: one folded group a slot, undo and redo, share, reset."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.params import ParamValue
from ecocviz.lab.catalogue import REDUCTIONS, SLOTS, why_unused
from ecocviz.lab.choices import MAX_COMPARED, shown_decoders, uses, why_not_for, why_not_options
from ecocviz.lab.export import python_script
from ecocviz.lab.scenario import SEED, Choice, Scenario
from ecocviz.views.shared.app import share, state
from ecocviz.views.shared.app.at_hand import automatic_known, has_words, known, numbers_known, table_at_hand
from ecocviz.views.shared.app.hiding import GROUPS
from ecocviz.views.shared.app.opened import SHARE
from ecocviz.views.shared.app.said import caption, markup
from ecocviz.views.shared.app.summaries import Known, summary
from ecocviz.views.shared.app.widgets import param_widgets
from ecocviz.views.shared.draw.outside import Shown, literal, plain
from ecocviz.views.shared.draw.settings import matters

LINES, DRAWN = "sidebar.lines", "sidebar.drawn"
UNAVAILABLE = " (unavailable)"
"""After the title of what cannot be chosen; the browser greys it."""
LABELS = {"preparation": "Preparation", "split": "Split", "rejecting": "Doubtful points"}


def draw(session: state.Session, path: str) -> None:
    """Draw the whole sidebar."""
    _history(session, path)
    st.session_state[LINES] = {}
    st.session_state.pop(DRAWN, None)
    for title, slots in GROUPS:
        if state.is_offered(slots[0]):
            _group(session, title, slots)


def forget() -> None:
    """Forget where the sidebar's lines stand, where there is no sidebar: they can no longer be written."""
    st.session_state.pop(LINES, None)


def _history(session: state.Session, path: str) -> None:
    markup(Shown('<span class="eco-name">ecocviz</span>'))
    with st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="center", key="history"):
        st.button(
            "Undo", icon=":material/undo:", help="Undo", key="undo", on_click=state.step_back,
            disabled=not session.undo, type="tertiary",
        )  # fmt: skip
        st.button(
            "Redo", icon=":material/redo:", help="Redo", key="redo", on_click=state.step_forward,
            disabled=not session.redo, type="tertiary",
        )  # fmt: skip
        st.button(
            "Reset to the first screen", icon=":material/restart_alt:", help="Reset to the first screen",
            key="reset", on_click=state.reset, type="tertiary",
        )  # fmt: skip
        with st.popover("Share", key=SHARE, type="tertiary", on_change="rerun") as opened:
            if opened.open:  # drawn when it is opened, so that it knows the latest pick
                share.draw(session, path)
        with st.popover("Export", key="export", type="tertiary", on_change="rerun") as opened:
            if opened.open:
                _export(session.scenario)


def _export(scenario: Scenario) -> None:
    """Offer the scenario as a script and as a file for the command line."""
    st.caption("The script prints the numbers that the app shows; the file is for `ecocviz run`.")
    st.download_button(
        "Python script", python_script(scenario), "ecocviz_experiment.py", "text/x-python",
        key="export.python", icon=":material/download:", type="tertiary", on_click="ignore",
    )  # fmt: skip
    st.download_button(
        "Scenario (TOML)", scenario.to_toml(), "ecocviz_scenario.toml", "application/toml",
        key="export.toml", icon=":material/download:", type="tertiary", on_click="ignore",
    )  # fmt: skip


def _group(session: state.Session, title: str, slots: tuple[str, ...]) -> None:
    """Draw one group: while it is folded, its first slot's entry and a line on everything else.

    What is chosen stands under the heading and not in it: a heading that changes would make another
    group of it, folded, without the focus.
    """
    scenario = session.scenario
    with st.expander(
        literal(Shown(f":small[:gray[{literal(title)}]]")), key=f"group.{title}", on_change="rerun"
    ) as opened:
        if opened.open:
            for slot in slots:
                slot_widgets(scenario, slot, LABELS.get(slot, title), named=slot != slots[0])
            if title == "Data":
                _seed(scenario)
            if title == "Decoder" and uses(scenario, "decoding"):
                _compare(session)
    if not opened.open:
        line = st.session_state[LINES][title] = Line(st.empty())
        _write(line, _text(scenario, slots))


@dataclass(slots=True)
class Line:
    """Where a folded group says what is chosen, and what it says."""

    place: DeltaGenerator
    shown: Shown | None = None


def settle(scenario: Scenario) -> None:
    """Write the numbers that words have become, if the machines are trained; the page is drawn wholly."""
    for line, text in _unsaid(scenario):
        _write(line, text)
    st.session_state[DRAWN] = True


def is_behind(scenario: Scenario) -> bool:
    """Say whether machines are trained since the page was drawn, whose numbers are not said."""
    return DRAWN in st.session_state and bool(_unsaid(scenario))


def _unsaid(scenario: Scenario) -> list[tuple[Line, Shown]]:
    lines: dict[str, Line] = st.session_state.get(LINES, {})
    worded = ((title, slots) for title, slots in GROUPS if has_words(getattr(scenario, slots[0]), slots[0]))
    found = ((lines[title], _text(scenario, slots)) for title, slots in worded if title in lines)
    return [(line, text) for line, text in found if text != line.shown]


def _text(scenario: Scenario, slots: tuple[str, ...]) -> Shown:
    return folded_text(scenario, slots, known(scenario, slots[0]))


def _write(line: Line, text: Shown) -> None:
    line.shown = text
    with line.place:
        markup(text)


@lru_cache(maxsize=1024)
def folded_text(scenario: Scenario, slots: tuple[str, ...], now: Known) -> Shown:
    """Return, as HTML, what stands under the heading of a folded group."""
    choice: Choice = getattr(scenario, slots[0])
    chosen, line = literal(SLOTS[slots[0]][choice.key].title), literal(summary(scenario, slots, now))
    return Shown(
        f'<div class="eco-chosen">{chosen}</div><div class="eco-summary" title="{line}">{line}</div>'
    )


def slot_widgets(scenario: Scenario, slot: str, label: str, place: str = "", *, named: bool = True) -> None:
    """Draw a slot's list and its parameters; `place` parts them from the same widgets elsewhere."""
    slot_list(scenario, slot, label, place, named=named)
    slot_params(scenario, slot, place)


def slot_list(scenario: Scenario, slot: str, label: str, place: str = "", *, named: bool = True) -> None:
    """Draw the list of a slot's entries, and what the chosen one is."""
    if not state.is_offered(slot):
        return
    entries: Mapping[str, Any] = SLOTS[slot]
    choice: Choice = getattr(scenario, slot)
    table = table_at_hand(scenario) if slot in ("coding", "split") else None
    reasons = why_not_for(scenario, slot, table)
    key = f"{place}slot.{slot}"
    st.session_state[key] = choice.key

    def chosen() -> None:
        state.set_slot(slot, st.session_state[key])

    def shown(entry_key: str) -> str:
        return f"{entries[entry_key].title}{UNAVAILABLE if entry_key in reasons else ''}"

    st.selectbox(
        literal(label),
        list(entries),
        key=key,
        format_func=lambda one: plain(shown(one)),
        on_change=chosen,
        label_visibility="visible" if named else "collapsed",
    )
    markup(reasons_markup({shown(entry): reason for entry, reason in reasons.items()}))
    idle = why_unused(slot, REDUCTIONS[scenario.reduction.key])
    caption(reasons.get(choice.key) or idle or entries[choice.key].summary)


def reasons_markup(reasons: Mapping[str, str]) -> Shown:
    """Return why options of a list cannot be chosen, by their text; the browser greys them: see greyed.js."""
    each = "".join(f'<i title="{literal(text)}">{literal(reason)}</i>' for text, reason in reasons.items())
    return Shown(f'<div class="eco-reasons" hidden>{each}</div>')


def slot_params(scenario: Scenario, slot: str, place: str = "", across: int = 1) -> None:
    """Draw the parameters of a slot's entry, so many beside each other."""
    if not state.is_offered(slot):
        return
    choice: Choice = getattr(scenario, slot)

    def changed(name: str, value: ParamValue) -> None:
        state.set_slot(slot, None, **{name: value})

    params = [param for param in SLOTS[slot][choice.key].params if matters(param, choice.values)]
    if across == 1:
        numbers = dict(numbers_known(scenario, slot)) | automatic_known(scenario, slot)
        param_widgets(f"{place}{slot}", tuple(params), choice, changed, numbers)
        return
    for start in range(0, len(params), across):
        for column, param in zip(st.columns(across, gap="medium"), params[start:], strict=False):
            with column:
                param_widgets(f"{place}{slot}", (param,), choice, changed)


def _seed(scenario: Scenario) -> None:
    st.session_state["seed"] = scenario.seed

    def changed() -> None:
        state.set_seed(SEED.check(st.session_state["seed"]))

    st.number_input(
        literal(SEED.label),
        min_value=SEED.low,
        max_value=SEED.high,
        step=1,
        key="seed",
        help=literal(SEED.help),
        on_change=changed,
    )


def _compare(session: state.Session) -> None:
    """Let the user choose the decoders shown beside the scenario's own."""
    reasons = why_not_options(session.scenario, "decoding")
    shown = [choice.key for choice in shown_decoders(session.scenario, session.selection)]
    st.session_state["compare"] = [key for key in shown if key != session.scenario.decoding.key]

    def changed() -> None:
        state.select(compare=".".join(st.session_state["compare"]) or session.scenario.decoding.key)

    st.multiselect(
        "Compared with",
        [key for key in DECODINGS if key not in reasons and key != session.scenario.decoding.key],
        key="compare",
        format_func=lambda key: plain(DECODINGS[key].title),
        max_selections=MAX_COMPARED,
        help="Decoded from the same machines and shown beside the chosen decoder.",
        on_change=changed,
    )
