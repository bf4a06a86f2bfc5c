"""A store as some weeks of a class leave it: kept runs of many scenarios, and some sweeps."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

from ecocviz.lab.scenario import Scenario, make_scenario
from ecocviz.lab.store import Store
from ecocviz.lab.store_about import key_of, title_of
from ecocviz.lab.store_file import NAME
from ecocviz.lab.store_rows import DONE, SWEEP
from ecocviz.lab.to_keep import counted

N_RUNS = 2_000
SETS = ("iris", "wine", "glass", "ecoli", "new-thyroid", "zoo", "moons", "blobs")
CODES = ("one-vs-all", "one-vs-one", "dense-random")
DECODERS = ("hamming", "likelihood", "linear", "exponential")
SWEEP_EVERY = 100
"""One run of so many is a sweep over seeds."""
POINTS = 20
TEST_POINTS, TRAINING_POINTS = 60, 140


def scenarios() -> Iterator[Scenario]:
    """Go through scenarios, each once, without an end."""
    seed = 0
    while True:
        for data, coding, decoding in product(SETS, CODES, DECODERS):
            yield make_scenario(data=data, coding=coding, decoding=decoding, seed=seed)
        seed += 1


def fill(home: Path, n: int = N_RUNS) -> None:
    """Write so many runs into the store of a data folder: the same ones each time, their times apart."""
    chance = Random(0)  # noqa: S311 - the same numbers again
    store = Store(home / NAME)
    for k, scenario in enumerate(islice(scenarios(), n)):
        if k % SWEEP_EVERY:
            store.keep(scenario, _found(chance), chance.uniform(0.01, 2.0))
        else:
            _sweep(store, scenario, chance)
    if store.problem:
        raise RuntimeError(store.problem)
    store.close()


def _sweep(store: Store, scenario: Scenario, chance: Random) -> None:
    about = {
        "scenario": scenario.to_flat(),
        "over": {"seed": [str(seed) for seed in range(POINTS)]},
        "measures": ["test"],
    }
    run = store.begin(SWEEP, f"{title_of(scenario)}, over seed", about, POINTS)
    for seed in range(POINTS):
        one = replace(scenario, seed=seed)
        store.add(run, key_of(one), {"scenario": one.to_flat(), "test": _count(chance, TEST_POINTS)})
    store.end(run, DONE, POINTS * 0.2)


def _found(chance: Random) -> dict[str, dict[str, Any]]:
    return {"test": _count(chance, TEST_POINTS), "train": _count(chance, TRAINING_POINTS)}


def _count(chance: Random, n: int) -> dict[str, Any]:
    return counted(chance.randrange(n // 2), n)
