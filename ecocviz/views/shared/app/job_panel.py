"""Background work on a page: started, watched, cancelled and begun again; the page stays usable meanwhile.

A page calls `watch` for the job it needs, hands the snapshot to what draws, and lets `live` draw
again and again while the job runs.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ecocviz.lab.jobs import Jobs, JobState, Report, Snapshot
from ecocviz.views.shared.app import cache

POLL_SECONDS = 0.5
PATIENCE_SECONDS = 0.4
"""A job that is done this soon appears finished at once."""

WATCHED, POOLS, STOPPED = "jobs.watched", "jobs.pools", "jobs.stopped"
CHANGED, SHOWN, SEEN = "jobs.changed", "jobs.shown", "jobs.seen"

UNBEGUN = Snapshot(JobState.CANCELLED, 0.0, "", (), None, None, 0.0)


def watch(place: str, key: Hashable, work: Callable[[Report], Any], jobs: Jobs | None = None) -> Snapshot:
    """Start the job of a key or join it, leaving the one that was watched at this place before.

    Parameters
    ----------
    place
        Where on which page; a place watches one job at a time.
    key
        What the work depends on: whoever asks for the same key looks at the same job.
    work
        Called with a report to tell progress and partial results to.
    jobs
        The pool of the job, always the same for a place; that of the comparisons if left out.

    Returns
    -------
    Snapshot
        As it is now; cancelled where the user of this session stopped it.
    """
    jobs, viewer = jobs or cache.jobs(), viewer_name()
    st.session_state.setdefault(SEEN, set()).add(place)
    watched = st.session_state.setdefault(WATCHED, {})
    before = watched.get(place)
    if before is not None and before != key:
        jobs.leave(before, viewer)
        st.session_state.get(STOPPED, {}).pop(place, None)
    new = before != key
    watched[place] = key
    st.session_state.setdefault(POOLS, {})[place] = jobs
    if st.session_state.get(STOPPED, {}).get(place) == key:
        return replace(jobs.look(key) or UNBEGUN, state=JobState.CANCELLED, result=None)
    jobs.forsake(gone)
    snapshot = jobs.look(key)
    # What failed is tried again by whoever comes to it, and then only when asked to.
    if new or snapshot is None or snapshot.state is not JobState.FAILED:
        snapshot = jobs.start(key, work, viewer)
    if new and not snapshot.state.over:
        snapshot = jobs.wait(key, PATIENCE_SECONDS) or snapshot
    return snapshot


def still_runs(place: str) -> bool:
    """Say whether the job that is watched at a place goes on, and this session waits for it."""
    key = st.session_state.get(WATCHED, {}).get(place)
    if key is None or st.session_state.get(STOPPED, {}).get(place) == key:
        return False
    snapshot: Snapshot | None = st.session_state[POOLS][place].look(key)
    return snapshot is not None and not snapshot.state.over


@contextmanager
def turned_page() -> Iterator[None]:
    """Draw a whole page inside; turn from the jobs at places that it does not have.

    They go on unless something else needs their thread: whoever comes back soon finds them further on.
    """
    st.session_state[SEEN] = seen = set[str]()
    yield
    watched, pools = st.session_state.get(WATCHED, {}), st.session_state.get(POOLS, {})
    here = {(pools[place], watched[place]) for place in seen}
    for place in [place for place in watched if place not in seen]:
        if (pools[place], watched[place]) not in here:
            pools[place].turn_from(watched[place], viewer_name())
        del watched[place]


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


def draw_panel(
    place: str, snapshot: Snapshot, finished: str = "", stopped: str = "what was finished is shown"
) -> None:
    """Show where a job stands, with what can be done about it.

    Parameters
    ----------
    place
        As given to `watch`.
    snapshot
        What `watch` returned.
    finished
        What to say once it is done.
    stopped
        What to say is on the screen once it is cancelled.
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
                st.caption(f"Stopped at {100 * snapshot.share:.0f} %; {stopped}.", width="content")
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
        st.session_state[POOLS][place].leave(key, viewer_name())


def _again(place: str) -> None:
    st.session_state.get(STOPPED, {}).pop(place, None)
    key = st.session_state.get(WATCHED, {}).get(place)
    if key is not None:
        st.session_state[CHANGED] = True
        st.session_state[POOLS][place].forget(key)


# What was shown before stays on the screen, faded, until what is asked for is there ------------------


def keep(place: str, what: object) -> None:
    """Remember what a place shows: names of things in bounded caches, not the things."""
    st.session_state.setdefault(SHOWN, {})[place] = what


def kept(place: str) -> Any:  # noqa: ANN401 - whatever the place has kept
    """Return what a place showed last, None if nothing."""
    return st.session_state.get(SHOWN, {}).get(place)


FADED = """
.st-key-{name}-shown {{ opacity: .4; pointer-events: none; }}
.st-key-{name}-wait {{ position: sticky; top: 4rem; z-index: 5; padding: .55rem .9rem;
  box-sizing: border-box; height: 3.9rem; margin-bottom: -5.4rem;
  background: var(--st-background-color, Canvas);
  border: 1px solid var(--st-border-color, rgb(128 128 128 / .2)); border-radius: 6px; }}
"""
"""Where the job stands lies over what was shown before, so that nothing moves when it ends."""


@contextmanager
def faded(place: str, *, before: bool) -> Iterator[None]:
    """Draw inside a container; what was shown before is faded, and clicks do not reach it."""
    css = FADED.format(name=place.replace(".", "-")) if before else ""
    st.html(f"<style>{css}/* {place} */</style>")  # always there, so that what follows keeps its place
    with st.container(key=f"{place}.shown"):
        yield
