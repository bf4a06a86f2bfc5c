"""No client of a shared server takes all of it: websockets of one address are counted, and new ones rationed.

The numbers are those of a lecture hall behind one address, with room for everybody's second tab.
"""

from collections import Counter

from ecocviz.serving.asgi import Application, Receive, Scope, Send, refuse
from ecocviz.serving.handed import Handed
from ecocviz.serving.limiter import Limiter, Rate

MOST_OPEN = 400
"""Websockets of one address that one process holds open."""
NEW = Rate(800, 0.1)
"""How many are opened at once (all of a hall come back when the network does), and how soon again."""


class Crowd:
    """ASGI middleware that refuses websockets of an address that has too many.

    Parameters
    ----------
    app
        What stands behind it.
    handed
        Knows who asks.
    most, new
        How many one address may hold, and how soon it may open others.
    """

    def __init__(self, app: Application, handed: Handed, most: int = MOST_OPEN, new: Rate = NEW) -> None:
        self._app, self._handed, self._most = app, handed, most
        self._open: Counter[str] = Counter()
        self._new = Limiter(new)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it pass, or refuse it."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        who = self._handed.client(scope).address
        if self._open[who] >= self._most or self._new.seconds(who) > 0.0:
            await refuse(send)
            return
        self._new.count(who)
        self._open[who] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
