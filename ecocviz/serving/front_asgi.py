"""The front where there is no haproxy: an ASGI application in the supervisor's own process.

It parses nothing itself: uvicorn speaks with the browsers, h11 and websockets (all three come with
Streamlit) with the app processes.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import CookieError, SimpleCookie

import uvicorn

from ecocviz.serving.addresses import family_of
from ecocviz.serving.asgi import Headers, Receive, Scope, Send, plain
from ecocviz.serving.descriptors import Impatient, say_it_once
from ecocviz.serving.forwarding import forward_http, forward_websocket
from ecocviz.serving.fronts import COOKIE, slot_name
from ecocviz.serving.handed import FORWARDED, SAYS_WORD

NO_PROCESS = "The app is being started. Load this page again in a few seconds."


class AsgiFront:
    """A front of Python: slower for every frame than a program made for it, but always there."""

    def __init__(self, address: str, port: int, n_slots: int, word: str = "") -> None:
        self._word = word
        self._ports: list[int | None] = [None] * n_slots
        self._browsers: Counter[int] = Counter()
        self._cuts = [asyncio.Event() for _ in range(n_slots)]
        self._address, self._port = address, port
        self._server = QuietServer(
            uvicorn.Config(
                self._answer,
                interface="asgi3",
                http=Impatient,
                proxy_headers=False,  # they are handed on as they came
                lifespan="off",
                access_log=False,
                log_level="warning",
                ws="websockets-sansio",
                ws_max_size=8_000_000,  # of browsers; the app takes half of that
                timeout_graceful_shutdown=1,
            )
        )
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen."""
        try:
            listener = socket.create_server(
                (self._address, self._port),
                family=family_of(self._address),
                dualstack_ipv6=self._address == "::",
                backlog=2048,
            )
        except OSError as error:
            raise ValueError(f"The front cannot listen on port {self._port}: {error.strerror}.") from None
        # asyncio sets it only where a socket names its protocol; without it frames wait 40 ms for each other.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        asyncio.get_running_loop().set_exception_handler(say_it_once)
        self._serving = asyncio.create_task(self._server.serve(sockets=[listener]))

    async def open(self, slot: int, port: int) -> None:
        """Send the slot's browsers to this port."""
        self._ports[slot] = port

    async def close(self, slot: int) -> None:
        """Send nobody to the slot, and cut its websockets."""
        self._ports[slot] = None
        self._cuts[slot].set()
        self._cuts[slot] = asyncio.Event()

    async def ended(self) -> None:
        """Wait until it has ended: it does so only with the supervisor."""
        if self._serving is not None:
            await asyncio.shield(self._serving)

    async def stop(self) -> None:
        """Stop listening."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving

    # A request ------------------------------------------------------------------------------------

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = slot_in(scope["headers"], self._ports)
        slot = known if known is not None else self._emptiest()
        if slot is None or (port := self._ports[slot]) is None:
            await plain(scope, send, 503, NO_PROCESS)
            return
        cookie = None if slot == known else f"{COOKIE}={slot_name(slot)}; Path=/; HttpOnly; SameSite=Lax"
        if self._word:
            scope = {**scope, "headers": said_for_whom(scope, self._word)}
        if scope["type"] == "http":
            await forward_http(scope, receive, send, port, cookie)
            return
        self._browsers[slot] += 1
        try:
            await forward_websocket(scope, receive, send, port, cookie, self._cuts[slot])
        finally:
            self._browsers[slot] -= 1

    def _emptiest(self) -> int | None:
        """Return the open slot with the fewest browsers."""
        slots = (slot for slot, port in enumerate(self._ports) if port is not None)
        return min(slots, key=lambda slot: self._browsers[slot], default=None)


class QuietServer(uvicorn.Server):
    """A server in whose process the signals are somebody else's."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


def said_for_whom(scope: Scope, word: str) -> Headers:
    """Return a request's headers with whom it is for, and the word that makes the processes believe it."""
    headers = [(name, value) for name, value in scope["headers"] if name != SAYS_WORD]
    peer = (scope.get("client") or ("",))[0]
    return [*headers, (FORWARDED, peer.encode()), (SAYS_WORD, word.encode())]


def slot_in(headers: Headers, ports: list[int | None]) -> int | None:
    """Return the slot that the cookie names, if it is open."""
    sent = b"; ".join(value for name, value in headers if name == b"cookie")
    try:
        named = SimpleCookie(sent.decode("latin-1")).get(COOKIE)
    except CookieError:
        return None
    names = [slot_name(slot) if port is not None else None for slot, port in enumerate(ports)]
    return names.index(named.value) if named is not None and named.value in names else None
