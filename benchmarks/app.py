"""The app in a browser: how long a reader waits, how much is sent, what the server spends."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.common import Table

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LAUNCH = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PROBLEM = "data.n_samples=500&data.n_classes=6&coding=one-vs-one"
"""500 points, of which the app's split trains on 350; 6 classes, all-pairs."""
PAGES = (
    "Data",
    "Code matrix",
    "Decoders",
    "Bits",
    "Relations",
    "Model selection",
    "Reductions",
    "Runs",
    "Papers",
    "Playground",
)
WAIT_MS, EVENT_MS = 30_000, 8_000
COLD_STARTS, WARM_VISITS, LOCAL, PRESSES, RERUNS, ROUNDS = 3, 5, 10, 9, 12, 2

TITLE = "The app's budgets"
NOTE = (
    "Wall-clock times are this run's machine's, with whatever else ran on it, in headless Chromium "
    "without a graphics card, browser and server sharing its processors. Medians unless a row says "
    "otherwise. Times to paint run from the event's own time stamp to the end of the frame that shows "
    "its effect. Cold: the first visit right after the server's first answer. Server time: of the whole "
    "process, per rerun of a page whose machines and regions are cached; the mean of many, because the "
    "system counts in hundredths of a second."
)

STAMPS = """
window.eco = (selector) => {
  if (window.ecoRoot && window.ecoRoot.isConnected) {
    const known = window.ecoRoot.querySelector(selector);
    if (known) return known;
  }
  for (const host of document.querySelectorAll('*')) {
    const found = host.shadowRoot && host.shadowRoot.querySelector(selector);
    if (found) { if (selector === '.rv') window.ecoRoot = host.shadowRoot; return found; }
  }
  return null;
};
// Run after the frame that is being made has been painted.
window.painted = (then) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => then(performance.now());
  channel.port2.postMessage(0);
});
window.digest = () => {
  const canvas = eco('canvas.base');
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 7;
  for (let i = 0; i < pixels.length; i += 4) {
    sum = (sum * 31 + pixels[i] + 3 * pixels[i + 1] + 7 * pixels[i + 2]) | 0;
  }
  return sum;
};
const first = () => {
  const view = eco('.rv');
  if (view && view.dataset.paintMs) painted((now) => { window.firstPicture = now; });
  else requestAnimationFrame(first);
};
requestAnimationFrame(first);
// From the next event of a kind to the frame after the regions' next painting (or, local, the next frame).
window.expectPaint = (kind, mode) => {
  window.took = null;
  const before = mode === 'changed' ? digest() : 0;
  window.addEventListener(kind, (event) => {
    const told = (now) => { window.took = now - event.timeStamp; };
    if (mode === 'frame') { painted(told); return; }
    const watch = new MutationObserver(() => painted((now) => {
      if (window.took !== null || (mode === 'changed' && digest() === before)) return;
      watch.disconnect(); told(now);
    }));
    watch.observe(eco('.rv'), { attributes: true, attributeFilter: ['data-paint-ms'] });
  }, { capture: true, once: true });
};
window.state = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
// From the next click to the first frame after the other page has run.
window.expectPage = () => {
  window.took = null;
  const turn = window.turn = (window.turn || 0) + 1;
  window.addEventListener('click', (event) => {
    const from = location.pathname;
    // Observers, because a short run can begin and end between two frames, or between two states.
    let ran = false;
    const watch = new MutationObserver(() => { ran = true; });
    watch.observe(document.querySelector('[data-testid="stApp"]'), {
      attributes: true, attributeFilter: ['data-test-script-state'],
    });
    watch.observe(document.querySelector('[data-testid="stMainBlockContainer"]'), {
      childList: true, subtree: true,
    });
    const look = () => {
      if (turn !== window.turn) return; // given up
      if (ran && location.pathname !== from && state() === 'notRunning') {
        watch.disconnect();
        painted((now) => { window.took = now - event.timeStamp; });
      } else requestAnimationFrame(look);
    };
    look();
  }, { capture: true, once: true });
};
"""


