"""Results of studies: measured cell by cell on any executor, and kept as small files.

The results of the full studies ship with the package: pages show them at once, and anyone can measure anew.
"""

import hashlib
import json
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from time import perf_counter
from typing import Any

import ecocviz
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.tasks import Failed, run_tasks, task_progress
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.entries import (
    Cell,
    Exhibit,
    Measured,
    Paper,
    Record,
    Setting,
    Statement,
    Study,
    Word,
    cells_of,
    word_of,
)

SECONDS = "seconds"
"""Where a record says how long its cell took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What a study has found.

    Attributes
    ----------
    paper, study, setting
        Which study, and how large it was.
    version, date, command
        By which ecocviz, on which day, and what measures it anew.
    seconds
        What all cells took together.
    records
        Cell key -> record.
    cells
        A digest of the cells, by which records of other cells are known.
    """

    paper: str
    study: str
    setting: Setting
    version: str
    date: str
    command: str
    seconds: float
    records: Mapping[str, Record]
    cells: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """An exhibit's verdict, and the counts behind it."""

    word: Word
    statements: tuple[Statement, ...]
    why: str


def measure(
    paper: Paper,
    study: Study,
    cells: Sequence[Cell],
    *,
    executor: Executor | None = None,
    progress: Progress = NO_PROGRESS,
) -> Generator[tuple[Cell, Record | Failed], None, None]:
    """Measure cells of a study; yield each with its record, or why there is none, as they finish.

    Times are measured here, one cell after the other, whatever the executor.
    """
    where = None if study.timed else executor
    for position, found in run_tasks(
        _measure, cells, shared=(paper.key, study.key), executor=where, progress=progress
    ):
        yield cells[position], found


def _measure(names: tuple[str, str], cell: Cell) -> Record:
    return measure_cell(*names, cell, task_progress())


def measure_cell(paper: str, study: str, cell: Cell, progress: Progress) -> Record:
    """Measure one cell of a study, named by keys; return its record as whoever reads a file will have it."""
    began = perf_counter()
    record = find_study(paper, study).measure(cell, progress)
    plain: Record = json.loads(json.dumps(record))
    return {**plain, SECONDS: round(perf_counter() - began, 3)}


def find_study(paper: str, key: str) -> Study:
    """Return a study by the keys of its paper and its own."""
    return next(study for study in PAPERS[paper].studies if study.key == key)


def gather(paper: Paper, study: Study, setting: Setting, records: Mapping[str, Record], date: str) -> Results:
    """Make results of the records of a study."""
    cells = cells_of(study, setting)
    return Results(
        paper=paper.key,
        study=study.key,
        setting=setting,
        version=ecocviz.__version__,
        date=date,
        command=f"ecocviz paper {paper.key}" + (" --full" if setting is Setting.FULL else ""),
        seconds=round(sum(record.get(SECONDS, 0.0) for record in records.values()), 1),
        records={cell.key: records[cell.key] for cell in cells if cell.key in records},
        cells=digest_of(study, setting),
    )


def measured(study: Study, results: Results) -> tuple[Measured, ...]:
    """Return the cells of a study that were measured, in their order."""
    return tuple(
        Measured(cell, results.records[cell.key])
        for cell in cells_of(study, results.setting)
        if cell.key in results.records
    )


def verdict(exhibit: Exhibit, results: Results) -> Verdict:
    """Judge an exhibit by what was measured."""
    found = measured(exhibit.study, results)
    statements = tuple(exhibit.judge(found))
    return Verdict(word_of(statements), statements, exhibit.why(found))


# Files -----------------------------------------------------------------------------------------------


def digest(cells: Sequence[Cell]) -> str:
    """Return a digest of cells."""
    text = json.dumps([[cell.key, cell.about] for cell in cells], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@lru_cache(maxsize=128)
def digest_of(study: Study, setting: Setting) -> str:
    """Return the digest of a study's cells; those of 64 studies are kept."""
    return digest(cells_of(study, setting))


def to_json(results: Results) -> str:
    """Write results, a record a line."""
    about: dict[str, Any] = {name: getattr(results, name) for name in Results.__slots__ if name != "records"}
    head = json.dumps(about, indent=1, ensure_ascii=False)[:-2]
    lines = ",\n".join(
        f"  {json.dumps(key)}: {json.dumps(record, ensure_ascii=False, separators=(',', ':'))}"
        for key, record in results.records.items()
    )
    return f'{head},\n "records": {{\n{lines}\n }}\n}}\n'


def from_json(text: str) -> Results:
    """Read results as `to_json` writes them."""
    read = json.loads(text)
    return Results(**{**read, "setting": Setting(read["setting"])})


def shipped(paper: Paper, study: Study) -> Results | None:
    """Return the results that ship with the package, None where there are none."""
    file = resources.files("ecocviz.lab.evidence") / "results" / paper.key / f"{study.key}.json"
    return from_json(file.read_text(encoding="utf-8")) if file.is_file() else None
