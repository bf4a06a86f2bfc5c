"""The door of a server with an access code: nobody passes without a pass, by a request or by a websocket.

Who has none and asks for a page sees the access page in its place, at the same address. The form posts to
that address, which is then asked for again with the pass: the link that was followed needs no parameter that
somebody else could fill in.

That another site posts the form is harmless: it has to know the code, and what it gets the browser is a pass
that says nothing about who holds it. A browser that is made to post wrong codes is not heard (`Origin`).
"""

import math
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from urllib.parse import parse_qs

from ecocviz.serving.asgi import (
    HTML,
    Application,
    Headers,
    Receive,
    Scope,
    Send,
    answer,
    from_here,
    header,
    refuse,
)
from ecocviz.serving.desk import ask
from ecocviz.serving.door_page import door_page, door_policy
from ecocviz.serving.handed import Client, Handed, embedding
from ecocviz.serving.passes import AGE_SECONDS, COOKIE, MARK, Passes

HEALTH, INNER = "/_stcore/health", "/_stcore/"
MOST_BODY = 4_096
FOLLOW_SECONDS = 1.0
"""How old may be what is known of the desk's key."""
PLAIN_PATH = re.compile(rb"[\x21-\x7e]*")
CODE_WANTED = "This server asks for an access code: open its first page in a browser."
WRONG = "That is not the access code."
DEAF = "The code could not be checked just now; try again in a few seconds."
FOREIGN = "The form was sent from another site; open this address itself."


class Door:
    """ASGI middleware that lets in who has a pass.

    Parameters
    ----------
    app
        What stands behind it.
    handed
        What this process knows of its server, the key of the passes included.
    environ
        Names the sites that may show the access page inside of themselves.
    """

    def __init__(self, app: Application, handed: Handed, environ: Mapping[str, str] = os.environ) -> None:
        if handed.key is None:
            raise ValueError("A door needs the key of the passes.")
        self._app, self._handed, self._passes = app, handed, Passes(handed.key)
        self._asked = monotonic()
        self._policy = door_policy(embedding(environ))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        kind = scope["type"]
        if kind not in {"http", "websocket"} or (kind == "http" and asks_for_health(scope)):
            await self._app(scope, receive, send)
            return
        await self._follow()
        if any(self._passes.good(text) for text in cookies_in(scope, COOKIE)):
            if kind == "http" and posts_code(scope):
                await _go(send, scope)  # it was typed in two tabs
            else:
                await self._app(scope, receive, send)
        elif kind == "websocket":
            await refuse(send)
        elif posts_code(scope):
            await self._judge(scope, receive, send)
        elif scope["method"] == "GET" and b"text/html" in (header(scope, b"accept") or b""):
            await self._show(scope, send, 401, "")
        else:
            await answer(send, 401, CODE_WANTED)

    async def _judge(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a typed code judged."""
        if not from_here(scope):
            await answer(send, 403, FOREIGN)
            return
        client = self._handed.client(scope)
        code = await _typed(receive)
        typed = {"address": client.address, "code": code, "browser": self._marked(scope)}
        said = await ask(self._handed.desk, {"judge": typed})
        if said is None or "busy" in said:
            await self._show(scope, send, 503, DEAF)
        elif "pass" in said:
            self._asked = -FOLLOW_SECONDS
            await _go(send, scope, [(b"set-cookie", cookie(COOKIE, str(said["pass"]), client))])
        elif said.get("wait"):
            seconds = math.ceil(float(said["wait"]))
            after = f"Too many wrong codes came from here; the next one is heard in {seconds} s."
            text = after if said.get("unheard") else f"{WRONG} {after}"
            await self._show(scope, send, 429, text, [(b"retry-after", str(seconds).encode())])
        else:
            await self._show(scope, send, 401, WRONG)

    async def _follow(self) -> None:
        """Take passes as the desk signs them now: a process outlives its code until it is replaced."""
        if monotonic() - self._asked >= FOLLOW_SECONDS:
            self._asked = monotonic()
            said = await ask(self._handed.desk, {"key": {}})
            if said:
                self._passes = Passes(bytes.fromhex(str(said["key"])))

    def _marked(self, scope: Scope) -> str:
        """Return which browser asks, "" if it has no mark of ours."""
        return next(filter(None, map(self._passes.marked, cookies_in(scope, MARK))), "")

    async def _show(
        self, scope: Scope, send: Send, status: int, problem: str, headers: Headers | None = None
    ) -> None:
        """Show the access page and mark the browser; its form says where it is from, so the referrer does."""
        more = [(b"content-security-policy", self._policy), (b"referrer-policy", b"same-origin")]
        if not self._marked(scope):
            more.append((b"set-cookie", cookie(MARK, self._passes.mark(), self._handed.client(scope))))
        await answer(send, status, door_page(problem), HTML, [*more, *(headers or [])])


# Requests ------------------------------------------------------------------------------------------


def asks_for_health(scope: Scope) -> bool:
    """Say whether somebody only asks if the process is there: a balancer, the supervisor."""
    return scope["path"] == HEALTH and scope["method"] in {"GET", "HEAD"}


def posts_code(scope: Scope) -> bool:
    """Say whether the form of the access page was sent."""
    return scope["method"] == "POST" and not scope["path"].startswith(INNER)


def cookies_in(scope: Scope, wanted: str) -> list[str]:
    """Return the browser's cookies of a name: those of other paths may have the same."""
    found = []
    for name, value in scope["headers"]:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, text = part.strip().partition("=")
                if key == wanted:
                    found.append(text)
    return found[:4]


def place_of(scope: Scope) -> bytes:
    """Return the address that was asked for as a path of this site.

    A path that begins with two slashes, or with backslashes, would name another host.
    """
    path = b"/" + scope["raw_path"].lstrip(b"/\\")
    query = scope["query_string"]
    place = path + (b"?" + query if query else b"")
    return place if PLAIN_PATH.fullmatch(place) else b"/"


def cookie(name: str, text: str, client: Client) -> bytes:
    """Write the cookie that holds a pass, or a mark."""
    secure = "; Secure" if client.https else ""
    return f"{name}={text}; Path=/; Max-Age={AGE_SECONDS}; HttpOnly; SameSite=Lax{secure}".encode()


async def _typed(receive: Receive) -> str:
    """Return the code that was typed, as much of it as a code may have."""
    body, more = b"", True
    while more and len(body) <= MOST_BODY:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    with suppress(ValueError):  # more fields than a form of ours has
        if len(body) <= MOST_BODY:
            return parse_qs(body.decode("latin-1"), max_num_fields=4).get("code", [""])[0].strip()
    return ""


# Answers -------------------------------------------------------------------------------------------


async def _go(send: Send, scope: Scope, headers: Headers | None = None) -> None:
    await answer(send, 303, "", headers=[(b"location", place_of(scope)), *(headers or [])])
