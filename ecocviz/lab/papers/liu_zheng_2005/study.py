"""The study of reliability measures: all rows of Table I, their classes added one by one."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ecocviz.data.types import Table
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.lab.evaluate import score_part
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study
from ecocviz.lab.papers.liu_zheng_2005.printed import ROWS
from ecocviz.lab.papers.liu_zheng_2005.stopped import measure_stopped
from ecocviz.lab.run import load, train
from ecocviz.lab.scenario import Choice, Scenario, choose, from_query, make_scenario
from ecocviz.lab.trained import Trained

NEIGHBOURS = (1, 5, 15)
"""How many neighbours DRM asks, which the paper does not print."""
DECODERS: dict[str, tuple[str, dict[str, ParamValue]]] = {
    "f": ("linear", {}),
    "srm": ("srm", {}),
    **{f"drm-{k}": ("drm", {"n_neighbors": k}) for k in NEIGHBOURS},
}
"""Name in records -> decoding and parameters. With one-vs-all codes, linear decoding is arg max f(x)."""

N_SPLITS = {Setting.QUICK: 2, Setting.FULL: 10}
"""Random splits of segment."""
STOPS = {
    Setting.QUICK: {10_000: 2, 100_000: 2},
    Setting.FULL: {10_000: 10, 100_000: 10, 1_000_000: 10, 10_000_000: 3},
}
"""Steps after which the solver is stopped -> random splits."""
LETTERS = {Setting.QUICK: (2, 8, 26), Setting.FULL: tuple(range(2, 27))}
QUICK_LETTER_TEST = 0.9

TABLE, STOPPED = "table", "stopped"
"""Kinds of cells: of the table and figure; of the solver that is stopped early."""


def cells(setting: Setting) -> list[Cell]:
    """List rows of the table with all that is not printed, split by split."""
    found = []
    for row, about in ROWS.items():
        for number in range(len(about.settings)):
            seeds = range(N_SPLITS[setting] if about.data == "segment" else 1)
            found += [_cell(setting, row, number, seed) for seed in seeds]
    for steps, n_splits in STOPS[setting].items():
        for seed in range(n_splits):
            asked = {"kind": STOPPED, "row": "segment-2", "steps": steps, "seed": seed}
            found.append(Cell(f"stopped/{steps}/{seed}", asked))
    return found


def _cell(setting: Setting, row: str, number: int, seed: int) -> Cell:
    about = ROWS[row]
    key, params = about.machine
    chosen = about.settings[number]
    quick = row == "letter" and setting is Setting.QUICK
    asked = make_scenario(
        data=about.data,
        preparation=about.preparation,
        split=("hold-out", {"test_share": QUICK_LETTER_TEST}) if quick else about.split,
        coding="one-vs-all",
        machine=(key, params | chosen),
        seed=seed,
    )
    n_classes = len(load(asked).classes)
    numbers = LETTERS[setting] if row == "letter" else tuple(range(2, n_classes + 1))
    name = ",".join(f"{param}={value:g}" for param, value in chosen.items())
    return Cell(
        f"{row}/{name}/{seed}",
        {
            "kind": TABLE,
            "row": row,
            "setting": name,
            "seed": seed,
            "classes": list(numbers),
            "scenario": asked.to_query(),
        },
    )


@lru_cache(maxsize=512)
def _read(query: str) -> Scenario:
    return from_query(query)[0]


def decoding_of(decoder: str) -> Choice:
    """Return the decoding behind a name of `DECODERS`."""
    return choose("decoding", *DECODERS[decoder])


def scenario(cell: Cell, decoder: str) -> Scenario:
    """Return the scenario, with all classes, that a cell has measured with one of its decoders."""
    return replace(_read(cell.about["scenario"]), decoding=decoding_of(decoder))


def first_classes(table: Table, n_classes: int) -> Table:
    """Return the rows of the classes that come first in the alphabet."""
    kept = np.isin(table.labels.to_numpy(), table.classes[:n_classes])
    n_train = None if table.n_train is None else int(kept[: table.n_train].sum())
    return replace(table, features=table.features[kept], labels=table.labels[kept], n_train=n_train)


def measure(cell: Cell, progress: Progress) -> Record:
    """Train one machine for each class, for ever more classes, and let the decoders read them."""
    if cell.about["kind"] == STOPPED:
        return measure_stopped(cell.about["seed"], cell.about["steps"])
    asked = scenario(cell, "f")
    table, numbers = load(asked), cell.about["classes"]
    by_number: dict[str, Any] = {}
    least = 1.0
    for position, n_classes in enumerate(numbers):
        step = progress.part(position, len(numbers), f"{n_classes} classes")
        trained = train(asked, step, first_classes(table, n_classes), n_jobs=1)
        scored = score_part(trained, "test", step)
        wrong = {name: scored.decide(decoding_of(name), step).n_wrong for name in DECODERS}
        by_number[str(n_classes)] = {"n": scored.truth.size, "wrong": wrong}
        least = min(least, least_reliability(trained))
    return {"classes": by_number, "least_reliability": round(least, 4)}


def least_reliability(trained: Trained) -> float:
    """Return the static reliability of the least reliable machine."""
    estimators: Sequence[object] = [model.estimator for model in trained.models]
    found = [e.evidence("srm").reliabilities for e in estimators if isinstance(e, ECOCClassifier)]
    return min(float(reliabilities.min()) for reliabilities in found if reliabilities is not None)


STUDY = Study(key="reliability", cells=cells, measure=measure)
