"""`ecocviz sweep`: a scenario over values of its fields, each point measured, here or by workers."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

from ecocviz.cli_scenario import add_scenario, read_scenario, text_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ecocviz.lab.scenario import Scenario
    from ecocviz.lab.sweep import SweepPoint

EXAMPLES = """\
examples:
  ecocviz sweep --over machine.gamma=0.1,1,10                       three values, one after the other
  ecocviz sweep --set data=letter --over machine.gamma=0.1:10:20 machine.C=0.1:100:10 --workers 4
  ecocviz sweep --over coding=one-vs-all,one-vs-one seed=0:9:10 --measure test --json
  ecocviz sweep sweep.toml --cluster tcp://10.0.0.7:8786            on the workers of a Dask cluster
  ecocviz sweep sweep.toml --out points.jsonl                       started again, it goes on where it was
  ecocviz sweep --data my.csv --label species --over machine.C=0.1:100:7

sweep.toml is a scenario as the app exports it, with a table of the fields that are swept:

  [sweep]
  coding = ["one-vs-all", "one-vs-one"]
  machine.gamma = {from = 0.1, to = 10, values = 7, scale = "log"}

The status is 0 when all points were measured, 1 when some could not be, 2 when the input is wrong, 130 when
it was stopped."""
CANCELLED = 130
BAR = 24
"""Characters of the bar."""
TOLD = 10
"""How often, at most, the share is told where there is no terminal."""
MOST_WORKERS = 1024


def add_sweep(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the others."""
    sweep = commands.add_parser(
        "sweep",
        help="run a scenario over values of its fields",
        description="Run a scenario with every combination of values of some of its fields, and print the "
        "errors of each point as it finishes.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_scenario(sweep)
    sweep.add_argument(
        "--over",
        nargs="+",
        default=[],
        action="extend",
        metavar="NAME=VALUES",
        help="a field and its values, with commas between them, or FROM:TO:HOW_MANY",
    )
    sweep.add_argument(
        "--measure",
        nargs="+",
        default=[],
        metavar="ERROR",
        help="what to measure: test, train, bound, exact, cross-validation (default: test train)",
    )
    sweep.add_argument("--json", action="store_true", help="print JSON when all is done")
    sweep.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="write every point to this file as it finishes, a line of JSON each; "
        "those that it has are not run again",
    )
    where = sweep.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        type=whole_workers,
        metavar="N",
        help="measure N points at the same time, each in a process",
    )
    where.add_argument(
        "--cluster", metavar="ADDRESS", help="measure on the workers of the Dask scheduler at tcp://host:port"
    )


def whole_workers(text: str) -> int:
    """Read how many workers there shall be."""
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MOST_WORKERS:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"workers are a whole number from 1 to {MOST_WORKERS}, not {text[:40]!r}"
    )


def sweep(chosen: argparse.Namespace) -> int:
    """Run the sweep that the options name; return the exit status, raise ValueError for what is wrong."""
    from ecocviz.lab.compiled import find_room_for_compiled  # noqa: PLC0415 - as below

    find_room_for_compiled()  # before the numerics are loaded
    from ecocviz.lab.scenario import toml_fields_and  # noqa: PLC0415 - --help must not wait for the numerics
    from ecocviz.lab.sweep import measure_all, points_of  # noqa: PLC0415 - as above
    from ecocviz.lab.threads import one_thread_each  # noqa: PLC0415 - as above

    one_thread_each()
    fields, written = ({}, {}) if chosen.file is None else toml_fields_and(text_of(chosen.file), "sweep")
    scenario, _, table = read_scenario(chosen, fields)
    measures, over = _measures(chosen.measure), _over(scenario, written, chosen.over)
    points = points_of(scenario, over)
    with _where(chosen) as (executor, where), _kept(chosen.out) as kept:
        told = _Told(list(over), points, measures, chosen, kept)
        left = {k: point for k, point in enumerate(points) if not told.known(k)}
        try:
            told.begin(where)
            with closing(measure_all(left, measures, executor=executor, table=table)) as found:
                for point in found:
                    told.add(point)
        except KeyboardInterrupt:
            return told.stopped()
        return told.end()


