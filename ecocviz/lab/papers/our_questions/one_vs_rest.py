"""Do codes work better than one-vs-all? Ranks, tests and counts of one machine and one way to decode."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import rankdata

from ecocviz.engine.analysis.ranks import Pair, Ranking, compare_pairs, rank_methods
from ecocviz.lab.evidence.drawings import Drawing, Entry, Heatmap, Opens, Ranks, Table
from ecocviz.lab.evidence.entries import Measured, Statement, count
from ecocviz.lab.papers.our_questions.links import of_mean, opens
from ecocviz.lab.papers.our_questions.protocol import MACHINES, ONE_VS_ALL, ONE_VS_ONE, TITLES
from ecocviz.lab.papers.our_questions.tables import (
    BEST_LOSS,
    CHOSEN,
    LEVEL,
    MOST,
    Errors,
    code_title,
    errors_of,
    known_errors,
    machine_title,
    set_title,
    way_title,
)

THREE_WAYS = ("hamming", "likelihood", BEST_LOSS)
SAID = {CHOSEN: "the decoder chosen for each", "hamming": "Hamming", BEST_LOSS: "best loss"}
RULE = (
    "Each statement says that codes are not better than one-vs-all, and holds where that is so in more "
    "than half of its cases. One counts settings (a set and a code; errors that are level count as not "
    "better); one counts codes that Nemenyi's test does not find better, one those that Wilcoxon's test "
    "does not (Holm's correction for all codes against one-vs-all; 5 % both). One-vs-one is ranked and "
    "tested with the others, but not counted: it is no error-correcting code. The sentence agrees where "
    "all hold. That a test finds no difference does not show that there is none: the count of settings "
    "needs no test."
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One machine and one way to decode.

    Attributes
    ----------
    errors
        Of the machine.
    way
        To decode.
    ranking
        Of all codes.
    pairs
        Each code but one-vs-all (first) against one-vs-all (second), in the order of the codes.
    """

    errors: Errors
    way: str
    ranking: Ranking
    pairs: tuple[Pair, ...]

    @property
    def counted(self) -> tuple[Pair, ...]:
        """The pairs of error-correcting codes."""
        return tuple(pair for pair in self.pairs if self.errors.codes[pair.first] != ONE_VS_ONE)

    def better_by_rank(self, pair: Pair) -> bool:
        """Whether Nemenyi's test finds the code better than one-vs-all."""
        ranks = self.ranking.ranks
        return bool(ranks[pair.second] - ranks[pair.first] >= self.ranking.critical_difference)

    def better_by_pair(self, pair: Pair) -> bool:
        """Whether Wilcoxon's test finds the code better than one-vs-all."""
        return pair.wilcoxon_holm < LEVEL and pair.lead > 0.5


def compare(errors: Errors, way: str) -> Comparison:
    """Compare all codes of a machine, and each with one-vs-all."""
    rates, against = errors.rates(way), errors.codes.index(ONE_VS_ALL)
    pairs = [(code, against) for code in range(len(errors.codes)) if code != against]
    return Comparison(errors, way, rank_methods(rates, LEVEL), compare_pairs(rates, pairs))


# Judging ---------------------------------------------------------------------------------------------


def judge_machine(measured: Sequence[Measured], machine: str) -> list[Statement]:
    """Judge one machine: with Hamming, likelihood and the best loss."""
    errors = errors_of(measured, machine)
    return [statement for way in THREE_WAYS for statement in _statements(errors, way, way_title(way))]


def judge_all(measured: Sequence[Measured]) -> list[Statement]:
    """Judge all machines, every code with the decoder that was chosen for it."""
    return [
        statement
        for machine in MACHINES
        for statement in _statements(errors_of(measured, machine), CHOSEN, machine_title(machine))
    ]


