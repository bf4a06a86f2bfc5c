"""An app process tells the supervisor's desk how it is, every few seconds."""

import logging
import os
import threading
import time
from typing import Any

from ecocviz.lab.quiet import ERRORS, Counted
from ecocviz.lab.report import JobState
from ecocviz.serving.desk import tell
from ecocviz.views.shared.app.hearing import HEARD
from ecocviz.views.shared.app.vitals import connected

LOG = logging.getLogger(__name__)
TELL_SECONDS = 2.0
_BEGUN = time.monotonic()
READY = threading.Event()
"""Set when all is loaded."""


def begin_telling(desk: str) -> None:
    """Tell the desk from now on, in a thread; more than what happens once all is loaded."""

    def work() -> None:
        while True:
            time.sleep(TELL_SECONDS)
            try:
                tell(desk, {"note": {"pid": os.getpid(), **_taken(), **(how() if READY.is_set() else {})}})
            except Exception:
                LOG.exception("The desk could not be told.")  # this time; the operator sees that it is silent

    threading.Thread(target=work, name="ecocviz-telling", daemon=True).start()


def _taken() -> dict[str, Any]:
    """Return what has happened since this was asked last."""
    errors = []
    while ERRORS:
        errors.append(ERRORS.popleft())
    return {"runs": HEARD.taken(), "errors": errors}


def how() -> dict[str, int | None]:
    """Say how this process is: numbers only."""
    from ecocviz.views.shared.app import cache  # noqa: PLC0415 - it loads the numerics

    counts = [pool().under_way() for pool in (cache.jobs, cache.trainings, cache.views)]
    return {
        "sessions": connected(),
        "running": sum(count.get(JobState.RUNNING, 0) for count in counts),
        "waiting": sum(count.get(JobState.WAITING, 0) for count in counts),
        "budget_bytes": cache.total_bytes(),
        "kept_bytes": cache.keeper().n_bytes + cache.remembered_bytes() + cache.results_bytes(),
        "uploads": HEARD.uploads,
        "upload_bytes": HEARD.upload_bytes,
        "n_errors": Counted.total,
        "uptime_seconds": round(time.monotonic() - _BEGUN),
    }
