"""The files of every first visit, kept in memory and compressed once.

A new browser asks for some 70 files. Streamlit reads each of them from the disk for every visitor, in small
pieces, and sends it as it is. Here its own first answer is kept, compressed where that makes it shorter.
"""

import asyncio
import gzip
import re
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = re.compile(r"/static/[\w/-][\w./-]*$")
COMPONENT = re.compile(r"/_stcore/bidi-components/ecocviz\.\w+/\w+-[0-9a-f]{12}\.js$")
"""A file of ours, whose name says what is in it."""
FOREVER = b"public, immutable, max-age=31536000"
MAX_BYTES = 60_000_000
"""All of Streamlit's files are 25 MB, and 9 MB compressed."""
SMALLER = 0.9
"""What does not become this much shorter is sent as it is."""
OWN_ANSWER = frozenset({b"range", b"if-range", b"if-none-match", b"if-modified-since"})
"""A request with such a header is Streamlit's to answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent for a file."""

    headers: list[tuple[bytes, bytes]]
    body: bytes


class KeptFiles:
    """ASGI middleware that answers for files which never change; all else goes on to the app."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, Answer] = {}
        self._n_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if not asks_plainly(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        answer = self._kept.get(path)
        if answer is None:
            messages = await self._asked(scope)
            if not (never_changes(path, messages[0]) and is_whole(messages)):
                for message in messages:
                    await send(message)
                return
            answer = await asyncio.to_thread(shortened, messages)
            self._keep(path, answer)
        await send({"type": "http.response.start", "status": 200, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _asked(self, scope: Scope) -> list[Message]:
        """Return the app's own answer: not compressed, for nobody in particular, in the plain messages.

        The one who asks first may leave before it is there: it is for all others too, and nobody leaves.
        """
        headers = [
            (name, value) for name, value in scope["headers"] if name not in {b"accept-encoding", b"origin"}
        ]
        messages: list[Message] = []

        async def collect(message: Message) -> None:
            messages.append(message)

        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def stay() -> Message:
            return next(asked, None) or await asyncio.get_running_loop().create_future()

        await self._app({**scope, "headers": headers, "extensions": {}}, stay, collect)
        return messages

    def _keep(self, path: str, answer: Answer) -> None:
        if path not in self._kept and self._n_bytes + len(answer.body) <= MAX_BYTES:
            self._kept[path] = answer
            self._n_bytes += len(answer.body)


def asks_plainly(scope: Scope) -> bool:
    """Say whether a request is for the whole of such a file, from its own site, by who can read gzip."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["query_string"]:
        return False
    path: str = scope["path"]
    if "//" in path or "/." in path or not (STATIC.search(path) or COMPONENT.search(path)):
        return False
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")  # browsers say it with scripts and fonts of the same site too
    return (
        b"gzip" in headers.get(b"accept-encoding", b"")
        and (origin is None or origin.partition(b"://")[2] == headers.get(b"host"))
        and not OWN_ANSWER & headers.keys()
    )


def never_changes(path: str, start: Message) -> bool:
    """Say whether the beginning of an answer is that of a file that a browser may keep for good."""
    headers = dict(start["headers"])
    forever = b"immutable" in headers.get(b"cache-control", b"") or COMPONENT.search(path) is not None
    return forever and start["status"] == 200 and b"set-cookie" not in headers


def is_whole(messages: list[Message]) -> bool:
    """Say whether an answer is as long as it says and has an end."""
    length = dict(messages[0]["headers"]).get(b"content-length")
    n_bytes = sum(len(message.get("body", b"")) for message in messages[1:])
    ended = len(messages) > 1 and not messages[-1].get("more_body", False)
    return ended and (length is None or length == str(n_bytes).encode())


def shortened(messages: list[Message]) -> Answer:
    """Make one answer of the messages, compressed where that helps."""
    headers = dict(messages[0]["headers"])
    body = b"".join(message.get("body", b"") for message in messages[1:])
    short = gzip.compress(body, 6, mtime=0)
    if len(short) < SMALLER * len(body):
        body = short
        headers[b"content-encoding"] = b"gzip"
        if b"etag" in headers:  # the same file in other bytes
            headers[b"etag"] = b"W/" + headers[b"etag"].removeprefix(b"W/")
    headers |= {
        b"content-length": str(len(body)).encode(),
        b"cache-control": FOREVER,
        b"vary": b"Accept-Encoding",
    }
    return Answer(list(headers.items()), body)
