"""How a learned code was found, on the Code matrix page."""

from typing import Any

import streamlit as st

from ecocviz.engine.entries import Design
from ecocviz.views.code_matrix import words as says
from ecocviz.views.code_matrix.facts import Code
from ecocviz.views.code_matrix.figures_story import (
    confusion_driver_figure,
    line_figure,
    line_steps,
    side_text,
    story_table,
    tree_figure,
)
from ecocviz.views.shared.app import state
from ecocviz.views.shared.app.charts import chart, csv_button, theme_now
from ecocviz.views.shared.app.said import said, title

PLACE = "code.story"


def draw_story(code: Code | None, picked: int) -> None:
    """Show what the search saw; `picked` is a step of it, -1 for the last one that tells most."""
    design = None if code is None else code.design
    if code is None or design is None or not design.story:
        return
    st.divider()
    title("What the search saw")
    if design.kind == "tree":
        chart(
            tree_figure(design, code.names, theme_now()),
            key=f"{PLACE}.tree",
            alt=f"Tree of {len(design.story)} splits. {says.story_sentence(design, code.names)}",
        )
    else:
        _draw_line(code, design, picked)
    said("", says.story_sentence(design, code.names))
    csv_button("Search as CSV", lambda: story_table(design, code.names), key=f"{PLACE}.csv")


def _draw_line(code: Code, design: Design, picked: int) -> None:
    """Draw what the search weighed, and the step that is looked at."""
    steps = line_steps(design)
    step = picked if picked in steps else next((k for k in reversed(steps) if _tells(design, k)), steps[-1])
    with st.container(key="split-story"):
        left, right = st.columns([57, 51], gap="medium")

    def on_pick(point: dict[str, Any]) -> None:
        position = point.get("point_index")
        if isinstance(position, int) and 0 <= position < len(steps):
            state.select(step=steps[position])

    with left:
        chart(
            line_figure(design, step, theme_now()),
            key=f"{PLACE}.line",
            alt=says.story_sentence(design, code.names),
            on_pick=on_pick,
        )
    with right:
        _draw_step(code, design, step, steps)


def _tells(design: Design, k: int) -> bool:
    step = design.story[k]
    return step.table is not None or bool(step.plus)


def _draw_step(code: Code, design: Design, k: int, steps: list[int]) -> None:
    key = f"{PLACE}.step"
    st.session_state[key] = k

    def changed() -> None:
        state.select(step=st.session_state[key])

    st.selectbox(
        "Step", steps, key=key, format_func=lambda s: f"{s + 1}. {design.story[s].label}", on_change=changed
    )
    step = design.story[k]
    if step.plus or step.minus:
        said(
            "",
            f"The machine puts {side_text(step.plus, code.names, 8)} (+) against "
            f"{side_text(step.minus, code.names, 8)} (−).",
        )
    if step.table is None:
        return
    if design.kind == "additions":
        said("", "What the code confused before this step; the most confused two classes got a machine.")
    chart(
        confusion_driver_figure(step.table, code.names, step, theme_now()),
        key=f"{PLACE}.table",
        alt=f"The matrix that drove step {k + 1}: {step.label}.",
    )
