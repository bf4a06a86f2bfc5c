"""`ecocviz runs`: what the store keeps, listed, shown, deleted, exported and reported."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecocviz.cli_link import app_root
from ecocviz.cli_said import printing, say
from ecocviz.cli_sweep_told import error_text, value_text

if TYPE_CHECKING:
    from ecocviz.lab.store import Run, Store

EXAMPLES = """\
examples:
  ecocviz runs list                                 everything that was computed, the last first
  ecocviz runs list --kind sweep --data glass --last 5
  ecocviz runs list --text "hamming lecture" --json
  ecocviz runs show 12                              its scenario and all its points
  ecocviz runs export 12 13 --out points.csv        a row for each point; .json and .parquet too
  ecocviz runs export --kind sweep --all --format json
  ecocviz runs report 12 13 --out report.html       one file to send: figures, points, verdicts, links
  ecocviz runs report --kind sweep --all --over decoding --out report.html
  ecocviz runs delete 12 13
  ecocviz runs delete --recent --all                what pages computed by themselves
  ecocviz runs delete --kind run --all              all single scenarios but those that are pinned

The runs are in the data folder, in runs.sqlite3. They take 200 MB at most: the oldest that are not pinned
make room, recent ones first. The status is 0 when all is done, 1 when a report failed, 2 when the input is
wrong, 130 when it was stopped."""
FORMATS = ("csv", "json", "parquet")
KINDS = ("run", "sweep", "paper")
SLOTS = ("decoding", "coding", "machine", "reduction")
REPORT = ("-m", "ecocviz.views.runs.words_program")
"""The program that writes a report: what draws stands above the command line, and is not imported here."""


def add_runs(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the others."""
    layout: Any = {"epilog": EXAMPLES, "formatter_class": argparse.RawDescriptionHelpFormatter}
    about = "List, show, delete, export and report what was computed, by the app and on the command line."
    parser = commands.add_parser(
        "runs", help="list, show, delete, export and report what was computed", description=about, **layout
    )
    acts = parser.add_subparsers(dest="act", metavar="ACT", title="acts", required=True)
    listing = acts.add_parser("list", help="list the runs", description="List the runs.", **layout)
    _add_filters(listing)
    listing.add_argument("--last", type=_count, metavar="N", help="the last N only")
    listing.add_argument("--json", action="store_true", help="print JSON")
    showing = acts.add_parser("show", help="show a run", description="Show a run with its points.", **layout)
    showing.add_argument("numbers", nargs=1, type=_number, metavar="NUMBER", help="as `list` shows it")
    showing.add_argument("--json", action="store_true", help="print JSON")
    deleting = acts.add_parser("delete", help="delete runs", description="Delete runs.", **layout)
    _add_which(deleting, "all that are not pinned")
    exporting = acts.add_parser(
        "export", help="write runs to a file", description="Write runs with all their points.", **layout
    )
    _add_which(exporting, "all")
    exporting.add_argument("--out", type=Path, metavar="FILE", help="where to; else it is printed")
    exporting.add_argument("--format", choices=FORMATS, help="else as the file's name ends, else csv")
    reporting = acts.add_parser(
        "report",
        help="write runs to one HTML file",
        description="Write runs as one HTML file that needs no network: their numbers, the curve and the "
        "points of each sweep, the verdicts of each study. For programs there is `export --format json`.",
        **layout,
    )
    _add_which(reporting, "all")
    reporting.add_argument("--out", type=Path, metavar="FILE", help="where to; else it is printed")
    reporting.add_argument(
        "--over", choices=SLOTS, metavar="WHAT", help=f"with ranks over all data sets, of {', '.join(SLOTS)}"
    )
    reporting.add_argument(
        "--base",
        default="",
        metavar="URL",
        help="where the app is, such as http://10.0.0.7:8501: scenarios are links",
    )


