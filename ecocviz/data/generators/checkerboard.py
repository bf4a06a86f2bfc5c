"""Checkerboard: every class lives in many squares."""

import numpy as np

from ecocviz.data.generators._shared import (
    IMBALANCE,
    LABEL_NOISE,
    class_sizes,
    finish,
    generator,
    n_classes_param,
    n_samples_param,
    overlap_param,
)
from ecocviz.data.types import Table
from ecocviz.engine.params import IntParam
from ecocviz.engine.types import IntArray


def _squares(n_classes: int, n_squares: int) -> IntArray:
    """Return the class of each square, (n_squares, n_squares); squares that share a side differ."""
    column, row = np.meshgrid(np.arange(n_squares), np.arange(n_squares))
    # A row moves on by one class up to three classes, by two beyond: neighbours then always differ.
    return (column + (1 if n_classes <= 3 else 2) * row) % n_classes


def checkerboard(
    *,
    n_samples: int,
    n_classes: int,
    n_squares: int,
    overlap: float,
    imbalance: float,
    label_noise: float,
    seed: int,
) -> Table:
    """Draw uniform points in the squares of a board over [-1, 1] x [-1, 1].

    Parameters
    ----------
    n_squares
        Squares along one side.
    overlap
        Twice the standard deviation of a scatter added after the label is given, in squares.
    """
    rng = np.random.default_rng(seed)
    squares = _squares(n_classes, n_squares)
    codes = np.repeat(np.arange(n_classes), class_sizes(n_samples, n_classes, imbalance))
    corners = np.empty((n_samples, 2))
    for c in range(n_classes):
        homes = np.argwhere(squares == c)
        members = codes == c
        corners[members] = homes[rng.integers(len(homes), size=int(members.sum()))][:, ::-1]
    places = corners + rng.uniform(0, 1, corners.shape) + 0.5 * overlap * rng.standard_normal(corners.shape)
    return finish("Checkerboard", 2 * places / n_squares - 1, codes, label_noise, rng)


DATASET = generator(
    "checkerboard",
    "Checkerboard",
    "Squares of a board; each class has many separate squares.",
    checkerboard,
    (
        n_samples_param(400),
        n_classes_param(2, high=6),
        IntParam(name="n_squares", label="Squares per side", default=4, low=3, high=8),
        overlap_param(0.1),
        IMBALANCE,
        LABEL_NOISE,
    ),
    order=6,
)
