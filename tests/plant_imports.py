"""Lint a copy of the package once for every planted import, in one process, which starts but once.

Run in the copy's folder; reads the plants as JSON, (file, line) each, and prints what the linter says of
the copy as it is and then of each plant: its exit status and its output.
"""

import json
import sys
from pathlib import Path

from click.testing import CliRunner
from importlinter.cli import lint_imports_command


def linted():
    done = CliRunner().invoke(lint_imports_command, ["--no-logo", "--cache-dir", ".linted"])
    return done.exit_code, done.output


def planted(file, line):
    """Lint with a line appended to a file, or with a file of that line; leave the copy as it was."""
    target = Path("ecocviz", file)
    before = target.read_text("utf-8") if target.exists() else None
    target.write_text(f"{before or ''}\n{line}\n", "utf-8")
    try:
        return linted()
    finally:
        if before is None:
            target.unlink()
        else:
            target.write_text(before, "utf-8")


if __name__ == "__main__":
    json.dump([linted(), *(planted(*plant) for plant in json.load(sys.stdin))], sys.stdout)
