"""What `ecocviz paper` does: studies measured, each once and kept as it goes, and exhibits judged."""

import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecocviz.cli_bar import Bar
from ecocviz.cli_said import say

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ecocviz.lab.evidence.entries import Cell, Exhibit, Paper, Record, Setting, Study
    from ecocviz.lab.evidence.kept import KeptStudy
    from ecocviz.lab.evidence.results import Results
    from ecocviz.lab.evidence.standing import Standing

CANCELLED = 130


@dataclass
class _Todo:
    """A study, and what is known of it."""

    paper: "Paper"
    study: "Study"
    cells: "Sequence[Cell]"
    records: "dict[str, Record]" = field(default_factory=dict)
    n_failed: int = 0
    refusal: str | None = None


class Run:
    """Measures studies, each once, and tells of cells and exhibits as they come."""

    def __init__(
        self,
        exhibits: "Sequence[tuple[Paper, Sequence[Exhibit]]]",
        setting: "Setting",
        *,
        as_json: bool,
        folder: Path | None,
        fresh: bool,
    ) -> None:
        self._exhibits, self._setting = exhibits, setting
        self._json, self._fresh, self._folder = as_json, fresh, folder
        self._problem: str | None = None
        self._todo = {
            (paper.key, study.key): _Todo(paper, study, study.cells(setting))
            for paper, found in exhibits
            for study in {id(exhibit.study): exhibit.study for exhibit in found}.values()
        }
        for todo in self._todo.values():
            todo.refusal = todo.study.needs()
        n = sum(len(todo.cells) for todo in self._todo.values() if todo.refusal is None)
        self._bar = Bar(n, "cells", lines=not as_json)
        self._told: list[dict[str, Any]] = []

    def measure(self, executor: "Executor | None") -> None:
        """Measure all studies, and judge the exhibits of each paper when its studies are done."""
        for paper, exhibits in self._exhibits:
            for todo in self._todo.values():
                if todo.paper is paper and todo.refusal is None:
                    self._measure(todo, executor)
            for exhibit in exhibits:
                self._tell(paper, exhibit)

    def stopped(self) -> int:
        """Say how far it came."""
        self._bar.clear()
        n = sum(len(todo.cells) for todo in self._todo.values())
        n_done = sum(len(todo.records) for todo in self._todo.values())
        again = " and are kept; the same command goes on" if self._problem is None else ""
        say(f"\nStopped: {n_done} of {_cells(n)} were measured{again}.", file=sys.stderr)
        return CANCELLED

    def end(self) -> int:
        """Say what came out; return the exit status."""
        self._bar.clear()
        n_failed = sum(todo.n_failed for todo in self._todo.values())
        if self._json:
            say(json.dumps({"exhibits": self._told, "failed": n_failed}, indent=2, ensure_ascii=False))
        if n_failed:
            say(f"{_cells(n_failed)} could not be measured.", file=sys.stderr)
        return 1 if n_failed else 0

    def _measure(self, todo: _Todo, executor: "Executor | None") -> None:
        from ecocviz.engine.tasks import Failed  # noqa: PLC0415 - as above
        from ecocviz.lab.evidence import results  # noqa: PLC0415 - as above

        kept, state = self._begin(todo), "stopped"
        left = [cell for cell in todo.cells if cell.key not in todo.records]
        try:
            with closing(results.measure(todo.paper, todo.study, left, executor=executor)) as found:
                for cell, record in found:
                    if isinstance(record, Failed):
                        todo.n_failed += 1
                        self._line(todo, cell, f"could not be measured: {record.why}")
                    else:
                        kept.add(cell.key, record)
                        self._line(todo, cell, f"{record[results.SECONDS]:.1f} s")
            state = "failed" if todo.n_failed else "done"
        finally:
            kept.end(state)
            if kept.problem not in {None, self._problem}:
                self._problem = kept.problem
                self._say(str(kept.problem), sys.stderr)
        if not todo.n_failed and self._folder is not None:
            _write(self._folder / todo.paper.key / f"{todo.study.key}.json", self._results(todo))

    def _begin(self, todo: _Todo) -> "KeptStudy":
        """Say what comes; take what was measured before."""
        from ecocviz.lab.evidence.kept import KeptStudy  # noqa: PLC0415 - as above

        paper, study = todo.paper, todo.study
        kept = KeptStudy(paper, study, self._setting, todo.cells, fresh=self._fresh)
        todo.records = kept.records
        self._bar.known(len(todo.records))
        before = f", {len(todo.records)} of them measured before" if todo.records else ""
        alone = ", one after the other, since times are measured" if study.timed else ""
        self._say(f"{paper.key} {study.key}: {_cells(len(todo.cells))}{before}{alone}", sys.stderr)
        return kept

    def _line(self, todo: _Todo, cell: "Cell", told: str) -> None:
        if not self._json:
            self._say(f"{todo.paper.key} {todo.study.key} {cell.key}: {told}")
        self._bar.one_more()

    def _say(self, text: str, file: Any = None) -> None:  # noqa: ANN401 - a stream
        self._bar.clear()
        say(text, file=file or sys.stdout, flush=True)

    def _results(self, todo: _Todo) -> "Results":
        from ecocviz.lab.evidence.results import gather  # noqa: PLC0415 - as above

        today = datetime.now(tz=UTC).date().isoformat()
        return gather(todo.paper, todo.study, self._setting, todo.records, today)

    # Exhibits ----------------------------------------------------------------------------------------

    def _tell(self, paper: "Paper", exhibit: "Exhibit") -> None:
        """Tell what an exhibit's study has found."""
        from ecocviz.lab.evidence.results import shipped  # noqa: PLC0415 - as above
        from ecocviz.lab.evidence.standing import as_dict, stand  # noqa: PLC0415 - as above

        todo = self._todo[paper.key, exhibit.study.key]
        measured = None if todo.refusal or todo.n_failed else self._results(todo)
        here, ships = stand(paper, exhibit, measured), stand(paper, exhibit, shipped(paper, exhibit.study))
        refusal = todo.refusal or (f"{_cells(todo.n_failed)} could not be measured." if todo.n_failed else "")
        if self._json:
            self._told.append({**as_dict(here), "refusal": refusal, "shipped": as_dict(ships)["verdict"]})
            return
        self._say("\n".join(["", f"{paper.key} {exhibit.key}: {exhibit.title}", f"  Claim: {exhibit.claim}"]))
        if refusal:
            self._say(f"  Not measured here: {refusal}")
        self._say("\n".join(f"  {line}" for line in _found(here)))
        if ships.results is not None:
            self._say(
                f"  Of the results that ship ({ships.results.setting}, {ships.results.date}): {ships.word}"
            )


