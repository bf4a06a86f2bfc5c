"""Ways to put numeric columns on a common scale. Words become one column per value, see `prepare`."""

import numpy as np

from ecocviz.data.types import Preparation
from ecocviz.engine.params import ChoiceParam
from ecocviz.engine.types import FloatArray

MISSING = ChoiceParam(
    name="missing",
    label="Missing values",
    default="impute",
    options=(
        ("impute", "Fill in median or mode"),
        ("category", "Mark in an extra column"),
        ("drop", "Leave the row out"),
    ),
)


def min_max(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Map the training part of every column to [0, 1].

    Parameters
    ----------
    values : (n_train, n_columns)

    Returns
    -------
    subtract, divide : (n_columns,)

    Examples
    --------
    >>> [part.tolist() for part in min_max(np.array([[2.0], [4.0], [10.0]]))]
    [[2.0], [8.0]]
    """
    low = values.min(axis=0)
    return low, values.max(axis=0) - low


def standardise(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the training part of every column mean 0 and standard deviation 1.

    Parameters
    ----------
    values : (n_train, n_columns)

    Returns
    -------
    subtract, divide : (n_columns,)

    Examples
    --------
    >>> [part.tolist() for part in standardise(np.array([[1.0], [3.0]]))]
    [[2.0], [1.0]]
    """
    # In units of the range, so that squares of very small or large values neither vanish nor overflow.
    low, width = min_max(values)
    unit = (values - low) / width
    return low + unit.mean(axis=0) * width, unit.std(axis=0) * width


def as_is(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Leave the numbers alone.

    Parameters
    ----------
    values : (n_train, n_columns)

    Returns
    -------
    subtract, divide : (n_columns,)
        Zeros and ones.
    """
    return np.zeros(values.shape[1]), np.ones(values.shape[1])


PREPARATION_ENTRIES: tuple[Preparation, ...] = (
    Preparation(
        key="min-max",
        title="Scale to [0, 1]",
        summary="In every column the smallest training value becomes 0, the largest 1.",
        scale=min_max,
        params=(MISSING,),
        order=1,
    ),
    Preparation(
        key="standardise",
        title="Standardise",
        summary="Every column is shifted and scaled to mean 0 and standard deviation 1 on the training rows.",
        scale=standardise,
        params=(MISSING,),
        order=2,
    ),
    Preparation(
        key="as-is",
        title="As it is",
        summary="Numbers stay as they are.",
        scale=as_is,
        params=(MISSING,),
        order=3,
    ),
)
