"""The Playground: the regions beside the code and the picked point, and what their events change."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS, why_unused
from ecocviz.lab.choices import compared, deciders, shown_decoders
from ecocviz.lab.codewords import part_names, rows_of
from ecocviz.lab.evaluate import has_scores
from ecocviz.lab.jobs import Report, Snapshot
from ecocviz.lab.plane import plane_keys
from ecocviz.lab.regions import Frames, example_point, make_frames
from ecocviz.lab.run import without_decoder
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.selection import FLIPS, PICK, PLACE, PLANE
from ecocviz.lab.trained import Trained
from ecocviz.views.playground import words
from ecocviz.views.playground.drawing import MAX_BRUSHES, MAX_DRAWN, drawn_scenario, read_points
from ecocviz.views.playground.facts import Picture, make_picture
from ecocviz.views.playground.figures import inspector_data
from ecocviz.views.playground.inspection import Inspection, inspect_picked
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.components.code_grid import Marks, code_grid, read_rows
from ecocviz.views.shared.app.components.inspector import inspector
from ecocviz.views.shared.app.components.region_view import MAX_POINTS, Picked, pack_regions, region_view
from ecocviz.views.shared.app.job_panel import draw_panel, watch
from ecocviz.views.shared.app.matrix_edit import adopt_grid
from ecocviz.views.shared.app.said import said
from ecocviz.views.shared.app.stage import Scene, Section, Stage, Work, show_page
from ecocviz.views.shared.draw.words import number

NAME = "playground"
REGIONS, GRID, INSPECTOR = "playground.regions", "playground.grid", "playground.inspector"
KNOWN, FRAMES, UNDRAWN = "playground.known", "playground.frames", "playground.undrawn"

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
    """

    held: state.Session
    key: Hashable
    trained: Trained
    picture: Picture
    decoder: int
    pick: int
    place: tuple[float, float] | None
    inspection: Inspection | None
    playing: Snapshot | None

    @property
    def titles(self) -> list[str]:
        """Names of what decides."""
        return [title for title, _ in deciders(self.held.scenario, self.picture.regions.decodings)]

    def once(self, name: str, make: Callable[[], Value], *more: object) -> Value:
        """Return what depends on the scenario, the plane, the decoders and on `more`, made once for all."""
        return cache.remember(f"{NAME}.{name}", (self.key, self.decoder, *more), make)


# Looking -------------------------------------------------------------------------------------------


def _decodings(held: state.Session) -> tuple[Choice, ...]:
    return shown_decoders(held.scenario, held.selection)


def _key(held: state.Session) -> tuple[str, str]:
    """Name what a picture depends on besides the machines."""
    return held.selection[PLANE], cache.choices_key(_decodings(held))


def _begin(held: state.Session) -> Callable[[Trained, Report], Picture]:
    plane_name, decodings = held.selection[PLANE], _decodings(held)
    return lambda trained, report: make_picture(trained, plane_name, decodings, report)


def _gather(held: state.Session, trained: Trained, picture: Picture) -> View:
    """Put the view together; choose a point where none is picked."""
    decoder = [one.key for one in picture.regions.decodings].index(held.scenario.decoding.key)
    place, pick = state.place_of(held.selection), held.selection[PICK]
    if pick >= len(picture.points.truth):
        pick = -1
    if pick < 0 and place is None:
        pick = example_point(picture.points, picture.plane, decoder)
        state.select(pick=pick, flips="")
    key, playing = STAGE.works[0].name(held), _play(held, trained, picture)
    view = View(held, key, trained, picture, decoder, pick, place, None, playing)
    if not picture.regions.n_bits:
        return view
    flips = state.flips_of(held.selection, picture.regions.n_bits)
    inspection = view.once(
        "inspection", lambda: inspect_picked(trained.shown, picture, pick, place, flips), pick, place, flips
    )
    return replace(view, inspection=inspection)


STAGE = Stage(NAME, (Work(NAME, _key, _begin),), _gather)


def look(held: state.Session) -> Scene[View]:
    """Gather what is to be shown."""
    return STAGE.look(held)


def _play(held: state.Session, trained: Trained, picture: Picture) -> Snapshot | None:
    """Start or join the job that decodes with the first 1, 2, ... bits, if it was asked for."""
    scenario, plane_name, decoding = _frames_of(held)
    asked = st.session_state.get(FRAMES) == (scenario, plane_name, decoding)
    if not asked or not _playable(trained, picture):
        return None

    def work(report: Report) -> Frames:
        return make_frames(trained.shown, picture.plane, decoding, picture.regions.n, report)

    key = (FRAMES, cache.text_key(scenario), plane_name, cache.choices_key((decoding,)))
    return watch(FRAMES, key, work, cache.views())


