"""Ask whether a weakness is known of any package that this project installs: part of `make nightly`.

    python scripts/audit.py                 # pip-audit over constraints.txt

The answer comes from the public records that pip-audit asks. Where these cannot be reached nothing is
known, and that is said: it is neither a pass nor a failure.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINNED = ROOT / "constraints.txt"


@dataclass(frozen=True, slots=True)
class Audit:
    """What was learned of the packages: how many were looked up, how many not, and what is weak."""

    n_known: int
    n_unknown: int
    weak: tuple[str, ...]

    @property
    def status(self) -> int:
        """1 where something is weak."""
        return 1 if self.weak else 0

    def words(self) -> str:
        """Say it.

        >>> print(Audit(0, 3, ()).words())
        The records of weaknesses cannot be reached: of 3 packages nothing is known.
        """
        if not self.n_known:
            return (
                f"The records of weaknesses cannot be reached: of {self.n_unknown} packages nothing is known."
            )
        told = f"{self.n_known} packages looked up, {len(self.weak)} weaknesses known"
        missing = f"; of {self.n_unknown} others nothing is known" if self.n_unknown else ""
        return "\n".join([f"{told}{missing}.", *self.weak])


def read(report: dict[str, Any]) -> Audit:
    """Read pip-audit's report."""
    asked = report["dependencies"]
    known = [one for one in asked if "skip_reason" not in one]
    weak = tuple(
        f"{one['name']} {one['version']}: {found['id']}, mended in {_versions(found['fix_versions'])}"
        for one in known
        for found in one["vulns"]
    )
    return Audit(len(known), len(asked) - len(known), weak)


def _versions(mended: list[str]) -> str:
    return ", ".join(mended) or "no version yet"


def ask() -> Audit:
    """Run pip-audit over what is pinned."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(PINNED)]
    options = ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)  # noqa: S603 - made of our own words
    if done.stdout.strip():
        return read(json.loads(done.stdout))
    # It answers nothing at all where the network fails.
    print(done.stderr[-2_000:], file=sys.stderr)
    n_pinned = sum("==" in line for line in PINNED.read_text("utf-8").splitlines())
    return Audit(0, n_pinned, ())


def main() -> int:
    """Ask, and say what was learned."""
    found = ask()
    print(found.words())
    return found.status


if __name__ == "__main__":
    raise SystemExit(main())
