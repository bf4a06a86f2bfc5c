"""Puts the app's style sheet into Streamlit's own page: what comes later finds its place, and nothing jumps.

A style that arrives with the first elements arrives after some of them are drawn in Streamlit's own measures.
"""

from functools import cache

from ecocviz.serving.asgi import Application, Message, Receive, Scope, Send, header
from ecocviz.views.shared.app.components.joining import source
from ecocviz.views.shared.draw.glossary import glossary_css

END = b"</body>"
"""The style stands behind all that Streamlit adds to the head, and so counts more."""
LARGEST = 100_000
"""Bytes; Streamlit's page has 8,000."""
NOT_ASKED = (b"if-none-match", b"if-modified-since", b"accept-encoding", b"range")
DROPPED = (b"content-length", b"etag", b"last-modified", b"accept-ranges")


class Dressed:
    """ASGI middleware that adds the style to the page that all addresses of the app are answered with."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, with the style in its page."""
        wanted = scope["type"] == "http" and scope["method"] == "GET"
        if not wanted or b"text/html" not in (header(scope, b"accept") or b""):
            await self._app(scope, receive, send)
            return
        # The whole page, as it is: one that the browser keeps is another, and a packed one cannot be dressed.
        asked = [(name, value) for name, value in scope["headers"] if name not in NOT_ASKED]
        await self._app({**scope, "headers": asked}, receive, _Answer(send).take)


class _Answer:
    """One answer: passed on as it comes, but for a page, which is collected and dressed."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def take(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
            return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if not message.get("more_body", False):
            await self._finish(self._start)

    async def _finish(self, start: Message) -> None:
        whole = _dressed(self._body)
        kept = [(name, value) for name, value in start["headers"] if name not in DROPPED]
        told = [*kept, (b"content-length", str(len(whole)).encode())]
        await self._send({**start, "headers": told})
        await self._send({"type": "http.response.body", "body": whole})


def _is_page(start: Message) -> bool:
    told = dict(start["headers"])
    html = told.get(b"content-type", b"").startswith(b"text/html")
    length = told.get(b"content-length", b"0")
    return bool(start["status"] == 200 and html and length.isdigit() and int(length) <= LARGEST)


def _dressed(page: bytes) -> bytes:
    before, end, after = page.rpartition(END)
    return before + _style() + end + after if end else page


@cache
def _style() -> bytes:
    return f"<style>{source('first.css', 'frame.css')}{glossary_css()}</style>".encode()
