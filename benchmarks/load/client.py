"""A browser's tab without the browser: a WebSocket connection that does what Streamlit's page does."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from benchmarks.load.screen import Pulse, Screen, happened

QUIET_SECONDS = 0.15
"""A screen on which nothing new begins for so long has arrived; it had then arrived so long ago."""
DOUBTFUL_SECONDS = 1.0
"""The same where the run that has ended may be that of an earlier request."""
PATIENCE_SECONDS = 120.0
"""After so long a person gives up."""
HANDSHAKE_SECONDS = 60.0


class GaveUpError(Exception):
    """Nobody waits that long."""


@dataclass
class Tab:
    """A visitor's tab.

    Attributes
    ----------
    screen
        What it knows.
    hurt
        Called with a sentence when something went wrong.
    n_bytes, n_messages
        Received so far.
    polls
        Requests so far that no person made.
    """

    screen: Screen
    hurt: Callable[[str], None]
    n_bytes: int = 0
    n_messages: int = 0
    polls: int = 0
    _socket: ClientConnection | None = None
    _reader: asyncio.Task[None] | None = None
    _leaving: bool = False
    _begun_then: int = 0
    _unanswered: int = 0
    _unanswered_then: int = 0
    _last_end: float = 0.0
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _clocks: dict[str, asyncio.TimerHandle] = field(default_factory=dict)
    _sending: set[asyncio.Task[None]] = field(default_factory=set)

    # The connection -----------------------------------------------------------------------------------

    async def open(self, patience: float = PATIENCE_SECONDS) -> float:
        """Connect, ask for the page of the screen's link, and return the seconds until it has arrived."""
        began = time.perf_counter()
        await self.connect()
        await self.send(self.screen.request())
        return await self.arrived(patience) - began

    async def connect(self) -> None:
        """Connect; where there was a session, ask for it."""
        address = self.screen.address.replace("http", "ws", 1) + "/_stcore/stream"
        offered = ["streamlit", "PLACEHOLDER_AUTH_TOKEN", *filter(None, [self.screen.session])]
        self._socket = await connect(
            address,
            subprotocols=[Subprotocol(one) for one in offered],
            origin=Origin(self.screen.address),
            max_size=None,
            open_timeout=HANDSHAKE_SECONDS,
            ping_interval=None,
        )
        self._leaving, self._unanswered = False, 0
        self.screen.running = False
        self._reader = asyncio.create_task(self._read(self._socket))

    async def close(self) -> None:
        """Leave."""
        self._stop()
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader

    def cut(self) -> None:
        """Lose the connection, as when a wireless network drops."""
        self._stop()
        if self._socket is not None:
            self._socket.transport.abort()

    def _stop(self) -> None:
        self._leaving = True
        for clock in self._clocks.values():
            clock.cancel()
        self._clocks.clear()

    async def send(self, request: bytes) -> None:
        """Send a request for a run."""
        self._begun_then, self._unanswered_then = self.screen.runs_begun, self._unanswered
        await self._send(request)

    async def _send(self, request: bytes) -> None:
        self._unanswered += 1
        if self._socket is None:
            raise GaveUpError("There is no connection.")
        try:
            await self._socket.send(request)
        except ConnectionClosed as closed:
            raise GaveUpError(f"The connection was lost: {closed}.") from closed

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                self._take(frame if isinstance(frame, bytes) else frame.encode())
        except ConnectionClosed:
            pass
        if not self._leaving:
            self.hurt("The server closed a connection.")
        self._news.set()

    def _take(self, frame: bytes) -> None:
        self.n_bytes += len(frame)
        self.n_messages += 1
        kind = self.screen.take(frame)
        if kind == "new_session":
            self._unanswered = 0
        if kind == "script_finished":
            self._last_end = time.perf_counter()
        if kind in (
            "script_finished",
            "session_status_changed",
            "new_session",
            "auto_rerun",
            "stop_auto_rerun",
        ):
            self._set_clocks()
            self._news.set()
        while self.screen.errors:
            self.hurt(self.screen.errors.pop())

    # Asking again without being told to by a person ---------------------------------------------------

    def _set_clocks(self) -> None:
        """Set the clocks by which the app has asked to be asked again, and stop those that it has not."""
        wanted: dict[str, tuple[float, Callable[[], bytes], bool]] = {}
        for part, seconds in self.screen.asks_again.items():
            again = lambda part=part: self.screen.request(part=part, by_itself=True)  # noqa: E731 - short
            wanted[f"{part} {seconds}"] = seconds, again, True
        for pulse in self.screen.pulses():
            wanted[f"{pulse.id} {pulse.number}"] = (
                pulse.after_ms / 1000,
                lambda pulse=pulse: self._tick(pulse),
                False,
            )
        for name in [name for name in self._clocks if name not in wanted]:
            self._clocks.pop(name).cancel()
        for name, (seconds, make, repeats) in wanted.items():
            if name not in self._clocks:
                self._set_clock(name, seconds, make, repeats=repeats)

    def _set_clock(self, name: str, seconds: float, make: Callable[[], bytes], *, repeats: bool) -> None:
        def ring() -> None:
            if repeats:
                self._set_clock(name, seconds, make, repeats=True)
            self.polls += 1
            task = asyncio.create_task(self._send_quietly(make()))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

        self._clocks[name] = asyncio.get_running_loop().call_later(seconds, ring)

    def _tick(self, pulse: Pulse) -> bytes:
        return self.screen.request(part=pulse.fragment, events=[happened(pulse.id, "tick", pulse.number)])

    async def _send_quietly(self, request: bytes) -> None:
        with suppress(GaveUpError):
            await self._send(request)

    # Waiting ------------------------------------------------------------------------------------------

    async def arrived(self, patience: float = PATIENCE_SECONDS) -> float:
        """Wait until what was sent last has had its effect; return when that was, on `time.perf_counter`.

        That is the end of a run that began after it, when nothing is computed any more that this screen
        waits for, and nothing new begins.

        Raises
        ------
        GaveUpError
            If it takes too long, or the connection is lost.
        """
        end = time.perf_counter() + patience
        while True:
            self._news.clear()
            now = time.perf_counter()
            begun = self.screen.runs_begun - self._begun_then
            wait = end - now
            if begun and not self.screen.running and not self.screen.waits:
                quiet = QUIET_SECONDS if begun > self._unanswered_then else DOUBTFUL_SECONDS
                wait = min(wait, self._last_end + quiet - now)
                if now >= self._last_end + quiet:
                    return self._last_end
            if now >= end:
                raise GaveUpError(f"Nothing arrived within {patience:.0f} s.")
            if self._reader is None or self._reader.done():
                raise GaveUpError("The connection was lost.")
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._news.wait(), max(wait, 0.001))

    async def idle(self, patience: float) -> bool:
        """Wait until no run is under way; say whether that came in time."""
        end = time.perf_counter() + patience
        while self.screen.running and time.perf_counter() < end:
            self._news.clear()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._news.wait(), end - time.perf_counter())
        return not self.screen.running
