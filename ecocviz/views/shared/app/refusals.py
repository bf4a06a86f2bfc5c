"""What cannot be chosen: the sentence that says why, and the nearest choices that can be."""

from collections.abc import Mapping

import streamlit as st

from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.instead import instead, put_instead, why_impossible
from ecocviz.lab.scenario import Scenario
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.at_hand import table_at_hand
from ecocviz.views.shared.app.said import error
from ecocviz.views.shared.draw.outside import literal


def refuse(reason: str, place: str) -> None:
    """Say why there is nothing to show; where the choices do not go together, offer some that do.

    Parameters
    ----------
    reason
        The sentence.
    place
        Where on which page: it names the buttons.
    """
    error(reason)
    scenario = state.current().scenario
    n_classes = _n_classes(scenario)
    if why_impossible(scenario, n_classes) != reason:
        return
    with st.container(horizontal=True, gap="small", key=f"{place}.instead"):
        for choices in instead(scenario, n_classes):
            if not all(map(state.is_offered, choices)):
                continue
            st.button(
                literal(button_text(choices)), key=f"{place}.instead.{'.'.join(choices)}",
                on_click=_take, args=(choices,),
            )  # fmt: skip


def button_text(choices: Mapping[str, str]) -> str:
    """Say what is offered.

    >>> button_text({"coding": "dense-random"})
    'Use Dense random instead'
    """
    return f"Use {' and '.join(SLOTS[slot][key].title for slot, key in choices.items())} instead"


def _n_classes(scenario: Scenario) -> int | None:
    """Count the classes of data that were read before, or whose reading has just been refused."""
    try:
        table = table_at_hand(scenario) or cache.table(scenario)
    except ValueError:
        return None
    return len(table.classes)


def _take(choices: Mapping[str, str]) -> None:
    session = state.current()
    state.adopt(session, put_instead(session.scenario, choices))
