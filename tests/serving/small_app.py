"""A stand-in for an app process: ready at once, says who it is, echoes. Run with a port."""

import asyncio
import json
import os
import sys
import time

import uvicorn

from ecocviz.serving.crowd import Crowd
from ecocviz.serving.desk import tell
from ecocviz.serving.door import Door
from ecocviz.serving.handed import take
from ecocviz.serving.ready import tell_ready

LIMIT = 2_000_000


async def answer(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        tell_ready()
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "websocket":
        await echo(scope, receive, send)
    else:
        await page(scope, receive, send)


def about(scope):
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    return json.dumps(
        {"pid": os.getpid(), "headers": headers, "protocols": scope.get("subprotocols")}
    ).encode()


async def page(scope, receive, send):
    body, more, status = b"", True, 200
    while more and status == 200:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        status = 413 if len(body) > LIMIT else 200
    if scope["path"] == "/deaf":
        time.sleep(3600)  # noqa: ASYNC251 - nobody else is heard either
    text = body if scope["path"] == "/echo" and status == 200 else about(scope)
    await send({"type": "http.response.start", "status": status, "headers": [(b"x-size", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": text[:5], "more_body": True})
    await send({"type": "http.response.body", "body": text[5:]})


async def echo(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept", "subprotocol": next(iter(scope["subprotocols"]), None)})
    await send({"type": "websocket.send", "bytes": about(scope)})
    while (message := await receive())["type"] == "websocket.receive":
        if message.get("text") == "leave":
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "bytes" if message.get("bytes") is not None else "text"
        await send({"type": "websocket.send", kind: message[kind]})


def guarded(handed):
    """Stand behind a door where there is a code, and tell the desk of two runs and an error."""
    if handed.desk:
        error = {"at": 1.0, "kind": "ValueError", "place": "small_app.py:1"}
        note = {"pid": os.getpid(), "runs": [20.0, 40.0], "errors": [error], "sessions": 2}
        tell(handed.desk, {"note": note})
    return Crowd(Door(answer, handed), handed, most=4) if handed.key else answer


if __name__ == "__main__":
    if len(sys.argv) > 2:  # so that it never gets ready
        sys.exit("This app cannot start.")
    app = guarded(take(os.environ))
    # The app's own server takes a request line of 64 kB as well.
    asyncio.run(uvicorn.Server(uvicorn.Config(app, port=int(sys.argv[1]), log_level="warning")).serve())
