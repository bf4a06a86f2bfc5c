"""What is special to the reduction that is picked on the Reductions page."""

from functools import partial
from html import escape

import streamlit as st

from ecocviz.lab.catalogue import REDUCTIONS, unused
from ecocviz.lab.scenario import Scenario
from ecocviz.views.reductions import words as says
from ecocviz.views.reductions.figures_exhibits import exhibit_alt, exhibit_figure, exhibit_table
from ecocviz.views.reductions.page import PLACE, View
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now


def draw_details(view: View) -> None:
    """Show what the picked reduction has that others have not, and offer to use it."""
    entrant = view.shown
    if entrant is None:
        title = next(entrant.title for entrant in view.compared if entrant.key == view.picked)
        st.caption(f"{title} is not trained yet." if view.busy else f"{title} was not trained.")
        return
    standing = view.standings[entrant.key]
    with st.container(horizontal=True, vertical_alignment="center", key=f"{PLACE}.picked"):
        st.html(f'<div class="eco-words eco-title">{escape(entrant.title)}</div>', width="stretch")
        own = entrant.key == view.own
        st.button(
            "The scenario's own" if own else "Use in the scenario",
            key="reductions.use",
            disabled=own,
            on_click=_use,
            args=(entrant.scenario,),
        )
    idle = unused("decoding", REDUCTIONS[entrant.scenario.reduction.key])
    said = [entrant.summary, "It decides by itself, without a decoder." if idle else ""]
    if standing.unconverged[0]:
        said.append(says.unconverged_sentence(*standing.unconverged))
    if not standing.exhibits:
        said.append("It has nothing more to show than its decisions.")
    st.html(f'<div class="eco-words"><span>{escape(" ".join(filter(None, said)))}</span></div>')
    draw_exhibits(view, entrant.key)


def _use(scenario: Scenario) -> None:
    state.adopt(state.session(), scenario)
    state.select(entrant="")


def draw_exhibits(view: View, key: str) -> None:
    """Draw the exhibits of a judged reduction, two beside each other, each with its sentence and its data."""
    shown = view.standings[key].exhibits
    for first in range(0, len(shown), 2):
        places = st.columns(min(2, len(shown)), gap="medium")
        for k, exhibit in enumerate(shown[first : first + 2]):
            with places[k]:
                name = f"reductions.{key}.{first + k}"
                st.html(f'<div class="eco-words eco-title">{escape(exhibit.title)}</div>')
                chart(exhibit_figure(exhibit, theme_now()), key=name, alt=exhibit_alt(exhibit))
                if exhibit.said:
                    st.html(f'<div class="eco-words"><span>{escape(exhibit.said)}</span></div>')
                csv_button("Data as CSV", partial(exhibit_table, exhibit), key=f"{name}.csv")
