"""Background work on a page: started, watched, cancelled and begun again; the page stays usable meanwhile."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ecocviz.lab.jobs import Jobs
from ecocviz.lab.report import JobState, Report, Snapshot
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.components.heard import clicked_beside
from ecocviz.views.shared.app.components.pulse import pulse
from ecocviz.views.shared.app.pace import Drawn, Wait, next_look
from ecocviz.views.shared.app.said import caption, error, progress
from ecocviz.views.shared.draw.waits import wait_sentence

PATIENCE_SECONDS = 0.4
"""A job that is done this soon appears finished at once."""

KEY = "ecocviz.jobs"

UNBEGUN = Snapshot(JobState.CANCELLED, 0.0, "", (), None, None, 0.0)


@dataclass(slots=True)
class Watching:
    """The jobs that one browser session looks at, place by place.

    Attributes
    ----------
    jobs
        Place -> pool and key of its job.
    stopped
        Place -> key of the job that the user has cancelled there.
    begun
        Keys of the jobs that the user has begun by a button.
    asked
        Whether a click on a panel changed something since the page was drawn.
    seen
        Places that the page being drawn has.
    sections
        Section on the screen -> places that it watches.
    waits
        Place -> how long its job has been waited for.
    looks
        How often the browser was told when to ask again.
    """

    jobs: dict[str, tuple[Jobs, Hashable]] = field(default_factory=dict)
    stopped: dict[str, Hashable] = field(default_factory=dict)
    begun: set[Hashable] = field(default_factory=set)
    asked: bool = False
    seen: set[str] = field(default_factory=set)
    sections: dict[str, set[str]] = field(default_factory=dict)
    waits: dict[str, Wait] = field(default_factory=dict)
    looks: int = 0


def watching() -> Watching:
    """Return what this browser session looks at."""
    found: Watching = st.session_state.setdefault(KEY, Watching())
    return found


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
    jobs, viewer, mine = jobs or cache.jobs(), viewer_name(), watching()
    mine.seen.add(place)
    new = mine.jobs.get(place) != (jobs, key)
    if new:
        leave(place)
    mine.jobs[place] = (jobs, key)
    if mine.stopped.get(place) == key:
        return replace(jobs.look(key) or UNBEGUN, state=JobState.CANCELLED, result=None)
    jobs.leave_for(gone)
    snapshot = jobs.look(key)
    # What failed is tried again by whoever comes to it, and then only when asked to.
    if new or snapshot is None or snapshot.state is not JobState.FAILED:
        snapshot = jobs.start(key, work, viewer)
    if new and not snapshot.state.over:
        snapshot = jobs.wait(key, PATIENCE_SECONDS) or snapshot
    return snapshot


def leave(place: str) -> None:
    """Watch nothing at a place any more."""
    mine = watching()
    if place in mine.jobs:
        jobs, key = mine.jobs.pop(place)
        jobs.leave(key, viewer_name())
        mine.stopped.pop(place, None)


def _look(place: str) -> Snapshot | None:
    mine = watching()
    if place not in mine.jobs:
        return None
    jobs, key = mine.jobs[place]
    return jobs.look(key)


@contextmanager
def jobs_of_page() -> Iterator[None]:
    """Draw a whole page inside; look away from the jobs at places that it does not have.

    They go on unless something else needs their thread: whoever comes back soon finds them further on.
    """
    mine = watching()
    mine.seen = seen = set[str]()
    yield
    here = {mine.jobs[place] for place in seen if place in mine.jobs}
    for place in [place for place in mine.jobs if place not in seen]:
        jobs, key = mine.jobs.pop(place)
        if (jobs, key) not in here:
            jobs.look_away(key, viewer_name())


@contextmanager
def places_into(places: set[str]) -> Iterator[None]:
    """Add the places that are watched inside."""
    mine = watching()
    before, mine.seen = mine.seen, set()
    try:
        yield
    finally:
        places |= mine.seen
        before |= mine.seen  # the set that `jobs_of_page` looks at
        mine.seen = before


def viewer_name() -> str:
    """Name this browser session among the viewers of jobs."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def gone(viewer: str) -> bool:
    """Say whether the session of that name has been closed."""
    return runtime.exists() and bool(viewer) and not runtime.get_instance().is_active_session(viewer)


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
            caption(finished)
        return
    if snapshot.state is JobState.FAILED:
        error(snapshot.error or "The computation failed; change a setting and try again.")
    if not snapshot.state.over:
        _draw_line(place, Drawn.now(snapshot))
        return
    with _row(place):
        if snapshot.state is JobState.CANCELLED:
            caption(f"Stopped at {100 * snapshot.share:.0f} %; {stopped}.", width="content")
        st.button("Run again", key=f"{place}.again", on_click=_again, args=(place,))


def _row(place: str) -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{place}.panel")


def _draw_line(place: str, drawn: Drawn) -> None:
    """Draw the line of an unfinished job, which alone is drawn again while there is nothing else to show."""
    first = [drawn.snapshot]

    def step() -> None:
        mine = watching()
        snapshot = first.pop() if first else _look(place)
        if mine.asked or snapshot is None or drawn.is_old(snapshot):
            mine.asked = False
            st.rerun()
        now, job = perf_counter(), mine.jobs.get(place)
        wait = mine.waits.get(place)
        if wait is None or wait.job != job:
            wait = mine.waits[place] = Wait(job, now)
        left = wait.estimate(snapshot, now)
        with _row(place):
            progress(snapshot.share, wait_sentence(snapshot, left))
            st.button("Cancel", key=f"{place}.cancel", on_click=_cancel, args=(place,))
        mine.looks += 1
        after = next_look(snapshot, now - wait.since, left)
        pulse(after, mine.looks, key=f"pulse.{place}", on_tick=lambda: _tick(place, drawn))

    st.fragment(step)()


def _tick(place: str, drawn: Drawn) -> None:
    """Have the sections that watch a place drawn again if there is something new; else only its line is."""
    if clicked_beside("pulse."):  # Streamlit would draw nothing of the part in which that was
        st.rerun("app")
    if drawn.is_old(_look(place)):
        found = [name for name, places in watching().sections.items() if place in places]
        st.rerun(found or "app")


def _cancel(place: str) -> None:
    mine = watching()
    if place in mine.jobs:
        jobs, key = mine.jobs[place]
        mine.asked, mine.stopped[place] = True, key
        jobs.leave(key, viewer_name())


def _again(place: str) -> None:
    mine = watching()
    mine.stopped.pop(place, None)
    mine.waits.pop(place, None)
    if place in mine.jobs:  # as one who comes anew: what was found before stays on the screen
        mine.asked = True
        mine.begun.add(mine.jobs.pop(place)[1])
