"""Journeys through faults: a server that is killed, a network that is away, a browser that sleeps."""

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
from e2e_tools import canvas_digest, give_file, ran, repainted, settle
from fault_tools import cleaned_up, look_over, may_mount, note, pick
from playwright.sync_api import expect
from waiting import until
from wire_tools import Cable

from ecocviz.data import upload_store as store
from ecocviz.serving.addresses import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.thorough]

FORGETS_SECONDS = pick(1, 120)
"""How long the server remembers a browser that is away; 120 s if nobody says otherwise."""
ROWS = "".join(f"{4 + k % 3 + 0.07 * (k % 11):.2f},{0.11 * (k % 7):.2f},{'uvw'[k % 3]}\n" for k in range(60))
CSV = f"long,broad,class\n{ROWS}"

CLICK = "(button, after) => { button.click(); return new Promise((over) => setTimeout(over, after)); }"


class Server:
    """The app on a port and a home of its own, which can be killed and started again."""

    def __init__(self, root, home, *, before=(), **environment):
        self.port = free_port()
        self.address, self.home = f"http://127.0.0.1:{self.port}", home
        self._root, self._before, self._log = root, before, home.parent / "server.log"
        self._environment = os.environ | {"ECOCVIZ_HOME": str(home)} | environment
        self.start()

    def start(self):
        command = [*self._before, sys.executable, "-m", "ecocviz.views.shared.app.serve"]
        command += [str(self._root / "app.py"), "--server.port", str(self.port), "--server.headless", "true"]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self._root, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        until(self._answers, 90)

    def _answers(self):
        assert self.process.poll() is None, self._log.read_text(errors="replace")
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=2) as answer:  # noqa: S310 - our own server
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def kill(self):
        """End it as the system does when memory runs out, its workers too."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=30)


@pytest.fixture
def started(root, tmp_path, monkeypatch):
    """Start a server: `started(NAME="value")`."""
    servers = []
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "home"))  # this process looks into it

    def start(**options):
        (tmp_path / "home").mkdir(exist_ok=True)
        servers.append(Server(root, tmp_path / "home", **options))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


def offer(page, name, content):
    """On the Data page, give a file to the place for files and wait until it can be used."""
    expect(page.get_by_test_id("stMainBlockContainer")).to_contain_text(re.compile(r"has \d+ rows"))
    give_file(page, name, content)
    return page.get_by_role("button", name="Use these data")


def brought(page, server):
    """Bring a file, and return the Playground's link to it."""
    offer(page, "mine.csv", CSV).click()
    expect(page.get_by_test_id("stMainBlockContainer")).to_contain_text("mine.csv has 60 rows of 2 features")
    until(lambda: "data.digest" in page.url)
    return f"{server.address}/?{page.url.partition('?')[2]}"


def screen(page):
    settle(page)
    return canvas_digest(page), page.evaluate("location.search")


def connected(page):
    return page.get_by_test_id("stApp").get_attribute("data-test-connection-state") == "CONNECTED"


def test_a_server_that_is_killed_again_and_again_loses_nothing(started, tab):
    server = started()
    page = tab(f"{server.address}/data")
    link = brought(page, server)
    page.goto(link)
    shown = screen(page)
    folder = server.home / "uploads"
    n_left = n_whole = 0
    for k in range(pick(5, 50)):
        page.goto(f"{server.address}/data?data=iris&seed={k}&coding=one-vs-one")
        use = offer(page, f"{k}.csv", f"{CSV}{k},1,u\n" * 40)
        expect(use).to_be_enabled()
        # The click is answered while the server dies, at another moment in each round.
        use.evaluate(CLICK, 7 * (k % 13))
        server.kill()
        look_over(folder, leftovers=True)
        n_left = max(n_left, sum(not store.NAME.fullmatch(place.name) for place in folder.iterdir()))
        n_whole = len(list(folder.iterdir()))
        server.start()
        page.goto(link)
        until(lambda: screen(page) == shown)
    cleaned_up(folder)
    note("server killed", rounds=pick(5, 50), same_screen=pick(5, 50), kept=n_whole, leftovers_at_most=n_left)


@pytest.mark.parametrize("shared", pick(["1"], ["", "1"]))
def test_a_network_that_is_away_until_the_session_is_forgotten(started, tab, shared):
    server = started(ECOCVIZ_SHARED=shared, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL=str(FORGETS_SECONDS))
    cable = Cable(server.port)
    page = tab(f"http://127.0.0.1:{cable.port}/data")
    link = brought(page, server)
    page.goto(link.replace(str(server.port), str(cable.port)))
    shown = screen(page)
    cable.cut()
    until(lambda: not connected(page))
    page.wait_for_timeout(1_000 * (FORGETS_SECONDS + 1))  # the time itself is what matters
    cable.mend()
    until(lambda: connected(page), 90)
    ran(page)
    until(lambda: screen(page) == shown)
    page.get_by_role("radio", name="Hamming").click()
    repainted(page, shown[0])
    cable.close()
    note("network away", seconds=FORGETS_SECONDS + 1, shared=bool(shared), same_screen=True)


@contextmanager
def asleep(page):
    """Freeze a page through the debugging protocol: none of its scripts runs, none of its timers."""
    protocol, paused = page.context.new_cdp_session(page), []
    protocol.on("Debugger.paused", lambda _event: paused.append(True))
    protocol.send("Page.setWebLifecycleState", {"state": "frozen"})
    protocol.send("Debugger.enable")
    protocol.send("Debugger.pause")
    other = page.context.browser.new_page()
    while not paused:
        other.wait_for_timeout(20)
    yield other
    other.close()
    protocol.send("Debugger.disable")
    protocol.send("Page.setWebLifecycleState", {"state": "active"})


def test_a_browser_that_sleeps_during_a_training_wakes_to_its_result(visit, server):
    page = visit(server)
    sent = []
    page.on("websocket", lambda wire: wire.on("framesent", lambda _frame: sent.append(True)))
    page.goto(f"{server}/?data=pendigits&split=k-fold&seed=11")
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    with asleep(page) as other:
        before = len(sent)
        other.wait_for_timeout(pick(4_000, 150_000))
        assert len(sent) == before
    settle(page)
    expect(page.get_by_role("button", name=re.compile("Cancel|Run again"))).to_have_count(0)
    expect(page.get_by_text(re.compile("^Stopped at"))).to_have_count(0)
    expect(page.locator("canvas.base")).to_have_count(1)
    note("browser asleep", seconds=pick(4, 150), result_shown=True)


@pytest.mark.skipif(not may_mount(), reason="this system lets no program mount a disk of its own")
def test_the_app_on_a_home_that_cannot_be_written_to(started, tab, tmp_path):
    mounted = 'mount -t tmpfs -o ro tmpfs "$ECOCVIZ_HOME" && export HOME="$ECOCVIZ_HOME" && exec "$@"'
    server = started(before=("unshare", "-rm", "sh", "-c", mounted, "sh"))
    page = tab(server.address)
    settle(page)
    page.goto(f"{server.address}/data")
    shown = page.evaluate("location.search")
    offer(page, "mine.csv", CSV).click()
    expect(page.get_by_role("alert")).to_have_text(
        "These data cannot be kept, because nothing may be written to the data folder; "
        "name another folder in ECOCVIZ_HOME (your earlier data are unchanged)."
    )
    assert page.evaluate("location.search") == shown
    page.get_by_role("link", name="Playground").click()
    settle(page)
    assert list((tmp_path / "home").iterdir()) == []
