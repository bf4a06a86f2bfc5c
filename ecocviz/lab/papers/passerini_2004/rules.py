"""The rules that turn error curves into verdicts; written before the full study was run."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ecocviz.lab.evidence.entries import Measured, Statement, count
from ecocviz.lab.papers.passerini_2004.curves import CODES, DECODERS, WRONG
from ecocviz.lab.papers.passerini_2004.lines import Curve, curves_of

CLOSE = 1.0
"""Points of error that count as level."""
OTHERS = tuple(key for key in DECODERS if key != "likelihood")

DECODER_RULE = (
    "For each code, the likelihood decoder makes the fewest errors, alone or tied, at half of the sets and "
    "values of γ or more. With one-vs-all, Hamming makes more errors than linear decoding at 80 % of them; "
    "with all pairs, no more than linear decoding at half of them. At its best γ, one-vs-all is at most "
    "one point above the best of the other codes on 80 % of the sets."
)


def judge_decoders(found: Sequence[Measured], sets: Sequence[str]) -> list[Statement]:
    """Judge Figure 2 or 3, which differ in their sets only."""
    curves = list(curves_of(found, sets))
    wrong = {code: [p.record[WRONG] for c in curves if c.code == code for p in c.places] for code in CODES}
    statements = []
    for code, name in CODES.items():
        fewest = [w["likelihood"] == min(w.values()) for w in wrong[code]]
        statements.append(count(f"{name}: likelihood makes the fewest errors, alone or tied", fewest, 0.5))
    poor = [w["hamming"] > w["linear"] for w in wrong["one-vs-all"]]
    good = [w["hamming"] <= w["linear"] for w in wrong["one-vs-one"]]
    measured = {data: {c.code for c in curves if c.data == data} for data in sets}
    level = [_is_level(curves, data) for data, codes in measured.items() if codes == set(CODES)]
    return [
        *statements,
        count("one-vs-all: Hamming makes more errors than linear decoding", poor),
        count("all pairs: Hamming makes no more errors than linear decoding", good, least=0.5),
        count("one-vs-all is at most one point above the best other code, each at its best γ", level),
    ]


def _is_level(curves: Sequence[Curve], data: str) -> bool:
    """Say whether one-vs-all keeps up with the other codes on a set."""
    least = {c.code: min(c.errors("likelihood")) for c in curves if c.data == data}
    return least["one-vs-all"] <= CLOSE + min(least[code] for code in least if code != "one-vs-all")


SELECTION_RULE = (
    "Over sets and codes, the γ of the least bound is the best one tried or its neighbour in 80 %; taking it "
    "costs at most one point of test error in 80 %; and where it is not the best, it is larger (a smaller "
    "variance) in half of the cases or more."
)


def judge_selection(found: Sequence[Measured], sets: Sequence[str]) -> list[Statement]:
    """Judge Figure 4."""
    curves = list(curves_of(found, sets))
    near = [abs(curve.steps()) <= _grid_step(curve) for curve in curves]
    cheap = [curve.cost() <= CLOSE for curve in curves]
    larger = [curve.steps() > 0 for curve in curves if curve.steps()]
    return [
        count("the γ of the least bound is the best one tried or its neighbour", near),
        count("choosing by the bound costs at most one point of test error", cheap),
        count("where the bound misses the best γ, it takes a larger one", larger, least=0.5),
    ]


def _grid_step(curve: Curve) -> int:
    """Doublings between neighbours on the grid: 1, more in the quick setting."""
    exponents = curve.exponents
    return max(1, min((b - a for a, b in pairwise(exponents)), default=1))


def why_selection(found: Sequence[Measured], sets: Sequence[str], more: str = "") -> str:
    """Say how far the bound lies above the error, and to which side it errs."""
    curves = list(curves_of(found, sets))
    if not curves:
        return ""
    steps = [curve.steps() for curve in curves]
    above = [
        curve.bounds()[curve.chosen()] / max(curve.errors("likelihood")[curve.chosen()], 0.01)
        for curve in curves
    ]
    said = (
        f"The γ of the least bound is the best one in {steps.count(0)} of {len(steps)} cases, larger in "
        f"{sum(step > 0 for step in steps)}, smaller in {sum(step < 0 for step in steps)}. The bound "
        f"there is {median(above):.1f} times the test error (median): it says where to stand, not how "
        "large the error is."
    )
    return f"{said} {more}".strip()


SENSITIVITY_RULE = (
    "Between the best and the worst γ, the test error of the likelihood decoder changes no more "
    "than that of each other decoder, for half of the sets and codes or more."
)


def judge_sensitivity(found: Sequence[Measured]) -> list[Statement]:
    """Judge how much decoders depend on the kernel width."""
    curves = list(curves_of(found))
    statements = []
    for other in OTHERS:
        less = [curve.spread("likelihood") <= curve.spread(other) for curve in curves]
        text = f"the likelihood's error changes no more over γ than that of {DECODERS[other]}"
        statements.append(count(text, less, least=0.5))
    return statements
