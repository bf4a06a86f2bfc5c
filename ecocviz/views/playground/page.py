"""What the Playground shows, gathered once a run, and what its components' events change."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS, unused
from ecocviz.lab.jobs import Report, Snapshot
from ecocviz.lab.regions import (
    Frames,
    Plane,
    Points,
    Regions,
    decodable,
    make_frames,
    plane_keys,
    telling_point,
)
from ecocviz.lab.run import Trained, undecoded
from ecocviz.lab.scenario import Choice, Scenario, choose
from ecocviz.views.code_matrix.facts import part_names, rows_of
from ecocviz.views.playground.drawing import drawn_scenario, read_points
from ecocviz.views.playground.facts import Picture, make_picture
from ecocviz.views.playground.inspection import Inspection, inspect_point
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.choices import deciders, shown_decoders
from ecocviz.views.shared.app.components.code_grid import Marks, code_grid, read_rows
from ecocviz.views.shared.app.components.inspector import inspector, inspector_data
from ecocviz.views.shared.app.components.region_view import MAX_POINTS, Picked, region_view
from ecocviz.views.shared.app.fresh import offer
from ecocviz.views.shared.app.job_panel import draw_panel, still_runs, watch
from ecocviz.views.shared.app.matrix_edit import adopt_grid
from ecocviz.views.shared.app.stage import Stage
from ecocviz.views.shared.draw import words

PLACE = "playground"
REGIONS, GRID, INSPECTOR = "playground.regions", "playground.grid", "playground.inspector"
KNOWN, FRAMES, UNDRAWN = "playground.known", "playground.frames", "playground.undrawn"


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen."""

    held: state.Session
    scenario: Scenario
    """Without its decoder: the key of what is cached."""
    trained: Trained
    decodings: tuple[Choice, ...]
    decoder: int
    picture: Picture
    pick: int
    place: tuple[float, float] | None
    inspection: Inspection | None
    playing: Snapshot | None
    """The job that decodes with the first 1, 2, ... bits, once it is asked for."""

    @property
    def plane(self) -> Plane:
        """What is looked at."""
        return self.picture.plane

    @property
    def regions(self) -> Regions:
        """The decided plane."""
        return self.picture.regions

    @property
    def points(self) -> Points:
        """The decided points."""
        return self.picture.points


def _decodings(held: state.Session) -> tuple[Choice, ...]:
    own = held.scenario.decoding
    return tuple(own if key == own.key else choose("decoding", key) for key in shown_decoders(held))


def _key(held: state.Session) -> tuple[str, str]:
    """Name what a picture depends on besides the machines."""
    return held.selection.plane, cache.choices_key(_decodings(held))


def _work(held: state.Session) -> Callable[[Trained, Report], Picture]:
    plane_name, decodings = held.selection.plane, _decodings(held)
    return lambda trained, report: make_picture(trained, plane_name, decodings, report.progress)


def _gather(held: state.Session, trained: Trained, picture: Picture) -> View:
    """Put the view together; choose a point where none is picked."""
    decodings, points = picture.regions.decodings, picture.points
    decoder = [decoding.key for decoding in decodings].index(held.scenario.decoding.key)
    place = state.place_of(held.selection)
    pick = held.selection.pick if held.selection.pick < len(points.truth) else -1
    if pick < 0 and place is None:
        pick = telling_point(points, picture.plane, decoder)
        state.select(pick=pick, flips="")
    inspection = None
    if picture.regions.n_bits:
        prepared = trained.shown.prepared
        flips = state.flips_of(held.selection, picture.regions.n_bits)
        if pick >= 0:
            n_train = len(prepared.y_train)
            x = prepared.X_train[pick] if pick < n_train else prepared.X_test[pick - n_train]
            inspection = inspect_point(trained.shown, x, int(points.truth[pick]), decodings, flips)
        elif place is not None:
            x = picture.plane.lift(np.array([place]))[0]
            inspection = inspect_point(trained.shown, x, -1, decodings, flips)
    scenario, playing = undecoded(held.scenario), _play(held, trained, picture)
    return View(held, scenario, trained, decodings, decoder, picture, pick, place, inspection, playing)


STAGE = Stage(PLACE, _key, _work, _gather)


def busy(held: state.Session) -> bool:
    """Say whether more is to come."""
    return STAGE.busy(held) or still_runs(FRAMES)


