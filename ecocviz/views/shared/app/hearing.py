"""How long runs of pages take, heard on the websocket, where all of them pass, of whole pages and of parts.

A run begins for its visitor when the browser's request arrives, and ends when the app says that it is over.
What is begun anew meanwhile is waited for all the same.
"""

import threading
from collections import deque
from time import perf_counter

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ecocviz.serving.asgi import Application, Message, Receive, Scope, Send

MOST_RUNS = 5_000
SHORT = 400
"""Bytes: the message that a run has finished is far shorter, and longer ones are not looked into."""
LENGTHS = 2
"""The wire type of a message within a message."""
ASKS = BackMsg.DESCRIPTOR.fields_by_name["rerun_script"].number << 3 | LENGTHS
"""How a request for a run begins."""
UPLOAD = "/_stcore/upload_file/"


class Heard:
    """What this process has served.

    Attributes
    ----------
    uploads, upload_bytes
        Files that were brought since the start.
    """

    def __init__(self) -> None:
        self._runs: deque[float] = deque(maxlen=MOST_RUNS)
        self._lock = threading.Lock()
        self.uploads = self.upload_bytes = 0

    def ran(self, seconds: float) -> None:
        """Note that a run took so long."""
        with self._lock:
            self._runs.append(1_000 * seconds)

    def uploaded(self, n_bytes: int) -> None:
        """Note that a file was brought."""
        self.uploads += 1
        self.upload_bytes += n_bytes

    def taken(self) -> list[float]:
        """Return the milliseconds of all runs since this was asked last."""
        with self._lock:
            runs = [round(run, 2) for run in self._runs]
            self._runs.clear()
        return runs


HEARD = Heard()


class Hearing:
    """ASGI middleware that hears when runs begin and end, and counts uploads.

    Parameters
    ----------
    app
        What stands behind it.
    heard
        Is told.
    """

    def __init__(self, app: Application, heard: Heard = HEARD) -> None:
        self._app, self._heard = app, heard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and listen."""
        if scope["type"] == "websocket":
            await self._hear_runs(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "PUT" and scope["path"].startswith(UPLOAD):
            await self._hear_upload(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _hear_runs(self, scope: Scope, receive: Receive, send: Send) -> None:
        since: float | None = None

        async def received() -> Message:
            nonlocal since
            message = await receive()
            if since is None and asks_for_run(message.get("bytes")):
                since = perf_counter()
            return message

        async def sent(message: Message) -> None:
            nonlocal since
            await send(message)
            if since is not None and ends_run(message.get("bytes")):
                self._heard.ran(perf_counter() - since)
                since = None

        await self._app(scope, received, sent)

    async def _hear_upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        n_bytes = 0

        async def received() -> Message:
            nonlocal n_bytes
            message = await receive()
            n_bytes += len(message.get("body", b""))
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 300:
                self._heard.uploaded(n_bytes)
            await send(message)

        await self._app(scope, received, sent)


def asks_for_run(message: bytes | None) -> bool:
    """Say whether a browser's message asks for a run."""
    return bool(message) and message[0] == ASKS if message else False


def ends_run(message: bytes | None) -> bool:
    """Say whether a message to a browser ends a run, and no other is begun in its place."""
    if message is None or len(message) > SHORT:
        return False
    told = ForwardMsg()
    try:
        told.ParseFromString(message)
    except Exception:  # noqa: BLE001 - what cannot be read is no such message, and the visitor has it all the same
        return False
    kind = told.WhichOneof("type")
    return kind == "script_finished" and told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
