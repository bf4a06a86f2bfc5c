"""Background work on a page: started, watched, cancelled and begun again; the page stays usable meanwhile.

A page calls `watch` for the job it needs, hands the snapshot to what draws, and lets `live` draw
again and again while the job runs.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ecocviz.lab.jobs import JobState, Report, Snapshot
from ecocviz.ui import cache

POLL_SECONDS = 0.5
PATIENCE_SECONDS = 0.4
"""A job that is done this soon appears finished at once."""

WATCHED, STOPPED, CHANGED = "jobs.watched", "jobs.stopped", "jobs.changed"

UNBEGUN = Snapshot(JobState.CANCELLED, 0.0, "", (), None, None, 0.0)


def watch(place: str, key: Hashable, work: Callable[[Report], Any]) -> Snapshot:
    """Start the job of a key or join it, leaving the one that was watched at this place before.

    Parameters
    ----------
    place
        Where on which page; a place watches one job at a time.
    key
        What the work depends on: whoever asks for the same key looks at the same job.
    work
        Called with a report to tell progress and partial results to.

    Returns
    -------
    Snapshot
        As it is now; cancelled where the user of this session stopped it.
    """
    jobs, viewer = cache.jobs(), viewer_name()
    watched = st.session_state.setdefault(WATCHED, {})
    before = watched.get(place)
    if before is not None and before != key:
        jobs.leave(before, viewer)
        st.session_state.get(STOPPED, {}).pop(place, None)
    new = before != key
    watched[place] = key
    if st.session_state.get(STOPPED, {}).get(place) == key:
        return replace(jobs.look(key) or UNBEGUN, state=JobState.CANCELLED)
    jobs.forsake(gone)
    snapshot = jobs.look(key)
    if snapshot is None or snapshot.state is not JobState.FAILED:
        snapshot = jobs.start(key, work, viewer)
    if new and not snapshot.state.over:
        snapshot = jobs.wait(key, PATIENCE_SECONDS) or snapshot
    return snapshot


def viewer_name() -> str:
    """Name this browser session among the viewers of jobs."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def gone(viewer: str) -> bool:
    """Say whether the session of that name has been closed."""
    return runtime.exists() and bool(viewer) and not runtime.get_instance().is_active_session(viewer)


def live(draw: Callable[[], bool], *, busy: bool) -> None:
    """Draw a part of the page on its own, twice a second while a job runs.

    Parameters
    ----------
    draw
        Draws, and returns whether its job still runs.
    busy
        Whether it runs now.
    """

    def step() -> None:
        if st.session_state.pop(CHANGED, False) or draw() != busy:
            st.rerun()

    st.fragment(step, run_every=POLL_SECONDS if busy else None)()


def draw_panel(place: str, snapshot: Snapshot, finished: str = "") -> None:
    """Show where a job stands, with what can be done about it.

    Parameters
    ----------
    place
        As given to `watch`.
    snapshot
        What `watch` returned.
    finished
        What to say once it is done.
    """
    if snapshot.state is JobState.DONE:
        if finished:
            st.caption(finished)
        return
    if snapshot.state is JobState.FAILED:
        st.error(snapshot.error or "The computation failed; change a setting and try again.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{place}.panel"):
        if snapshot.state.over:
            if snapshot.state is JobState.CANCELLED:
                st.caption(
                    f"Stopped at {100 * snapshot.share:.0f} %; what was finished is shown.", width="content"
                )
            st.button("Run again", key=f"{place}.again", on_click=_again, args=(place,))
            return
        note = "waiting for other computations" if snapshot.state is JobState.WAITING else snapshot.note
        st.progress(snapshot.share, text=note or "starting", width="stretch")
        st.button("Cancel", key=f"{place}.cancel", on_click=_cancel, args=(place,))


def _cancel(place: str) -> None:
    key = st.session_state.get(WATCHED, {}).get(place)
    if key is not None:
        st.session_state[CHANGED] = True
        st.session_state.setdefault(STOPPED, {})[place] = key
        cache.jobs().leave(key, viewer_name())


def _again(place: str) -> None:
    key = st.session_state.get(STOPPED, {}).pop(place, None) or st.session_state.get(WATCHED, {}).get(place)
    if key is not None:
        st.session_state[CHANGED] = True
        cache.jobs().forget(key)
