"""What servers and their applications say to each other (ASGI), and the plainest of answers."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

TEXT, HTML, JSON = b"text/plain; charset=utf-8", b"text/html; charset=utf-8", b"application/json"


async def answer(
    send: Send, status: int, body: str, kind: bytes = TEXT, headers: Headers | None = None
) -> None:
    """Answer a request with a text that nobody may keep."""
    sent = body.encode()
    told = [
        (b"content-type", kind),
        (b"content-length", str(len(sent)).encode()),
        (b"cache-control", b"no-store"),
        *(headers or []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": sent})


async def plain(scope: Scope, send: Send, status: int, text: str) -> None:
    """Answer with one sentence; refuse a websocket."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1013})
    else:
        await answer(send, status, text)


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return a header of a request, the last one where it was sent more than once."""
    return next((value for key, value in reversed(scope["headers"]) if key == name), None)


def from_here(scope: Scope) -> bool:
    """Say whether a request comes from a page of the host that it asks, or from no page at all."""
    origin = header(scope, b"origin")
    if origin is None:
        return True
    site = origin.partition(b"://")[2].lower()
    return bool(site) and site == (header(scope, b"host") or b"").lower()


async def refuse(send: Send) -> None:
    """Refuse a websocket before it is one; the browser sees 403."""
    await send({"type": "websocket.close", "code": 1008})
