"""The store of runs on the command line: the option that does without it, and what is said of its faults."""

import argparse
import sys
from typing import TYPE_CHECKING

from ecocviz.cli_said import say

if TYPE_CHECKING:
    from ecocviz.lab.store import Store


def add_keeping(parser: argparse.ArgumentParser) -> None:
    """Add the option that keeps nothing."""
    parser.add_argument(
        "--no-store",
        action="store_true",
        help="keep nothing in the store of runs, which `ecocviz runs` and the app show",
    )


def opened(chosen: argparse.Namespace) -> "Store | None":
    """Return the store, None where nothing is to be kept or can be; why not is said."""
    if chosen.no_store:
        return None
    from ecocviz.lab.store import open_store  # noqa: PLC0415 - --help must not wait for the numerics

    store = open_store()
    for said in (*store.notes, *([store.problem] if store.problem else [])):
        say(said, file=sys.stderr, flush=True)
    return None if store.problem else store
