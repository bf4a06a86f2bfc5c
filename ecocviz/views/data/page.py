"""What the Data page shows: a data set, its classes and columns, and what its preparation makes of it."""

from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.types import Table
from ecocviz.engine.types import IntArray
from ecocviz.lab.scenario import Scenario
from ecocviz.views.data import words as says
from ecocviz.views.data.facts import Cloud, Consequences, cloud_keys, read_axes, thin
from ecocviz.views.data.figures import (
    balance_figure,
    balance_table,
    has_legend,
    scatter_figure,
    scatter_table,
)
from ecocviz.views.shared.app import cache, sidebar, state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.draw import words

PLACE = "data."
MAX_DRAWN = 3_000
SHOWN_ROWS, SHOWN_COLUMNS = 200, 60
TABLE_HEIGHT = 320


@dataclass(frozen=True, slots=True)
class View:
    """A data set on the screen."""

    scenario: Scenario
    axes: str
    table: Table
    classes: tuple[str, ...]


def look(held: state.Session) -> View:
    """Load the data; raise ValueError with a sentence where that is impossible."""
    table = cache.table(held.scenario)
    axes = read_axes(held.selection.axes, table.features.shape[1])
    return View(held.scenario, axes, table, table.classes)


def look_further(view: View) -> Consequences:
    """Split and prepare the data; raise ValueError with a sentence where that is impossible."""
    return cache.consequences(view.scenario)


# What it is ----------------------------------------------------------------------------------------


def draw_choice(held: state.Session) -> None:
    """Draw the list of data sets."""
    sidebar.slot_list(held.scenario, "data", "Data set", PLACE)


def draw_origin(held: state.Session) -> None:
    """Say where the chosen set comes from, and how to have points of one's own."""
    entry = DATASETS[held.scenario.data.key]
    if entry.source and not entry.needs:
        st.caption(sidebar.escape(f"Source: {entry.source}. Licence: {entry.licence}."))
    st.caption("Points of your own are drawn with the pencil above the regions of the Playground.")


def draw_params(held: state.Session) -> None:
    """Draw the parameters of the chosen data set beside each other."""
    with st.container(key="params-data"):
        sidebar.slot_params(held.scenario, "data", PLACE, across=5)


def draw_words(view: View, found: Consequences | None) -> None:
    """Say how large the set is and what answering blindly would cost."""
    codes = view.table.codes()
    counts = np.bincount(codes, minlength=len(view.classes)).tolist()
    first = says.data_sentence(view.table.name, view.table.features.shape[1], view.classes, counts)
    more = ""
    if found is not None:
        more = says.guess_sentence(view.classes, found.train.tolist(), found.test.tolist())
    st.html(f'<div class="eco-words"><b>{escape(first)}</b> <span>{escape(more)}</span></div>')


def draw_notes(view: View) -> None:
    """Say what is to be known of the set itself, and where it comes from if only the set knows."""
    if view.table.source and view.table.source != DATASETS[view.scenario.data.key].source:
        st.caption(sidebar.escape(f"Source: {view.table.source}. Licence: {view.table.licence}."))
    for note in view.table.notes:
        st.caption(sidebar.escape(note))


# Where its rows lie --------------------------------------------------------------------------------


def draw_scatter(view: View) -> None:
    """Draw the rows as points."""
    found = cache.cloud(view.scenario, view.axes)
    kept = thin(found.codes, MAX_DRAWN)
    parts = (found.coordinates[kept], found.codes[kept], found.is_test[kept], found.rows[kept])
    names = (found.names[0], found.names[1] or "chance")
    across = f"over {names[0]} and {names[1]}" if found.names[1] else f"over {names[0]}"
    chart(
        scatter_figure(*parts, view.classes, found.names, theme_now(), levels=found.levels),
        key="data.scatter",
        alt=f"{words.count(kept.size, 'row')} of {view.table.name} {across}, in "
        f"{words.count(len(view.classes), 'class', 'classes')} told apart by colour and symbol.",
    )
    said = says.cloud_sentence(
        found.rows.size, kept.size, found.n_hidden, int(found.is_test.sum()), found.scattered
    )
    if not has_legend(view.classes):
        said = f"{said} The bars tell the classes' colours and symbols.".strip()
    if said:
        st.html(f'<div class="eco-words"><span>{escape(said)}</span></div>')
    csv_button(
        "Points as CSV",
        lambda: points_table(view, found, kept),
        key="data.points",
    )


def points_table(view: View, found: Cloud, kept: IntArray) -> pd.DataFrame:
    """Return the drawn points with their true values: the picture scatters equal ones."""
    rows = found.rows[kept]
    values = [found.coordinates[kept, 0], found.coordinates[kept, 1]]
    names = (found.names[0], found.names[1] or "chance")
    if found.key != "pca":
        for axis, column in enumerate(found.key.split(",")):
            values[axis] = view.table.features.iloc[rows, int(column)].to_numpy()
    return scatter_table(
        values[0], values[1], found.codes[kept], found.is_test[kept], rows, view.classes, names
    )


def draw_axes(view: View) -> None:
    """Let the user choose what the picture shows."""
    features = [str(name) for name in view.table.features.columns]
    keys = cloud_keys(len(features))
    if len(keys) == 1:
        return
    planes = {"pca": "Main directions", "pair": "Two columns"}
    st.session_state["data.plane"] = "pca" if view.axes == "pca" else "pair"

    def plane_changed() -> None:
        plane = st.session_state["data.plane"]
        if plane is not None:
            state.select(axes="pca" if plane == "pca" else "0,1")

    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="data.axes"):
        st.segmented_control(
            "Shown", list(planes), key="data.plane", format_func=planes.__getitem__,
            on_change=plane_changed, width="content",
        )  # fmt: skip
        if view.axes != "pca":
            _pair(view.axes, features)


