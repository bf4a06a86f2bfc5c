"""Curves and maps as jobs: by the app's own workers, or by the operator's cluster; where, in one line."""

from collections.abc import Callable

from ecocviz.lab.curve_plan import GridPlan, trace
from ecocviz.lab.grid_elsewhere import trace_by
from ecocviz.lab.report import Report
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.said import caption


def tracer(plan: GridPlan) -> Callable[[Report], None]:
    """Return the work of a job that measures every point of a plan, wherever this server does that."""
    memory, train, cluster = cache.readings(), cache.keeper().get, cache.cluster()

    def work(report: Report) -> None:
        executor = cluster.executor()
        if executor is None:
            trace(plan, report, memory, train)
        else:
            cluster.n_missed = trace_by(executor, plan, report, memory, train)

    return work


def draw_where() -> None:
    """Say where the points are measured, if that is not on this computer alone."""
    line = cache.cluster().line
    if line:
        caption(line)
