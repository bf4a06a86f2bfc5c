"""One server and one browser for all journeys; every page opened here must leave the console empty."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import partial

import pytest
from playwright.sync_api import expect, sync_playwright
from waiting import until

from ecocviz.serving.addresses import free_port

LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT_MS = 60_000


@contextmanager
def run_server(root, home, *options, host="127.0.0.1", port=None):
    """Run the app at an address of this computer, with more options of the server; yield where it is."""
    port = port or free_port()
    command = [sys.executable, "-m", "ecocviz.views.shared.app.serve", str(root / "app.py")]
    command += ["--server.port", str(port), "--server.address", host, *options]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    # As where people use it, not in the session of a browser: its workers would get what that leaves.
    own = {"env": {**os.environ, "ECOCVIZ_HOME": str(home)}, "start_new_session": True}
    log = home / f"server-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=root, stdout=output, stderr=output, **own)
        try:
            address = f"http://{host}:{port}"
            wait_for(f"{address}/_stcore/health", process, log)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=60)


def wait_for(url, process, log):
    def answers():
        assert process.poll() is None, log.read_text(errors="replace")
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own server
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    until(answers, 60)


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """Where the server of all journeys keeps its files."""
    return tmp_path_factory.mktemp("e2e-home")


@pytest.fixture(scope="session")
def server(root, home):
    with run_server(root, home) as address:
        yield address


@pytest.fixture
def serving(root, tmp_path):
    """Start a server of one's own, with more options: `with serving() as address`."""
    return partial(run_server, root, tmp_path)


@pytest.fixture(scope="session")
def browser(chromium):
    expect.set_options(timeout=WAIT_MS / 2)
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium, args=LAUNCH)
        yield started
        started.close()


def is_error(message):
    """Say whether a console message is an error of ours.

    For a deep link Streamlit first looks for its server below the page's own path; the browser
    reports the two 404 answers, whatever the app does. Without https it also reports, at any other address
    than this computer's own, that it keeps no window apart.
    """
    looked_for = message.location["url"].endswith(("/_stcore/health", "/_stcore/host-config"))
    unheeded = message.text.startswith("The Cross-Origin-Opener-Policy header has been ignored")
    return message.type == "error" and not unheeded and not (looked_for and "404" in message.text)


def told(message):
    return f"{message.text} [{message.location['url']}]"


@pytest.fixture
def visit(browser):
    """Open a page in a fresh browser context; at the end of the test its console must be free of errors."""
    opened, problems = [], []

    def go(address, *, dark=False, width=1440, height=900, touch=False):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        opened.append(context)
        page.on("console", lambda message: problems.append(told(message)) if is_error(message) else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        return page

    yield go
    for context in opened:
        context.close()
    assert problems == []


@pytest.fixture
def tab(browser):
    """Open a page as a browser of its own; while its server is away, its console may complain."""
    opened = []

    def go(address):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        opened.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    yield go
    for context in opened:
        context.close()
