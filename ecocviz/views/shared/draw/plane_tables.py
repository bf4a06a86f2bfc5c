"""Planes as tables: what everybody decides in every cell and at every point."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import pandas as pd

from ecocviz.lab.plane import Plane
from ecocviz.lab.regions import Points, Regions
from ecocviz.views.shared.draw.outside import told_apart
from ecocviz.views.shared.draw.plane_pixels import left

NOT_DECIDED = "(not decided)"


def cells_table(regions: Regions, titles: Sequence[str], classes: Sequence[str]) -> pd.DataFrame:
    """Return the cells of a plane, where they are and what everybody decides there, a column a title."""
    cells = regions.plane.cells(regions.n)
    undecided = (left(regions, k) for k in range(len(titles)))
    told = _told(regions.labels, undecided, classes)
    return _table([*regions.plane.names, *titles], [cells[:, 0], cells[:, 1], *told])


def points_table(points: Points, plane: Plane, titles: Sequence[str], classes: Sequence[str]) -> pd.DataFrame:
    """Return the points: where they are, what they are, and what everybody decides, a column a title."""
    known = np.asarray(classes, dtype=object)
    undecided = repeat(None) if points.undecided is None else points.undecided
    told = _told(points.labels[: len(titles)], undecided, classes)
    own = [known[points.truth], np.where(points.is_test, "test", "train")]
    places = [points.coordinates[:, 0], points.coordinates[:, 1]]
    return _table([*plane.names, "class", "part", *titles], [*places, *own, *told])


def _told(labels: Any, undecided: Any, classes: Sequence[str]) -> Iterator[Any]:  # noqa: ANN401 - rows of arrays
    """Yield the classes that everybody names, (n,) each, and a remark where nobody is to be named."""
    known = np.asarray(classes, dtype=object)
    for own, cells in zip(labels, undecided, strict=False):
        yield known[own] if cells is None else np.where(cells, NOT_DECIDED, known[own])


def _table(heads: Sequence[str], columns: Sequence[Any]) -> pd.DataFrame:
    """Return a table; names that would look alike are numbered."""
    return pd.DataFrame(dict(zip(told_apart(heads), columns, strict=True)))
