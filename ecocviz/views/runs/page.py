"""The Runs page: the list of kept runs, what is done with the chosen ones, and methods over data sets."""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any
from zlib import crc32
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.store import open_store
from ecocviz.lab.store_rows import damage_sentence
from ecocviz.views.runs import figures, words
from ecocviz.views.runs.facts import (
    CHOSEN,
    FIND,
    OFKIND,
    OFSET,
    OLDER,
    PINNED,
    Kept,
    Listed,
    asked,
    field_of,
    field_with,
    find_runs,
    list_runs,
    numbers_in,
    text_of,
)
from ecocviz.views.runs.page_chosen import draw_actions, tell_problem
from ecocviz.views.runs.page_compare import draw_chosen
from ecocviz.views.runs.page_sets import SETS, draw_sets, look_sets
from ecocviz.views.shared.app import keeping, state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import column_widths
from ecocviz.views.shared.app.components.heard import among, chosen_rows
from ecocviz.views.shared.app.room import keep
from ecocviz.views.shared.app.said import caption, said, warning
from ecocviz.views.shared.app.stage import Scene, Section, show_page
from ecocviz.views.shared.draw.outside import literal, plain
from ecocviz.views.shared.draw.tables import THREE_DIGITS, column_width, three_digits

PLACE, TABLE, TOLD = "runs", "runs.table", "runs.told"
ROW_HEIGHT, HEAD_HEIGHT, MOST_HEIGHT = 28, 38, 430
SETTINGS_HEIGHT = 66


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen: a page of the list, and the chosen runs, of that page or another."""

    session: state.Session
    listed: Listed
    chosen: tuple[Kept, ...]
    owner: str | None
    problems: tuple[str, ...]


# Looking ---------------------------------------------------------------------------------------------


def look(session: state.Session) -> Scene[View]:
    """Read what is asked for; raise ValueError with a sentence where the store cannot be read."""
    store, owner = open_store(), keeping.seen_by_now()
    listed = list_runs(store, asked(session.selection, owner))
    chosen = find_runs(store, numbers_in(session.selection[CHOSEN]), owner)
    damage = damage_sentence(one.run for one in listed.runs)
    problems = tuple(filter(None, (store.problem, *store.notes, damage)))
    return Scene(View(session, listed, chosen, owner, problems))


def zone_now() -> tzinfo:
    """Return the zone of the reader's clock."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ValueError, OSError, LookupError):  # what a browser says, or no list of zones on this computer
        return UTC


# Drawing ---------------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the list with its filter, and the chosen runs under it."""
    tell_problem()
    for problem in view.problems:
        warning(problem)
    if not view.listed.n_all:
        draw_empty()
        return
    draw_filter(view)
    said(*words.list_sentence(view.listed))
    if view.listed.runs:
        draw_list(view)
    draw_pages(view.listed)
    there = {one.run.id for one in view.chosen}
    gone = [number for number in numbers_in(view.session.selection[CHOSEN]) if number not in there]
    if gone:
        caption(words.gone_sentence(gone))
    draw_actions(view.chosen, view.owner)
    draw_chosen(view.chosen, view.owner, zone_now())


def draw_empty() -> None:
    """Say that there is nothing yet, and what to do."""
    said(words.EMPTY, words.EMPTY_MORE)
    if st.button("Open the Playground", key="runs.start"):
        st.switch_page("pages/playground.py")


def draw_filter(view: View) -> None:
    """Draw one row of widgets that narrow the list."""
    selection, titles = view.session.selection, {key: entry.title for key, entry in SLOTS["data"].items()}
    keep(f"{PLACE}.settings", SETTINGS_HEIGHT)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key=f"{PLACE}.settings"):
        counts, now = view.listed.counts, view.listed.asked.list
        shown = bind("runs.list", now)
        st.segmented_control(
            "Runs",
            list(counts),
            key=shown.key,
            format_func=lambda key: literal(f"{key.capitalize()} {counts[key]:,}"),
            on_change=shown.on_change(lambda key: state.select(oflist=key or now, older=0)),
        )
        text = bind("runs.find", text_of(selection[FIND]))
        st.text_input(
            "Find",
            key=text.key,
            placeholder="Words in names, titles and settings",
            max_chars=100,
            on_change=text.on_change(lambda value: state.select(find=field_of(str(value or "")), older=0)),
            width=280,
        )
        sets = ["", *view.listed.sets]
        data = bind("runs.data", selection[OFSET] if selection[OFSET] in sets else "")
        st.selectbox(
            "Data set",
            sets,
            key=data.key,
            format_func=lambda key: plain(titles.get(key) or key if key else "All data sets"),
            on_change=data.on_change(lambda key: state.select(ofset=among(key, sets), older=0)),
            width=190,
        )
        kinds = dict(OFKIND.options)
        kind = bind("runs.kind", selection[OFKIND])
        st.selectbox(
            "Kind",
            list(kinds),
            key=kind.key,
            format_func=lambda key: plain(kinds[key]),
            on_change=kind.on_change(lambda key: state.select(ofkind=key, older=0)),
            width=160,
        )
        pinned = bind("runs.pinned", selection[PINNED] == "1")
        st.toggle(
            "Pinned only",
            key=pinned.key,
            on_change=pinned.on_change(lambda on: state.select(pinned="1" if on else "0", older=0)),
        )


