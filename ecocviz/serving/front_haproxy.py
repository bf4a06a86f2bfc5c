"""haproxy as the front: its configuration, and its own command socket for what changes while it runs."""

import asyncio
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from ecocviz.serving.children import Child, start_child
from ecocviz.serving.fronts import COOKIE, slot_name
from ecocviz.serving.handed import SAYS_WORD

CONFIG = """\
global
    log stderr format raw local0 warning
    stats socket {socket} mode 600 level admin
    # A port that another haproxy listens on is in use.
    noreuseport
    # The longest link, a large hand-made code matrix, is one line of a request.
    tune.bufsize 65536

defaults
    log global
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout http-request 15s
    # Both ends of a websocket ping every 30 s.
    timeout tunnel 5m
    retries 2
    # Whose process does not answer goes to another, at once.
    option redispatch 1

listen ecocviz
    bind {bind}
    balance leastconn
    cookie {cookie} insert indirect nocache httponly attr SameSite=Lax
{servers}
"""
SAYS_FOR_WHOM = """\
    # The processes believe whom a request is for, because nobody else can say the word.
    option forwardfor
    http-request set-header {name} {word}
"""
LOOK_SECONDS, STARTED_LOOKS = 0.02, 500
"""How often and how many times haproxy is asked whether it has started."""


def find_haproxy() -> str | None:
    """Return where haproxy is; Debian keeps it where only an administrator looks for programs."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which("haproxy", path=path)


def config_text(
    address: str, port: int, ports: list[int | None], command_socket: Path, word: str = ""
) -> str:
    """Write the configuration: a server for every slot; a slot without a port is closed."""
    servers = [
        f"    server {slot_name(slot)} 127.0.0.1:{inner or 1} cookie {slot_name(slot)}"
        + ("" if inner else " disabled")
        for slot, inner in enumerate(ports)
    ]
    bind = f"ipv6@[{address}]:{port}" if ":" in address else f"ipv4@{address}:{port}"
    if address == "::":
        bind += " v4v6"
    text = CONFIG.format(socket=command_socket, bind=bind, cookie=COOKIE, servers="\n".join(servers))
    return text + (SAYS_FOR_WHOM.format(name=SAYS_WORD.decode(), word=word) if word else "")


class HaproxyFront:
    """A front that is a process of haproxy."""

    def __init__(self, program: str, address: str, port: int, n_slots: int, word: str = "") -> None:
        self._program, self._address, self._port, self._word = program, address, port, word
        self._ports: list[int | None] = [None] * n_slots
        self.folder = Path(tempfile.mkdtemp(prefix="ecocviz-front-"))
        self._child: Child | None = None

    @property
    def _socket(self) -> Path:
        return self.folder / "commands"

    async def start(self) -> None:
        """Start haproxy with the slots as they are now."""
        file = self.folder / "haproxy.cfg"
        text = config_text(self._address, self._port, self._ports, self._socket, self._word)
        file.write_text(text, "utf-8")  # in a folder that only its owner may enter
        self._socket.unlink(missing_ok=True)
        self._child = await start_child([self._program, "-db", "-f", str(file)])
        for _ in range(STARTED_LOOKS):
            if self._child.ended or await self._answers():
                break
            await asyncio.sleep(LOOK_SECONDS)
        else:
            await self._child.stop()
        if self._child.ended:
            raise ValueError("The front, haproxy, does not start; what it says stands above.")

    async def _answers(self) -> bool:
        try:
            await self._command("show info")
        except OSError:
            return False
        return True

    async def _command(self, line: str) -> str:
        reader, writer = await asyncio.open_unix_connection(str(self._socket))
        try:
            writer.write(f"{line}\n".encode())
            return (await reader.read()).decode().strip()
        finally:
            writer.close()

    async def _set(self, slot: int, what: str) -> None:
        """Change a slot of the haproxy that runs; one that has just ended is started anew with the change."""
        with suppress(OSError):
            await self._command(f"set server ecocviz/{slot_name(slot)} {what}")

    async def open(self, slot: int, port: int) -> None:
        """Send the slot's browsers to this port."""
        self._ports[slot] = port
        await self._set(slot, f"addr 127.0.0.1 port {port}")
        await self._set(slot, "state ready")

    async def close(self, slot: int) -> None:
        """Send nobody to the slot, and cut what is open."""
        self._ports[slot] = None
        await self._set(slot, "state maint")
        with suppress(OSError):
            await self._command(f"shutdown sessions server ecocviz/{slot_name(slot)}")

    async def ended(self) -> None:
        """Wait until haproxy has ended."""
        if self._child is not None:
            await self._child.wait()

    async def stop(self) -> None:
        """End haproxy and remove its files."""
        if self._child is not None:
            await self._child.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
