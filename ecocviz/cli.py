"""The command line: open the app, run a scenario, list the catalogue. Imports the lab only when asked to."""

import argparse
import dataclasses
import errno
import functools
import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ecocviz import __version__
from ecocviz.cli_link import add_link, link
from ecocviz.cli_paper import add_paper, paper
from ecocviz.cli_run import add_run, run
from ecocviz.cli_runs import add_runs, runs
from ecocviz.cli_said import PrintError, printing, say
from ecocviz.cli_serve import add_allow_host, add_serve, serve
from ecocviz.cli_sweep import CANCELLED, add_sweep, sweep
from ecocviz.serving.addresses import LOOPBACK, as_url, why_not

DEFAULT_PORT = 8501
OF_DISKS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO})
"""Faults that do not always name the file, and that are never ours."""
EXAMPLES = """\
examples:
  ecocviz                                     the app, in the browser
  ecocviz list coding                         every code, with its parameters and their ranges
  ecocviz run --set data=glass coding=one-vs-one decoding=hamming
  ecocviz run --data my.csv --label species   a file of your own
  ecocviz sweep --over machine.gamma=0.1,1,10 --workers 4
  ecocviz paper --list                        what papers claim, and the verdict on each
  ecocviz runs list                           what was computed, and its numbers
  ecocviz link experiment.toml                the app's link to a scenario
  ecocviz serve --workers 4                   the app for a class

`ecocviz COMMAND --help` says more about each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    _write_any_letter()
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        acts: dict[str | None, Callable[[], int]] = {
            None: lambda: _open(LOOPBACK, chosen.port, browser=not chosen.no_browser),
            "run": lambda: run(chosen),
            "sweep": lambda: sweep(chosen),
            "paper": lambda: paper(chosen),
            "runs": lambda: runs(chosen),
            "link": lambda: link(chosen),
            "list": lambda: _list(chosen.slot),
            "fetch": lambda: _fetch(chosen.number),
            "serve": lambda: _serve(chosen),
        }
        if "allow_host" in chosen:
            from ecocviz.serving.hosts import allow  # noqa: PLC0415 - --help does without it

            allow(chosen.allow_host)
        status = acts[chosen.command]()
        with printing():
            sys.stdout.flush()  # what cannot be written is told here, not as Python ends
    except ValueError as error:
        say(f"ecocviz: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        say("Stopped.", file=sys.stderr)
        return CANCELLED
    except BrokenPipeError:  # the reader (`| head`) has seen enough
        _write_no_more()
        return 0
    except PrintError as error:
        say(f"ecocviz: {error}", file=sys.stderr)
        _write_no_more()
        return 1
    except OSError as error:
        if error.filename is None and error.errno not in OF_DISKS:
            raise  # ours, and not to be taken for a full disk
        say(f"ecocviz: {error.filename or 'A file'}: {error.strerror or error}.", file=sys.stderr)
        return 1
    return status


def _write_any_letter() -> None:
    """Let letters that the terminal does not know be written as numbers, not be a mistake."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _write_no_more() -> None:
    """Let what is still to be printed go nowhere: nothing may be written at exit either."""
    with suppress(OSError):  # what stands for a terminal may be none
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ecocviz",
        description="See how a multiclass problem is solved with binary classifiers. "
        "Without a command, opens the app in the browser.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ecocviz {__version__}")
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help=f"port of the app at {LOOPBACK} (default: {DEFAULT_PORT})",
    )
    add_allow_host(parser)
    parser.add_argument("--no-browser", action="store_true", help="start the app without opening a browser")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    add_serve(commands, _port, DEFAULT_PORT)
    add_run(commands)
    add_sweep(commands)
    add_paper(commands)
    add_runs(commands)
    add_link(commands, as_url(LOOPBACK, DEFAULT_PORT))
    listing = commands.add_parser(
        "list",
        help="list what can be chosen",
        description="List the catalogue: every entry's key, title and file; of one slot, the parameters too.",
    )
    fetching = commands.add_parser(
        "fetch",
        help="fetch a data set from OpenML",
        description="Fetch a data set from OpenML into the data folder, for the app and for `ecocviz run`, "
        "which never use the network by themselves.",
    )
    fetching.add_argument(
        "number", type=_number, metavar="NUMBER", help="the set's number, such as 61 for Iris"
    )
    listing.add_argument("slot", nargs="?", metavar="SLOT", help="data, preparation, split, coding, ...")
    return parser


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a whole number from 1 to 65535, not {text[:40]!r}")


