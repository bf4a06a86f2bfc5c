"""From a scenario to what a page shows, in two jobs: the machines, which all pages share, and the rest."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st

from ecocviz.lab.jobs import JobState, Report, Snapshot
from ecocviz.lab.run import Trained, refusal, train, undecoded
from ecocviz.lab.scenario import Scenario
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.job_panel import draw_panel, faded, keep, kept, watch

Found = TypeVar("Found")
View = TypeVar("View")


@dataclass(frozen=True, slots=True)
class Awaited:
    """The job that has to end before a page can show what is asked for."""

    place: str
    snapshot: Snapshot

    @property
    def busy(self) -> bool:
        """Whether it still runs."""
        return not self.snapshot.state.over


@dataclass(frozen=True, slots=True)
class Scene(Generic[View]):
    """What a page has to show: a view, that of the setting before while something is awaited."""

    view: View | None
    awaited: Awaited | None

    @property
    def busy(self) -> bool:
        """Whether more is to come."""
        return self.awaited is not None and self.awaited.busy


def machines(place: str, scenario: Scenario) -> Trained | Awaited:
    """Train a scenario's machines, or take them where somebody has trained them; its decoder does not matter.

    Raises
    ------
    ValueError
        If that is impossible, with the sentence that says why.
    """
    reason = refusal(scenario)
    if reason:
        raise ValueError(reason)
    place = f"{place}.machines"
    snapshot = watch(
        place,
        cache.text_key(scenario),
        lambda report: train(undecoded(scenario), report.progress, report.say),
        cache.trainings(),
    )
    trained: Trained | Awaited = _found(place, snapshot)
    return trained


def _found(place: str, snapshot: Snapshot) -> Any:  # noqa: ANN401 - what the work of the job returns
    """Return a job's result, or that it is awaited; raise ValueError with the sentence if it failed."""
    if snapshot.state is JobState.FAILED:
        raise ValueError(snapshot.error)
    return snapshot.result if snapshot.state is JobState.DONE else Awaited(place, snapshot)


@dataclass(frozen=True, slots=True)
class Stage(Generic[Found, View]):
    """A page that trains the scenario's machines and then computes what it shows of them.

    Attributes
    ----------
    place
        Its name.
    key
        What it computes depends on this besides the scenario.
    work
        Gives the computation for a session; it is told the machines and a report.
    gather
        Makes the view of what was computed.
    """

    place: str
    key: Callable[[state.Session], Hashable]
    work: Callable[[state.Session], Callable[[Trained, Report], Found]]
    gather: Callable[[state.Session, Trained, Found], View]

    def find(self, held: state.Session) -> tuple[Trained, Found] | Awaited:
        """Return the machines and what was computed, or what has to end first."""
        trained = machines(self.place, held.scenario)
        if isinstance(trained, Awaited):
            return trained
        work = self.work(held)
        snapshot = watch(self.place, self._name(held), lambda report: work(trained, report), cache.views())
        found: Found | Awaited = _found(self.place, snapshot)
        return found if isinstance(found, Awaited) else (trained, found)

    def _name(self, held: state.Session) -> Hashable:
        return self.place, cache.text_key(held.scenario), self.key(held)

    def look(self, held: state.Session) -> Scene[View]:
        """Gather what is to be shown; raise ValueError with a sentence where that is impossible."""
        found = self.find(held)
        if isinstance(found, Awaited):
            return Scene(self._before(held), found)
        view = self.gather(held, *found)
        keep(self.place, (held.scenario, held.selection))
        return Scene(view, None)

    def known(self, held: state.Session) -> tuple[Trained, Found] | None:
        """Return what `find` would if it is there already; begin nothing."""
        trained = cache.trainings().look(cache.text_key(held.scenario))
        found = cache.views().look(self._name(held))
        if trained is None or found is None or not trained.state is found.state is JobState.DONE:
            return None
        return trained.result, found.result

    def _before(self, held: state.Session) -> View | None:
        """Return the view that was shown last, None where it is not known any more."""
        shown = kept(self.place)
        if shown is None:
            return None
        earlier = replace(held, scenario=shown[0], selection=shown[1], draft=None)
        found = self.known(earlier)
        return None if found is None else self.gather(earlier, *found)

    def busy(self, held: state.Session) -> bool:
        """Say whether something is awaited; a failure is left to `look`."""
        try:
            found = self.find(held)
        except ValueError:
            return False
        return isinstance(found, Awaited) and found.busy

    def shows(self, scenario: Scenario) -> bool:
        """Say whether the machines on the screen are a scenario's: else what is drawn takes no events."""
        shown = kept(self.place)
        return shown is not None and undecoded(shown[0]) == undecoded(scenario)


def draw_scene(place: str, scene: Scene[View], draw: Callable[[View], None]) -> None:
    """Draw where the awaited job stands, and the view, faded if it is that of the setting before.

    Parameters
    ----------
    place
        The page's name.
    scene
        What is to be shown.
    draw
        Draws the view.
    """
    awaited, before = scene.awaited, scene.view is not None
    with st.container(key=f"{place}.wait"):
        if awaited is not None:
            shown = (
                "the setting before is shown, and Undo leads back to it" if before else "nothing is shown yet"
            )
            draw_panel(awaited.place, awaited.snapshot, stopped=shown)
    if scene.view is not None:
        with faded(place, before=awaited is not None):
            draw(scene.view)
