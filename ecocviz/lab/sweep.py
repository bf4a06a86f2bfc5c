"""Sweeps: one scenario with other values in some places, every point measured, on any executor.

Points that differ in their decoder only are one task: the same machines serve all of them. Data that this
computer alone may have (a user's own table, a set that was fetched) travel to the workers, once to each.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import product

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.types import Table
from ecocviz.engine.params import ParamValue, shorten
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.tasks import Failed, run_tasks, task_progress
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.curves import CurvePoint, CurveTask, Measure, Reading, measure_point
from ecocviz.lab.run import load, train, why_not_run, without_decoder
from ecocviz.lab.scenario import SEED, Choice, Scenario
from ecocviz.lab.trained import Trained

MOST_POINTS = 100_000
"""Points that a sweep may have."""

Values = Mapping[str, Sequence[ParamValue]]
"""What a sweep runs over: a field of scenarios, such as "machine.gamma" or "coding" -> its values."""


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One point of a sweep.

    Attributes
    ----------
    position
        Its number in the sweep.
    scenario
        What was run.
    seconds
        What training took, of all its decoders together.
    found
        Measure -> the reading, or the sentence that says why there is none.
    failed
        Why nothing could be measured, None if something was.
    """

    position: int
    scenario: Scenario
    seconds: float
    found: Mapping[Measure, Reading | str]
    failed: str | None = None


# The points ------------------------------------------------------------------------------------------


def put(scenario: Scenario, name: str, value: ParamValue) -> Scenario:
    """Return a scenario with another value in one of its fields, which may be written as in a link.

    Examples
    --------
    >>> from ecocviz.lab.scenario import make_scenario
    >>> put(put(make_scenario(), "machine.gamma", "0.5"), "seed", 3).to_query()
    'v=1&machine.gamma=0.5&seed=3'
    """
    slot, dot, param = name.partition(".")
    if name == SEED.name:
        return replace(scenario, seed=SEED.parse(value) if isinstance(value, str) else SEED.check(value))
    if slot not in SLOTS:
        raise ValueError(f"A scenario has no {shorten(name, 40)!r}; it has {', '.join(SLOTS)} and seed.")
    if not dot:
        return scenario.chosen(slot, str(value))
    choice: Choice = getattr(scenario, slot)
    declared = {each.name: each for each in SLOTS[slot][choice.key].params}
    if param not in declared:
        has = f"it has {', '.join(declared)}" if declared else "it has none"
        raise ValueError(f"{slot}={choice.key} has no parameter {shorten(param, 40)!r}; {has}.")
    given = declared[param].parse(value) if isinstance(value, str) else value
    return scenario.chosen(slot, None, **{param: given})


def points_of(scenario: Scenario, over: Values) -> list[Scenario]:
    """Return the scenarios of a sweep: every combination of the values, the last field the fastest.

    Examples
    --------
    >>> from ecocviz.lab.scenario import make_scenario
    >>> [s.seed for s in points_of(make_scenario(), {"coding": ["one-vs-one"], "seed": [1, 2]})]
    [1, 2]
    """
    n_points = 1
    for name, values in over.items():
        if not values:
            raise ValueError(f"The sweep has no values for {name}; name at least one.")
        n_points *= len(values)
    if n_points > MOST_POINTS:
        raise ValueError(
            f"The sweep has {n_points:,} points, but at most {MOST_POINTS:,} are run; take fewer."
        )
    found = []
    for values in product(*over.values()):
        point = scenario
        for name, value in zip(over, values, strict=True):
            point = put(point, name, value)
        found.append(point)
    return found


# Measuring them --------------------------------------------------------------------------------------


def sweep(
    scenario: Scenario,
    over: Values,
    *,
    measures: Sequence[Measure] = (Measure.TEST, Measure.TRAIN),
    executor: Executor | None = None,
    n_jobs: int | None = None,
    table: Table | None = None,
    progress: Progress = NO_PROGRESS,
) -> Generator[SweepPoint, None, None]:
    """Measure every point of a sweep, and yield them as they finish: `measure_all` of `points_of`."""
    points = enumerate(points_of(scenario, over))
    yield from measure_all(
        dict(points), measures, executor=executor, n_jobs=n_jobs, table=table, progress=progress
    )


