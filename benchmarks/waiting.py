"""What waiting costs: processor time and messages of the server per second in which one browser waits.

    python benchmarks/waiting.py                          # this checkout
    python benchmarks/waiting.py --checkout PATH --json

The jobs that are waited for only sleep (`_sleeping_app.py`), so that all processor time is spent on
waiting. Linux only.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.app import LAUNCH, row  # noqa: E402 - the path comes first
from benchmarks.cached_change import (  # noqa: E402 - the path comes first
    LINK,
    Server,
    acts,
    chromium,
    idle_share,
    opened,
    serving,
    unfold,
    until_quiet,
)
from benchmarks.common import Table  # noqa: E402 - the path comes first

TRAINING_SECONDS, READING_SECONDS = 30, 2
"""How long the machines of one scenario are trained, and those of one value of a curve."""
WATCHED_SECONDS = 15.0
TARGETS = {"training": 8.0, "curve": 16.0, "hidden": 1.0}

TITLE = "Waiting for a job"
NOTE = (
    f"One browser waits {WATCHED_SECONDS:.0f} s for jobs that only sleep: the server's processor time and "
    "messages a second, idle time taken off. Training: the Playground, with the setting before on the "
    "screen. Curve: Model selection, a value every two seconds. Hidden: the training, in a tab that nobody "
    "sees."
)

HIDE = """(hidden) => {
  const value = hidden ? 'hidden' : 'visible';
  Object.defineProperty(document, 'visibilityState', { value, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


@dataclass
class Waiting:
    """What was spent and sent per second."""

    cpu_ms: float
    received: float
    asked: float
    kb: float


def watched(page: Any, server: Server, idle: float, messages: list[bytes], asked: list[object]) -> Waiting:
    """Watch a page that waits."""
    messages.clear()
    asked.clear()
    before, began = server.cpu_ms(), time.monotonic()
    page.wait_for_timeout(1000 * WATCHED_SECONDS)
    passed = time.monotonic() - began
    spent = server.cpu_ms() - before - 1000 * idle * passed
    sent = sum(map(len, messages)) / 1000
    return Waiting(
        round(spent / passed, 2),
        round(len(messages) / passed, 2),
        round(len(asked) / passed, 2),
        round(sent / passed, 2),
    )


def waits(browser: Any, server: Server, begin: Callable[[Any], None], link: str) -> Waiting:
    """Open the Playground, begin to wait, and watch."""
    messages: list[bytes] = []
    asked: list[object] = []
    page = opened(browser, server.address, link, messages)

    def note(question: object) -> None:
        asked.append(question)

    page.on("websocket", lambda socket: socket.on("framesent", note))
    page.reload()  # now what is sent is counted too
    page.wait_for_function("window.firstPicture !== undefined")
    until_quiet(page, server)
    unfold(page, server)
    idle = idle_share(page, server)
    begin(page)
    page.get_by_role("button", name="Cancel").first.wait_for()
    found = watched(page, server, idle, messages, asked)
    page.context.close()
    return found


def train(page: Any) -> None:
    """Move the slider of gamma."""
    acts(page, 2)["slider"][1](0)


def train_hidden(page: Any) -> None:
    """Move the slider, and look elsewhere."""
    train(page)
    page.get_by_role("button", name="Cancel").first.wait_for()
    page.evaluate(HIDE, True)
    page.wait_for_timeout(1_000)  # what was on its way


def trace(page: Any) -> None:
    """Go to the page of curves."""
    page.get_by_test_id("stTopNavLink").filter(has_text="Model selection").click()


KINDS: dict[str, tuple[Callable[[Any], None], int]] = {
    "training": (train, TRAINING_SECONDS),
    "hidden": (train_hidden, TRAINING_SECONDS + 1),
    "curve": (trace, READING_SECONDS),
}


def measured(checkout: Path, kinds: tuple[str, ...]) -> dict[str, Waiting]:
    """Measure some kinds of waiting on a checkout's app."""
    from playwright.sync_api import sync_playwright

    program = (str(ROOT / "benchmarks" / "_sleeping_app.py"), str(checkout / "app.py"))
    found = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        for kind in kinds:
            begin, seed = KINDS[kind]
            with serving(checkout, *program, option="--server.port") as server:
                found[kind] = waits(browser, server, begin, f"{LINK}&seed={seed}")
        browser.close()
    return found


def measure() -> Table:
    if chromium() is None or not Path("/proc/self/stat").exists():
        return Table(TITLE, "Not measured: Chromium was not found, or this is no Linux.")
    table = Table(TITLE, NOTE)
    for kind, numbers in measured(ROOT, tuple(KINDS)).items():
        told = f"{numbers.asked:.1f} questions, {numbers.received:.1f} messages, {numbers.kb:.1f} kB a second"
        table.rows.append(row(f"{kind}: server time a second", numbers.cpu_ms, TARGETS[kind], "ms", told))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", type=Path, default=ROOT)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=tuple(KINDS))
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    chosen = parser.parse_args()
    found = measured(chosen.checkout.resolve(), tuple(chosen.kinds))
    if chosen.json:
        print(json.dumps({kind: asdict(numbers) for kind, numbers in found.items()}, indent=1))
        return
    for kind, numbers in found.items():
        print(
            f"{kind}: {numbers.cpu_ms:.1f} ms of the server, {numbers.asked:.1f} questions, "
            f"{numbers.received:.1f} messages, {numbers.kb:.1f} kB a second"
        )


if __name__ == "__main__":
    main()