def _statements(errors: Errors, way: str, name: str) -> list[Statement]:
    """Say three times that codes are not better than one-vs-all."""
    texts = (
        f"{name}: settings in which a code does not err less than one-vs-all",
        f"{name}: codes that Nemenyi's test does not find better than one-vs-all",
        f"{name}: codes that Wilcoxon's test does not find better than one-vs-all",
    )
    if not errors.sets:
        return [Statement(text, 0, 0, MOST) for text in texts]
    found = compare(errors, way)
    level = sum(pair.ties + pair.losses for pair in found.counted)
    return [
        Statement(texts[0], level, len(found.counted) * len(errors.sets), MOST),
        count(texts[1], [not found.better_by_rank(pair) for pair in found.counted], MOST),
        count(texts[2], [not found.better_by_pair(pair) for pair in found.counted], MOST),
    ]


# Sentences -------------------------------------------------------------------------------------------


def say_machine(measured: Sequence[Measured], machine: str) -> str:
    """Say how codes fare against one-vs-all with one machine."""
    errors = errors_of(measured, machine)
    if not errors.sets:
        return ""
    return " ".join(_sentence(compare(errors, way), way_title(way)) for way in THREE_WAYS)


def say_all(measured: Sequence[Measured]) -> str:
    """Say how codes fare against one-vs-all: over all machines, then with each, decoders being chosen."""
    known = known_errors(measured)
    if not known:
        return ""
    shares = []
    for way, name in SAID.items():
        pairs = [(pair, len(errors.sets)) for errors in known for pair in compare(errors, way).counted]
        shares.append(
            f"{sum(pair.wins for pair, _ in pairs)} of {sum(n for _, n in pairs)} settings with {name}"
        )
    sentences = [_sentence(compare(errors, CHOSEN), machine_title(errors.machine)) for errors in known]
    return " ".join([f"Over all machines codes err less than one-vs-all in {', '.join(shares)}.", *sentences])