@dataclass
class Server:
    """A running app."""

    address: str
    process: subprocess.Popen[bytes]

    def cpu_seconds(self) -> float:
        """Return the processor time of the process so far; Linux only."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving() -> Iterator[Server]:
    """Run the app on a free port, with a home of its own."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "ecocviz.views.shared.app.serve",
        str(ROOT / "app.py"),
        "--server.port",
        str(port),
    ]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "ECOCVIZ_HOME": home},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield Server(f"http://127.0.0.1:{port}", process)
        finally:
            process.terminate()
            process.wait(timeout=20)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own server
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError("The app's server did not start within a minute.")


def opened(browser: Any, address: str, sizes: list[tuple[int, int]] | None = None) -> Any:
    """Open a page in a fresh browser context; note the size of every message, plain and deflated."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(STAMPS)
    page = context.new_page()

    def note(payload: str | bytes) -> None:
        content = payload.encode() if isinstance(payload, str) else payload
        if sizes is not None:
            sizes.append((len(content), len(zlib.compress(content))))

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    page.goto(address)
    page.wait_for_function("window.firstPicture !== undefined")
    return page


def settle(page: Any) -> None:
    """Wait until nothing has run for a while; what the browser holds back is sent within 250 ms."""
    page.wait_for_timeout(350)
    page.wait_for_function("state() === 'notRunning'")
    page.wait_for_timeout(100)


def first_picture(browser: Any, address: str) -> float:
    """Return the milliseconds from asking for the page to its painted regions."""
    page = opened(browser, address)
    took = float(page.evaluate("window.firstPicture"))
    settle(page)  # closed while it runs, its script would go on and hold up what is measured next
    page.context.close()
    return took


def timed_event(page: Any, expect: str, act: Callable[[], object]) -> float:
    """Return the milliseconds a page says an event took; infinity if nothing came of it."""
    from playwright.sync_api import TimeoutError as Late

    page.evaluate(expect)
    try:
        act()
        page.wait_for_function("window.took !== null", timeout=EVENT_MS)
    except Late:
        return inf
    return float(page.evaluate("window.took"))


def hovers(page: Any) -> list[float]:
    """Point at places of the regions."""
    box = page.locator("canvas.over").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    return [
        timed_event(
            page,
            "expectPaint('pointermove', 'frame')",
            lambda k=k: page.mouse.move(box["x"] + 80 + 25 * k, box["y"] + 80 + 20 * k),
        )
        for k in range(LOCAL)
    ]


def decoder_switches(page: Any) -> list[float]:
    """Switch to and fro between the decoders."""
    took = []
    for k in range(LOCAL):
        page.locator("canvas.over").focus()
        decoders = page.locator(".rv .decoders [role=radio], .rv .decoders option").count()
        wanted = str(k % 2 + 1 if k % 2 + 1 <= decoders else 1)
        if k == 0:  # the first is shown already, or not: either way, be elsewhere
            page.keyboard.press("3")
            settle(page)
        took.append(
            timed_event(
                page,
                "expectPaint('keydown', 'next')",
                lambda wanted=wanted: page.keyboard.press(wanted),
            )
        )
        settle(page)
    return took


def overlap_slider(page: Any) -> Any:
    """Return the slider of the data's overlap, unfolding its group."""
    slider = page.locator(".st-key-group-Data").get_by_role("slider", name=re.compile("Overlap"))
    if not slider.count() or not slider.is_visible():
        page.locator(".st-key-group-Data summary").click()
        slider.wait_for()
        settle(page)
    return slider


def slider_presses(page: Any) -> list[float]:
    """Press a key on a slider: new data, 15 machines trained, a new plane decoded."""
    slider = overlap_slider(page)
    took = []
    for _ in range(PRESSES):
        slider.focus()
        took.append(
            timed_event(page, "expectPaint('keydown', 'changed')", lambda: page.keyboard.press("ArrowRight"))
        )
        settle(page)
    return took[2:]  # the first two are the warming


def spent_per_rerun(page: Any, server: Server, act: Callable[[int], object]) -> float:
    """Return the server's mean milliseconds per rerun; the time it spends idle is taken off."""
    for k in range(2):
        act(k)
        settle(page)
    before, started = server.cpu_seconds(), time.monotonic()
    for k in range(RERUNS):
        act(k)
        settle(page)
    busy, lasted = server.cpu_seconds() - before, time.monotonic() - started
    before, started = server.cpu_seconds(), time.monotonic()
    page.wait_for_timeout(3_000)
    idle = (server.cpu_seconds() - before) / (time.monotonic() - started)
    return 1000 * (busy - idle * lasted) / RERUNS


