"""The list of scenes: made in the app, kept in the link, saved as a file, walked through in a lecture."""

from collections.abc import Callable
from urllib.parse import urlencode

import streamlit as st

from ecocviz.engine.params import shorten
from ecocviz.lab.scenes import (
    MAX_BYTES,
    MAX_TITLE,
    Scene,
    from_json,
    make_scene,
    moved,
    pack,
    to_json,
    unpack,
)
from ecocviz.lab.selection import SCENE, SCENES
from ecocviz.lab.store_about import title_of_choice
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.opened import close_dialog, open_dialog
from ecocviz.views.shared.app.qr import draw_code_of
from ecocviz.views.shared.app.said import caption

GOTO, AGAIN, FILES = "ecocviz.goto", "scenes.again", "scenes.files"


def scenes_of(session: state.Session) -> tuple[Scene, ...]:
    """Return the list."""
    return unpack(session.selection[SCENES])


def number_of(session: state.Session) -> int:
    """Return which of them was opened last, counted from 1; 0 for none."""
    number = session.selection[SCENE]
    return number if number <= len(scenes_of(session)) else 0


def told(session: state.Session) -> str:
    """Say where in the list this is, "" where there is none.

    The title is shown as text.
    """
    listed, number = scenes_of(session), number_of(session)
    if not listed:
        return ""
    return f"{number} of {len(listed)}: {listed[number - 1].title}" if number else f"{len(listed)} scenes"


def keep(session: state.Session, listed: tuple[Scene, ...], number: int) -> None:
    """Put another list in place; raise ValueError with a sentence if it is too long."""
    session.selection = state.put(session.selection, scenes=pack(listed), scene=number)


# Walking -------------------------------------------------------------------------------------------


def step(by: int, page: str) -> None:
    """Open the scene so many places on."""
    session = state.current()
    n, number = len(scenes_of(session)), number_of(session)
    if n:
        show(min(max(number + by, 1), n), page)


def show(number: int, page: str) -> None:
    """Open a scene; on another page than `page` the next run goes there."""
    session = state.current()
    scene = scenes_of(session)[number - 1]
    state.open_scene(session, scene.fields, number)
    if scene.page != page:
        st.session_state[GOTO] = scene.page


# Making --------------------------------------------------------------------------------------------


def add(page: str) -> None:
    """Put this screen at the end of the list."""
    session = state.current()
    listed = scenes_of(session)
    made = make_scene(name_of(session, page), f"{page}?{urlencode(state.link_fields(session))}")
    keep(session, (*listed, made), len(listed) + 1)


def name_of(session: state.Session, page: str) -> str:
    """Name a screen by what can be seen at once: the page, the data, the code, the decoder."""
    scenario = session.scenario
    chosen = [title_of_choice(slot, getattr(scenario, slot)) for slot in ("data", "coding", "decoding")]
    return shorten(f"{page.replace('_', ' ').capitalize()}: {', '.join(chosen)}", MAX_TITLE)


def _rename(k: int) -> None:
    session = state.current()
    listed = scenes_of(session)
    title = str(st.session_state[f"scenes.title.{k}"])
    keep(session, (*listed[:k], make_scene(title, listed[k].link), *listed[k + 1 :]), number_of(session))


def _move(k: int, by: int) -> None:
    session = state.current()
    listed, now = scenes_of(session), number_of(session) - 1
    order = moved(len(listed), k, by)
    keep(session, tuple(listed[i] for i in order), order.index(now) + 1 if now >= 0 else 0)


def _remove(k: int) -> None:
    session = state.current()
    listed, number = scenes_of(session), number_of(session)
    left = 0 if number == k + 1 else number - (number > k + 1)
    keep(session, (*listed[:k], *listed[k + 1 :]), left)


def _open(k: int, page: str) -> None:
    show(k + 1, page)
    close_dialog()
    st.session_state[AGAIN] = True


def _read(key: str) -> None:
    file = st.session_state[key]
    if file is None:
        return
    st.session_state[FILES] = st.session_state.get(FILES, 0) + 1  # the next file has a place of its own
    if file.size > MAX_BYTES:
        raise ValueError(
            f"This file is not a list of scenes: it has {file.size:,} bytes, but at most {MAX_BYTES:,} are "
            "read."
        )
    session = state.current()
    keep(session, (*scenes_of(session), *from_json(file.getvalue())), number_of(session))


# Drawing -------------------------------------------------------------------------------------------


def draw_in_share(session: state.Session, page: str) -> None:
    """Draw the two buttons."""
    with st.container(horizontal=True, gap="small"):
        st.button("Add this screen to my scenes", key="scenes.add", on_click=add, args=(page,))
        st.button("My scenes", key="scenes.open", on_click=open_dialog, args=("scenes",))
    if scenes_of(session):
        caption(told(session))


def draw(page: str, place_of: Callable[[], str]) -> None:
    """Draw the list, to be changed, saved and opened; `place_of` is the address that links begin with."""
    if st.session_state.pop(AGAIN, False):
        st.rerun()
    session = state.current()
    listed = scenes_of(session)
    if not listed:
        st.caption("No scenes yet. A scene is a screen of your lecture: a link with a title.")
    for k, scene in enumerate(listed):
        _row(k, scene, page, n=len(listed))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.button("Add this screen", key="scenes.add.here", on_click=add, args=(page,))
        st.download_button(
            "Save as file", to_json(listed), "ecocviz_scenes.json", "application/json", key="scenes.save",
            on_click="ignore", disabled=not listed,
        )  # fmt: skip
    key = f"{FILES}.{st.session_state.get(FILES, 0)}"
    st.file_uploader(
        "Add the scenes of a file", type="json", max_upload_size=1, key=key, on_change=_read, args=(key,)
    )
    if listed:
        _whole_link(session, page, place_of())
    state.write_link(session)


def _row(k: int, scene: Scene, page: str, n: int) -> None:
    st.session_state[f"scenes.title.{k}"] = scene.title
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"scenes.row.{k}"):
        st.text_input(
            "Title", key=f"scenes.title.{k}", max_chars=MAX_TITLE, label_visibility="collapsed",
            on_change=_rename, args=(k,),
        )  # fmt: skip
        st.button("Open", key=f"scenes.show.{k}", on_click=_open, args=(k, page))
        st.button("Earlier", key=f"scenes.earlier.{k}", on_click=_move, args=(k, -1), disabled=k == 0)
        st.button("Later", key=f"scenes.later.{k}", on_click=_move, args=(k, 1), disabled=k == n - 1)
        st.button("Remove", key=f"scenes.remove.{k}", on_click=_remove, args=(k,))


def _whole_link(session: state.Session, page: str, root: str) -> None:
    """Show the one link to the whole lecture."""
    fields = urlencode(state.lecture_fields(session))
    st.caption("The whole lecture as one link; it opens in presenter mode.")
    link = f"{root}/{page}?{fields}"
    with st.container(key="scenes.link"):
        st.code(link, language=None, wrap_lines=True, height=90)
    draw_code_of(link)