def _sentence(found: Comparison, name: str) -> str:
    """Say what follows from one comparison."""
    counted, codes = found.counted, found.errors.codes
    n_settings = len(counted) * found.ranking.n_sets
    won, level = sum(pair.wins for pair in counted), sum(pair.ties for pair in counted)
    better = [code_title(codes[pair.first]) for pair in counted if found.better_by_pair(pair)]
    worse = [
        code_title(codes[pair.first])
        for pair in counted
        if pair.wilcoxon_holm < LEVEL and not found.better_by_pair(pair)
    ]
    best = int(found.ranking.ranks.argmin())
    own = found.ranking.ranks[codes.index(ONE_VS_ALL)]
    return (
        f"{name}: codes err less than one-vs-all in {won} of {n_settings} settings, as much in {level}, "
        f"more in {n_settings - won - level}; clearly better are {_listed(better)}, clearly worse "
        f"{_listed(worse)}; best average rank {code_title(codes[best])} with "
        f"{found.ranking.ranks[best]:.1f}, one-vs-all {own:.1f} (critical difference "
        f"{found.ranking.critical_difference:.1f})."
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "none"


# Drawing ---------------------------------------------------------------------------------------------


def draw_machine(measured: Sequence[Measured], machine: str) -> list[Drawing]:
    """Draw one machine: ranks, tests and errors for three ways to decode."""
    errors = errors_of(measured, machine)
    if not errors.sets:
        return []
    found = [compare(errors, way) for way in THREE_WAYS]
    title = f"Each code against one-vs-all, {TITLES[machine]}"
    tests = _tests(found, title, [way_title(way) for way in THREE_WAYS])
    return [*map(_ranks, found), tests, *map(_errors, found)]


def _ranks(found: Comparison) -> Ranks:
    friedman, errors = found.ranking.friedman, found.errors
    ranks = rankdata(errors.rates(found.way), axis=1)
    first, second = friedman.freedom
    return Ranks(
        title=f"Average ranks, {TITLES[errors.machine]}, {way_title(found.way)}",
        names=tuple(map(code_title, errors.codes)),
        ranks=tuple(float(rank) for rank in found.ranking.ranks),
        critical_difference=found.ranking.critical_difference,
        n_sets=found.ranking.n_sets,
        note=f"Friedman: chi-square {friedman.chi_square:.1f}, p {_p(friedman.chi_square_p)}; Iman and "
        f"Davenport: F({first}, {second}) = {friedman.f:.2f}, p {_p(friedman.f_p)}.",
        opens=tuple(of_mean(errors, code, found.way, ranks[:, code]) for code in range(len(errors.codes))),
    )


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


def _tests(found: Sequence[Comparison], title: str, names: Sequence[str]) -> Table:
    """Each code against one-vs-all in several comparisons, whose names head the columns."""
    codes = found[0].errors.codes
    rows = []
    for number, pair in enumerate(found[0].pairs):
        entries: list[Entry] = []
        for comparison in found:
            same, one = comparison.pairs[number], _lead(comparison, pair.first)
            entries += [
                Entry(f"{same.wins}-{same.ties}-{same.losses}", opens=one),
                Entry(same.wilcoxon_holm, opens=one, digits=3),
            ]
        rows.append((code_title(codes[pair.first]), tuple(entries)))
    return Table(
        title=title,
        columns=("code", *(f"{name}: {what}" for name in names for what in ("win-tie-loss", "p"))),
        rows=tuple(rows),
        note="Sets on which the code errs less, as much and more than one-vs-all; p of Wilcoxon's "
        "signed-rank test, corrected by Holm for the codes of the column.",
    )


def _lead(found: Comparison, code: int) -> Opens:
    """Open the set on which a code is ahead of one-vs-all, or behind, nearest to the mean."""
    errors, rates = found.errors, found.errors.rates(found.way)
    return of_mean(errors, code, found.way, rates[:, errors.codes.index(ONE_VS_ALL)] - rates[:, code])


def _errors(found: Comparison) -> Table:
    """Errors of each set and code in percent, the best of a set marked."""
    errors, rates = found.errors, 100 * found.errors.rates(found.way)
    rows = []
    for s, (name, best) in enumerate(zip(errors.sets, rates.min(axis=1), strict=True)):
        entries = (
            Entry(float(rate), opens=opens(errors, s, code, found.way), digits=1, best=bool(rate <= best))
            for code, rate in enumerate(rates[s])
        )
        rows.append((set_title(name), tuple(entries)))
    means = (
        Entry(float(mean), opens=of_mean(errors, code, found.way, rates[:, code]), digits=1)
        for code, mean in enumerate(rates.mean(axis=0))
    )
    rows.append(("mean", tuple(means)))
    return Table(
        title=f"Errors, {TITLES[errors.machine]}, {way_title(found.way)}",
        columns=("set", *map(code_title, errors.codes)),
        rows=tuple(rows),
        unit="%",
    )


def draw_all(measured: Sequence[Measured]) -> list[Drawing]:
    """Draw how often and by how much each code errs less than one-vs-all, each with its chosen decoder."""
    found = [compare(errors, CHOSEN) for errors in known_errors(measured)]
    if not found:
        return []
    names = [machine_title(each.errors.machine) for each in found]
    short = [name.removesuffix(" kernel machines").removesuffix(" machines") for name in names]
    tests = _tests(found, "Each code against one-vs-all, decoder chosen for each", short)
    return [tests, _gains(found, names), *map(_ranks, found)]


def _gains(found: Sequence[Comparison], names: Sequence[str]) -> Heatmap:
    """By how much each code errs less than one-vs-all, codes by machines; white is level."""
    rates = [100 * each.errors.rates(each.way).mean(axis=0) for each in found]
    pairs = found[0].pairs
    values = [[float(mean[pair.second] - mean[pair.first]) for mean in rates] for pair in pairs]
    most = max(abs(value) for row in values for value in row)
    return Heatmap(
        title="Fewer errors than one-vs-all, points of percent, mean over sets",
        rows=tuple(code_title(found[0].errors.codes[pair.first]) for pair in pairs),
        columns=tuple(names),
        values=tuple(map(tuple, values)),
        low=-most,
        high=most,
        cells=tuple(tuple(_lead(each, pair.first) for each in found) for pair in pairs),
    )
