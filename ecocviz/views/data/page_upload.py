"""Bringing a file of one's own: chosen, looked at, its label named, then kept and made the data.

A file that is the data already is offered again, so that its label and columns can be changed.
"""

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from ecocviz.data import upload_words, uploads
from ecocviz.data.limits import current_limits
from ecocviz.data.readers import identifier_words
from ecocviz.data.readers_look import Look, look
from ecocviz.data.uploads import UploadedFiles
from ecocviz.engine.params import shorten
from ecocviz.lab.first_screen import own_start
from ecocviz.lab.scenario import Scenario
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.job_panel import leave, viewer_name
from ecocviz.views.shared.app.layout import one_sentence
from ecocviz.views.shared.app.said import caption, error, info, said
from ecocviz.views.shared.draw import words
from ecocviz.views.shared.draw.outside import literal, plain, told_apart

Value = TypeVar("Value")

TRAIN, TEST = "upload.train", "upload.test"
PROBLEM, GONE = "upload.problem", "upload.gone"
"""Why files could not be kept, and what is no longer kept for them: their digest and a sentence."""
PLACE, LOADING = "upload.place", "data.load"
LARGE_BYTES = 2_000_000
"""Of a file that takes longer than a tenth of a second to read."""
SHOWN_COLUMNS, SHOWN_CLASSES = 30, 6


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


def _look(content: bytes, name: str) -> Look:
    key = hashlib.sha256(content).hexdigest(), name
    with st.spinner("Reading the file"):
        return cache.remember("data.file", key, lambda: _beside(len(content), look, content, name))


def _beside(n_bytes: int, work: Callable[..., Value], *arguments: object) -> Value:
    """Do what reads a large file in a process of its own, if one is idle: nobody else waits for it."""
    if n_bytes < LARGE_BYTES or not cache.workers().idle:
        return work(*arguments)
    return cache.workers().submit(work, *arguments).result()


def _checked(upload: UploadedFiles) -> None:
    _beside(sum(map(len, upload.files)), uploads.check, upload)


def _offer(session: state.Session, key: str, files: UploadedFiles, test: Any) -> None:  # noqa: ANN401 - Streamlit's uploaded file
    """Show a file's first rows, ask for label and columns, and offer to use it; `key` is the file's."""
    if test is not None:
        files = replace(files, test=test.getvalue(), test_filename=test.name)
    if files.test is not None:
        _look(files.test, files.test_filename)
    seen = _look(files.content, files.filename)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="upload.offer"):
        label = _ask_label(key, seen, files.label)
        left_out = _ask_left_out(key, seen, label, seen.proposed if files.label is None else files.left_out)
        asked = replace(files, label=label, left_out=left_out)
        in_use = uploads.is_kept_as(digest_of(session.scenario), asked)
        refused = _refused(seen, asked)
        st.button(
            literal("In use" if in_use else "Use these data"),
            key="upload.use",
            type="secondary" if in_use else "primary",
            disabled=in_use or bool(refused),
            on_click=_use,
            args=(asked,),
            kwargs={"own_split": test is not None, "n_classes": seen.column(label).n_values},
        )
    digest, problem = st.session_state.get(PROBLEM, ("", ""))
    gone = st.session_state.get(GONE)
    if refused or (problem and digest == asked.digest):
        error(refused or problem)
    elif not in_use:
        said("These data are not used yet:", "all pages still show other data until you press the button.")
    elif gone is not None and gone[0] == asked.digest:
        info(gone[1])
    caption(f"{files_words(files)}: {offer_words(seen, label, left_out)}")
    st.dataframe(
        head(seen, label, left_out), hide_index=True, key="upload.preview",
        alt=plain(f"The first rows of {files.filename}, the class in front."),
    )  # fmt: skip


def _refused(seen: Look, asked: UploadedFiles) -> str:
    """Say why files cannot be used as they are asked for, as far as that is known; else ""."""
    try:
        seen.check(asked.label or seen.label, asked.left_out)
    except ValueError as reason:
        return str(reason)
    return ""


