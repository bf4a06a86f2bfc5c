"""A study measured as a job: cell after cell, each in a process of its own when its turn has come."""

from collections.abc import Sequence

from ecocviz.lab.away import away
from ecocviz.lab.cost import Cost
from ecocviz.lab.evidence.entries import Cell, Paper, Study
from ecocviz.lab.evidence.results import measure_cell
from ecocviz.lab.report import Report

CELL = Cost(seconds=5.0, n_bytes=400_000_000)
"""What a cell of a quick setting takes, about; it is not known of each."""


def measure_here(paper: Paper, study: Study, cells: Sequence[Cell], report: Report) -> None:
    """Measure cells; each is a partial result, (its key, its record), as soon as it is there."""
    for k, cell in enumerate(cells):
        report.note(f"measuring {cell.key}, {k + 1} of {len(cells)}")
        part = report.part(k, len(cells))
        report.add((cell.key, away(CELL, measure_cell, paper.key, study.key, cell, progress=part)))
        report.at((k + 1) / len(cells))
