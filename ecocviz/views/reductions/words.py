"""Sentences about reductions side by side, and about what is special to one of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ecocviz.lab.catalogue import REDUCTIONS, why_unused
from ecocviz.views.reductions.facts import Comparison
from ecocviz.views.reductions.specials import Special
from ecocviz.views.shared.draw.judged import named, significance_sentence
from ecocviz.views.shared.draw.words import count, number, percent


def fewest_sentence(compared: Comparison) -> str:
    """Say which reductions make the fewest errors, and which the most."""
    titles, n = [candidate.title for candidate in compared.done], compared.judged[0].outcome.n
    n_wrong = [each.outcome.n_wrong for each in compared.judged]
    least, most = min(n_wrong), max(n_wrong)
    if len(titles) == 1:
        return f"{titles[0]}: {count(least, 'error')} in {n:,} points."
    if least == most:
        who = "Both" if len(titles) == 2 else f"All {len(titles)}"
        return f"{who} reductions make {count(least, 'error')} in {n:,} points."
    best = [title for title, wrong in zip(titles, n_wrong, strict=True) if wrong == least]
    worst = [title for title, wrong in zip(titles, n_wrong, strict=True) if wrong == most]
    first = f"Fewest errors: {named(best, 'reductions')}, {least:,} in {n:,} points"
    return f"{first}; most: {named(worst, 'reductions')}, {most:,}."


def more_sentences(compared: Comparison) -> str:
    """Say what chance explains, what training took, and whether predictions held."""
    own, results = compared.results.get(compared.own), compared.results
    title = compared.titles[compared.own]
    chance = "" if own is None else significance_sentence(compared.judged, own.judgement, title)
    right = sum(result.as_predicted(compared.prediction(key)) for key, result in results.items())
    seconds = {candidate.title: results[candidate.key].seconds for candidate in compared.done}
    return " ".join(filter(None, [chance, time_sentence(seconds), prediction_sentence(right, len(results))]))


def time_sentence(seconds: Mapping[str, float]) -> str:
    """Say which reduction trains fastest and which slowest, of title -> seconds.

    >>> time_sentence({"A": 0.01, "B": 1.2})
    'Training takes from 0.010 s (A) to 1.20 s (B).'
    >>> time_sentence({"A": 0.01})
    'Training takes 0.010 s.'
    """
    quick, slow = min(seconds, key=seconds.__getitem__), max(seconds, key=seconds.__getitem__)
    if len(seconds) == 1:
        return f"Training takes {seconds_text(seconds[quick])}."
    first, last = seconds_text(seconds[quick]), seconds_text(seconds[slow])
    return f"Training takes from {first} ({quick}) to {last} ({slow})."


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
    ('none', '1 with 384 points', '2 with 56 points')
    >>> sizes_text([50, 60, 55]), sizes_text([56, 56], at_most=True)
    ('3 with 50 to 60 points', 'up to 2 with 56 points')
    """
    if not len(sizes):
        return "none"
    low, high = min(sizes), max(sizes)
    points = count(high, "point") if low == high else f"{low:,} to {high:,} points"
    return f"{'up to ' if at_most else ''}{len(sizes):,} with {points}"


def prediction_sentence(n_right: int, n: int) -> str:
    """Say whether the problems were as predicted.

    >>> prediction_sentence(3, 3)
    'All 3 trained exactly the binary problems that were predicted.'
    >>> prediction_sentence(2, 3)
    '2 of 3 trained exactly the binary problems that were predicted.'
    """
    if n_right == n:
        who = {1: "It", 2: "Both"}.get(n, f"All {n}")
        return f"{who} trained exactly the binary problems that were predicted."
    return f"{n_right} of {n} trained exactly the binary problems that were predicted."


def errors_alt(compared: Comparison) -> str:
    """Describe the figure of errors."""
    best = min(compared.judged, key=lambda each: each.outcome.n_wrong)
    least, n = percent(best.outcome.n_wrong, best.outcome.n), count(len(compared.judged), "reduction")
    return (
        f"{compared.part_title} error of {n} with 95 % intervals; the smallest is {least}, "
        f"of {compared.titles[best.key]}."
    )


