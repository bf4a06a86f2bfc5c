"""Methods over several data sets: the choice of what is compared, the diagram of ranks, the tables."""

from collections.abc import Iterator
from functools import partial

import streamlit as st

from ecocviz.lab.store import Store, open_store
from ecocviz.lab.store_looks import known_errors, totals
from ecocviz.views.runs import figures, words
from ecocviz.views.runs.facts import METHOD, METHODS, count_of
from ecocviz.views.runs.over_sets import MOST_METHODS, Measured, OverSets, compare_over_sets, method_names
from ecocviz.views.shared.app import cache, keeping, state
from ecocviz.views.shared.app.bound import bind
from ecocviz.views.shared.app.charts import chart, csv_button, html_table
from ecocviz.views.shared.app.components.heard import among
from ecocviz.views.shared.app.said import caption, markup, said, title
from ecocviz.views.shared.app.stage import Scene
from ecocviz.views.shared.draw.outside import Shown, literal
from ecocviz.views.shared.draw.ranks import margins, ranks_figure

SETS = "runs.sets"
MOST_COLUMNS, MOST_OFFERED = 6, 60
MOST_BESIDE = 260
"""Pixels that names may take where the diagram stands beside the pairs."""


def look_sets(session: state.Session) -> Scene[OverSets]:
    """Compare what is asked for over all runs that are kept; nothing where there are none."""
    if not totals(open_store(), keeping.seen_by_now()).n_runs:
        return Scene(None)
    return Scene(_found(session))


def found_now() -> OverSets:
    """Return the comparison on the screen."""
    return _found(state.current())


def _found(session: state.Session) -> OverSets:
    store, owner = open_store(), keeping.seen_by_now()
    slot, asked = session.selection[METHOD], session.selection[METHODS]
    return cache.remember_newest(
        SETS,
        (owner, slot, asked),
        totals(store, owner).stamp,
        lambda: compare_over_sets(_measured(store, owner), slot, asked),
    )


def _measured(store: Store, owner: str | None) -> Iterator[Measured]:
    """Go through all errors that are known."""
    for flat, record in known_errors(store, owner):
        test = count_of(record)
        if test is not None:
            yield Measured(flat, test)


# Drawing ---------------------------------------------------------------------------------------------


def draw_sets(found: OverSets) -> None:
    """Draw what is compared, the diagram beside the tables, and what was left out."""
    st.divider()
    title("Over several data sets")
    draw_settings(found)
    said(*words.sets_sentence(found))
    if found.ranking is None:
        caption(words.left_out_sentence(found)) if found.left_out else None
        return
    if sum(margins(figures.diagram_of(found))) > MOST_BESIDE:
        draw_diagram(found)
        draw_pairs(found)
    else:
        with st.container(key="split.sets"):
            left, right = st.columns([58, 50], gap="medium")
        with left:
            draw_diagram(found)
        with right:
            draw_pairs(found)
    draw_errors(found)


def draw_settings(found: OverSets) -> None:
    """Let the user choose what is compared."""
    slots = dict(METHOD.options)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="runs.sets.settings"):
        slot = bind("runs.method", found.slot)
        st.segmented_control(
            "Compared over data sets",
            list(slots),
            key=slot.key,
            format_func=lambda key: literal(slots[key]),
            on_change=slot.on_change(lambda key: state.select(method=key or found.slot, methods="")),
            label_visibility="collapsed",
        )
        if len(found.known) > 2:
            with st.popover(
                literal(f"{len(found.methods)} of {len(found.known)} {words.METHOD_NAMES[found.slot][1]}"),
                key="runs.methods.choice",
            ):
                _draw_methods(found)


def _draw_methods(found: OverSets) -> None:
    offered = found.known[:MOST_OFFERED]
    names = dict(zip((method.key for method in offered), method_names(offered, found.slot), strict=True))
    sets = {method.key: method.n_sets for method in offered}
    bound = bind("runs.methods", [method.key for method in found.methods if method.key in names])

    def choose(chosen: list[str]) -> None:
        keys = [among(key, names) for key in chosen][:MOST_METHODS]
        state.select(methods=".".join(keys))

    st.pills(
        "Compared",
        list(names),
        selection_mode="multi",
        key=bound.key,
        format_func=lambda key: literal(f"{names[key]} ({sets[key]})"),
        help="In brackets: data sets on which it was run beside another, with everything else equal.",
        on_change=bound.on_change(choose),
    )


def draw_diagram(found: OverSets) -> None:
    """Draw the ranks."""
    chart(partial(ranks_figure, figures.diagram_of(found)), key="runs.ranks", alt=words.ranks_alt(found))
    caption(
        "Average ranks; 1 is best. Methods under one thick bar cannot be told apart (Nemenyi, 5 %)."
        if found.tested
        else "Average ranks; 1 is best."
    )


def draw_pairs(found: OverSets) -> None:
    """Draw the best method against each other one."""
    said(f"{found.names[0]} against", words.pairs_sentence(found))
    head, rows = figures.pair_rows(found)
    markup(html_table(("", *head), rows, alt="The best method against each other one"))
    if found.tested:
        caption("p-values are corrected by Holm for all pairs of methods; the file has every pair.")
    csv_button("Pairs as CSV", partial(figures.pairs_table, found), key="runs.pairs.csv")


def draw_errors(found: OverSets) -> None:
    """Draw the errors behind the ranks, and say what was left out."""
    head = ("Data set", *found.names[:MOST_COLUMNS])
    table = html_table(head, figures.set_rows(found, MOST_COLUMNS), alt="Test error of each method")
    about = 'role="region" aria-label="Test error of each method" tabindex="0"'
    markup(Shown(f'<div class="eco-wrap" {about}>{table}</div>'))
    hidden = len(found.names) - MOST_COLUMNS
    more = (
        f"The table shows the {MOST_COLUMNS} with the best ranks; the file has all {len(found.names)}."
        if hidden > 0
        else ""
    )
    caption(f"Test error in %. {words.settings_sentence(found)} {more}".rstrip())
    left_out = words.left_out_sentence(found)
    if left_out:
        caption(left_out)
    csv_button("Errors as CSV", partial(figures.sets_table, found), key="runs.sets.csv")
