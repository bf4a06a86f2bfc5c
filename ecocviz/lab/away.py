"""Large work of a background job goes to a process of its own when its turn has come; all else is done here.

Whoever computes says what it will cost and calls `away`. Outside a job (on the command line, in a notebook,
in a process that works for another) it is an ordinary call.
"""

from collections.abc import Callable
from typing import TypeVar

from ecocviz.engine import capabilities as can
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.lab.cost import Cost
from ecocviz.lab.report import working
from ecocviz.lab.trained import Model

Value = TypeVar("Value")


def away(
    cost: Cost,
    function: Callable[..., Value],
    *arguments: object,
    progress: Progress = NO_PROGRESS,
) -> Value:
    """Return function(*arguments, progress), computed wherever that is best.

    Parameters
    ----------
    cost
        What it is predicted to need.
    function
        Of the top level of a module: another process finds it by its name.
    arguments
        What can be pickled; what the function changes of them is not seen here (but see `away_on`).
    progress
        Told where the work is; may raise to end it.
    """
    report = working()
    if report is None or report.workers is None or report.gate is None or not cost.large:
        return function(*arguments, progress)
    with report.gate.large(cost, report) as n_bytes:
        found: Value = report.workers.call(function, *arguments, report=progress, max_bytes=n_bytes)
    return found


def away_on(
    model: Model,
    cost: Cost,
    function: Callable[..., Value],
    *arguments: object,
    progress: Progress = NO_PROGRESS,
) -> Value:
    """As `away`, for a function that is told the model first; what it learns of the machines is kept here."""
    if not cost.large:
        return function(model, *arguments, progress)
    found: tuple[Value, object] = away(cost, _with_gathered, function, model, *arguments, progress=progress)
    value, gathered = found
    if isinstance(model.estimator, can.Gathering):
        model.estimator.take(gathered)
    return value


def _with_gathered(
    function: Callable[..., Value],
    model: Model,
    *rest: object,
) -> tuple[Value, object]:
    """Return what a function makes of a model, and what is known of its machines then."""
    value = function(model, *rest)
    return value, model.estimator.gathered() if isinstance(model.estimator, can.Gathering) else None
