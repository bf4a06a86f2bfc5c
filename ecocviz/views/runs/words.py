"""Sentences about kept runs: what differs, what is compared, what ranks over data sets say."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from ecocviz.engine.analysis.ranks import Pair
from ecocviz.engine.params import shorten
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.store_about import title_of_choice
from ecocviz.lab.store_room import MOST_RECENT
from ecocviz.lab.store_rows import PAPER, RUN, RUNNING, STOPPED, SWEEP, Run
from ecocviz.views.runs.facts import (
    MOST_COMPARED,
    PER_PAGE,
    Count,
    Difference,
    Kept,
    Listed,
    differences,
)
from ecocviz.views.runs.over_sets import FEWEST_METHODS, FEWEST_SETS, LeftOut, OverSets
from ecocviz.views.runs.points import MOST_POINTS, Points
from ecocviz.views.runs.words_seeds import over_text, seeds_of, seeds_text
from ecocviz.views.shared.draw.settings import matters, text_of, told
from ecocviz.views.shared.draw.words import count, listed, p_text

SLOT_NAMES = {
    "data": "Data", "preparation": "Preparation", "split": "Split", "coding": "Code", "machine": "Machine",
    "reduction": "Reduction", "decoding": "Decoder", "rejecting": "Undecided", "seed": "Seed",
}  # fmt: skip
METHOD_NAMES = {
    "decoding": ("decoder", "decoders"), "coding": ("code", "codes"), "machine": ("machine", "machines"),
    "reduction": ("reduction", "reductions"),
}  # fmt: skip
WHERE = {
    "decoding": "The Decoders page judges all decoders at once, and the Reductions page all reductions",
    "coding": "Choose another code in the sidebar of the Playground",
    "machine": "Choose another machine in the sidebar of the Playground",
    "reduction": "The Reductions page judges all reductions at once",
}
"""Slot -> where runs come from that differ in nothing else."""
EMPTY = "No runs yet."
EMPTY_MORE = (
    "What other pages train and judge is kept here by itself: open the Playground, Decoders, Bits or Model "
    "selection, and come back."
)
LISTS = (
    "Kept: begun by a button or a command, pinned, named or exported. Recent: the last "
    f"{MOST_RECENT} that pages computed by themselves."
)
LEVEL = 0.05
MOST_LEFT_OUT, LONGEST_VALUE, FEW = 6, 60, 3

# The list --------------------------------------------------------------------------------------------


def list_sentence(found: Listed) -> tuple[str, str]:
    """Say how many runs there are and what of them is listed."""
    n, first = len(found.runs), PER_PAGE * found.asked.page + 1
    whole = f"{count(found.n_all, 'run')} of {count(len(found.sets), 'data set')}."
    if not n:
        none = "None of them fits; ask for less." if found.asked.narrows() else "None is in this list."
        return whole, f"{none} {LISTS}"
    if not (found.more or found.asked.page or found.asked.narrows()):
        return whole, LISTS
    those = " of those that fit" if found.asked.narrows() else ""
    older = "; older ones follow" if found.more else ""
    return whole, f"Shown: {first:,} to {first + n - 1:,}{those}, the last used first{older}. {LISTS}"


def gone_sentence(numbers: Sequence[int]) -> str:
    """Say that chosen runs are not there.

    >>> gone_sentence([7])
    'Of the chosen runs, number 7 is no longer kept.'
    """
    if len(numbers) > FEW:
        return f"Of the chosen runs, {len(numbers):,} are no longer kept."
    which = listed([str(number) for number in numbers])
    many = len(numbers) > 1
    return f"Of the chosen runs, number{'s' * many} {which} {'are' if many else 'is'} no longer kept."


def when(seconds: float, zone: tzinfo) -> str:
    """Write a time by the clock of a zone.

    >>> from datetime import UTC
    >>> when(0.0, UTC)
    '1970-01-01 00:00'
    """
    return datetime.fromtimestamp(seconds, zone).strftime("%Y-%m-%d %H:%M")


def kind_text(run: Run) -> str:
    """Say what kind of run it is, and how far it has come where that is not all.

    For a sweep: "sweep, 12 points".
    """
    if run.kind == RUN:
        return ""
    name = {SWEEP: "Sweep", PAPER: "Study of a paper"}.get(run.kind, run.kind)
    points = (
        count(run.n_done, "point")
        if run.n_done >= run.n_points
        else f"{run.n_done:,} of {run.n_points:,} points"
    )
    state = {RUNNING: ", still running", STOPPED: ", stopped", "failed": ", failed"}.get(run.state, "")
    return f"{name}, {points}{state}"


def apart(kept: Kept, first: Kept) -> str:
    """Say what a run does otherwise than the first one."""
    kind = kind_text(kept.run)
    if kept.run.id == first.run.id:
        return kind
    if kept.scenario is None or first.scenario is None or kept.run.kind != RUN:
        return kind
    found = difference_words(kept.scenario, first.scenario)
    if found:
        return found
    if kept.run.version != first.run.version:
        return f"computed by version {kept.run.version}"
    return "the same scenario"


def difference_words(scenario: Scenario, other: Scenario) -> str:
    """Say what one scenario has that another has not, in a few words.

    >>> from ecocviz.lab.scenario import make_scenario
    >>> difference_words(make_scenario(decoding="hamming", seed=3), make_scenario())
    'Hamming · seed 3'
    """
    said = []
    for slot, entries in SLOTS.items():
        mine, theirs = getattr(scenario, slot), getattr(other, slot)
        if mine == theirs:
            continue
        entry = entries[mine.key]
        if mine.key != theirs.key:
            said.append(title_of_choice(slot, mine))
        usual = (
            theirs.values if mine.key == theirs.key else {param.name: param.default for param in entry.params}
        )
        said += [
            told(param, mine.values[param.name])
            for param in entry.params
            if mine.values[param.name] != usual[param.name] and matters(param, mine.values)
        ]
    if scenario.seed != other.seed:
        said.append(f"seed {scenario.seed:,}")
    return " · ".join(said)


# Side by side ----------------------------------------------------------------------------------------


def setting_rows(scenario: Scenario) -> list[tuple[str, str]]:
    """Return a row for each choice of a scenario, with its settings."""
    rows = []
    for slot, entries in SLOTS.items():
        choice = getattr(scenario, slot)
        entry = entries[choice.key]
        settings = [told(p, choice.values[p.name]) for p in entry.params if matters(p, choice.values)]
        said = (shorten(text, LONGEST_VALUE) for text in (title_of_choice(slot, choice), *settings))
        rows.append((SLOT_NAMES[slot], " · ".join(said)))
    return [*rows, (SLOT_NAMES["seed"], f"{scenario.seed:,}")]


def difference_rows(scenarios: Sequence[Scenario]) -> list[tuple[str, ...]]:
    """Return a row for each field in which scenarios differ: its name, and what each has there."""
    return [
        (field_name(one, scenarios), *(value_text(one, k, scenarios) for k in range(len(scenarios))))
        for one in differences(scenarios)
    ]


def field_name(field: Difference, scenarios: Sequence[Scenario]) -> str:
    """Name a field as the sidebar does."""
    name = SLOT_NAMES[field.slot]
    if not field.name:
        return name
    for scenario in scenarios:
        choice: Choice = getattr(scenario, field.slot)
        for param in SLOTS[field.slot][choice.key].params:
            if param.name == field.name:
                return f"{name}: {param.symbol or param.label}"
    return f"{name}: {field.name}"


def value_text(field: Difference, k: int, scenarios: Sequence[Scenario]) -> str:
    """Write what one scenario has in a field, "–" where it has no such field."""
    value = field.values[k]
    if field.slot == "seed":
        return f"{value:,}"
    choice: Choice = getattr(scenarios[k], field.slot)
    entry = SLOTS[field.slot][choice.key]
    if not field.name:
        return title_of_choice(field.slot, choice)
    param = next((param for param in entry.params if param.name == field.name), None)
    if param is None or not matters(param, choice.values):
        return "–"
    return shorten(text_of(param, value), LONGEST_VALUE)


def error_text(found: Count | None) -> str:
    """Write an error with its counts.

    >>> error_text(Count(6, 150)), error_text(None)
    ('4.0 % (6 of 150)', '–')
    """
    return "–" if found is None else f"{100 * found.error:.1f} % ({found.wrong:,} of {found.n:,})"


def interval_text(found: Count | None) -> str:
    """Write the interval of an error.

    >>> interval_text(Count(6, 150))
    '1.8 to 8.5 %'
    """
    if found is None:
        return "–"
    low, high = found.interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def compared_sentence(runs: Sequence[Kept], n_chosen: int, *, same: bool) -> tuple[str, str]:
    """Say which of the compared runs errs least, and whether they were tested alike."""
    errors = [None if one.test is None else one.test.error for one in runs]
    known = [error for error in errors if error is not None]
    more = f"The first {MOST_COMPARED} of {n_chosen:,} are compared." if n_chosen > MOST_COMPARED else ""
    if len(known) < FEWEST_METHODS:
        return "", more
    if spreads := seeds_of(runs):
        return seeds_text(spreads), more
    least = [str(k + 1) for k, error in enumerate(errors) if error == min(known)]
    if min(known) == max(known):
        said = f"All err alike, {100 * min(known):.1f} %."
    else:
        who, errs = ("Run", "errs") if len(least) == 1 else ("Runs", "err")
        said = f"{who} {listed(least)} of {len(runs)} {errs} least, {100 * min(known):.1f} %."
    how = "All were tested on the same points." if same else "They were not all tested on the same points."
    return said, f"{how} {more}".rstrip()


# One run ---------------------------------------------------------------------------------------------


def points_sentence(kept: Kept, points: Points) -> str:
    """Say what the points of a run are: over seeds mean and spread, over a number the range of errors."""
    n = len(points.rows)
    some = f" The first {MOST_POINTS:,} are drawn; the file has all." if n > MOST_POINTS else ""
    start = f"{kind_text(kept.run)}.{some}"
    places = [place for line in points.lines.values() for place in line]
    if not places:
        return f"{start} It has no number that could be drawn."
    if points.value != "error":
        return f"{start} Drawn is {points.value}, point by point."
    over = "" if points.axis is None else axis_name(points)
    return f"{start} {seeds_text(points.spreads) if points.spreads else over_text(places, over)}"


def axis_name(points: Points) -> str:
    """Name what the figure of points runs over."""
    axis = points.axis
    if axis is None:
        return "Point"
    params = [param for entry in SLOTS.get(axis.slot, {}).values() for param in entry.params]
    known = (param for param in params if param.name == axis.name)
    return next((param.symbol or param.label for param in known), SLOT_NAMES[axis.slot])


# Over several data sets ------------------------------------------------------------------------------


def sets_sentence(found: OverSets) -> tuple[str, str]:
    """Say which method has the best average rank, or what is missing."""
    if found.ranking is None:
        return missing_sentence(found), ""
    ranks, names, n = found.ranking.ranks, found.names, count(len(found.sets), "data set")
    if ranks[0] == ranks[-1]:
        first = f"Over {n}, all {count(len(names), *METHOD_NAMES[found.slot])} have the same average rank."
    else:
        of = count(len(names), *METHOD_NAMES[found.slot])
        first = (
            f"Over {n}, {names[0]} has the best average rank of {of}, {ranks[0]:.2f}; {names[-1]} has the "
            f"last, {ranks[-1]:.2f}."
        )
    return first, test_sentences(found)


def missing_sentence(found: OverSets) -> str:
    """Say what must be run before methods can be compared."""
    _, many = METHOD_NAMES[found.slot]
    if len(found.known) < FEWEST_METHODS:
        return (
            f"No two {many} have been run with everything else equal yet. {WHERE[found.slot]}; do that on "
            "several data sets."
        )
    which = f"{listed(found.names)}" if len(found.names) <= FEW else f"All {len(found.names)} {many}"
    if found.sets:
        return (
            f"{which} were run with everything else equal on {found.sets[0].title} only; ranks need a second "
            f"data set, and tests {FEWEST_SETS}. {WHERE[found.slot]}."
        )
    return f"There is no data set on which {which} were run with everything else equal; choose fewer."


def test_sentences(found: OverSets) -> str:
    """Say whether chance explains the ranks, or how many data sets are missing for such a test."""
    ranking, n = found.ranking, len(found.sets)
    if ranking is None:
        return ""
    if not found.tested:
        missing = count(FEWEST_SETS - n, "more is", "more are")
        return (
            f"Tests need {FEWEST_SETS} data sets, {missing} missing: even a method that is best on all {n} "
            f"may owe it to chance (p {2 / 2**n:.2g})."
        )
    friedman = ranking.friedman
    statistic = "infinite" if friedman.f == float("inf") else f"{friedman.f:.2f}"
    sure = friedman.f_p < LEVEL
    differs = "they differ by more than chance explains" if sure else "chance explains the differences"
    return (
        f"Friedman: χ² {friedman.chi_square:.2f}, p {p_text(friedman.chi_square_p)}; Iman and Davenport: "
        f"F {statistic} ({friedman.freedom[0]} and {friedman.freedom[1]} degrees of freedom), "
        f"p {p_text(friedman.f_p)}: {differs}. {nemenyi_sentence(found)}"
    )


def nemenyi_sentence(found: OverSets) -> str:
    """Say which methods cannot be told from the best by their ranks."""
    ranking, names = found.ranking, found.names
    if ranking is None:
        return ""
    difference = ranking.critical_difference
    start = f"Nemenyi (5 %): average ranks that differ by less than {difference:.2f} cannot be told apart"
    worse = [k for k, rank in enumerate(ranking.ranks) if rank - ranking.ranks[0] >= difference]
    if not worse:
        return f"{start}, so {names[0]} is not told from any other."
    if len(worse) == len(names) - 1:
        return f"{start}; {names[0]} is better than all others."
    beaten = listed([names[k] for k in worse]) if len(worse) <= FEW else f"{len(worse)} others"
    return f"{start}; {names[0]} is better than {beaten}."


def left_out_sentence(found: OverSets) -> str:
    """Say which data sets do not count, and why; "" where all do."""
    _, many = METHOD_NAMES[found.slot]
    if not found.left_out:
        return ""
    told_of = [_left_out(each, len(found.methods), many) for each in found.left_out[:MOST_LEFT_OUT]]
    more = len(found.left_out) - len(told_of)
    rest = f"; and {count(more, 'other data set')}" if more > 0 else ""
    return f"Left out: {'; '.join(told_of)}{rest}."


def _left_out(each: LeftOut, n: int, many: str) -> str:
    if not each.lacking:
        return f"{each.title} (all {n} {many} were run, but never with everything else equal)"
    names = listed(each.lacking) if len(each.lacking) <= FEW else f"{len(each.lacking)} of the {many}"
    return f"{each.title} (no run of {names})"


def settings_sentence(found: OverSets) -> str:
    """Say what an error stands for where several settings are known."""
    several = [each.title for each in found.sets if each.n_settings > 1]
    if not several:
        return "Within a data set everything else in the scenarios is equal."
    where = listed(several) if len(several) <= FEW else f"{len(several)} of the data sets"
    return (
        "Within a data set everything else in the scenarios is equal; where several such settings were run "
        f"({where}), an error is their mean."
    )


def pairs_sentence(found: OverSets) -> str:
    """Say which methods the best one beats by paired tests."""
    if not found.tested or not found.pairs:
        return ""
    mine = pairs_of_best(found)
    sure = [found.names[pair.second] for pair in mine if pair.wilcoxon_holm < LEVEL]
    tests = count(len(found.pairs), "pair")
    if not sure:
        return (
            f"Wilcoxon's test, corrected by Holm for {tests}, tells {found.names[0]} from none of the others."
        )
    who = listed(sure) if len(sure) <= FEW else f"{len(sure)} of the {len(mine)} others"
    return f"Wilcoxon's test, corrected by Holm for {tests}, tells {found.names[0]} from {who}."


def pairs_of_best(found: OverSets) -> list[Pair]:
    """Return the pairs of the method with the best rank."""
    return [pair for pair in found.pairs if pair.first == 0]


def ranks_alt(found: OverSets) -> str:
    """Describe the diagram for those who do not see it."""
    ranks: Any = () if found.ranking is None else found.ranking.ranks
    each = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(found.names, ranks, strict=False))
    return f"Average ranks over {count(len(found.sets), 'data set')}: {each}."
