"""A study measured as a job: cell after cell, each in a process of its own when its turn has come."""

from ecocviz.lab.away import away
from ecocviz.lab.cost import Cost
from ecocviz.lab.evidence.entries import Paper, Setting, Study
from ecocviz.lab.evidence.kept import KeptStudy
from ecocviz.lab.evidence.results import measure_cell
from ecocviz.lab.report import Report

CELL = Cost(seconds=5.0, n_bytes=400_000_000)
"""What a cell of a quick setting takes, about; it is not known of each."""


def measure_here(paper: Paper, study: Study, report: Report) -> None:
    """Measure the quick setting; each cell is a partial result, (its key, its record), once it is there.

    What was measured before, here or by `ecocviz paper`, is there at once.
    """
    cells = study.cells(Setting.QUICK)
    kept, state = KeptStudy(paper, study, Setting.QUICK, cells), "stopped"
    try:
        for key, record in kept.records.items():
            report.add((key, record))
        for k, cell in enumerate(cells):
            if cell.key not in kept.records:
                report.note(f"measuring {cell.key}, {k + 1} of {len(cells)}")
                part = report.part(k, len(cells))
                kept.add(cell.key, away(CELL, measure_cell, paper.key, study.key, cell, progress=part))
                report.add((cell.key, kept.records[cell.key]))
            report.at((k + 1) / len(cells))
        state = "done"
    except ValueError:
        state = "failed"
        raise
    finally:
        kept.end(state)
