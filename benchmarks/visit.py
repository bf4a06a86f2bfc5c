"""What a new visit costs a warm server: its processor time, requests and bytes.

    python benchmarks/visit.py                            # this checkout
    python benchmarks/visit.py --checkout PATH --json
    python benchmarks/visit.py --kinds socket --profile   # and where the time goes (needs py-spy)

A visit opens the first screen, which the server knows. `new`: a browser with nothing in its cache. `again`:
one that has been here. `socket`: only what comes after the files, a client that asks as a browser does.
`crowd`: many such clients within two seconds. Linux only.
"""

import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks._sampled import Profile, listing  # noqa: E402 - the path comes first
from benchmarks.app import LAUNCH, STAMPS, WAIT_MS, row  # noqa: E402 - the path comes first
from benchmarks.cached_change import (  # noqa: E402 - the path comes first
    QUIET_MS,
    Server,
    chromium,
    contents,
    idle_share,
    parser_of,
    quiet,
    serving,
    tell,
    until_quiet,
)
from benchmarks.common import Table  # noqa: E402 - the path comes first

VISITS, WARMING = 15, 3
CROWD, WITHIN_SECONDS = 20, 2.0
TARGET_MS = 40
KINDS = ("new", "again", "socket", "crowd")
LONGEST_SECONDS = 60

TITLE = "A new visit"
NOTE = (
    f"Medians over {VISITS} visits to a warm server of its processor time, idle time taken off. new: a "
    "browser with an empty cache; again: one that has been here; socket: a bare client, which asks for no "
    f"files; crowd: {CROWD} bare clients within {WITHIN_SECONDS:g} s."
)


@dataclass
class Visit:
    """What one visit cost.

    Attributes
    ----------
    shown_ms
        From asking for the page to its painted regions; of a bare client, to the end of the script.
    requests
        Bytes of each answer, by path.
    """

    cpu_ms: float
    shown_ms: float
    messages: list[bytes] = field(repr=False)
    requests: dict[str, int] = field(default_factory=dict, repr=False)


class Meter:
    """Takes the idle time off what a server spends."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.idle = idle_share(server, lambda ms: time.sleep(ms / 1000))
        self._spent, self._began = server.cpu_ms(), time.monotonic()

    def start(self) -> None:
        """Begin to count."""
        self._spent, self._began = self.server.cpu_ms(), time.monotonic()

    def read(self) -> float:
        """Return the milliseconds spent since."""
        return self.server.cpu_ms() - self._spent - 1000 * self.idle * (time.monotonic() - self._began)


# A browser -------------------------------------------------------------------------------------------


@contextmanager
def browsing() -> Iterator[Any]:
    """Open a browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        yield browser
        browser.close()


