"""A curve or a map whose points are measured by the workers of an executor, such as those of a cluster."""

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import nullcontext

from ecocviz.engine.progress import Progress
from ecocviz.engine.tasks import Failed
from ecocviz.lab.curve_plan import GridPlan, coarse_to_fine
from ecocviz.lab.curves import CurvePoint, CurveTask, Memory, measure_point
from ecocviz.lab.report import Report
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.sweep import measure_tasks
from ecocviz.lab.trained import Trained


def trace_by(
    executor: Executor,
    plan: GridPlan,
    report: Report,
    memory: Memory,
    train: Callable[[Scenario, Progress], Trained],
) -> int:
    """As `trace`, with the points measured by an executor; what it could not measure is measured here.

    Returns how many points that were.

    Parameters
    ----------
    executor
        Its workers get the data once.
    plan, report, memory, train
        As those of `trace`.
    """
    tasks = {
        position: CurveTask(plan.put(plan.scenario, place), plan.decodings, plan.measures)
        for position, place in enumerate(plan.places)
    }
    single = len(plan.lines) == 1

    def tell(position: int, point: CurvePoint) -> None:
        report.add((position, point if single else point.counts()))

    order = coarse_to_fine(*(len(line.values) for line in plan.lines))
    asked = [position for position in order if not _known(memory, tasks[position])]
    for position in sorted(set(order) - set(asked)):
        tell(position, memory.find(tasks[position].scenario))
    report.note(f"sending {len(asked)} of {len(order)} values to the cluster")
    left = []
    with nullcontext() if report.gate is None else report.gate.outside(report):
        found = measure_tasks([tasks[position] for position in asked], executor=executor, progress=report)
        for n_done, (number, point) in enumerate(found):
            report.note(f"{n_done + 1} of {len(asked)} values are back from the cluster")
            if isinstance(point, Failed):
                left.append(asked[number])
            else:
                memory.keep(point)
                tell(asked[number], point)
    for position in left:  # it says itself why, if it is refused here as well
        tell(position, measure_point(tasks[position], memory=memory, train=train, progress=report.part(1, 1)))
    return len(left)


def _known(memory: Memory, task: CurveTask) -> bool:
    found = memory.find(task.scenario).found
    return all((decoding, measure) in found for decoding in task.decodings for measure in task.measures)