# What is special to one of them ----------------------------------------------------------------------


def picked_words(compared: Comparison) -> str:
    """Say what the picked reduction is, and what there is to know of its training."""
    candidate = next(each for each in compared.done if each.key == compared.picked)
    result, said = compared.results[candidate.key], [candidate.summary]
    if why_unused("decoding", REDUCTIONS[candidate.scenario.reduction.key]):
        said.append("It decides by itself, without a decoder.")
    n, of = result.unconverged
    if n:
        said.append(f"{n:,} of {count(of, 'machine')} stopped before training had fully converged.")
    if not result.specials:
        said.append("There is nothing more to show than its decisions.")
    return " ".join(said)


def relation_sentences(found: Special) -> str:
    """Compare joint machines with the same ones trained independently; say which two are related most."""
    more = found.more
    wrong, apart, n = (f"{more[name]:,.0f}" for name in ("wrong", "wrong_apart", "n"))
    said = f"With the relation {wrong} of {n} points are misclassified, without it {apart}."
    if wrong == apart:
        said = f"With and without the relation {wrong} of {n} points are misclassified."
    if len(found.rows) < 2:
        return said
    a, b = int(more["a"]), int(more["b"])
    return (
        f"{said} Machines {a + 1} and {b + 1} are related most, by {number(found.numbers[a, b])}; "
        f"independent machines of the same kind by {number(more['apart'])}."
    )


def kernel_sentences(found: Special, things: str) -> str:
    """Say how alike one machine takes the copies of two classes or columns to be, and what its bound says."""
    V, said = found.numbers, []
    shares = (V / np.sqrt(np.outer(np.diag(V), np.diag(V))))[~np.eye(len(V), dtype=np.bool_)]
    if shares.size:
        low, high = number(shares.min()), number(shares.max())
        some = low if low == high else f"{low} to {high}"
        said.append(f"Copies for two different {things} have a similarity of {some}.")
    if "bound" in found.more:
        said.append(bound_sentence(found.more["bound"], found.more["margin"]))
    return " ".join(said)


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


def weights_sentence(found: Special) -> str:
    """Say which class weighs most."""
    weights = found.numbers.tolist()
    most = max(range(len(weights)), key=weights.__getitem__)
    share, equal = 100 * weights[most] / (sum(weights) or 1.0), 100 / len(weights)
    return f"{found.rows[most]} weighs most, {share:.1f} % of the sum; equal weights would be {equal:.1f} %."


def descent_sentence(what: str, values: Sequence[float], step: str, steps: str | None = None) -> str:
    """Say how far something fell.

    >>> descent_sentence("The objective", [2.0, 1.5, 1.25], "half step")
    'The objective falls from 2.00 to 1.25 in 2 half steps.'
    """
    verb = "falls" if values[-1] <= values[0] else "rises"
    taken = count(len(values) - 1, step, steps)
    return f"{what} {verb} from {number(values[0])} to {number(values[-1])} in {taken}."


def patterns_sentences(found: Special) -> str:
    """Say how many training points make up the codewords."""
    n_support, n_shown = found.more["support"], len(found.rows)
    more = "" if n_shown == n_support else f"; the strongest {n_shown:,} are shown"
    said = f"{n_support:,} of {found.more['n']:,} training points are support patterns{more}."
    return f"{said} {gap_sentence(found)}".rstrip()


def gap_sentence(found: Special) -> str:
    """Say how far an objective may be from its optimum; "" where that is not known."""
    if "gap" not in found.more:
        return ""
    gap, objective = found.more["gap"], found.more["objective"]
    share = f" ({100 * gap / abs(objective):.1g} %)" if objective else ""
    return (
        f"The objective {number(objective)} is at most {number(max(gap, 0.0))}{share} above its least value."
    )


