"""The Playground: the regions beside the code and the picked point, and what their events change."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import MAX_BITS
from ecocviz.engine.types import IntArray
from ecocviz.lab.catalogue import REDUCTIONS, why_unused
from ecocviz.lab.choices import compared, deciders, shown_decoders
from ecocviz.lab.codewords import part_names, rows_of
from ecocviz.lab.plane import plane_keys
from ecocviz.lab.regions import Frames
from ecocviz.lab.selection import FLIPS, PICK, PLACE
from ecocviz.views.playground import words
from ecocviz.views.playground.drawing import MAX_BRUSHES, MAX_DRAWN, drawn_scenario, read_points
from ecocviz.views.playground.figures import inspector_data, positions
from ecocviz.views.playground.figures_saved import bits_figure, bits_table, verdicts_figure, verdicts_table
from ecocviz.views.playground.inspection import Inspection
from ecocviz.views.playground.page_early import draw_early
from ecocviz.views.playground.page_params import draw_params
from ecocviz.views.playground.page_strip import draw_strip
from ecocviz.views.playground.page_view import (
    FRAMES,
    NAME,
    STAGE,
    View,
    ask_for_frames,
    errors_beside,
    keeps,
    known_beside,
    look,
    playable,
    say_above,
)
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import file_name, presenting
from ecocviz.views.shared.app.components.code_grid import code_grid, read_rows
from ecocviz.views.shared.app.components.heard import among, decimal, items, record, told, whole
from ecocviz.views.shared.app.components.inspector import inspector
from ecocviz.views.shared.app.components.region_view import MAX_POINTS, Picked, pack_regions, region_view
from ecocviz.views.shared.app.job_panel import draw_panel, viewer_name
from ecocviz.views.shared.app.matrix_edit import adopt_grid
from ecocviz.views.shared.app.said import caption, error, said
from ecocviz.views.shared.app.saving import offer_saving
from ecocviz.views.shared.app.saving_pictures import save_code, save_plane
from ecocviz.views.shared.app.stage import Section, show_page
from ecocviz.views.shared.draw.code_picture import Marks, Rows
from ecocviz.views.shared.draw.outside import plain, told_apart
from ecocviz.views.shared.draw.plane import Look
from ecocviz.views.shared.draw.words import number

REGIONS, GRID, INSPECTOR = "playground.regions", "playground.grid", "playground.inspector"
KNOWN, UNDRAWN = "playground.known", "playground.undrawn"
MOST_FLIPS = 400

# The regions ---------------------------------------------------------------------------------------


def draw(view: View) -> None:
    """Draw the regions beside the code and the picked point."""
    draw_strip(view)
    with st.container(key="split"):
        left, right = st.columns([57, 51], gap="medium")
    first, more = view.once("words", lambda: region_words(view), known_beside(view) is not None)
    with left:
        below = say_above(first)
        draw_regions(view)
    with right:
        draw_matrix(view)
        st.divider()
        draw_inspector(view)
    with left:
        said(below, more)
        draw_params(view)
        draw_plane_choice(view)
        for note in view.trained.notes:
            caption(note)


def draw_regions(view: View) -> None:
    """Mount the canvas."""
    picked = _picked(view)
    frames: Frames | None = None if view.playing is None else view.playing.result
    region_view(
        view.once("regions", lambda: _packed(view, picked, frames), picked, frames is not None, drawable()),
        key=REGIONS,
        on_pick=_on_pick,
        on_decoder=_on_decoder,
        on_frames=ask_for_frames,
        on_drawn=_on_drawn,
    )
    look = Look(view.decoder, picked=_place_of(view))
    regions, points = view.picture.regions, view.picture.points
    save_plane(regions, points, look, titles=view.titles, classes=view.trained.classes, key=REGIONS)
    if view.playing is not None:
        draw_panel(FRAMES, view.playing, stopped="the bits are not played")
    problem = st.session_state.pop(UNDRAWN, None)
    if problem:
        error(problem)


def _place_of(view: View) -> tuple[float, float] | None:
    """Return where the picked point or place is."""
    if view.pick < 0:
        return view.place
    x, y = view.picture.points.coordinates[view.pick].tolist()
    return x, y


def _packed(view: View, picked: Picked, frames: Frames | None) -> bytes:
    trained, picture = view.trained, view.picture
    return pack_regions(
        picture.regions,
        picture.points,
        classes=trained.classes,
        code_matrix=trained.code_matrix,
        deciders=deciders(view.session.scenario, picture.regions.decodings),
        decoder=view.decoder,
        picked=picked,
        playable=playable(trained, picture),
        frames=frames,
        alt=words.alt_text(picture, trained.classes),
        n_brushes=MAX_BRUSHES if drawable() else 0,
        most_drawn=MAX_DRAWN,
    )


def drawable() -> bool:
    """Say whether data may be drawn by hand here."""
    return state.is_offered("data")


def region_words(view: View) -> tuple[str, str]:
    """Return the error sentence and what else is to be said under the picture."""
    n_drawn = min(len(view.picture.points.truth), MAX_POINTS)
    first, more = words.region_sentences(
        view.picture, view.titles, view.decoder, n_drawn, errors_beside(view)
    )
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
    if told(REGIONS, "pick") is None or not STAGE.shows(state.current().scenario):
        return
    pick = record(told(REGIONS, "pick"))
    if pick.get("place") is None:
        point = whole(pick.get("point"))
        state.select(pick=point, place="", flips="")
        now: tuple[int, Any] = (point, None)
    else:
        place = items(pick["place"], most=2, n=2)
        state.select(pick=-1, place=",".join(f"{decimal(v):.6g}" for v in place), flips="")
        now = (-1, state.place_of(state.current().selection))
    sent, _ = st.session_state.get(KNOWN, (Picked(0), None))
    st.session_state[KNOWN] = (sent, now)


def _on_decoder() -> None:
    session = state.current()
    if told(REGIONS, "decoder") is not None and STAGE.shows(session.scenario):
        key = among(told(REGIONS, "decoder"), DECODINGS)
        if not compared(session.selection):
            # The decoders on the screen stay there when another of them is chosen.
            state.select(
                compare=".".join(choice.key for choice in shown_decoders(session.scenario, session.selection))
            )
        state.set_slot("decoding", key)


def _on_drawn() -> None:
    session = state.current()
    try:
        frame = read_points(told(REGIONS, "drawn"))
        state.adopt(session, drawn_scenario(session.scenario, frame, viewer_name()))
    except ValueError as error:
        st.session_state[UNDRAWN] = str(error)


def draw_plane_choice(view: View) -> None:
    """Let the user choose the plane of a problem with more than two features."""
    names, shown = told_apart(view.trained.shown.prepared.feature_names), view.picture.plane.key
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
        format_func=lambda key: plain(label(key)),
        on_change=bound.on_change(lambda key: state.select(plane=key, place="")),
    )


# The matrix ----------------------------------------------------------------------------------------


def draw_matrix(view: View) -> None:
    """Mount the grid, with what the picked point makes of it, and say what the code can do."""
    draft, classes, code_matrix = view.session.draft, view.trained.classes, view.trained.code_matrix
    idle = why_unused("coding", REDUCTIONS[view.session.scenario.reduction.key])
    if idle:
        caption(idle)
        return
    every = np.arange(len(classes))
    rows = rows_of(view.trained.shown, code_matrix.shape[0])
    marks = _marks(view, rows)
    if draft is not None:
        code_matrix, rows, marks = read_rows(draft[0], len(classes)), every, None
    names = part_names(classes, rows)
    code_grid(
        code_matrix,
        names,
        rows=rows.tolist(),
        key=GRID,
        marks=marks,
        draft=draft is not None,
        editable=np.array_equal(rows, every) and state.is_offered("coding"),
        on_edit=partial(_on_edit, len(rows)),
    )
    kinds = Rows(tuple(rows.tolist()), tuple(names), {}, {})
    save_code(code_matrix, kinds, marks, title="Code matrix", key=GRID)
    if draft is not None:
        said(draft[1], "The regions still show the last code that could be trained.")
        return
    said("", view.once("code", lambda: words.code_sentence(code_report(code_matrix))))


def _marks(view: View, rows: IntArray) -> Marks | None:
    """Return what the picked point makes of the code with rows of these classes, (n_rows,).

    None where it has no bit for every column.
    """
    inspection = view.inspection
    if inspection is None or len(inspection.scores) != view.trained.code_matrix.shape[1]:
        return None
    verdict = inspection.verdicts[view.decoder]
    costs = verdict.row_costs if np.array_equal(rows, inspection.rows) else verdict.costs[rows]
    best = np.where(rows == verdict.winner, costs, np.inf).argmin()
    return Marks(
        tuple(inspection.seen(view.decoder).tolist()),
        tuple(map(number, costs.tolist())),
        int(best),
        verdict.entry.title,
        positions(inspection.wrong(view.decoder)),
        verdict.tipping or (),
        _steps(view, rows, inspection),
    )


def _steps(
    view: View, rows: IntArray, inspection: Inspection
) -> tuple[tuple[int, tuple[str, ...], int], ...]:
    """Return number of bits, costs and winning row of every step that is played."""
    if not np.array_equal(rows, inspection.rows):
        return ()
    found = []
    for length, costs, winner in view.steps:
        best = np.where(rows == winner, costs, np.inf).argmin()
        found.append((length, tuple(map(number, costs.tolist())), int(best)))
    return tuple(found)


def _on_edit(n_rows: int) -> None:
    if STAGE.shows(state.current().scenario):
        adopt_grid(told(GRID, "matrix"), n_rows)


# The picked point ----------------------------------------------------------------------------------


def draw_inspector(view: View) -> None:
    """Mount the inspector of the picked point."""
    inspection = view.inspection
    if inspection is None:
        caption(f"{view.titles[0]} decides without a decoder, so there are no bits to look into here.")
        return
    inspector(
        view.once(
            "point",
            lambda: _point(view, inspection),
            *(view.pick, view.place, view.session.selection[FLIPS], len(view.steps)),
        ),
        key=INSPECTOR,
        on_flips=_on_flips,
        on_next=_on_next,
    )
    _save_point(view, inspection)
    if inspection.note is not None:
        caption(inspection.note)


def _point(view: View, inspection: Inspection) -> dict[str, Any]:
    classes, wrong = view.trained.classes, view.picture.next_wrong(view.decoder, -1)
    return inspector_data(
        inspection,
        view.decoder,
        classes,
        title=words.point_title(inspection, view.decoder, classes, view.pick, view.place),
        steps=tuple(
            (length, words.step_sentence(inspection, view.decoder, classes, length, winner))
            for length, _, winner in view.steps
        ),
        of=_name_of(view.session),
        next_text="" if wrong is None else "Next wrong point",
    )


def _save_point(view: View, inspection: Inspection) -> None:
    """Offer to save what the machines say of the picked point, or what the decoders decide."""
    if presenting():
        return
    classes, decoder = view.trained.classes, view.decoder
    title = words.point_title(inspection, decoder, classes, view.pick, view.place)
    offer_saving(
        {
            "What the machines say": lambda theme, _width: bits_figure(
                inspection, decoder, title=title, theme=theme
            ),
            "What the decoders decide": lambda theme, width: verdicts_figure(
                inspection, decoder, classes, title=title, width=width, theme=theme
            ),
        },
        INSPECTOR,
        file_name(INSPECTOR),
        tables={
            "the bits": partial(bits_table, inspection, decoder),
            "the decoders": partial(verdicts_table, inspection, classes),
        },
        texts=lambda: [title, classes],
    )


def _name_of(session: state.Session) -> str:
    return f"{session.selection[PICK]}|{session.selection[PLACE]}"


def _on_flips() -> None:
    session = state.current()
    if told(INSPECTOR, "flips") is None or not STAGE.shows(session.scenario):
        return
    event = record(told(INSPECTOR, "flips"))
    if event.get("of") == _name_of(session):
        bits = [whole(b, high=MAX_BITS) for b in items(event.get("bits"), most=MOST_FLIPS)]
        state.select(flips=".".join(map(str, bits)))


def _on_next() -> None:
    scene = STAGE.look(state.current())
    view = scene.view
    if view is None or scene.awaited is not None:
        return
    wrong = view.picture.next_wrong(view.decoder, view.pick)
    if wrong is not None:
        state.select(pick=wrong, place="", flips="")


def show() -> None:
    """Draw the page."""
    early = partial(draw_early, regions=REGIONS, grid=GRID)
    show_page(NAME, "Playground", Section(NAME, look, draw, early, keeps))