def _number(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"a set of OpenML has a number such as 61, not {text[:40]!r}")


# The app -------------------------------------------------------------------------------------------


def find_app() -> Path:
    """Return the app's script: inside the installed package, or at the top of the checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "_site", package.parent):
        if (folder / "app.py").is_file():
            return folder / "app.py"
    raise ValueError("The app's own files are missing; install ecocviz again.")


def app_command(port: int, address: str = LOOPBACK, *, browser: bool = False) -> list[str]:
    """Return the command that serves the app."""
    return [
        *(sys.executable, "-m", "ecocviz.views.shared.app.serve", str(find_app())),
        *("--server.address", address, "--server.port", str(port)),
        *("--server.headless", "false" if browser else "true"),
    ]


def _open(address: str, port: int, *, browser: bool) -> int:
    from ecocviz.lab.budget import budget  # noqa: PLC0415 - --help does without it
    from ecocviz.lab.cluster import standing  # noqa: PLC0415 - as above

    budget()  # one that cannot be read is refused here, not on the first page
    standing()  # as above
    command = app_command(port, address, browser=browser)
    problem = why_not(address, port)
    if problem:
        raise ValueError(problem)
    say(f"ecocviz is at {as_url(address, port)} (Ctrl+C stops it)", flush=True)
    for url in _room_urls(address, port):
        say(f"The room opens {url}", flush=True)
    if os.name == "posix":
        # Becoming the server leaves no second process between it and the terminal's signals.
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted
    return subprocess.call(command)  # noqa: S603 - made of our own words and a checked number


def _room_urls(address: str, port: int) -> list[str]:
    """Return where others find a server that listens on all addresses of this computer."""
    from ecocviz.serving.reach import offered, own_addresses  # noqa: PLC0415 - --help does without it

    return [as_url(own, port) for own in offered(address, own_addresses()) if own != address]


def _serve(chosen: argparse.Namespace) -> int:
    find_app()
    return serve(chosen, app_command, functools.partial(_open, browser=False))


# Data ----------------------------------------------------------------------------------------------


def _fetch(number: int) -> int:
    from ecocviz.data.openml import fetch  # noqa: PLC0415 - --help and the app must not wait for the numerics

    table = fetch(number)
    say(f"{table.name}: {len(table.features):,} rows, {table.features.shape[1]:,} features, kept for the app")
    return 0


# The catalogue -------------------------------------------------------------------------------------


def _list(slot: str | None) -> int:
    from ecocviz.lab.catalogue import SLOTS  # noqa: PLC0415 - --help and the app must not wait for the numerics

    if slot is not None and slot not in SLOTS:
        raise ValueError(f"There is no slot {slot[:40]!r}; the slots are {', '.join(SLOTS)}.")
    rows = [
        (name, entry) for name, entries in SLOTS.items() if slot in (None, name) for entry in entries.values()
    ]
    files = [_where(entry) for _, entry in rows]
    keys = [f"{name}={entry.key}" for name, entry in rows]
    wide_key, wide_title = max(map(len, keys)), max(len(entry.title) for _, entry in rows)
    for (name, entry), key, file in zip(rows, keys, files, strict=True):
        say(f"{key:<{wide_key}}  {entry.title:<{wide_title}}  {file}")
        for param in entry.params if slot else ():
            say(f"    {name}.{param.name}={param.text(param.default)}  {param.label}{_range(param)}")
    return 0


def _where(entry: Any) -> str:  # noqa: ANN401 - any catalogue's entry
    """Return the file an entry is written in, relative to where the package stands."""
    own = {name: module for name, module in sys.modules.items() if name.startswith("ecocviz.")}
    module = next((m for m in own.values() if any(value is entry for value in vars(m).values())), None)
    if module is None:
        # Not a constant of its own, but made in a loop: the file of the function it was made with.
        parts = (getattr(entry, part.name) for part in dataclasses.fields(entry))
        module = next((own[m] for m in (getattr(p, "__module__", None) for p in parts) if m in own), None)
    if module is None or module.__file__ is None:
        return ""
    return str(Path(module.__file__).relative_to(Path(__file__).parent.parent))


def _range(param: Any) -> str:  # noqa: ANN401 - any of the declared kinds of parameter
    if hasattr(param, "options"):
        return ": " + ", ".join(key for key, _ in param.options)
    if hasattr(param, "low"):
        words = "".join(f" or {word}" for word, _ in getattr(param, "words", ()))
        return f": {param.low:g} to {param.high:g}{words}"
    return ""


if __name__ == "__main__":
    raise SystemExit(main())
