"""One thing after the other, the clients in turn: the many of one do not hold up the one of another."""

import asyncio
from collections import OrderedDict, deque


class Turns:
    """Lets clients do something one after the other.

    Parameters
    ----------
    seconds
        How long a turn takes, unless it is over before.
    most
        How many may wait; of more, whoever has most waiting gives.
    """

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds, self._most = seconds, most
        self._lines: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()
        self._turn: asyncio.TimerHandle | None = None

    async def wait(self, who: str) -> bool:
        """Wait until it is one's turn; return False if too many wait."""
        mine = asyncio.get_running_loop().create_future()
        self._lines.setdefault(who, deque()).append(mine)
        if sum(map(len, self._lines.values())) > self._most:
            given = max(reversed(self._lines.values()), key=len).pop()
            if not given.done():
                given.set_result(False)
        self._next()
        return bool(await mine)

    def end(self) -> None:
        """End the turn that is taken: the next one begins now."""
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None
        self._next()

    def _next(self) -> None:
        while self._lines and self._turn is None:
            who, line = self._lines.popitem(last=False)
            mine = line.popleft() if line else None
            if line:
                self._lines[who] = line
            if mine is not None and not mine.done():  # who left does not take a turn
                self._turn = asyncio.get_running_loop().call_later(self._seconds, self.end)
                mine.set_result(True)
