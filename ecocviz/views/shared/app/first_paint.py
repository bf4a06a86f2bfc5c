"""Our style sheet in the page that a browser gets first: what comes later moves nothing, and brings no style.

Streamlit's own page knows nothing of ours until the first run of a script: its column would be narrow, its
header empty and the sidebar missing, and all would jump when they come.
"""

import gzip
import threading
from collections.abc import Iterator
from functools import lru_cache
from http import HTTPStatus

from ecocviz.serving.asgi import Application, Message, Receive, Scope, Send, header
from ecocviz.views.shared.app.components.joining import source
from ecocviz.views.shared.draw.glossary import glossary_css

STREAMLITS_TITLE, TITLE = b"<title>Streamlit</title>", b"<title>ecocviz</title>"
ROOT = b'<div id="root">'
"""Our sheet stands before it: it counts more than what is written into the head, less than what runs send."""
PRESENTING = b"present=1"
STALE = frozenset({b"content-length", b"etag", b"last-modified", b"accept-ranges", b"vary"})
"""What a changed page no longer has of the file it was made from."""
SCRIPTS = ("frame.js", "greyed.js", "listed.js")
"""What runs in the page around our components."""
ENCODINGS = b"accept-encoding"
CONDITIONS = (b"if-none-match", b"if-modified-since", b"range", b"if-range")

_INSTALLED = threading.Event()


def sheet(*more: str) -> str:
    """Return the style sheet that a run of a page sends: what the first page did not bring, and `more`."""
    return ("" if _INSTALLED.is_set() else _standing()) + source(*more)


def _standing() -> str:
    return source("frame.css") + glossary_css()


def opening_style(*, presenting: bool) -> bytes:
    """Return the style sheet in the first page; a presented page keeps no room for a sidebar."""
    css = "" if presenting else source("first_paint.css")
    return f"<style>{_standing()}{css}</style>".encode()


class FirstPaint:
    """ASGI middleware that puts the sheet into Streamlit's page."""

    def __init__(self, app: Application) -> None:
        self._app = app
        _INSTALLED.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; hold a page back until it is whole, and send it with the sheet."""
        if not asks_for_page(scope):
            await self._app(scope, receive, send)
            return
        zipped = b"gzip" in (header(scope, ENCODINGS) or b"")
        presenting = PRESENTING in scope["query_string"]
        start: Message | None = None
        body = b""

        async def styled(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and is_page(message):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body", False):
                    page = with_style(body, presenting=presenting, zipped=zipped)
                    await send({**start, "headers": [*about(start, len(page), zipped=zipped)]})
                    await send({"type": "http.response.body", "body": page})

        plain = [pair for pair in scope["headers"] if pair[0] not in {ENCODINGS, *CONDITIONS}]
        await self._app({**scope, "headers": plain}, receive, styled)


def asks_for_page(scope: Scope) -> bool:
    """Say whether a browser asks for something to show in its window."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and b"text/html" in (header(scope, b"accept") or b"")
    )


def is_page(start: Message) -> bool:
    """Say whether an answer is a page as it stands in its file."""
    told = dict(start["headers"])
    whole: bool = start["status"] == HTTPStatus.OK
    return whole and told.get(b"content-type", b"").startswith(b"text/html")


def about(start: Message, length: int, *, zipped: bool) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers of a page that was changed."""
    yield from (pair for pair in start["headers"] if pair[0] not in STALE)
    yield b"content-length", str(length).encode()
    yield b"vary", b"Accept-Encoding"
    if zipped:
        yield b"content-encoding", b"gzip"


@lru_cache(maxsize=16)
def with_style(page: bytes, *, presenting: bool, zipped: bool) -> bytes:
    """Return a page with our title, and with the sheet."""
    before, root, after = page.partition(ROOT)
    if root:
        style = opening_style(presenting=presenting)
        page = before.replace(STREAMLITS_TITLE, TITLE) + style + root + after
    return gzip.compress(page, 6, mtime=0) if zipped else page
