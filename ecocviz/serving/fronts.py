"""What stands before the app processes: it sends every browser to its own one, known by a cookie."""

from typing import Protocol

COOKIE = "ecocviz_process"
"""Holds the name of the process that has a browser's session."""

FRONTS = ("haproxy", "python")


class Front(Protocol):
    """A sticky front. Processes have fixed slots, 0, 1, ...; the port behind a slot changes.

    Whoever has the cookie of a closed slot is given another one.
    """

    async def start(self) -> None:
        """Listen; raise `ValueError` with a sentence where that is impossible."""

    async def open(self, slot: int, port: int) -> None:
        """Send the slot's browsers, and new ones, to this port; this may be called before the start."""

    async def close(self, slot: int) -> None:
        """Send nobody to the slot any more, and cut its websockets: their browsers go on elsewhere."""

    async def ended(self) -> None:
        """Wait until the front has ended by itself."""

    async def stop(self) -> None:
        """Stop listening; what is open is cut."""


def slot_name(slot: int) -> str:
    """Return the value of the cookie."""
    return f"p{slot}"
