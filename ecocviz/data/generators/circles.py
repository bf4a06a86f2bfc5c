"""Circles: one ring per class, all around the same centre."""

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


def circles(
    *, n_samples: int, n_classes: int, overlap: float, imbalance: float, label_noise: float, seed: int
) -> Table:
    """Draw points on concentric rings of evenly spaced radii, the outermost of radius 0.9.

    Parameters
    ----------
    overlap
        Standard deviation of the radius, in units of the distance between two rings.
    """
    rng = np.random.default_rng(seed)
    sizes = class_sizes(n_samples, n_classes, imbalance)
    codes = np.repeat(np.arange(n_classes), sizes)
    gap = 0.9 / (n_classes - 0.4)
    radius = gap * (codes + 0.6) + overlap * gap * rng.standard_normal(n_samples)
    angle = rng.uniform(0, 2 * math.pi, n_samples)
    points = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return finish("Circles", points, codes, label_noise, rng)


DATASET = generator(
    "circles",
    "Circles",
    "One ring per class around a common centre: no straight line separates any two.",
    circles,
    (n_samples_param(240), n_classes_param(3, high=8), overlap_param(0.2), IMBALANCE, LABEL_NOISE),
    order=2,
)
