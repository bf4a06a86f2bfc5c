"""A shared server of the real app, seen from outside: its pass, its websocket, its log."""

import http.client
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlencode

from waiting import until
from websockets.sync.client import connect

from ecocviz.serving.addresses import LOOPBACK, free_port

CODE = "swordfish 42"


class SharedServer:
    """A server with an access code."""

    def __init__(self, process, port, operator_port, log):
        self.process, self.port, self.operator_port, self.log = process, port, operator_port, log
        self.address = f"http://{LOOPBACK}:{port}"

    def ask(self, path="/", method="GET", body=None, port=None, **headers):
        """Send one request; return status, headers, text."""
        connection = http.client.HTTPConnection(LOOPBACK, port or self.port, timeout=30)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode(errors="replace")
        finally:
            connection.close()

    def passed(self):
        """Return the cookies of a browser that has typed the code."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, headers, _ = self.ask("/", "POST", urlencode({"code": CODE}), **form)
        assert status == 303
        return "; ".join(cookie.partition(";")[0] for cookie in headers.get_all("Set-Cookie"))

    def socket(self, cookie, **more):
        """Open the app's websocket as its page does."""
        return connect(
            f"ws://{LOOPBACK}:{self.port}/_stcore/stream",
            additional_headers={"Cookie": cookie},
            subprotocols=["streamlit"],
            proxy=None,
            max_size=None,
            **more,
        )

    def status(self):
        """What the operator sees."""
        return json.loads(self.ask("/status.json", port=self.operator_port)[2])


@contextmanager
def serve_command(root, log, options, **environment):
    """Run `ecocviz serve` until it is ready, and end it as a user would."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "ecocviz.cli", "serve", *options],
            cwd=root,
            env={**os.environ, "PYTHONUNBUFFERED": "1"} | environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # not the browser's
        )
        try:
            until(lambda: process.poll() is not None or b"ecocviz is at" in log.read_bytes(), 120)
            assert process.poll() is None, log.read_text()
            yield process
        finally:
            process.terminate()
            assert process.wait(timeout=30) == 0


@contextmanager
def shared_server(root, home, *options):
    """Run `ecocviz serve --shared` with a code until it is ready."""
    port, operator_port, log, code = free_port(), free_port(), home / "log", home / "code"
    code.touch(mode=0o600)
    code.write_text(CODE)
    given = ["--shared", f"--access-code-file={code}", f"--port={port}", f"--operator-port={operator_port}"]
    with serve_command(root, log, [*given, *options], ECOCVIZ_HOME=str(home / "data")) as process:
        yield SharedServer(process, port, operator_port, log)
