"""Many scenarios through one function, on any executor; results come back as they finish."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from typing import TypeVar

from ecocviz.engine.params import ParamValue
from ecocviz.lab.scenario import Scenario

Task = TypeVar("Task")
Point = TypeVar("Point")


def axis(scenario: Scenario, slot: str, name: str, values: Sequence[ParamValue]) -> list[Scenario]:
    """Return one scenario for each value of one parameter.

    Examples
    --------
    >>> from ecocviz.lab.scenario import make_scenario
    >>> [s.machine.values["gamma"] for s in axis(make_scenario(), "machine", "gamma", [0.5, 1.0])]
    [0.5, 1.0]
    """
    return [scenario.chosen(slot, None, **{name: value}) for value in values]


def sweep(
    tasks: Sequence[Task], work: Callable[[Task], Point], executor: Executor | None = None
) -> Iterator[tuple[int, Point]]:
    """Yield (position, result) for every task, in the order in which they finish.

    Parameters
    ----------
    tasks
        What `work` is called with, one by one.
    work
        A function of the top level of a module, where the executor sends it to other processes.
    executor
        Threads, processes, or a cluster's `distributed.Client(...).get_executor()`; without one the
        tasks run here, in order. Leaving the iteration early cancels what has not begun.
    """
    if executor is None:
        for position, task in enumerate(tasks):
            yield position, work(task)
        return
    futures = {executor.submit(work, task): position for position, task in enumerate(tasks)}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()