def _play(held: state.Session, trained: Trained, picture: Picture) -> Snapshot | None:
    """Start or join the job that decodes with the first 1, 2, ... bits, if it was asked for."""
    scenario, plane_name, decoding = undecoded(held.scenario), held.selection.plane, held.scenario.decoding
    asked = st.session_state.get(FRAMES) == (scenario, plane_name, decoding)
    if not asked or not _playable(trained, picture):
        return None

    def work(report: Report) -> Frames:
        return make_frames(trained.shown, picture.plane, decoding, picture.regions.n, report.progress)

    key = (FRAMES, cache.text_key(scenario), plane_name, cache.choices_key((decoding,)))
    return watch(FRAMES, key, work, cache.views())


def _playable(trained: Trained, picture: Picture) -> bool:
    return picture.regions.n_bits > 1 and decodable(trained.shown)


# The regions ---------------------------------------------------------------------------------------


def draw_regions(view: View) -> None:
    """Mount the canvas."""
    payload = cache.payload(
        view.scenario,
        view.trained,
        view.picture,
        _picked(view),
        name=view.held.selection.plane,
        decoder=view.decoder,
        playable=_playable(view.trained, view.picture),
        frames=None if view.playing is None else view.playing.result,
        alt=alt_text(view),
    )
    region_view(
        payload,
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
        if not state.compared(held.selection):
            # The decoders on the screen stay there when another of them is chosen.
            state.select(compare=".".join(shown_decoders(held)))
        state.set_slot("decoding", key)


def _on_frames() -> None:
    held = state.session()
    st.session_state[FRAMES] = (undecoded(held.scenario), held.selection.plane, held.scenario.decoding)


def _on_drawn() -> None:
    held = state.session()
    try:
        state.adopt(held, drawn_scenario(held.scenario, read_points(_event(REGIONS, "drawn"))))
    except ValueError as error:
        st.session_state[UNDRAWN] = str(error)


def _event(key: str, name: str) -> object:
    value = st.session_state.get(key)
    return None if value is None else value.get(name)


def alt_text(view: View) -> str:
    """Describe the picture in words for those who do not see it."""
    names = view.trained.classes
    shown = words.listed(names) if len(names) <= 6 else f"{names[0]} to {names[-1]}"
    return (
        f"Decision regions of {words.count(len(names), 'class', 'classes')} ({shown}) over "
        f"{view.plane.names[0]} and {view.plane.names[1]}, {words.count(len(view.points.truth), 'point')}. "
        "Arrow keys move the picked point."
    )


def region_words(view: View) -> tuple[str, str]:
    """Return the error sentence and what else is to be said under the picture, as HTML."""
    picture, own = view.picture, view.picture.labels[view.decoder]
    tested, n = picture.part == "test", picture.truth.size
    titles = [title for title, _ in deciders(view.scenario, view.decodings)]
    agreeing = int((picture.labels == own).all(axis=0).sum())
    more = [
        words.best_sentence(titles, picture.n_wrong, view.decoder),
        words.agreement_sentence(titles, agreeing, n),
    ]
    if picture.fitted is not None:
        fitted = int(picture.fitted[view.decoder])
        more.insert(0, words.error_sentence("Training", fitted, picture.n_fitted))
    n_points = len(view.points.truth)
    more += [view.plane.sentence, words.marks_sentence(tested, n_points, min(n_points, MAX_POINTS))]
    first = words.error_sentence("Test" if tested else "Training", picture.n_wrong[view.decoder], n)
    return first, " ".join(filter(None, map(escape, more)))


def draw_plane_choice(view: View) -> None:
    """Let the user choose the plane of a problem with more than two features."""
    names = view.trained.shown.prepared.feature_names
    keys = plane_keys(len(names))
    if len(keys) < 2:
        return
    offered = offer("plane", view.plane.key)

    def label(key: str) -> str:
        pair = key.split(",")
        return (
            f"{names[int(pair[0])]} and {names[int(pair[1])]}"
            if len(pair) == 2
            else "Two main directions (PCA)"
        )

    def choose_plane(key: str) -> None:
        state.select(plane=key, place="")

    options = keys if view.plane.key in keys else (*keys, view.plane.key)
    st.selectbox(
        "Shown plane",
        options,
        key=offered.key,
        format_func=label,
        on_change=offered.chosen(choose_plane),
    )


# The matrix ----------------------------------------------------------------------------------------


def draw_matrix(view: View) -> None:
    """Mount the grid, with what the picked point makes of it, and say what the code can do."""
    held, code_matrix = view.held, view.trained.code_matrix
    idle = unused("coding", REDUCTIONS[view.scenario.reduction.key])
    if idle:
        st.caption(idle)
        return
    marks = None
    inspection = view.inspection
    if inspection is not None and len(inspection.scores) == code_matrix.shape[1]:
        verdict = inspection.verdicts[view.decoder]
        marks = Marks(
            tuple(inspection.bits.tolist()),
            tuple(words.number(cost) for cost in verdict.costs.tolist()),
            verdict.winner,
            DECODINGS[verdict.decoding.key].title,
        )
    rows = rows_of(view.trained.shown, code_matrix.shape[0])
    if held.draft is not None:
        code_matrix, marks = read_rows(held.draft[0], len(view.trained.classes)), None
        rows = np.arange(len(view.trained.classes))
    code_grid(
        code_matrix,
        part_names(view.trained.classes, rows),
        rows=rows.tolist(),
        key=GRID,
        marks=marks,
        draft=held.draft is not None,
        editable=np.array_equal(rows, np.arange(len(view.trained.classes))),
        on_edit=_on_edit,
    )
    if held.draft is not None:
        still = "The regions still show the last code that could be trained."
        st.html(f'<div class="eco-words">{escape(held.draft[1])} <span>{still}</span></div>')
        return
    report = code_report(code_matrix)
    said = words.code_sentence(
        report.min_distance,
        -1 if report.repairable_bits_hamming is None else report.repairable_bits_hamming,
        len(report.one_sided_columns),
        len(report.repeated_columns),
        len(report.complementary_columns),
    )
    st.html(f'<div class="eco-words"><span>{escape(said)}</span></div>')


def _on_edit() -> None:
    if STAGE.shows(state.session().scenario):
        adopt_grid(_event(GRID, "matrix"))


# The picked point ----------------------------------------------------------------------------------


def draw_inspector(view: View) -> None:
    """Mount the inspector of the picked point."""
    inspection, names = view.inspection, view.trained.classes
    if inspection is None:
        title, _ = deciders(view.scenario, view.decodings)[0]
        st.caption(f"{title} has no scores that decoders read, so there is nothing to look into here.")
        return
    verdict = inspection.verdicts[view.decoder]
    decided = names[verdict.winner]
    if inspection.truth >= 0:
        title = f"Point {view.pick}, truly {names[inspection.truth]}, decoded {decided}"
    else:
        x, y = view.place or (0.0, 0.0)
        title = f"Place ({x:.3g}, {y:.3g}), decoded {decided}".replace("-", words.MINUS)
    n_wrong = int((view.points.labels[view.decoder] != view.points.truth).sum())
    data = inspector_data(
        inspection,
        names,
        view.decoder,
        title=title,
        said=_point_words(view, inspection),
        of=_name_of(view.held),
        next_text="Next wrong point" if n_wrong else "",
    )
    inspector(data, key=INSPECTOR, on_flips=_on_flips, on_next=_on_next)


def _point_words(view: View, inspection: Inspection) -> str:
    names, verdict = view.trained.classes, inspection.verdicts[view.decoder]
    row = np.flatnonzero(inspection.class_index == inspection.truth)
    n_wrong, n_asked = None, 0
    if row.size:
        asked = np.sign(inspection.code_matrix[row[0]])
        n_asked = int((asked != 0).sum())
        n_wrong = int(((asked * inspection.bits <= 0) & (asked != 0)).sum())
    truth = names[inspection.truth] if row.size else None
    return words.point_sentence(
        n_wrong, n_asked, names[verdict.winner], truth, DECODINGS[verdict.decoding.key].title
    )


def _name_of(held: state.Session) -> str:
    return f"{held.selection.pick}|{held.selection.place}"


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
    wrong = np.flatnonzero(view.points.labels[view.decoder] != view.points.truth)
    if wrong.size:
        after = wrong[wrong > view.pick]
        state.select(pick=int(after[0] if after.size else wrong[0]), place="", flips="")