def _frames_of(held: state.Session) -> tuple[Scenario, str, Choice]:
    """Return what the frames depend on: the machines, the plane, the decoder."""
    return without_decoder(held.scenario), held.selection[PLANE], held.scenario.decoding


def _playable(trained: Trained, picture: Picture) -> bool:
    return picture.regions.n_bits > 1 and has_scores(trained.shown)


# The regions ---------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the regions beside the code and the picked point."""
    with st.container(key="split"):
        left, right = st.columns([57, 51], gap="medium")
    with left:
        draw_regions(view)
    with right:
        draw_matrix(view)
        st.divider()
        draw_inspector(view)
    with left:
        said(*view.once("words", lambda: region_words(view)))
        draw_plane_choice(view)
        for note in view.trained.notes:
            st.caption(note)


def draw_regions(view: View) -> None:
    """Mount the canvas."""
    picked = _picked(view)
    frames: Frames | None = None if view.playing is None else view.playing.result
    region_view(
        view.once("regions", lambda: _packed(view, picked, frames), picked, frames is not None),
        key=REGIONS,
        on_pick=_on_pick,
        on_decoder=_on_decoder,
        on_frames=_on_frames,
        on_drawn=_on_drawn,
    )
    if view.playing is not None:
        draw_panel(FRAMES, view.playing, stopped="the bits are not played")
    problem = st.session_state.pop(UNDRAWN, None)
    if problem:
        st.error(problem)


def _packed(view: View, picked: Picked, frames: Frames | None) -> bytes:
    trained, picture = view.trained, view.picture
    return pack_regions(
        picture.regions,
        picture.points,
        classes=trained.classes,
        code_matrix=trained.code_matrix,
        deciders=deciders(view.held.scenario, picture.regions.decodings),
        decoder=view.decoder,
        picked=picked,
        playable=_playable(trained, picture),
        frames=frames,
        alt=words.alt_text(picture, trained.classes),
        n_brushes=MAX_BRUSHES,
        most_drawn=MAX_DRAWN,
    )


def region_words(view: View) -> tuple[str, str]:
    """Return the error sentence and what else is to be said under the picture."""
    n_drawn = min(len(view.picture.points.truth), MAX_POINTS)
    first, more = words.region_sentences(view.picture, view.titles, view.decoder, n_drawn)
    return first, " ".join(more)


def _picked(view: View) -> Picked:
    """Return what the canvas was told of the pick, anew only if it does not show the right one."""
    now = (view.pick, view.place if view.pick < 0 else None)
    sent: Picked
    sent, known = st.session_state.get(KNOWN, (Picked(0), None))
    if known != now:
        sent = Picked(sent.serial + 1, *now)
    st.session_state[KNOWN] = (sent, now)
    return sent


def _on_pick() -> None:
    pick = _event(REGIONS, "pick")
    if not isinstance(pick, dict) or not STAGE.shows(state.session().scenario):
        return
    point, place = pick.get("point"), pick.get("place")
    if isinstance(point, int) and point >= 0:
        state.select(pick=point, place="", flips="")
        now: tuple[int, Any] = (point, None)
    elif isinstance(place, list) and len(place) == 2 and all(isinstance(v, int | float) for v in place):
        text = ",".join(f"{v:.6g}" for v in place)
        state.select(pick=-1, place=text, flips="")
        now = (-1, state.place_of(state.session().selection))
    else:
        return
    sent, _ = st.session_state.get(KNOWN, (Picked(0), None))
    st.session_state[KNOWN] = (sent, now)


def _on_decoder() -> None:
    key = _event(REGIONS, "decoder")
    if isinstance(key, str) and key in DECODINGS and STAGE.shows(state.session().scenario):
        held = state.session()
        if not compared(held.selection):
            # The decoders on the screen stay there when another of them is chosen.
            state.select(compare=".".join(choice.key for choice in _decodings(held)))
        state.set_slot("decoding", key)


def _on_frames() -> None:
    st.session_state[FRAMES] = _frames_of(state.session())


def _on_drawn() -> None:
    held = state.session()
    try:
        state.adopt(held, drawn_scenario(held.scenario, read_points(_event(REGIONS, "drawn"))))
    except ValueError as error:
        st.session_state[UNDRAWN] = str(error)


