"""Try faults for long: every file operation, fifty kills, two minutes without a network; say what was found.

    python scripts/faults.py
    python scripts/faults.py --json build/faults.json -k "killed or away"

Runs the tests of `tests/faults` and `tests/e2e/test_faults.py` in their long form, and prints a table of
what they found. The status is pytest's. Whatever follows the options is handed to pytest.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ("tests/faults", "tests/data/test_upload_expiry.py", "tests/e2e/test_faults.py")


def run(options: list[str]) -> tuple[int, list[dict[str, Any]]]:
    """Run the long form; return pytest's status and what the tests noted."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        environment = os.environ | {"ECOCVIZ_FAULTS": "long", "ECOCVIZ_FAULTS_FOUND": str(notes)}
        command = [sys.executable, "-m", "pytest", "-q", *TESTS, *options]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode  # noqa: S603 - our own tests
        lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    return status, [json.loads(line) for line in lines]


def table(found: list[dict[str, Any]]) -> str:
    """Write what was found; what tests noted under the same name is one row, numbers added up.

    >>> print(table([{"what": "killed", "deaths": 2}, {"what": "killed", "deaths": 3, "form": "b"}]))
    | fault | found |
    |---|---|
    | killed | 5 deaths |
    """
    rows: dict[str, dict[str, int]] = {}
    for note in found:
        row = rows.setdefault(note["what"], {})
        for name, value in note.items():
            if isinstance(value, int) and not isinstance(value, bool):
                row[name] = row.get(name, 0) + value
    lines = ["| fault | found |", "|---|---|"]
    for what, row in rows.items():
        told = ", ".join(f"{n:,} {name}".replace("_", " ") for name, n in row.items())
        lines.append(f"| {what} | {told} |")
    return "\n".join(lines)


def main() -> int:
    """Run, print, and write the numbers to a file if one is named."""
    parser = argparse.ArgumentParser(description="Try faults for long, and say what was found.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found to a file")
    chosen, options = parser.parse_known_args()
    began = time.monotonic()
    status, found = run(options)
    print(table(found))
    print(f"{time.monotonic() - began:.0f} s, pytest's status {status}")
    if chosen.json:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        chosen.json.write_text(json.dumps({"status": status, "found": found}, indent=1), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
