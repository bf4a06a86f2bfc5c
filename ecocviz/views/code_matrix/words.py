"""Sentences about a code matrix: what it repairs, what it costs, how it was found, how it compares."""

from collections.abc import Mapping, Sequence

import numpy as np

from ecocviz.engine.analysis.codes import CodeReport
from ecocviz.engine.analysis.statistics import mcnemar
from ecocviz.engine.entries import Design
from ecocviz.engine.params import shorten
from ecocviz.engine.types import BoolArray, FloatArray
from ecocviz.views.shared.draw.words import MINUS, any_wrong, count, number, percent, signed

WHOLE = 1e-9


def repair_sentences(report: CodeReport) -> tuple[tuple[str, str], ...]:
    """Explain how many wrong bits are repaired: (what is meant, why), once where both meanings agree.

    >>> from ecocviz.engine.analysis.codes import code_report
    >>> code = [[1, 1, 1, 1, 1], [1, -1, -1, 1, -1], [-1, 1, -1, -1, 1]]
    >>> repair_sentences(code_report(code))[0][0]
    'Repairs any single wrong bit.'
    """
    own, plain = report.repairable_bits, report.repairable_bits_hamming
    if own is None or plain is None:
        return ()
    d = f"{report.min_distance:g}"
    rule = (
        f"{count(int(report.min_distance), 'machine')} {'puts' if report.min_distance == 1 else 'put'} the "
        f"two closest classes on opposite sides; answers with fewer than {d}/2 wrong bits are still nearest "
        "to their own class: "
        f"⌊({d} {MINUS} 1)/2⌋ = {own}."
        if report.min_distance > 0
        else "No machine puts two of the classes on opposite sides, so the class is uncertain even when no "
        "bit "
        "is wrong."
    )
    if not report.zeros_per_row.any():
        return ((f"{_repairs(own)}.", rule),)
    more = (
        "A zero costs one half, whatever its machine says. Where classes have different numbers of zeros, "
        "this uses up a part of the distance."
    )
    return (
        (f"{_repairs(own)} if machines that never saw the class are ignored (attenuated decoding).", rule),
        (f"{_repairs(plain)} if their answers count too (plain Hamming decoding).", more),
    )


def _repairs(n_bits: int) -> str:
    if n_bits < 0:
        return "Can miss a class even when no bit is wrong"
    return f"Repairs {any_wrong(n_bits)}" if n_bits else "One wrong bit can be enough to lose the class"


def cost_sentence(report: CodeReport, n_samples: int) -> str:
    """Say what training costs, before any machine is trained.

    Parameters
    ----------
    n_samples
        Training points of the data.
    """
    points = round(report.linear_cost)
    sizes = report.sizes
    pairs = round(float((sizes * (sizes - 1) / 2).sum()))
    single = n_samples * (n_samples - 1) / 2
    often = f", {times_text(pairs / single, 'the pairs')} of one machine on all points" if single else ""
    share = f"{points / (report.n_bits * n_samples):.0%}".replace("%", " %") if n_samples else "0 %"
    return (
        f"Training shows {points:,} points in all to {count(report.n_bits, 'machine')} (each sees {share} of "
        f"the {n_samples:,} on average). They make {pairs:,} pairs of points{often}."
    )


def times_text(ratio: float, what: str) -> str:
    """Write how much of something there is: less than all of it in percent.

    >>> times_text(0.06, "the training pairs"), times_text(2.5, "the training pairs")
    ('6 % of the training pairs', '2.50 times the training pairs')
    >>> times_text(0.002, "those")
    '0.2 % of those'
    """
    if ratio >= 1:
        return f"{number(ratio)} times {what}"
    return f"{100 * ratio:.0f} % of {what}" if ratio >= 0.01 else f"{100 * ratio:.1g} % of {what}"


def zeros_sentence(report: CodeReport) -> str:
    """Say how many machines never see a class."""
    zeros = report.zeros_per_row
    if not zeros.any():
        return "Every machine sees every class."
    low, high = int(zeros.min()), int(zeros.max())
    span = f"{low}" if low == high else f"{low} to {high}"
    return f"Each class is left out by {span} of {count(report.n_bits, 'machine')}."


