"""`ecocviz sweep`: a scenario over values of its fields, each point measured, here or by workers."""

import argparse
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecocviz.cli_scenario import add_scenario, read_fields, read_scenario
from ecocviz.cli_store import add_keeping
from ecocviz.cli_sweep_kept import Kept, kept_points
from ecocviz.cli_sweep_told import Told, value_text

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Executor

    from ecocviz.lab.scenario import Scenario
    from ecocviz.lab.sweep import SweepPoint

EXAMPLES = """\
examples:
  ecocviz sweep --over machine.gamma=0.1,1,10                       three values, one after the other
  ecocviz sweep --set data=letter --over machine.gamma=0.1:10:20 machine.C=0.1:100:10 --workers 4
  ecocviz sweep --over coding=one-vs-all,one-vs-one seed=0:9:10 --measure test --json
  ecocviz sweep sweep.toml --cluster tcp://10.0.0.7:8786            on the workers of a Dask cluster
  ecocviz sweep sweep.toml                                          started again, it goes on where it was
  ecocviz sweep sweep.toml --fresh --out points.jsonl               from the start, with every point in a file
  ecocviz sweep --data my.csv --label species --over machine.C=0.1:100:7

sweep.toml is a scenario as the app exports it, with a table of the fields that are swept:

  [sweep]
  coding = ["one-vs-all", "one-vs-one"]
  machine.gamma = {from = 0.1, to = 10, values = 7, scale = "log"}

Every point is kept as it finishes, and `ecocviz runs list` shows the sweep. The status is 0 when all points
were measured, 1 when some could not be, 2 when the input is wrong, 130 when it was stopped."""
CANCELLED = 130
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
    sweep.add_argument(
        "--fresh", action="store_true", help="measure every point, those that were measured before too"
    )
    add_keeping(sweep)
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
    from ecocviz.lab.sweep import measure_all, points_of  # noqa: PLC0415 - --help must not wait for the numerics
    from ecocviz.lab.threads import one_thread_each  # noqa: PLC0415 - as above

    one_thread_each()
    fields, written = read_fields(chosen.file, "sweep")
    scenario, _, table = read_scenario(chosen, fields)
    measures, over = _measures(chosen.measure), _over(scenario, written, chosen.over)
    points = points_of(scenario, over)
    values = {name: list(dict.fromkeys(value_text(point, name) for point in points)) for name in over}
    with (
        _where(chosen) as (executor, where),
        kept_points(chosen, scenario, values, measures, points) as kept,
    ):
        told = Told(list(over), points, measures, chosen, kept)
        measure = partial(measure_all, measures=measures, executor=executor, table=table)
        return _take(measure, where, told, kept)


def _take(measure: "Callable[..., Generator[SweepPoint]]", where: str, told: Told, kept: Kept) -> int:
    """Take the points as they finish; return the exit status.

    What another process measures at the same time is left to it at first. What it has not found by the end is
    measured here too: it may have been killed, and waiting for it would take as long.
    """
    state = "failed"
    try:
        told.begin(where)
        for last in (False, True):
            with closing(measure(told.left, wanted=partial(told.wanted, last=last))) as found:
                for point in found:
                    told.add(point)
        state = "done"
    except KeyboardInterrupt:
        state = "stopped"
        told.stopped()
        return CANCELLED
    except BrokenPipeError:
        state = "stopped"
        raise
    finally:
        kept.end(state)
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
