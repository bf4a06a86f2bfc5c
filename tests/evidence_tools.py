"""What tests of papers share: cells that are measured, records made by hand, and every point that opens."""

from dataclasses import replace

import pytest

from ecocviz.data.prepare import folds
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.drawings import Entry, Panels, Point, Ranks, Table
from ecocviz.lab.evidence.entries import Measured, Setting, word_of
from ecocviz.lab.evidence.results import measured, shipped


def exhibits_of(paper):
    """Return the exhibits of a paper by their keys."""
    return {exhibit.key: exhibit for exhibit in PAPERS[paper].exhibits}


def opening(drawings):
    """Yield the points and entries of drawings that open a scenario."""
    for drawing in drawings:
        if isinstance(drawing, Panels):
            yield from (p for panel in drawing.panels for line in panel.lines for p in line.points if p.opens)
        elif isinstance(drawing, Table):
            yield from (e for _, entries in drawing.rows for e in entries if e.opens)


def value(point: Point | Entry) -> float | str | None:
    """Return our number of a point or an entry."""
    return point.y if isinstance(point, Point) else point.ours


def shipped_results(paper, study):
    """Return the results of a study that ship."""
    return shipped(PAPERS[paper], study) or pytest.skip("nothing ships of it")


def shipped_records(paper, study):
    """Return the records of a study that ship."""
    return measured(study, shipped_results(paper, study))


def numbers(drawing):
    """Return the row's or line's name and our number of every place, in the order of `places`."""
    if isinstance(drawing, Panels):
        return [(line.name, p.y) for panel in drawing.panels for line in panel.lines for p in line.points]
    if isinstance(drawing, Table):
        ours = [(name, entry) for name, entries in drawing.rows for entry in entries]
        return [(name, entry.theirs if entry.ours is None else entry.ours) for name, entry in ours]
    if isinstance(drawing, Ranks):
        return list(zip(drawing.names, drawing.ranks, strict=True))
    return [(name, value) for name, row in zip(drawing.rows, drawing.values, strict=True) for value in row]


def by_hand(cells, record_of):
    """Return records of cells without measuring them."""
    return tuple(Measured(cell, record_of(cell)) for cell in cells)


def measure_quick(study, *keys):
    """Measure some cells of the quick setting."""
    cells = [cell for cell in study.cells(Setting.QUICK) if cell.key in keys]
    return by_hand(cells, lambda cell: study.measure(cell, NO_PROGRESS))


def folds_within(table, rows, n_folds, seed):
    """Cut rows as a table of their own is cut; return (training rows, test rows) of each fold."""
    part = replace(table, features=table.features.iloc[rows], labels=table.labels.iloc[rows])
    return [(rows[f.train], rows[f.test]) for f in folds(part, "k-fold", {"n_folds": n_folds}, seed)]


def standardised(X, train, test):
    """Standardise by the training rows."""
    mean, spread = X[train].mean(axis=0), X[train].std(axis=0)
    return (X[train] - mean) / spread, (X[test] - mean) / spread


def judge_of(paper):
    """Return what judges an exhibit by what was found, or by records of all cells by hand: `found(cell)`."""

    def word(key, found):
        exhibit = exhibits_of(paper)[key]
        records = by_hand(exhibit.study.cells(Setting.FULL), found) if callable(found) else found
        return word_of(exhibit.judge(records)).value

    return word
