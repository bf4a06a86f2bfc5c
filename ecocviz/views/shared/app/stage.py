"""The common shape of the pages: trained machines, what a page computes of them, and drawing it live.

A page is a few sections. Each looks (what is there to show, and what is still awaited?) and draws; it is
drawn again, on its own, when a job that it watches has something new.
"""

from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

import streamlit as st

from ecocviz.lab.jobs import TOO_LARGE, Jobs
from ecocviz.lab.report import JobState, Report, Snapshot
from ecocviz.lab.run import why_not_run, without_decoder
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.to_keep import ToKeep
from ecocviz.lab.trained import Trained
from ecocviz.views.shared.app import cache, keeping, sidebar, state
from ecocviz.views.shared.app.job_panel import draw_panel, leave, places_into, watch, watching
from ecocviz.views.shared.app.layout import follow, frame, one_sentence
from ecocviz.views.shared.app.refusals import refuse
from ecocviz.views.shared.app.said import style

View = TypeVar("View")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Awaited:
    """The job that has to end before a page can show what is asked for."""

    place: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Scene(Generic[View]):
    """What there is to show: a view, that of the setting before while something is awaited."""

    view: View | None
    awaited: Awaited | None = None


# Looking ---------------------------------------------------------------------------------------------


def machines(place: str, scenario: Scenario) -> Trained | Awaited:
    """Return a scenario's machines, or the job that trains them; its decoder does not matter.

    Raises
    ------
    ValueError
        If that is impossible, with the sentence that says why.
    """
    reason = why_not_run(scenario)
    if reason:
        raise ValueError(reason)
    place, keeper, key = f"{place}.machines", cache.keeper(), cache.text_key(scenario)
    known = keeper.find(scenario)
    if known is not None:
        leave(place)
        return known
    snapshot = watch(place, key, lambda report: keeper.get(scenario, report), cache.trainings())
    if snapshot.state is JobState.DONE:
        cache.trainings().forget(key)  # the keeper has them, within its bounds
    trained: Trained | Awaited = found_or_awaited(place, snapshot)
    return trained


def computed(place: str, name: str, key: Hashable, work: Callable[[Report], Value]) -> Value | Awaited:
    """Return what is computed once, as `cache.remember` does, or the job that computes it.

    For what may take longer than a page should stand still.

    Parameters
    ----------
    place
        Where it is awaited.
    name, key
        What it is and what it depends on, as given to `cache.remember`.
    work
        Computes it; it is told a report.

    Raises
    ------
    ValueError
        If that is impossible, with the sentence that says why.
    """
    before = cache.known(name, key)
    if before is not None:
        leave(place)
        return cast("Value", before)
    job = (name, key)
    snapshot = watch(
        place, job, lambda report: cache.remember(name, key, lambda: work(report)), cache.views()
    )
    if snapshot.state is JobState.DONE:
        cache.views().forget(job)  # it is remembered, within its bounds
    found: Value | Awaited = found_or_awaited(place, snapshot)
    return found


def found_or_awaited(place: str, snapshot: Snapshot) -> Any:  # noqa: ANN401 - what the work of the job returns
    """Return a job's result, or that it is awaited; raise ValueError with the sentence if it failed."""
    if snapshot.state is JobState.FAILED:
        raise ValueError(snapshot.error)
    return snapshot.result if snapshot.state is JobState.DONE else Awaited(place, snapshot)


@dataclass(frozen=True, slots=True)
class Work:
    """Something that a page computes of trained machines, as a job.

    Attributes
    ----------
    place
        Its name.
    key
        What it depends on besides the machines, for a session.
    begin
        Gives the computation for a session; it is told the machines and a report.
    pool
        Of the jobs.
    """

    place: str
    key: Callable[[state.Session], Hashable]
    begin: Callable[[state.Session], Callable[[Trained, Report], Any]]
    pool: Callable[[], Jobs] = cache.views

    def name(self, session: state.Session) -> Hashable:
        """Return the key of the job."""
        return self.place, cache.text_key(session.scenario), self.key(session)

    def watch(self, session: state.Session, trained: Trained) -> Snapshot:
        """Start the job or join it."""
        work = self.begin(session)
        return watch(self.place, self.name(session), lambda report: work(trained, report), self.pool())

    def keep(self, session: state.Session, trained: Trained) -> None:
        """Do the work now, for nobody in particular, and never forget what it finds."""
        name, work = self.name(session), self.begin(session)
        self.pool().pin(name)
        self.pool().start(name, lambda report: work(trained, report))
        self.pool().wait(name)

    def known(self, session: state.Session) -> Snapshot | None:
        """Return the job if it is done; begin nothing."""
        snapshot = self.pool().look(self.name(session))
        return snapshot if snapshot is not None and snapshot.state is JobState.DONE else None