def code_sentences(found: Special) -> str:
    """Say what a continuous code holds."""
    code = found.numbers
    n_zero = int((abs(code) < 1e-12).sum())
    said = f"Entries lie between {number(code.min())} and {number(code.max())}"
    return f"{said}; {n_zero:,} of {code.size:,} are 0. {gap_sentence(found)}".rstrip()


def paths_sentence(found: Special) -> str:
    """Say how many machines a point asks, and which is asked most."""
    n_machines, more = len(found.columns), found.more
    if n_machines == 1:
        return "The only machine is asked for every point."
    return (
        f"For every point {more['asked']} of the {n_machines:,} machines are asked; machine "
        f"{more['most'] + 1} is "
        f"asked most, for {100 * more['share']:.0f} % of the points."
    )


def support_sentence(found: Special) -> str:
    """Say how many training points hold the machines."""
    low, high = f"{found.numbers.min():,.0f}", f"{found.numbers.max():,.0f}"
    some = low if low == high else f"{low} to {high}"
    return f"Each machine rests on {some} of the {found.more['n']:,} training points (its support vectors)."


def reliability_sentence(found: Special) -> str:
    """Say which machine is trusted least and most."""
    values = found.numbers.tolist()
    least, most = min(values), max(values)
    if least == most:
        return f"All machines are trusted equally, with {number(least)}."
    return (
        f"Machine {values.index(least) + 1} is trusted least, with {number(least)}, "
        f"machine {values.index(most) + 1} most, with {number(most)}."
    )


@dataclass(frozen=True, slots=True)
class Labels:
    """How a special is called: title, rows (the steps of a curve), values, columns; and what it says."""

    title: str
    row: str
    value: str
    column: str = ""
    say: Callable[[Special], str] = lambda _found: ""


def _descent(what: str, step: str, steps: str | None = None) -> Callable[[Special], str]:
    return lambda found: descent_sentence(what, found.numbers.tolist(), step, steps)


UPDATE = "update of the weights"
LABELS = {
    "relation": Labels("Learned relation", "Machine", "correlation", "Machine", relation_sentences),
    "relation-apart": Labels("Relation of independent machines", "Machine", "correlation", "Machine"),
    "objective": Labels("Objective", "Half step", "objective", say=_descent("The objective", "half step")),
    "class-kernel": Labels(
        "Class kernel", "Class", "kernel", "Class", lambda found: kernel_sentences(found, "classes")
    ),
    "column-kernel": Labels(
        "Column kernel", "Column", "kernel", "Column", lambda found: kernel_sentences(found, "columns")
    ),
    "class-weights": Labels("Weights μ", "Class", "weight", say=weights_sentence),
    "column-weights": Labels("Weights μ", "Column", "weight", say=weights_sentence),
    "weighted-objective": Labels(
        "Objective",
        UPDATE.capitalize(),
        "objective",
        say=_descent("The objective", UPDATE, "updates of the weights"),
    ),
    "patterns": Labels(
        "Support patterns", "Training point", "coefficient", "Codeword of", patterns_sentences
    ),
    "gap": Labels("Duality gap", "Round", "gap", say=_descent("The duality gap", "round")),
    "code": Labels("Designed code", "Class", "entry", "Machine", code_sentences),
    "paths": Labels("Machines asked", "True class", "% of the points", "Machine", paths_sentence),
    "reliability": Labels("Reliability of the machines", "Machine", "reliability", say=reliability_sentence),
    "local-reliability": Labels(
        "Mean reliability at these points", "Machine", "reliability", say=reliability_sentence
    ),
    "support": Labels("Support vectors of the machines", "Machine", "training points", say=support_sentence),
}
"""What is special to a reduction -> how it is called."""


def special_alt(found: Special) -> str:
    """Describe a special for those who do not see it."""
    labels = LABELS[found.key]
    if found.columns:
        size = f"a heatmap of {count(len(found.rows), 'row')} and {count(len(found.columns), 'column')}"
    elif found.rows:
        size = count(len(found.rows), "bar")
    else:
        size = f"{labels.value} step by step"
    return f"{labels.title}: {size}. {labels.say(found)}".strip()
