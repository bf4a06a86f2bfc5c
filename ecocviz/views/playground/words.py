"""What is to be seen on the Playground, in sentences."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine.analysis.codes import CodeReport
from ecocviz.engine.analysis.rejecting import Decided
from ecocviz.engine.entries import Reads
from ecocviz.views.playground.facts import Picture
from ecocviz.views.playground.inspection import Inspection, Verdict
from ecocviz.views.shared.draw.words import any_wrong, count, listed, minus, percent

MOST_NAMED = 12
"""Bits whose numbers one sentence lists."""

# The regions ---------------------------------------------------------------------------------------


def alt_text(picture: Picture, classes: Sequence[str]) -> str:
    """Describe the picture for those who do not see it."""
    shown = listed(classes) if len(classes) <= 6 else f"{classes[0]} to {classes[-1]}"
    x, y = picture.plane.names
    return (
        f"Decision regions of {count(len(classes), 'class', 'classes')} ({shown}) over "
        f"{x} and {y}, {count(len(picture.points.truth), 'point')}. "
        "Arrow keys move the picked point."
    )


def early_alt_text(plane: tuple[str, str], classes: Sequence[str], n_points: int) -> str:
    """Describe the points before anything is decided.

    >>> early_alt_text(("x1", "x2"), ["a", "b"], 40)
    '40 points of 2 classes over x1 and x2. No regions: no machines are trained.'
    """
    of = f"{count(n_points, 'point')} of {count(len(classes), 'class', 'classes')}"
    return f"{of} over {plane[0]} and {plane[1]}. No regions: no machines are trained."


def early_sentences(training: bool) -> tuple[str, str]:
    """Say why there are no regions around the points, and whether they will come."""
    if training:
        return "The machines are being trained.", "The regions appear when they are."
    return "These are the data alone.", "There are no regions, because no machines are trained."


def region_sentences(
    picture: Picture,
    titles: Sequence[str],
    decoder: int,
    n_drawn: int,
    beside: tuple[str, int] | None = None,
) -> tuple[str, tuple[str, ...]]:
    """Return the error of a decoder, and what else is to be said under the picture.

    Parameters
    ----------
    picture
        The picture.
    titles
        Names of its decoders.
    decoder
        Which of them the scenario's own is.
    n_drawn
        Points that are drawn.
    beside
        Another code and its number of errors, where they are known.
    """
    part = "Test" if picture.part == "test" else "Training"
    more = [
        "" if beside is None else beside_sentence(*beside, picture.n_wrong[decoder], picture.truth.size),
        best_sentence(titles, picture.n_wrong, decoder),
        agreement_sentence(picture),
        picture.plane.sentence,
        drawn_sentence(len(picture.points.truth), n_drawn),
    ]
    if picture.fitted is not None:
        more.insert(0, error_sentence("Training", int(picture.fitted[decoder]), picture.n_fitted))
    first = error_sentence(part, picture.n_wrong[decoder], picture.truth.size)
    decided = picture.decided(decoder)
    first += "" if decided is None else f" {undecided_sentence(decided)}"
    return first, tuple(filter(None, more))


def error_sentence(part: str, n_wrong: int, n: int) -> str:
    """Say how many points are misclassified.

    >>> error_sentence("Test", 6, 150)
    'Test error 4.0 % (6 of 150).'
    """
    return f"{part} error {percent(n_wrong, n)}."


def undecided_sentence(decided: Decided) -> str:
    """Say how many points are left undecided, and what is wrong among the others.

    >>> undecided_sentence(Decided(150, 10, 2))
    'With 6.7 % (10 of 150) left undecided, 1.4 % (2 of 140) of the others are wrong.'
    """
    n_rejected, n = int(decided.n_rejected), int(decided.n)
    if not n_rejected:
        return "No point is left undecided."
    if n_rejected == n:
        return "All points are left undecided."
    wrong = percent(int(decided.n_wrong), n - n_rejected)
    return f"With {percent(n_rejected, n)} left undecided, {wrong} of the others are wrong."


def beside_sentence(code: str, n_wrong: int, shown: int, n: int) -> str:
    """Compare with another code on the same data, machine and decoder.

    >>> beside_sentence("One-vs-all", 60, 40, 200), beside_sentence("One-vs-all", 40, 40, 200)
    ('One-vs-all makes 20 more errors: 30.0 % (60 of 200).', 'One-vs-all makes the same number of errors.')
    """
    if n_wrong == shown:
        return f"{code} makes the same number of errors."
    compared = "more" if n_wrong > shown else "fewer"
    errors = "error" if abs(n_wrong - shown) == 1 else "errors"
    return f"{code} makes {abs(n_wrong - shown):,} {compared} {errors}: {percent(n_wrong, n)}."


def best_sentence(titles: Sequence[str], n_wrong: Sequence[int], shown: int) -> str:
    """Compare the decoders shown on the same machines.

    >>> best_sentence(["Hamming", "Linear", "Likelihood"], [9, 5, 5], 0)
    'With the same machines, Linear and Likelihood make 4 fewer errors than Hamming.'
    >>> best_sentence(["Hamming", "Linear"], [3, 5], 0)
    'None of the decoders shown makes fewer errors.'
    """
    if len(titles) < 2:
        return ""
    least = min(n_wrong)
    if n_wrong[shown] == least:
        equal = [t for t, n in zip(titles, n_wrong, strict=True) if n == least and t != titles[shown]]
        tail = f"; {listed(equal)} {'makes' if len(equal) == 1 else 'make'} the same number" if equal else ""
        return f"None of the decoders shown makes fewer errors{tail}."
    best = [title for title, n in zip(titles, n_wrong, strict=True) if n == least]
    fewer = n_wrong[shown] - least
    verb = "makes" if len(best) == 1 else "make"
    errors = "error" if fewer == 1 else "errors"
    return f"With the same machines, {listed(best)} {verb} {fewer:,} fewer {errors} than {titles[shown]}."


def agreement_sentence(picture: Picture) -> str:
    """Say on how many points the decoders shown agree; nothing where there is one only."""
    n_decoders, n = picture.labels.shape
    if n_decoders < 2 or not n:
        return ""
    if picture.n_agreeing == n:
        return f"The {n_decoders} decoders shown agree on all {count(n, 'point')}."
    return f"The {n_decoders} decoders shown agree on {percent(picture.n_agreeing, n)} of these points."


def drawn_sentence(n_points: int, n_drawn: int) -> str:
    """Say that only some points are drawn; nothing where all are."""
    return "" if n_drawn == n_points else f"{n_drawn:,} of {n_points:,} points are drawn."


# The code ------------------------------------------------------------------------------------------


def code_sentence(report: CodeReport) -> str:
    """Say what a code matrix can do."""
    distance, repairs = f"Row distance {report.min_distance:g}", report.repairable_bits_hamming
    if repairs is None or repairs < 0:
        first = f"{distance}: Hamming decoding can miss a class even when all its bits are right."
    elif repairs == 0:
        first = f"{distance}: with Hamming decoding one wrong bit can be enough to lose the class."
    else:
        first = f"{distance}, so Hamming decoding repairs {any_wrong(repairs)}."
    kinds = {
        "one-sided": report.one_sided_columns,
        "repeated": report.repeated_columns,
        "mirrored": report.complementary_columns,
    }
    faults = [count(len(columns), f"{kind} column") for kind, columns in kinds.items() if len(columns)]
    if faults:
        return f"{first} {listed(faults).capitalize()}."
    return f"{first} No column is repeated or mirrored."


# The picked point ----------------------------------------------------------------------------------


def point_title(
    inspection: Inspection,
    decoder: int,
    classes: Sequence[str],
    pick: int,
    place: tuple[float, float] | None,
) -> str:
    """Name the picked point or place, and what a decoder makes of it."""
    verdict = inspection.verdicts[decoder]
    decided = f"{classes[verdict.winner]}{' by a tie' if verdict.is_tie else ''}"
    decided += " but left undecided" if verdict.undecided else ""
    n_flips = int(inspection.flipped.sum())
    decided += f" with {count(n_flips, 'flip')}" if n_flips else ""
    if inspection.truth >= 0:
        return f"Point {pick}, true class {classes[inspection.truth]}, decoded as {decided}"
    x, y = place or (0.0, 0.0)
    return minus(f"Place ({x:.3g}, {y:.3g}), decoded as {decided}")


def point_sentence(inspection: Inspection, decoder: int, classes: Sequence[str]) -> str:
    """Say what happened to the picked point."""
    verdict, asked = inspection.verdicts[decoder], inspection.asked(decoder)
    name, decided = verdict.entry.title, classes[verdict.winner]
    says = tie_sentence(verdict, classes) if verdict.is_tie else f"{name} decoding says {decided}"
    if asked is None and inspection.truth >= 0:
        return (
            f"No training point is of class {classes[inspection.truth]}, so no bit counts as wrong. {says}."
        )
    if asked is None:
        return f"{says}." if verdict.is_tie else f"{says} here."
    n_asked, n_wrong = int((asked != 0).sum()), int(inspection.wrong(decoder).sum())
    truth, right = classes[inspection.truth], verdict.winner == inspection.truth
    first = _bits_sentence(truth, n_asked, n_wrong)
    if verdict.is_tie:
        return f"{first}. {says}{', which is right' if right else f', not {truth}'}."
    if n_wrong == 0:
        return f"{first}." if right else f"{first}, and yet {name} decoding says {decided}."
    if right:
        return f"{first}; {name} decoding repairs {'it' if n_wrong == 1 else 'them'}."
    return f"{first}; {name} decoding says {decided} instead of {truth}."


def step_sentence(
    inspection: Inspection, decoder: int, classes: Sequence[str], n_used: int, winner: int
) -> str:
    """Say what a decoder makes of the picked point by its first bits alone."""
    bits = "bit" if n_used == 1 else f"{n_used} bits"
    name, wrong = inspection.verdicts[decoder].entry.title, inspection.truth not in {-1, winner}
    instead = f" instead of {classes[inspection.truth]}" if wrong else ""
    return (
        f"With the first {bits} of {inspection.bits.size}, {name} decoding says {classes[winner]}{instead}."
    )


def _bits_sentence(truth: str, n_asked: int, n_wrong: int) -> str:
    """Count the wrong bits among those that a class asks for.

    >>> _bits_sentence("A", 3, 0), _bits_sentence("A", 3, 1)
    ('All 3 bits that count for A are right', '1 of its 3 bits is wrong')
    """
    if n_wrong == 0:
        all_bits = "The only bit" if n_asked == 1 else f"All {n_asked} bits"
        return (
            f"{all_bits} that {'counts' if n_asked == 1 else 'count'} for {truth} "
            f"{'is' if n_asked == 1 else 'are'} right"
        )
    if n_asked == 1:
        return "Its only bit is wrong"
    return f"{n_wrong} of its {n_asked} bits {'is' if n_wrong == 1 else 'are'} wrong"


def tie_sentence(verdict: Verdict, classes: Sequence[str]) -> str:
    """Say between which classes a decoder is undecided, and why one of them wins; without a full stop."""
    between = listed([classes[c] for c in verdict.tied])
    tie = f"{verdict.entry.title} decoding ends in a tie between {between}"
    if verdict.winner == min(verdict.tied):
        return f"{tie}; the first listed wins, {classes[verdict.winner]}"
    return f"{tie}; a rounding difference picks {classes[verdict.winner]}"


READING = {
    Reads.SIGNS: "reads only the sign of each score: which side the machine chose.",
    Reads.SCORES: "reads the scores: which side the machine chose, and how strongly.",
    Reads.PROBABILITIES: "reads P(+), the probability of + computed from the score: above one half means +.",
}
"""What a decoder says it reads, after its name."""


def reads_sentence(inspection: Inspection, decoder: int, classes: Sequence[str]) -> str:
    """Say what a decoder reads of the machines, where that is another side, and which row counts."""
    verdict = inspection.verdicts[decoder]
    told = [f"{verdict.entry.title} decoding {READING[verdict.entry.reads]}"]
    n_split = int((inspection.split & inspection.matters(decoder)).sum())
    if n_split:
        told.append(
            f"A struck-out = marks {count(n_split, 'machine')} whose score and P(+) point to different sides."
        )
    row = inspection.best_row(decoder, verdict.winner if inspection.truth < 0 else inspection.truth)
    n_idle = int((inspection.code_matrix[row] == 0).sum()) if row >= 0 else 0
    if n_idle and verdict.idle:
        what = "The 0 in its row adds" if n_idle == 1 else f"Each of the {n_idle} zeros in its row adds"
        told.append(f"{what} {verdict.idle:.3g} to the cost, whatever the machine says.")
    own = np.flatnonzero(inspection.rows == inspection.truth)
    if own.size > 1:
        part = 1 + int(np.flatnonzero(own == inspection.best_row(decoder, inspection.truth))[0])
        told.append(
            f"{classes[inspection.truth]} has {own.size} rows in this code, one for each part; the bits are "
            f"compared with part {part}, which has the lowest cost."
        )
    return " ".join(told)


def tipping_sentence(verdict: Verdict, classes: Sequence[str]) -> str:
    """Say how many more wrong bits the decision would survive."""
    if verdict.entry.terms is None:
        return (
            f"How many flips change the decision is not known: the costs of {verdict.entry.title} do not "
            "add up "
            "bit by bit."
        )
    if verdict.tipping is None:
        return "No set of flips was found that changes the decision."
    n_flips, decided = len(verdict.tipping), classes[verdict.winner]
    names = listed([str(b + 1) for b in verdict.tipping])
    if n_flips == 1:
        return f"Flipping bit {names} alone changes the decision."
    stays = "whichever bit is flipped" if n_flips == 2 else f"whichever {n_flips - 1} bits are flipped"
    if n_flips > MOST_NAMED:
        return f"It stays {decided} {stays}."
    return f"It stays {decided} {stays}; flipping bits {names} changes it."
