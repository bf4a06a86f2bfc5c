"""What is made of wrong bits and their bounds: statements that hold or not, and drawings."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import log
from statistics import fmean

from ecocviz.lab.evidence.drawings import Drawing, Entry, Line, Opens, Page, Panel, Panels, Point, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count, grouped
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


def error_of(one: Measured) -> float:
    """Return the error of Hamming decoding."""
    return float(one.record["wrong"] / one.record["n"])


# Statements ------------------------------------------------------------------------------------------


def judge_length(found: Sequence[Measured]) -> list[Statement]:
    """Count where the bound falls exponentially with the length, and where the error follows."""
    by_length = sorted(found, key=lambda one: int(one.cell.about["length"]))
    groups = grouped(by_length, "set", "seed").values()
    steps = [(exponent(a), exponent(b)) for group in groups for a, b in pairwise(group)]
    grows = f"its exponent grows at least {GROWS:g}-fold where the length doubles"
    falls = f"the error is smaller with {LENGTHS[-1]} than with {LENGTHS[0]} machines"
    return [
        count("the exponential bound says something", (exponent(one) > 0 for one in found)),
        count(grows, (b >= GROWS * a for a, b in steps if a > 0)),
        count(falls, (error_of(group[-1]) < error_of(group[0]) for group in groups)),
    ]


def judge_independent(found: Sequence[Measured]) -> list[Statement]:
    """Count where the error stays below the bound for independent machines."""
    below = [error_of(one) <= one.record["bounds"]["chernoff"] for one in found if exponent(one) > 0]
    fewer = [error_of(one) <= one.record["bounds"]["independent"] for one in found]
    return [
        count("the error is at most the exponential bound, where that says something", below, least=1.0),
        count("the error is at most what independent machines get wrong beyond repair", fewer),
    ]


def judge_correlated(found: Sequence[Measured]) -> list[Statement]:
    """Count where correlation adds errors beyond repair, and where its model is the nearer one."""
    bounds = [one.record["bounds"] for one in found]
    more = [b["observed"] > b["independent"] for b in bounds]
    nearer = [abs(b["first_order"] - b["observed"]) < abs(b["independent"] - b["observed"]) for b in bounds]
    return [
        count("more points are beyond repair than with independent machines", more),
        count("machines of which only pairs are correlated are nearer to that than independent ones", nearer),
    ]


def judge_moments(found: Sequence[Measured]) -> list[Statement]:
    """Count that what must hold for all machines does."""
    beyond = [one.record["wrong"] <= one.record["beyond"] for one in found]
    bounded = [one.record["bounds"]["observed"] <= one.record["bounds"]["sharp"] for one in found]
    return [
        count("the error is at most the share of points beyond repair", beyond, least=1.0),
        count("that share is at most the bound from mean and variance", bounded, least=1.0),
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
    panels = []
    for name, own in grouped(found, "set").items():
        error = Line("error of Hamming decoding", _points(own, error_of))
        bounds = [Line(title, _points(own, partial(_bound, key=key))) for key, title in NAMES.items()]
        panels.append(Panel(title=name, x="machines", y="points, %", lines=(error, *bounds)))
    title = "Error of Hamming decoding and its bounds over the length of the code"
    return [Panels(title=title, panels=tuple(panels)), _table(found)]


def _bound(one: Measured, key: str) -> float:
    return float(one.record["bounds"][key])


def _points(own: Sequence[Measured], share: Callable[[Measured], float]) -> tuple[Point, ...]:
    """Return means over the splits; a point opens the first."""
    points = []
    for length, splits in sorted(grouped(own, "length").items()):
        opens = Opens(scenario_of(splits[0].cell.about, CODING, length), Page.BITS)
        mean = 100 * fmean(map(share, splits))
        points.append(Point(float(length), mean, opens=opens.first_of(len(splits), "splits")))
    return tuple(points)


def _table(found: Sequence[Measured]) -> Table:
    rows = []
    for one in found:
        about, record = one.cell.about, one.record
        opens = Opens(scenario_of(about, CODING, about["length"]), Page.BITS)
        numbers = [error_of(one), *(_bound(one, key) for key in NAMES)]
        entries = (
            Entry(record["distance"], opens=opens, digits=0),
            Entry(100 * record["rate"], opens=opens, digits=1),
            Entry(record["phi"], opens=opens),
            *(Entry(100 * number, opens=opens, digits=1) for number in numbers),
        )  # fmt: skip
        rows.append((f"{about['set']}, {about['length']} machines, split {about['seed']}", entries))
    heads = ("set, length", "least distance", "wrong bits, %", "mean φ", "error, %")
    return Table(
        title="Every code",
        columns=(*heads, *(f"{name}, %" for name in NAMES.values())),
        rows=tuple(rows),
        note="The paper's numbers could not be had.",
    )
