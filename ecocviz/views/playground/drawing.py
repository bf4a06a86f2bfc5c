"""Points drawn in the browser: checked, kept as an upload, and made the scenario's data."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ecocviz.data import uploads
from ecocviz.data.writers import write_csv
from ecocviz.lab.catalogue import DEFAULTS
from ecocviz.lab.run import fixed_code
from ecocviz.lab.scenario import Scenario

NAME = "drawn.csv"
AXES = ("x1", "x2")
LABEL = "class"
MAX_BRUSHES, MAX_DRAWN = 10, 2_000
"""Classes and points that can be drawn; the browser is told both."""
SPARED_ROWS, SPARED_OF_CLASS = 30, 4
"""With fewer rows, or fewer of some class, a test part would be left to chance."""


def read_points(event: object) -> pd.DataFrame:
    """Return drawn points as a table; raise ValueError with a sentence where they are no data set.

    Parameters
    ----------
    event
        What the browser sent: {"points": [[x, y, class], ...]} with x and y in [0, 1].

    Examples
    --------
    >>> read_points({"points": [[0.5, 0.25, 0], [1, 0, 1]]})
        x1    x2 class
    0  0.5  0.25     A
    1  1.0  0.00     B
    """
    points = event.get("points") if isinstance(event, dict) else None
    if isinstance(points, list) and len(points) > MAX_DRAWN:
        raise ValueError(
            f"The drawing has {len(points):,} points but at most {MAX_DRAWN:,} are accepted; erase some."
        )
    if not isinstance(points, list) or not all(map(_is_point, points)):
        raise ValueError("Part of the drawing was lost on the way; draw it again.")
    labels = [chr(ord("A") + point[2]) for point in points]
    if len(set(labels)) < 2:
        raise ValueError("Points of at least two classes are needed; draw some of another class.")
    x, y = (np.array([point[axis] for point in points], dtype=np.float64) for axis in (0, 1))
    return pd.DataFrame({AXES[0]: x, AXES[1]: y, LABEL: labels})


def _is_point(point: object) -> bool:
    if not isinstance(point, list) or len(point) != 3:
        return False
    x, y, c = point
    placed = all(type(v) in (int, float) and 0 <= v <= 1 for v in (x, y))
    return placed and type(c) is int and 0 <= c < MAX_BRUSHES


def drawn_scenario(scenario: Scenario, frame: pd.DataFrame, session: str = "") -> Scenario:
    """Keep drawn points as an upload and return the scenario with them as data.

    A split that cannot be meant for them gives way: the own split of another set to a hold-out, any
    to training on everything where a class has too few points to spare some. A code that is not made
    for so many classes gives way to the default one.
    """
    digest = uploads.keep(write_csv(frame).encode(), NAME, LABEL, session=session)
    changed = scenario.chosen("data", uploads.UPLOAD.key, digest=digest)
    counts = frame[LABEL].value_counts().tolist()
    split = fitting_split(scenario.split.key, counts)
    if split != scenario.split.key:
        changed = changed.chosen("split", split)
    try:
        fixed_code(changed, len(counts))
    except ValueError:
        changed = changed.chosen("coding", DEFAULTS["coding"])
    return changed


def fitting_split(split: str, counts: Sequence[int]) -> str:
    """Return the split that suits so many points of each class.

    >>> fitting_split("k-fold", [20, 20]), fitting_split("own", [20, 20]), fitting_split("own", [2, 90])
    ('k-fold', 'hold-out', 'all')
    """
    if sum(counts) < SPARED_ROWS or min(counts) < SPARED_OF_CLASS:
        return "all"
    return "hold-out" if split == "own" else split
