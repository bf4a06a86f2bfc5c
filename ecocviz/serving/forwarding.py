"""A browser's request handed on to an app process, and its answer handed back; for the front of Python."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import h11
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from ecocviz.serving.addresses import LOOPBACK
from ecocviz.serving.asgi import Headers, Message, Receive, Scope, Send, plain

OF_ONE_CONNECTION = frozenset(
    (b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade")
)
"""Headers that are never handed on."""
AT_ONCE = 65_536
GONE = "The app's process does not answer. Load this page again."


def handed_on(headers: Headers) -> Headers:
    """Leave out what concerns one connection only."""
    return [(name, value) for name, value in headers if name.lower() not in OF_ONE_CONNECTION]


# HTTP ----------------------------------------------------------------------------------------------


async def forward_http(scope: Scope, receive: Receive, send: Send, port: int, cookie: str | None) -> None:
    """Hand on a request; `cookie` is set in the browser."""
    try:
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
    except OSError:
        await plain(scope, send, 502, GONE)
        return
    speaker = h11.Connection(h11.CLIENT)
    # Both at once: an app that has heard enough (of a file that is too large) answers before all is sent.
    sending = asyncio.create_task(_send_request(scope, receive, speaker, writer))
    begun = False
    try:
        async for event in _events(speaker, reader):
            if isinstance(event, h11.Response):
                begun = True
                await send(_start(event, cookie))
            elif isinstance(event, h11.Data):
                await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    except (OSError, h11.ProtocolError):
        # What has begun and is not ended is cut by the server, so that the browser sees that it is not whole.
        if not begun:
            await plain(scope, send, 502, GONE)
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        writer.close()


async def _events(speaker: h11.Connection, reader: asyncio.StreamReader) -> AsyncIterator[h11.Event]:
    """Read an answer to its end."""
    while True:
        event = speaker.next_event()
        if event is h11.NEED_DATA:
            speaker.receive_data(await reader.read(AT_ONCE))
        elif isinstance(event, h11.EndOfMessage):
            return
        elif isinstance(event, h11.Event):
            yield event
        else:
            raise ConnectionAbortedError


async def _send_request(
    scope: Scope, receive: Receive, speaker: h11.Connection, writer: asyncio.StreamWriter
) -> None:
    target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    headers = [*handed_on(scope["headers"]), (b"connection", b"close")]
    chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    if chunked:
        headers.append((b"transfer-encoding", b"chunked"))
    writer.write(speaker.send(h11.Request(method=scope["method"], target=target, headers=headers)) or b"")
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionAbortedError
        more = message.get("more_body", False)
        writer.write(speaker.send(h11.Data(data=message.get("body", b""))) or b"")
        await writer.drain()
    writer.write(speaker.send(h11.EndOfMessage()) or b"")
    await writer.drain()


def _start(response: h11.Response, cookie: str | None) -> Message:
    headers = handed_on(list(response.headers))
    if cookie is not None:
        headers.append((b"set-cookie", cookie.encode()))
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


# Websockets ----------------------------------------------------------------------------------------


async def forward_websocket(
    scope: Scope, receive: Receive, send: Send, port: int, cookie: str | None, cut: asyncio.Event
) -> None:
    """Hand on a websocket until one end closes it, or `cut` is set; only the browser's side is compressed."""
    await receive()  # that it connects
    sent = dict(scope["headers"])
    host = sent.get(b"host", LOOPBACK.encode()).decode("latin-1")
    query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
    known = {b"host", b"origin"}
    headers = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in handed_on(scope["headers"])
        if name not in known and not name.startswith(b"sec-websocket-")
    ]
    try:
        app = await connect(
            f"ws://{host}{scope['raw_path'].decode('latin-1')}{query}",
            host=LOOPBACK,
            port=port,
            origin=sent[b"origin"].decode("latin-1") if b"origin" in sent else None,
            subprotocols=[Subprotocol(name) for name in scope["subprotocols"]] or None,
            additional_headers=headers,
            user_agent_header=None,
            compression=None,
            max_size=None,
            ping_interval=None,
            proxy=None,
        )
    except (OSError, InvalidHandshake):
        await plain(scope, send, 502, GONE)
        return
    set_cookie = [] if cookie is None else [(b"set-cookie", cookie.encode())]
    async with app:
        await send({"type": "websocket.accept", "subprotocol": app.subprotocol, "headers": set_cookie})
        directions = {asyncio.create_task(_to_app(receive, app)), asyncio.create_task(_to_browser(app, send))}
        directions.add(asyncio.create_task(_to_the_end(cut, send)))
        try:
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for direction in directions:
                direction.cancel()
            await asyncio.gather(*directions, return_exceptions=True)


async def _to_the_end(cut: asyncio.Event, send: Send) -> None:
    """Tell the browser that it is to come again when the slot is closed."""
    await cut.wait()
    with suppress(RuntimeError):
        await send({"type": "websocket.close", "code": 1012})


async def _to_app(receive: Receive, app: ClientConnection) -> None:
    """Hand on what the browser sends until it leaves."""
    with suppress(ConnectionClosed):
        while (message := await receive())["type"] == "websocket.receive":
            await app.send(message["bytes"] if message.get("bytes") is not None else message["text"])


async def _to_browser(app: ClientConnection, send: Send) -> None:
    """Hand on what the app sends until it closes."""
    with suppress(ConnectionClosed):
        async for frame in app:
            await send({"type": "websocket.send", "text" if isinstance(frame, str) else "bytes": frame})
    # What was no clean end is 1006, which may not be sent.
    code = app.close_code if app.close_code not in {None, 1005, 1006} else 1012
    with suppress(RuntimeError):
        await send({"type": "websocket.close", "code": code})
