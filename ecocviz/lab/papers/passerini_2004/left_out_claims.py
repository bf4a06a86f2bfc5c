"""Rules and tables of the left-out points; the rules were written before the full study was run."""

from collections.abc import Sequence
from dataclasses import replace

from ecocviz.data.catalogue import DATASETS
from ecocviz.lab.evidence.drawings import Drawing, Entry, Opens, Page, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count, grouped
from ecocviz.lab.papers.passerini_2004.curves import CODES, DECODERS, scenario

TRAINING, EXACT, BOUND, MISSED = range(4)
"""What a record's four counts of a decoder are."""
FALLS = "the machines measured, with the margins of their points one by one and not in units of Cκ"
CLOSE = 0.05
"""Share of the points by which a bound that is close may exceed the error."""

LIMITS = {
    "printed": "as printed: the change is at most (S − 1)Cκ",
    "scheme": "as printed for each code: at most 2Cκ, (Q − 1)Cκ, (S − 1)Cκ",
    "corrected": "corrected: the change is at most w(M)Cκ",
}
"""Limit of a record -> what is said of it."""

BOUND_RULE = (
    "No leave-one-out error of any point is missed, with linear decoding (Theorem 4.1) or the three others "
    "(Corollary 4.1). With Cκ below 1 and linear decoding, the bound exceeds the leave-one-out error by at "
    "most 5 % of the points in 80 % of the cases."
)
CHANGE_RULE = (
    "At every point: the change that Theorem 4.1 allows is at most (S − 1)Cκ as printed, at most 2Cκ, "
    "(Q − 1)Cκ and (S − 1)Cκ for one-vs-all, all pairs and dense codes as printed, and at most w(M)Cκ, the "
    "corrected limit. For 80 % of sets, γ and C, the largest change is no larger with one-vs-all than "
    "with either other code."
)


def judge_bound(found: Sequence[Measured]) -> list[Statement]:
    """Count the points whose leave-one-out error the bound does not miss."""
    n_points = sum(place.record["n"] for place in found)
    missed = {key: sum(place.record["errors"][key][MISSED] for place in found) for key in DECODERS}
    linear = missed.pop("linear")
    n, text = len(missed) * n_points, "no point's leave-one-out error is missed"
    close = [_excess(place) <= CLOSE for place in found if place.record["c_kappa"] < 1]
    return [
        Statement(f"linear decoding: {text}", n_points - linear, n_points, least=1.0),
        Statement(f"the other decoders: {text}", n - sum(missed.values()), n, least=1.0),
        count("with Cκ below 1, the bound is within 5 % of the points", close),
    ]


def _excess(place: Measured) -> float:
    """Return the share of the points by which the bound exceeds the leave-one-out error, linear decoding."""
    counts = place.record["errors"]["linear"]
    return float((counts[BOUND] - counts[EXACT]) / place.record["n"])


def why_bound(found: Sequence[Measured]) -> str:
    """Say how close the bound is for every value of C kappa."""
    parts = []
    for value in sorted({place.record["c_kappa"] for place in found}):
        excess = [_excess(place) for place in found if place.record["c_kappa"] == value]
        near = sum(each <= CLOSE for each in excess)
        parts.append(
            f"{value:g}: {near} of {len(excess)} cases, {100 * sum(excess) / len(excess):.1f} % of the points"
        )
    if not parts:
        return ""
    return (
        "By the value of Cκ, in how many cases the bound is that close, and how far above the error it lies "
        f"on average: {'; '.join(parts)}. The most that the bound can take off a margin grows with Cκ."
    )


def judge_change(found: Sequence[Measured]) -> list[Statement]:
    """Count the points whose margin keeps within the printed and the corrected limits."""
    n_points = sum(place.record["n"] for place in found)
    statements = []
    for name, text in LIMITS.items():
        within = sum(place.record["within"][name] for place in found)
        statements.append(Statement(text, within, n_points, least=1.0))
    stable = [changes["one-vs-all"] <= min(changes.values()) for changes in _settings(found)]
    return [*statements, count("the largest change is smallest with one-vs-all", stable)]


def _settings(found: Sequence[Measured]) -> list[dict[str, float]]:
    """Return the largest change by code, for every set, width and C where all codes were measured."""
    settings = grouped(found, "set", "gamma", "C").values()
    changes = [{p.cell.about["code"]: p.record["largest"] for p in places} for places in settings]
    return [each for each in changes if len(each) == len(CODES)]


def draw_bound(found: Sequence[Measured]) -> list[Drawing]:
    """Draw training errors, leave-one-out errors and bounds, with linear decoding."""
    rows = []
    for place in found:
        opens = Opens(scenario(place.cell, "linear"), Page.MODEL_SELECTION)
        counts = place.record["errors"]["linear"]
        missed = sum(place.record["errors"][decoding][MISSED] for decoding in DECODERS)
        entries = (
            Entry(place.record["c_kappa"], opens=opens),
            Entry(counts[TRAINING], digits=0, opens=opens),
            Entry(counts[EXACT], digits=0, opens=opens),
            Entry(counts[BOUND], digits=0, opens=opens),
            Entry(place.record["n"], digits=0, opens=opens),
            Entry(missed, digits=0, opens=opens.but("linear decoding, one of the four decoders counted")),
        )
        rows.append((_name(place), entries))
    table = Table(
        title="Errors, linear decoding",
        columns=("", "Cκ", "training", "leave-one-out", "bound", "of", "missed by four decoders"),
        rows=tuple(rows),
        unit="points",
    )
    return [table]


def draw_change(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the largest changes beside the printed and the corrected limits."""
    rows, shown = [], ("corrected", "printed", "scheme")
    for place in found:
        record = place.record
        opens = Opens(scenario(place.cell, "linear"), Page.MODEL_SELECTION, FALLS)
        code = replace(opens, page=Page.CODE_MATRIX, differs="the code, whose rows set the limit")
        entries = (
            Entry(record["moved"], opens=opens),
            Entry(record["largest"], opens=opens),
            *(Entry(record["limits"][name], opens=code, digits=0) for name in shown),
        )
        rows.append((_name(place), entries))
    limits = ("corrected limit", "printed limit", "printed limit for this code")
    table = Table(
        title="How far a margin falls when its point is left out",
        columns=("", "largest fall", "largest allowed by Theorem 4.1", *limits),
        rows=tuple(rows),
        unit="Cκ",
        note="The corrected limit is w(M); the printed ones are S − 1, and 2, Q − 1 or S − 1 for the code.",
    )
    return [table]


def _name(place: Measured) -> str:
    about = place.cell.about
    return (
        f"{DATASETS[about['set']].title}, {CODES[about['code']]}, γ = {about['gamma']:g}, C = {about['C']:g}"
    )


def why_change(found: Sequence[Measured]) -> str:
    """Say where the printed limits fail."""
    by_code = {code: [p for p in found if p.cell.about["code"] == code] for code in CODES}
    worst = {
        name: max((p.record["largest"] / p.record["limits"]["scheme"] for p in by_code[code]), default=0.0)
        for code, name in CODES.items()
    }
    passed = [f"{ratio:.2f} times the limit of {name}" for name, ratio in worst.items() if ratio > 1]
    if not passed:
        return ""
    return (
        f"Changes reach {', '.join(passed)}. The printed limits fit half of the margin that the paper "
        "defines: a bit on which two codewords differ counts twice, once for each class."
    )
