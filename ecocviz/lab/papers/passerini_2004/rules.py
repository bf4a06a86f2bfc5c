"""The rules that turn error curves into verdicts; written before the full study was run."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from ecocviz.lab.evidence.entries import Measured, Statement
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


def judge_decoders(sets: Sequence[str]) -> Callable[[Sequence[Measured]], list[Statement]]:
    """Return the judge of Figure 2 or 3, which differ in their sets only."""

    def judge(found: Sequence[Measured]) -> list[Statement]:
        curves = list(curves_of(found, sets))
        wrong = {
            code: [p.record[WRONG] for c in curves if c.code == code for p in c.places] for code in CODES
        }
        statements = [
            Statement(
                f"{name}: likelihood makes the fewest errors, alone or tied",
                sum(w["likelihood"] == min(w.values()) for w in wrong[code]),
                len(wrong[code]),
                least=0.5,
            )
            for code, name in CODES.items()
        ]
        one, pairs = wrong["one-vs-all"], wrong["one-vs-one"]
        poor = sum(w["hamming"] > w["linear"] for w in one)
        good = sum(w["hamming"] <= w["linear"] for w in pairs)
        measured = {data: {c.code for c in curves if c.data == data} for data in sets}
        level = [_is_level(curves, data) for data, codes in measured.items() if codes == set(CODES)]
        return [
            *statements,
            Statement("one-vs-all: Hamming makes more errors than linear decoding", poor, len(one)),
            Statement(
                "all pairs: Hamming makes no more errors than linear decoding", good, len(pairs), least=0.5
            ),
            Statement(
                "one-vs-all is at most one point above the best other code, each at its best γ",
                sum(level),
                len(level),
            ),
        ]

    return judge


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
    steps = [curve.steps() for curve in curves]
    missed = [step for step in steps if step]
    return [
        Statement(
            "the γ of the least bound is the best one tried or its neighbour",
            sum(abs(step) <= _grid_step(curve) for step, curve in zip(steps, curves, strict=True)),
            len(curves),
        ),
        Statement(
            "choosing by the bound costs at most one point of test error",
            sum(curve.cost() <= CLOSE for curve in curves),
            len(curves),
        ),
        Statement(
            "where the bound misses the best γ, it takes a larger one",
            sum(step > 0 for step in missed),
            len(missed),
            least=0.5,
        ),
    ]


def _grid_step(curve: Curve) -> int:
    """Doublings between neighbours on the grid: 1, more in the quick setting."""
    exponents = curve.exponents
    return max(1, min((b - a for a, b in pairwise(exponents)), default=1))


SENSITIVITY_RULE = (
    "Between the best and the worst γ, the test error of the likelihood decoder changes no more "
    "than that of each other decoder, for half of the sets and codes or more."
)


def judge_sensitivity(found: Sequence[Measured]) -> list[Statement]:
    """Judge how much decoders depend on the kernel width."""
    curves = list(curves_of(found))
    return [
        Statement(
            f"the likelihood's error changes no more over γ than that of {DECODERS[other]}",
            sum(curve.spread("likelihood") <= curve.spread(other) for curve in curves),
            len(curves),
            least=0.5,
        )
        for other in OTHERS
    ]