def draw_list(view: View) -> None:
    """Draw the table; choosing rows compares them, and offers what can be done with them."""
    runs, now = view.listed.runs, view.listed.asked.list
    numbers = [one.run.id for one in runs]
    here = [number for number in numbers_in(view.session.selection[CHOSEN]) if number in numbers]
    shown = figures.list_table(runs, zone_now())
    key = _table_key(numbers, here)

    def choose() -> None:
        rows = chosen_rows(key, len(numbers), most=len(numbers))
        if rows is None:
            return
        before = numbers_in(state.current().selection[CHOSEN])
        chosen = [numbers[row] for row in rows]
        elsewhere = [number for number in before if number not in numbers]
        kept = [number for number in before if number in chosen]
        # From now on the list is this one, whatever becomes of the chosen ones.
        state.select(
            oflist=now, chosen=field_with([*elsewhere, *kept, *(n for n in chosen if n not in kept)])
        )
        st.session_state[TOLD] = (key, sorted(chosen))

    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        on_select=choose,
        selection_mode="multi-row",
        selection_default={"selection": {"rows": [numbers.index(number) for number in here]}},
        row_height=ROW_HEIGHT,
        height=min(ROW_HEIGHT * len(runs) + HEAD_HEIGHT, MOST_HEIGHT),
        placeholder="–",
        column_config=_columns(shown),
        alt="Kept runs, the last used first; choosing rows compares them below.",
    )


def _table_key(numbers: list[int], here: list[int]) -> str:
    """Name the table: what is chosen in it are positions, so other rows make another table.

    So does a choice that was not made in it: its own it knows.
    """
    digest = crc32(repr(numbers).encode())
    told = st.session_state.get(TOLD)
    if told is not None and told[0].startswith(f"{TABLE}.{digest}.") and told[1] == sorted(here):
        return str(told[0])
    turn = 1 + (int(told[0].rpartition(".")[2]) if told is not None else 0)
    key = f"{TABLE}.{digest}.{turn}"
    st.session_state[TOLD] = (key, sorted(here))
    return key


def _columns(shown: pd.DataFrame) -> dict[str, Any]:
    columns = st.column_config
    written = {
        "Run": shown["Run"].tolist(),
        "Differs": shown["Differs"].tolist(),
        "Error": [f"{value:.1f} %" for value in shown["Error"].dropna()],
        "Interval": shown["Interval"].dropna().tolist(),
        "Training": [f"{value:.1f} %" for value in shown["Training"].dropna()],
        "Seconds": [three_digits(value) for value in shown["Seconds"]],
        "Used": shown["Used"].tolist(),
    }
    heads = {
        "Run": "Run", "Differs": "Other than the first", "Error": "Test error", "Interval": "95 % interval",
        "Training": "Training error", "Seconds": "Training, s", "Used": "Last used",
    }  # fmt: skip
    width = column_widths({name: column_width(heads[name], texts) for name, texts in written.items()})
    return {
        "Pinned": columns.TextColumn(
            "Pin", width=44, help="● where a run is pinned: it stays when room is made"
        ),
        "Run": columns.TextColumn(plain(heads["Run"]), width=width["Run"]),
        "Differs": columns.TextColumn(plain(heads["Differs"]), width=width["Differs"]),
        "Error": columns.NumberColumn(plain(heads["Error"]), format="%.1f %%", width=width["Error"]),
        "Interval": columns.TextColumn(plain(heads["Interval"]), width=width["Interval"]),
        "Training": columns.NumberColumn(plain(heads["Training"]), format="%.1f %%", width=width["Training"]),
        "Seconds": columns.NumberColumn(plain(heads["Seconds"]), format=THREE_DIGITS, width=width["Seconds"]),
        "Used": columns.TextColumn(plain(heads["Used"]), width=width["Used"]),
    }


def draw_pages(listed: Listed) -> None:
    """Offer older and newer runs where there are any."""
    page = listed.asked.page
    if not page and not listed.more:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs.pages"):
        st.button("Newer", key="runs.newer", disabled=not page, on_click=_turn, args=(page - 1,))
        st.button("Older", key="runs.older", disabled=not listed.more, on_click=_turn, args=(page + 1,))
        caption(f"Page {page + 1}", width="content")


def _turn(page: int) -> None:
    state.select(older=max(page, OLDER.low))


def show() -> None:
    """Draw the page."""
    show_page(PLACE, "Runs", Section(PLACE, look, draw), Section(SETS, look_sets, draw_sets))
