"""Sentences about reductions side by side. Plain arguments in, text out."""

from collections.abc import Sequence

from ecocviz.views.shared.draw.words import count, listed, number

MOST_NAMED = 3


def named(titles: Sequence[str]) -> str:
    """Name a few reductions, or say how many they are.

    >>> named(["Decision DAG", "Joint learning"]), named(["A", "B", "C", "D"])
    ('Decision DAG and Joint learning', '4 reductions')
    """
    return listed(list(titles)) if len(titles) <= MOST_NAMED else f"{len(titles)} reductions"


def fewest_sentence(titles: Sequence[str], n_wrong: Sequence[int], n: int) -> str:
    """Say which reductions make the fewest errors, and which the most.

    >>> fewest_sentence(["Decision DAG", "Joint learning"], [5, 7], 48)
    'Fewest errors: Decision DAG, 5 of 48; most: Joint learning, 7.'
    >>> fewest_sentence(["A", "B", "C"], [5, 5, 5], 48)
    'All 3 reductions make 5 errors of 48.'
    >>> fewest_sentence(["A"], [1], 48)
    'A: 1 error of 48.'
    """
    least, most = min(n_wrong), max(n_wrong)
    if len(titles) == 1:
        return f"{titles[0]}: {count(least, 'error')} of {n:,}."
    if least == most:
        who = "Both" if len(titles) == 2 else f"All {len(titles)}"
        return f"{who} reductions make {count(least, 'error')} of {n:,}."
    best = [title for title, wrong in zip(titles, n_wrong, strict=True) if wrong == least]
    worst = [title for title, wrong in zip(titles, n_wrong, strict=True) if wrong == most]
    return f"Fewest errors: {named(best)}, {least:,} of {n:,}; most: {named(worst)}, {most:,}."


def time_sentence(titles: Sequence[str], seconds: Sequence[float]) -> str:
    """Say which reduction trains fastest and which slowest.

    >>> time_sentence(["A", "B"], [0.01, 1.2])
    'Training takes from 0.010 s (A) to 1.20 s (B).'
    >>> time_sentence(["A"], [0.01])
    'Training takes 0.010 s.'
    """
    quick, slow = seconds.index(min(seconds)), seconds.index(max(seconds))
    if len(titles) == 1:
        return f"Training takes {seconds_text(seconds[0])}."
    return (
        f"Training takes from {seconds_text(seconds[quick])} ({titles[quick]}) "
        f"to {seconds_text(seconds[slow])} ({titles[slow]})."
    )


def seconds_text(seconds: float) -> str:
    """Write a time.

    >>> seconds_text(0.0123), seconds_text(1.234), seconds_text(61.8)
    ('0.012 s', '1.23 s', '62 s')
    """
    if seconds < 1:
        return f"{seconds:.3f} s"
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"


def sizes_text(sizes: Sequence[int], *, at_most: bool = False) -> str:
    """Write how many binary problems of how many points.

    >>> sizes_text([]), sizes_text([384]), sizes_text([56, 56])
    ('none', '1 of 384 points', '2 of 56 points')
    >>> sizes_text([50, 60, 55]), sizes_text([56, 56], at_most=True)
    ('3 of 50 to 60 points', 'up to 2 of 56 points')
    """
    if not len(sizes):
        return "none"
    low, high = min(sizes), max(sizes)
    points = count(high, "point") if low == high else f"{low:,} to {high:,} points"
    return f"{'up to ' if at_most else ''}{len(sizes):,} of {points}"


def prediction_sentence(n_right: int, n: int) -> str:
    """Say whether the problems were as predicted.

    >>> prediction_sentence(3, 3), prediction_sentence(2, 3)
    ('All 3 had exactly the predicted binary problems.', '2 of 3 had exactly the predicted binary problems.')
    """
    if n_right == n:
        who = {1: "It", 2: "Both"}.get(n, f"All {n}")
        return f"{who} had exactly the predicted binary problems."
    return f"{n_right} of {n} had exactly the predicted binary problems."


# What is special to one of them ----------------------------------------------------------------------


def relation_sentence(a: int, b: int, learned: float, control: float) -> str:
    """Say which two machines joint learning relates most, and what independent ones make of them.

    >>> relation_sentence(0, 2, -0.9, -0.25)
    'Machines 1 and 3 are related most, by −0.90; independent machines of the same kind by −0.25.'
    """
    return (
        f"Machines {a + 1} and {b + 1} are related most, by {number(learned)}; "
        f"independent machines of the same kind by {number(control)}."
    )


def control_sentence(joint: int, control: int, n: int) -> str:
    """Compare joint machines with the same machines trained independently.

    >>> control_sentence(5, 7, 48), control_sentence(5, 5, 48)
    ('With the relation 5 of 48 points are decided wrongly, without it 7.', 'With and without the relation 5 of 48 points are decided wrongly.')
    """  # noqa: E501 - a doctest's expected line cannot be broken
    if joint == control:
        return f"With and without the relation {joint:,} of {n:,} points are decided wrongly."
    return f"With the relation {joint:,} of {n:,} points are decided wrongly, without it {control:,}."


def sharing_sentence(what: str, low: float, high: float) -> str:
    """Say how alike one machine takes the copies of two classes to be.

    >>> sharing_sentence("class", 0.2, 0.8), sharing_sentence("column", 0.5, 0.5)
    ('Copies for two different classes are alike by 0.20 to 0.80.', 'Copies for two different columns are alike by 0.50.')
    """  # noqa: E501 - a doctest's expected line cannot be broken
    some = number(low) if number(low) == number(high) else f"{number(low)} to {number(high)}"
    return f"Copies for two different {'classes' if what == 'class' else what + 's'} are alike by {some}."


