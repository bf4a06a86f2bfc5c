"""What every answer tells the browser: it may contact no host but this one, and nobody may look inside.

Streamlit's own answers are narrowed too. It lets pages of any port of this computer, and of its outer address
(which it asks another host for), open a websocket; here a page has to come from the host that it asks, or
from one of `server.corsAllowedOrigins`.
"""

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from streamlit import config, file_util

from ecocviz.serving.asgi import (
    Application,
    Headers,
    Message,
    Receive,
    Scope,
    Send,
    answer,
    from_here,
    header,
    refuse,
)
from ecocviz.serving.descriptors import may_open_more
from ecocviz.serving.door import asks_for_health
from ecocviz.serving.handed import embedding
from ecocviz.serving.hosts import Hosts, turn_away
from ecocviz.serving.reach import listening
from ecocviz.views.shared.app.components.joining import source
from ecocviz.views.shared.app.first_paint import SCRIPTS

HOST = re.compile(rb"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
CLOSED = ("/_stcore/metrics", "/_stcore/agent/", "/auth/", "/oauth2callback")
"""Begins of what Streamlit answers and nobody here asks: its numbers, a door for programs, accounts."""
NO_TEXT = 1003
"""The code of websockets for data of a kind that is not accepted."""
NOTHING = "There is nothing here."
NARROWED = b"access-control-"
"""Answers to other sites; who is allowed has its own."""

FEATURES = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "geolocation", "gyroscope",
    "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
ALWAYS: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # the address is the whole state of a screen
    (b"cross-origin-resource-policy", b"same-origin"),
]
OF_PAGES: Headers = [
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{feature}=()" for feature in FEATURES).encode()),
]


class Guards:
    """ASGI middleware that adds the headers, and refuses who asks for another host, and pages of other sites.

    Parameters
    ----------
    app
        What stands behind it.
    environ
        Names the sites that may show the app inside of themselves, and more hosts that it answers to.
    """

    def __init__(self, app: Application, environ: Mapping[str, str] = os.environ) -> None:
        self._app = app
        self._embedding = embedding(environ)
        own = config.get_option("server.address"), config.get_option("server.port")
        self._hosts = Hosts(listening(*own, environ)[0], environ)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with headers, or refuse."""
        if scope["type"] == "websocket":
            welcome = self._hosts.know(scope) and may_connect(scope)
            await (self._in_bytes(scope, receive, send) if welcome else refuse(send))
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": self._with_guards(scope, message["headers"])}
            await send(message)

        if not (asks_for_health(scope) or self._hosts.know(scope)):
            await turn_away(scope, guarded)
        elif scope["path"].startswith(CLOSED):
            await answer(guarded, 404, NOTHING)
        else:
            await self._app(scope, receive, guarded)

    async def _in_bytes(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a websocket on until somebody sends text: pages send bytes, and on text Streamlit fails."""
        over = False

        async def received() -> Message:
            nonlocal over
            message = await receive()
            if message["type"] == "websocket.receive" and message.get("bytes") is None:
                over = True
                await send({"type": "websocket.close", "code": NO_TEXT})
                message = {"type": "websocket.disconnect", "code": NO_TEXT}
            return message

        async def sent(message: Message) -> None:
            if not over:
                await send(message)

        await self._app(scope, received, sent)

    def _with_guards(self, scope: Scope, headers: Iterable[tuple[bytes, bytes]]) -> Headers:
        allowed = is_listed(header(scope, b"origin"))
        kept = [(name, value) for name, value in headers if allowed or not name.startswith(NARROWED)]
        told = dict(kept)
        added = list(ALWAYS)
        if told.get(b"content-type", b"").startswith((b"text/html", b"image/svg")):
            added += [*OF_PAGES, (b"content-security-policy", self._policy(header(scope, b"host") or b""))]
        return kept + [(name, value) for name, value in added if name not in told]

    def _policy(self, host: bytes) -> bytes:
        """Write the policy of a page; older browsers do not count a websocket of this host as this host's."""
        sockets = f" ws://{host.decode()} wss://{host.decode()}" if HOST.fullmatch(host) else ""
        return policy(sockets, self._embedding)


@cache
def _scripts() -> str:
    """Return the digests of the scripts that stand in pages: Streamlit's own page, and what frames ours."""
    index = Path(file_util.get_static_dir(), "index.html")
    found = INLINE_SCRIPT.findall(index.read_text("utf-8")) if index.is_file() else []
    return " ".join(digest(text) for text in [*found, source(*SCRIPTS)])


def digest(text: str) -> str:
    """Return how a policy names a script that stands in a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy(sockets: str = "", embedding: str = "'self'") -> bytes:
    """Write the policy: whence a page may load, what it may run, whom it may ask.

    Charts of many points compile the code that feeds their shaders ('unsafe-eval'; without it they say that
    there is no WebGL), Streamlit writes its styles into the page as it goes ('unsafe-inline'), and pictures
    are made in the browser (blob:, data:).
    """
    parts = (
        "default-src 'self'",
        f"script-src 'self' 'unsafe-eval' {_scripts()}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        f"connect-src 'self'{sockets}",
        "worker-src 'self' blob:",
        "media-src 'self' blob:",
        "frame-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        f"frame-ancestors {embedding}",
    )
    return "; ".join(parts).encode()


def may_connect(scope: Scope) -> bool:
    """Say whether a websocket comes from a page of this host or an allowed site, and has room here."""
    return (from_here(scope) or is_listed(header(scope, b"origin"))) and may_open_more()


def is_listed(origin: bytes | None) -> bool:
    """Say whether the operator has allowed a site to use this one."""
    listed = config.get_option("server.corsAllowedOrigins")
    return origin is not None and origin.decode("latin-1") in {site.strip() for site in listed}
