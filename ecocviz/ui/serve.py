"""The app's server: Streamlit, with the numerics loaded and compiled while it starts.

The first visitor then waits neither for imports nor for the first compilation of the kernels.
"""

import os
import sys
import threading

from streamlit.web import cli

from ecocviz.lab.jobs import close_all

GRACE_SECONDS = 3.0
"""What a cancelled computation gets to end by itself."""


def warm_up() -> None:
    """Run the first screen's scenario once, with every decoder that is shown at first."""
    from ecocviz.lab.run import run  # noqa: PLC0415 - the point is to import while the server starts
    from ecocviz.lab.scenario import make_scenario  # noqa: PLC0415 - as above

    run(make_scenario())


_LEAVING = threading.Event()


def _warm_up() -> None:
    """Warm up; a server that is stopped meanwhile ends without complaint."""
    try:
        warm_up()
    except (RuntimeError, ImportError):
        # An import that is under way when the interpreter ends can register nothing any more.
        if not _LEAVING.is_set():
            raise


def main() -> None:
    """Serve: arguments are those of `streamlit run`."""
    threading.Thread(target=_warm_up, name="ecocviz-warm-up", daemon=True).start()
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
