"""The options that say what to run, read: a scenario's file, choices on top of it, a table of one's own.

A slip of the keys is answered with what may have been meant.
"""

import argparse
import csv
import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ecocviz.cli_said import say
from ecocviz.engine.lookup import nearest

if TYPE_CHECKING:
    from ecocviz.data.types import Table
    from ecocviz.data.uploads import UploadedFiles
    from ecocviz.lab.scenario import Scenario


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what to run."""
    add_choices(parser)
    _add_own(parser)


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a scenario."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a scenario as the app exports it (TOML), or a link of the app in quotes",
    )
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        action="extend",
        metavar="NAME=VALUE",
        help="choices on top of the file or the defaults: coding=one-vs-one machine.gamma=0.5 seed=3",
    )


def _add_own(parser: argparse.ArgumentParser) -> None:
    own = parser.add_argument_group(
        "a file of your own", "CSV, TSV, ARFF or Parquet, read as the app reads an upload; it is not kept."
    )
    own.add_argument("--data", type=Path, metavar="FILE", help="the table, in place of the scenario's data")
    own.add_argument(
        "--label",
        metavar="COLUMN",
        help="the column that holds the class (default: one named class, label, target, species or y, "
        "else the last)",
    )
    own.add_argument(
        "--test",
        type=Path,
        metavar="FILE",
        help="a table with the same columns, whose rows are the test part",
    )
    own.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="COLUMNS",
        help="columns that are no features, with commas between them; may be given again (default: those "
        "that have a different value in every row and only number or name the rows; '' leaves none out)",
    )


def read_scenario(
    chosen: argparse.Namespace, fields: Mapping[str, str] | None = None
) -> "tuple[Scenario, UploadedFiles | None, Table | None]":
    """Return the scenario, and the table of one's own with the files that it was read from.

    Parameters
    ----------
    chosen
        The options.
    fields
        Those of the scenario's file; read now if not given.
    """
    if fields is None:
        fields, _ = read_fields(chosen.file)
    files = _own_files(chosen)
    if files is None:
        return scenario_of(fields, chosen.set), None, None
    files, table = _own_table(files, chosen)
    if chosen.file is None:
        from ecocviz.lab.first_screen import own_start  # noqa: PLC0415 - as below
        from ecocviz.lab.scenario import make_scenario  # noqa: PLC0415 - as below

        fields = own_start(make_scenario(), len(table.classes)).to_flat()
    return scenario_of(fields, [*chosen.set, *_in_place_of_data(files, chosen.set)]), files, table


# The scenario ----------------------------------------------------------------------------------------


def read_fields(file: str | None, apart: str = "") -> tuple[dict[str, str], Any]:
    """Return the fields of a scenario's file or link, and what stands in the file under one name."""
    from ecocviz.lab.scenario import toml_fields_and  # noqa: PLC0415 - --help must not wait for the numerics

    if file is None:
        return {}, {}
    if is_link(file):
        return _fields_of_link(file), {}
    return toml_fields_and(text_of(Path(file)), apart)


def is_link(text: str) -> bool:
    """Say whether a word is a link rather than the name of a file.

    >>> is_link("http://127.0.0.1:8501/bits?v=1"), is_link("?coding=dense"), is_link("experiment.toml")
    (True, True, False)
    """
    return text.startswith(("http://", "https://", "?"))


def _fields_of_link(link: str) -> dict[str, str]:
    """Return the scenario of a link; what it says of the page beside is told and left out."""
    from ecocviz.lab.catalogue import SLOTS  # noqa: PLC0415 - as above
    from ecocviz.lab.first_screen import first_scenario  # noqa: PLC0415 - as above
    from ecocviz.lab.scenario import query_fields  # noqa: PLC0415 - as above

    try:
        fields = query_fields(urlsplit(link).query)
    except ValueError:
        raise ValueError(f"{link[:60]!r} is not a link of the app.") from None
    if not fields:
        return first_scenario().to_flat()
    own = {name: text for name, text in fields.items() if name.partition(".")[0] in {*SLOTS, "v", "seed"}}
    beside = [name[:20] for name in fields if name not in own]
    if beside:
        say(f"Left out, being no part of a scenario: {', '.join(beside[:10])}.", file=sys.stderr)
    return own


