"""What the Papers view shows: every exhibit with its verdict, and of the chosen one its drawings."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ecocviz.engine.params import ChoiceParam, TextParam
from ecocviz.lab.evidence.drawings import Drawing, Opens, Panels, Ranks, Table
from ecocviz.lab.evidence.entries import Paper, Record, Setting, Study
from ecocviz.lab.evidence.results import Results, digest_of, gather, measured, to_json
from ecocviz.lab.evidence.standing import Standing, stand, standings
from ecocviz.lab.selection import DIGITS, KEYS

PAPER = TextParam(name="paper", label="Shown paper", default="", alphabet=f"{KEYS}{DIGITS}", max_length=60)
EXHIBIT = TextParam(
    name="exhibit", label="Shown exhibit", default="", alphabet=f"{KEYS}{DIGITS}", max_length=60
)
"""Keys; the first there is where they are "", or name none."""
NUMBERS = ChoiceParam(
    name="numbers",
    label="Shown numbers",
    default="shipped",
    options=(("shipped", "those that ship"), ("here", "measured here")),
)
SELECTION = (PAPER, EXHIBIT, NUMBERS)


def all_standings(papers: Mapping[str, Paper]) -> tuple[Standing, ...]:
    """Judge every exhibit by the results that ship."""
    return tuple(standings(papers.values()))


def chosen(stands: Sequence[Standing], paper: str, exhibit: str) -> Standing | None:
    """Return the exhibit of these keys; the paper's first, or the first of all, where there is none."""
    of_paper = [each for each in stands if each.paper.key == paper] or stands
    named = [each for each in of_paper if each.exhibit.key == exhibit] or of_paper
    return named[0] if named else None


# Drawings --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """An exhibit's drawings of some results.

    Attributes
    ----------
    content
        A digest of what they are made of.
    drawings
        As the exhibit draws them.
    """

    content: str
    drawings: tuple[Drawing, ...]


def content_of(results: Results) -> str:
    """Return a digest of results."""
    return hashlib.sha256(to_json(results).encode()).hexdigest()[:16]


def draw_exhibit(standing: Standing, results: Results, *, whole: bool = True) -> Shown:
    """Draw an exhibit; of a part of the results, `whole=False`, what can be drawn of it.

    Parameters
    ----------
    standing
        Names the exhibit.
    results
        Of its study.
    whole
        Whether they have all cells.
    """
    exhibit, found = standing.exhibit, measured(standing.exhibit.study, results)
    drawings: Sequence[Drawing] = ()
    if whole:
        drawings = exhibit.draw(found)
    else:
        with suppress(Exception):  # an exhibit is made for all its cells: fewer may be too few for it
            drawings = exhibit.draw(found)
    return Shown(content_of(results), tuple(drawings))


def places(drawing: Drawing) -> Iterator[Opens | None]:
    """Go through what the points of a drawing open, in the order in which figures number them."""
    if isinstance(drawing, Panels):
        yield from (point.opens for panel in drawing.panels for line in panel.lines for point in line.points)
    elif isinstance(drawing, Table):
        yield from (entry.opens for _, entries in drawing.rows for entry in entries)
    elif isinstance(drawing, Ranks):
        yield from drawing.opens
    elif drawing.cells:
        yield from (opens for row in drawing.cells for opens in row)
    else:
        yield from (drawing.opens for row in drawing.values for _ in row)


def opens_at(drawing: Drawing, number: int) -> Opens | None:
    """Return what a point of a drawing opens, by its number; None where it opens nothing."""
    found = list(places(drawing))
    return found[number] if 0 <= number < len(found) else None


# Measured here ---------------------------------------------------------------------------------------


def job_key(paper: Paper, study: Study) -> tuple[str, ...]:
    """Return what a quick measurement depends on."""
    return ("papers", paper.key, study.key, digest_of(study, Setting.QUICK))


def here_results(standing: Standing, records: Mapping[str, Record], date: str) -> Results:
    """Return what was measured here as results."""
    return gather(standing.paper, standing.exhibit.study, Setting.QUICK, records, date)


def stand_here(standing: Standing, results: Results) -> Standing:
    """Judge an exhibit by what was measured here."""
    return stand(standing.paper, standing.exhibit, results)
