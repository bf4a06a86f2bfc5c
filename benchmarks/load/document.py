"""Write the measured tables into docs/reliability.md: `python -m benchmarks.load.document`.

They come from benchmarks/load/measured/<form>.json, written by `python -m benchmarks.load <form> --json`.
"""

import json
from pathlib import Path

from benchmarks.load.report import ROWS, Found, heading, table

MEASURED = Path(__file__).parent / "measured"
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def measurements(folder: Path = MEASURED) -> list[Found]:
    """Return what was measured, in the order of the forms."""
    files = [folder / f"{form}.json" for form in ROWS]
    return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.exists()]


def section(found: Found) -> str:
    """Write the table of a measurement, under what it is of and its command."""
    return f"### {found['form']}\n\n`{found['command']}`\n\n{heading(found)}.\n\n{table(found)}"


def with_tables(text: str, found: list[Found]) -> str:
    """Return a document with the tables between its two marks."""
    before, _, rest = text.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"The document has no place for the tables: {BEGIN} and {END}.")
    tables = "\n\n".join(map(section, found)) or "Nothing is measured yet."
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}"


def main() -> None:
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text(encoding="utf-8"), measurements()), encoding="utf-8")


if __name__ == "__main__":
    main()
