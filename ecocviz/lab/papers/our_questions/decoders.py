"""When is it worth choosing the decoder: the one that the inner folds choose, against Hamming decoding."""

from collections.abc import Sequence

import numpy as np

from ecocviz.engine.analysis.ranks import Pair, compare_pairs
from ecocviz.engine.types import FloatArray
from ecocviz.lab.evidence.drawings import Drawing, Entry, Heatmap, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count
from ecocviz.lab.papers.our_questions.links import of_mean, of_settings
from ecocviz.lab.papers.our_questions.protocol import DECODERS, HAMMING, MACHINES, TITLES
from ecocviz.lab.papers.our_questions.tables import (
    CHOSEN,
    HINDSIGHT,
    LEVEL,
    MOST,
    Errors,
    code_title,
    errors_of,
    known_errors,
    machine_title,
    way_title,
)

RULE = (
    "For each machine two statements: the chosen decoder errs less than Hamming decoding in more than half "
    "of the settings (a set and a code; level counts as not better), and it is better by Wilcoxon's test "
    "(5 %, Holm's correction for all codes) for more than half of the codes. The claim agrees where all "
    "hold."
)


def against_hamming(errors: Errors, way: str) -> tuple[Pair, ...]:
    """Compare a way to decode (first) with Hamming (second), for each code."""
    n_codes = len(errors.codes)
    both = np.hstack([errors.rates(way), errors.rates(HAMMING)])
    return compare_pairs(both, [(code, n_codes + code) for code in range(n_codes)])


def gains(errors: Errors, way: str) -> FloatArray:
    """Return by how many points of percent a way to decode errs less than Hamming, (n_sets, n_codes)."""
    return 100 * (errors.rates(HAMMING) - errors.rates(way))


def judge(measured: Sequence[Measured]) -> list[Statement]:
    """Judge each machine."""
    statements = []
    for machine in MACHINES:
        errors, name = errors_of(measured, machine), machine_title(machine)
        pairs = against_hamming(errors, CHOSEN) if errors.sets else ()
        won, of = sum(pair.wins for pair in pairs), len(pairs) * len(errors.sets)
        better = [pair.wilcoxon_holm < LEVEL and pair.lead > 0.5 for pair in pairs]
        statements += [
            Statement(f"{name}: settings in which the chosen decoder errs less than Hamming", won, of, MOST),
            count(f"{name}: codes for which Wilcoxon's test finds the chosen decoder better", better, MOST),
        ]
    return statements


def say(measured: Sequence[Measured]) -> str:
    """Say for each machine how often and by how much the decoder that is chosen, or would be, is better."""
    return " ".join(map(_sentence, known_errors(measured)))


def _sentence(errors: Errors) -> str:
    pairs = against_hamming(errors, CHOSEN)
    won, level = sum(pair.wins for pair in pairs), sum(pair.ties for pair in pairs)
    n_settings = len(pairs) * len(errors.sets)
    chosen, hindsight = gains(errors, CHOSEN), gains(errors, HINDSIGHT)
    most = int(chosen.mean(axis=0).argmax())
    return (
        f"{machine_title(errors.machine)}: the chosen decoder errs less than Hamming in {won} of "
        f"{n_settings} settings, as much in {level}, more in {n_settings - won - level}; by "
        f"{chosen.mean():.1f} points of percent on average, most for {code_title(errors.codes[most])} "
        f"({chosen.mean(axis=0)[most]:.1f}). In hindsight some decoder is better in "
        f"{int((hindsight > 0).sum())}, by {hindsight.mean():.1f} points on average."
    )


# Drawing ---------------------------------------------------------------------------------------------


def draw(measured: Sequence[Measured]) -> list[Drawing]:
    """Draw gains by code and machine, what they come to, and the errors of every decoder."""
    known = known_errors(measured)
    if not known:
        return []
    return [_summary(known), _heatmap(known, CHOSEN), _heatmap(known, HINDSIGHT), *map(_by_decoder, known)]


def _summary(known: Sequence[Errors]) -> Table:
    rows = []
    for errors in known:
        pairs = against_hamming(errors, CHOSEN)
        wins, ties, losses = (
            sum(getattr(pair, name) for pair in pairs) for name in ("wins", "ties", "losses")
        )
        shares = 100 * errors.choices / errors.choices.sum()
        chosen, hindsight = gains(errors, CHOSEN), gains(errors, HINDSIGHT)
        one, best = of_settings(errors, CHOSEN, chosen), of_settings(errors, HINDSIGHT, hindsight)
        entries = (
            Entry(f"{wins}-{ties}-{losses}", opens=one),
            Entry(float(chosen.mean()), opens=one),
            Entry(int((hindsight > 0).sum()), opens=best, digits=0),
            Entry(float(hindsight.mean()), opens=best),
            *(
                Entry(float(share), opens=of_settings(errors, key, gains(errors, key)), digits=0)
                for key, share in zip(DECODERS, shares, strict=True)
            ),
        )
        rows.append((machine_title(errors.machine), entries))
    return Table(
        title="The decoder that is chosen against Hamming decoding",
        columns=(
            "machine",
            "win-tie-loss",
            "gain (points)",
            "in hindsight: wins",
            "in hindsight: gain",
            *(f"{way_title(key)} chosen (%)" for key in DECODERS),
        ),
        rows=tuple(rows),
        note="Counts are of settings, a set and a code each; a gain is Hamming's error less the other's, "
        "in points of percent. In hindsight the decoder with the fewest test errors of each setting is "
        "taken, which no one can know: choosing cannot gain more.",
    )


def _heatmap(known: Sequence[Errors], way: str) -> Heatmap:
    """Draw mean gains, codes by machines; white is level."""
    values = np.array([gains(errors, way).mean(axis=0) for errors in known]).T
    most = float(np.abs(values).max())
    return Heatmap(
        title=f"{way_title(way)}: fewer errors than Hamming, points of percent, mean over sets",
        rows=tuple(map(code_title, known[0].codes)),
        columns=tuple(machine_title(errors.machine) for errors in known),
        values=tuple(tuple(float(value) for value in row) for row in values),
        low=-most,
        high=most,
        cells=tuple(
            tuple(of_mean(errors, code, way, gains(errors, way)[:, code]) for errors in known)
            for code in range(len(known[0].codes))
        ),
    )


def _by_decoder(errors: Errors) -> Table:
    """Every decoder's mean error, the best of a code marked."""
    ways = (*DECODERS, CHOSEN)
    means = np.array([100 * errors.rates(way).mean(axis=0) for way in ways]).T
    rows = []
    for c, (code, row) in enumerate(zip(errors.codes, means, strict=True)):
        opens = [of_mean(errors, c, way, errors.rates(way)[:, c]) for way in ways]
        entries = (
            Entry(float(mean), opens=one, digits=1, best=bool(mean <= row.min()))
            for mean, one in zip(row, opens, strict=True)
        )
        rows.append((code_title(code), tuple(entries)))
    return Table(
        title=f"Errors of every decoder, {TITLES[errors.machine]}, mean over sets",
        columns=("code", *map(way_title, ways)),
        rows=tuple(rows),
        unit="%",
    )