def measure_all(
    points: Mapping[int, Scenario],
    measures: Sequence[Measure],
    *,
    executor: Executor | None = None,
    n_jobs: int | None = None,
    table: Table | None = None,
    progress: Progress = NO_PROGRESS,
    wanted: Callable[[Sequence[int]], bool] = lambda _positions: True,
) -> Generator[SweepPoint, None, None]:
    """Measure scenarios, and yield them as they finish.

    Parameters
    ----------
    points
        Position -> scenario.
    measures
        Errors to take of each.
    executor, n_jobs, progress
        As those of `run_tasks`.
    table
        The data of all points, in place of their scenarios' own.
    wanted
        Asked, just before points that share their machines are measured, whether they are still to be; those
        that are not are not yielded.
    """
    groups: dict[Scenario, list[int]] = {}
    for position, point in points.items():
        reason = why_not_run(point)
        if reason:
            yield SweepPoint(position, point, 0.0, {}, reason)
        else:
            groups.setdefault(without_decoder(point), []).append(position)
    tasks = [
        CurveTask(key, tuple(dict.fromkeys(points[p].decider for p in positions)), tuple(measures))
        for key, positions in groups.items()
    ]
    members = list(groups.values())
    outcomes = measure_tasks(
        tasks,
        executor=executor,
        n_jobs=n_jobs,
        table=table,
        progress=progress,
        wanted=lambda number: wanted(members[number]),
    )
    for number, found in outcomes:
        for position in members[number]:
            point = points[position]
            if isinstance(found, Failed):
                yield SweepPoint(position, point, 0.0, {}, found.why)
            else:
                taken = {measure: found.found[point.decider, measure] for measure in measures}
                yield SweepPoint(position, point, found.seconds, taken)


def measure_tasks(
    tasks: Sequence[CurveTask],
    *,
    executor: Executor | None = None,
    n_jobs: int | None = None,
    table: Table | None = None,
    progress: Progress = NO_PROGRESS,
    wanted: Callable[[int], bool] = lambda _number: True,
) -> Iterator[tuple[int, CurvePoint | Failed]]:
    """Take all readings of each task; yield them, with its position, as they finish. As `measure_all`."""
    alone = executor is None and n_jobs is None
    shared = _Shared(_tables(tasks, table), None if alone else 1)
    return run_tasks(
        _measure, tasks, shared=shared, executor=executor, n_jobs=n_jobs, progress=progress, wanted=wanted
    )


@dataclass(frozen=True, slots=True)
class _Shared:
    """What every worker needs: tables, by what they are the data of; how many machines to train at once."""

    tables: Mapping[tuple[Choice, int], Table]
    n_jobs: int | None


def _data_key(scenario: Scenario) -> tuple[Choice, int]:
    return scenario.data, scenario.seed if DATASETS[scenario.data.key].seeded else 0


def _tables(tasks: Sequence[CurveTask], table: Table | None) -> dict[tuple[Choice, int], Table]:
    """Return the tables that workers may not have: all others they load or make themselves."""
    found: dict[tuple[Choice, int], Table] = {}
    for task in tasks:
        key = _data_key(task.scenario)
        if key not in found and (table is not None or DATASETS[task.scenario.data.key].needs):
            found[key] = load(task.scenario) if table is None else table
    return found


def _measure(shared: _Shared, task: CurveTask) -> CurvePoint:
    """Measure one task where it runs."""
    table = shared.tables.get(_data_key(task.scenario))

    def train_here(scenario: Scenario, progress: Progress) -> Trained:
        return train(scenario, progress, table, shared.n_jobs)

    return measure_point(task, task_progress(), train=train_here)
