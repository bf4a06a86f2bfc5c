"""What the Runs page shows: kept runs as a list, a few of them side by side, the points of one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

import ecocviz
from ecocviz.data.catalogue import DATASETS
from ecocviz.engine.analysis.statistics import wilson_interval
from ecocviz.engine.params import ChoiceParam, IntParam, TextParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.scenario import Choice, Scenario, from_flat
from ecocviz.lab.selection import DIGITS, KEYS, LOWER, Selection
from ecocviz.lab.store import Store
from ecocviz.lab.store_looks import points_of_runs, some_runs, totals
from ecocviz.lab.store_rows import DONE, KINDS, PAPER, RUN, SWEEP, Run

FIND = TextParam(
    name="find",
    label="Text to find",
    default="",
    alphabet=f"{LOWER}{LOWER.upper()}{DIGITS}-_.~%",
    max_length=300,
)
"""Words that runs must hold, written as in an address."""
OFSET = TextParam(name="ofset", label="Data set of the runs", default="", alphabet=KEYS, max_length=60)
OFKIND = ChoiceParam(
    name="ofkind",
    label="Kind of run",
    default="all",
    options=(("all", "All"), (RUN, "Single scenarios"), (SWEEP, "Sweeps"), (PAPER, "Papers' studies")),
)
KEPT, RECENT, ALL = "kept", "recent", "all"
OFLIST = ChoiceParam(
    name="oflist", label="List", default="", options=tuple((key, key) for key in ("", KEPT, RECENT, ALL))
)
"""Which runs by why they are there; "" for those that are kept if there are any, else the recent ones."""
PINNED = ChoiceParam(name="pinned", label="Pinned only", default="0", options=(("0", "no"), ("1", "yes")))
OLDER = IntParam(name="older", label="Pages back", default=0, low=0, high=100_000)
CHOSEN = TextParam(name="chosen", label="Chosen runs", default="", alphabet=f"{DIGITS}.", max_length=1_200)
"""Numbers of runs, dot-separated."""
METHOD = ChoiceParam(
    name="method",
    label="Compared over data sets",
    default="decoding",
    options=(
        ("decoding", "Decoders"),
        ("coding", "Codes"),
        ("machine", "Machines"),
        ("reduction", "Reductions"),
    ),
)
METHODS = TextParam(
    name="methods", label="Methods compared", default="", alphabet=f"{DIGITS}abcdef.", max_length=400
)
"""Which of them, by short digests, dot-separated; "" for those with the most data sets."""

SELECTION = (FIND, OFSET, OFKIND, OFLIST, PINNED, OLDER, CHOSEN, METHOD, METHODS)

PER_PAGE = 100
MOST_COMPARED = 8
MEASURES = ("test", "train")

# What is asked for -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """Which runs are listed: of whom, with what in them, of which list, and how many pages back."""

    owner: str | None
    text: str
    data: str
    kind: str
    pinned: bool
    page: int
    list: str
    chosen: tuple[int, ...]  # in every list: what is done with them takes none out of sight

    def narrows(self) -> bool:
        """Say whether not all runs are asked for."""
        return bool(self.text.strip() or self.data or self.kind or self.pinned)


def asked(selection: Selection, owner: str | None) -> Asked:
    """Return what a link asks for."""
    kind = selection[OFKIND] if selection[OFKIND] in KINDS else ""
    text, pinned, chosen = text_of(selection[FIND]), selection[PINNED] == "1", numbers_in(selection[CHOSEN])
    return Asked(owner, text, selection[OFSET], kind, pinned, selection[OLDER], selection[OFLIST], chosen)


def text_of(field: str) -> str:
    """Return the text that a field holds.

    >>> text_of(field_of("a b ü")), field_of("a b")
    ('a b ü', 'a%20b')
    """
    return unquote(field)


def field_of(text: str) -> str:
    """Write a text as the field holds it, cut where it is too long."""
    written = quote(text, safe="")
    while len(written) > FIND.max_length:
        text = text[:-1]
        written = quote(text, safe="")
    return written


def numbers_in(field: str) -> tuple[int, ...]:
    """Return the numbers of runs in a link's field, each once.

    >>> numbers_in("3.17.3..")
    (3, 17)
    """
    return tuple(dict.fromkeys(int(part) for part in field.split(".") if part and len(part) < 16))


def field_with(numbers: Sequence[int]) -> str:
    """Write numbers of runs as a field holds them, the first ones where there is no room for all.

    >>> field_with([3, 17])
    '3.17'
    """
    written = ".".join(map(str, numbers))
    return written if len(written) <= CHOSEN.max_length else written[: CHOSEN.max_length].rpartition(".")[0]


# What is kept ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Count:
    """How many points are decided wrongly, of how many."""

    wrong: int
    n: int

    @property
    def error(self) -> float:
        """Share of points decided wrongly."""
        return self.wrong / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of it."""
        return wilson_interval(self.wrong, self.n)


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept run, with what it measured.

    Attributes
    ----------
    run
        As the store has it.
    scenario
        Of a single scenario's run; of a sweep the one that it begins from; None for a paper's study.
    test, train
        Errors of a single scenario's run, None where they are not known.
    more
        What else is kept of it, by what it is: bounds, its bits, its code.
    """

    run: Run
    scenario: Scenario | None
    test: Count | None = None
    train: Count | None = None
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What it is called: text from outside, if somebody has named it."""
        return self.run.name or self.run.title


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the list.

    Attributes
    ----------
    asked
        What was asked for.
    runs
        The last used first.
    more
        Whether older ones follow.
    n_all, counts
        How many runs there are in all, and in each list.
    sets
        Keys of the data sets that occur in any.
    """

    asked: Asked
    runs: tuple[Kept, ...]
    more: bool
    n_all: int
    counts: Mapping[str, int]
    sets: tuple[str, ...]


def list_runs(store: Store, asked: Asked) -> Listed:
    """Read a page of the list, the first if there is none such; raise ValueError where the store fails."""
    whole = totals(store, asked.owner)
    counts = {KEPT: whole.n_runs - whole.n_recent, RECENT: whole.n_recent, ALL: whole.n_runs}
    asked = replace(asked, list=asked.list or (KEPT if counts[KEPT] else RECENT))
    found = store.runs(
        asked.owner,
        kind=asked.kind or None,
        data=asked.data or None,
        text=asked.text,
        pinned=True if asked.pinned else None,
        recent=None if asked.list == ALL else asked.list == RECENT,
        beside=asked.chosen,
        limit=PER_PAGE + 1,
        skip=PER_PAGE * asked.page,
    )
    if asked.page and not found:  # a link from before runs were deleted, or narrowed
        return list_runs(store, replace(asked, page=0))
    known = tuple(key for key in DATASETS if key in whole.sets)
    return Listed(asked, read(store, found[:PER_PAGE]), len(found) > PER_PAGE, whole.n_runs, counts, known)


def find_runs(store: Store, numbers: Sequence[int], owner: str | None) -> tuple[Kept, ...]:
    """Return those of the chosen runs that are there, in the order in which they were chosen."""
    found = some_runs(store, numbers, owner)
    return read(store, [found[number] for number in numbers if number in found])


def read(store: Store, runs: Sequence[Run]) -> tuple[Kept, ...]:
    """Return runs with what they measured."""
    measured = points_of_runs(store, [run.id for run in runs if run.kind == RUN])
    return tuple(_kept(run, measured.get(run.id, {})) for run in runs)


def _kept(run: Run, points: Mapping[str, Mapping[str, Any]]) -> Kept:
    test, train = (count_of(points.get(measure)) for measure in MEASURES)
    more = {name: record for name, record in points.items() if name not in MEASURES}
    return Kept(run, scenario_of(run), test, train, more)


def count_of(record: object) -> Count | None:
    """Return the error that a record holds, None where it holds none."""
    if not isinstance(record, Mapping):
        return None
    wrong, n = record.get("wrong"), record.get("points")
    return Count(wrong, n) if isinstance(wrong, int) and isinstance(n, int) and 0 <= wrong <= n > 0 else None


def scenario_of(run: Run) -> Scenario | None:
    """Return the scenario that a run is about; None where there is none, or this version cannot read it."""
    flat = run.about.get("scenario")
    return read_scenario(json.dumps(flat)) if isinstance(flat, Mapping) else None


def study_fields(run: Run) -> dict[str, str]:
    """Return what a study of a paper is opened by on Papers: its own numbers where they are all there."""
    paper, study = str(run.about.get("paper")), run.about.get("study")
    exhibits = PAPERS[paper].exhibits if paper in PAPERS else ()
    exhibit = next((each.key for each in exhibits if each.study.key == study), "")
    quick = run.about.get("setting") == "quick" and run.state == DONE and run.version == ecocviz.__version__
    return {"paper": paper, "exhibit": exhibit, "numbers": "here" if quick else "shipped"}


@lru_cache(maxsize=4096)
def read_scenario(flat: str) -> Scenario | None:
    """Read a scenario's flat text form from JSON; None where this version cannot."""
    scenario, problems = from_flat({str(name): str(value) for name, value in json.loads(flat).items()})
    return None if problems else scenario