def descent_sentence(what: str, values: Sequence[float], step: str, steps: str | None = None) -> str:
    """Say how far something fell.

    >>> descent_sentence("The objective", [2.0, 1.5, 1.25], "half step")
    'The objective falls from 2.00 to 1.25 in 2 half steps.'
    """
    verb = "falls" if values[-1] <= values[0] else "rises"
    taken = count(len(values) - 1, step, steps)
    return f"{what} {verb} from {number(values[0])} to {number(values[-1])} in {taken}."


def patterns_sentence(n_support: int, n: int, n_shown: int) -> str:
    """Say how many training points make up the codewords.

    >>> patterns_sentence(38, 112, 38)
    '38 of 112 training points are support patterns.'
    >>> patterns_sentence(90, 112, 60)
    '90 of 112 training points are support patterns; the strongest 60 are shown.'
    """
    more = "" if n_shown == n_support else f"; the strongest {n_shown:,} are shown"
    return f"{n_support:,} of {n:,} training points are support patterns{more}."


def gap_sentence(gap: float, objective: float) -> str:
    """Say how far an objective may be from its optimum.

    >>> gap_sentence(0.02, 40.0)
    'The objective 40.00 is at most 0.02 (0.05 %) above its least value.'
    """
    share = f" ({100 * gap / abs(objective):.1g} %)" if objective else ""
    return (
        f"The objective {number(objective)} is at most {number(max(gap, 0.0))}{share} above its least value."
    )


def bound_sentence(raw: float, margin: float) -> str:
    """Say what the risk bound says.

    >>> bound_sentence(18.4, 1.0)
    'The risk bound at margin 1 is 18.40: above 1, so it promises nothing here.'
    >>> bound_sentence(0.4, 1.0)
    'The risk bound at margin 1 is 0.40: with 95 % confidence the error is at most that.'
    >>> bound_sentence(float("inf"), 1.0)
    'The risk bound at margin 1 is infinite: there are too few points for it.'
    """
    start = f"The risk bound at margin {margin:g} is"
    if raw == float("inf"):
        return f"{start} infinite: there are too few points for it."
    if raw > 1:
        return f"{start} {number(raw)}: above 1, so it promises nothing here."
    return f"{start} {number(raw)}: with 95 % confidence the error is at most that."


def weights_sentence(names: Sequence[str], weights: Sequence[float]) -> str:
    """Say which class weighs most.

    >>> weights_sentence(["a", "b"], [1.0, 3.0])
    'b weighs most, 75.0 % of the sum; equal weights would be 50.0 %.'
    """
    total = sum(weights) or 1.0
    most = max(range(len(weights)), key=lambda c: weights[c])
    share = 100 * weights[most] / total
    equal = 100 / len(names)
    return f"{names[most]} weighs most, {share:.1f} % of the sum; equal weights would be {equal:.1f} %."


def asked_sentence(n_asked: int, n_machines: int, most: int, share: float) -> str:
    """Say how many machines a point asks, and which is asked most.

    >>> asked_sentence(3, 6, 2, 0.5)
    'Every point asks 3 of the 6 machines; machine 3 is asked most, by 50 % of the points.'
    >>> asked_sentence(1, 1, 0, 1.0)
    'Every point asks the only machine.'
    """
    if n_machines == 1:
        return "Every point asks the only machine."
    return (
        f"Every point asks {n_asked} of the {n_machines:,} machines; machine {most + 1} is asked most, "
        f"by {100 * share:.0f} % of the points."
    )


def code_range_sentence(low: float, high: float, n_zero: int, n: int) -> str:
    """Say what a continuous code holds.

    >>> code_range_sentence(-1.25, 0.5, 2, 12)
    'Entries lie between −1.25 and 0.50; 2 of 12 are 0.'
    """
    return f"Entries lie between {number(low)} and {number(high)}; {n_zero:,} of {n:,} are 0."


def support_sentence(counts: Sequence[int], n: int) -> str:
    """Say how many training points hold the machines.

    >>> support_sentence([30, 50], 112)
    'Each machine is held by 30 to 50 of the 112 training points.'
    """
    low, high = min(counts), max(counts)
    some = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"Each machine is held by {some} of the {n:,} training points."


def reliability_sentence(values: Sequence[float]) -> str:
    """Say which machine is trusted least and most.

    >>> reliability_sentence([0.9, 0.5, 0.75])
    'Machine 2 is trusted least, with 0.50, machine 1 most, with 0.90.'
    >>> reliability_sentence([0.5, 0.5])
    'All machines are trusted alike, with 0.50.'
    """
    least, most = min(values), max(values)
    if least == most:
        return f"All machines are trusted alike, with {number(least)}."
    return (
        f"Machine {list(values).index(least) + 1} is trusted least, with {number(least)}, "
        f"machine {list(values).index(most) + 1} most, with {number(most)}."
    )


def unconverged_sentence(n: int, of: int) -> str:
    """Say how many machines did not finish.

    >>> unconverged_sentence(2, 6)
    '2 of 6 machines stopped before they reached their tolerance.'
    """
    return f"{n:,} of {count(of, 'machine')} stopped before they reached their tolerance."