def _over(scenario: "Scenario", written: Any, options: list[str]) -> dict[str, list[Any]]:  # noqa: ANN401 - of a file
    from ecocviz.lab.sweep_axes import read_over, read_table  # noqa: PLC0415 - as above

    over = read_table(scenario, written) | dict(read_over(scenario, text) for text in options)
    if not over:
        raise ValueError(
            "A sweep needs values: --over machine.gamma=0.1,1,10, or a table [sweep] in the file."
        )
    return over


def _measures(names: list[str]) -> list[Any]:
    from ecocviz.lab.curves import Measure  # noqa: PLC0415 - as above

    known = {measure.value: measure for measure in Measure}
    for name in names:
        if name not in known:
            raise ValueError(f"There is no measure {name[:40]!r}; there are {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names)] or [Measure.TEST, Measure.TRAIN]


@contextmanager
def _where(chosen: argparse.Namespace) -> "Iterator[tuple[Executor | None, str]]":
    """Give what measures the points, and in words where that is."""
    if chosen.cluster is not None:
        from ecocviz.lab.cluster import connected  # noqa: PLC0415 - as above

        with connected(chosen.cluster) as (executor, where):
            yield executor, where
    elif chosen.workers is not None:
        from ecocviz.lab.workers import Workers  # noqa: PLC0415 - as above

        workers = Workers(chosen.workers, silent_seconds=float("inf"))  # a point may take long
        try:
            yield (
                workers,
                f"{chosen.workers} worker process{'es' if chosen.workers > 1 else ''} of this computer",
            )
        finally:
            workers.close()
    else:
        yield None, "this computer, one point after the other"


# What was measured before ----------------------------------------------------------------------------


@contextmanager
def _kept(file: Path | None) -> Iterator[tuple[dict[str, dict[str, Any]], TextIO | None]]:
    """Give the points that a file has, by their scenarios, and the file to write more to."""
    if file is None:
        yield {}, None
        return
    try:
        with file.open("a+", encoding="utf-8") as out:
            out.seek(0)
            content = out.read()
            if content and not content.endswith("\n"):  # whoever wrote the last line was stopped
                out.write("\n")
            yield _points_in(content), out
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} cannot be written: {getattr(error, 'strerror', None) or error}.") from None


def _points_in(content: str) -> dict[str, dict[str, Any]]:
    found = {}
    for line in content.splitlines():
        try:
            row = json.loads(line)
            found[_key(row["scenario"])] = row
        except (ValueError, KeyError, TypeError):
            continue  # half a line, or something else's
    return found


def _key(flat: Mapping[str, str]) -> str:
    return json.dumps(flat, sort_keys=True)


# What is printed -------------------------------------------------------------------------------------


