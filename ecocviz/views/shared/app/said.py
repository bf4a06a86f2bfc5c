"""Text on a page. All that is said there, but for words that stand in the code, is said through here.

So whatever a text quotes is shown letter by letter: see `draw.outside`. In sentences the words of the subject
are marked, and explained where somebody points at them: see `draw.glossary`.
"""

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ecocviz.views.shared.draw.glossary import marked
from ecocviz.views.shared.draw.outside import Shown, literal

Width = Literal["stretch", "content"]


def caption(text: str, *, width: Width = "stretch") -> None:
    """Write a small remark."""
    st.caption(literal(text), width=width)


def info(text: str) -> None:
    """Say what is to be known before anything else."""
    st.info(literal(text))


def warning(text: str) -> None:
    """Say what is not as it was asked for."""
    st.warning(literal(text))


def error(text: str) -> None:
    """Say what could not be done, and what to do."""
    st.error(literal(text))


def toast(text: str) -> None:
    """Say something that goes away by itself."""
    st.toast(literal(text))


def progress(share: float, text: str) -> DeltaGenerator:
    """Draw how far something is."""
    return st.progress(share, text=literal(text), width="stretch")


def markup(*parts: Shown, width: Width = "stretch") -> None:
    """Write HTML of ours; a part that is no markup by its type is shown as text."""
    st.html("".join(map(literal, parts)), width=width)


def style(css: str, script: str = "") -> None:
    """Put a style sheet of ours into the page, and what it runs once a page; neither takes any room."""
    if not script:
        st.html(f"<style>{css}</style>")
        return
    with st.container(key="unseen"):
        st.html(f"<style>{css}</style><script>{script}</script>", unsafe_allow_javascript=True)


def title(text: str, more: str = "") -> None:
    """Write a small heading with an explanation under it."""
    explained = f'<div class="eco-words"><span>{marked(more)[0]}</span></div>' if more else ""
    st.html(f'<div class="eco-title">{literal(text)}</div>{explained}')


def said(strong: str, rest: str = "") -> None:
    """Write a sentence; `strong` is the finding."""
    st.html(sentence(strong, rest))


def sentence(strong: str, rest: str = "") -> Shown:
    """Return a sentence as HTML.

    >>> sentence("a < b", "so it is")
    '<div class="eco-words"><b>a &#60; b</b> <span>so it is</span></div>'
    """
    first, second = marked(strong, rest)
    parts = [f"<b>{first}</b>"] if strong else []
    parts += [f"<span>{second}</span>"] if rest else []
    return Shown(f'<div class="eco-words">{" ".join(parts)}</div>')
