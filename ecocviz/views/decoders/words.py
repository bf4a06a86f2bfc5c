"""Sentences about decoders on the same machines. Plain arguments in, text out."""

from collections.abc import Sequence

from ecocviz.views.shared.draw.words import MINUS, count

MOST_NAMED = 3


def least_sentence(titles: Sequence[str], n_wrong: Sequence[int], n: int) -> str:
    """Say which decoders make the fewest errors.

    >>> least_sentence(["Hamming", "Likelihood"], [6, 5], 48)
    'Likelihood is best with 5 errors of 48, Hamming worst with 6.'
    >>> least_sentence(["Hamming", "Linear"], [5, 5], 48)
    'Both decoders make 5 errors of 48.'
    >>> least_sentence(["Linear"], [1], 48)
    'Linear makes 1 error of 48.'
    """
    least, most = min(n_wrong), max(n_wrong)
    errors = f"{count(least, 'error')} of {n:,}"
    if len(titles) == 1:
        return f"{titles[0]} makes {errors}."
    if least == most:
        who = "Both" if len(titles) == 2 else f"All {len(titles)}"
        return f"{who} decoders make {errors}."
    best = [title for title, wrong in zip(titles, n_wrong, strict=True) if wrong == least]
    worst = [title for title, wrong in zip(titles, n_wrong, strict=True) if wrong == most]
    verb = "is" if len(best) == 1 else "are"
    if len(worst) > MOST_NAMED:
        return f"{named(best)} {verb} best with {errors}, the worst {len(worst)} make {most:,}."
    return f"{named(best)} {verb} best with {errors}, {named(worst)} worst with {most:,}."


def alike_sentence(largest: int, n_groups: int, n: int) -> str:
    """Say how many decoders decide every point alike.

    Parameters
    ----------
    largest
        Decoders in the largest group of such.
    n_groups
        Number of groups, those of one decoder included.
    n
        Decoders compared.

    >>> alike_sentence(9, 4, 21)
    '9 of 21 decoders decide exactly alike, and there are 4 different sets of decisions in all.'
    >>> alike_sentence(3, 1, 3), alike_sentence(1, 3, 3)
    ('All 3 decoders decide exactly alike.', 'No two of the 3 decoders decide exactly alike.')
    """
    if n < 2:
        return ""
    if n_groups == 1:
        return f"{'Both' if n == 2 else f'All {n}'} decoders decide exactly alike."
    if largest == 1:
        return f"No two of the {n} decoders decide exactly alike."
    return (
        f"{largest} of {n} decoders decide exactly alike, and there are {n_groups} different sets of "
        "decisions in all."
    )


def calibration_sentence(title: str, stated: float, happened: float, error: float) -> str:
    """Say whether a decoder is as right as it says.

    Parameters
    ----------
    title
        Of the decoder.
    stated, happened
        Mean stated probability of its decisions, and share of them that are right.
    error
        Mean absolute difference, bin by bin.

    >>> calibration_sentence("Likelihood", 0.9, 0.84, 0.07)
    'Likelihood gives its decisions 90 % on average and is right in 84 %: too sure by 6 points.'
    >>> calibration_sentence("KL", 0.842, 0.84, 0.07)
    'KL gives its decisions 84 % on average and is right in 84 %, but is off by 7 points within its bins.'
    """
    points = round(100 * stated) - round(100 * happened)
    said = (
        f"{title} gives its decisions {100 * stated:.0f} % on average and is right in {100 * happened:.0f} %"
    )
    if points:
        return f"{said}: too {'sure' if points > 0 else 'modest'} by {count(abs(points), 'point')}."
    if round(100 * error):
        return f"{said}, but is off by {count(round(100 * error), 'point')} within its bins."
    return f"{said}."


def confusion_sentence(title: str, truth: str, decided: str, n: int, n_errors: int) -> str:
    """Say which two classes a decoder confuses most.

    >>> confusion_sentence("Linear", "a", "b", 3, 5)
    "Linear's most frequent error: 3 of its 5 take a for b."
    >>> confusion_sentence("Linear", "", "", 0, 0)
    'Linear makes no error.'
    >>> confusion_sentence("Linear", "a", "b", 1, 5)
    'No two of the 5 errors of Linear take the same class for the same other.'
    """
    if not n_errors:
        return f"{title} makes no error."
    if n_errors == 1:
        return f"{title}'s only error takes {truth} for {decided}."
    if n == 1:
        return f"No two of the {n_errors:,} errors of {title} take the same class for the same other."
    if n == n_errors:
        return f"All {n:,} errors of {title} take {truth} for {decided}."
    return f"{title}'s most frequent error: {n:,} of its {n_errors:,} take {truth} for {decided}."


def p_text(p: float) -> str:
    """Write a p-value.

    >>> p_text(1.0), p_text(0.0312), p_text(0.0000012)
    ('1.00', '0.031', '< 0.001')
    """
    if p < 0.001:
        return "< 0.001"
    return f"{p:.2f}" if p >= 0.1 else f"{p:.3f}"


def milliseconds_text(milliseconds: float) -> str:
    """Write a time.

    >>> milliseconds_text(0.034), milliseconds_text(4.26), milliseconds_text(1234.0)
    ('0.03', '4.3', '1,234')
    """
    if milliseconds >= 10:
        return f"{milliseconds:,.0f}"
    return f"{milliseconds:.1f}" if milliseconds >= 1 else f"{milliseconds:.2f}".replace("-", MINUS)


def beaten_sentence(
    own: str, titles: Sequence[str], n_best: Sequence[int], n_values: int, symbol: str
) -> str:
    """Say how often each decoder has the least error over a sweep.

    Parameters
    ----------
    own
        The scenario's own decoder, one of `titles`.
    titles
        Of the decoders.
    n_best
        Values at which each makes the fewest errors, ties counted for all.
    n_values
        Values that were measured.
    symbol
        Of the parameter.

    >>> beaten_sentence("Hamming", ["Hamming", "Likelihood"], [2, 9], 11, "gamma")
    'Likelihood makes the fewest errors at 9 of 11 values of gamma, Hamming at 2.'
    >>> beaten_sentence("Linear", ["Hamming", "Linear"], [3, 9], 11, "gamma")
    'Linear makes the fewest errors at 9 of 11 values of gamma.'
    """
    most = max(n_best)
    best = [title for title, wins in zip(titles, n_best, strict=True) if wins == most]
    verb = "makes" if len(best) == 1 else "make"
    where = f"{most} of {count(n_values, 'value')} of {symbol}"
    tail = "" if own in best else f", {own} at {dict(zip(titles, n_best, strict=True))[own]}"
    return f"{named(best)} {verb} the fewest errors at {where}{tail}."
