"""No client of a shared server takes all of it: websockets of one address are counted, and new ones rationed.

The numbers are those of a lecture hall behind one address, with room for everybody's second tab.
"""

import sys
from collections import Counter
from collections.abc import Callable

from ecocviz.serving.asgi import Application, Receive, Scope, Send, refuse
from ecocviz.serving.handed import Handed
from ecocviz.serving.limiter import Limiter, Rate

MOST_OPEN = 400
"""Websockets of one address that one process holds open."""
NEW = Rate(800, 0.1)
"""How many are opened at once (all of a hall come back when the network does), and how soon again."""

FULL = 100
"""Browsers of one process of which its operator should know: 60 are what it serves well."""
SAYS_FULL = (
    "{n} browsers are open on one process of ecocviz, which serves about 60 well: "
    "ecocviz serve --workers 4 (or as many as there are processors) has room for more."
)


def say(text: str) -> None:
    """Say something in the terminal."""
    sys.stderr.write(f"{text}\n")


class Full:
    """ASGI middleware that says once that a process has many browsers, and what has room for them.

    Parameters
    ----------
    app
        What stands behind it.
    most
        How many are many.
    say
        Prints a line for the operator.
    """

    def __init__(self, app: Application, most: int = FULL, say: Callable[[str], None] = say) -> None:
        self._app, self._most, self._say = app, most, say
        self._n_open, self._said = 0, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it pass."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        self._n_open += 1
        if self._n_open >= self._most and not self._said:
            self._said = True
            self._say(SAYS_FULL.format(n=self._n_open))
        try:
            await self._app(scope, receive, send)
        finally:
            self._n_open -= 1


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
