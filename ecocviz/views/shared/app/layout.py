"""The frame around every page: navigation, the scenario in the sidebar, undo, share, reset.

Streamlit runs a page file without `app.py` when a deep link is the first request after a start. So
each page calls `frame`, which does nothing twice and sends such a request through `app.py`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.navigation.page import StreamlitPage as Page
from streamlit.runtime.pages_manager import PagesManager

from ecocviz.data.upload_presence import PRESENCE
from ecocviz.data.uploads import UPLOAD
from ecocviz.lab.jobs import TOO_LARGE
from ecocviz.lab.selection import PRESENT
from ecocviz.views.shared.app import present, sidebar, state
from ecocviz.views.shared.app.components.heard import attend, say_refusal
from ecocviz.views.shared.app.components.joining import source
from ecocviz.views.shared.app.first_paint import SCRIPTS, sheet
from ecocviz.views.shared.app.hiding import css_of
from ecocviz.views.shared.app.job_panel import jobs_of_page, viewer_name
from ecocviz.views.shared.app.said import caption, error, style, warning
from ecocviz.views.shared.app.scenes import GOTO

FRAMED, PAGES = "ecocviz.framed", "ecocviz.pages"
ONE_DAY = 86_400


def serve(pages: Sequence[tuple[str, str]]) -> None:
    """Run the app: `pages` are files and titles, the first of them the home page.

    The home page is at the root; a link that names it is sent there.
    """
    attend()
    if PAGES not in st.session_state:  # their files are looked for once a session
        home_file, home_title = pages[0]
        home = st.Page(home_file, title=home_title, default=True, url_path="home")
        named = st.Page(home_file, title=home_title, visibility="hidden")
        st.session_state[PAGES] = [home, *(st.Page(file, title=title) for file, title in pages[1:]), named]
    listed = st.session_state[PAGES]
    chosen = st.navigation(listed, position="top")
    _configure(chosen.title)
    if chosen is listed[-1]:
        st.switch_page(listed[0], query_params=st.query_params.to_dict())
    _go_on(listed)
    st.session_state[FRAMED] = True
    with jobs_of_page():
        chosen.run()


def _go_on(listed: Sequence[Page]) -> None:
    """Go to the page of the scene that was opened."""
    wanted = st.session_state.pop(GOTO, None)
    if wanted is None:
        return
    home = listed[-1].url_path
    page = next((one for one in listed[:-1] if wanted == (home if one is listed[0] else one.url_path)), None)
    if page is None:
        state.current().dropped = "The page of this scene does not exist; the scene is shown on this page "
        "instead."
    else:
        st.switch_page(page)


def frame(path: str, title: str) -> state.Session:
    """Draw what surrounds a page, and return the session's state; call it first in every page.

    Parameters
    ----------
    path
        The page's own name in links.
    title
        Of the page and the browser's tab.
    """
    if not st.session_state.pop(FRAMED, False):
        if PagesManager.uses_pages_directory:
            # A deep link as the first request: end the old discovery of pages/, as st.navigation would
            # (called here, it would also say that the page was not found), and go through app.py.
            PagesManager.uses_pages_directory = False
            st.rerun()
        _configure(title)
    attend()
    session = state.current()
    data = session.scenario.data
    PRESENCE.shows(viewer_name(), str(data.values["digest"]) if data.key == UPLOAD.key else "")
    presenting = session.selection[PRESENT] == "1"
    css = sheet(*(["present.css"] if presenting else []))
    style(css + css_of(session.selection), source(*SCRIPTS))
    if presenting:
        sidebar.forget()
    else:
        with st.sidebar:
            sidebar.draw(session, path)
    present.draw(session, path)
    if session.dropped:
        warning(session.dropped)
    if session.opened and not presenting:
        caption(session.opened)
    say_refusal()
    session.drawn = session.scenario
    state.write_link(session)
    _ask_on_return()
    return session


@st.fragment(run_every=ONE_DAY)
def _ask_on_return() -> None:
    """Draw nothing, but let the browser ask for the whole page when it has lost its server and found one.

    It does so where a part of the page is redrawn at an interval, however long. Otherwise an idle page would
    stay as it was, and a server that does not know the session (it was started anew, or the browser was away
    for long) would ignore what is clicked in parts that it has never drawn.
    """


def follow(session: state.Session) -> None:
    """Redraw the whole page where a part of it has changed the scenario; call it first in fragments."""
    if session.drawn != session.scenario:
        st.rerun()
    say_refusal()
    state.write_link(session)


def _configure(title: str) -> None:
    st.set_page_config(page_title=f"{title} · ecocviz", layout="wide", initial_sidebar_state="auto")


@contextmanager
def one_sentence() -> Iterator[None]:
    """Show a ValueError raised inside as its sentence, in place of what could not be drawn."""
    try:
        yield
    except ValueError as refusal:
        error(str(refusal))
    except MemoryError:
        error(TOO_LARGE)
