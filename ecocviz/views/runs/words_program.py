"""The report as a program, for the command line, which imports no view.

    python -m ecocviz.views.runs.words_program < asked.json > report.html

It is told {"runs": [numbers], "root": address, "over": slot or null}; what is wrong is a sentence on the
error stream, and the status is 2.
"""

import json
import sys

from ecocviz.lab.store import open_store
from ecocviz.lab.store_looks import known_errors
from ecocviz.views.runs.facts import count_of, find_runs
from ecocviz.views.runs.inside import inside_of
from ecocviz.views.runs.over_sets import Measured, OverSets, compare_over_sets
from ecocviz.views.runs.words_report import report


def main() -> int:
    """Write the report that is asked for; return the exit status."""
    asked = json.load(sys.stdin)
    try:
        store = open_store()
        chosen = find_runs(store, asked["runs"], None)
        inside = inside_of(store, chosen, None)
        text = report(chosen, inside, over=_over(asked["over"]), root=asked["root"])
    except ValueError as error:
        sys.stderr.write(str(error))
        return 2
    sys.stdout.buffer.write(text.encode())
    return 0


def _over(slot: str | None) -> OverSets | None:
    """Compare what all kept scenarios hold in a slot over data sets."""
    if slot is None:
        return None
    found = ((flat, count_of(record)) for flat, record in known_errors(open_store(), None))
    return compare_over_sets([Measured(flat, test) for flat, test in found if test is not None], slot)


if __name__ == "__main__":
    raise SystemExit(main())
