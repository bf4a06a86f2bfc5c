"""What a cached change on the Playground costs: processor time of the server, and bytes to the browser.

    python benchmarks/cached_change.py                          # this checkout
    python benchmarks/cached_change.py --checkout PATH --json
    python benchmarks/cached_change.py --kinds slider --profile # and where the time goes (needs py-spy)

One browser goes through a few settings that the server has computed before, again and again: the slider
of gamma by its arrow keys, the decoder by its key on the picture, a pick by clicks. A change ends when
the browser shows its effect and the server is quiet again. Linux only.
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks._sampled import Profile, listing  # noqa: E402 - the path comes first
from benchmarks.app import (  # noqa: E402 - the path comes first
    BROWSERS,
    LAUNCH,
    PROBLEM,
    STAMPS,
    WAIT_MS,
    row,
    wait_for,
)
from benchmarks.common import Table  # noqa: E402 - the path comes first

LINK = "machine.gamma=0.5"
"""The first screen, but for a gamma that is a number, so that it has a slider."""
PROBLEM_LINK = f"{PROBLEM}&{LINK}"
CHANGES, STOPS = 40, 5
"""A browser keeps large messages of the last two runs: of two settings it would be sent next to nothing."""
IDLE_MS = 3_000
QUIET_MS, QUIET_CPU_MS, QUIET_TIMES = 40, 1.0, 2
"""The server is quiet when it has used less than so much processor time in so long, so many times."""
TARGET_MS, TARGET_KB = 20, 60
KINDS = ("slider", "decoder", "pick")

TITLE = "A cached change on the Playground"
NOTE = (
    f"One browser, again and again through {STOPS} settings that the server knows: medians over {CHANGES} "
    "changes of the server's processor time, idle time taken off, and of the bytes of all "
    "websocket messages before compression."
)

CHANGED = """
// From the next event of a kind to the frame in which an element's text is another.
window.expectText = (kind, selector) => {
  window.took = null;
  const before = eco(selector).innerText;
  window.addEventListener(kind, (event) => {
    const look = (now) => {
      const found = eco(selector);
      if (found && found.innerText && found.innerText !== before) window.took = now - event.timeStamp;
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true });
};
"""


@dataclass
class Server:
    """A running app."""

    address: str
    pid: int

    def cpu_ms(self) -> float:
        """Return the processor time of all its threads so far, those that have ended included."""
        # Linux numbers the clock of another process so: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED).
        return 1000 * time.clock_gettime((~self.pid << 3) | 2)


@dataclass
class Change:
    """What one change cost."""

    cpu_ms: float
    picture_ms: float
    messages: list[bytes] = field(repr=False)

    @property
    def n_bytes(self) -> int:
        """Bytes of all messages."""
        return sum(map(len, self.messages))


@dataclass(frozen=True)
class Plan:
    """What is measured: which app, which scenario, how many changes between how many settings."""

    checkout: Path = ROOT
    link: str = LINK
    n: int = CHANGES
    stops: int = STOPS
    profiled: bool = False


@contextmanager
def serving(checkout: Path, *program: str, option: str = "--port") -> Iterator[Server]:
    """Run a checkout's app on a free port, with a home of its own.

    Parameters
    ----------
    checkout
        Whose app.
    program
        Arguments of Python that start it; those of the command `ecocviz` if left out.
    option
        By which the program is told the port.
    """
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = [sys.executable, *(program or ("-m", "ecocviz.cli", "--no-browser")), option, str(port)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        process = subprocess.Popen(
            command,
            cwd=checkout,
            env={**os.environ, "ECOCVIZ_HOME": home, "PYTHONPATH": str(checkout)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield Server(f"http://127.0.0.1:{port}", process.pid)
        finally:
            process.terminate()
            process.wait(timeout=20)


def opened(browser: Any, address: str, link: str, messages: list[bytes]) -> Any:
    """Open the Playground in a fresh browser context; note every message."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(STAMPS + CHANGED)
    page = context.new_page()

    def note(payload: str | bytes) -> None:
        messages.append(payload.encode() if isinstance(payload, str) else payload)

    page.on("websocket", lambda opened: opened.on("framereceived", note))
    page.goto(f"{address}/?{link}")
    page.wait_for_function("window.firstPicture !== undefined")
    return page


def quiet(server: Server, wait: Callable[[], object]) -> None:
    """Wait, again and again, until the server does nothing any more meanwhile."""
    times = 0
    while times < QUIET_TIMES:
        before = server.cpu_ms()
        wait()
        times = times + 1 if server.cpu_ms() - before < QUIET_CPU_MS else 0


def until_quiet(page: Any, server: Server) -> None:
    """Wait until the page's script has ended and the server does nothing any more."""

    def wait() -> None:
        page.wait_for_timeout(QUIET_MS)
        page.wait_for_function("state() === 'notRunning'")

    quiet(server, wait)


def acts(page: Any, stops: int) -> dict[str, tuple[str, Callable[[int], object]]]:
    """Return, for each kind of change, what to wait for, and what does the k-th change.

    The slider goes up and down over so many values, the others go round as many decoders or places.
    """

    def slide(k: int) -> None:
        slider = page.locator(".st-key-group-Machine").get_by_role("slider", name=re.compile("γ"))
        slider.focus()
        page.keyboard.press("ArrowRight" if k % (2 * stops - 2) < stops - 1 else "ArrowLeft")

    def switch(k: int) -> None:
        page.locator("canvas.over").focus()
        shown = min(stops, page.locator(".rv .decoders [role=radio]").count())
        page.keyboard.press(str(k % shown + 1))

    def pick(k: int) -> None:
        page.locator("canvas.over").click(position={"x": 100 + 60 * (k % stops), "y": 200})

    return {
        "slider": ("expectPaint('keydown', 'changed')", slide),
        "decoder": ("expectText('keydown', '.cg')", switch),
        "pick": ("expectText('pointerdown', '.in .head')", pick),
    }


def unfold(page: Any, server: Server) -> None:
    """Unfold the machine's group, where the slider is."""
    group = page.locator(".st-key-group-Machine")
    group.locator("summary").filter(has_text=re.compile("Machine")).click()
    group.get_by_role("slider", name=re.compile("γ")).wait_for()
    until_quiet(page, server)


def idle_share(server: Server, wait: Callable[[float], object]) -> float:
    """Return the share of a processor that the server takes with nothing to do; `wait` waits milliseconds."""
    before, began = server.cpu_ms(), time.monotonic()
    wait(IDLE_MS)
    return (server.cpu_ms() - before) / 1000 / (time.monotonic() - began)


def change(
    page: Any, server: Server, expect: str, act: Callable[[], object], messages: list[bytes], idle: float
) -> Change:
    """Make one change, wait for its picture, and return what it cost."""
    messages.clear()
    page.evaluate(expect)
    before, began = server.cpu_ms(), time.monotonic()
    act()
    page.wait_for_function("window.took !== null")
    until_quiet(page, server)
    spent = server.cpu_ms() - before - 1000 * idle * (time.monotonic() - began)
    return Change(spent, float(page.evaluate("window.took")), list(messages))


def changes(
    page: Any,
    server: Server,
    kind: str,
    plan: Plan,
    messages: list[bytes],
    profiled: Profile | None = None,
) -> list[Change]:
    """Make every setting known, then make the changes."""
    expect, act = acts(page, plan.stops)[kind]
    warming = 2 * (2 * plan.stops - 2)
    for k in range(warming):
        change(page, server, expect, lambda k=k: act(k), messages, 0.0)
    idle = idle_share(server, page.wait_for_timeout)
    with nullcontext() if profiled is None else profiled.taken(server.pid):
        return [
            change(page, server, expect, lambda k=k: act(k), messages, idle)
            for k in range(warming, warming + plan.n)
        ]


def summary(found: list[Change]) -> dict[str, float]:
    """Return the numbers of some changes."""
    cpu = [one.cpu_ms for one in found]
    sent = [one.n_bytes for one in found]
    return {
        "changes": len(found),
        "cpu_ms_median": round(median(cpu), 1),
        "cpu_ms_mean": round(mean(cpu), 1),
        "cpu_ms_least": round(min(cpu), 1),
        "cpu_ms_most": round(max(cpu), 1),
        "kB_median": round(median(sent) / 1000, 1),
        "kB_mean": round(mean(sent) / 1000, 1),
        "kB_deflated_median": round(
            median(sum(len(zlib.compress(message)) for message in one.messages) for one in found) / 1000, 1
        ),
        "messages_median": median(len(one.messages) for one in found),
        "picture_ms_median": round(median(one.picture_ms for one in found), 1),
    }


def line(kind: str, numbers: dict[str, float]) -> str:
    """Write the numbers of a kind in one line."""
    return (
        f"{kind}: {numbers['cpu_ms_median']:.1f} ms of the server (mean {numbers['cpu_ms_mean']:.1f}), "
        f"{numbers['kB_median']:.0f} kB ({numbers['kB_deflated_median']:.0f} deflated) in "
        f"{numbers['messages_median']:.0f} messages, picture after {numbers['picture_ms_median']:.0f} ms; "
        f"{numbers['changes']} changes"
    )


# What the bytes are ----------------------------------------------------------------------------------


def contents(found: list[list[bytes]]) -> dict[str, dict[str, float]]:
    """Return the kB and messages per change of every kind of message, the largest first."""
    sizes: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for messages in found:
        for message in messages:
            name = message_name(message)
            sizes[name] += len(message)
            numbers[name] += 1
    return {
        name: {"kB": round(size / 1000 / len(found), 2), "messages": round(numbers[name] / len(found), 2)}
        for name, size in sizes.most_common()
    }


def message_name(message: bytes) -> str:
    """Say what a message of Streamlit's is: its kind, its element, its component."""
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    told = ForwardMsg.FromString(message)
    kind = str(told.WhichOneof("type"))
    if kind != "delta":
        return kind
    kind = str(told.delta.WhichOneof("type"))
    if kind != "new_element":
        return kind
    element = told.delta.new_element
    name = str(element.WhichOneof("type"))
    component = getattr(getattr(element, name), "component_name", "")
    return f"{name} {component}".strip()


# Everything ------------------------------------------------------------------------------------------


def chromium() -> str | None:
    """Return the path of a browser."""
    import shutil

    named = os.environ.get("ECOCVIZ_CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)


def measured(plan: Plan, kinds: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Measure some kinds of change on a checkout's app."""
    from playwright.sync_api import sync_playwright

    found: dict[str, dict[str, Any]] = {}
    with sync_playwright() as play, serving(plan.checkout) as server:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        messages: list[bytes] = []
        page = opened(browser, server.address, plan.link, messages)
        until_quiet(page, server)
        unfold(page, server)
        for kind in kinds:
            made = changes(page, server, kind, plan, messages)
            found[kind] = summary(made) | {"contents": contents([one.messages for one in made])}
            if plan.profiled:
                profile = Profile()
                changes(page, server, kind, plan, messages, profile)
                found[kind]["profile"] = listing(profile, plan.checkout, found[kind]["cpu_ms_median"], 30)
        browser.close()
    return found


def measure() -> Table:
    if chromium() is None or not Path("/proc/self/stat").exists():
        return Table(TITLE, "Not measured: Chromium was not found, or this is no Linux.")
    table = Table(TITLE, NOTE)
    for kind, numbers in measured(Plan(), KINDS).items():
        told = f"picture after {numbers['picture_ms_median']:.0f} ms"
        table.rows += [
            row(f"{kind}: server time", numbers["cpu_ms_median"], TARGET_MS, "ms", told),
            row(f"{kind}: sent", numbers["kB_median"], TARGET_KB, "kB", ""),
        ]
    return table


def parser_of(description: str | None, kinds: tuple[str, ...]) -> argparse.ArgumentParser:
    """Return the options of a measurement by kinds."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", type=Path, default=ROOT)
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--profile", action="store_true", help="say where the server's time goes (py-spy)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    return parser


def tell(
    found: dict[str, dict[str, Any]], line: Callable[[str, dict[str, Any]], str], *, as_json: bool
) -> None:
    """Print what was measured, a line a kind, and what its largest messages and files are."""
    if as_json:
        print(json.dumps(found, indent=1))
        return
    for kind, numbers in found.items():
        print(line(kind, numbers))
        for name, sizes in list(numbers["contents"].items())[:8]:
            print(f"    {sizes['kB']:7.2f} kB in {sizes['messages']:5.2f} messages: {name}")
        for name, size in list(numbers.get("files", {}).items())[:4]:
            print(f"    {size / 1000:7.1f} kB: {name}")
        if "profile" in numbers:
            print(f"\n# {kind}: {numbers['profile']}\n")


def main() -> None:
    parser = parser_of(__doc__, KINDS)
    parser.add_argument("--link", default=LINK, help="fields of the scenario, with a number for gamma")
    parser.add_argument("--large", action="store_true", help="the scenario of the app's budgets")
    parser.add_argument("--changes", type=int, default=CHANGES)
    parser.add_argument("--stops", type=int, default=STOPS, help="settings gone through")
    chosen = parser.parse_args()
    link = PROBLEM_LINK if chosen.large else chosen.link
    plan = Plan(chosen.checkout.resolve(), link, chosen.changes, chosen.stops, chosen.profile)
    found = measured(plan, tuple(chosen.kinds))
    tell(found, line, as_json=chosen.json)


if __name__ == "__main__":
    main()
