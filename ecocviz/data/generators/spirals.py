"""Spirals: one arm per class, wound around the same centre."""

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
from ecocviz.engine.params import FloatParam


def spirals(
    *,
    n_samples: int,
    n_classes: int,
    turns: float,
    overlap: float,
    imbalance: float,
    label_noise: float,
    seed: int,
) -> Table:
    """Draw the arms of an Archimedean spiral, each turned against the one before.

    Parameters
    ----------
    turns
        How often each arm winds around the centre.
    overlap
        At 1 the scatter's standard deviation is about half the distance between two arms.
    """
    rng = np.random.default_rng(seed)
    sizes = class_sizes(n_samples, n_classes, imbalance)
    codes = np.repeat(np.arange(n_classes), sizes)
    # The square root spreads the points evenly over the length of an arm, not over its turns.
    along = np.sqrt(rng.uniform(0.02, 1.0, n_samples))
    angle = 2 * math.pi * (codes / n_classes + turns * along)
    points = 0.9 * along[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    gap = 0.9 / (n_classes * max(turns, 0.75))
    points += 0.5 * overlap * gap * rng.standard_normal(points.shape)
    return finish("Spirals", points, codes, label_noise, rng)


DATASET = generator(
    "spirals",
    "Spirals",
    "Arms wound around each other, one per class: only a flexible machine follows them.",
    spirals,
    (
        n_samples_param(300),
        n_classes_param(3, high=8),
        FloatParam(name="turns", label="Turns", default=1.0, low=0.25, high=3.0),
        overlap_param(0.2),
        IMBALANCE,
        LABEL_NOISE,
    ),
    order=4,
)
