"""QR codes of links."""

import segno
import streamlit as st

from ecocviz.views.shared.app.said import caption
from ecocviz.views.shared.draw.theme import LIGHT

LONGEST_QR = 2_300
"""Characters that a QR code still holds so that a phone can read it from a screen."""


def draw_code_of(link: str) -> None:
    """Draw the QR code of a link, or say that it is too long for one."""
    if len(link) > LONGEST_QR:
        caption(f"A QR code holds about {LONGEST_QR:,} characters; this link has {len(link):,}.")
        return
    code = segno.make(link, error="l", micro=False)
    st.image(code.svg_inline(scale=4, border=3, light=LIGHT.surface), alt="QR code of the link")
