"""Bringing a file of one's own: chosen, looked at, its label named, then kept and made the data."""

import hashlib
from typing import Any

import pandas as pd
import streamlit as st

from ecocviz.data import uploads
from ecocviz.data.limits import current_limits
from ecocviz.data.readers import label_column
from ecocviz.data.readers_common import Raw
from ecocviz.engine.params import shorten
from ecocviz.figures import words
from ecocviz.lab.scenario import Scenario
from ecocviz.ui import cache, state
from ecocviz.ui.layout import one_sentence
from ecocviz.ui.sidebar import escape

TRAIN, TEST, PROBLEM, USED = "upload.train", "upload.test", "upload.problem", "upload.used"
SHOWN_ROWS, SHOWN_COLUMNS, SHOWN_CLASSES = 6, 30, 6


def draw_upload(held: state.Session) -> None:
    """Draw the place for a file; the scenario changes only once the file is kept."""
    wanted = awaited(held.scenario)
    with st.expander("Upload a file of your own", expanded=wanted, key=f"upload.place.{wanted}"):
        limits = current_limits()
        megabytes = max(1, limits.file_bytes // 1_000_000)
        left, right = st.columns([42, 66], gap="medium")
        train = left.file_uploader("Your rows", key=TRAIN, max_upload_size=megabytes)
        test = left.file_uploader(
            "Test rows, if they are a file of their own", key=TEST, max_upload_size=megabytes
        )
        if train is None:
            right.caption(
                f"CSV, TSV, ARFF or Parquet, one column of it the class; up to {limits.rows:,} rows, "
                f"{limits.columns:,} columns and {limits.classes:,} classes."
            )
            return
        with right, one_sentence():
            if test is not None:
                _columns(test)
            _offer(held, train, _columns(train), test)


def awaited(scenario: Scenario) -> bool:
    """Say whether a scenario is on an upload that has not been made yet."""
    return scenario.data.key == uploads.UPLOAD.key and not digest_of(scenario)


def digest_of(scenario: Scenario) -> str:
    """Return the digest of the upload that a scenario is on, "" if it is on none."""
    on_upload = scenario.data.key == uploads.UPLOAD.key
    return str(dict(scenario.data.params)["digest"]) if on_upload else ""


def _columns(file: Any) -> Raw:  # noqa: ANN401 - Streamlit's uploaded file
    content = file.getvalue()
    return cache.file_columns(hashlib.sha256(content).hexdigest(), file.name, content)


def _offer(held: state.Session, train: Any, raw: Raw, test: Any) -> None:  # noqa: ANN401 - as above
    """Show the file's first rows, ask for the label, and offer to use it."""
    names = [column.name for column in raw.columns]
    key = f"upload.label.{train.file_id}"
    if st.session_state.get(key) not in names:
        st.session_state[key] = label_column(raw)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="upload.offer"):
        label = st.selectbox("Column that holds the class", names, key=key, width=260)
        asked = (train.file_id, None if test is None else test.file_id, label)
        kept = st.session_state.get(USED, {}).get(asked)
        in_use = kept is not None and digest_of(held.scenario) == kept
        st.button(
            "In use" if in_use else "Use these data",
            key="upload.use",
            type="primary",
            disabled=in_use,
            on_click=_use,
            args=(train, label, test, asked),
        )
    problem = st.session_state.get(PROBLEM)
    if problem is not None and problem[0] == asked:
        st.error(problem[1])
    st.dataframe(
        head(raw, label), hide_index=True, key="upload.preview",
        alt=f"The first rows of {train.name}, the class in front.",
    )  # fmt: skip
    st.caption(escape(label_words(raw, label)))


def head(raw: Raw, label: str) -> pd.DataFrame:
    """Return the first rows of a file as it was read, the label in front."""
    columns = sorted(raw.columns, key=lambda column: column.name != label)[:SHOWN_COLUMNS]
    cells: dict[str, Any] = {}
    for column in columns:
        numbers = column.numbers
        cells[column.name] = (
            numbers[:SHOWN_ROWS] if numbers is not None else (column.texts or [])[:SHOWN_ROWS]
        )
    return pd.DataFrame(cells)


def label_words(raw: Raw, label: str) -> str:
    r"""Say what the file would be with this label.

    >>> from ecocviz.data.readers import read_columns
    >>> label_words(read_columns(b"a,class\n1,x\n2,y\n3,x\n", "t.csv"), "class")
    '3 rows, 1 feature; class has 2 different values: x and y.'
    """
    texts = next(column for column in raw.columns if column.name == label).label_texts()
    values = list(dict.fromkeys(text for text in texts if text is not None))
    shown = [shorten(value, 24) for value in sorted(values)[:SHOWN_CLASSES]]
    rest = len(values) - len(shown)
    told = words.listed([*shown, f"{rest:,} more"] if rest else shown) if shown else "none"
    size = f"{words.count(raw.n_rows, 'row')}, {words.count(len(raw.columns) - 1, 'feature')}"
    return f"{size}; {shorten(label, 40)} has {words.count(len(values), 'different value')}: {told}."


def _use(train: Any, label: str, test: Any, asked: tuple[Any, ...]) -> None:  # noqa: ANN401 - as above
    """Keep the files and make them the scenario's data, or remember the sentence that says why not."""
    try:
        digest = uploads.keep(
            train.getvalue(),
            train.name,
            label,
            None if test is None else test.getvalue(),
            "" if test is None else test.name,
        )
    except ValueError as error:
        st.session_state[PROBLEM] = (asked, str(error))
        return
    st.session_state.pop(PROBLEM, None)
    st.session_state.setdefault(USED, {})[asked] = digest
    held = state.session()
    state.adopt(held, with_upload(held.scenario, digest, own_split=test is not None))


def with_upload(scenario: Scenario, digest: str, *, own_split: bool) -> Scenario:
    """Return a scenario on an upload, split as its files are if there are two."""
    changed = scenario.chosen("data", uploads.UPLOAD.key, digest=digest)
    return changed.chosen("split", "own") if own_split else changed
