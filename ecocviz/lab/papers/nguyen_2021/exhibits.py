"""What is made of wrong bits and their bounds: statements that hold or not, and drawings."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log
from statistics import fmean

from ecocviz.lab.evidence.drawings import (
    Drawing,
    Entry,
    Line,
    Opens,
    Page,
    Panel,
    Panels,
    Point,
    Table,
    first_of,
)
from ecocviz.lab.evidence.entries import Measured, Statement
from ecocviz.lab.papers._words_received import scenario_of
from ecocviz.lab.papers.nguyen_2021.study import CODING, LENGTHS

GROWS = 1.5
"""By how much the exponent of an exponential bound grows at least when the length doubles."""
NAMES: Mapping[str, str] = {
    "observed": "more wrong bits than are repaired",
    "independent": "independent machines",
    "chernoff": "independent machines, exponential bound",
    "first_order": "only pairs correlated",
    "sharp": "at most, with this mean and variance",
}


def exponent(one: Measured) -> float:
    """Return minus the logarithm of the exponential bound; 0 where it says nothing."""
    bound = float(one.record["bounds"]["chernoff"])
    return -log(max(bound, 1e-300))


def by_length(found: Sequence[Measured]) -> list[list[Measured]]:
    """Put the lengths of a set and split together, the shortest first."""
    groups: dict[tuple[str, int], list[Measured]] = {}
    for one in found:
        groups.setdefault((str(one.cell.about["set"]), int(one.cell.about["seed"])), []).append(one)
    return [sorted(group, key=lambda one: int(one.cell.about["length"])) for group in groups.values()]


def error_of(one: Measured) -> float:
    """Return the error of Hamming decoding."""
    return float(one.record["wrong"] / one.record["n"])


# Statements ------------------------------------------------------------------------------------------


def judge_length(found: Sequence[Measured]) -> list[Statement]:
    """Count where the bound falls exponentially with the length, and where the error follows."""
    groups = by_length(found)
    steps = [(exponent(a), exponent(b)) for group in groups for a, b in pairwise(group)]
    return [
        Statement("the exponential bound says something", sum(exponent(o) > 0 for o in found), len(found)),
        Statement(
            f"its exponent grows at least {GROWS:g}-fold where the length doubles",
            sum(b >= GROWS * a for a, b in steps if a > 0),
            sum(a > 0 for a, _ in steps),
        ),
        Statement(
            f"the error is smaller with {LENGTHS[-1]} than with {LENGTHS[0]} machines",
            sum(error_of(group[-1]) < error_of(group[0]) for group in groups),
            len(groups),
        ),
    ]


def judge_independent(found: Sequence[Measured]) -> list[Statement]:
    """Count where the error stays below the bound for independent machines."""
    told = [one for one in found if exponent(one) > 0]
    return [
        Statement(
            "the error is at most the exponential bound, where that says something",
            sum(error_of(one) <= one.record["bounds"]["chernoff"] for one in told),
            len(told),
            least=1.0,
        ),
        Statement(
            "the error is at most what independent machines get wrong beyond repair",
            sum(error_of(one) <= one.record["bounds"]["independent"] for one in found),
            len(found),
        ),
    ]


def judge_correlated(found: Sequence[Measured]) -> list[Statement]:
    """Count where correlation adds errors beyond repair, and where its model is the nearer one."""
    gaps = [
        tuple(abs(b[name] - b["observed"]) for name in ("independent", "first_order"))
        for b in (one.record["bounds"] for one in found)
    ]
    return [
        Statement(
            "more points are beyond repair than with independent machines",
            sum(one.record["bounds"]["observed"] > one.record["bounds"]["independent"] for one in found),
            len(found),
        ),
        Statement(
            "machines of which only pairs are correlated are nearer to that than independent ones",
            sum(paired < alone for alone, paired in gaps),
            len(gaps),
        ),
    ]


def judge_moments(found: Sequence[Measured]) -> list[Statement]:
    """Count that what must hold for all machines does."""
    bounds = [one.record["bounds"] for one in found]
    return [
        Statement(
            "the error is at most the share of points beyond repair",
            sum(one.record["wrong"] <= one.record["beyond"] for one in found),
            len(found),
            least=1.0,
        ),
        Statement(
            "that share is at most the bound from mean and variance",
            sum(b["observed"] <= b["sharp"] for b in bounds),
            len(bounds),
            least=1.0,
        ),
    ]


def why(found: Sequence[Measured]) -> str:
    """Say how the machines are correlated and what that does to the points beyond repair."""
    if not found:
        return ""
    means = {name: fmean(100 * one.record["bounds"][name] for one in found) for name in NAMES}
    phi, error = fmean(one.record["phi"] for one in found), fmean(100 * error_of(one) for one in found)
    impossible = sum(not one.record["proper"] for one in found)
    none = (
        f" In {impossible} of {len(found)} cells no machines are correlated in pairs only as these are: "
        "chances of the model would be negative."
    )
    return (
        f"Means: errors of two machines correlate by {phi:.2f}; {means['observed']:.1f} % of the points are "
        f"beyond repair, {means['independent']:.1f} % with independent machines, "
        f"{means['first_order']:.1f} % where only pairs are correlated, at most {means['sharp']:.1f} % with "
        f"the same mean and variance; Hamming decoding is wrong on {error:.1f} %."
        f"{none if impossible else ''}"
    )


# Drawings --------------------------------------------------------------------------------------------


def draw_lengths(found: Sequence[Measured]) -> list[Drawing]:
    """Draw error and bounds over the length, a panel per set."""
    return [
        Panels(
            title="Error of Hamming decoding and its bounds over the length of the code",
            panels=tuple(
                Panel(
                    title=name,
                    x="machines",
                    y="points, %",
                    lines=(
                        Line("error of Hamming decoding", _points(found, name, None)),
                        *(Line(title, _points(found, name, key)) for key, title in NAMES.items()),
                    ),
                )
                for name in dict.fromkeys(str(one.cell.about["set"]) for one in found)
            ),
        ),
        _table(found),
    ]


def _points(found: Sequence[Measured], name: str, key: str | None) -> tuple[Point, ...]:
    """Return means over the splits; a point opens the first."""
    points = []
    for length in LENGTHS:
        own = [o for o in found if o.cell.about["set"] == name and o.cell.about["length"] == length]
        if own:
            shares = [error_of(o) if key is None else float(o.record["bounds"][key]) for o in own]
            several = first_of(len(own), "splits")
            opens = Opens(scenario_of(own[0].cell.about, CODING, length), Page.BITS, several)
            points.append(Point(float(length), 100 * fmean(shares), opens=opens))
    return tuple(points)


def _table(found: Sequence[Measured]) -> Table:
    rows = []
    for one in found:
        about, record = one.cell.about, one.record
        opens = Opens(scenario_of(about, CODING, about["length"]), Page.BITS)
        numbers = [error_of(one), *(float(record["bounds"][key]) for key in NAMES)]
        entries = (
            Entry(record["distance"], opens=opens, digits=0),
            Entry(100 * record["rate"], opens=opens, digits=1),
            Entry(record["phi"], opens=opens),
            *(Entry(100 * number, opens=opens, digits=1) for number in numbers),
        )  # fmt: skip
        rows.append((f"{about['set']}, {about['length']} machines, split {about['seed']}", entries))
    heads = (
        "least distance",
        "wrong bits, %",
        "mean φ",
        "error, %",
        *(f"{name}, %" for name in NAMES.values()),
    )
    return Table(
        title="Every code",
        columns=("set, length", *heads),
        rows=tuple(rows),
        note="The paper's numbers could not be had.",
    )