@dataclass(frozen=True, slots=True)
class Stage(Generic[View]):
    """A page that trains the scenario's machines and then computes what it shows of them.

    Attributes
    ----------
    place
        Its name.
    works
        What it computes.
    gather
        Makes the view, for a session, of the machines and of what each work has found.
    streams
        Whether a view can be made of what is found so far: `gather` is then handed the jobs themselves,
        as they are, else their results once all are done.
    """

    place: str
    works: tuple[Work, ...]
    gather: Callable[..., View]
    streams: bool = False

    def find(self, session: state.Session) -> tuple[Any, ...] | Awaited:
        """Return the machines and what was computed, or what has to end first."""
        trained = machines(self.place, session.scenario)
        if isinstance(trained, Awaited):
            return trained
        found = []
        for work in self.works:
            snapshot = work.watch(session, trained)
            one = snapshot if self.streams else found_or_awaited(work.place, snapshot)
            if isinstance(one, Awaited):
                return one
            found.append(one)
        return trained, *found

    def look(self, session: state.Session) -> Scene[View]:
        """Gather what is to be shown; raise ValueError with a sentence where that is impossible."""
        found = self.find(session)
        if isinstance(found, Awaited):
            return Scene(self._before(session), found)
        view = self.gather(session, *found)
        st.session_state[f"{self.place}.shown"] = (session.scenario, session.selection)
        return Scene(view)

    def known(self, session: state.Session) -> tuple[Any, ...] | None:
        """Return what `find` would if it is there already; begin nothing."""
        trained = cache.keeper().find(session.scenario)
        jobs = [work.known(session) for work in self.works]
        if trained is None or None in jobs:
            return None
        return trained, *(job if self.streams else job.result for job in jobs if job is not None)

    def _before(self, session: state.Session) -> View | None:
        """Return the view that was shown last, None where it is not known any more."""
        shown = st.session_state.get(f"{self.place}.shown")
        if shown is None:
            return None
        earlier = replace(session, scenario=shown[0], selection=shown[1], draft=None)
        found = self.known(earlier)
        return None if found is None else self.gather(earlier, *found)

    def shows(self, scenario: Scenario) -> bool:
        """Say whether the machines on the screen are a scenario's: else what is drawn takes no events."""
        shown = st.session_state.get(f"{self.place}.shown")
        return shown is not None and without_decoder(shown[0]) == without_decoder(scenario)


# Drawing ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section(Generic[View]):
    """A part of a page that is drawn on its own, again when a job that it watches has something new.

    Attributes
    ----------
    place
        Its name.
    look
        Gathers what is to be shown; raises ValueError with a sentence where that is impossible.
    draw
        Draws a view.
    early
        Draws what is known before there is any view, if something is; it is told what is awaited, None
        where nothing will come.
    keeps
        Returns what a view shows of errors, to be kept as runs; None for nothing.
    """

    place: str
    look: Callable[[state.Session], Scene[View]]
    draw: Callable[[View], None]
    early: Callable[[state.Session, Awaited | None], None] | None = None
    keeps: Callable[[View], ToKeep | None] = lambda _view: None


def show_page(
    path: str, title: str, *sections: Section[Any], settings: Callable[[state.Session], None] | None = None
) -> None:
    """Draw a whole page: what surrounds it, its settings, its sections.

    Parameters
    ----------
    path
        The page's own name in links.
    title
        Of the page and the browser's tab.
    sections
        From top to bottom.
    settings
        Draws what stands above them.
    """
    session = frame(path, title)
    watching().sections.clear()
    with one_sentence():
        if settings is not None:
            settings(session)
        for section in sections:
            _live(section, path)
    sidebar.settle(session.scenario)  # not in a section: what a section draws goes with its next redrawing


def _live(section: Section[Any], path: str) -> None:
    """Draw a section of a page, and note which places it watches: news of their jobs draw it again."""

    def step() -> None:
        mine, now = watching(), state.current()
        follow(now)
        asked, mine.asked = mine.asked, False
        if asked:
            st.rerun()
        mine.sections[section.place] = places = set[str]()
        with places_into(places):
            _draw(section, _look(section, now), path)
        follow(state.current())
        if sidebar.is_behind(state.current().scenario):
            st.rerun()  # the section alone was drawn again, as its machines were there

    st.fragment(step, key=section.place)()


def _look(section: Section[Any], session: state.Session) -> Scene[Any] | str:
    """Look; return the sentence that says why there is nothing to show."""
    try:
        return section.look(session)
    except ValueError as error:
        return str(error)
    except MemoryError:
        return TOO_LARGE


def _draw(section: Section[Any], scene: Scene[Any] | str, path: str) -> None:
    if isinstance(scene, str):
        refuse(scene, section.place)
        if section.early is not None:
            with suppress(ValueError, MemoryError):  # the data themselves may be what cannot be: it is said
                section.early(state.current(), None)
        return
    with one_sentence():
        draw_scene(section, scene, path)


WAITED = """
.st-key-{name}-wait {{ position: sticky; top: 4rem; z-index: 5; padding: .55rem .9rem;
  box-sizing: border-box; height: 3.6rem; margin-bottom: -5.1rem;
  background: var(--st-background-color, Canvas);
  border: 1px solid var(--st-border-color, rgb(128 128 128 / .2)); border-radius: 6px; }}
"""
"""Where the job stands lies over what is shown meanwhile, so that nothing moves when it ends."""
FADED = ".st-key-{name}-shown {{ opacity: .4; pointer-events: none; }}\n"


def draw_scene(section: Section[View], scene: Scene[View], path: str) -> None:
    """Draw where the awaited job stands, and the view, faded if it is that of the setting before.

    What a view shows of errors is kept as runs, of the page with this path.
    """
    place, awaited, before = section.place, scene.awaited, scene.view is not None
    with st.container(key=f"{place}.wait"):
        if awaited is not None:
            shown = (
                "the previous setting is still shown; Undo returns to it"
                if before
                else "there is no result yet"
            )
            draw_panel(awaited.place, awaited.snapshot, stopped=shown)
    if scene.view is None and section.early is None:
        return
    faded = awaited is not None
    css = WAITED + (FADED if faded and before else "")
    style(css.format(name=place.replace(".", "-")))  # always there, so that what follows keeps its place
    with st.container(key=f"{place}.shown"):
        if scene.view is not None:
            section.draw(scene.view)
            keeping.keep(place, section.keeps(scene.view), path)
        elif section.early is not None:
            section.early(state.current(), awaited)
