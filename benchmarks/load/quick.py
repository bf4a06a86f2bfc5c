"""The quick form: some browsers for half a minute, against one browser alone on the same server.

Only ratios count, so that it says the same on any machine, however busy: how much longer is waited for a
change among others, and how much more a change costs the server.
"""

import asyncio
import itertools
from typing import Any

from benchmarks.load.measures import Log
from benchmarks.load.recordings import lessons, together
from benchmarks.load.scenes import Costs, Plan, at_rest, go_through, play_lesson, warm_up
from benchmarks.load.server import Server
from benchmarks.load.visitor import Class

ALONE_SEEDS = 800_000
LESSONS_ALONE = 3
SHORTEST_MS = 50.0
"""A wait alone that is shorter than this is taken for this long: on a busy machine it may be by chance."""


def quick(plan: Plan) -> dict[str, Any]:
    """Measure one browser alone, then many, and return both and their ratios."""
    with plan.serving() as server:
        asyncio.run(warm_up(server.address))
        at_rest(server)
        alone, alone_costs = Log(), Costs(server)
        with alone_costs.counted():
            asyncio.run(_alone(server, alone))
        at_rest(server)
        log, costs = Log(), Costs(server)
        with costs.counted():
            asyncio.run(play_lesson(plan, server, log))
    found = {"latency": log.told(), "errors": dict(alone.errors + log.errors), "gave_up": log.gave_up}
    found |= {"costs": costs.told(log), "alone": {"latency": alone.told(), "costs": alone_costs.told(alone)}}
    return found | {"ratios": ratios(found)}


async def _alone(server: Server, log: Log) -> None:
    """Go through some lessons, one after another."""
    others = Class(server.address, log, together(), numbers=itertools.count(ALONE_SEEDS))
    for recording in lessons()[:LESSONS_ALONE]:
        await go_through(recording, others)


def ratios(found: dict[str, Any]) -> dict[str, float]:
    """Return how many times as long, and as dear, things are among others."""
    among, alone = found["latency"], found["alone"]["latency"]
    kinds = [kind for kind in ("first page", "cached change", "new training") if kind in among]
    waits = {kind: among[kind]["p95_ms"] / max(alone[kind]["p95_ms"], SHORTEST_MS) for kind in kinds}
    spent = [one["costs"]["server_cpu_ms_per_change"] for one in (found, found["alone"])]
    return {kind: round(ratio, 2) for kind, ratio in waits.items()} | {
        "server time per change": round(spent[0] / spent[1], 2)
    }
