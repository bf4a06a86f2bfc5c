"""Kept runs on their way out: as JSON, or as a table with a row for each point."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pandas as pd

from ecocviz.data.writers import write_csv

if TYPE_CHECKING:
    from ecocviz.lab.store_rows import Run

FORMATS = ("csv", "json", "parquet")
COLUMNS = ("id", "kind", "title", "name", "state", "version", "began", "seconds")
"""What each row says of its run."""

Kept = Sequence[tuple["Run", Mapping[str, Mapping[str, Any]]]]


def export(kept: Kept, kind: str) -> bytes:
    """Write runs with their points in one of FORMATS."""
    if kind == "json":
        return json.dumps([as_dict(*each) for each in kept], indent=2, ensure_ascii=False).encode()
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
    del about["owner"]
    return about if points is None else {**about, "points": dict(points)}


def frame_of(kept: Kept) -> pd.DataFrame:
    """Return a row for each point: its run, its key, its scenario and what was measured."""
    rows = []
    for run, points in kept:
        whole = {("run" if name == "id" else name): getattr(run, name) for name in COLUMNS}
        whole["began"] = pd.Timestamp(run.began, unit="s").isoformat(timespec="seconds")
        about = _flat(run.about) if run.kind != "sweep" else {}
        rows += [{**whole, "point": key, **about, **_flat(record)} for key, record in points.items()]
    frame = pd.DataFrame(rows, columns=None if rows else ["run", "point"])
    for name in frame.columns:
        if frame[name].map(type).isin({int, float, type(None)}).all():
            continue
        frame[name] = frame[name].map(lambda value: value if pd.isna(value) else str(value)).astype("string")
    return frame


def _flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return a record without mappings in it, under names with dots; lists as JSON has them."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = json.dumps(value) if isinstance(value, list) else value
    return found
