"""What `ecocviz sweep` prints: its points as they finish, how far it is, and what came out."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ecocviz.cli_bar import Bar
from ecocviz.cli_said import say
from ecocviz.cli_sweep_kept import Kept

if TYPE_CHECKING:
    from ecocviz.lab.curves import Measure
    from ecocviz.lab.scenario import Scenario
    from ecocviz.lab.sweep import SweepPoint

MOST_SETTINGS = 40
"""So many settings are told of one by one."""


class Told:
    """Tells of points as they come: a line each, a bar on a terminal."""

    def __init__(
        self,
        names: "Sequence[str]",
        points: "Sequence[Scenario]",
        measures: "Sequence[Measure]",
        chosen: argparse.Namespace,
        kept: Kept,
    ) -> None:
        self._names, self._points, self._measures, self._kept = names, points, measures, kept
        self._json = chosen.json
        self._again = (
            "" if kept.run is None and chosen.out is None else " and are kept; the same command goes on"
        )
        self._rows = dict(kept.known)
        self._n_before = len(self._rows)
        self._bar = Bar(len(points), "points", lines=not self._json)
        self._bar.known(self._n_before)

    def begin(self, where: str) -> None:
        """Say what is to be done, and where."""
        before = f", {self._n_before} of them measured before" if self._n_before else ""
        n = len(self._points)
        say(f"{n:,} point{'' if n == 1 else 's'}{before}; on {where}", file=sys.stderr, flush=True)

    @property
    def left(self) -> "dict[int, Scenario]":
        """The points of which nothing is told yet, by their positions."""
        return {k: point for k, point in enumerate(self._points) if k not in self._rows}

    def wanted(self, positions: Sequence[int], *, last: bool) -> bool:
        """Say whether points that share their machines are to be measured here.

        What another process has measured since is told instead; what one measures now is left to it, but
        the `last` time they are asked for.
        """
        free, rows = self._kept.claim(positions)
        for row in rows:
            self._tell(row, "; measured by another process")
        return not rows and (free or last)

    def add(self, point: "SweepPoint") -> None:
        """Tell of one point, and keep it."""
        row = self._row(point)
        self._kept.add(row)
        self._tell(row)

    def _tell(self, row: dict[str, Any], more: str = "") -> None:
        self._rows[row["point"]] = row
        self._bar.clear()
        if not self._json:
            say(f"{self._line(row)}{more}", flush=True)
        self._bar.one_more()

    def stopped(self) -> None:
        """Say how far it came."""
        say(
            f"\nStopped: {len(self._rows)} of {len(self._points)} points were measured{self._again}.",
            file=sys.stderr,
        )

    def end(self) -> int:
        """Say what came out; return the exit status."""
        self._bar.clear()
        rows = [self._rows[position] for position in sorted(self._rows)]
        n_failed = sum("failed" in row for row in rows)
        if self._json:
            about = {"points": rows, "failed": n_failed, "run": self._kept.run}
            say(json.dumps(about, indent=2, ensure_ascii=False))
        else:
            for line in self._summary([row for row in rows if "error" in row.get("test", {})]):
                say(line)
        if n_failed:
            say(f"{n_failed} of {len(rows)} points could not be measured.", file=sys.stderr)
        return 1 if n_failed else 0

    def _row(self, point: "SweepPoint") -> dict[str, Any]:
        from ecocviz.lab.store_about import record_of  # noqa: PLC0415 - --help must not wait for the numerics

        row: dict[str, Any] = {"point": point.position, "scenario": point.scenario.to_flat()}
        if point.failed is not None:
            return {**row, "failed": point.failed}
        for measure, found in point.found.items():
            row[measure.value] = {"refused": found} if isinstance(found, str) else record_of(found)
        return {**row, "training_seconds": round(point.seconds, 3)}

    def _line(self, row: dict[str, Any]) -> str:
        if "failed" in row:
            return f"{self._place(row)}  {row['failed']}"
        errors = (f"{measure.value} {error_text(row[measure.value])}" for measure in self._measures)
        return f"{self._place(row)}  {', '.join(errors)}"

    def _place(self, row: dict[str, Any], *leaving: str) -> str:
        """Name a point by the fields that are swept, but for those that are left out."""
        scenario = self._points[row["point"]]
        names = (name for name in self._names if name not in leaving)
        return " ".join(f"{name}={value_text(scenario, name)}" for name in names)

    def _summary(self, rows: list[dict[str, Any]]) -> list[str]:
        """Say what came out: over seeds mean and spread, over numbers the range and what a choice would give.

        The least test error is no answer: it was chosen by the test points.
        """
        from ecocviz.lab.spread import over_seeds, range_text  # noqa: PLC0415 - as above

        if len(rows) < 2:
            return []
        if "seed" in self._names:
            found = over_seeds((self._place(row, "seed"), row["test"]["error"]) for row in rows)
            if len(found) > MOST_SETTINGS:
                means = range_text((each.mean for each in found), 2)
                return [f"test error, each the mean over seeds: {means} over {len(found):,} settings"]
            return [f"test error {each.told(2)}{f' at {each.place}' * bool(each.place)}" for each in found]
        numbers = [name for name in self._names if "." in name]
        groups: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            groups.setdefault(self._place(row, *numbers), []).append(row)
        return [line for at, each in list(groups.items())[:MOST_SETTINGS] for line in self._range(at, each)]

    def _range(self, at: str, rows: list[dict[str, Any]]) -> list[str]:
        """Say from where to where the test errors of points go, and which of them other measures choose."""
        from ecocviz.lab.spread import range_text  # noqa: PLC0415 - as above

        if len(rows) < 2:
            return []
        errors = range_text((row["test"]["error"] for row in rows), 2)
        lines = [f"test error {errors} over {len(rows)} points{f' at {at}' if at else ''}"]
        for judge in ("cross-validation", "bound", "exact"):
            judged = [row for row in rows if "error" in row.get(judge, {})]
            if judged:
                best = min(judged, key=lambda row: row[judge]["error"])
                lines.append(
                    f"  chosen by {judge}: {self._place(best)}, test error {error_text(best['test'])}"
                )
        return lines


def value_text(scenario: "Scenario", name: str) -> str:
    """Return one field of a scenario as a link has it."""
    from ecocviz.lab.catalogue import SLOTS  # noqa: PLC0415 - --help must not wait for the numerics

    slot, dot, param = name.partition(".")
    if not dot:
        return str(scenario.seed) if slot == "seed" else str(getattr(scenario, slot).key)
    choice = getattr(scenario, slot)
    declared = next(each for each in SLOTS[slot][choice.key].params if each.name == param)
    return str(declared.text(choice.values[param]))


def error_text(about: dict[str, Any]) -> str:
    """Return an error in words: its share, and the counts behind it."""
    if "refused" in about:
        return f"unknown ({about['refused']})"
    told = f"{100 * about['error']:.2f} % ({about['wrong']} of {about['points']})"
    return f"{told}{undecided_text(about, 2)}"


def undecided_text(about: dict[str, Any], digits: int) -> str:
    """Return in words what comes of points that are left undecided, "" where every point is decided.

    >>> undecided_text({"points": 10, "undecided": 2, "decided_wrong": 4, "decided_error": 0.5}, 1)
    '; 20.0 % left undecided (2 of 10), 50.0 % of the others wrong (4 of 8)'
    """
    if "undecided" not in about:
        return ""
    left, n = about["undecided"], about["points"]
    told = f"; {100 * left / n:.{digits}f} % left undecided ({left} of {n})"
    if about["decided_error"] is None:
        return told
    error = f"{100 * about['decided_error']:.{digits}f} %"
    return f"{told}, {error} of the others wrong ({about['decided_wrong']} of {n - left})"