def scenario_of(flat: Mapping[str, str], settings: list[str]) -> "Scenario":
    """Return the scenario of a file's fields, with changes; refuse what cannot be read."""
    from ecocviz.lab.scenario import from_flat  # noqa: PLC0415 - as above

    scenario, problems = from_flat(flat)
    # A link falls back to defaults; a command that would run something else than it says is refused.
    if not problems:
        keys = {slot: getattr(scenario, slot).key for slot in _slots(settings)}
        flat = _with(scenario.to_flat(), keys, settings)
        scenario, problems = from_flat(flat)
    if problems:
        hints = "".join(f" {hint}" for hint in _hints(flat))
        raise ValueError(f"This scenario cannot be run as it is written: {'; '.join(problems)}.{hints}")
    return scenario


def text_of(file: Path) -> str:
    """Read a text file; raise ValueError with a sentence where that is impossible."""
    try:
        return bytes_of(file).decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not a text file in UTF-8.") from None


def bytes_of(file: Path) -> bytes:
    """Read a file; raise ValueError with a sentence where that is impossible."""
    from ecocviz.data.limits import current_limits, refuse  # noqa: PLC0415 - as above

    try:
        refuse(str(file), file.stat().st_size, current_limits().file_bytes, "bytes", "take a part of it")
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror or error}.") from None


def _slots(settings: list[str]) -> list[str]:
    from ecocviz.lab.catalogue import SLOTS  # noqa: PLC0415 - as above

    names = (setting.partition("=")[0] for setting in settings)
    return [name for name in names if name in SLOTS]


def _with(flat: dict[str, str], keys: dict[str, str], settings: list[str]) -> dict[str, str]:
    """Apply NAME=VALUE settings; another entry in a slot takes the old one's parameters with it."""
    changed = dict(flat)
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--set takes NAME=VALUE, such as coding=one-vs-one, not {setting[:40]!r}.")
        if name in keys and keys[name] != value:
            changed = {field: text for field, text in changed.items() if not field.startswith(f"{name}.")}
        changed[name] = value
    return changed


# What was meant --------------------------------------------------------------------------------------


def _hints(flat: Mapping[str, str]) -> list[str]:
    """Return a sentence or two for each field that cannot be read: what may be meant, what is allowed."""
    from ecocviz.lab.catalogue import DEFAULTS, SLOTS  # noqa: PLC0415 - as above
    from ecocviz.lab.scenario import SEED  # noqa: PLC0415 - as above

    entries = {slot: SLOTS[slot].get(flat.get(slot, DEFAULTS[slot])) for slot in SLOTS}
    params = {
        f"{slot}.{param.name}": param
        for slot, entry in entries.items()
        for param in (() if entry is None else entry.params)
    } | {"seed": SEED}
    hints = []
    for name, value in flat.items():
        slot = name.partition(".")[0]
        if name in SLOTS:
            hints += [] if value in SLOTS[name] else [_hint_entry(name, value, SLOTS)]
        elif name in params:
            hints += _hint_value(name, value, params[name])
        elif slot not in SLOTS:
            hints += [] if name == "v" else [_hint_name(name, [*SLOTS, *params])]
        elif entries[slot] is not None:
            hints += [_hint_param(name, slot, entries[slot], params)]
    return hints


def _hint_entry(slot: str, value: str, slots: Any) -> str:  # noqa: ANN401 - a mapping of catalogues
    near = nearest(value, slots[slot])
    if near is not None:
        return f"Did you mean {slot}={near}? `ecocviz list {slot}` shows them all."
    other = next((name for name, entries in slots.items() if value in entries), None)
    meant = "" if other is None else f"Did you mean {other}={value}? "
    return f"{meant}`ecocviz list {slot}` shows what can be chosen."