def _add_which(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument("numbers", nargs="*", type=_number, metavar="NUMBER", help="as `list` shows it")
    _add_filters(parser)
    parser.add_argument(
        "--all", action="store_true", help=f"in place of numbers: {words} of those chosen here"
    )


def _add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", choices=KINDS, help="single scenarios, sweeps, or studies of papers")
    parser.add_argument("--data", metavar="KEY", help="those of a data set, such as glass")
    parser.add_argument("--text", default="", metavar="WORDS", help="those with all these words")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--kept", dest="recent", action="store_false", default=None, help="those asked for")
    which.add_argument("--recent", action="store_true", default=None, help="what pages computed")
    parser.add_argument("--pinned", action="store_true", help="those that are pinned")


def _number(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 15:
        return int(text)
    raise argparse.ArgumentTypeError(f"a run has a number such as 12, not {text[:40]!r}")


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"a whole number above 0, not {text[:40]!r}")


def runs(chosen: argparse.Namespace) -> int:
    """Do what the options say; raise ValueError with one line for what is wrong."""
    from ecocviz.lab.store import open_store  # noqa: PLC0415 - --help must not wait for the numerics

    store = open_store()
    for note in store.notes:
        say(note, file=sys.stderr)
    if store.problem:
        raise ValueError(store.problem)
    acts: dict[str, Callable[[Store, argparse.Namespace], None]] = {
        "list": _list,
        "show": _show,
        "delete": _delete,
        "export": _export,
        "report": _report,
    }
    acts[chosen.act](store, chosen)
    return 0


def _list(store: "Store", chosen: argparse.Namespace) -> None:
    from ecocviz.lab.store_export import as_dict  # noqa: PLC0415 - as above

    found = _filtered(store, chosen, limit=chosen.last)
    _tell_damage(found)
    if chosen.json:
        say(json.dumps([as_dict(run) for run in found], indent=2, ensure_ascii=False))
        return
    rows = [("run", "when", "kind", "state", "points", "what")]
    rows += [
        (
            f"{run.id}{'*' if run.pinned else ''}",
            _when(run.touched),
            run.kind,
            run.state,
            _points(run),
            _name(run),
        )
        for run in found
    ]
    wide = [max(len(row[k]) for row in rows) for k in range(5)]
    for row in rows if found else ():
        say(*(f"{cell:<{width}}" for cell, width in zip(row, wide, strict=False)), row[5], sep="  ")
    if not found:
        say("No run is kept." if not store.runs(limit=1) else "No run is like that.", file=sys.stderr)


def _show(store: "Store", chosen: argparse.Namespace) -> None:
    from ecocviz.lab.store_export import as_dict  # noqa: PLC0415 - as above

    run = _found(store, chosen.numbers)[0]
    points = store.points(run.id)
    _tell_damage([run], {run.id: len(points)})
    if chosen.json:
        say(json.dumps(as_dict(run, points), indent=2, ensure_ascii=False))
        return
    rows = [("run", f"{run.id}{', pinned' if run.pinned else ''}"), ("what", _name(run))]
    rows += [("state", f"{run.state}, {_points(run)} points"), ("when", _when(run.touched))]
    rows += [("took", f"{run.seconds:.1f} s"), ("version", run.version)]
    rows += [(name, _words(about)) for name, about in run.about.items()]
    wide = max(len(name) for name, _ in rows)
    say("\n".join(f"{name:<{wide}}  {value}" for name, value in rows), end="\n\n")
    for key, record in points.items():
        say(_point_line(run, key, record))


def _delete(store: "Store", chosen: argparse.Namespace) -> None:
    which = _which(store, chosen, pinned=False)
    store.delete([run.id for run in which])
    say(f"Deleted {len(which)} run{'' if len(which) == 1 else 's'}.")


def _export(store: "Store", chosen: argparse.Namespace) -> None:
    from ecocviz.lab.store_export import export  # noqa: PLC0415 - as above

    kind = chosen.format or _ending(chosen.out)
    which = _which(store, chosen, pinned=None)
    if chosen.out is None and kind == "parquet" and sys.stdout.isatty():
        raise ValueError("Parquet is no text; name a file with --out.")
    kept = [(run, store.points(run.id)) for run in which]
    _tell_damage(which, {run.id: len(points) for run, points in kept})
    content = export(kept, kind)
    if chosen.out is None and kind != "parquet":
        content = content.rstrip() + os.linesep.encode()
    _write(content, which, chosen.out)
    store.want(chosen.numbers)


def _tell_damage(found: "Sequence[Run]", n_read: dict[int, int] | None = None) -> None:
    from ecocviz.lab.store_rows import damage_sentence  # noqa: PLC0415 - as above

    said = damage_sentence(found, n_read)
    if said:
        say(said, file=sys.stderr)


def _report(store: "Store", chosen: argparse.Namespace) -> None:
    which = _which(store, chosen, pinned=None)
    root = app_root(chosen.base) if chosen.base else ""
    asked = {"runs": [run.id for run in which], "root": root, "over": chosen.over}
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, *REPORT], input=json.dumps(asked).encode(), capture_output=True, check=False
    )
    if done.returncode == 2:
        raise ValueError(done.stderr.decode(errors="replace").strip())
    if done.returncode:
        say("ecocviz: The report could not be written.", file=sys.stderr)
        say(done.stderr.decode(errors="replace"), end="", file=sys.stderr)
        raise SystemExit(1)
    _write(done.stdout, which, chosen.out)
    store.want(chosen.numbers)


