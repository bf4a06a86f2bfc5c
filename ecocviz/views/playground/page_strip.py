"""Three steps to begin with, above the regions: each does itself when clicked, and all can be put away."""

import numpy as np
import streamlit as st

from ecocviz.lab.choices import why_not_options
from ecocviz.lab.first_screen import first_scenario
from ecocviz.lab.regions import example_point
from ecocviz.lab.selection import PRESENT, hidden_parts
from ecocviz.views.playground.inspection import Inspection, inspect_picked
from ecocviz.views.playground.page_view import STAGE, View
from ecocviz.views.playground.words_strip import STEPS, strip_sentence
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.components.heard import record, told, whole
from ecocviz.views.shared.app.components.start_strip import start_strip
from ecocviz.views.shared.app.said import markup
from ecocviz.views.shared.draw.outside import Shown, plain

NEEDED = frozenset({"decoder", "matrix", "point", "words"})
"""What the steps choose, mark and say, by the names under which a link hides it."""
STRIP, DONE, AWAY = "playground.strip", "playground.strip.done", "playground.strip.away"


def is_away(session: state.Session) -> bool:
    """Say whether the steps were put away, or the link hides what they change or say, or presents."""
    hidden = NEEDED & hidden_parts(session.selection)
    return AWAY in st.session_state or session.selection[PRESENT] == "1" or bool(hidden)


def keep_room(session: state.Session) -> None:
    """Keep the place of the steps free, so that nothing moves when they come."""
    with st.container(key="strip"):
        if not is_away(session):
            markup(Shown('<div class="eco-room"></div>'))


def draw_strip(view: View) -> None:
    """Draw the steps, unless they are away."""
    inspection = view.inspection
    with st.container(key="strip"):
        if inspection is None or is_away(view.session):
            return
        done, classes = st.session_state.get(DONE, 0), view.trained.classes
        start_strip(
            STEPS,
            done=done,
            said=plain(strip_sentence(done, inspection, view.decoder, classes, _unflipped(view, inspection))),
            n_bits=len(inspection.scores),
            key=STRIP,
            on_step=_on_step,
        )


def _unflipped(view: View, inspection: Inspection) -> int:
    """Return the class that the decoder names without any flip."""
    plain = inspection if not inspection.flipped.any() else _inspected(view, frozenset())
    return plain.verdicts[view.decoder].winner


def _inspected(view: View, flips: frozenset[int]) -> Inspection:
    """Return the picked point with other flips; they are remembered as the page's own are."""
    found = view.once(
        "inspection",
        lambda: inspect_picked(view.trained.shown, view.picture, view.pick, view.place, flips),
        view.pick,
        view.place,
        flips,
    )
    assert found is not None  # noqa: S101 - a strip is drawn of points that can be looked into
    return found


def _on_step() -> None:
    asked = told(STRIP, "step")
    if asked is None:
        return
    step = whole(record(asked).get("step"), high=len(STEPS))
    if step == 0:
        st.session_state[AWAY] = True
        return
    view = STAGE.look(state.current()).view
    if view is None or view.inspection is None or not STAGE.shows(state.current().scenario):
        return
    st.session_state[DONE] = step
    if step == 2:
        _show_nearest(view)
    elif step == 3:
        _flip_one(view, view.inspection)


def _show_nearest(view: View) -> None:
    """Pick the point that shows most, and let rows be compared by a decoder that counts where they differ."""
    counting = first_scenario().decoding.key
    if counting not in why_not_options(view.session.scenario, "decoding"):
        state.set_slot("decoding", counting)
    pick = example_point(view.picture.points, view.picture.plane, view.decoder)
    keep = view.pick if view.pick >= 0 else pick
    state.select(pick=keep, place="", flips="")


def _flip_one(view: View, inspection: Inspection) -> None:
    """Flip one more bit of the picked point; put all back once the decision has changed."""
    verdict, flipped = inspection.verdicts[view.decoder], np.flatnonzero(inspection.flipped).tolist()
    if flipped and verdict.winner != _unflipped(view, inspection):
        state.select(flips="")
        return
    untouched = [b for b in range(len(inspection.scores)) if b not in flipped]
    leading = [b for b in verdict.tipping or () if b in untouched]
    # Without a shortest way the least sure machine errs first.
    weakest = sorted(untouched, key=lambda b: abs(inspection.scores[b]))
    chosen = (leading or weakest)[:1]
    state.select(flips=".".join(map(str, sorted([*flipped, *chosen]))))