def balance_sentence(report: CodeReport) -> str:
    """Say which machine's sides are least alike.

    >>> from ecocviz.engine.analysis.codes import code_report
    >>> balance_sentence(code_report([[1, 1], [-1, 1], [-1, -1], [-1, -1]]))
    'Machine 1 is the least balanced: 25 % of its points are on the smaller side.'
    """
    if not report.n_bits:
        return ""
    b = int(np.argmin(report.balance))
    if report.balance.max() - report.balance.min() < WHOLE and report.n_bits > 1:
        return f"Every machine has {100 * report.balance[b]:.0f} % of its points on the smaller side."
    share = f"{100 * report.balance[b]:.0f} %"
    return f"Machine {b + 1} is the least balanced: {share} of its points are on the smaller side."


def agreement_sentence(near: float | None) -> str:
    """Say how well near codewords stand for near classes; None where all rows are equally far apart.

    >>> agreement_sentence(0.314)
    'Similar classes have similar codewords with an agreement of +0.31 (chance gives about 0, at most 1).'
    """
    if near is None:
        return "All codewords are equally far apart, so it does not matter which class has which."
    return (
        f"Similar classes have similar codewords with an agreement of {signed(near)} (chance gives about 0, "
        "at most 1)."
    )


def assigned_sentence(near: float | None) -> str:
    """Say why no row was exchanged.

    >>> assigned_sentence(0.75)
    'No exchange of rows was found that raises the agreement of +0.75.'
    """
    if near is None:
        return agreement_sentence(None)
    return f"No exchange of rows was found that raises the agreement of {signed(near)}."


def errors_sentence(part: str, first: BoolArray, second: BoolArray) -> tuple[str, str]:
    """Compare the wrong decisions (n,) of two codes, above and beside, on the same points.

    >>> errors_sentence("test", np.array([True, False, False]), np.array([True, True, False]))[0]
    'Test error 33.3 % (1 of 3) above and 66.7 % (2 of 3) beside: 1 fewer error above.'
    """
    one, other = int(first.sum()), int(second.sum())
    more = "as many above"
    if one != other:
        more = f"{_more_or_fewer(one - other)} above"
    name = "Test error" if part == "test" else "Training error"
    found = f"{name} {percent(one, first.size)} above and {percent(other, first.size)} beside: {more}."
    only_one, only_other = int((first & ~second).sum()), int((second & ~first).sum())
    p = mcnemar(first, second)
    sure = "chance alone rarely does that" if p < 0.05 else "chance alone may do that"
    return found, (
        f"Same points, machine and decoder. {count(only_one, 'point')} wrong only above, {only_other:,} only "
        f"beside: {sure} (p = {p:.2g})."
    )


def gain_sentence(mine: int, other: int, n: int) -> str:
    """Say how many errors of n decisions a code makes beside those of the code it is compared with.

    >>> gain_sentence(6, 10, 150)
    '4 fewer errors than the code below: 4.0 % (6 of 150) against 6.7 % (10 of 150).'
    """
    shares = f"{percent(mine, n)} against {percent(other, n)}"
    if mine == other:
        return f"As many errors as the code below: {percent(mine, n)}."
    return f"{_more_or_fewer(mine - other)} than the code below: {shares}."


def _more_or_fewer(change: int) -> str:
    word = "fewer" if change < 0 else "more"
    return f"{abs(change):,} {word} {'error' if abs(change) == 1 else 'errors'}"


def difference(first: float | None, second: float | None) -> str:
    """Write how a second value differs from a first.

    >>> difference(4, 6), difference(2.5, 2.5), difference(3, 1), difference(None, 1)
    ('+2', '0', '−2', '')
    """
    if first is None or second is None:
        return ""
    change = second - first
    return "0" if abs(change) < WHOLE else f"{'+' if change > 0 else MINUS}{value_text(abs(change))}"


def value_text(value: float | None) -> str:
    """Write a measure of a code.

    >>> value_text(4.0), value_text(2.3333), value_text(None), value_text(-1)
    ('4', '2.33', '–', 'none: can fail with every bit right')
    """
    if value is None:
        return "–"
    if value == -1:
        return "none: can fail with every bit right"
    return f"{value:,.0f}" if abs(value - round(value)) < WHOLE else number(value)


