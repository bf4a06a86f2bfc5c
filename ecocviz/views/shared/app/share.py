"""Share: the link to this screen at an address that the room can reach, and its QR code."""

import streamlit as st

from ecocviz.data.policy import current_policy
from ecocviz.lab.selection import hidden_parts
from ecocviz.serving.reach import Place, Probes, listening, own_addresses, places, sentence
from ecocviz.views.shared.app import scenes, state
from ecocviz.views.shared.app.components.pulse import pulse
from ecocviz.views.shared.app.hiding import HIDEABLE
from ecocviz.views.shared.app.opened import open_dialog
from ecocviz.views.shared.app.qr import draw_code_of
from ecocviz.views.shared.app.said import caption
from ecocviz.views.shared.draw.outside import plain

PLACE, LOOKS = "ecocviz.place", "share.looks"
LOOK_SECONDS = 0.5

_PROBES = Probes()


def draw(session: state.Session, path: str) -> None:
    """Draw what Share holds."""
    _link(path)
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Present", key="share.present", on_click=state.select, kwargs={"present": "1"},
            help="Large type, and a small bar in place of the sidebar. The key P does the same.",
        )  # fmt: skip
        st.button("QR code full screen", key="share.code", on_click=open_dialog, args=("code",))
    scenes.draw_in_share(session, path)
    _hiding(session)


@st.fragment
def _link(path: str) -> None:
    """Draw the link; this part alone is drawn again while an address is being asked."""
    listed = _places()
    place = _chosen(listed)
    if len(listed) > 1:
        st.session_state["share.place"] = place.root
        st.selectbox(
            "Address", [one.root for one in listed], key="share.place", on_change=_choose,
            format_func=lambda root: plain(root.partition("://")[2]),
        )  # fmt: skip
    found = None if place.asked is None else _PROBES.look(*place.asked)
    link = link_at(place, path)
    caption(sentence(place, found))
    st.code(link, language=None, wrap_lines=True)
    draw_code_of(link)
    if place.asked is not None and found is None:
        st.session_state[LOOKS] = looks = st.session_state.get(LOOKS, 0) + 1
        pulse(LOOK_SECONDS, looks, key="pulse.share", on_tick=lambda: None)


def _places() -> tuple[Place, ...]:
    """Return where this app can be opened; what a shared server knows of itself is not told to strangers."""
    port = int(st.get_option("server.port"))
    own = () if current_policy().shared else own_addresses()
    return places(state.root_of(st.context.url), listening(st.get_option("server.address"), port), own)


def _choose() -> None:
    st.session_state[PLACE] = st.session_state["share.place"]


def _chosen(listed: tuple[Place, ...]) -> Place:
    """Return the address that was chosen, else the first."""
    return next((one for one in listed if one.root == st.session_state.get(PLACE)), listed[0])


def root_now() -> str:
    """Return the beginning of links at the address that was chosen."""
    return _chosen(_places()).root


def link_at(place: Place, path: str) -> str:
    """Return the link to this screen at an address."""
    return state.share_link(state.current(), path, place.root)


def draw_code(path: str) -> None:
    """Draw the QR code as large as the screen lets it be, and the address in letters."""
    place = _chosen(_places())
    link = link_at(place, path)
    with st.container(key="room"):
        draw_code_of(link)
        with st.container(key="room.host"):
            st.text(plain(place.host), width="stretch")
        with st.container(key="room.rest"):
            st.text(plain(link.removeprefix(place.root)), width="stretch")
        if place.local:
            caption(sentence(place, found=None))


def _hiding(session: state.Session) -> None:
    """Let the user choose what the link hides."""
    hidden = hidden_parts(session.selection)
    st.session_state["share.hide"] = [name for name in HIDEABLE if name in hidden]
    st.multiselect(
        "Hidden on this screen", list(HIDEABLE), key="share.hide",
        on_change=lambda: state.select(hide=".".join(st.session_state["share.hide"])),
        format_func=lambda name: plain(HIDEABLE[name].label),
        help="The link hides it too. Useful for a question whose answer is in the next scene.",
    )  # fmt: skip
