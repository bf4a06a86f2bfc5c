"""The Data page: a data set, its classes and columns, and what its preparation makes of it."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.types import Table
from ecocviz.lab.plane import PCA
from ecocviz.lab.report import Report
from ecocviz.lab.run import load
from ecocviz.lab.scenario import Scenario
from ecocviz.views.data import figures, words
from ecocviz.views.data.cloud import cloud_keys, make_cloud, read_axes
from ecocviz.views.data.facts import AXES, Consequences, TableFacts, describe_table, make_consequences
from ecocviz.views.data.page_openml import PLACE as FETCHING
from ecocviz.views.data.page_openml import draw_openml, fetched, number_of
from ecocviz.views.data.page_upload import LOADING, draw_upload, lacks_file
from ecocviz.views.shared.app import cache, sidebar, state
from ecocviz.views.shared.app.charts import chart, csv_button
from ecocviz.views.shared.app.layout import one_sentence
from ecocviz.views.shared.app.said import caption, said, title
from ecocviz.views.shared.app.stage import Awaited, Scene, Section, computed, show_page
from ecocviz.views.shared.draw.outside import literal, plain, told_apart
from ecocviz.views.shared.draw.words import count

PLACE = "data."
"""In front of the keys of the sidebar's widgets that stand here too."""
WIDTHS = [60, 48]
TABLE_HEIGHT = 320


@dataclass(frozen=True, slots=True)
class View:
    """A data set on the screen."""

    scenario: Scenario
    axes: str
    table: Table
    facts: TableFacts


# Looking ---------------------------------------------------------------------------------------------


def look(session: state.Session) -> Scene[View]:
    """Load the data, or wait for them."""
    scenario = session.scenario
    if lacks_file(scenario):
        return Scene(None)
    fetching = fetched(scenario)
    if fetching is not None:
        return Scene(None, Awaited(FETCHING, fetching))
    if number_of(scenario) is not None:
        return Scene(None)
    key = cache.data_key(scenario)

    def work(report: Report) -> Table:
        report.note(f"loading the data, {DATASETS[scenario.data.key].title}")
        return load(scenario)

    table = computed(LOADING, "table", key, work)
    if isinstance(table, Awaited):
        return Scene(None, table)
    facts = cache.remember("data.facts", key, lambda: describe_table(table))
    return Scene(View(scenario, read_axes(session.selection[AXES], len(facts.columns)), table, facts))


def find_consequences(view: View) -> Consequences:
    """Split and prepare the data; raise ValueError with a sentence where that is impossible."""
    key = cache.data_key(view.scenario, "preparation", "split")
    return cache.remember("data.consequences", key, lambda: make_consequences(view.scenario, view.table))


# What it is ------------------------------------------------------------------------------------------


def draw_settings(session: state.Session) -> None:
    """Let the user choose a data set with its parameters, or bring a file."""
    scenario = session.scenario
    entry = DATASETS[scenario.data.key]
    with st.container(key="split-choice"):
        left, right = st.columns(WIDTHS, gap="large")
    with left:
        sidebar.slot_list(scenario, "data", "Data set", PLACE)
    with right:
        if entry.source and not entry.needs:
            caption(f"Source: {entry.source}. Licence: {entry.licence}.")
        st.caption("To draw points of your own, use the pencil above the regions on the Playground.")
    with st.container(key="params-data"):
        sidebar.slot_params(scenario, "data", PLACE, across=5)
    if state.is_offered("data"):
        draw_openml(session)
        draw_upload(session)


def draw(view: View) -> None:
    """Draw the rows in pictures, then as a table."""
    found = None
    with st.container(key="split"):
        left, right = st.columns(WIDTHS, gap="large")
    with right:
        draw_preparation(view)
        with one_sentence():
            found = find_consequences(view)
            draw_consequences(found)
            draw_balance(found)
    with left:
        said(words.data_sentence(view.facts), "" if found is None else words.guess_sentence(found))
        if found is not None:
            draw_axes(view)
            draw_scatter(view, found)
        draw_notes(view.table, DATASETS[view.scenario.data.key].source)
    draw_table(view)


def draw_notes(table: Table, source: str) -> None:
    """Say what is to be known of the set itself, and where it comes from if only the set knows."""
    if table.source and table.source != source:
        caption(f"Source: {table.source}. Licence: {table.licence}.")
    for note in table.notes:
        caption(note)


# Where its rows lie ----------------------------------------------------------------------------------


