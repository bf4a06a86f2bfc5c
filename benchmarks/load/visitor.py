"""Somebody in a class: goes through a recorded lesson again and again, and clicks when told to."""

import asyncio
import itertools
import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from google.protobuf.json_format import ParseDict
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.client import GaveUpError, Tab
from benchmarks.load.measures import Log
from benchmarks.load.recordings import Recording, Step, misfit
from benchmarks.load.screen import Node, Screen, event_id

FIRST_SEED = 100_000
"""Of those that nobody has had before."""
OWN_SEED = re.compile(r"(^|&)seed=\d{6}")
PACE = 1.25
"""The recorded people pause for 3.9 s in the mean; a class's mean is to be a change each 5 s."""
HELD_SECONDS = 3.0
"""How long a component keeps back what it has to say while a run is under way."""
APPEARS_SECONDS = 5.0
"""A widget that is not there so long after all has arrived is not there."""


@dataclass
class Class:
    """What all visitors share.

    Attributes
    ----------
    address
        Of the server.
    log
        What happened.
    bell
        When the lecturer says "now everybody click", on `time.perf_counter`.
    end
        Of the lesson.
    """

    address: str
    log: Log
    together: Recording
    end: float = float("inf")
    bell: list[float] = field(default_factory=list)
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(FIRST_SEED))


class Visitor:
    """One of them."""

    def __init__(self, name: str, lesson: Recording, others: Class) -> None:
        self.name, self.lesson, self.others = name, lesson, others
        self.random = Random(name)  # noqa: S311 - the same class again
        self.tempo = PACE * self.random.lognormvariate(0, 0.25)
        self.tab = self._new_tab()
        self._bells = iter(others.bell)
        self._next_bell = next(self._bells, float("inf"))
        self._own = False
        self._counter = 0

    def _new_tab(self) -> Tab:
        return Tab(Screen(self.others.address), self.others.log.wrong)

    # A life -------------------------------------------------------------------------------------------

    async def live(self) -> None:
        """Open the app, go through the lesson until its end, and leave."""
        log = self.others.log
        try:
            await self._visit()
            while time.perf_counter() < self.others.end:
                try:
                    await self._play()
                except GaveUpError as gave_up:
                    log.wrong(str(gave_up))
                    log.gave_up += 1
                    await self.tab.close()
                    self.tab = self._new_tab()
                    await self._visit()
        except (GaveUpError, OSError, TimeoutError) as failed:
            log.wrong(f"{type(failed).__name__}: {failed}")
            log.gave_up += 1
        finally:
            log.bytes += self.tab.n_bytes
            log.polls += self.tab.polls
            await self.tab.close()

    async def _visit(self) -> None:
        self.others.log.took("first page", await self.tab.open())

    async def _play(self) -> None:
        """Go through the lesson once, or until the bell rings; then do what everybody does."""
        acted = time.perf_counter()
        for step in self.lesson.steps:
            rung = await self._think(acted + step.pause * self.tempo)
            if time.perf_counter() >= self.others.end:
                return
            if rung:
                await self._click_with_everybody()
                return
            acted = time.perf_counter()
            await self.do(step, self.lesson.name)

    async def _think(self, until: float) -> bool:
        """Pause; say whether the bell rang meanwhile, and this person has reacted to it."""
        if until < self._next_bell:
            await asyncio.sleep(max(min(until, self.others.end) - time.perf_counter(), 0))
            return False
        reaction = self.random.lognormvariate(0.4, 0.4)  # 1.5 s, mostly between 1 and 2.2
        await asyncio.sleep(max(self._next_bell + reaction - time.perf_counter(), 0))
        self._next_bell = next((bell for bell in self._bells if bell > time.perf_counter()), float("inf"))
        return True

    async def _click_with_everybody(self) -> None:
        if self.tab.screen.path:
            await self.do(Step(0, page="/"), self.others.together.name)
        await self.do(self.others.together.steps[-1], self.others.together.name)  # from the first screen
        acted = time.perf_counter()
        for step in self.others.together.steps:
            await asyncio.sleep(max(acted + step.pause * self.tempo - time.perf_counter(), 0))
            acted = time.perf_counter()
            await self.do(step, self.others.together.name, "everybody at once")

    # One step -----------------------------------------------------------------------------------------

    async def do(self, step: Step, recording: str, kind: str = "") -> None:
        """Do what a step says, wait until its effect has arrived, and write down how long that took."""
        screen, tab = self.tab.screen, self.tab
        if step.page:
            if step.page.removeprefix("/") not in screen.pages:
                raise misfit(recording, f"there is no page {step.page!r}")
            request = screen.request(page=step.page)
        else:
            node = await self._found(step, recording)
            if type(node.content).__name__ == "BidiComponent":
                await tab.idle(HELD_SECONDS)
            event = state_of(node, step, screen.states.get(node.id), self._number)
            if not step.once:
                screen.states[event.id] = event
            request = screen.request(part=node.fragment, events=[event] if step.once else [])
        began = time.perf_counter()
        await tab.send(request)
        seconds = await tab.arrived() - began
        self.others.log.took(kind or self._kind(step), seconds)

    def _kind(self, step: Step) -> str:
        """Name the kind of a change; what follows one's own seed until it is taken back is new as well."""
        before, self._own = self._own, OWN_SEED.search(self.tab.screen.query) is not None
        if step.of_ones_own and not self._own:
            self.others.log.wrong("A seed was typed, and the link does not have it.")
        if step.of_ones_own or (before and self._own):
            return "new training"
        return "page switch, cached" if step.page else "cached change"

    async def _found(self, step: Step, recording: str) -> Node:
        """Return the widget of a step, once it is on the screen."""
        end = time.perf_counter() + APPEARS_SECONDS
        while True:
            node = self.tab.screen.widget(step.key)
            if node is not None:
                return node
            if time.perf_counter() > end:
                raise misfit(recording, f"there is no widget {step.key!r} on page /{self.tab.screen.path}")
            await asyncio.sleep(0.1)

    def _number(self, of: str) -> int:
        """Return a seed that nobody had before, or the number of this visitor's next event."""
        if of == "seed":
            return next(self.others.numbers)
        self._counter += 1
        return self._counter


def state_of(node: Node, step: Step, before: WidgetState | None, number: Any) -> WidgetState:
    """Return what a widget says when a step is done with it.

    Parameters
    ----------
    node
        The widget.
    step
        What was recorded.
    before
        What the widget said before.
    number
        Called with "seed" or "event": numbers that were not used before, in place of the recorded ones.
    """
    says = dict(step.says)
    if step.of_ones_own:
        says = dict.fromkeys(says, number("seed"))
    if isinstance(says.get("json_value"), dict):
        known = json.loads(before.json_value) if before is not None else {}
        news = {
            name: value | {"n": number("event")} if isinstance(value, dict) and "n" in value else value
            for name, value in says["json_value"].items()
        }
        says["json_value"] = json.dumps(known | news, separators=(",", ":"))
    name = event_id(node.id) if "json_trigger_value" in says else node.id
    return ParseDict(says, WidgetState(id=name))


async def all_live(visitors: Iterable[Visitor], seconds: float) -> None:
    """Let visitors arrive one after another within so many seconds, and wait until all have left."""
    listed = list(visitors)

    async def later(visitor: Visitor, pause: float) -> None:
        await asyncio.sleep(pause)
        await visitor.live()

    async with asyncio.TaskGroup() as group:
        for k, visitor in enumerate(listed):
            group.create_task(later(visitor, seconds * k / len(listed)))
