"""Moons: a chain of half circles that reach into each other."""

import math

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

_STEP = 1.12


def moons(
    *, n_samples: int, n_classes: int, overlap: float, imbalance: float, label_noise: float, seed: int
) -> Table:
    """Draw half circles of radius 1, open downwards and upwards in turn, then shrink them all to fit.

    Their centres are a little more than 1 apart, so that those that open the same way do not touch.

    Parameters
    ----------
    overlap
        Twice the standard deviation of the scatter, in units of the half circles' radius.
    """
    rng = np.random.default_rng(seed)
    sizes = class_sizes(n_samples, n_classes, imbalance)
    codes = np.repeat(np.arange(n_classes), sizes)
    angle = rng.uniform(0, math.pi, n_samples)
    upper = codes % 2 == 0
    x = _STEP * (codes - (n_classes - 1) / 2) + np.cos(angle)
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    points = np.column_stack([x, y - 0.25])
    points += 0.5 * overlap * rng.standard_normal(points.shape)
    return finish("Moons", points * 1.9 / (_STEP * (n_classes - 1) + 2), codes, label_noise, rng)


DATASET = generator(
    "moons",
    "Moons",
    "Half circles that reach into each other, one per class.",
    moons,
    (n_samples_param(200), n_classes_param(2, high=6), overlap_param(0.25), IMBALANCE, LABEL_NOISE),
    order=3,
)