def draw_scatter(view: View, found: Consequences) -> None:
    """Draw the rows as points."""
    key = cache.data_key(view.scenario, "preparation", "split"), view.axes
    cloud = cache.remember("data.cloud", key, lambda: make_cloud(view.table, found, view.axes))
    x, y = cloud.names
    classes = count(len(cloud.classes), "class", "classes")
    chart(
        partial(figures.scatter_figure, cloud),
        key="data.scatter",
        alt=f"{count(cloud.drawn.size, 'row')} of {view.table.name} over {f'{x} and {y}' if y else x}, in "
        f"{classes} told apart by colour and symbol.",
    )
    text = words.cloud_sentence(cloud)
    if not figures.has_legend(cloud.classes):
        text = f"{text} The bars show the classes' colours and symbols.".strip()
    if text:
        said("", text)
    csv_button("Points as CSV", lambda: figures.points_table(cloud, view.table), key="data.points")


def draw_axes(view: View) -> None:
    """Let the user choose what the picture shows."""
    names = told_apart([column.name for column in view.facts.columns])
    if len(cloud_keys(len(names))) == 1:
        return
    planes = {PCA: "Main directions", "pair": "Two columns"}
    st.session_state["data.plane"] = PCA if view.axes == PCA else "pair"

    def plane_changed() -> None:
        plane = st.session_state["data.plane"]
        if plane is not None:
            state.select(axes=PCA if plane == PCA else "0,1")

    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="data.axes"):
        st.segmented_control(
            "Shown", list(planes), key="data.plane", format_func=lambda key: literal(planes[key]),
            on_change=plane_changed, width="content",
        )  # fmt: skip
        if view.axes != PCA:
            _draw_pair(view.axes, names)


def _draw_pair(axes: str, names: list[str]) -> None:
    pair = [int(number) for number in axes.split(",")]

    def changed() -> None:
        state.select(axes=",".join(str(st.session_state[f"data.axis{k}"]) for k in (0, 1)))

    for k, label in enumerate(("Across", "Upwards")):
        st.session_state[f"data.axis{k}"] = pair[k]
        st.selectbox(
            literal(label),
            [j for j in range(len(names)) if j != pair[1 - k]],
            key=f"data.axis{k}",
            format_func=lambda j: plain(names[j]),
            on_change=changed,
            width=140,
        )


# What becomes of it ----------------------------------------------------------------------------------


def draw_preparation(view: View) -> None:
    """Draw the widgets of preparation and split."""
    with st.container(key="halves-data"):
        left, right = st.columns(2, gap="medium")
    with left:
        sidebar.slot_widgets(view.scenario, "preparation", "Preparation", PLACE)
    with right:
        sidebar.slot_widgets(view.scenario, "split", "Split", PLACE)


def draw_consequences(found: Consequences) -> None:
    """Say what preparation and split make of the data."""
    said(words.split_sentence(found), words.columns_sentence(found))
    for note in found.prepared.notes:
        caption(note)


def draw_balance(found: Consequences) -> None:
    """Draw how many rows every class has."""
    title("Rows of each class")
    least = int(found.train.argmin())
    chart(
        partial(figures.balance_figure, found),
        key="data.balance",
        alt=f"Rows of each of {len(found.classes)} classes in training and test; the smallest class, "
        f"{found.classes[least]}, has {count(int(found.train[least]), 'training row')}.",
    )
    csv_button("Rows as CSV", lambda: figures.balance_table(found), key="data.rows")


# The table itself ------------------------------------------------------------------------------------


def draw_table(view: View) -> None:
    """Draw the first rows, and the facts of every column."""
    rows, columns = st.tabs(["Rows", "Columns"], key="data.tabs")
    with rows:
        _draw_rows(view.table)
    with columns:
        _draw_columns(view.facts)


def _draw_rows(table: Table) -> None:
    shown = figures.preview(table)
    st.dataframe(
        shown, height=TABLE_HEIGHT, hide_index=True, key="data.preview",
        alt=plain(f"The first {count(len(shown), 'row')} of {table.name}, the class in front."),
    )  # fmt: skip
    text = words.preview_sentence(*table.features.shape)
    if text:
        caption(text)
    csv_button("All rows as CSV", lambda: figures.whole(table), key="data.table")


def _draw_columns(facts: TableFacts) -> None:
    frame = figures.columns_table(facts)
    st.dataframe(
        frame, height=min(TABLE_HEIGHT, 38 + 35 * len(frame)), hide_index=True, key="data.columns",
        alt=plain(f"Type, missing values and range of {count(len(frame), 'column')}."),
    )  # fmt: skip
    caption(words.kinds_sentence(facts))
    csv_button("Columns as CSV", lambda: frame, key="data.facts")


def show() -> None:
    """Draw the page."""
    show_page("data", "Data", Section("data", look, draw), settings=draw_settings)