def page_switches(page: Any) -> dict[str, list[float]]:
    """Go round the pages by their links."""
    took: dict[str, list[float]] = {name: [] for name in PAGES}
    for _ in range(ROUNDS + 1):
        for name in PAGES:
            link = page.get_by_test_id("stTopNavLink").filter(has_text=re.compile(f"^{name}$"))
            took[name].append(timed_event(page, "expectPage()", link.click))
            settle(page)
    return {name: times[1:] for name, times in took.items()}  # the first round is the warming


def row(what: str, measured: float, target: float, unit: str, detail: str) -> dict[str, object]:
    """Write one budget and what became of it."""
    return {
        "what": what,
        "measured": f"{measured:.0f} {unit}",
        "target": f"< {target:g} {unit}",
        "met": "yes" if measured < target else "no",
        "detail": detail,
    }


def of_times(what: str, times: list[float], target: float, detail: str = "") -> dict[str, object]:
    """Write the median of some milliseconds, and their range."""
    told = f"{min(times):.0f} to {max(times):.0f} ms in {len(times)}"
    return row(what, median(times), target, "ms", f"{told}; {detail}" if detail else told)


def journey(browser: Any, server: Server) -> list[dict[str, object]]:
    """Measure everything that happens after the first picture."""
    sizes: list[tuple[int, int]] = []
    page = opened(browser, f"{server.address}/?{PROBLEM}", sizes)
    settle(page)
    rows = [
        of_times("hover to paint", hovers(page), 50),
        of_times("decoder switch to paint", decoder_switches(page), 50, "by key"),
        of_times(
            "slider key press to new regions",
            slider_presses(page),
            300,
            "500 points, 6 classes, all-pairs; data, machines and plane are new at each press",
        ),
    ]
    slider = overlap_slider(page)

    def full(k: int) -> None:
        slider.focus()
        page.keyboard.press("ArrowRight" if k % 2 else "ArrowLeft")

    def part(k: int) -> None:
        page.locator("canvas.over").click(position={"x": 150 + 100 * (k % 2), "y": 200})

    if Path("/proc/self/stat").exists():
        spent = spent_per_rerun(page, server, full)
        rows.append(row("server time per rerun, whole page", spent, 40, "ms", "slider, everything cached"))
        spent = spent_per_rerun(page, server, part)
        rows.append(row("server time per rerun, a pick", spent, 40, "ms", "point decoded, not cached"))
    plain, deflated = max(sizes)
    rows.append(
        row("largest message, Playground", plain / 1000, 150, "kB", f"{deflated / 1000:.0f} kB deflated")
    )
    sizes.clear()
    page.goto(server.address)
    page.wait_for_function("window.firstPicture !== undefined")
    settle(page)
    switches = page_switches(page)
    rows += [of_times(f"page switch to {name}", times, 1000) for name, times in switches.items()]
    plain, deflated = max(sizes)
    rows.append(
        row("largest message, all pages", plain / 1000, 150, "kB", f"{deflated / 1000:.0f} kB deflated")
    )
    page.context.close()
    return rows


def measure() -> Table:
    named = os.environ.get("ECOCVIZ_CHROMIUM")
    chromium = shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None or find_spec("playwright") is None:
        missing = "playwright" if chromium else "Chromium"
        return Table(TITLE, f"Not measured: {missing} was not found.")
    from playwright.sync_api import sync_playwright

    table = Table(TITLE, NOTE)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=LAUNCH)
        cold = []
        for _ in range(COLD_STARTS):
            with serving() as server:
                cold.append(first_picture(browser, server.address))
        with serving() as server:
            first_picture(browser, server.address)
            warm = [first_picture(browser, server.address) for _ in range(WARM_VISITS)]
            rows = journey(browser, server)
        browser.close()
    table.rows = [
        of_times("first picture, cold server", cold, 3000),
        of_times("first picture, warm server", warm, 1500),
        *rows,
    ]
    return table
