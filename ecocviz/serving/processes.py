"""The supervisor: N app processes behind a front, started anew when they end, replaced one by one when asked.

Nothing is handed from a process to the next: a browser whose connection is cut connects again by itself
and brings its link, which is the whole state of its screen.
"""

import asyncio
import http.client
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ecocviz.serving.addresses import LOOPBACK, as_url, free_port
from ecocviz.serving.children import Child, start_child
from ecocviz.serving.desk import Desk
from ecocviz.serving.front_haproxy import HaproxyFront, find_haproxy
from ecocviz.serving.fronts import Front
from ecocviz.serving.handed import Network
from ecocviz.serving.operator_page import status
from ecocviz.serving.passes import read_code
from ecocviz.serving.ready import VARIABLE, tell_ready

READY_SECONDS = 300.0
"""What a process gets to load and compile the numerics; the first start on a machine compiles all of it."""
LOOK_SECONDS, PASSED_SECONDS, DEAF_SECONDS = 5.0, 15.0, 60.0
"""How often a process is asked for its health; how long it may give no answer before another one takes its
browsers, and before it is ended."""
LISTENS_SECONDS, LISTENS_LOOKS = 0.05, 1_000
"""How often and how many times a process that is ready is asked whether it listens."""
PAUSES = (0.0, 1.0, 5.0, 30.0)
"""Seconds before each new attempt to start a process that does not get ready; the last one stays."""

Command = Callable[[int], Sequence[str]]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """What a server has beside its processes.

    Attributes
    ----------
    code_file
        Holds the access code; None where everybody is let in.
    behind
        Where proxies stand that are believed whom they speak for.
    operator_port
        Of the operator's page; None where there is none.
    """

    code_file: Path | None = None
    behind: tuple[Network, ...] = ()
    operator_port: int | None = None


@dataclass(frozen=True, slots=True)
class App:
    """A running app process and the port of the loopback address that it listens on."""

    child: Child
    port: int


@dataclass(slots=True)
class Slot:
    """A place for one app process; the lock is held while the process in it changes."""

    number: int
    app: App
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    passed: bool = False
    """Whether browsers are sent past its process, which gives no answer."""


class Supervisor:
    """Keeps N app processes and their front alive until it is told to stop.

    Parameters
    ----------
    command : what serves the app on a port of the loopback address
    front : what stands before them
    n_apps : how many
    say : prints a line
    desk : where they have codes judged and tell how they are, if anywhere
    """

    def __init__(
        self, command: Command, front: Front, n_apps: int, say: Say, desk: Desk | None = None
    ) -> None:
        self._command, self._front, self._n_apps, self._say = command, front, n_apps, say
        self._desk, self._since = desk, time.monotonic()
        self._slots: list[Slot] = []
        self._folder = tempfile.TemporaryDirectory(prefix="ecocviz-serve-")
        self._children: list[Child] = []
        self._stop = asyncio.Event()
        self._renew = asyncio.Event()
        self._terminal = os.isatty(0)

    async def run(self, ready: str) -> None:
        """Serve until SIGTERM, SIGINT or a closed terminal; SIGHUP replaces the processes one by one.

        `ready` is said when browsers can come. Raises `ValueError` with a sentence if that fails.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)
        work = asyncio.create_task(self._serve(ready))
        stopped = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait((work, stopped), return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            for task in (work, stopped):
                task.cancel()
            await asyncio.gather(work, stopped, return_exceptions=True)
            await asyncio.gather(self._front.stop(), *(child.stop() for child in self._children))
            self._folder.cleanup()

    def _hang_up(self) -> None:
        """Take SIGHUP: the terminal was closed, or somebody asks for new processes."""
        (self._stop if self._terminal and not os.isatty(0) else self._renew).set()

    def status(self) -> dict[str, Any]:
        """Say how the server is, for its operator."""
        if self._desk is None:
            return {}
        pids = [None if slot.app.child.ended else slot.app.child.pid for slot in self._slots]
        self._desk.forget({pid for pid in pids if pid is not None})
        return status(self._desk, pids or [None] * self._n_apps, self._since)

    async def _serve(self, ready: str) -> None:
        apps = await asyncio.gather(*(self._begin() for _ in range(self._n_apps)))
        self._slots = [Slot(number, app) for number, app in enumerate(apps)]
        for slot in self._slots:
            await self._front.open(slot.number, slot.app.port)
        await self._front.start()
        self._say(ready)
        tell_ready()
        keeping = [self._keep_front(), self._replace_when_asked()]
        for slot in self._slots:
            keeping += [self._keep(slot), self._listen(slot)]
        await asyncio.gather(*keeping)

    # One process -----------------------------------------------------------------------------------

    async def _begin(self) -> App:
        """Start a process and wait until it is ready; raise `ValueError` if it ends before."""
        port = free_port()
        path = f"{tempfile.mkdtemp(dir=self._folder.name)}/ready"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hearing:
            hearing.bind(path)
            hearing.setblocking(False)
            child = await start_child(self._command(port), {VARIABLE: path, **self._handed()})
            self._children = [*(child for child in self._children if not child.ended), child]
            told = asyncio.create_task(_hear_ready(hearing, port))
            ended = asyncio.create_task(child.wait())
            try:
                await asyncio.wait((told, ended), timeout=READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if told.done() and not ended.done():
                    return App(child, port)
            finally:
                told.cancel()
                ended.cancel()
        child.kill()
        raise ValueError("The app does not start; what it says stands above.")

    def _handed(self) -> Mapping[str, str]:
        return {} if self._desk is None else self._desk.handed.environment()

    async def _begin_again(self) -> App:
        """Start a process, again and again until it is ready."""
        attempt = 0
        while True:
            await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            try:
                return await self._begin()
            except ValueError as error:
                self._say(str(error))
            attempt += 1

    async def _keep(self, slot: Slot) -> None:
        """Start the slot's process anew whenever it ends."""
        while True:
            app = slot.app
            status = await app.child.wait()
            async with slot.lock:
                if slot.app is not app:
                    continue  # it was replaced
                self._say(f"App process {slot.number} has ended (status {status}) and is started anew.")
                await self._front.close(slot.number)
                slot.app, slot.passed = await self._begin_again(), False
                await self._front.open(slot.number, slot.app.port)

    async def _listen(self, slot: Slot) -> None:
        """Pass the slot's process by while it gives no answer; end it when that lasts: it is started anew."""
        app, heard = slot.app, time.monotonic()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            asked = slot.app
            answers = await asyncio.to_thread(is_healthy, asked.port)
            if answers or asked is not app:
                app, heard = asked, time.monotonic()
            silent = time.monotonic() - heard
            async with slot.lock:
                passed = not answers and (slot.passed or silent >= PASSED_SECONDS)
                if slot.app is app and slot.passed != passed:
                    await self._pass_by(slot)
            if silent >= DEAF_SECONDS and slot.app is app:
                self._say(f"App process {slot.number} has given no answer for {silent:.0f} s.")
                app.child.kill()
                heard = time.monotonic()

    async def _pass_by(self, slot: Slot) -> None:
        """Send browsers past a slot unless no other is left, or to it again."""
        if slot.passed:
            await self._front.open(slot.number, slot.app.port)
        elif all(other.passed for other in self._slots if other is not slot):
            return
        else:
            await self._front.close(slot.number)
        slot.passed = not slot.passed

    # All of them -----------------------------------------------------------------------------------

    async def _replace_when_asked(self) -> None:
        """Replace one process after the other: start the new one, send browsers to it, stop the old one."""
        while True:
            await self._renew.wait()
            self._renew.clear()
            try:
                if self._desk is not None:
                    self._desk.renew()
            except ValueError as error:
                self._say(f"{error} The old code stays.")
            for slot in self._slots:
                async with slot.lock:
                    try:
                        new = await self._begin()
                    except ValueError as error:
                        self._say(f"{error} The old processes stay.")
                        break
                    old, slot.app, slot.passed = slot.app, new, False
                    await self._front.open(slot.number, new.port)
                    await old.child.stop()
                self._say(f"App process {slot.number} is replaced.")

    async def _keep_front(self) -> None:
        """Start the front anew whenever it ends."""
        while True:
            await self._front.ended()
            self._say("The front has ended and is started anew.")
            await self._front.start()