def _cells(n: int) -> str:
    return f"{n:,} cell{'' if n == 1 else 's'}"


def _found(standing: "Standing") -> list[str]:
    """Tell numbers, counts and verdict."""
    from ecocviz.lab.evidence.results import measured  # noqa: PLC0415 - as above
    from ecocviz.lab.evidence.told import beside, lines_of  # noqa: PLC0415 - as above

    if standing.results is None or standing.verdict is None:
        return [f"Verdict: {standing.word}"]
    drawings = standing.exhibit.draw(measured(standing.exhibit.study, standing.results))
    verdict = standing.verdict
    return [
        *(line for drawing in drawings for line in lines_of(drawing)),
        str(beside(drawings)),
        *(
            f"{each} ({'holds' if each.holds else 'does not hold'}; needs {100 * each.least:.0f} %)"
            for each in verdict.statements
        ),
        f"Verdict: {standing.word}",
        *([f"Why: {verdict.why}"] if verdict.why else []),
    ]


def _write(file: Path, results: "Results") -> None:
    from ecocviz.lab.evidence.results import to_json  # noqa: PLC0415 - as above

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(to_json(results), encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{file} cannot be written: {error.strerror or error}.") from None


def made_folder(folder: Path) -> None:
    """Make a folder; raise ValueError with a sentence where nothing can be written to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(f"Nothing can be written to {folder}: {error.strerror or error}.") from None
