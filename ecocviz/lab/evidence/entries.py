"""What a paper's file holds: studies (what is measured) and exhibits (figures, tables and claims made of it).

A study is a list of independent cells. The records of its cells are all that exhibits are made of: drawings
in the paper's form, statements that hold or not, and the verdict on them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeAlias

from ecocviz.engine.progress import Progress
from ecocviz.engine.references import Reference
from ecocviz.lab.evidence.drawings import Drawing

Record: TypeAlias = Mapping[str, Any]
"""What was measured of one cell: words, numbers, lists and mappings of them, as JSON has them."""


class Setting(StrEnum):
    """How large a study is."""

    QUICK = "quick"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Cell:
    """One piece of a study; the same cell always gives the same record, times apart.

    Attributes
    ----------
    key
        Its name within the study, such as "glass/one-vs-all/3".
    about
        All that measuring it needs, as JSON has it.
    """

    key: str
    about: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """A cell and what was found there."""

    cell: Cell
    record: Record


def grouped(found: Iterable[Measured], *names: str) -> dict[Any, list[Measured]]:
    """Put together the cells that are about the same: the value of one name, or those of several, -> cells.

    >>> found = [Measured(Cell(f"{k}", {"set": "iris", "seed": k}), {}) for k in range(2)]
    >>> [(key, len(cells)) for key, cells in grouped(found, "set").items()]
    [('iris', 2)]
    """
    groups: dict[Any, list[Measured]] = {}
    for each in found:
        groups.setdefault(itemgetter(*names)(each.cell.about), []).append(each)
    return groups


def nearest(value: float, values: Sequence[float]) -> int:
    """Return the number of the value that comes nearest to another, of equals the first.

    >>> nearest(2.0, [5.0, 1.0, 3.0])
    1
    """
    return min(range(len(values)), key=lambda k: abs(values[k] - value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What is measured.

    Attributes
    ----------
    key
        Its name within the paper.
    cells
        Setting -> its cells.
    measure
        Measures one cell; of the top level of a module, since other processes may call it.
    timed
        Whether its records are times, so that nothing may run beside it.
    needs
        Asked before: a sentence where this computer cannot measure it (stored results are shown then).
    """

    key: str
    cells: Callable[[Setting], Sequence[Cell]]
    measure: Callable[[Cell, Progress], Record]
    timed: bool = False
    needs: Callable[[], str | None] = lambda: None


@lru_cache(maxsize=128)
def cells_of(study: Study, setting: Setting) -> tuple[Cell, ...]:
    """Return a study's cells, made once in a process; at most those of 64 studies are kept."""
    return tuple(study.cells(setting))


class Word(StrEnum):
    """The verdict in a word."""

    AGREES = "agrees"
    PARTLY = "partly"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a claim that can be counted: it holds where `held` is at least the share `least` of `of`.

    >>> Statement("is the best", 3, 4, least=0.75).holds
    True
    """

    text: str
    held: int
    of: int
    least: float = 0.8

    @property
    def holds(self) -> bool:
        """Whether it was true often enough."""
        return self.of > 0 and self.held >= self.least * self.of

    def __str__(self) -> str:
        return f"{self.text}: {self.held} of {self.of}"


def count(text: str, truths: Iterable[object], least: float = 0.8) -> Statement:
    """Return the statement that counts how many of some truths hold.

    >>> str(count("is even", [True, False, True]))
    'is even: 2 of 3'
    """
    held = [bool(truth) for truth in truths]
    return Statement(text, sum(held), len(held), least)


def word_of(statements: Sequence[Statement]) -> Word:
    """Judge a claim by its statements: all hold, some hold, none holds.

    Examples
    --------
    >>> word_of([Statement("a", 9, 10), Statement("b", 1, 10)]).value
    'partly'
    """
    if not statements:
        raise ValueError("A claim without statements cannot be judged.")
    n_held = sum(statement.holds for statement in statements)
    if n_held == len(statements):
        return Word.AGREES
    return Word.PARTLY if n_held else Word.DIFFERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """A figure, a table or a claim of a paper.

    Attributes
    ----------
    key, title
        Its name in links and on the command line, such as "figure-2", and as the paper has it.
    claim
        What the paper says, in one sentence.
    protocol
        How it is measured, a sentence each.
    deviations
        Where that is not the paper's way, or the paper does not say, a sentence each.
    study
        What is measured.
    judge
        Makes statements of the records; what share each needs is part of the rule and is never fitted.
    rule
        The same in words: what must hold for "agrees".
    draw
        Makes drawings of the records, ours beside the paper's numbers where it prints them.
    why
        Makes of the records a sentence or two that say why it differs, as far as is known; "" if nothing is.
    """

    key: str
    title: str
    claim: str
    protocol: tuple[str, ...]
    deviations: tuple[str, ...] = ()
    study: Study
    judge: Callable[[Sequence[Measured]], Sequence[Statement]]
    rule: str
    draw: Callable[[Sequence[Measured]], Sequence[Drawing]]
    why: Callable[[Sequence[Measured]], str] = lambda _: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A publication and its exhibits.

    Attributes
    ----------
    key
        Its name in links and on the command line, such as "passerini-2004".
    title
        What it is about, in a few words.
    reference
        The publication; None for questions of our own.
    exhibits
        In the order in which it prints them.
    group
        Where lists put it.
    order
        Its place there.
    """

    key: str
    title: str
    reference: Reference | None
    exhibits: tuple[Exhibit, ...]
    group: str = "The five papers"
    order: int = 100

    def __post_init__(self) -> None:
        for names in ([e.key for e in self.exhibits], [s.key for s in self.studies]):
            if len(set(names)) < len(names):
                raise ValueError(f"{self.key}: a key comes twice in {names}")

    @property
    def name(self) -> str:
        """How lists name it: by authors, year and what it is about."""
        if self.reference is None:
            return self.title
        return f"{self.reference.short}: {self.title[:1].lower()}{self.title[1:]}"

    @property
    def studies(self) -> tuple[Study, ...]:
        """What is measured for it, each once."""
        found = {id(exhibit.study): exhibit.study for exhibit in self.exhibits}
        return tuple(found.values())
