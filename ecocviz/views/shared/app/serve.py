"""The app's server: Streamlit, with the numerics loaded and compiled while it starts.

The first visitor then waits neither for imports nor for the first compilation of the kernels.
"""

import gc
import os
import pkgutil
import sys
import threading
import time
from importlib import import_module

from streamlit.web import cli

from ecocviz.lab.jobs import close_all
from ecocviz.serving.ready import tell_ready

GRACE_SECONDS = 3.0
"""What a cancelled computation gets to end by itself."""
IDLE_SECONDS, IDLE_SHARE = 2.0, 0.05
"""Garbage is collected when the server has used less than this share of a processor for so long."""


def warm_up() -> None:
    """Run the first screen's scenario and its bound once, and load what the other pages need."""
    from ecocviz import lab, views  # noqa: PLC0415 - the point is to import while the server starts
    from ecocviz.engine.capabilities import Bounded  # noqa: PLC0415 - as above
    from ecocviz.lab.run import run  # noqa: PLC0415 - as above
    from ecocviz.lab.scenario import make_scenario  # noqa: PLC0415 - as above

    estimator = run(make_scenario()).trained.shown.estimator
    if isinstance(estimator, Bounded):
        estimator.loo_bound()
    for package in (lab, views):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            # Pages, and what is around them, are for a session's own thread.
            if not (".shared.app" in module.name or module.name.rpartition(".")[2].startswith("page")):
                import_module(module.name)


_LEAVING = threading.Event()


def _warm_up() -> None:
    """Warm up; a server that is stopped meanwhile ends without complaint."""
    try:
        warm_up()
    except (RuntimeError, ImportError):
        # An import that is under way when the interpreter ends can register nothing any more.
        if not _LEAVING.is_set():
            raise
    finally:
        settle()
        tell_ready()


def settle() -> None:
    """Turn the garbage collector on, and spare it what stays for good: the loaded code, some 300,000 objects.

    A full collection took 120 ms of processor time with them and takes less than one without. Collecting
    while they come takes a fifth of the time of loading them.
    """
    gc.freeze()
    gc.enable()


def collect_when_idle(seconds: float = IDLE_SECONDS) -> None:
    """Collect garbage when the server has worked and then done next to nothing for so long; until it ends.

    Streamlit would collect after every run of a page, when somebody waits for the next one: with 60 visitors
    that was three quarters of the interpreter's time.
    """
    worked, before = True, time.process_time()
    while not _LEAVING.wait(seconds):
        working = time.process_time() - before > IDLE_SHARE * seconds
        if worked and not working:
            gc.collect()
        worked, before = working, time.process_time()


def main() -> None:
    """Serve: arguments are those of `streamlit run`."""
    gc.disable()  # until all is loaded: see settle
    threading.Thread(target=_warm_up, name="ecocviz-warm-up", daemon=True).start()
    threading.Thread(target=collect_when_idle, name="ecocviz-collect", daemon=True).start()
    sys.argv = ["streamlit", "run", *sys.argv[1:]]
    try:
        cli.main(prog_name="streamlit")
    finally:
        _leave()


def _leave() -> None:
    """Let no background computation hold up the end of the server."""
    _LEAVING.set()
    close_all()
    # A job ends at its next report; a long step inside a linear-algebra routine has none.
    last = threading.Timer(GRACE_SECONDS, os._exit, [0])
    last.daemon = True
    last.start()


if __name__ == "__main__":
    main()
