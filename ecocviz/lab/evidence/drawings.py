"""How an exhibit looks, as records that know no plotting: panels, tables, ranks, heatmaps."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from ecocviz.lab.scenario import Scenario


class Page(StrEnum):
    """Where a scenario is opened."""

    PLAYGROUND = "playground"
    BITS = "bits"
    MODEL_SELECTION = "model_selection"
    RELATIONS = "relations"
    CODE_MATRIX = "code_matrix"


@dataclass(frozen=True, slots=True)
class Opens:
    """A scenario, and the page that shows what the point is about.

    Attributes
    ----------
    scenario, page
        What is opened, and where.
    differs
        What it is beside what the point shows, as a phrase after "opens"; "" where it is exactly that.
    """

    scenario: Scenario
    page: Page = Page.PLAYGROUND
    differs: str = ""

    @property
    def what(self) -> str:
        """What is opened, as a phrase."""
        return self.differs or EXACTLY

    def but(self, *more: str) -> "Opens":
        """Return the same with more that differs; what is "" adds nothing.

        >>> from ecocviz.lab.scenario import make_scenario
        >>> Opens(make_scenario(), differs="the first split").but("", "with all rows").differs
        'the first split, with all rows'
        """
        return replace(self, differs=", ".join(filter(None, (self.differs, *more))))

    def which(self, one: str) -> "Opens":
        """Return the same with what says first which one of several it is."""
        return replace(self, differs=one).but(self.differs)

    def first_of(self, n: int, what: str) -> "Opens":
        """Return the same as the first of several; of one it is the same.

        >>> from ecocviz.lab.scenario import make_scenario
        >>> Opens(make_scenario()).first_of(3, "splits").differs
        'the first of 3 splits, whose mean is shown'
        """
        return self.but(f"the first of {n} {what}, whose mean is shown" if n > 1 else "")


EXACTLY = "exactly what was measured"


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a line or one bar.

    Attributes
    ----------
    x, y
        Where it is; a word as `x` makes the axis one of words.
    low, high
        The ends of its interval, None where there is none.
    opens
        What a click on it opens, None where no scenario comes near it.
    note
        More about it, shown where one points at it.
    """

    x: float | str
    y: float
    low: float | None = None
    high: float | None = None
    opens: Opens | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Points under one name; `theirs` where they are the paper's."""

    name: str
    points: tuple[Point, ...]
    theirs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes; bars stand beside each other, lines join their points."""

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    log_x: bool = False
    log_y: bool = False
    bars: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panels:
    """Panels side by side, with one legend."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One place of a table: our number and the paper's, or a word.

    `digits` after the point; `best` where it is the best of its row.
    """

    ours: float | str | None
    theirs: float | str | None = None
    opens: Opens | None = None
    digits: int = 2
    best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under columns; the first column names the rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Entry, ...]], ...]
    unit: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Average ranks of methods over data sets: a critical-difference diagram.

    Attributes
    ----------
    names, ranks
        Of each method; 1 is best.
    critical_difference
        Ranks that differ by less cannot be told apart (Nemenyi, 5 %).
    n_sets
        Data sets.
    opens
        What a click on each method opens; none where nothing is opened.
    """

    title: str
    names: tuple[str, ...]
    ranks: tuple[float, ...]
    critical_difference: float
    n_sets: int
    note: str = ""
    opens: tuple[Opens | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heatmap:
    """Values from `low` to `high` for pairs of names.

    One scenario, `opens`, is behind all of it, or one of its own, `cells`, behind each value.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    low: float
    high: float
    opens: Opens | None = None
    cells: tuple[tuple[Opens | None, ...], ...] = ()


Drawing: TypeAlias = Panels | Table | Ranks | Heatmap
