"""Record what browsers send while people go through a lesson: `python -m benchmarks.load.record`.

Every recorded message is also compared with what the benchmark's own client would have sent.
"""

import argparse
import asyncio
import json
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.app import LAUNCH
from benchmarks.cached_change import chromium
from benchmarks.load.journeys import JOURNEYS, LONGEST_PAUSE, Person
from benchmarks.load.journeys_evidence import EVIDENCE
from benchmarks.load.kept_runs import N_RUNS
from benchmarks.load.recordings import EVIDENCE_FOLDER, FOLDER, Recording, Step
from benchmarks.load.screen import Screen, event_id, key_of
from benchmarks.load.server import serving

ROOT = Path(__file__).resolve().parents[2]
ALL = JOURNEYS | EVIDENCE
PULSE = "-pulse."
"""In the id of the component that asks whether a job is done."""
EVENTS_BEGIN, EVENTS_END = event_id("\0").split("\0")


class Recorder:
    """Listens to one tab's connection."""

    def __init__(self, address: str) -> None:
        self.screen = Screen(address)
        self.steps: list[Step] = []
        self.differences: list[str] = []
        self._before = time.monotonic()

    def begins(self) -> None:
        """Count the first pause from now."""
        self._before = time.monotonic()

    def hear(self, frame: bytes) -> None:
        """Take a message of the server."""
        self.screen.take(frame)

    def see(self, frame: bytes) -> None:
        """Take a message of the browser, and write down what the person did."""
        asked = BackMsg.FromString(frame).rerun_script
        said = list(asked.widget_states.widgets)
        if asked.is_auto_rerun:
            return
        if self.screen.page and asked.page_script_hash != self.screen.page:
            path = next(path for path, page in self.screen.pages.items() if page == asked.page_script_hash)
            self._compare(asked, self.screen.request(page=f"/{path}"))
            self._note(page=f"/{path}")
            return
        # The client has pulses of its own; what else comes with one are defaults that widgets tell.
        asks_by_itself = any(PULSE in state.id for state in said)
        part = ""
        events = []
        for state in said:
            once = state.WhichOneof("value") in ("trigger_value", "json_trigger_value")
            if self.screen.states.get(state.id) == state:
                continue
            key = key_of(state.id.removeprefix(EVENTS_BEGIN).removesuffix(EVENTS_END))
            if not asks_by_itself:
                self._note(key=key, says=news(state, self.screen.states.get(state.id)))
            if once or not asks_by_itself:
                node = self.screen.widget(key)
                part = node.fragment if node is not None else ""
            if once:
                events.append(state)
            else:
                self.screen.states[state.id] = WidgetState.FromString(state.SerializeToString())
        self._compare(asked, self.screen.request(part=part, events=events))

    def _note(self, **what: Any) -> None:
        now = time.monotonic()
        # A computer that is slow while it records is no part of what a person does.
        self.steps.append(Step(round(min(now - self._before, LONGEST_PAUSE), 2), **what))
        self._before = now

    def _compare(self, asked: Any, request: bytes) -> None:
        """Note what the benchmark's client would have sent differently."""
        mine = BackMsg.FromString(request).rerun_script
        pairs = {
            "widgets": (
                {w.id: w for w in asked.widget_states.widgets},
                {w.id: w for w in mine.widget_states.widgets},
            ),
            "kept messages": (set(asked.cached_message_hashes), set(mine.cached_message_hashes)),
            "query": (asked.query_string, mine.query_string),
            "part": (asked.fragment_id, mine.fragment_id),
            "page": (asked.page_script_hash, mine.page_script_hash),
            "page's name": (asked.page_name, mine.page_name),
        }
        for what, (theirs, ours) in pairs.items():
            if theirs != ours:
                self.differences.append(
                    f"step {len(self.steps)}, {what}: the browser {theirs}, the client {ours}"
                )


def news(state: WidgetState, before: WidgetState | None) -> dict[str, Any]:
    """Return what a widget says that it did not say before; of several values in JSON, those that are new."""
    says = MessageToDict(state, preserving_proto_field_name=True)
    del says["id"]
    if "json_value" in says:
        known = json.loads(before.json_value) if before is not None else {}
        says["json_value"] = {
            name: value for name, value in json.loads(says["json_value"]).items() if known.get(name) != value
        }
    return says


async def recorded(browser: Any, address: str, name: str) -> tuple[Recording, list[str]]:
    """Act out a journey in a tab of its own, and return its recording."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    recorder = Recorder(address)

    def listen(socket: Any) -> None:
        socket.on("framesent", recorder.see)
        socket.on("framereceived", recorder.hear)

    page.on("websocket", listen)
    await page.goto(address)
    await page.locator(".rv[data-paint-ms]").wait_for()
    recorder.begins()
    person = Person(page, name)
    await person.think()
    await ALL[name](person)
    made_with = f"Streamlit {version('streamlit')}, Chromium {browser.version}"
    await context.close()
    return Recording(name, made_with, tuple(recorder.steps)), recorder.differences


async def record(names: list[str], folder: Path | None) -> list[str]:
    """Record some journeys at the same time; return the differences to the benchmark's own client."""
    from playwright.async_api import async_playwright

    with serving(ROOT, ["--no-browser"], kept_runs=N_RUNS) as server:
        async with async_playwright() as play:
            browser = await play.chromium.launch(executable_path=chromium(), args=LAUNCH)
            found = await asyncio.gather(*(recorded(browser, server.address, name) for name in names))
            await browser.close()
    for recording, _ in found:
        recording.write(folder or (EVIDENCE_FOLDER if recording.name in EVIDENCE else FOLDER))
    return [f"{recording.name}: {line}" for recording, lines in found for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(ALL), help="which journeys; all if left out")
    parser.add_argument("--folder", type=Path, help="where to; to their places if left out")
    chosen = parser.parse_args()
    for line in asyncio.run(record(chosen.names, chosen.folder)):
        print(line)


if __name__ == "__main__":
    main()
