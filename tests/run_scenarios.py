"""Scenarios run by somebody else: a program, so that nothing is shared with whoever starts it.

    python run_scenarios.py cli FILE ...       the command line, a scenario's file each
    python run_scenarios.py script FILE ...    exported scripts; costs and probabilities go to FILE.npz

Prints what they print as a list of JSON.
"""

import contextlib
import io
import json
import runpy
import sys

import numpy as np


def by_command(file):
    from ecocviz import cli  # noqa: PLC0415 - a script brings what it needs itself

    assert cli.main(["run", file, "--json"]) == 0


def by_script(file):
    from ecocviz.lab.evaluate import score_part  # noqa: PLC0415 - as above

    found = runpy.run_path(file)["result"]
    chances = score_part(found.trained, "test").probabilities(found.scenario.decoding)
    stated = {} if chances is None else {"probabilities": chances}
    np.savez(f"{file}.npz", train=found.train.costs, test=found.test.costs, **stated)


if __name__ == "__main__":
    told = []
    for each in sys.argv[2:]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            (by_command if sys.argv[1] == "cli" else by_script)(each)
        told.append(out.getvalue())
    sys.stdout.write(json.dumps(told))
