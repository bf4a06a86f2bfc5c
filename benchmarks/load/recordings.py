"""What people did in a lesson, as their browsers sent it; made by `python -m benchmarks.load.record`.

A step names a widget by the key that the app gave it, so that a recording outlives changes of the app that
leave its widgets where they are.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"
EVIDENCE_FOLDER = FOLDER / "evidence"
"""Of those that read Papers and Runs: no part of the lesson."""
REMAKE = "python -m benchmarks.load.record"


class MisfitError(Exception):
    """A recording asks for something that the app does not have any more."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that a person did.

    Attributes
    ----------
    pause
        Seconds since what they did before.
    page
        The path of the page that they went to, "" where they stayed.
    key
        The key of the widget that they used, "" where they went to another page.
    says
        What the widget then said: one field of a `WidgetState`.
    """

    pause: float
    page: str = ""
    key: str = ""
    says: dict[str, Any] = field(default_factory=dict)

    @property
    def of_ones_own(self) -> bool:
        """Whether everybody does this with a value of their own, which nobody has had before."""
        return self.key == "seed" and self.says["int_value"] != "0"

    @property
    def once(self) -> bool:
        """Whether this is said once, not kept as the widget's state."""
        return "trigger_value" in self.says or "json_trigger_value" in self.says


@dataclass(frozen=True, slots=True)
class Recording:
    """One person's lesson, from the first screen back to it."""

    name: str
    made_with: str
    steps: tuple[Step, ...]

    def write(self, folder: Path = FOLDER) -> None:
        """Write it, a step a line."""
        told = {key: value for key, value in asdict(self).items() if key != "steps"}
        steps = ({key: value for key, value in asdict(step).items() if value} for step in self.steps)
        lines = [json.dumps(told), *map(json.dumps, steps)]
        (folder / f"{self.name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(file: Path) -> Recording:
    """Read a recording."""
    head, *steps = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return Recording(**head, steps=tuple(Step(**({"pause": 0.0} | step)) for step in steps))


def lessons(folder: Path = FOLDER) -> list[Recording]:
    """Return all recordings but that of the moment when everybody clicks."""
    return [read(file) for file in sorted(folder.glob("*.jsonl")) if file.stem != "together"]


def evidence(name: str, folder: Path = EVIDENCE_FOLDER) -> Recording:
    """Return what a reader of Papers or Runs does."""
    return read(folder / f"{name}.jsonl")


def together(folder: Path = FOLDER) -> Recording:
    """Return what people do at "now everybody click"."""
    return read(folder / "together.jsonl")


def misfit(name: str, what: str) -> MisfitError:
    """Say that a recording does not fit the app."""
    return MisfitError(
        f"The recording {name!r} no longer fits the app: {what}; make it anew with `{REMAKE}`."
    )
