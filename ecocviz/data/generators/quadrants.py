"""Quadrants: the four quadrants of a square, the timing problem of Crammer and Singer."""

import numpy as np

from ecocviz.data.generators._shared import (
    IMBALANCE,
    LABEL_NOISE,
    class_sizes,
    finish,
    generator,
    n_samples_param,
    overlap_param,
)
from ecocviz.data.types import Table

_SIGNS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
"""Signs of the two features in class A, B, C, D: counter-clockwise from the upper right."""


def quadrants(*, n_samples: int, overlap: float, imbalance: float, label_noise: float, seed: int) -> Table:
    """Draw uniform points in [-1, 1] x [-1, 1]; the label is the quadrant.

    The data of the running-time experiment of [Crammer2002]_ (its Fig. 5), where overlap, imbalance
    and label noise are 0.

    Differs from the paper: each quadrant gets its exact share of the points, because a small sample
    would otherwise now and then miss a class.

    Parameters
    ----------
    overlap
        Three times the standard deviation of a scatter added after the label is given.
    """
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(4), class_sizes(n_samples, 4, imbalance))
    points = _SIGNS[codes] * rng.uniform(0, 1, (n_samples, 2))
    points += overlap / 3 * rng.standard_normal(points.shape)
    return finish("Quadrants", points, codes, label_noise, rng)


DATASET = generator(
    "quadrants",
    "Quadrants",
    "Four quadrants, four classes; two straight cuts solve it.",
    quadrants,
    (n_samples_param(200, low=10), overlap_param(0.0), IMBALANCE, LABEL_NOISE),
    order=5,
)