# Side by side ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """A field in which scenarios differ.

    Attributes
    ----------
    slot, name
        The slot, and the parameter, "" for the choice itself; "seed" and "" for the seed.
    values
        What each scenario has there, None where its choice has no such parameter.
    """

    slot: str
    name: str
    values: tuple[Any, ...]


def differences(scenarios: Sequence[Scenario]) -> tuple[Difference, ...]:
    """Return the fields in which scenarios differ, in the order in which a scenario is told.

    A parameter that only some of their choices have counts where it has another value than usual.
    """
    found = []
    for slot in SLOTS:
        choices: list[Choice] = [getattr(scenario, slot) for scenario in scenarios]
        names = dict.fromkeys(name for choice in choices for name in choice.values)
        found.append(Difference(slot, "", tuple(choice.key for choice in choices)))
        found += [
            Difference(slot, name, tuple(choice.values.get(name) for choice in choices))
            for name in names
            if any(not _usual(slot, choice, name) for choice in choices)
        ]
    found.append(Difference("seed", "", tuple(scenario.seed for scenario in scenarios)))
    return tuple(one for one in found if len(set(one.values)) > 1)


def _usual(slot: str, choice: Choice, name: str) -> bool:
    """Say whether a choice leaves a parameter as it is, or has no such parameter."""
    defaults = {param.name: param.default for param in SLOTS[slot][choice.key].params}
    return name not in defaults or choice.values[name] == defaults[name]


def same_test(runs: Sequence[Kept]) -> bool:
    """Say whether runs were tested on the very same points."""
    fields = ("data", "split", "seed")
    tested = {
        tuple(getattr(one.scenario, field) for field in fields) for one in runs if one.scenario is not None
    }
    return len(tested) == 1