def _hint_name(name: str, known: list[str]) -> str:
    last = name.rpartition(".")[2]
    # A parameter is often given without its slot.
    near = next((field for field in known if field.rpartition(".")[2] == last), None) or nearest(name, known)
    meant = "" if near is None else f"Did you mean {near}? "
    return f"{meant}A scenario has {', '.join(field for field in known if '.' not in field)}."


def _hint_param(name: str, slot: str, entry: Any, params: Collection[str]) -> str:  # noqa: ANN401 - of any catalogue
    own = [field.partition(".")[2] for field in params if field.startswith(f"{slot}.")]
    near = nearest(name.partition(".")[2], own)
    if near is not None:
        return f"Did you mean {slot}.{near}? `ecocviz list {slot}` shows all parameters."
    has = f"has {', '.join(own)}" if own else "has no parameters"
    return f"{slot}={entry.key} {has}; `ecocviz list {slot}` shows those of the others."


def _hint_value(name: str, value: str, param: Any) -> list[str]:  # noqa: ANN401 - any declared kind of parameter
    try:
        param.parse(value)
    except ValueError as error:
        words = [key for key, _ in (*getattr(param, "options", ()), *getattr(param, "words", ()))]
        near = nearest(value, words)
        return [str(error), *([] if near is None else [f"Did you mean {name}={near}?"])]
    return []


# A file of one's own ---------------------------------------------------------------------------------


def _own_files(chosen: argparse.Namespace) -> "UploadedFiles | None":
    """Return the files that --data and its companions name; None without --data."""
    from ecocviz.data.uploads import UploadedFiles  # noqa: PLC0415 - --help must not wait for the numerics

    if chosen.data is None:
        for option in ("label", "test", "leave_out"):
            if getattr(chosen, option):
                raise ValueError(
                    f"--{option.replace('_', '-')} goes with --data FILE, which brings a table of your own."
                )
        return None
    return UploadedFiles(
        content=bytes_of(chosen.data),
        filename=chosen.data.name,
        label=chosen.label,
        test=None if chosen.test is None else bytes_of(chosen.test),
        test_filename="" if chosen.test is None else chosen.test.name,
        left_out=tuple(name for names in csv.reader(chosen.leave_out) for name in names),
    )


def _own_table(files: "UploadedFiles", chosen: argparse.Namespace) -> "tuple[UploadedFiles, Table]":
    """Read the files; without --leave-out, columns that only identify rows are left out, as in the app."""
    from ecocviz.data.readers import (  # noqa: PLC0415 - as above
        identifier_words,
        identifiers,
        label_column,
        read_columns,
    )
    from ecocviz.data.uploads import know_as  # noqa: PLC0415 - as above

    raw = read_columns(files.content, files.filename)
    names = [column.name for column in raw.columns]
    for name in (files.label, *files.left_out):
        near = None if name is None or name in names else nearest(name, names)
        if near is not None:
            raise ValueError(f"{files.filename} has no column {name!r}; did you mean {near!r}?")
    notes: tuple[str, ...] = ()
    label = files.label or label_column(raw)
    found = () if chosen.leave_out else identifiers(raw, label)
    if found:
        files = replace(files, label=label, left_out=found)
        notes = (f"{identifier_words(found)}; --leave-out names other columns, or '' for none.",)
    table = files.read()
    know_as(files)
    return files, replace(table, notes=(*table.notes, *notes))


def _in_place_of_data(files: "UploadedFiles", settings: list[str]) -> list[str]:
    """Return the settings that go with files of one's own; with test rows, they are the test part."""
    names = [setting.partition("=")[0] for setting in settings]
    if any(name.partition(".")[0] == "data" for name in names):
        raise ValueError("--data brings the data; leave data= out of --set.")
    own = ["data=upload", f"data.digest={files.digest}"]
    return own if files.test is None or "split" in names else [*own, "split=own"]
