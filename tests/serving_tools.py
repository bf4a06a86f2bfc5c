"""A supervisor over small apps, seen from outside."""

import http.client
import json
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from waiting import until
from websockets.sync.client import connect

from ecocviz.serving.addresses import LOOPBACK, free_port
from ecocviz.serving.front_haproxy import find_haproxy
from ecocviz.serving.fronts import COOKIE

ROOT = Path(__file__).resolve().parent.parent
SUPERVISE = ROOT / "tests" / "serving" / "supervise.py"
WITHOUT = pytest.mark.skipif(
    find_haproxy() is None and os.environ.get("CI") != "true", reason="haproxy is not installed"
)
FRONTS = ["python", pytest.param("haproxy", marks=WITHOUT)]


class Served:
    """A supervisor that runs, seen from outside."""

    def __init__(self, process, port):
        self.process, self.port = process, port

    def ask(self, path="/", cookie=None, method="GET", body=None, headers=None):
        """Send one request; return status, cookie that was set, body, headers."""
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=20)
        sent = dict(headers or {}) | ({"Cookie": f"other=1; {COOKIE}={cookie}"} if cookie else {})
        try:
            connection.request(method, path, body=body, headers=sent)
            answer = connection.getresponse()
            given = answer.headers.get("Set-Cookie", "")
            name = given.partition(f"{COOKIE}=")[2].partition(";")[0] or None
            return answer.status, name, answer.read(), answer.headers
        finally:
            connection.close()

    def pid(self, cookie):
        """Which process answers a cookie."""
        status, _, body, _ = self.ask(cookie=cookie)
        assert status == 200, body
        return json.loads(body)["pid"]

    def socket(self, cookie=None, **more):
        headers = {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
        return connect(
            f"ws://{LOOPBACK}:{self.port}/_stcore/stream",
            additional_headers=headers,
            proxy=None,
            max_size=None,
            **more,
        )

    def family(self):
        return psutil.Process(self.process.pid).children(recursive=True)

    def apps(self):
        """The ids of the app processes that run."""
        found = set()
        for child in self.family():
            with suppress(psutil.NoSuchProcess):  # it may end while it is looked at
                if child.status() != psutil.STATUS_ZOMBIE and "small_app.py" in " ".join(child.cmdline()):
                    found.add(child.pid)
        return found

    def both(self):
        """Wait until both processes are there and open; return cookie -> id."""

        def open_ones():
            found = {cookie: self.ask(cookie=cookie) for cookie in ("p0", "p1")}
            kept = all(status == 200 and name is None for status, name, _, _ in found.values())
            return kept and {cookie: json.loads(given[2])["pid"] for cookie, given in found.items()}

        return until(open_ones, 20)


@contextmanager
def supervised(front, *more, n_apps=2, ready=True):
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, str(SUPERVISE), str(port), front, str(n_apps), *more],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        if ready:
            lines = iter(process.stdout.readline, "")
            assert any("ecocviz is at" in line for line in lines)
        yield Served(process, port)
    finally:
        process.terminate()
        process.communicate(timeout=20)
