"""What the Playground shows before its machines are trained: the points, the code and what it promises."""

import numpy as np
import streamlit as st

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import CODINGS
from ecocviz.lab.catalogue import REDUCTIONS, why_unused
from ecocviz.lab.choices import deciders
from ecocviz.lab.run import fixed_code
from ecocviz.lab.selection import PLANE
from ecocviz.views.playground import words
from ecocviz.views.playground.facts import Early, make_early
from ecocviz.views.playground.page_strip import keep_room
from ecocviz.views.playground.page_view import NAME, say_above
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.at_hand import table_at_hand
from ecocviz.views.shared.app.components.code_grid import code_grid
from ecocviz.views.shared.app.components.region_view import MAX_POINTS, Picked, pack_regions, region_view
from ecocviz.views.shared.app.said import caption, said
from ecocviz.views.shared.app.saving_pictures import save_code, save_plane
from ecocviz.views.shared.app.stage import Awaited
from ecocviz.views.shared.draw.code_picture import Rows
from ecocviz.views.shared.draw.plane import Look

MOST_EARLY = 20_000
"""Points; preparing more of them would take long itself."""


def draw_early(session: state.Session, awaited: Awaited | None, regions: str, grid: str) -> None:
    """Draw the points and the code where the regions and the code would be.

    Data that come from outside, and were not read before, are read by the job that trains.

    Parameters
    ----------
    awaited
        The training; None where there will be none, because it is impossible or has failed.
    regions, grid
        Keys of the components.
    """
    table = table_at_hand(session.scenario)
    if table is None or table.labels.size > MOST_EARLY:
        return
    plane_name = session.selection[PLANE]
    key = cache.data_key(session.scenario, "preparation", "split"), plane_name
    early = cache.remember(f"{NAME}.early", key, lambda: make_early(session.scenario, table, plane_name))
    if awaited is not None:
        keep_room(session)
    with st.container(key="split"):
        left, right = st.columns([57, 51], gap="medium")
    first, more = words.early_sentences(awaited is not None and not awaited.snapshot.state.over)
    with left:
        below = say_above(first)
        payload = cache.remember(
            f"{NAME}.early.packed", (key, session.scenario), lambda: _packed(session, early)
        )
        region_view(
            payload, key=regions, on_pick=_ignore, on_decoder=_ignore, on_frames=_ignore, on_drawn=_ignore
        )
        save_plane(
            early.regions, early.points, Look(undecided=True), titles=(), classes=early.classes, key=regions
        )
        said(below, more)
    with right:
        _draw_code(session, early, grid, possible=awaited is not None)


def _ignore() -> None:
    """Do nothing: there is nothing yet to be picked or changed."""


def _packed(session: state.Session, early: Early) -> bytes:
    n_drawn = min(len(early.points.truth), MAX_POINTS)
    return pack_regions(
        early.regions,
        early.points,
        classes=early.classes,
        code_matrix=np.zeros((len(early.classes), 0), np.int8),
        deciders=deciders(session.scenario, early.regions.decodings),
        decoder=0,
        picked=Picked(0),
        playable=False,
        bare=True,
        alt=words.early_alt_text(early.plane_names, early.classes, n_drawn),
    )


def _draw_code(session: state.Session, early: Early, grid: str, *, possible: bool) -> None:
    scenario = session.scenario
    idle = why_unused("coding", REDUCTIONS[scenario.reduction.key])
    if idle:
        caption(idle)
        return
    code_matrix = fixed_code(scenario, len(early.classes))
    if code_matrix is None:
        if possible:
            caption(f"{CODINGS[scenario.coding.key].title} builds its code during training.")
        return
    code_grid(code_matrix, early.classes, key=grid, editable=False, on_edit=_ignore)
    kinds = Rows(tuple(range(len(early.classes))), tuple(early.classes), {}, {})
    save_code(code_matrix, kinds, None, title="Code matrix", key=grid)
    said("", words.code_sentence(code_report(code_matrix)))
