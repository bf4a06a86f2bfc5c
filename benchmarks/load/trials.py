"""Trials of one thing each: a new visit, heavy work beside one, much memory, a network that drops."""

import asyncio
import itertools
import json
import struct
import time
import zlib
from collections import Counter
from statistics import median
from typing import Any

from benchmarks.app import LAUNCH, opened
from benchmarks.cached_change import chromium
from benchmarks.load.client import PATIENCE_SECONDS, GaveUpError, Tab
from benchmarks.load.measures import Log
from benchmarks.load.recordings import lessons, together
from benchmarks.load.scenes import Costs, Plan, at_rest, warm_up
from benchmarks.load.screen import Screen
from benchmarks.load.server import Peak, Server
from benchmarks.load.visitor import Class, Visitor

WARMING, VISITS, BROWSER_VISITS = 3, 20, 7
AFTER_SECONDS = 0.3
"""What the server still does when the page has arrived belongs to the visit."""
HEAVY_VISITS, HEAVY_PAUSE_SECONDS, HEAVY_LESSONS = 12, 4.0, 3
REGIONS = "ecocviz.region_view"
GAMMAS_BUDGET = "3G"
"""What the app may take while six train letter."""
GAMMAS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
RETURN_SECONDS = 30.0
"""Within which those come back whose network was gone: browsers try again at different times."""


# A new visit -----------------------------------------------------------------------------------------


def visit(plan: Plan) -> dict[str, Any]:
    """Measure what the server spends on one more visitor of the first screen, everything known to it.

    Once for the page alone, asked for by a WebSocket client, and once for all that a browser asks for which
    was never here before: the app's files too.
    """
    with plan.serving() as server:
        log = Log()
        asyncio.run(_visits(server, log, WARMING, 0.0))
        at_rest(server)
        before = server.cpu_seconds()
        time.sleep(3.0)
        idle = (server.cpu_seconds() - before) / 3.0
        page = asyncio.run(_visits(server, log, VISITS, idle))
        browser = _browser_visits(server, log, idle)
    found = {"visit_cpu_ms": page, "browser_visit_cpu_ms": browser}
    return {"latency": log.told(), "errors": dict(log.errors), "gave_up": 0} | found


async def _visits(server: Server, log: Log, n: int, idle: float) -> float:
    """Return the median processor time of a visit in ms; `idle` is what the server takes by itself."""
    spent = []
    for _ in range(n):
        before, began = server.cpu_seconds(), time.monotonic()
        tab = Tab(Screen(server.address), log.wrong)
        log.took("first page", await tab.open())
        await asyncio.sleep(AFTER_SECONDS)
        spent.append(server.cpu_seconds() - before - idle * (time.monotonic() - began))
        await tab.close()
    return round(1000 * median(spent), 1)


def _browser_visits(server: Server, log: Log, idle: float) -> float | None:
    """Return the same for a real browser, None where there is none."""
    if chromium() is None:
        return None
    from playwright.sync_api import sync_playwright

    spent = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        for _ in range(WARMING + BROWSER_VISITS):
            before, began = server.cpu_seconds(), time.monotonic()
            page = opened(browser, server.address)
            page.wait_for_timeout(1000 * AFTER_SECONDS)
            spent.append(server.cpu_seconds() - before - idle * (time.monotonic() - began))
            log.took("real tab: first picture", page.evaluate("window.firstPicture / 1000"))
            page.context.close()
        browser.close()
    return round(1000 * median(spent[WARMING:]), 1)


# Heavy work ------------------------------------------------------------------------------------------


def heavy(plan: Plan) -> dict[str, Any]:
    """Let many train letter one-vs-one, each for themselves, and measure how long others wait.

    Some open the app, and some go through lessons that were gone through once before.
    """
    with plan.serving() as server:
        asyncio.run(warm_up(server.address))
        at_rest(server)
        log, costs = Log(), Costs(server)
        with costs.counted():
            asyncio.run(_heavy(server, log, plan.sessions))
        return {
            "latency": log.told(),
            "errors": dict(log.errors),
            "gave_up": log.gave_up,
            "costs": costs.told(log),
        }


async def _heavy(server: Server, log: Log, n_trainers: int) -> None:
    seeds = itertools.count(1)

    async def train_again_and_again() -> None:
        while True:
            query = f"data=letter&coding=one-vs-one&seed={next(seeds)}"
            tab = Tab(Screen(server.address, query), log.wrong)
            try:
                log.took("the picture of letter one-vs-one", await tab.open())
            finally:
                await tab.close()

    trainers = [asyncio.create_task(train_again_and_again()) for _ in range(n_trainers)]
    others = Class(server.address, log, together(), time.perf_counter() + HEAVY_VISITS * HEAVY_PAUSE_SECONDS)
    people = [Visitor(f"visitor {k}", one, others) for k, one in enumerate(lessons()[:HEAVY_LESSONS])]
    living = [asyncio.create_task(one.live()) for one in people]
    for _ in range(HEAVY_VISITS):
        await asyncio.sleep(HEAVY_PAUSE_SECONDS)
        tab = Tab(Screen(server.address), log.wrong)
        try:
            log.took("first page beside heavy work", await tab.open())
        except GaveUpError:
            log.took("first page beside heavy work", PATIENCE_SECONDS)
            log.gave_up += 1
        await tab.close()
    await asyncio.gather(*living)
    for trainer in trainers:
        trainer.cancel()
    for failed in await asyncio.gather(*trainers, return_exceptions=True):
        if not isinstance(failed, asyncio.CancelledError):
            log.wrong(f"Training letter failed: {failed}")


