"""Where the points of a sweep are kept: in the store of runs, and in a file if one is named."""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ecocviz.cli_said import say
from ecocviz.cli_store import opened

if TYPE_CHECKING:
    from ecocviz.lab.curves import Measure
    from ecocviz.lab.scenario import Scenario
    from ecocviz.lab.store import Store

Row = dict[str, Any]
"""What is told of a point: its scenario, and each measure or why it failed."""


class Kept:
    """The points that were measured before, and where new ones go.

    Attributes
    ----------
    known
        Position -> row, of those that need not be measured.
    run
        Number of the run in the store, None where it is not kept there.
    """

    def __init__(self, points: "Sequence[Scenario]", store: "Store | None", file: TextIO | None) -> None:
        self._points, self._store, self._file = points, store, file
        self._measures: Sequence[str] = ()
        self.known: dict[int, Row] = {}
        self.run: int | None = None

    def begin(self, title: str, about: Mapping[str, Any], before: Mapping[str, Row], *, fresh: bool) -> None:
        """Begin or go on; `before` are the rows of the file, by their scenarios."""
        measures, in_file = about["measures"], {} if fresh else before
        self._measures = measures
        keys = [_key(point.to_flat()) for point in self._points]
        in_store: Mapping[str, Row] = {}
        if self._store is not None:
            self.run = self._guarded(
                lambda store: store.begin("sweep", title, about, len(set(keys)), fresh=fresh)
            )
        if self.run is not None:
            in_store = self._guarded(lambda store: store.known(self.run or 0)) or {}
        for position, key in enumerate(keys):
            row = next((rows[key] for rows in (in_store, in_file) if _has(rows.get(key), measures)), None)
            if row is not None:
                self.known[position] = {**row, "point": position}
                # What one of the two lacks, it gets.
                self._put(self.known[position], store=key not in in_store, file=key not in in_file)

    def claim(self, positions: Sequence[int]) -> tuple[bool, list[Row]]:
        """Ask for points that share their machines, just before they are measured.

        Returns whether no other process measures them now, and their rows if another one has since.
        """
        from ecocviz.lab.run import without_decoder  # noqa: PLC0415 - --help must not wait for the numerics

        if self.run is None:
            return True, []
        points = [self._points[position] for position in positions]
        keys = [_key(point.to_flat()) for point in points]
        task = hashlib.sha256(_key(without_decoder(points[0]).to_flat()).encode()).hexdigest()[:32]
        answer = self._guarded(lambda store: store.claim(self.run or 0, task, keys))
        if answer is None:
            return True, []
        free, found = answer
        if not all(_has(found.get(key), self._measures) for key in keys):
            return free, []
        rows = [{**found[key], "point": position} for key, position in zip(keys, positions, strict=True)]
        for row in rows:
            self._put(row, store=False, file=True)
        return free, rows

    def add(self, row: Row) -> None:
        """Keep a point."""
        self._put(row, store=True, file=True)

    def end(self, state: str) -> None:
        """Say how the sweep ended."""
        if self.run is not None:
            self._guarded(lambda store: store.end(self.run or 0, state))

    def _put(self, row: Row, *, store: bool, file: bool) -> None:
        if store and self.run is not None:
            record = {name: value for name, value in row.items() if name != "point"}
            self._guarded(lambda kept: kept.add(self.run or 0, _key(row["scenario"]), record))
        if file and self._file is not None:
            with _told_of(self._file.name):
                self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
                self._file.flush()

    def _guarded(self, work: "Callable[[Store], Any]") -> Any:  # noqa: ANN401 - whatever the work returns
        """Do something with the store; if that fails the sweep goes on without it, and it is said once."""
        from ecocviz.lab.store_file import StoreError  # noqa: PLC0415 - --help must not wait for the numerics

        if self._store is None:
            return None
        try:
            return work(self._store)
        except StoreError as error:
            self._store = self.run = None
            say(f"{error} The sweep goes on.", file=sys.stderr, flush=True)
            return None


@contextmanager
def kept_points(
    chosen: argparse.Namespace,
    scenario: "Scenario",
    over: Mapping[str, Sequence[str]],
    measures: "Sequence[Measure]",
    points: "Sequence[Scenario]",
) -> Iterator[Kept]:
    """Give what keeps the points of a sweep, with those that were measured before."""
    from ecocviz.lab.store_about import title_of  # noqa: PLC0415 - --help must not wait for the numerics

    about = {
        "scenario": scenario.to_flat(),
        "over": {name: list(values) for name, values in over.items()},
        "measures": sorted(measure.value for measure in measures),
    }
    with _opened(chosen.out) as (before, file):
        kept = Kept(points, opened(chosen), file)
        title = f"{title_of(scenario)} over {', '.join(over)}"
        kept.begin(title, about, before, fresh=chosen.fresh)
        yield kept


def _has(row: Row | None, measures: Sequence[str]) -> bool:
    return row is not None and "failed" not in row and all(measure in row for measure in measures)


def _key(flat: Mapping[str, str]) -> str:
    from ecocviz.lab.store_about import canonical  # noqa: PLC0415 - --help must not wait for the numerics

    return canonical(flat)


# The file --------------------------------------------------------------------------------------------


@contextmanager
def _opened(file: Path | None) -> Iterator[tuple[dict[str, Row], TextIO | None]]:
    """Give the points that a file has, by their scenarios, and the file to write more to."""
    if file is None:
        yield {}, None
        return
    with _told_of(file):
        whole = file.is_file() or not file.exists()  # a pipe or a terminal has no points to be read
        out = file.open("a+" if whole else "a", encoding="utf-8")
    try:
        with _told_of(file):
            content = _read(out) if whole else ""
            if content and not content.endswith("\n"):  # whoever wrote the last line was stopped
                out.write("\n")
        yield _points_in(content), out
    finally:
        with suppress(OSError):  # what could not be written has been told
            out.close()


def _read(out: TextIO) -> str:
    out.seek(0)
    return out.read()


@contextmanager
def _told_of(file: Path | str) -> Iterator[None]:
    """Say of which file an error is."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} cannot be written: {getattr(error, 'strerror', None) or error}.") from None


def _points_in(content: str) -> dict[str, Row]:
    found = {}
    for line in content.splitlines():
        try:
            row = json.loads(line)
            found[_key(row["scenario"])] = row
        except (ValueError, KeyError, TypeError):
            continue  # half a line, or something else's
    return found
