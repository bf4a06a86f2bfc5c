"""Text on a page: small headings, and sentences with what matters first."""

from html import escape

import streamlit as st


def title(text: str, more: str = "") -> None:
    """Write a small heading with an explanation under it."""
    explained = f'<div class="eco-words"><span>{escape(more)}</span></div>' if more else ""
    st.html(f'<div class="eco-title">{escape(text)}</div>{explained}')


def said(strong: str, rest: str = "") -> None:
    """Write a sentence; `strong` is the finding."""
    st.html(sentence(strong, rest))


def sentence(strong: str, rest: str = "") -> str:
    """Return a sentence as HTML.

    >>> sentence("a < b", "so it is")
    '<div class="eco-words"><b>a &lt; b</b> <span>so it is</span></div>'
    """
    parts = [f"<b>{escape(strong)}</b>"] if strong else []
    parts += [f"<span>{escape(rest)}</span>"] if rest else []
    return f'<div class="eco-words">{" ".join(parts)}</div>'
