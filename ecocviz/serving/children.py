"""Child processes that never outlive the one that started them."""

import asyncio
import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress

STOP_SECONDS = 6.0
"""What a child gets to end by itself; the app gives its computations three of them."""


class Child:
    """A running child, the head of a process group of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._swept = False

    @property
    def pid(self) -> int:
        """The id of the process, and of its group."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self._process.returncode is not None

    async def wait(self) -> int:
        """Wait until it has ended; return its status, and leave nothing of its group."""
        status = await self._process.wait()
        if not self._swept:
            # Once only: later the number may be another group's.
            self._swept = True
            self._signal(signal.SIGKILL)
        return status

    async def stop(self) -> None:
        """Ask it to end, and end it."""
        if not self.ended:
            self._process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self.wait()
        except TimeoutError:
            self.kill()
            await self.wait()

    def kill(self) -> None:
        """End it and all that it has started, at once."""
        if not self.ended:
            self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


async def start_child(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Child:
    """Start a command that ends when this process does, however that happens.

    The kernel sees to it (Linux: the parent-death signal, set by setpriv of util-linux). Where there is
    no setpriv, a child outlives a parent that was killed without a chance to stop it.
    """
    setpriv = shutil.which("setpriv")
    leash = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []
    process = await asyncio.create_subprocess_exec(
        *leash,
        *command,
        env={**os.environ, **(environment or {})},
        stdin=asyncio.subprocess.DEVNULL,
        # What they say of themselves, such as their inner address, is of no use; complaints are.
        stdout=asyncio.subprocess.DEVNULL,
        # A group of its own: Ctrl+C in a terminal reaches the parent alone, which stops all in order. But no
        # session of its own: Linux shares a processor evenly among sessions, and what steps back in one
        # would take turns from the pages of another.
        process_group=0,
    )
    return Child(process)
