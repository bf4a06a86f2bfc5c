"""Sentences about model-selection curves, and the words of the figures under them."""

from collections.abc import Callable, Sequence
from math import isnan

from ecocviz.lab.curve_plan import Curve
from ecocviz.lab.curves import Measure
from ecocviz.views.model_selection.facts import CurveFacts, Minimum, PointMargins, minima
from ecocviz.views.shared.draw.curves import MEASURES, edge_text, power_text, symbol_of
from ecocviz.views.shared.draw.words import count, listed, number, percent

NO_TEST = "This split keeps no test points, so the cost of choosing is unknown; choose another split."


def alt_text(facts: CurveFacts) -> str:
    """Describe the figure of the curves for those who do not see it."""
    values = facts.plan.values
    lows = (
        f"{MEASURES[m.curve.measure].lower()} lowest at {power_text(m.value)} with "
        f"{percent(m.curve.least, m.curve.n)}"
        for m in minima(facts.curves, facts.own)
    )
    ends = f"{power_text(values[0])} to {power_text(values[-1])}"
    symbol = symbol_of(facts.plan.axis)
    return f"Errors over {symbol} from {ends}, {facts.own} decoding: {'; '.join(lows)}."


def more_sentences(facts: CurveFacts) -> str:
    """Say what there is to be seen beside what choosing by the bound costs."""
    said = (
        other_choices_sentence(minima(facts.curves, facts.own)),
        decoders_sentence(facts.curves),
        edge_text(*(c for c in facts.curves if c.decoder == facts.own and c.measure != Measure.TRAIN)),
        tightness_sentence(facts.curves, facts.own),
        status_sentence(facts.curves, facts.refused),
    )
    return " ".join(filter(None, said))


def told_value(m: Minimum) -> str:
    """Write where a curve has its minimum."""
    return power_text(m.value)


def choice_sentence(
    found: Sequence[Minimum], symbol: str, told: Callable[[Minimum], str] = told_value, one: str = "value"
) -> str:
    """Say what choosing by the bound costs in test error, or by what stands in where there is none.

    Parameters
    ----------
    found
        The minima of one decoder.
    symbol
        What is chosen.
    told
        Writes where a minimum is.
    one
        What that is.
    """
    test = next((m for m in found if m.curve.measure == Measure.TEST), None)
    if test is None:
        return NO_TEST if found else ""
    first = next(iter(_chosen_by(found)), None)
    if first is None or first.n_test_wrong is None:
        return ""
    best = f"at the best {one} ({told(test)})"
    cost = f"{first.more:,} more than {best}" if first.more else f"as few as {best}"
    errors = percent(first.n_test_wrong, test.curve.n)
    return f"Choosing {symbol} by {_named(first, told)} gives {errors} test errors, {cost}."


def other_choices_sentence(found: Sequence[Minimum], told: Callable[[Minimum], str] = told_value) -> str:
    """Say the same, shorter, of the other measures that one can choose by."""
    clauses = []
    for m in _chosen_by(found)[1:]:
        if m.n_test_wrong is not None:
            cost = f"{m.more:,} more than at the best" if m.more else "as few as at the best"
            clauses.append(f"by {_named(m, told)}: {count(m.n_test_wrong, 'test error')}, {cost}")
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _chosen_by(found: Sequence[Minimum]) -> list[Minimum]:
    """Return the minima one can choose by, the bound's first; the training error for want of others."""
    order = (Measure.BOUND, Measure.EXACT, Measure.CROSS_VALIDATION)
    known = [m for measure in order for m in found if m.curve.measure == measure]
    return known or [m for m in found if m.curve.measure == Measure.TRAIN]


def _named(m: Minimum, told: Callable[[Minimum], str]) -> str:
    return f"{named(m.curve.measure)} ({told(m)})"


def named(measure: Measure) -> str:
    """Name a measure within a sentence."""
    article = "" if measure == Measure.CROSS_VALIDATION else "the "
    return f"{article}{MEASURES[measure].lower()}"


