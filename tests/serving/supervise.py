"""The supervisor over small apps, as a program.

PORT FRONT N [broken | deaf-soon | passed-soon | CODE_FILE OPERATOR]
"""

import sys
from functools import partial
from pathlib import Path

from ecocviz.serving import processes
from ecocviz.serving.addresses import LOOPBACK
from ecocviz.serving.handed import read_networks

SMALL = Path(__file__).with_name("small_app.py")

if __name__ == "__main__":
    port, front, n_apps, *more = sys.argv[1:]
    broken = more == ["broken"]
    if more == ["deaf-soon"]:
        processes.LOOK_SECONDS, processes.DEAF_SECONDS = 0.2, 0.4
    if more == ["passed-soon"]:
        processes.LOOK_SECONDS, processes.PASSED_SECONDS = 0.2, 0.4

    extras = None
    if len(more) == 2:
        extras = processes.Extras(
            code_file=Path(more[0]), operator_port=int(more[1]), behind=read_networks([LOOPBACK])
        )

    def command(inner):
        return [sys.executable, str(SMALL), str(inner), *(["broken"] if broken else [])]

    try:
        say = partial(print, flush=True)
        processes.serve(command, (LOOPBACK, int(port)), int(n_apps), front, say, extras)
    except ValueError as error:
        sys.exit(f"ecocviz: {error}")
