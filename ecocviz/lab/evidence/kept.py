"""Records of a study in the store: a run that was stopped or killed goes on where it was.

A cell is found again by its key and all that it is about: where some cells of a study are changed, the others
are not measured again.
"""

import ast
import hashlib
import inspect
from collections.abc import Sequence
from pathlib import Path

from ecocviz.lab.evidence.entries import Cell, Paper, Record, Setting, Study
from ecocviz.lab.evidence.results import digest
from ecocviz.lab.store import StoreError, open_store

PAPERS = "ecocviz.lab.papers"
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
        self._keys = {cell.key: f"{cell.key} {digest([cell])}" for cell in cells}
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
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PAPERS):
                names = (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names))
                imported = (ROOT / f"{name.replace('.', '/')}.py" for name in names)
                waiting += [each for each in imported if each.is_file()]
    return sorted(found)
