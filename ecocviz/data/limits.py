"""How large data may be: one record, overridable from the environment, one way to refuse."""

import os
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The largest data that are accepted.

    Each has an environment variable that replaces it: ECOCVIZ_MAX_ROWS, ECOCVIZ_MAX_COLUMNS,
    ECOCVIZ_MAX_CLASSES, ECOCVIZ_MAX_BYTES (of a table in memory), ECOCVIZ_MAX_FILE_BYTES (of one
    uploaded file), ECOCVIZ_MAX_FOLDER_BYTES (of all kept uploads), ECOCVIZ_MAX_FOLDS.

    Of one uploaded file besides: ECOCVIZ_MAX_CELLS (rows times columns), ECOCVIZ_MAX_LINES (empty ones
    and comments counted), ECOCVIZ_MAX_ROW_CHARACTERS (of one row as it is written),
    ECOCVIZ_MAX_CHARACTERS (of all cells that are texts, each as often as it occurs), ECOCVIZ_MAX_LEVELS
    (values that an ARFF file names for its columns), ECOCVIZ_MAX_UNPACKED_BYTES (of a Parquet file's
    pages).
    """

    rows: int = 100_000
    columns: int = 2_000
    classes: int = 200
    bytes: int = 400_000_000
    file_bytes: int = 25_000_000
    folder_bytes: int = 500_000_000
    folds: int = 2_000
    cells: int = 8_000_000
    lines: int = 1_000_000
    row_characters: int = 1_000_000
    characters: int = 50_000_000
    levels: int = 200_000
    unpacked_bytes: int = 100_000_000


DEFAULT_LIMITS = Limits()


def current_limits() -> Limits:
    """Return the default limits with the environment's changes."""
    changed: dict[str, int] = {}
    for field in fields(Limits):
        name = f"ECOCVIZ_MAX_{field.name.upper()}"
        text = os.environ.get(name, "").strip()
        if not text:
            continue
        if not (text.isascii() and text.isdigit() and len(text) <= 15 and int(text) > 0):
            raise ValueError(f"The environment variable {name} takes a whole number above 0, not {text!r}.")
        changed[field.name] = int(text)
    return Limits(**changed)


def refuse(subject: str, number: int, limit: int, unit: str, way_out: str) -> None:
    """Raise ValueError with one sentence if `number` is above `limit`.

    Examples
    --------
    >>> refuse("This table", 12_000, 10_000, "rows", "upload a part of it")
    Traceback (most recent call last):
    ValueError: This table has 12,000 rows but at most 10,000 are accepted; upload a part of it.
    """
    if number > limit:
        raise ValueError(f"{subject} has {number:,} {unit} but at most {limit:,} are accepted; {way_out}.")
