"""The rules that turn times, columns and counts into verdicts; written before the full study was run."""

from collections.abc import Sequence

from ecocviz.lab.evidence.entries import Measured, Statement, count
from ecocviz.lab.papers.crammer_singer_2002.generic import SOLVERS
from ecocviz.lab.papers.crammer_singer_2002.programs import NORMS

SPOC = "SPOC"
ORDERS = 100.0
"""Two orders of magnitude."""
SAME = 1e-4
"""Relative difference of two optima that are equal but for rounding and the solvers' tolerances."""

TIME_RULE = (
    "Against each generic solver, at the largest size: the paper's algorithm is at least 100 times as fast "
    "for half of the values of β and data sets or more. At all sizes: it is faster in 95 % of them."
)
COLUMN_RULE = "The column found by sorting has the least error of all columns, in every sample."
SIZE_RULE = (
    "Every count of variables, 0-constraints and constraints is the printed one, and the two programs of "
    "each norm have the same optimum, for every shape."
)


def rivals_of(found: Sequence[Measured]) -> list[str]:
    """Return the generic solvers that were timed."""
    return [name for name in SOLVERS if any(name in place.record["sets"] for place in found)]


def ratios(place: Measured, rival: str) -> list[float]:
    """Return how many times as fast the paper's algorithm is, for each data set; none without the rival."""
    sets = place.record["sets"]
    if rival not in sets:
        return []
    return [theirs / ours for theirs, ours in zip(sets[rival], sets[SPOC], strict=True)]


def at_largest(found: Sequence[Measured]) -> tuple[int, list[Measured]]:
    """Return the largest number of points, and the cells that have so many."""
    largest = max((int(place.cell.about["size"]) for place in found), default=0)
    return largest, [place for place in found if place.cell.about["size"] == largest]


def judge_times(found: Sequence[Measured]) -> list[Statement]:
    """Judge Figure 5."""
    largest, places = at_largest(found)
    statements = []
    for rival in rivals_of(found):
        orders = [ratio >= ORDERS for place in places for ratio in ratios(place, rival)]
        faster = [ratio > 1 for place in found for ratio in ratios(place, rival)]
        statements += [
            count(f"{largest} points: at least 100 times as fast as {rival}", orders, least=0.5),
            count(f"all sizes: faster than {rival}", faster, least=0.95),
        ]
    return statements or [Statement("no generic solver was timed", 0, 0)]


def why_times(found: Sequence[Measured]) -> str:
    """Say what the factor depends on."""
    largest, places = at_largest(found)
    said = []
    for rival in rivals_of(places):
        each = {place.cell.about["beta"]: ratios(place, rival) for place in places}
        listed = ", ".join(f"{sum(r) / len(r):,.0f} (β = {beta:g})" for beta, r in each.items())
        said.append(f"{rival} {listed}")
    if not said:
        return ""
    return (
        f"With {largest} points the algorithm of the paper is faster by these factors: "
        f"{'; '.join(said)}. The paper prints neither β nor the gap.{_growth(places)}"
    )


def _growth(places: Sequence[Measured]) -> str:
    """Say how the times change from the largest to the smallest value of beta; "" where there is one."""
    by_beta = {float(place.cell.about["beta"]): place.record["milliseconds"] for place in places}
    most, least = max(by_beta), min(by_beta)
    if most == least:
        return ""
    grown = [
        f"{name} {by_beta[least][name] / by_beta[most][name]:.1f}"
        for name in (SPOC, *rivals_of(places))
        if name in by_beta[least] and name in by_beta[most]
    ]
    return f" From β = {most:g} to {least:g} the times grow by these factors: {', '.join(grown)}."


def judge_columns(found: Sequence[Measured]) -> list[Statement]:
    """Judge Theorem 1."""
    optimal, n = (sum(place.record[name] for place in found) for name in ("optimal", "n"))
    return [Statement("the column has the least error of all", optimal, n, least=1.0)]


def printed_sizes(m: int, k: int, n_bits: int) -> dict[str, dict[str, tuple[int, int, int]]]:
    """Return Table 1: norm -> program -> variables, 0-constraints, constraints."""
    km, kl = k * m, k * n_bits
    return {
        "l1": {"primal": (m + 2 * kl, 0, km + 2 * kl), "dual": (km + 2 * kl, km + 2 * kl, m + 2 * kl)},
        "l2": {"primal": (m + kl, 0, km), "dual": (km, km, m)},
        "linf": {"primal": (m + kl + 1, 0, km + 2 * kl), "dual": (km + 2 * kl, km + 2 * kl, m + kl + 1)},
    }


def shape(place: Measured) -> tuple[int, int, int]:
    """Return the points, classes and machines of a cell."""
    about = place.cell.about
    return about["m"], about["k"], about["l"]


def judge_sizes(found: Sequence[Measured]) -> list[Statement]:
    """Judge Table 1."""
    equal = [
        ours == theirs
        for place in found
        for norm, programs in printed_sizes(*shape(place)).items()
        for program, printed in programs.items()
        for ours, theirs in zip(place.record["counts"][norm][program], printed, strict=True)
    ]
    pairs = [place.record["optima"][norm] for place in found for norm in NORMS]
    same = [abs(primal - dual) <= SAME * max(abs(primal), 1.0) for primal, dual in pairs]
    return [
        count("counts that are the printed ones", equal, least=1.0),
        count("primal and dual have the same optimum", same, least=1.0),
    ]
