"""To a backend of joblib that is none of ours: its own `Parallel` spreads the tasks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from joblib import Parallel, delayed
from joblib.parallel import get_active_backend

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.tasks._crates import Laden, pack
from ecocviz.engine.tasks._inside import Call, Failed


def by_joblib(
    call: Call[Any, Any, Any],
    tasks: Sequence[Any],
    n_jobs: int | None,
    progress: Progress,
    wanted: Callable[[int], bool],
) -> Iterator[tuple[int, Any | Failed]]:
    """Yield what the tasks have found; `progress` is asked between them only."""
    backend, _ = get_active_backend(prefer="threads")
    streams = getattr(backend, "supports_return_generator", False)
    pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered" if streams else "list")
    laden = Laden(pack(call))
    asked = (delayed(_numbered)(laden, k, task) for k, task in enumerate(tasks) if wanted(k))
    for n_finished, outcome in enumerate(pool(asked)):
        yield outcome
        progress.at((n_finished + 1) / len(tasks))


def _numbered(laden: Laden, position: int, task: Any) -> tuple[int, Any]:  # noqa: ANN401 - the caller's
    return position, laden.do(task, NO_PROGRESS)
