"""The app's server: Streamlit, with the numerics loaded and compiled while it starts.

The first visitor then waits neither for imports nor for the first compilation of the kernels.
"""

import sys
import threading

from streamlit.web import cli


def warm_up() -> None:
    """Run the first screen's scenario once, with every decoder that is shown at first."""
    from ecocviz.lab.run import run  # noqa: PLC0415 - the point is to import while the server starts
    from ecocviz.lab.scenario import make_scenario  # noqa: PLC0415 - as above

    run(make_scenario())


def main() -> None:
    """Serve: arguments are those of `streamlit run`."""
    threading.Thread(target=warm_up, name="ecocviz-warm-up", daemon=True).start()
    sys.argv = ["streamlit", "run", *sys.argv[1:]]
    cli.main(prog_name="streamlit")


if __name__ == "__main__":
    main()
