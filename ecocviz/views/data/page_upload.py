"""Bringing a file of one's own: chosen, looked at, its label named, then kept and made the data.

A file that is the data already is offered again, so that its label and columns can be changed.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from ecocviz.data import upload_words, uploads
from ecocviz.data.limits import current_limits
from ecocviz.data.readers import identifiers, label_column, read_columns
from ecocviz.data.readers_common import Raw, missing_text
from ecocviz.data.uploads import UploadedFiles
from ecocviz.engine.params import shorten
from ecocviz.lab.scenario import Scenario
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.job_panel import leave, viewer_name
from ecocviz.views.shared.app.layout import one_sentence
from ecocviz.views.shared.app.said import caption, error, info
from ecocviz.views.shared.draw import words
from ecocviz.views.shared.draw.outside import literal, plain, told_apart

TRAIN, TEST, PROPOSED = "upload.train", "upload.test", "upload.proposed"
PROBLEM, GONE = "upload.problem", "upload.gone"
"""Why files could not be kept, and what is no longer kept for them: their digest and a sentence."""
PLACE, LOADING = "upload.place", "data.load"
SHOWN_ROWS, SHOWN_COLUMNS, SHOWN_CLASSES, SHOWN_NAMES = 6, 30, 6, 3


def draw_upload(session: state.Session) -> None:
    """Draw the place for a file; the scenario changes only once the file is kept."""
    wanted = lacks_file(session.scenario)
    kept = digest_of(session.scenario)
    title = "Your file: its class and columns, or another file" if kept else "Upload a file of your own"
    with st.expander(literal(title), expanded=wanted, key=f"{PLACE}.{wanted}", on_change="rerun") as place:
        limits = current_limits()
        megabytes = max(1, limits.file_bytes // 1_000_000)
        left, right = st.columns([42, 66], gap="medium")
        train = left.file_uploader("Your rows", key=TRAIN, max_upload_size=megabytes)
        test = left.file_uploader(
            "Test rows, if they are in a separate file", key=TEST, max_upload_size=megabytes
        )
        with left:
            caption(upload_words.terms())
        with right, one_sentence():
            if train is not None:
                _offer(
                    session, train.file_id, UploadedFiles(content=train.getvalue(), filename=train.name), test
                )
            elif place.open and (files := _reopened(kept)) is not None:
                _offer(session, kept, files, test)
            else:
                caption(
                    "CSV, TSV, ARFF or Parquet, with one column that holds the class; up to "
                    f"{limits.rows:,} rows, "
                    f"{limits.columns:,} columns and {limits.classes:,} classes."
                )


def lacks_file(scenario: Scenario) -> bool:
    """Say whether a scenario is on an upload that has not been made yet."""
    return scenario.data.key == uploads.UPLOAD.key and not digest_of(scenario)


def digest_of(scenario: Scenario) -> str:
    """Return the digest of the upload that a scenario is on, "" if it is on none."""
    on_upload = scenario.data.key == uploads.UPLOAD.key
    return str(dict(scenario.data.params)["digest"]) if on_upload else ""


def _reopened(digest: str) -> UploadedFiles | None:
    """Return a kept file; None if there is none, of which the page itself tells."""
    try:
        return uploads.reopen(digest=digest)
    except ValueError:
        return None


def _columns(content: bytes, name: str) -> Raw:
    key = hashlib.sha256(content).hexdigest(), name
    with st.spinner("Reading the file"):
        return cache.remember("data.file", key, lambda: read_columns(content, name))


def _offer(session: state.Session, key: str, files: UploadedFiles, test: Any) -> None:  # noqa: ANN401 - Streamlit's uploaded file
    """Show a file's first rows, ask for label and columns, and offer to use it; `key` is the file's."""
    if test is not None:
        files = replace(files, test=test.getvalue(), test_filename=test.name)
    if files.test is not None:
        _columns(files.test, files.test_filename)
    raw = _columns(files.content, files.filename)
    proposed = _proposed(key, raw)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="upload.offer"):
        label = _ask_label(key, raw, files.label, proposed)
        left_out = _ask_left_out(key, raw, label, proposed if files.label is None else files.left_out)
        asked = replace(files, label=label, left_out=left_out)
        in_use = uploads.is_kept_as(digest_of(session.scenario), asked)
        st.button(
            literal("In use" if in_use else "Use these data"),
            key="upload.use",
            disabled=in_use,
            on_click=_use,
            args=(asked,),
            kwargs={"own_split": test is not None},
        )
    problem = st.session_state.get(PROBLEM)
    if problem is not None and problem[0] == asked.digest:
        error(problem[1])
    gone = st.session_state.get(GONE)
    if in_use and gone is not None and gone[0] == asked.digest:
        info(gone[1])
    caption(f"{files_words(files)}: {offer_words(raw, label, left_out, proposed)}")
    st.dataframe(
        head(raw, label, left_out), hide_index=True, key="upload.preview",
        alt=plain(f"The first rows of {files.filename}, the class in front."),
    )  # fmt: skip


def _proposed(key: str, raw: Raw) -> tuple[str, ...]:
    """Return the columns that are better left out; a file is searched once."""
    known: dict[str, tuple[str, ...]] = st.session_state.setdefault(PROPOSED, {})
    if key not in known:
        known[key] = identifiers(raw)
    return known[key]


def _ask_label(key: str, raw: Raw, label: str | None, proposed: Sequence[str]) -> str:
    names = [column.name for column in raw.columns]
    shown = dict(zip(names, told_apart(names), strict=True))
    place = f"upload.label.{key}"
    if st.session_state.get(place) not in names:
        st.session_state[place] = label or label_column(raw)
    former = st.session_state[place]

    def changed() -> None:
        if former in proposed:
            st.session_state[f"upload.left.{key}"] += [former]

    return st.selectbox(
        "Column that holds the class", names, key=place, format_func=lambda name: plain(shown[name]),
        width=205, on_change=changed,
    )  # fmt: skip


def _ask_left_out(key: str, raw: Raw, label: str, at_first: Collection[str]) -> list[str]:
    others = [column.name for column in raw.columns if column.name != label]
    shown = dict(zip(others, told_apart(others), strict=True))
    place = f"upload.left.{key}"
    # The label may have changed since the list was drawn.
    st.session_state[place] = [name for name in st.session_state.get(place, at_first) if name in others]
    return st.multiselect(
        "Columns left out", others, key=place, format_func=lambda name: plain(shown[name]),
        placeholder="None", width=255,
    )  # fmt: skip


def head(raw: Raw, label: str, left_out: Collection[str] = ()) -> pd.DataFrame:
    """Return the first rows of a file as it was read, the label in front."""
    used = [column for column in raw.columns if column.name not in left_out]
    columns = sorted(used, key=lambda column: column.name != label)[:SHOWN_COLUMNS]
    cells: dict[str, Any] = {}
    for column in columns:
        numbers = column.numbers
        cells[column.name] = (
            numbers[:SHOWN_ROWS] if numbers is not None else (column.texts or [])[:SHOWN_ROWS]
        )
    return pd.DataFrame(cells)


def files_words(files: UploadedFiles) -> str:
    """Name the files of an upload.

    >>> files_words(UploadedFiles(content=b"", filename="a.csv", test=b"", test_filename="b.csv"))
    'a.csv, test rows in b.csv'
    """
    name = shorten(files.filename, 60)
    return name if files.test is None else f"{name}, test rows in {shorten(files.test_filename, 60)}"


def offer_words(raw: Raw, label: str, left_out: Collection[str] = (), proposed: Collection[str] = ()) -> str:
    r"""Say what the file would be with this label and these columns.

    >>> from ecocviz.data.readers import read_columns
    >>> raw = read_columns(b"id,a,class\n1,5,x\n2,5,y\n3,6,x\n", "t.csv")
    >>> offer_words(raw, "class")
    '3 rows, 2 features; class has 2 different values: x and y.'
    >>> offer_words(raw, "class", ["id"], ["id"]).partition("y. ")[2]
    'id has a different value in every row, so it is left out unless you put it back.'
    """
    texts = next(column for column in raw.columns if column.name == label).label_texts()
    values = list(dict.fromkeys(text for text in texts if text is not None and not missing_text(text)))
    found = _first([shorten(value, 24) for value in sorted(values)], SHOWN_CLASSES) if values else "none"
    n_features = len(raw.columns) - 1 - len(left_out)
    size = f"{words.count(raw.n_rows, 'row')}, {words.count(n_features, 'feature')}"
    said = f"{size}; {shorten(label, 40)} has {words.count(len(values), 'different value')}: {found}."
    gone = [shorten(name, 40) for name in proposed if name in left_out]
    if len(gone) == 1:
        return (
            f"{said} {gone[0]} has a different value in every row, so it is left out unless you put it back."
        )
    if gone:
        listed = _first(gone, SHOWN_NAMES)
        return (
            f"{said} {listed} have a different value in every row, so they are left out unless you put "
            "them back."
        )
    return said


def _first(names: Sequence[str], most: int) -> str:
    """List some names, and how many more there are."""
    more = len(names) - most
    return words.listed([*names[:most], f"{more:,} more"] if more > 0 else names)


def _use(asked: UploadedFiles, *, own_split: bool) -> None:
    """Keep the files and make them the scenario's data, or remember the sentence that says why not."""
    try:
        brought = uploads.bring(asked, viewer_name())
    except ValueError as error:
        st.session_state[PROBLEM] = (asked.digest, str(error))
        return
    st.session_state.pop(PROBLEM, None)
    gone = upload_words.gone_words([shorten(name, 60) for name in brought.gone])
    st.session_state[GONE] = (asked.digest, gone) if gone else None
    leave(LOADING)  # where it is what the link named and had lost, it is looked for again
    session = state.current()
    state.adopt(session, with_upload(session.scenario, brought.name, own_split=own_split))
    # The place has another title now and would fold itself up.
    st.session_state[f"{PLACE}.{False}"] = True


def with_upload(scenario: Scenario, digest: str, *, own_split: bool) -> Scenario:
    """Return a scenario on an upload, split as its files are if there are two."""
    changed = scenario.chosen("data", uploads.UPLOAD.key, digest=digest)
    return changed.chosen("split", "own") if own_split else changed
