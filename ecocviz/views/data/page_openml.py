"""A set of OpenML: fetched when the visitor asks for it here, never because a link names it."""

import streamlit as st

from ecocviz.data.openml import OPENML, fetch, is_kept
from ecocviz.data.policy import current_policy
from ecocviz.lab.first_screen import own_start
from ecocviz.lab.report import Report, Snapshot
from ecocviz.lab.run import load
from ecocviz.lab.scenario import Scenario
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.job_panel import leave, watch
from ecocviz.views.shared.app.said import caption, error, info
from ecocviz.views.shared.draw.outside import plain

PLACE, ASKED, PROBLEM = "data.fetch", "data.fetch.asked", "data.fetch.problem"


def number_of(scenario: Scenario) -> int | None:
    """Return the number of the OpenML set that a scenario is on and that is not kept, if it is."""
    if scenario.data.key != OPENML.key:
        return None
    number = int(scenario.data.values["data_id"])
    return None if is_kept(number) else number


def draw_openml(session: state.Session) -> None:
    """Offer to fetch the set, and say that nothing is asked before."""
    number = number_of(session.scenario)
    if number is None or st.session_state.get(ASKED) == number:
        return
    asked, problem = st.session_state.get(PROBLEM, (None, ""))
    if asked == number:
        error(problem)
    if not current_policy().openml:
        info(
            f"The OpenML set {number} is not on this server, which fetches no sets; choose another data set."
        )
        return
    with st.container(horizontal=True, vertical_alignment="center", key="fetch-openml"):
        st.button(
            plain(f"Fetch set {number} from OpenML"), key=PLACE, icon=":material/download:",
            on_click=_ask, args=(number,),
        )  # fmt: skip
        caption("It is not on this computer yet. The app asks OpenML for it only when you press the button.")


def _ask(number: int) -> None:
    st.session_state[ASKED] = number
    st.session_state.pop(PROBLEM, None)


def fetched(scenario: Scenario) -> Snapshot | None:
    """Return the job that fetches the set, if the visitor has asked for it."""
    number = number_of(scenario)
    if number is None or st.session_state.get(ASKED) != number:
        leave(PLACE)
        return None
    wanted = number

    def work(report: Report) -> None:
        fetch(wanted, report)

    snapshot = watch(PLACE, (PLACE, number), work, cache.views())
    if snapshot.state.over:
        _end(number, snapshot.error)
    return snapshot


def _end(number: int, problem: str | None) -> None:
    """Have all drawn anew: with the set, or with the sentence that says why it is not there."""
    cache.views().forget((PLACE, number))
    del st.session_state[ASKED]
    leave(PLACE)
    if problem is not None:
        st.session_state[PROBLEM] = (number, problem)
    else:
        session = state.current()
        state.switch(session, own_start(session.scenario, len(load(session.scenario).classes)))
    st.rerun()