def _ask_label(key: str, seen: Look, label: str | None) -> str:
    names = seen.names
    shown = dict(zip(names, told_apart(names), strict=True))
    place = f"upload.label.{key}"
    if st.session_state.get(place) not in names:
        st.session_state[place] = label or seen.label
    former = st.session_state[place]

    def changed() -> None:
        if former in seen.proposed:
            st.session_state[f"upload.left.{key}"] += [former]

    return st.selectbox(
        "Column that holds the class", names, key=place, format_func=lambda name: plain(shown[name]),
        width=205, on_change=changed,
    )  # fmt: skip


def _ask_left_out(key: str, seen: Look, label: str, at_first: Collection[str]) -> list[str]:
    others = [name for name in seen.names if name != label]
    shown = dict(zip(others, told_apart(others), strict=True))
    place = f"upload.left.{key}"
    # The label may have changed since the list was drawn.
    st.session_state[place] = [name for name in st.session_state.get(place, at_first) if name in others]
    return st.multiselect(
        "Columns left out", others, key=place, format_func=lambda name: plain(shown[name]),
        placeholder="None", width=255,
    )  # fmt: skip


def head(seen: Look, label: str, left_out: Collection[str] = ()) -> pd.DataFrame:
    """Return the first rows of a file as it was read, the label in front."""
    used = [column for column in seen.columns if column.name not in left_out]
    columns = sorted(used, key=lambda column: column.name != label)[:SHOWN_COLUMNS]
    return pd.DataFrame({column.name: list(column.head) for column in columns})


def files_words(files: UploadedFiles) -> str:
    """Name the files of an upload.

    >>> files_words(UploadedFiles(content=b"", filename="a.csv", test=b"", test_filename="b.csv"))
    'a.csv, test rows in b.csv'
    """
    name = shorten(files.filename, 60)
    return name if files.test is None else f"{name}, test rows in {shorten(files.test_filename, 60)}"


def offer_words(seen: Look, label: str, left_out: Collection[str] = ()) -> str:
    r"""Say what the file would be with this label and these columns.

    >>> seen = look(b"id,a,class\n1,5,x\n2,5,y\n3,6,x\n", "t.csv")
    >>> offer_words(seen, "class")
    '3 rows, 2 features; class has 2 different values: x and y.'
    >>> offer_words(seen, "class", ["id"]).partition("y. ")[2]
    'id has a different value in every row, so it is left out unless you put it back.'
    """
    classes = [shorten(value, 24) for value in seen.column(label).classes]
    found = f": {_first(classes, SHOWN_CLASSES)}" if classes else ""
    n_features = len(seen.columns) - 1 - len(left_out)
    size = f"{words.count(seen.n_rows, 'row')}, {words.count(n_features, 'feature')}"
    n_values = words.count(seen.column(label).n_values, "different value")
    offered = f"{size}; {shorten(label, 40)} has {n_values}{found}."
    gone = [name for name in seen.proposed if name in left_out]
    if not gone:
        return offered
    return f"{offered} {identifier_words(gone)} unless you put {'it' if len(gone) == 1 else 'them'} back."


def _first(names: Sequence[str], most: int) -> str:
    """List some names, and how many more there are."""
    more = len(names) - most
    return words.listed([*names[:most], f"{more:,} more"] if more > 0 else names)


def _use(asked: UploadedFiles, *, own_split: bool, n_classes: int) -> None:
    """Keep the files and make them the scenario's data, or remember the sentence that says why not."""
    try:
        brought = uploads.bring(asked, viewer_name(), _checked)
    except ValueError as error:
        st.session_state[PROBLEM] = (asked.digest, str(error))
        return
    st.session_state.pop(PROBLEM, None)
    gone = upload_words.gone_words([shorten(name, 60) for name in brought.gone])
    st.session_state[GONE] = (asked.digest, gone) if gone else None
    leave(LOADING)  # where it is what the link named and had lost, it is looked for again
    session = state.current()
    state.adopt(session, with_upload(session.scenario, brought.name, n_classes, own_split=own_split))
    # The place has another title now and would fold itself up.
    st.session_state[f"{PLACE}.{False}"] = True


def with_upload(scenario: Scenario, digest: str, n_classes: int, *, own_split: bool) -> Scenario:
    """Return a scenario on an upload, split as its files are if there are two; a first one starts anew."""
    changed = scenario if digest_of(scenario) else own_start(scenario, n_classes)
    changed = changed.chosen("data", uploads.UPLOAD.key, digest=digest)
    return changed.chosen("split", "own") if own_split else changed
