"""Lessons: so many visitors arrive, work for so long, and leave; and what the server then still holds."""

import asyncio
import itertools
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._sampled import Profile
from benchmarks.load.measures import Log
from benchmarks.load.recordings import Recording, lessons, together
from benchmarks.load.server import Peak, Server, busy_seconds, serving
from benchmarks.load.tabs import real_tabs
from benchmarks.load.visitor import Class, Visitor, all_live

BELL_SECONDS = 60.0
"""How often the lecturer says "now everybody click"."""
TTL_SECONDS = 120
"""How long Streamlit keeps a session that has lost its browser."""
WARM_UP_SEEDS = 900_000
REST_SECONDS, REST_SHARE = 1.0, 0.05
"""A server is at rest when it has used less than this share of a processor for so long."""


@dataclass(frozen=True)
class Plan:
    """How a scene is played.

    Attributes
    ----------
    sessions
        How many visitors.
    arrive_seconds
        Within which they come.
    seconds
        How long the lesson takes, from the first arrival.
    tabs
        Real browsers among them.
    ttl_seconds
        How long the server keeps sessions that have lost their browser.
    arguments
        Of `ecocviz`.
    aftermath
        Whether the memory after all have left is measured too.
    memory
        The budget of the app, "" for what suits the machine.
    kept_runs
        How many runs the store holds already.
    """

    checkout: Path
    sessions: int = 60
    arrive_seconds: float = 20.0
    seconds: float = 600.0
    tabs: int = 3
    ttl_seconds: int = TTL_SECONDS
    arguments: tuple[str, ...] = ("--no-browser",)
    profiled: bool = False
    aftermath: bool = True
    memory: str = ""
    kept_runs: int = 0

    @contextmanager
    def serving(self) -> Iterator[Server]:
        """Run the app."""
        with serving(
            self.checkout, list(self.arguments), self.ttl_seconds, self.memory, kept_runs=self.kept_runs
        ) as server:
            yield server


def lesson(plan: Plan) -> dict[str, Any]:
    """Play a lesson, and return what was measured.

    The memory at the start is that of a server which knows all recorded lessons, when those who went through
    them have been forgotten; at the end, when those of the lesson have been forgotten. Emptied, it has also
    forgotten all machines, views and results that it keeps on purpose.
    """
    with plan.serving() as server:
        asyncio.run(warm_up(server.address))
        memory = {}
        if plan.aftermath:
            memory = {
                "start": forgotten(server, plan.ttl_seconds),
                "emptied start": server.vitals(emptied=True),
            }
            asyncio.run(warm_up(server.address))
        profile = Profile() if plan.profiled else None
        log, costs = Log(), Costs(server)
        with costs.counted(), profile.taken(server.pid) if profile else nullcontext():
            asyncio.run(play_lesson(plan, server, log))
        if plan.aftermath:
            memory["left"] = at_rest(server)
            memory["end"] = forgotten(server, plan.ttl_seconds)
            memory["emptied end"] = server.vitals(emptied=True)
    found = {"latency": log.told(), "errors": dict(log.errors), "gave_up": log.gave_up}
    found |= {"costs": costs.told(log), "memory": memory}
    return found | ({"profile": profile} if profile else {})


async def play_lesson(plan: Plan, server: Server, log: Log) -> None:
    """Let everybody come, work and leave."""
    began = time.perf_counter()
    end = began + plan.seconds
    first = began + plan.arrive_seconds + BELL_SECONDS / 6
    bells = itertools.takewhile(lambda bell: bell < end - 10, itertools.count(first, BELL_SECONDS))
    others = Class(server.address, log, together(), end, list(bells))
    recordings = lessons()
    visitors = [
        Visitor(f"visitor {k}", recordings[k % len(recordings)], others) for k in range(plan.sessions)
    ]
    await asyncio.gather(all_live(visitors, plan.arrive_seconds), real_tabs(others, plan.tabs))


async def warm_up(address: str) -> None:
    """Go through all lessons once, without a pause, so that the common scenarios are known to the server."""
    log = Log()
    others = Class(address, log, together(), numbers=itertools.count(WARM_UP_SEEDS))
    await asyncio.gather(*(go_through(one, others) for one in (*lessons(), others.together)))
    if log.errors:
        raise RuntimeError(f"Going through the lessons alone went wrong: {dict(log.errors)}")


async def go_through(recording: Recording, others: Class) -> None:
    """Open the app, go through a lesson without a pause, and leave."""
    visitor = Visitor(f"one of {recording.name}", recording, others)
    others.log.took("first page", await visitor.tab.open())
    for step in recording.steps:
        await visitor.do(step, recording.name)
    others.log.bytes += visitor.tab.n_bytes
    await visitor.tab.close()


def at_rest(server: Server, patience: float = 30.0) -> dict[str, Any]:
    """Wait until the server does nothing, and return how it is after collecting its garbage."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        before = server.cpu_seconds()
        time.sleep(REST_SECONDS)
        if server.cpu_seconds() - before < REST_SHARE * REST_SECONDS:
            break
    return server.vitals() | {"rss_bytes": server.rss()}


def forgotten(server: Server, ttl_seconds: int) -> dict[str, Any]:
    """Return how the server is once it has forgotten those who left.

    It does so when somebody leaves after their time has passed: one more visitor comes and goes for that.
    """
    time.sleep(ttl_seconds + 1)

    async def come_and_go() -> None:
        visitor = Visitor("one more", together(), Class(server.address, Log(), together()))
        await visitor.tab.open()
        await visitor.tab.close()

    asyncio.run(come_and_go())
    return at_rest(server)


class Costs:
    """What a scene costs the server and the one who measures."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.peak = Peak(server)
        self.server_seconds = self.own_seconds = self.other_seconds = self.seconds = 0.0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count meanwhile."""
        everything = Server("", os.getpid())  # the server is one of our own processes
        server, own, began = self.server.cpu_seconds(), everything.cpu_seconds(), time.monotonic()
        whole = busy_seconds()
        with self.peak.watched():
            yield
        self.server_seconds = self.server.cpu_seconds() - server
        both = everything.cpu_seconds() - own
        self.own_seconds, self.other_seconds = both - self.server_seconds, busy_seconds() - whole - both
        self.seconds = time.monotonic() - began

    def told(self, log: Log) -> dict[str, float]:
        """Return the numbers."""
        changes = sum(map(len, log.seconds.values()))
        return {
            "seconds": round(self.seconds, 1),
            "changes": changes,
            "changes_per_second": round(changes / self.seconds, 2),
            "server_cpu_share": round(self.server_seconds / self.seconds, 3),
            "server_cpu_ms_per_change": round(1000 * self.server_seconds / max(changes, 1), 1),
            "load_generator_cpu_share": round(self.own_seconds / self.seconds, 3),
            "others_cpu_share": round(max(self.other_seconds, 0.0) / self.seconds, 3),
            "kB_per_change": round(log.bytes / 1000 / max(changes, 1), 1),
            "polls": log.polls,
            "rss_peak_bytes": self.peak.bytes,
        }
