"""What the Playground has on the screen: gathered once a run, the same for all who look at the same."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import streamlit as st

from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.types import FloatArray
from ecocviz.lab.catalogue import DEFAULTS
from ecocviz.lab.choices import deciders, shown_decoders, uses
from ecocviz.lab.evaluate import evaluate, has_scores
from ecocviz.lab.regions import Frames, example_point, make_frames, play_point
from ecocviz.lab.report import Report, Snapshot
from ecocviz.lab.scenario import Choice
from ecocviz.lab.selection import PICK, PLANE
from ecocviz.lab.to_keep import ToKeep, errors_to_keep
from ecocviz.lab.trained import Trained
from ecocviz.views.playground.facts import Picture, found_error, make_picture
from ecocviz.views.playground.inspection import Inspection, inspect_picked, picked_point
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.charts import presenting
from ecocviz.views.shared.app.job_panel import watch
from ecocviz.views.shared.app.said import said
from ecocviz.views.shared.app.stage import Scene, Stage, Work

NAME, FRAMES = "playground", "playground.frames"
MOST_COMPARED = 2_000
"""Points that are decided by another code's machines while a page is drawn."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen.

    Attributes
    ----------
    key
        Names what the picture depends on.
    decoder
        Position of the scenario's own among the decoders.
    pick, place
        The picked point, -1 for none, or the picked place.
    playing
        The job that decodes with the first 1, 2, ... bits, once it is asked for.
    steps
        What it comes to for the picked point, see `play_point`.
    """

    session: state.Session
    key: Hashable
    trained: Trained
    picture: Picture
    decoder: int
    pick: int
    place: tuple[float, float] | None
    inspection: Inspection | None
    playing: Snapshot | None
    steps: tuple[tuple[int, FloatArray, int], ...] = ()

    @property
    def titles(self) -> list[str]:
        """Names of what decides."""
        return [title for title, _ in deciders(self.session.scenario, self.picture.regions.decodings)]

    def once(self, name: str, make: Callable[[], Value], *more: object) -> Value:
        """Return what depends on the scenario, the plane, the decoders and on `more`, made once for all."""
        return cache.remember(f"{NAME}.{name}", (self.key, self.decoder, *more), make)


def _decodings(session: state.Session) -> tuple[Choice, ...]:
    return tuple(map(session.scenario.deciding, shown_decoders(session.scenario, session.selection)))


def _key(session: state.Session) -> tuple[str, str]:
    """Name what a picture depends on besides the machines."""
    return session.selection[PLANE], cache.choices_key(_decodings(session))


def _begin(session: state.Session) -> Callable[[Trained, Report], Picture]:
    plane_name, decodings = session.selection[PLANE], _decodings(session)
    return lambda trained, report: make_picture(trained, plane_name, decodings, report)


def _gather(session: state.Session, trained: Trained, picture: Picture) -> View:
    """Put the view together; choose a point where none is picked."""
    decoder = [one.key for one in picture.regions.decodings].index(session.scenario.decoding.key)
    place, pick = state.place_of(session.selection), session.selection[PICK]
    if pick >= len(picture.points.truth):
        pick = -1
    if pick < 0 and place is None:
        pick = example_point(picture.points, picture.plane, decoder)
        state.select(pick=pick, flips="")
    key, playing = STAGE.works[0].name(session), _play(session, trained, picture)
    view = View(session, key, trained, picture, decoder, pick, place, None, playing)
    if not picture.regions.n_bits:
        return view
    flips = state.flips_of(session.selection, picture.regions.n_bits)
    inspection = view.once(
        "inspection", lambda: inspect_picked(trained.shown, picture, pick, place, flips), pick, place, flips
    )
    frames: Frames | None = None if playing is None else playing.result
    if frames is None or inspection is None:
        return replace(view, inspection=inspection)
    steps = view.once(
        "steps",
        lambda: play_point(
            trained.shown,
            picked_point(trained.shown, picture, pick, place),
            inspection.scores[None],
            frames,
        ),
        *(pick, place, flips),
    )
    return replace(view, inspection=inspection, steps=steps)


STAGE = Stage(NAME, (Work(NAME, _key, _begin),), _gather)


def look(session: state.Session) -> Scene[View]:
    """Gather what is to be shown."""
    return STAGE.look(session)


def keeps(view: View) -> ToKeep:
    """Return the errors of what is on the screen, to be kept."""
    found = partial(found_error, view.session.scenario, view.trained, view.picture, view.decoder)
    return errors_to_keep((view.key, view.decoder), lambda: (found(),))


def known_beside(view: View) -> Trained | None:
    """Return the machines of the code that is compared with, the default one, where they are known."""
    scenario = view.session.scenario
    if scenario.coding.key == DEFAULTS["coding"] or not uses(scenario, "coding"):
        return None
    few = view.picture.truth.size <= MOST_COMPARED
    return cache.keeper().find(scenario.chosen("coding", DEFAULTS["coding"])) if few else None


def errors_beside(view: View) -> tuple[str, int] | None:
    """Return that code's name, and its errors under the scenario's own decoder."""
    known = known_beside(view)
    if known is None or view.picture.part != known.judged_part:
        return None
    found = evaluate(known, view.picture.part, view.session.scenario.decoding)
    return CODINGS[DEFAULTS["coding"]].title, found.n_wrong


def _play(session: state.Session, trained: Trained, picture: Picture) -> Snapshot | None:
    """Start or join the job that decodes with the first 1, 2, ... bits, if it was asked for."""
    asked, decoding = _frames_of(session), session.scenario.decider
    if st.session_state.get(FRAMES) != asked or not playable(trained, picture):
        return None

    def work(report: Report) -> Frames:
        return make_frames(trained.shown, picture.plane, decoding, picture.regions.n, report)

    return watch(FRAMES, (FRAMES, *asked), work, cache.views())


def _frames_of(session: state.Session) -> tuple[str, str, str]:
    """Name what the frames depend on: the machines, the plane, the decoder."""
    scenario = session.scenario
    return cache.text_key(scenario), session.selection[PLANE], cache.choices_key((scenario.decider,))


def playable(trained: Trained, picture: Picture) -> bool:
    """Say whether there are several bits that can be decoded one more at a time."""
    return picture.regions.n_bits > 1 and has_scores(trained.shown)


def say_above(first: str) -> str:
    """Say a sentence above the regions while presenting, and return what of it is left to be said below.

    A lecture hall does not scroll: below the regions it would be hidden by the bar.
    """
    if not presenting():
        return first
    said(first)
    return ""


def ask_for_frames() -> None:
    """Let the bits of what is on the screen be played."""
    st.session_state[FRAMES] = _frames_of(state.current())
