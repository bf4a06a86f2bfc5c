"""Kept runs on their way out: as JSON, or as a table with a row for each point.

What leaves says every setting, the usual ones too, and the seed: who reads it need not know the defaults.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pandas as pd

from ecocviz.data.writers import write_csv
from ecocviz.lab.store_about import settings_of

if TYPE_CHECKING:
    from ecocviz.lab.store_rows import Run

FORMATS = ("csv", "json", "parquet")
COLUMNS = ("id", "kind", "title", "name", "state", "version", "began", "seconds")
"""What each row says of its run."""

Kept = Sequence[tuple["Run", Mapping[str, Mapping[str, Any]]]]


def export(kept: Kept, kind: str) -> bytes:
    """Write runs with their points in one of FORMATS."""
    if kind == "json":
        return json.dumps([_exported(*each) for each in kept], indent=2, ensure_ascii=False).encode()
    if kind == "csv":
        return write_csv(frame_of(kept)).encode()
    if kind == "parquet":
        out = io.BytesIO()
        frame_of(kept).to_parquet(out, index=False)
        return out.getvalue()
    raise ValueError(f"Runs are exported as {', '.join(FORMATS)}, not as {kind[:20]!r}.")


def as_dict(run: "Run", points: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Return all that is known of a run, as JSON has it; whose it is stays here."""
    about = asdict(run)
    del about["owner"], about["damaged"]
    return about if points is None else {**about, "points": dict(points)}


def _exported(run: "Run", points: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return all that is known of a run, with every setting of its scenario."""
    scenario = run.about.get("scenario")
    settings = {"settings": settings_of(scenario)} if isinstance(scenario, Mapping) else {}
    return as_dict(run) | settings | {"points": dict(points)}


def frame_of(kept: Kept) -> pd.DataFrame:
    """Return a row for each point: its run, its key or number, its scenario and what was measured."""
    rows = []
    for run, points in kept:
        whole = {("run" if name == "id" else name): getattr(run, name) for name in COLUMNS}
        whole["began"] = pd.Timestamp(run.began, unit="s").isoformat(timespec="seconds")
        swept = run.kind == "sweep"  # then each point says its own scenario, and its key is the same again
        about = {} if swept else _flat(_told(run.about))
        for number, (key, record) in enumerate(points.items(), start=1):
            row = {**whole, "point": str(number) if swept else key, **about}
            # What a point calls as we call something of its run stands beside it: how long each took.
            found = {(f"found.{n}" if n in row else n): value for n, value in _flat(_told(record)).items()}
            rows.append(row | found)
    frame = pd.DataFrame(rows, columns=None if rows else ["run", "point"], dtype=object)
    return frame.apply(_typed)


def _told(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a run or a point is about, its scenario with every setting."""
    scenario = about.get("scenario")
    more = {"scenario": settings_of(scenario)} if isinstance(scenario, Mapping) else {}
    return {**about, **more}


def _typed(column: pd.Series) -> pd.Series:
    """Return a column as whole numbers, numbers or text; what a row does not have is missing."""
    kinds = set(column.dropna().map(type))
    if kinds <= {int} and column.dropna().abs().lt(2**63).all():
        return column.astype("Int64")
    if kinds <= {int, float}:
        return column.astype("float64")
    return column.map(str, na_action="ignore").astype("string")


def _flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return a record without mappings in it, under names with dots; lists as JSON has them."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = json.dumps(value) if isinstance(value, list) else value
    return found
