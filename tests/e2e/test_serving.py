"""A browser whose app process dies, is replaced or has forgotten it shows the same screen and goes on."""

import os
import signal
from collections import Counter
from contextlib import contextmanager
from urllib.parse import urlsplit

import psutil
import pytest
from e2e_tools import address_of, canvas_digest, change_code, ran, settle
from playwright.sync_api import expect
from shared_tools import serve_command
from waiting import until

from ecocviz.serving.addresses import free_port
from ecocviz.serving.front_haproxy import find_haproxy

pytestmark = [pytest.mark.e2e, pytest.mark.thorough]
WITHOUT = pytest.mark.skipif(
    find_haproxy() is None and os.environ.get("CI") != "true", reason="haproxy is not installed"
)
LINK = "v=1&coding=one-vs-one&machine.gamma=0.7"
COUNT_RETURNS = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  let [away, ran] = [false, false];
  window.returns = 0;
  new MutationObserver(() => {
    const running = app.dataset.testScriptState !== 'notRunning';
    if (app.dataset.testConnectionState !== 'CONNECTED') [away, ran] = [true, false];
    else if (away && running) ran = true;
    else if (away && ran) [window.returns, away] = [window.returns + 1, false];
  }).observe(app, {attributeFilter: ['data-test-connection-state', 'data-test-script-state']});
}"""
"""Count how often the page has lost its server, found one and been drawn by it."""


class Class:
    """A server of several processes, seen from outside."""

    def __init__(self, process, address):
        self.process, self.address = process, address

    def apps(self):
        """App processes that run: id -> process."""
        children = psutil.Process(self.process.pid).children()
        return {child.pid: child for child in children if "ecocviz.views.shared.app.serve" in said(child)}

    def owner(self):
        """Return the process that has most connections: the one with the only browser."""
        return Counter(self.connected()).most_common(1)[0][0]

    def connected(self):
        """How many connections each process has that listens: id -> number."""
        found = {}
        for pid, child in self.apps().items():
            ends = Counter((each.status, each.laddr.port) for each in child.net_connections())
            ports = [port for status, port in ends if status == psutil.CONN_LISTEN]
            if ports:
                found[pid] = sum(ends[psutil.CONN_ESTABLISHED, port] for port in ports)
        return found


def said(child):
    try:
        return " ".join(child.cmdline())
    except psutil.Error:  # it has just ended
        return ""


@contextmanager
def class_server(root, home, front, **environment):
    port = free_port()
    options = ["--workers=2", f"--front={front}", f"--port={port}"]
    with serve_command(root, home / "log", options, ECOCVIZ_HOME=str(home), **environment) as process:
        yield Class(process, f"http://127.0.0.1:{port}")


@pytest.fixture
def returning(tab):
    """Open a page as a browser of its own, which counts how often it has lost its server."""

    def go(address):
        page = tab(address)
        settle(page)
        page.evaluate(COUNT_RETURNS)
        return page

    return go


def screen(page):
    """What is to be seen: pixels of the regions, texts, the address."""
    settle(page)
    texts = [page.locator(f'[data-testid="{part}"]').inner_text() for part in ("stSidebar", "stMain")]
    return canvas_digest(page), texts, address_of(page)


def is_back(page, times, shown):
    """Wait until a page has found a server again, and see that it shows what it showed and hears a click."""
    page.wait_for_function("(times) => window.returns >= times", arg=times, timeout=60_000)
    ran(page)
    settle(page)  # the new process has trained the machines
    until(lambda: screen(page) == shown)
    change_code(page)


@pytest.mark.parametrize("front", ["python", pytest.param("haproxy", marks=WITHOUT)])
def test_a_browser_survives_its_process(root, tmp_path, returning, front):
    with class_server(root, tmp_path, front) as served:
        page = returning(f"{served.address}/?{LINK}")
        shown = screen(page)
        dead = served.owner()
        os.kill(dead, signal.SIGKILL)
        is_back(page, 1, shown)

        until(lambda: len(served.connected()) == 2 and dead not in served.apps(), 60)  # not only begun
        old, shown = set(served.apps()), screen(page)
        served.process.send_signal(signal.SIGHUP)
        until(lambda: len(served.apps()) == 2 and not old & set(served.apps()), 90)
        is_back(page, 2, shown)


def test_what_was_clicked_while_the_server_was_away_holds_everywhere(serving, returning):
    link = "?v=1&data=iris&coding=one-vs-one&decoding=hamming&compare=linear.likelihood"
    with serving() as address:
        page = returning(f"{address}/{link}")
        picked = page.locator(".in h3").inner_text()
    app = page.get_by_test_id("stApp")
    expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    page.get_by_role("radio", name="Linear").click()
    page.locator("canvas.over").click(position={"x": 420, "y": 60})
    with serving(port=urlsplit(address).port):
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
        expect(page.locator(".eco-chosen").last).to_have_text("Linear")
        expect(page.locator(".in h3")).not_to_have_text(picked)
        settle(page)
        assert "decoding=linear" in page.url and "place=" in page.url
        expect(page.get_by_role("radio", name="Linear")).to_be_checked()
        expect(page.locator(".eco-words").first).to_contain_text("Linear")
        expect(page.locator(".cg thead")).to_contain_text("Linear")
        shown = screen(page)
        page.goto(page.url)
        assert screen(page) == shown


@WITHOUT
def test_browsers_whose_sessions_are_forgotten_return_to_their_screens(root, tmp_path, returning):
    with class_server(root, tmp_path, "haproxy", STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="0") as served:
        links = [LINK, "v=1&data=iris&decoding=hamming", ""]
        pages = [returning(f"{served.address}/?{link}") for link in links]
        shown = [screen(page) for page in pages]
        (front,) = [c for c in psutil.Process(served.process.pid).children() if c.name() == "haproxy"]
        front.kill()  # which cuts all connections and ends no process
        for page, before in zip(pages, shown, strict=True):
            is_back(page, 1, before)