def _pair(axes: str, features: list[str]) -> None:
    pair = [int(part) for part in axes.split(",")]

    def changed() -> None:
        state.select(axes=",".join(str(st.session_state[f"data.axis{k}"]) for k in (0, 1)))

    for k, label in enumerate(("Across", "Upwards")):
        st.session_state[f"data.axis{k}"] = pair[k]
        st.selectbox(
            label,
            [j for j in range(len(features)) if j != pair[1 - k]],
            key=f"data.axis{k}",
            format_func=features.__getitem__,
            on_change=changed,
            width=140,
        )


# What becomes of it --------------------------------------------------------------------------------


def draw_balance(view: View, found: Consequences) -> None:
    """Draw how many rows every class has."""
    pooled = found.n_folds > 1 or bool(np.isin(found.prepared.test_rows, found.prepared.train_rows).any())
    st.html('<div class="eco-title">Rows of each class</div>')
    least = int(found.train.argmin())
    chart(
        balance_figure(view.classes, found.train, found.test, theme_now(), pooled=pooled),
        key="data.balance",
        alt=f"Rows of each of {len(view.classes)} classes in training and test; the smallest class, "
        f"{view.classes[least]}, has {words.count(int(found.train[least]), 'training row')}.",
    )
    csv_button(
        "Rows as CSV",
        lambda: balance_table(view.classes, found.counts, found.train, found.test),
        key="data.rows",
    )


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
    same = bool(np.isin(found.prepared.test_rows, found.prepared.train_rows).any())
    sizes = [(int(a), int(b)) for a, b in found.fold_sizes]
    if found.n_folds == 1:
        sizes = [(found.prepared.y_train.size, found.prepared.y_test.size)]
    split = says.split_sentence(sizes, same)
    columns = says.columns_sentence(
        found.n_columns,
        len(found.prepared.feature_names),
        found.encoded,
        found.constant,
        found.n_filled,
        found.n_dropped,
    )
    st.html(f'<div class="eco-words"><b>{escape(split)}</b> <span>{escape(columns)}</span></div>')
    for note in found.prepared.notes:
        st.caption(sidebar.escape(note))


# The table itself ----------------------------------------------------------------------------------


def draw_table(view: View) -> None:
    """Draw the first rows, and the facts of every column."""
    rows, columns = st.tabs(["Rows", "Columns"], key="data.tabs")
    with rows:
        _draw_rows(view)
    with columns:
        _draw_columns(view)


def _draw_rows(view: View) -> None:
    table = view.table
    shown = preview(table.features, table.labels, label_name(table))
    st.dataframe(
        shown, height=TABLE_HEIGHT, hide_index=True, key="data.preview",
        alt=f"The first {words.count(len(shown), 'row')} of {table.name}, the class in front.",
    )  # fmt: skip
    n_rows, n_columns = table.features.shape
    said = [f"The first {SHOWN_ROWS:,} of {n_rows:,} rows."] if n_rows > SHOWN_ROWS else []
    if n_columns > SHOWN_COLUMNS:
        said.append(f"The first {SHOWN_COLUMNS} of {n_columns:,} columns.")
    if said:
        st.caption(" ".join(said))
    csv_button("All rows as CSV", lambda: whole(table), key="data.table")


def label_name(table: Table) -> str:
    """Return what the class column is called."""
    return "class" if table.labels.name is None else str(table.labels.name)


def preview(features: pd.DataFrame, labels: "pd.Series[str]", label: str) -> pd.DataFrame:
    """Return the first rows and columns with the class in front."""
    shown = features.iloc[:SHOWN_ROWS, :SHOWN_COLUMNS].copy()
    shown.insert(0, label, labels.iloc[:SHOWN_ROWS].to_numpy(), allow_duplicates=True)
    shown.columns = pd.Index(_apart([str(name) for name in shown.columns]))
    return shown


def _apart(names: list[str]) -> list[str]:
    """Give the class another name where a feature has the same."""
    return [f"{names[0]} (class)" if names[0] in names[1:] else names[0], *names[1:]]


def whole(table: Table) -> pd.DataFrame:
    """Return a table with its class as last column."""
    frame = table.features.copy()
    name = label_name(table)
    frame[_apart([name, *map(str, frame.columns)])[0]] = table.labels.to_numpy()
    return frame


def _draw_columns(view: View) -> None:
    facts = cache.column_facts(view.scenario)
    frame = pd.DataFrame(
        {
            "Column": [fact.name for fact in facts],
            "Holds": [fact.kind for fact in facts],
            "Missing": [fact.n_missing for fact in facts],
            "Different values": [fact.n_values for fact in facts],
            "Values": [fact.told for fact in facts],
        }
    )
    n_missing = sum(fact.n_missing for fact in facts)
    n_gappy = sum(fact.n_missing > 0 for fact in facts)
    st.dataframe(
        frame, height=min(TABLE_HEIGHT, 38 + 35 * len(frame)), hide_index=True, key="data.columns",
        alt=f"Type, missing values and range of {words.count(len(facts), 'column')}.",
    )  # fmt: skip
    n_words = len(view.table.categorical)
    missing = (
        f"{words.count(n_missing, 'value')} missing in {words.count(n_gappy, 'column')}."
        if n_missing
        else "Nothing is missing."
    )
    st.caption(f"{len(facts) - n_words:,} of numbers, {n_words:,} of words. {missing}")
    csv_button("Columns as CSV", lambda: frame, key="data.facts")