async def _hear_ready(hearing: socket.socket, port: int) -> None:
    """Wait until a process has loaded everything, and then until it listens."""
    await asyncio.get_running_loop().sock_recv(hearing, 64)
    for _ in range(LISTENS_LOOKS):
        if await asyncio.to_thread(is_healthy, port):
            return
        await asyncio.sleep(LISTENS_SECONDS)


def is_healthy(port: int) -> bool:
    """Ask an app process for its health."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=LOOK_SECONDS)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def make_front(name: str | None, address: str, port: int, n_slots: int, word: str = "") -> Front:
    """Make a front; without a name haproxy where it is installed, else the one of Python.

    With a `word` it says to the processes whom each request is for. Raises `ValueError` with a sentence where
    haproxy is asked for and not installed.
    """
    program = find_haproxy()
    if name == "haproxy" and program is None:
        raise ValueError("haproxy is not installed (Debian: apt install haproxy); --front python needs none.")
    if program is not None and name != "python":
        return HaproxyFront(program, address, port, n_slots, word)
    from ecocviz.serving.front_asgi import AsgiFront  # noqa: PLC0415 - haproxy needs no second server loaded

    return AsgiFront(address, port, n_slots, word)


def serve(
    command: Command,
    where: tuple[str, int],
    n_apps: int,
    front: str | None,
    say: Say,
    extras: Extras | None = None,
) -> None:
    """Serve the app by several processes until told to stop; raise `ValueError` with a sentence."""
    from ecocviz.serving.descriptors import allow_files  # noqa: PLC0415 - it loads uvicorn

    allow_files()  # the front of Python holds two for a browser
    ready = f"ecocviz is at {as_url(*where)} (Ctrl+C stops it)"
    started = f"Starting {n_apps} app {'process' if n_apps == 1 else 'processes'} ..."
    if extras is None:
        supervisor = Supervisor(command, make_front(front, *where, n_apps), n_apps, say)
        say(started)
        asyncio.run(supervisor.run(ready))
        return
    with tempfile.TemporaryDirectory(prefix="ecocviz-desk-") as folder:
        code = None if extras.code_file is None else partial(read_code, extras.code_file)
        desk = Desk(Path(folder) / "desk", code, extras.behind)
        supervisor = Supervisor(command, make_front(front, *where, n_apps, desk.word), n_apps, say, desk)
        say(started)
        asyncio.run(_with_desk(supervisor, desk, ready, extras.operator_port, say))


async def _with_desk(
    supervisor: Supervisor, desk: Desk, ready: str, operator_port: int | None, say: Say
) -> None:
    """Run a supervisor whose processes have a desk, and the operator's page if there is one."""
    async with AsyncExitStack() as stack:
        await desk.start()
        stack.push_async_callback(desk.stop)
        if operator_port is not None:
            from ecocviz.serving.operator import Operator  # noqa: PLC0415 - only for this a second server is loaded

            operator = Operator(operator_port, supervisor.status)
            await operator.start()
            stack.push_async_callback(operator.stop)
            say(f"The operator's page is at {as_url(LOOPBACK, operator_port)}, on this computer only.")
        await supervisor.run(ready)
