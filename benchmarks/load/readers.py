"""Those who read Papers and Runs: one, then a third of a class, then the class, on one server.

What a poll, a redraw or a kept result costs is multiplied by all of them: each crowd's cost of a change says
whether it grows with them, and the memory after they have left whether anything of them stays.
"""

import asyncio
import itertools
import sqlite3
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks._sampled import Profile
from benchmarks.load.measures import Log
from benchmarks.load.recordings import Recording, evidence, lessons, together
from benchmarks.load.scenes import Costs, Plan, at_rest, forgotten, go_through
from benchmarks.load.server import Server
from benchmarks.load.visitor import FIRST_SEED, Class, Visitor, all_live

WARM_UP_SEEDS = 700_000
ROUNDS_ALONE = 4


def papers(plan: Plan) -> dict[str, Any]:
    """Let all read exhibits of three papers and open a point in the Playground."""
    return _crowds(plan, [evidence("papers")])


def runs(plan: Plan) -> dict[str, Any]:
    """Let all look for runs among those that are kept, compare some, pin them and open one."""
    return _crowds(plan, [evidence("runs")])


def recording(plan: Plan) -> dict[str, Any]:
    """Let half of them go through lessons, whose results are kept as runs, while the others look at Runs."""
    return _crowds(plan, [one for lesson in lessons() for one in (lesson, evidence("runs"))])


def mixed(plan: Plan) -> dict[str, Any]:
    """Let them go through the heavier pages: Decoders, Model selection, Papers, Runs, a quarter each."""
    return _crowds(plan, [evidence(name) for name in ("compared", "curves", "papers", "runs")])


def sizes(plan: Plan) -> list[int]:
    """Return how many come: one, a third, all."""
    return sorted({1, max(plan.sessions // 3, 1), plan.sessions})


def _crowds(plan: Plan, ways: list[Recording]) -> dict[str, Any]:
    with plan.serving() as server:
        cold = asyncio.run(_warm_up(server.address, ways))
        memory = {"start": forgotten(server, plan.ttl_seconds), "emptied start": server.vitals(emptied=True)}
        asyncio.run(_warm_up(server.address, ways))
        profile, numbers = Profile() if plan.profiled else None, itertools.count(FIRST_SEED)
        crowds = {}
        for n in sizes(plan):
            last = n == plan.sessions
            log, costs = Log(), Costs(server)
            at_rest(server)
            with costs.counted(), profile.taken(server.pid) if profile and last else nullcontext():
                asyncio.run(
                    _alone(server, log, ways, numbers)
                    if n == 1
                    else _play(plan, server, log, ways, n, numbers)
                )
            crowds[str(n)] = _told(log, costs)
        memory["left"] = at_rest(server)
        memory["end"] = forgotten(server, plan.ttl_seconds)
        memory["emptied end"] = server.vitals(emptied=True)
        n_typed = next(numbers) - FIRST_SEED
        kept = {"typed": n_typed, "kept": _kept_seeds(server.home) if n_typed else 0}
        complaints = server.complaints()
    found = crowds[str(plan.sessions)] | {"crowds": crowds, "memory": memory, "first": cold}
    found |= {"sessions": plan.sessions, "own_seeds": kept, "complaints": complaints}
    return found | ({"profile": profile} if profile else {})


async def _warm_up(address: str, ways: list[Recording]) -> dict[str, Any]:
    """Go through all ways once without a pause; return what the very first visitor waited for."""
    log = Log()
    others = Class(address, log, together(), numbers=itertools.count(WARM_UP_SEEDS))
    for way in {way.name: way for way in ways}.values():
        await go_through(way, others)
    if log.errors:
        raise RuntimeError(f"Going through the ways alone went wrong: {dict(log.errors)}")
    return log.told()


async def _alone(server: Server, log: Log, ways: list[Recording], numbers: "itertools.count[int]") -> None:
    """Let one go through the ways again and again without a pause: what the server does by itself waits."""
    others = Class(server.address, log, together(), numbers=numbers)
    for way in (ways * ROUNDS_ALONE)[: max(len(ways), ROUNDS_ALONE)]:
        await go_through(way, others)


async def _play(
    plan: Plan, server: Server, log: Log, ways: list[Recording], n: int, numbers: "itertools.count[int]"
) -> None:
    """Let so many come, work and leave."""
    others = Class(server.address, log, together(), log.began + plan.seconds, numbers=numbers)
    visitors = [Visitor(f"reader {k}", ways[k % len(ways)], others) for k in range(n)]
    await all_live(visitors, plan.arrive_seconds * n / plan.sessions)


def _told(log: Log, costs: Costs) -> dict[str, Any]:
    return {
        "latency": log.told(),
        "errors": dict(log.errors),
        "gave_up": log.gave_up,
        "costs": costs.told(log),
    }


def _kept_seeds(home: Path | None) -> int:
    """Return how many of the seeds that nobody had before are in the store."""
    if home is None:
        return 0
    db = sqlite3.connect(home / "runs.sqlite3", timeout=20.0)
    try:
        seed = "CAST(json_extract(about, '$.scenario.seed') AS INTEGER)"
        question = f"SELECT COUNT(DISTINCT {seed}) FROM runs WHERE {seed} BETWEEN ? AND ?"  # noqa: S608 - of our own words
        return int(db.execute(question, (FIRST_SEED, WARM_UP_SEEDS - 1)).fetchone()[0])
    finally:
        db.close()
