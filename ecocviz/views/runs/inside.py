"""What a report has of runs beyond their errors: the points of sweeps and studies, and studies' verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ecocviz.lab.evidence.kept import results_of
from ecocviz.lab.evidence.standing import Standing, stand
from ecocviz.lab.store import Store
from ecocviz.lab.store_rows import PAPER, RUN, Run
from ecocviz.views.runs.facts import Kept
from ecocviz.views.runs.points import Points, points_of

MOST_REPORTED = 200
"""Runs of a report."""


@dataclass(frozen=True, slots=True)
class Inside:
    """What is inside a sweep or a study of a paper.

    Attributes
    ----------
    points
        Its points.
    standings
        Of a study: what is judged by it.
    unjudged
        Why nothing is, in a sentence; "" where something is, and of sweeps.
    """

    points: Points
    standings: tuple[Standing, ...] = ()
    unjudged: str = ""


def inside_of(store: Store, chosen: Sequence[Kept], owner: str | None) -> Mapping[int, Inside]:
    """Read the points of those runs that have a report of their own, by their numbers.

    Raises ValueError with a sentence where there are too many runs for a report.
    """
    if len(chosen) > MOST_REPORTED:
        raise ValueError(
            f"A report has {MOST_REPORTED} runs at most, not {len(chosen):,}: choose fewer, or export them."
        )
    return {one.run.id: _inside(store, one.run, owner) for one in chosen if one.run.kind != RUN}


def _inside(store: Store, run: Run, owner: str | None) -> Inside:
    points = points_of(store, run, owner)
    if run.kind != PAPER:
        return Inside(points)
    try:
        paper, results = results_of(run, store.points(run.id, owner))
    except ValueError as why:
        return Inside(points, unjudged=str(why))
    exhibits = [each for each in paper.exhibits if each.study.key == results.study]
    return Inside(points, tuple(stand(paper, exhibit, results) for exhibit in exhibits))
