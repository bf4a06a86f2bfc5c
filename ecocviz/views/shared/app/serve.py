"""The app's server: Streamlit, with the numerics loaded and compiled while it starts.

The first visitor then waits neither for imports nor for the first compilation of the kernels.
"""

import gc
import os
import pkgutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from streamlit.web import cli
from uvicorn.config import HTTP_PROTOCOLS

from ecocviz.data.policy import current_policy
from ecocviz.lab import jobs, workers
from ecocviz.lab.compiled import find_room_for_compiled
from ecocviz.lab.quiet import watch_errors
from ecocviz.lab.threads import one_thread_each
from ecocviz.serving.descriptors import Impatient, allow_files
from ecocviz.serving.ready import tell_ready
from ecocviz.views.shared.app.telling import READY
from ecocviz.views.shared.app.vitals import answer_signals

GRACE_SECONDS = 3.0
"""What a cancelled computation gets to end by itself."""
IDLE_SECONDS, IDLE_SHARE = 2.0, 0.05
"""Garbage is collected when the server has used less than this share of a processor for so long."""
REST_SECONDS, REST_SHARE = 10.0, 0.01
"""Nobody needs the server that has done so little for so long."""


def warm_up() -> None:
    """Run the first screen and its bound once, load what pages need, and make known what they show first."""
    from ecocviz import lab, views  # noqa: PLC0415 - the point is to import while the server starts
    from ecocviz.engine.capabilities import Bounded  # noqa: PLC0415 - as above
    from ecocviz.lab.first_screen import first_scenario  # noqa: PLC0415 - as above
    from ecocviz.lab.run import run  # noqa: PLC0415 - as above
    from ecocviz.views.shared.app.warm import warm_screen  # noqa: PLC0415 - as above

    estimator = run(first_scenario()).trained.shown.estimator
    if isinstance(estimator, Bounded):
        estimator.loo_bound()
    for package in (lab, views):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".shared.app" not in module.name:  # of the app around the pages they load what they need
                import_module(module.name)
    warm_screen()


_LEAVING = threading.Event()


def settle() -> None:
    """Turn the garbage collector on, and spare it what stays for good: the loaded code, some 300,000 objects.

    A full collection took 120 ms of processor time with them and takes less than one without. Collecting
    while they come takes a fifth of the time of loading them.
    """
    gc.freeze()
    gc.enable()


def _works(seconds: float, share: float) -> Iterator[bool]:
    """Say again and again whether the server has worked for more than a share of so many seconds."""
    before = time.process_time()
    while not _LEAVING.wait(seconds):
        yield time.process_time() - before > share * seconds
        before = time.process_time()


def idle(seconds: float = IDLE_SECONDS, rest: float = REST_SECONDS) -> bool:
    """Wait until nobody has needed the server for so long; return False if it ends."""
    rested = 0.0
    for working in _works(seconds, REST_SHARE):
        rested = 0.0 if working else rested + seconds
        if rested >= rest:
            return True
    return False


def collect_when_idle(seconds: float = IDLE_SECONDS) -> None:
    """Collect garbage when the server has worked and then done next to nothing for so long; until it ends.

    Streamlit would collect after every run of a page, when somebody waits for the next one: with 60 visitors
    that was three quarters of the interpreter's time.
    """
    worked = True
    for working in _works(seconds, IDLE_SHARE):
        if worked and not working:
            gc.collect()
        worked = working


def _prepare() -> None:
    """Make ready what is shown first; a server that is stopped meanwhile ends without complaint."""
    try:
        try:
            warm_up()
        finally:
            settle()
            READY.set()
            tell_ready()
        _warm_the_rest()
    except (RuntimeError, ImportError):
        # When the interpreter ends, an import that is under way can register nothing, and no job be begun.
        if not _LEAVING.is_set():
            raise


def _warm_the_rest() -> None:
    """Start the worker processes and make the examples known while nobody needs the server."""
    from ecocviz.views.shared.app.cache import workers as crew  # noqa: PLC0415 - it loads the numerics
    from ecocviz.views.shared.app.tending import tend  # noqa: PLC0415 - as above
    from ecocviz.views.shared.app.warm import warm_examples, warm_pages  # noqa: PLC0415 - as above

    threading.Thread(target=tend, args=(_LEAVING,), name="ecocviz-tend", daemon=True).start()
    if idle():
        crew().warm()
    warm_pages(idle)
    warm_examples(idle)


def main() -> None:
    """Serve: arguments are the app's script and the options of `streamlit run`."""
    script, *options = sys.argv[1:]
    watch_errors(quiet=current_policy().shared)
    allow_files()
    HTTP_PROTOCOLS["auto"] = f"{Impatient.__module__}:{Impatient.__qualname__}"  # Streamlit leaves no choice
    one_thread_each()
    find_room_for_compiled()
    gc.disable()  # until all is loaded: see settle
    threading.Thread(target=_prepare, name="ecocviz-warm-up", daemon=True).start()
    threading.Thread(target=collect_when_idle, name="ecocviz-collect", daemon=True).start()
    answer_signals()
    sys.argv = ["streamlit", "run", str(Path(script).with_name("asgi.py")), *options]
    for number in (signal.SIGINT, signal.SIGTERM):
        # The server stops in order at either, and then passes it on to who handled it before.
        signal.signal(number, lambda _number, _frame: sys.exit(0))
    try:
        cli.main(prog_name="streamlit")
    finally:
        _leave()


def _leave() -> None:
    """Let no background computation hold up the end of the server."""
    _LEAVING.set()
    jobs.close_all()
    workers.close_all()
    # A job ends at its next report; a long step inside a linear-algebra routine has none.
    last = threading.Timer(GRACE_SECONDS, os._exit, [0])
    last.daemon = True
    last.start()


if __name__ == "__main__":
    main()