def new_context(browser: Any) -> Any:
    """Return a browser context with nothing in its cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(STAMPS)
    return context


def visit(context: Any, meter: Meter) -> Visit:
    """Open the first screen, wait until all is quiet, and leave."""
    found = Visit(0.0, 0.0, [])
    page = context.new_page()

    def note(payload: str | bytes) -> None:
        found.messages.append(payload.encode() if isinstance(payload, str) else payload)

    def loaded(event: dict[str, Any]) -> None:
        served[event["requestId"]] = int(event["encodedDataLength"])

    def answered(event: dict[str, Any]) -> None:
        response = event["response"]
        if not response.get("fromDiskCache"):
            paths[event["requestId"]] = urlsplit(response["url"]).path

    # What comes from a browser's memory is answered too, but sends nothing.
    paths: dict[str, str] = {}
    served: dict[str, int] = {}
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.responseReceived", answered)
    wire.on("Network.loadingFinished", loaded)
    wire.on("Network.requestServedFromCache", lambda event: paths.pop(event["requestId"], None))
    page.on("websocket", lambda opened: opened.on("framereceived", note))
    meter.start()
    page.goto(meter.server.address)
    page.wait_for_function("window.firstPicture !== undefined")
    until_quiet(page, meter.server)
    found.cpu_ms, found.shown_ms = meter.read(), float(page.evaluate("window.firstPicture"))
    found.requests = {path: served[key] for key, path in paths.items() if served.get(key)}
    page.close()
    return found


# A bare client ---------------------------------------------------------------------------------------


def first_words(address: str) -> bytes:
    """Return what a browser asks of the server once it is connected."""
    from streamlit.proto.BackMsg_pb2 import BackMsg

    asked = BackMsg()
    asked.rerun_script.widget_states.SetInParent()
    context = asked.rerun_script.context_info
    context.timezone, context.locale, context.color_scheme = "UTC", "en-US", "light"
    context.timezone_offset, context.url, context.is_embedded = 0, f"{address}/", False
    return asked.SerializeToString()


def over(message: bytes) -> bool:
    """Say whether a message is the end of a script."""
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    return len(message) < 100 and ForwardMsg.FromString(message).WhichOneof("type") == "script_finished"


def called(address: str) -> tuple[float, list[bytes], Callable[[], None]]:
    """Ask for the first screen; return the milliseconds until it was there, its messages, what hangs up."""
    from websockets.sync.client import connect

    began, messages = time.monotonic(), list[bytes]()
    target = f"ws{address.removeprefix('http')}/_stcore/stream"
    with ExitStack() as opened:
        line = opened.enter_context(
            connect(target, subprotocols=["streamlit"], max_size=None, origin=address)
        )
        line.send(first_words(address))
        while not messages or not over(messages[-1]):
            received = line.recv(LONGEST_SECONDS)
            messages.append(received.encode() if isinstance(received, str) else received)
        return 1000 * (time.monotonic() - began), messages, opened.pop_all().close


def call(meter: Meter) -> Visit:
    """Ask for the first screen, wait until all is quiet, and hang up."""
    meter.start()
    took, messages, hang_up = called(meter.server.address)
    rest(meter.server)
    spent = meter.read()
    hang_up()
    return Visit(spent, took, messages)


def crowd(meter: Meter, n: int) -> list[Visit]:
    """Let many clients come within two seconds; each is said to have cost the same."""
    met: list[tuple[float, list[bytes], Callable[[], None]]] = []
    clients = [
        threading.Timer(WITHIN_SECONDS * k / n, lambda: met.append(called(meter.server.address)))
        for k in range(n)
    ]
    meter.start()
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    rest(meter.server)
    spent = meter.read()
    for _, _, hang_up in met:
        hang_up()
    if len(met) < n:
        raise RuntimeError(f"{n - len(met)} of {n} clients were not served.")
    return [Visit(spent / n, took, messages) for took, messages, _ in met]


def rest(server: Server) -> None:
    """Wait until the server is quiet."""
    quiet(server, lambda: time.sleep(QUIET_MS / 1000))


# Everything ------------------------------------------------------------------------------------------


def visits(kind: str, meter: Meter, n: int) -> list[Visit]:
    """Make some visits of a kind, the server at rest before each."""
    found: list[Visit] = []
    if kind == "crowd":
        return crowd(meter, n)
    with browsing() if kind in {"new", "again"} else nullcontext() as browser:
        kept = None if browser is None else new_context(browser)
        if kind == "again":
            visit(kept, meter)
        for _ in range(n):
            rest(meter.server)
            if kind == "socket":
                found.append(call(meter))
                continue
            context = kept if kind == "again" else new_context(browser)
            found.append(visit(context, meter))
            if context is not kept:
                context.close()
    return found


def summary(found: list[Visit]) -> dict[str, Any]:
    """Return the numbers of some visits."""
    cpu, shown = [one.cpu_ms for one in found], sorted(one.shown_ms for one in found)
    return {
        "visits": len(found),
        "cpu_ms_median": round(median(cpu), 1),
        "cpu_ms_mean": round(statistics.mean(cpu), 1),
        "cpu_ms_least": round(min(cpu), 1),
        "cpu_ms_most": round(max(cpu), 1),
        "shown_ms_median": round(median(shown), 1),
        "shown_ms_p95": round(shown[int(0.95 * (len(shown) - 1))], 1),
        "requests_median": median(len(one.requests) for one in found),
        "http_kB_median": round(median(sum(one.requests.values()) for one in found) / 1000, 1),
        "messages_median": median(len(one.messages) for one in found),
        "socket_kB_median": round(median(sum(map(len, one.messages)) for one in found) / 1000, 1),
        "contents": contents([one.messages for one in found]),
        "files": dict(sorted(found[-1].requests.items(), key=lambda one: -one[1])),
    }


def line(kind: str, numbers: dict[str, Any]) -> str:
    """Write the numbers of a kind in one line."""
    return (
        f"{kind}: {numbers['cpu_ms_median']:.1f} ms of the server (mean {numbers['cpu_ms_mean']:.1f}, "
        f"{numbers['cpu_ms_least']:.1f} to {numbers['cpu_ms_most']:.1f}), {numbers['requests_median']:.0f} "
        f"requests with {numbers['http_kB_median']:.0f} kB, {numbers['messages_median']:.0f} messages with "
        f"{numbers['socket_kB_median']:.0f} kB, shown after {numbers['shown_ms_median']:.0f} ms (95 %: "
        f"{numbers['shown_ms_p95']:.0f}); {numbers['visits']} visits"
    )


def measured(checkout: Path, kinds: tuple[str, ...], n: int, *, profiled: bool) -> dict[str, dict[str, Any]]:
    """Measure some kinds of visit to a checkout's app."""
    found: dict[str, dict[str, Any]] = {}
    with serving(checkout) as server:
        for _ in range(WARMING):
            called(server.address)[2]()
            time.sleep(1)
        rest(server)
        meter = Meter(server)
        for kind in kinds:
            found[kind] = summary(visits(kind, meter, CROWD if kind == "crowd" else n))
            if profiled:
                profile = Profile()
                with profile.taken(server.pid):
                    visits(kind, meter, CROWD if kind == "crowd" else n)
                found[kind]["profile"] = listing(profile, checkout, found[kind]["cpu_ms_median"], 40)
    return found


def measure() -> Table:
    if chromium() is None or not Path("/proc/self/stat").exists():
        return Table(TITLE, "Not measured: Chromium was not found, or this is no Linux.")
    table = Table(TITLE, NOTE)
    for kind, numbers in measured(ROOT, KINDS, VISITS, profiled=False).items():
        told = f"{numbers['requests_median']:.0f} requests, shown after {numbers['shown_ms_median']:.0f} ms"
        table.rows.append(row(f"{kind}: server time", numbers["cpu_ms_median"], TARGET_MS, "ms", told))
    return table


def main() -> None:
    parser = parser_of(__doc__, KINDS)
    parser.add_argument("--visits", type=int, default=VISITS)
    chosen = parser.parse_args()
    found = measured(chosen.checkout.resolve(), tuple(chosen.kinds), chosen.visits, profiled=chosen.profile)
    tell(found, line, as_json=chosen.json)


if __name__ == "__main__":
    main()
