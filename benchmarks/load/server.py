"""The server under load: started, and asked how much time and memory it takes. Linux only."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.app import wait_for
from benchmarks.load.kept_runs import fill

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
VITALS_SECONDS = 60.0
LOG = "server.log"
COMPLAINTS = re.compile("Traceback|Error|Warning|not kept|locked")
"""What a server that is well does not say."""


@dataclass
class Server:
    """A running app, with the processes that it has started."""

    address: str
    pid: int
    vitals_file: Path | None = None
    home: Path | None = None

    def pids(self) -> list[int]:
        """Return its process and all below it."""
        found, waiting = [], [self.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                try:
                    waiting += map(int, children.read_text().split())
                except OSError:
                    continue  # the thread has ended
        return found

    def cpu_seconds(self) -> float:
        """Return the processor time of all of them, and of those that have ended."""
        # Linux numbers the clock of another process so: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED).
        own = time.clock_gettime((~self.pid << 3) | 2)
        return own + sum(_ended(pid) + (_live(pid) if pid != self.pid else 0.0) for pid in self.pids())

    def rss(self) -> int:
        """Return the bytes in memory of all of them; what they share is counted once for each."""
        return sum(_rss(pid) for pid in self.pids())

    def complaints(self) -> list[str]:
        """Return the lines of its log that say that something went wrong."""
        if self.home is None:
            return []
        said = (self.home / LOG).read_text(errors="replace").splitlines()
        return [line for line in said if COMPLAINTS.search(line)]

    def vitals(self, *, emptied: bool = False) -> dict[str, Any]:
        """Let the server collect its garbage and say how it is; {} where it cannot.

        `emptied` lets it forget before that all it keeps on purpose.
        """
        if self.vitals_file is None:
            return {}
        self.vitals_file.unlink(missing_ok=True)
        os.kill(self.pid, signal.SIGUSR2 if emptied else signal.SIGUSR1)
        end = time.monotonic() + VITALS_SECONDS
        while time.monotonic() < end:
            if self.vitals_file.exists():
                found: dict[str, Any] = json.loads(self.vitals_file.read_text())
                return found
            time.sleep(0.05)
        return {}


def _fields(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50  # it has ended


def _live(pid: int) -> float:
    return (int(_fields(pid)[11]) + int(_fields(pid)[12])) / TICKS


def _ended(pid: int) -> float:
    return (int(_fields(pid)[13]) + int(_fields(pid)[14])) / TICKS


def _rss(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except OSError:
        return 0  # it has ended


def busy_seconds() -> float:
    """Return the processor time of everything on the machine so far."""
    user, nice, system, _, _, irq, softirq = map(int, Path("/proc/stat").read_text().split()[1:8])
    return (user + nice + system + irq + softirq) / TICKS


@dataclass
class Peak:
    """The most memory that was seen, looked at now and then by a thread."""

    server: Server
    every: float = 0.2
    bytes: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def watched(self) -> Iterator["Peak"]:
        """Watch meanwhile."""
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(self.every):
            self.bytes = max(self.bytes, self.server.rss())


@contextmanager
def serving(
    checkout: Path,
    arguments: list[str],
    ttl_seconds: int | None = None,
    memory: str = "",
    *,
    kept_runs: int = 0,
) -> Iterator[Server]:
    """Run a checkout's app on a free port, with a home of its own.

    Parameters
    ----------
    checkout
        Its top folder.
    arguments
        Of `ecocviz`, besides the port.
    ttl_seconds
        How long sessions are kept that have lost their browser; Streamlit's 120 s if left out.
    memory
        The budget of the app, "" for what suits the machine.
    kept_runs
        How many runs the store of the home holds already.
    """
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "ecocviz.cli", *arguments, "--port", str(port)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        if kept_runs:
            fill(Path(home), kept_runs)
        file = Path(home) / "vitals.json"
        path = os.pathsep.join(filter(None, [str(checkout), os.environ.get("PYTHONPATH")]))
        own = {"ECOCVIZ_HOME": home, "PYTHONPATH": path, "ECOCVIZ_VITALS": str(file)}
        if ttl_seconds is not None:
            own["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = str(ttl_seconds)
        if memory:
            own["ECOCVIZ_MEMORY"] = memory
        with (Path(home) / LOG).open("wb") as log:
            process = subprocess.Popen(
                command, cwd=checkout, env={**os.environ, **own}, stdout=log, stderr=subprocess.STDOUT
            )
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield Server(f"http://127.0.0.1:{port}", process.pid, file, Path(home))
        finally:
            said = (Path(home) / LOG).read_text(errors="replace")
            if COMPLAINTS.search(said):
                print(said[-4_000:], file=sys.stderr)
            process.terminate()
            process.wait(timeout=20)
