"""The operator's page: on a port of the loopback address only, never through the front."""

import asyncio
import base64
import hashlib
import json
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from ecocviz.serving.addresses import LOOPBACK
from ecocviz.serving.asgi import HTML, JSON, Receive, Scope, Send, answer
from ecocviz.serving.front_asgi import QuietServer
from ecocviz.serving.hosts import Hosts
from ecocviz.serving.operator_page import LOOK, operator_page

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(LOOK.encode()).digest()).decode()
    + "'"
).encode()
GUARDS = [
    (b"content-security-policy", POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


class Operator:
    """Answers the operator's browser.

    Parameters
    ----------
    port
        Of the loopback address.
    status
        Says how the server is.
    """

    def __init__(self, port: int, status: Callable[[], dict[str, Any]]) -> None:
        self._port, self._status, self._hosts = port, status, Hosts(LOOPBACK, {})
        config = uvicorn.Config(
            self._answer,
            interface="asgi3",
            proxy_headers=False,
            server_header=False,
            lifespan="off",
            ws="none",
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
        self._server = QuietServer(config)
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen; raise `ValueError` with a sentence where that is impossible."""
        try:
            listener = socket.create_server((LOOPBACK, self._port), backlog=16)
        except OSError as error:
            raise ValueError(
                f"The operator's page cannot be at port {self._port}: {error.strerror}; "
                "choose another: --operator-port."
            ) from None
        self._serving = asyncio.create_task(self._server.serve(sockets=[listener]))

    async def stop(self) -> None:
        """Listen no more."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving

    async def _answer(self, scope: Scope, _receive: Receive, send: Send) -> None:
        if not self._hosts.know(scope):
            await answer(send, 421, "This page is at 127.0.0.1 only.", headers=GUARDS)
        elif scope["method"] not in {"GET", "HEAD"}:
            await answer(send, 405, "This page is only to be read.", headers=GUARDS)
        elif scope["path"] == "/":
            await answer(send, 200, operator_page(self._status()), HTML, GUARDS)
        elif scope["path"] == "/status.json":
            await answer(send, 200, json.dumps(self._status(), indent=1), JSON, GUARDS)
        else:
            await answer(send, 404, "There is one page here, / , and /status.json.", headers=GUARDS)