def _write(content: bytes, which: "Sequence[Run]", out: Path | None) -> None:
    if out is None:
        with printing():
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
        return
    try:
        out.write_bytes(content)
    except OSError as error:
        raise ValueError(f"{out} cannot be written: {error.strerror or error}.") from None
    say(f"Wrote {len(which)} run{'' if len(which) == 1 else 's'} to {out}.", file=sys.stderr)


def _ending(out: Path | None) -> str:
    """Return the format that a file's name says; one without an ending is CSV."""
    ending = "" if out is None else out.suffix.lower().removeprefix(".")
    if ending and ending not in FORMATS:
        raise ValueError(f"{out} ends as none of {', '.join(FORMATS)}; say --format, or name another file.")
    return ending or "csv"


# Which -----------------------------------------------------------------------------------------------


def _filtered(
    store: "Store", chosen: argparse.Namespace, *, pinned: bool | None = None, limit: int | None = None
) -> "list[Run]":
    return store.runs(
        kind=chosen.kind,
        data=chosen.data,
        text=chosen.text,
        pinned=True if chosen.pinned else pinned,
        recent=chosen.recent,
        limit=limit,
    )


def _which(store: "Store", chosen: argparse.Namespace, *, pinned: bool | None) -> "list[Run]":
    """Return the runs that are named, or all that are like the filters."""
    narrowed = chosen.kind or chosen.data or chosen.text or chosen.pinned or chosen.recent is not None
    if chosen.all == bool(chosen.numbers) or (narrowed and not chosen.all):
        raise ValueError(
            "Name runs by their numbers, or choose them with --all, narrowed by --kind, --data, --text, "
            "--kept, --recent or --pinned; `ecocviz runs list` shows them."
        )
    return _filtered(store, chosen, pinned=pinned) if chosen.all else _found(store, chosen.numbers)


def _found(store: "Store", numbers: Sequence[int]) -> "list[Run]":
    from ecocviz.lab.store_file import StoreError  # noqa: PLC0415 - as above

    try:
        return [store.find(number) for number in dict.fromkeys(numbers)]
    except StoreError as error:
        known = sorted(run.id for run in store.runs())
        there = f"Runs {known[0]} to {known[-1]} are there." if known else "No run is kept yet."
        raise ValueError(f"{error} {there}") from None


# In words --------------------------------------------------------------------------------------------


def _name(run: "Run") -> str:
    return f"{run.name} ({run.title})" if run.name else run.title


def _points(run: "Run") -> str:
    return f"{run.n_done} of {run.n_points}"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _words(about: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    if isinstance(about, dict):
        return "; ".join(f"{name}={_words(value)}" for name, value in about.items())
    return ", ".join(map(_words, about)) if isinstance(about, list) else str(about)


def _point_line(run: "Run", key: str, record: dict[str, Any]) -> str:
    """Tell of a point: by what it differs from the others, and what was found."""
    if run.kind == "run":
        return (
            f"{key} {error_text(record)}" if {"error", "refused"} & set(record) else f"{key} {_words(record)}"
        )
    if run.kind != "sweep" or not isinstance(record.get("scenario"), dict):
        return f"{key}  {_words(record)}"
    place = _place(run.about.get("over", {}), record["scenario"])
    if "failed" in record:
        return f"{place}  {record['failed']}"
    errors = (
        f"{name} {error_text(record[name])}" for name in run.about.get("measures", ()) if name in record
    )
    return f"{place}  {', '.join(errors)}"


def _place(over: Iterable[str], flat: dict[str, str]) -> str:
    from ecocviz.lab.scenario import from_flat  # noqa: PLC0415 - as above

    scenario, problems = from_flat(flat)
    if problems:  # of another version
        return " ".join(f"{name}={value}" for name, value in flat.items())
    return " ".join(f"{name}={value_text(scenario, name)}" for name in over)
