"""Blobs: one Gaussian cloud per class."""

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
from ecocviz.engine.types import FloatArray

_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def _centres(n_classes: int) -> FloatArray:
    """Place the centres: on a ring up to five classes, then like the seeds of a sunflower."""
    c = np.arange(n_classes, dtype=np.float64)
    if n_classes <= 5:
        radius, angle = np.full_like(c, 0.58), 2 * math.pi * c / n_classes + 0.35
    else:
        radius, angle = 0.78 * np.sqrt((c + 0.4) / n_classes), _GOLDEN_ANGLE * c
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def blobs(
    *, n_samples: int, n_classes: int, overlap: float, imbalance: float, label_noise: float, seed: int
) -> Table:
    """Draw one cloud per class, each an ellipse in a direction of its own.

    Parameters
    ----------
    overlap
        The clouds' standard deviation grows with it from a tenth to about two thirds of the
        distance between neighbouring centres.
    """
    rng = np.random.default_rng(seed)
    sizes = class_sizes(n_samples, n_classes, imbalance)
    centres = _centres(n_classes)
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    nearest = float(gaps[gaps > 0].min())
    clouds = []
    for centre, size in zip(centres, sizes, strict=True):
        angle, stretch = rng.uniform(0, math.pi), rng.uniform(1.0, 1.6)
        axes = np.diag([math.sqrt(stretch), 1 / math.sqrt(stretch)])
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        spread = min(nearest, 0.8) * (0.1 + 0.5 * overlap)
        clouds.append(centre + spread * rng.standard_normal((size, 2)) @ axes @ turn.T)
    codes = np.repeat(np.arange(n_classes), sizes)
    return finish("Blobs", np.concatenate(clouds), codes, label_noise, rng)


DATASET = generator(
    "blobs",
    "Blobs",
    "One cloud of points per class; overlap makes them run into each other.",
    blobs,
    (n_samples_param(160), n_classes_param(4), overlap_param(0.4), IMBALANCE, LABEL_NOISE),
    order=1,
)
