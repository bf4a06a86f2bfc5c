"""Room that is kept for what is still to come, so that nothing on a page moves when it is there."""

import re

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ecocviz.views.shared.app.said import markup, style
from ecocviz.views.shared.draw.outside import Shown

TEXT_UNDER_TILE = 3.33
"""Room that title and note of a small picture take, in sizes of the page's type."""

TILES = """
.st-key-{name} {{ display: grid !important; grid-template-columns: minmax(0, 1fr); min-width: 0; }}
.st-key-{name} > * {{ grid-area: 1 / 1; min-width: 0; }}
.st-key-{name} .eco-rows {{ visibility: hidden; padding: 2rem 0 6.93rem; display: grid; gap: 12px 10px;
  grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); }}
.st-key-{name} .eco-rows i {{ display: block; aspect-ratio: 1; margin-bottom: {under}rem; }}
"""
"""Unseen tiles in the grid of the small pictures, in the same place: whatever its width, they are as high.

Above and under them there is room for the legend, and for the sentence and the button."""


def keep(key: str, height: int) -> None:
    """Let what has this key be at least so many pixels high, also before it is there."""
    style(f".st-key-{css_name(key)} {{ min-height: {height}px; align-content: flex-start; }}")


def room(key: str, height: int) -> DeltaGenerator:
    """Return a container that is at least so many pixels high, also before anything is in it."""
    keep(key, height)
    return st.container(key=key)


def tiles_room(key: str, n: int) -> DeltaGenerator:
    """Return a container as high as `n` small pictures are, also before they are there."""
    style(TILES.format(name=css_name(key), under=TEXT_UNDER_TILE))
    outer = st.container(key=key)
    with outer:
        markup(Shown(f'<div class="eco-rows" aria-hidden="true">{"<i></i>" * n}</div>'))
    return outer.container(key=f"{key}.shown")


def css_name(key: str) -> str:
    """Return what Streamlit makes of a key in the name of a class.

    >>> css_name("decoders.table")
    'decoders-table'
    """
    return re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())
