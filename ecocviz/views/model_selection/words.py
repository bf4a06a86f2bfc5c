"""Sentences and the small table under the model-selection curves, computed from the curves."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from ecocviz.views.model_selection.figures import MEASURES, Curve, power_text
from ecocviz.views.shared.draw.words import count, listed, number, percent

NO_TEST = "This split keeps no test points, so it cannot be said what choosing costs; choose another split."


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimum:
    """What choosing the minimum of one curve means.

    Attributes
    ----------
    position, value
        Of the minimum on the grid.
    least, n
        Errors counted there, of how many points.
    n_test_wrong, n_test
        Test errors at that value; None and 0 without test points, or before they are known.
    more
        Test errors more than at the best value for the test points.
    """

    curve: Curve
    position: int
    value: float
    least: int
    n: int
    n_test_wrong: int | None
    n_test: int
    more: int | None


def minima(curves: Sequence[Curve], decoder: str) -> tuple[Minimum, ...]:
    """Return the minimum of every curve of one decoder, and what choosing it costs in test error."""
    own = [curve for curve in curves if curve.decoder == decoder]
    tests = [curve for curve in own if curve.measure == "test"]
    found = []
    for curve in own:
        k = curve.minimum
        n_test_wrong = tests[0].n_wrong[k] if tests else None
        found.append(
            Minimum(
                curve=curve,
                position=k,
                value=curve.grid[k],
                least=curve.least,
                n=curve.n,
                n_test_wrong=n_test_wrong,
                n_test=tests[0].n if tests else 0,
                more=None if n_test_wrong is None else n_test_wrong - tests[0].least,
            )
        )
    return tuple(found)


def choice_sentence(found: Sequence[Minimum], symbol: str) -> str:
    """Say what choosing by the bound costs in test error, or by what stands in where there is none.

    >>> test = Curve(decoder="A", measure="test", grid=(1.0, 2.0), n_wrong=(9, 7), n=100, seconds=0.0)
    >>> bound = Curve(decoder="A", measure="bound", grid=(1.0, 2.0), n_wrong=(20, 30), n=200, seconds=0.0)
    >>> choice_sentence(minima([test, bound], "A"), "C")
    'Choosing C by the leave-one-out bound (1) gives 9.0 % (9 of 100) test errors, 2 more than the best (2).'
    """
    tests = [m for m in found if m.curve.measure == "test"]
    if not tests:
        return NO_TEST if found else ""
    first = _chosen_by(found)[:1]
    if not first or first[0].n_test_wrong is None:
        return ""
    m, best = first[0], f"the best ({power_text(tests[0].value)})"
    cost = f"{m.more:,} more than {best}" if m.more else f"as few as {best}"
    errors = percent(m.n_test_wrong or 0, m.n_test)
    return f"Choosing {symbol} by {_named(m)} gives {errors} test errors, {cost}."


def other_choices_sentence(found: Sequence[Minimum]) -> str:
    """Say the same, shorter, of the other measures that one can choose by.

    >>> grid = {"decoder": "A", "grid": (1.0, 2.0), "seconds": 0.0}
    >>> test = Curve(measure="test", n_wrong=(9, 7), n=100, **grid)
    >>> bound = Curve(measure="bound", n_wrong=(20, 30), n=200, **grid)
    >>> exact = Curve(measure="exact", n_wrong=(15, 12), n=200, **grid)
    >>> other_choices_sentence(minima([test, bound, exact], "A"))
    'By the leave-one-out error (2): 7 test errors, as few as the best.'
    """
    parts = []
    for m in _chosen_by(found)[1:]:
        if m.n_test_wrong is not None:
            cost = f"{m.more:,} more than the best" if m.more else "as few as the best"
            parts.append(f"by {_named(m)}: {count(m.n_test_wrong, 'test error')}, {cost}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _chosen_by(found: Sequence[Minimum]) -> list[Minimum]:
    """Return the minima one can choose by, the bound's first; the training error for want of others."""
    order = ["bound", "exact", "cross-validation"]
    known = sorted((m for m in found if m.curve.measure in order), key=lambda m: order.index(m.curve.measure))
    return known or [m for m in found if m.curve.measure == "train"]


def _named(m: Minimum) -> str:
    article = "" if m.curve.measure == "cross-validation" else "the "
    return f"{article}{MEASURES[m.curve.measure].lower()} ({power_text(m.value)})"