def gammas(plan: Plan) -> dict[str, Any]:
    """Let six train letter, each with its own gamma, and watch the memory until all have their picture."""
    queries = [f"data=letter&machine.gamma={gamma}" for gamma in GAMMAS]
    with plan.serving() as server:
        start, log = at_rest(server), Log()
        peak = Peak(server)
        with peak.watched():
            asyncio.run(_gammas(server, log, queries, plan.seconds))
        left = at_rest(server)
    memory = {"start": start, "left": left, "rss_peak_bytes": peak.bytes}
    return {"latency": log.told(), "errors": dict(log.errors), "gave_up": log.gave_up, "memory": memory}


async def _gammas(server: Server, log: Log, queries: list[str], patience: float) -> None:
    async def one(query: str) -> None:
        tab = Tab(Screen(server.address, query), log.wrong)
        try:
            log.took("letter with its own gamma", await tab.open(patience))
        except GaveUpError:
            log.gave_up += 1
        await tab.close()

    await asyncio.gather(*map(one, queries))


# A network that drops --------------------------------------------------------------------------------


def reconnect(plan: Plan) -> dict[str, Any]:
    """Cut all connections for a while; say how many come back to the screen that they had."""
    with plan.serving() as server:
        asyncio.run(warm_up(server.address))
        log, costs = Log(), Costs(server)
        with costs.counted():
            returned = asyncio.run(_reconnect(plan, server, log))
    found = {"latency": log.told(), "errors": dict(log.errors), "gave_up": log.gave_up}
    return found | {"costs": costs.told(log), "sessions": plan.sessions, "returned": dict(returned)}


async def _reconnect(plan: Plan, server: Server, log: Log) -> Counter[str]:
    others = Class(server.address, log, together())
    recordings = lessons()
    visitors = [
        Visitor(f"visitor {k}", recordings[k % len(recordings)], others) for k in range(plan.sessions)
    ]
    limit = asyncio.Semaphore(10)

    async def begin(visitor: Visitor, n_steps: int) -> None:
        async with limit:
            await visitor.tab.open()
            for step in visitor.lesson.steps[:n_steps]:
                await visitor.do(step, visitor.lesson.name)

    await asyncio.gather(*(begin(visitor, 1 + k % 7) for k, visitor in enumerate(visitors)))
    before = [shown(visitor.tab.screen) for visitor in visitors]
    for visitor in visitors:
        visitor.tab.cut()
    await asyncio.sleep(plan.seconds)
    log.seconds.clear()
    returned: Counter[str] = Counter()

    async def come_back(k: int, visitor: Visitor) -> None:
        await asyncio.sleep(RETURN_SECONDS * k / len(visitors))
        tab, session = visitor.tab, visitor.tab.screen.session
        began = time.perf_counter()
        try:
            await tab.connect()
            await tab.send(tab.screen.request())
            log.took("back on the screen", await tab.arrived() - began)
        except (GaveUpError, OSError, TimeoutError) as failed:
            log.gave_up += 1
            log.wrong(f"{type(failed).__name__}: {failed}")
            return
        now = shown(tab.screen)
        returned["to their session"] += tab.screen.session == session
        returned["to the same link"] += now["link"] == before[k]["link"]
        returned["to the same pictures"] += now["pictures"] == before[k]["pictures"]
        await tab.close()

    await asyncio.gather(*(come_back(k, visitor) for k, visitor in enumerate(visitors)))
    return returned


def shown(screen: Screen) -> dict[str, Any]:
    """Return what makes two screens the same: the link, the page, and what the pictures are made of."""
    pictures = {
        at: picture(node.content)
        for at, node in screen.nodes.items()
        if type(node.content).__name__ in ("BidiComponent", "PlotlyChart", "Slider", "Selectbox")
    }
    return {"link": (screen.path, screen.query), "pictures": pictures}


def picture(content: Any) -> Any:
    """Return what a picture is made of.

    The plane is told the place that Python has picked last, not one that was picked in the browser: which of
    both it is does not show, and the link has it.
    """
    packed = content.bytes if getattr(content, "component_name", "") == REGIONS else b""
    if not packed:
        return content.SerializeToString(deterministic=True)
    (length,) = struct.unpack_from("<I", packed)
    plain = zlib.decompress(packed[4:])
    header = json.loads(plain[:length])
    del header["pick"]
    return content.id, header, plain[length:]
