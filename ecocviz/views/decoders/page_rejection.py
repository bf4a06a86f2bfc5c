"""Points left undecided: error against share, on the Decoders page."""

from functools import partial

import streamlit as st

from ecocviz.lab.trained import Trained
from ecocviz.views.decoders import words_rejection as words
from ecocviz.views.decoders.facts import REJECTED, Comparison
from ecocviz.views.decoders.figures_rejection import rejection_figure, rejection_table
from ecocviz.views.decoders.rejection import rejections
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button
from ecocviz.views.shared.app.said import said
from ecocviz.views.shared.draw.outside import literal


def draw_rejection(session: state.Session, trained: Trained, compared: Comparison) -> None:
    """Draw what is wrong among the points that are decided, while the most doubtful ones are not."""
    found = rejections(compared, trained.code_matrix)
    options = dict(REJECTED.options)
    said("If doubtful points are left undecided")
    bound = bind("decoders.rejected", session.selection[REJECTED])
    st.segmented_control(
        "Left undecided",
        list(options),
        key=bound.key,
        format_func=lambda key: literal(options[key]),
        on_change=bound.on_change(lambda key: state.select(rejected=key or session.selection[REJECTED])),
        width="content",
    )
    share = int(session.selection[REJECTED])
    option = None if compared.own is None else compared.own.outcome.decided
    own = compared.names[session.scenario.decoding.key]
    chosen = words.option_sentence(session.scenario, own, option)
    first, more = words.share_sentence(found, share), words.syndrome_sentence(found)
    with st.container(key="split-rejection"):
        left, right = st.columns([57, 51], gap="medium")
    with left:
        chart(
            partial(rejection_figure, found, share, option=option),
            key="decoders.rejection",
            alt=f"Error among the points that are decided, against the share that is not. {first}",
        )
    with right:
        said(first, more)
        said("", chosen)
        how = (
            "By margin, points go first whose two smallest costs differ least. By distance, those whose "
            "received word ties or differs from the nearest codeword in the most bits."
        )
        said("", how)
        csv_button("Undecided as CSV", lambda: rejection_table(found), key="decoders.rejection.csv")
