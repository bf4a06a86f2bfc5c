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
    pages), ECOCVIZ_MAX_WORDS (different texts of all features together, before each becomes a column).
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
    words: int = 20_000


DEFAULT_LIMITS = Limits()


class Limit(int):
    """A limit that knows which environment variable replaces it."""

    variable: str

    @classmethod
    def named(cls, number: int, variable: str) -> "Limit":
        """Return a number as a limit."""
        limit = cls(number)
        limit.variable = variable
        return limit


def current_limits() -> Limits:
    """Return the default limits with the environment's changes; each is a `Limit`."""
    found: dict[str, int] = {}
    for field in fields(Limits):
        name = f"ECOCVIZ_MAX_{field.name.upper()}"
        text = os.environ.get(name, "").strip()
        if not text:
            found[field.name] = Limit.named(getattr(DEFAULT_LIMITS, field.name), name)
            continue
        if not (text.isascii() and text.isdigit() and len(text) <= 15 and int(text) > 0):
            raise ValueError(f"The environment variable {name} takes a whole number above 0, not {text!r}.")
        found[field.name] = Limit.named(int(text), name)
    return Limits(**found)


def raising(limit: int) -> str:
    """Say in half a sentence how a limit is raised, "" where it is no `Limit`.

    >>> raising(current_limits().columns)
    ', or raise ECOCVIZ_MAX_COLUMNS'
    """
    return f", or raise {limit.variable}" if isinstance(limit, Limit) else ""


def refuse(subject: str, number: int, limit: int, unit: str, way_out: str) -> None:
    """Raise ValueError with one sentence if `number` is above `limit`.

    Examples
    --------
    >>> refuse("This table", 12_000, Limit.named(10_000, "N"), "rows", "upload a part of it")
    Traceback (most recent call last):
    ValueError: This table has 12,000 rows but at most 10,000 are accepted; upload a part of it, or raise N.
    """
    if number > limit:
        raise ValueError(
            f"{subject} has {number:,} {unit} but at most {limit:,} are accepted; {way_out}{raising(limit)}."
        )