class _Told:
    """Tells of points as they come: a line each, a bar on a terminal, a line of the file."""

    def __init__(
        self,
        names: list[str],
        points: "list[Scenario]",
        measures: list[Any],
        chosen: argparse.Namespace,
        kept: tuple[dict[str, dict[str, Any]], TextIO | None],
    ) -> None:
        self._names, self._points, self._measures = names, points, measures
        self._json, (before, self._out) = chosen.json, kept
        self._bar = sys.stderr.isatty()
        self._began = perf_counter()
        self._rows: dict[int, dict[str, Any]] = {}
        for position, point in enumerate(points):
            row = before.get(_key(point.to_flat()), {"failed": ""})
            if "failed" not in row and all(measure.value in row for measure in measures):
                self._rows[position] = {**row, "point": position}
        self._n_before = len(self._rows)

    def known(self, position: int) -> bool:
        """Say whether a point was measured before."""
        return position in self._rows

    def begin(self, where: str) -> None:
        """Say what is to be done, and where."""
        before = f", {self._n_before} of them measured before" if self._n_before else ""
        print(f"{len(self._points)} points{before}; on {where}", file=sys.stderr, flush=True)

    def add(self, point: "SweepPoint") -> None:
        """Tell of one point."""
        row = self._row(point)
        self._rows[point.position] = row
        if self._out is not None:
            self._out.write(json.dumps(row, ensure_ascii=False) + "\n")
            self._out.flush()
        if self._bar:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        if not self._json:
            print(self._line(row), flush=True)
        self._share()

    def stopped(self) -> int:
        """Say how far it came."""
        kept = "" if self._out is None else " and are kept in the file"
        print(
            f"\nStopped: {len(self._rows)} of {len(self._points)} points were measured{kept}.",
            file=sys.stderr,
        )
        return CANCELLED

    def end(self) -> int:
        """Say what came out; return the exit status."""
        rows = [self._rows[position] for position in sorted(self._rows)]
        n_failed = sum("failed" in row for row in rows)
        if self._json:
            print(json.dumps({"points": rows, "failed": n_failed}, indent=2, ensure_ascii=False))
        else:
            for measure in self._measures:
                print(*self._least(measure.value, rows), sep="\n", end="")
        if self._bar:
            print("\r\033[K", end="", file=sys.stderr)
        if n_failed:
            print(f"{n_failed} of {len(rows)} points could not be measured.", file=sys.stderr)
        return 1 if n_failed else 0

    def _row(self, point: "SweepPoint") -> dict[str, Any]:
        row: dict[str, Any] = {"point": point.position, "scenario": point.scenario.to_flat()}
        if point.failed is not None:
            return {**row, "failed": point.failed}
        for measure, found in point.found.items():
            row[measure.value] = (
                {"refused": found}
                if isinstance(found, str)
                else {"points": found.n, "wrong": found.n_wrong, "error": found.error}
            )
        return {**row, "training_seconds": round(point.seconds, 3)}

    def _line(self, row: dict[str, Any]) -> str:
        if "failed" in row:
            return f"{self._place(row)}  {row['failed']}"
        errors = (f"{measure.value} {_error(row[measure.value])}" for measure in self._measures)
        return f"{self._place(row)}  {', '.join(errors)}"

    def _place(self, row: dict[str, Any]) -> str:
        """Name a point by the fields that are swept."""
        scenario = self._points[row["point"]]
        return " ".join(f"{name}={_value(scenario, name)}" for name in self._names)

    def _least(self, measure: str, rows: list[dict[str, Any]]) -> list[str]:
        found = [row for row in rows if "error" in row.get(measure, {})]
        if not found:
            return []
        best = min(found, key=lambda row: row[measure]["error"])
        return [f"least {measure} error: {_error(best[measure])} at {self._place(best)}", ""]

    def _share(self) -> None:
        """Tell how far it is: a bar on a terminal, else a line now and then, where points are no lines."""
        n, n_done = len(self._points), len(self._rows)
        seconds = perf_counter() - self._began
        if self._bar:
            filled = BAR * n_done // n
            left = seconds * (n - n_done) / max(1, n_done - self._n_before)
            bar = f"[{'#' * filled}{'.' * (BAR - filled)}] {n_done} of {n}, about {left:.0f} s left"
            print(bar, end="", file=sys.stderr, flush=True)
        elif self._json and TOLD * n_done // n > TOLD * (n_done - 1) // n:
            print(f"{n_done} of {n} points", file=sys.stderr, flush=True)


def _value(scenario: "Scenario", name: str) -> str:
    from ecocviz.lab.catalogue import SLOTS  # noqa: PLC0415 - as above

    slot, dot, param = name.partition(".")
    if not dot:
        return str(scenario.seed) if slot == "seed" else str(getattr(scenario, slot).key)
    choice = getattr(scenario, slot)
    declared = next(each for each in SLOTS[slot][choice.key].params if each.name == param)
    return str(declared.text(choice.values[param]))


def _error(about: dict[str, Any]) -> str:
    if "refused" in about:
        return f"unknown ({about['refused']})"
    return f"{100 * about['error']:.2f} % ({about['wrong']} of {about['points']})"