def _event(key: str, name: str) -> object:
    value = st.session_state.get(key)
    return None if value is None else value.get(name)


def draw_plane_choice(view: View) -> None:
    """Let the user choose the plane of a problem with more than two features."""
    names, shown = view.trained.shown.prepared.feature_names, view.picture.plane.key
    keys = plane_keys(len(names))
    if len(keys) < 2:
        return

    def label(key: str) -> str:
        first, _, second = key.partition(",")
        return f"{names[int(first)]} and {names[int(second)]}" if second else "Two main directions (PCA)"

    bound = bind("plane", shown)
    st.selectbox(
        "Shown plane",
        keys if shown in keys else (*keys, shown),
        key=bound.key,
        format_func=label,
        on_change=bound.on_change(lambda key: state.select(plane=key, place="")),
    )


# The matrix ----------------------------------------------------------------------------------------


def draw_matrix(view: View) -> None:
    """Mount the grid, with what the picked point makes of it, and say what the code can do."""
    draft, classes, code_matrix = view.held.draft, view.trained.classes, view.trained.code_matrix
    idle = why_unused("coding", REDUCTIONS[view.held.scenario.reduction.key])
    if idle:
        st.caption(idle)
        return
    every = np.arange(len(classes))
    rows, marks = rows_of(view.trained.shown, code_matrix.shape[0]), _marks(view)
    if draft is not None:
        code_matrix, rows, marks = read_rows(draft[0], len(classes)), every, None
    code_grid(
        code_matrix,
        part_names(classes, rows),
        rows=rows.tolist(),
        key=GRID,
        marks=marks,
        draft=draft is not None,
        editable=np.array_equal(rows, every),
        on_edit=_on_edit,
    )
    if draft is not None:
        said(draft[1], "The regions still show the last code that could be trained.")
        return
    said("", view.once("code", lambda: words.code_sentence(code_report(code_matrix))))


def _marks(view: View) -> Marks | None:
    """Return what the picked point makes of the code, if it has a bit for every column."""
    inspection = view.inspection
    if inspection is None or len(inspection.scores) != view.trained.code_matrix.shape[1]:
        return None
    verdict = inspection.verdicts[view.decoder]
    bits, costs = tuple(inspection.bits.tolist()), tuple(map(number, verdict.costs.tolist()))
    return Marks(bits, costs, verdict.winner, DECODINGS[verdict.decoding.key].title)


def _on_edit() -> None:
    if STAGE.shows(state.session().scenario):
        adopt_grid(_event(GRID, "matrix"))


# The picked point ----------------------------------------------------------------------------------


def draw_inspector(view: View) -> None:
    """Mount the inspector of the picked point."""
    inspection = view.inspection
    if inspection is None:
        st.caption(
            f"{view.titles[0]} has no scores that decoders read, so there is nothing to look into here."
        )
        return
    inspector(
        view.once(
            "point", lambda: _point(view, inspection), view.pick, view.place, view.held.selection[FLIPS]
        ),
        key=INSPECTOR,
        on_flips=_on_flips,
        on_next=_on_next,
    )


def _point(view: View, inspection: Inspection) -> dict[str, Any]:
    classes, wrong = view.trained.classes, view.picture.next_wrong(view.decoder, -1)
    return inspector_data(
        inspection,
        view.decoder,
        classes,
        title=words.point_title(inspection, view.decoder, classes, view.pick, view.place),
        of=_name_of(view.held),
        next_text="" if wrong is None else "Next wrong point",
    )


def _name_of(held: state.Session) -> str:
    return f"{held.selection[PICK]}|{held.selection[PLACE]}"


def _on_flips() -> None:
    event, held = _event(INSPECTOR, "flips"), state.session()
    if not isinstance(event, dict) or event.get("of") != _name_of(held) or not STAGE.shows(held.scenario):
        return
    bits = event.get("bits")
    if (
        isinstance(bits, list)
        and len(bits) <= 400
        and all(isinstance(b, int) and 0 <= b < 100_000 for b in bits)
    ):
        state.select(flips=".".join(map(str, bits)))


def _on_next() -> None:
    scene = STAGE.look(state.session())
    view = scene.view
    if view is None or scene.awaited is not None:
        return
    wrong = view.picture.next_wrong(view.decoder, view.pick)
    if wrong is not None:
        state.select(pick=wrong, place="", flips="")


def show() -> None:
    """Draw the page."""
    show_page(NAME, "Playground", Section(NAME, look, draw))
