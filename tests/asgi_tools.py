"""Asking an ASGI application without a server."""

import asyncio


def scope_of(path="/", *, method="GET", query=b"", kind="http", **headers):
    """A request as a server would hand it over; headers with _ for -."""
    told = {"host": "class.example", "accept": "text/html", **headers}
    return {
        "type": kind,
        "scheme": "http" if kind == "http" else "ws",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "client": ("192.0.2.7", 5_000),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in told.items() if value
        ],
    }


def ask(app, scope, *bodies):
    """Ask; return the messages that were sent."""
    if scope["type"] == "websocket":
        received = [{"type": "websocket.connect"}]
    else:
        last = len(bodies) - 1
        received = [{"type": "http.request", "body": b, "more_body": k < last} for k, b in enumerate(bodies)]
        received = received or [{"type": "http.request", "body": b""}]
    sent = []

    async def receive():
        return received.pop(0) if received else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent


def answered(app, scope, *bodies):
    """Ask; return status, headers and text."""
    start, *rest = ask(app, scope, *bodies)
    return start["status"], dict(start["headers"]), b"".join(part.get("body", b"") for part in rest).decode()