def decoders_sentence(curves: Sequence[Curve]) -> str:
    """Compare several decoders by their test errors.

    >>> a = Curve(decoder="Hamming", measure="test", grid=(1.0, 2.0), n_wrong=(9, 7), n=100, seconds=0.0)
    >>> b = Curve(decoder="Linear", measure="test", grid=(1.0, 2.0), n_wrong=(8, 5), n=100, seconds=0.0)
    >>> decoders_sentence([a, b])
    'Linear decoding has the fewest test errors at 2 of 2 values; at its best it makes 2 fewer than Hamming.'
    """
    tests = [curve for curve in curves if curve.measure == "test"]
    if len(tests) < 2:
        return ""
    known = [k for k in range(len(tests[0].grid)) if all(curve.n_wrong[k] is not None for curve in tests)]
    if not known:
        return ""
    wins = [
        sum(curve.n_wrong[k] == min(other.n_wrong[k] or 0 for other in tests) for k in known)
        for curve in tests
    ]
    leader = max(range(len(tests)), key=lambda t: (wins[t], -tests[t].least))
    best = tests[leader]
    rivals = [_against(best, rival) for t, rival in enumerate(tests) if t != leader]
    return (
        f"{best.decoder} decoding has the fewest test errors at {wins[leader]} of {len(known)} values; "
        f"at its best it makes {listed(rivals)}."
    )


def _against(best: Curve, rival: Curve) -> str:
    if best.least == rival.least:
        return f"as many as {rival.decoder}"
    side = "fewer" if best.least < rival.least else "more"
    return f"{abs(rival.least - best.least):,} {side} than {rival.decoder}"


def status_sentence(curves: Sequence[Curve], refused: Sequence[str]) -> str:
    """Say what the bound is worth: a theorem, an estimate, or not to be had."""
    status = {curve.status for curve in curves if curve.measure == "bound"}
    if not status:
        return " ".join(("The leave-one-out bound is not available.", *refused)) if refused else ""
    if "estimate" in status:
        return (
            "The bound is an estimate here: these machines lie outside the theorem's conditions, "
            "so it may miss leave-one-out errors."
        )
    return (
        "The bound is a theorem here: with code, kernel, C and what the decoder learned held fixed, "
        "it misses no leave-one-out error."
    )


def tightness_sentence(curves: Sequence[Curve], decoder: str) -> str:
    """Compare the bound with the leave-one-out error itself, where both are known.

    >>> bound = Curve(decoder="A", measure="bound", grid=(1.0, 2.0), n_wrong=(20, 30), n=200, seconds=0.01)
    >>> exact = Curve(decoder="A", measure="exact", grid=(1.0, 2.0), n_wrong=(18, 30), n=200, seconds=2.0)
    >>> tightness_sentence([bound, exact], "A")
    'The bound counts 0 to 2 points more than the leave-one-out error itself, at 1/200 of its time.'
    """
    own = {curve.measure: curve for curve in curves if curve.decoder == decoder}
    if not {"bound", "exact"} <= own.keys():
        return ""
    bound, exact = own["bound"], own["exact"]
    apart = [
        b - e for b, e in zip(bound.n_wrong, exact.n_wrong, strict=True) if b is not None and e is not None
    ]
    if not apart:
        return ""
    ratio = exact.seconds / bound.seconds if bound.seconds > 0 else float("nan")
    time = "" if isnan(ratio) or ratio < 2 else f", at 1/{ratio:,.0f} of its time"
    if not any(apart):
        return f"The bound counts exactly the leave-one-out errors{time}."
    few, many = min(apart), max(apart)
    more = count(few, "point") if few == many else f"{few:,} to {many:,} points"
    return f"The bound counts {more} more than the leave-one-out error itself{time}."


def seconds_text(seconds: float) -> str:
    """Write a time.

    >>> seconds_text(0.0004), seconds_text(0.0097), seconds_text(0.25)
    ('0.4 ms', '10 ms', '250 ms')
    >>> seconds_text(12.3), seconds_text(3725.0)
    ('12.3 s', '62 min')
    """
    if seconds < 0.00095:
        return f"{1000 * seconds:.1g} ms"
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def flags_sentence(n_flagged: int, n: int, n_new: int, least: float) -> str:
    """Say how many points are flagged and how far the worst one falls.

    >>> flags_sentence(12, 100, 5, -0.8)
    '12.0 % (12 of 100) are flagged, 5 of them decided rightly as trained; the lowest margin is −0.80.'
    """
    if not n_flagged:
        return f"No point of {n:,} is flagged: every margin stays above zero."
    new = f", {n_new:,} of them decided rightly as trained" if n_new else ""
    return f"{percent(n_flagged, n)} are flagged{new}; the lowest margin is {number(least)}."