def decoders_sentence(curves: Sequence[Curve]) -> str:
    """Compare several decoders by their test errors."""
    tests = [curve for curve in curves if curve.measure == Measure.TEST]
    if len(tests) < 2:
        return ""
    known = [k for k in range(len(tests[0].grid)) if all(curve.n_wrong[k] is not None for curve in tests)]
    if not known:
        return ""
    wins = [
        sum(curve.n_wrong[k] == min(other.n_wrong[k] or 0 for other in tests) for k in known)
        for curve in tests
    ]
    means = [sum(curve.n_wrong[k] or 0 for k in known) / len(known) for curve in tests]
    leader = max(range(len(tests)), key=lambda t: (wins[t], -means[t]))
    rivals = [
        _against(means[leader], means[t], rival.decoder) for t, rival in enumerate(tests) if t != leader
    ]
    return (
        f"{tests[leader].decoder} decoding has the fewest test errors at {wins[leader]} of {len(known)} "
        f"values; on average over them it makes {listed(rivals)}."
    )


def _against(mean: float, other: float, rival: str) -> str:
    if mean == other:
        return f"as many as {rival}"
    return f"{number(abs(other - mean))} {'fewer' if mean < other else 'more'} than {rival}"


def status_sentence(curves: Sequence[Curve], refused: Sequence[str]) -> str:
    """Say what the bound is worth: a theorem, an estimate, or not to be had."""
    status = {curve.status for curve in curves if curve.measure == Measure.BOUND}
    if not status:
        return " ".join(("The leave-one-out bound is not available.", *refused)) if refused else ""
    if "estimate" in status:
        worth = (
            "The bound is an estimate here: these machines lie outside the theorem's conditions, so it may "
            "miss points that are misclassified when they are left out of training."
        )
    else:
        worth = (
            "The bound is a theorem here: as long as code, kernel, C and what the decoder learned stay "
            "fixed, "
            "it counts every point that is misclassified when it is left out of training."
        )
    return f"Only the position of the bound's minimum matters for choosing, not its height. {worth}"


def tightness_sentence(curves: Sequence[Curve], decoder: str) -> str:
    """Compare the bound with the leave-one-out error itself, where both are known."""
    own = {curve.measure: curve for curve in curves if curve.decoder == decoder}
    if not {Measure.BOUND, Measure.EXACT} <= own.keys():
        return ""
    bound, exact = own[Measure.BOUND], own[Measure.EXACT]
    apart = [
        b - e for b, e in zip(bound.n_wrong, exact.n_wrong, strict=True) if b is not None and e is not None
    ]
    if not apart:
        return ""
    ratio = exact.seconds / bound.seconds if bound.seconds > 0 else float("nan")
    time = "" if isnan(ratio) or ratio < 2 else f", in 1/{ratio:,.0f} of the time"
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


def times_sentence(seconds: float) -> str:
    """Explain the table of minima."""
    return (
        "Value there: the measure's own error at its minimum; of equal minima, the smallest parameter "
        "counts. "
        "Extra test errors: how many more than at the best parameter. "
        f"Time: what each measure took on top of training all machines, which took {seconds_text(seconds)}."
    )


# The points behind one value -----------------------------------------------------------------------


def before_name(margins: PointMargins) -> str:
    """Name the margins that points are seen with."""
    return "Margin when left out" if margins.seen == Measure.EXACT else "Margin as trained"


def after_name(margins: PointMargins) -> str:
    """Name the margins that points are judged by."""
    names = {Measure.BOUND: "Smallest margin that the bound allows", Measure.EXACT: "Margin when left out"}
    return names.get(margins.judged.measure, "Margin when held out")


def flags_sentence(margins: PointMargins) -> str:
    """Say how many points are flagged and how far the worst one falls."""
    judged, n_new = margins.judged, margins.n_new
    if not judged.n_wrong:
        return f"No point of {judged.n:,} is flagged: every margin stays above zero."
    new = f", {n_new:,} of them correct as trained" if n_new else ""
    lowest = number(float(judged.margins.min()))
    flagged = f"{percent(judged.n_wrong, judged.n)} are flagged (counted as errors)"
    return f"{flagged}{new}; the lowest margin is {lowest}."


def pick_sentence(margins: PointMargins, classes: Sequence[str], pick: int) -> str:
    """Say what the bound makes of the picked point; "" where none is."""
    if pick < 0:
        return ""
    judged = margins.judged
    before, after = (number(float(side[pick])) for side in (margins.before, judged.margins))
    fate = "flagged" if judged.flagged[pick] else "not flagged"
    return f"Picked: row {judged.rows[pick]}, {classes[judged.truth[pick]]}: {before} to {after}, {fate}."
