"""Sentences about decoders on the same machines."""

from collections.abc import Sequence

from ecocviz.engine.analysis.statistics import Calibration
from ecocviz.engine.types import IntArray
from ecocviz.lab.curve_plan import Curve
from ecocviz.views.decoders.confusion import FEW_CLASSES, frequent_errors
from ecocviz.views.decoders.facts import Comparison, best_counts
from ecocviz.views.shared.draw.curves import edge_text, power_text
from ecocviz.views.shared.draw.judged import MOST_NAMED, named
from ecocviz.views.shared.draw.words import count, listed, percent

MOST_ERRORS = 6
"""So many of the most frequent errors are named."""


def least_sentence(compared: Comparison) -> str:
    """Say which decoders make the fewest errors."""
    titles, outcomes = compared.titles, [each.outcome for each in compared.judged]
    least, most = outcomes[0].n_wrong, outcomes[-1].n_wrong
    errors = f"{count(least, 'error')} in {outcomes[0].n:,} points"
    if len(titles) == 1:
        return f"{titles[0]} makes {errors}."
    if least == most:
        who = "Both" if len(titles) == 2 else f"All {len(titles)}"
        return f"{who} decoders make {errors}."
    best = [title for title, each in zip(titles, outcomes, strict=True) if each.n_wrong == least]
    worst = [title for title, each in zip(titles, outcomes, strict=True) if each.n_wrong == most]
    first = f"{named(best, 'decoders')} {'is' if len(best) == 1 else 'are'} best with {errors}"
    if len(worst) > MOST_NAMED:
        return f"{first}, the worst {len(worst)} make {most:,}."
    return f"{first}, {named(worst, 'decoders')} worst with {most:,}."


def alike_sentence(groups: Sequence[Sequence[int]]) -> str:
    """Say how many decoders decide every point alike, of groups as `alike` returns them.

    >>> alike_sentence([(0, 2, 3), (1,), (4,)])
    '3 of 5 decoders decide exactly alike; in all there are 3 different sets of decisions.'
    >>> alike_sentence([(0, 1, 2)]), alike_sentence([(0,), (1,), (2,)])
    ('All 3 decoders decide exactly alike.', 'No two of the 3 decoders decide exactly alike.')
    """
    largest, n = len(groups[0]), sum(map(len, groups))
    if n < 2:
        return ""
    if len(groups) == 1:
        return f"{'Both' if n == 2 else f'All {n}'} decoders decide exactly alike."
    if largest == 1:
        return f"No two of the {n} decoders decide exactly alike."
    return (
        f"{largest} of {n} decoders decide exactly alike; in all there are {len(groups)} different sets of "
        "decisions."
    )


def errors_alt(compared: Comparison) -> str:
    """Describe the figure of errors."""
    outcomes = [each.outcome for each in compared.judged]
    first, last = (
        f"{compared.titles[k]} with {percent(outcomes[k].n_wrong, outcomes[k].n)}" for k in (0, -1)
    )
    n = count(len(outcomes), "decoder")
    return f"{compared.part_title} error of {n} with 95 % intervals: from {first} to {last}."


def calibration_sentence(title: str, found: Calibration) -> str:
    """Say whether a decoder is as right as it says, on average and bin by bin."""
    share = found.counts / found.counts.sum()
    stated, happened = float(found.stated @ share), float(found.happened @ share)
    points, off = round(100 * stated) - round(100 * happened), round(100 * found.calibration_error)
    said = f"On average {title} says {100 * stated:.0f} % and is right in {100 * happened:.0f} % of cases"
    if points:
        return (
            f"{said}: too {'sure' if points > 0 else 'cautious'} by {count(abs(points), 'percentage point')}."
        )
    if off:
        return f"{said}, but a stated probability is off by {count(off, 'percentage point')} on average."
    return f"{said}."


def confusion_sentence(title: str, counts: IntArray, classes: Sequence[str]) -> str:
    """Say which classes a decoder confuses most, of counts (n_classes, n_classes), true classes down."""
    n_errors = int(counts.sum() - counts.trace())
    if not n_errors:
        return f"{title} makes no error."
    (i, j, n), *others = frequent_errors(counts, MOST_ERRORS if len(classes) > FEW_CLASSES else 1)
    error = f"{classes[i]} for {classes[j]}"
    if n_errors == 1:
        return f"{title}'s only error mistakes {error}."
    if n == 1:
        return (
            f"All {n_errors:,} errors of {title} are different: no class is mistaken twice for the same "
            "other one."
        )
    if n == n_errors:
        return f"All {n:,} errors of {title} mistake {error}."
    first = f"{title} most often mistakes {error}: {n:,} of its {n_errors:,} errors."
    more = [f"{classes[i]} for {classes[j]} ({n:,})" for i, j, n in others if n > 1]
    return f"{first} Next: {listed(more)}." if more else first


def beaten_sentence(own: str, curves: Sequence[Curve], symbol: str) -> str:
    """Say how often each decoder has the least error over a sweep; "" while there is nothing to compare.

    Parameters
    ----------
    own
        Name of the scenario's own decoder, one of those of the curves.
    curves
        One a decoder; ties are counted for all.
    symbol
        Of the parameter.
    """
    n_best, n_values = best_counts(curves)
    if not n_values or len(curves) < 2:
        return ""
    wins = {curve.decoder: n for curve, n in zip(curves, n_best, strict=True)}
    most = max(n_best)
    best = [title for title, n in wins.items() if n == most]
    verb = "makes" if len(best) == 1 else "make"
    where = f"{most} of {count(n_values, 'value')} of {symbol}"
    tail = "" if own in best else f", {own} at {wins[own]}"
    return f"{named(best, 'decoders')} {verb} the fewest errors at {where}{tail}."


def range_sentence(curve: Curve, symbol: str) -> str:
    """Say from where to where a decoder's errors go over a parameter, and whether they fall at its edge."""
    known = [curve.n_wrong[k] or 0 for k in curve.known]
    few, many = min(known), max(known)
    ends = f"from {power_text(curve.grid[curve.known[0]])} to {power_text(curve.grid[curve.known[-1]])}"
    errors = count(few, "error") if few == many else f"{few:,} to {many:,} errors"
    said = f"{curve.decoder} makes {errors} in {curve.n:,} points over {symbol} {ends}."
    return " ".join(filter(None, (said, edge_text(curve))))
