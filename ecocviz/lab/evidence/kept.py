"""Records of a study in the store: a run that was stopped or killed goes on where it was.

A cell is found again by its key and all that it is about: where some cells of a study are changed, the
others are not measured again. A study is everybody's, also where visitors have runs of their own: it holds
nothing of theirs, and is measured once for all of them.
"""

import hashlib
import inspect
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import ecocviz
from ecocviz.lab.evidence import catalogue
from ecocviz.lab.evidence.entries import Cell, Paper, Record, Setting, Study, cells_of
from ecocviz.lab.evidence.results import Results, digest, gather
from ecocviz.lab.store import StoreError, open_store
from ecocviz.lab.store_rows import Run

IMPORTED = re.compile(r"^ *from (ecocviz\.lab\.papers[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)
"""Found by a pattern: Python's own parser fails now and then where two threads use it at once."""
ROOT = Path(__file__).resolve().parents[3]
"""The folder in which the package lies."""


class KeptStudy:
    """What was measured of a study before, and what is measured now.

    Parameters
    ----------
    paper, study, setting
        Which study, and how large it is.
    cells
        Its cells of that setting.
    fresh
        Whether what was measured before is forgotten.

    Attributes
    ----------
    records
        Cell key -> record.
    problem
        Why nothing is kept, in a sentence; None if all is well.
    """

    def __init__(
        self, paper: Paper, study: Study, setting: Setting, cells: Sequence[Cell], *, fresh: bool = False
    ) -> None:
        self._store = open_store()
        self._keys = _keys(cells)
        self.records: dict[str, Record] = {}
        self._run: int | None = None
        about = {
            "paper": paper.key,
            "study": study.key,
            "setting": setting.value,
            "code": _code(study),
        }
        name = f"{paper.title}: {study.key}, {setting}"
        try:
            self._run = self._store.begin("paper", name, about, len(cells), fresh=fresh)
            known = self._store.known(self._run)
            self.records.update({cell: known[key] for cell, key in self._keys.items() if key in known})
        except StoreError as problem:
            self._problem: str | None = str(problem)
        else:
            self._problem = None

    @property
    def problem(self) -> str | None:
        """Why nothing is kept beyond this process, in a sentence; None if all is well."""
        return self._problem or self._store.problem

    def add(self, key: str, record: Record) -> None:
        """Keep the record of a cell."""
        self.records[key] = record
        if self._run is not None:
            try:
                self._store.add(self._run, self._keys[key], record)
            except StoreError as problem:
                self._problem = str(problem)

    def end(self, state: str) -> None:
        """Say how it has ended: "done", "stopped" or "failed"."""
        if self._run is not None:
            try:
                self._store.end(self._run, state)
            except StoreError as problem:
                self._problem = str(problem)


def results_of(run: Run, points: Mapping[str, Record]) -> tuple[Paper, Results]:
    """Return the results of a kept study; raise ValueError with a sentence where it cannot be judged."""
    paper = catalogue.PAPERS.get(str(run.about.get("paper")))
    studies = () if paper is None else paper.studies
    study = next((each for each in studies if each.key == run.about.get("study")), None)
    setting = str(run.about.get("setting"))
    if paper is None or study is None or setting not in set(Setting):
        raise ValueError("This version of ecocviz has no such study, so it cannot judge it.")
    if run.version != ecocviz.__version__ or run.about.get("code") != _code(study):
        raise ValueError(
            "It was measured by another version of this study, so today's rules do not judge it."
        )
    keys = _keys(cells_of(study, Setting(setting)))
    records = {cell: points[key] for cell, key in keys.items() if key in points}
    if len(records) < len(keys):
        raise ValueError(
            f"{len(records):,} of its {len(keys):,} cells are measured; it is judged when all are."
        )
    date = datetime.fromtimestamp(run.touched, UTC).date().isoformat()
    return paper, gather(paper, study, Setting(setting), records, date)


def _keys(cells: Sequence[Cell]) -> dict[str, str]:
    """Return the key of a cell in its study -> that in the store, which says what the cell is about too."""
    return {cell.key: f"{cell.key} {digest([cell])}" for cell in cells}


def _code(study: Study) -> str:
    """Return a digest of the files that measure: what was measured before they were changed is not taken."""
    file = inspect.getsourcefile(study.measure)
    content = b"".join(path.read_bytes() for path in measuring_files(Path(file))) if file else b""
    return hashlib.sha256(content).hexdigest()[:16]


def measuring_files(first: Path) -> list[Path]:
    """Return a file and those files of papers that it imports, and they, sorted."""
    found: set[Path] = set()
    waiting = [first]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for module, words in IMPORTED.findall(path.read_text(encoding="utf-8")):
            names = (module, *(f"{module}.{word}" for word in re.findall(r"\w+", words)))
            imported = (ROOT / f"{name.replace('.', '/')}.py" for name in names)
            waiting += [each for each in imported if each.is_file()]
    return sorted(found)