def comparison_sentence(
    titles: tuple[str, str], first: Mapping[str, float | None], second: Mapping[str, float | None]
) -> str:
    """Say in one sentence what the second code gives and takes compared with the first."""
    parts = []
    machines = round((second["Machines"] or 0) - (first["Machines"] or 0))
    if machines:
        parts.append(
            f"{abs(machines):,} {'more' if machines > 0 else 'fewer'} "
            f"{'machine' if abs(machines) == 1 else 'machines'}"
        )
    d = (first["Smallest row distance"] or 0, second["Smallest row distance"] or 0)
    parts.append(
        f"row distance {value_text(d[1])} instead of {value_text(d[0])}" if d[0] != d[1] else
        f"the same row distance {value_text(d[0])}"
    )  # fmt: skip
    pairs = (first["Pairs of training points, summed"] or 0, second["Pairs of training points, summed"] or 0)
    if pairs[0] > 0 and abs(pairs[1] / pairs[0] - 1) > 0.005:
        parts.append(times_text(pairs[1] / pairs[0], "the training pairs"))
    joined = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"Compared with {titles[0]}, {titles[1]} has {joined}."


def column_faults(report: CodeReport) -> dict[int, str]:
    """Say what is wrong with each faulty column: column -> a few words.

    A column that repeats an earlier one is marked, and so is that one.
    """
    faults: dict[int, list[str]] = {}
    for b in report.one_sided_columns.tolist():
        faults.setdefault(b, []).append("no class on one side")
    for word, pairs in (
        ("the same as", report.repeated_columns),
        ("the opposite of", report.complementary_columns),
    ):
        for a, b in pairs.tolist():
            faults.setdefault(a, []).append(f"{word} column {b + 1}")
            faults.setdefault(b, []).append(f"{word} column {a + 1}")
    return _shortened(faults)


def row_faults(report: CodeReport, names: Sequence[str]) -> dict[int, str]:
    """Say which rows cannot be told apart: row -> a few words."""
    faults: dict[int, list[str]] = {}
    equal = {tuple(pair) for pair in report.equal_rows.tolist()}
    for a, b in report.unseparated_rows.tolist():
        word = "the same as" if (a, b) in equal else "never opposite to"
        for row, other in ((a, b), (b, a)):
            faults.setdefault(row, []).append(f"{word} {names[other]}")
    return _shortened(faults)


def _shortened(faults: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """Join the first three words on each."""
    return {
        k: ", ".join(texts[:3]) + (f" and {len(texts) - 3} more" if len(texts) > 3 else "")
        for k, texts in faults.items()
    }


def side_text(rows: Sequence[int], names: Sequence[str], most: int = 3) -> str:
    """Name the classes of one side, as many as fit.

    >>> side_text((0, 1, 2), ("a", "b", "c"), most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(shorten(names[r], 16) for r in rows[:most])
    return f"{shown} and {len(rows) - most} more" if len(rows) > most else shown


def story_sentence(design: Design, names: Sequence[str]) -> str:
    """Say how the code was found."""
    story = design.story
    if not story:
        return ""
    kept = design.code_matrix.shape[1]
    if design.kind == "tree":
        first = story[0]
        trees = sum(step.parent < 0 for step in story)
        return (
            f"{count(len(story), 'split')} in {count(trees, 'tree')}; the first puts "
            f"{side_text(first.plus, names)} against {side_text(first.minus, names)}."
        )
    values = [step.value for step in story if step.value or step.table is not None] or [story[0].value]
    name = design.value_name.split(",")[0]
    if design.kind == "path":
        longest = max(step.bits for step in story)
        now = next((step.value for step in story if step.bits == kept), story[-1].value)
        return (
            f"Of {count(longest, 'machine')}, {kept} are kept; {name.lower()} goes from "
            f"{story[0].value:.3g} to {now:.3g}."
        )
    steps = count(len(values) - 1, "round" if design.kind == "rounds" else "step")
    ends = f"{values[0]:.3g} to {values[-1]:.3g}"
    return f"{name} goes from {ends} in {steps}; the code has {count(kept, 'machine')}."


def weights_sentence(weights: FloatArray, names: Sequence[str]) -> str:
    """Say which real weight (n_rows, n_bits) is the largest, and how many machines have none.

    >>> weights_sentence(np.array([[0.5, -2.0, 0.0], [1.0, 0.25, 0.0]]), ("a", "b"))
    'The largest weight is −2.00, of machine 2 for a. 1 machine got no weight at all.'
    """
    row, column = np.unravel_index(int(np.abs(weights).argmax()), weights.shape)
    largest = number(float(weights[row, column]))
    text = f"The largest weight is {largest}, of machine {column + 1} for {names[int(row)]}."
    n_idle = int((np.abs(weights).max(axis=0) < WHOLE).sum())
    return f"{text} {count(n_idle, 'machine')} got no weight at all." if n_idle else text
