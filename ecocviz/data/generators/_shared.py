"""What all generators share: their parameters, class sizes, label noise, and the table at the end.

Points lie roughly in [-1, 1] x [-1, 1]; classes are called A, B, C, ...
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from ecocviz.data.types import Dataset, Table
from ecocviz.engine.params import FloatParam, IntParam, Param
from ecocviz.engine.types import FloatArray, IntArray

GROUP = "Two features"
SOURCE = "Generated from the seed"
LICENCE = "Made up; free of any licence"

MIN_PER_CLASS = 2
"""Every class keeps this many points of its own, whatever the imbalance and the label noise."""

MAX_CLASSES = 10


def n_samples_param(default: int, low: int = 20) -> IntParam:
    """Declare the total number of points."""
    return IntParam(name="n_samples", label="Points", default=default, low=low, high=5_000)


def n_classes_param(default: int, low: int = 2, high: int = MAX_CLASSES) -> IntParam:
    """Declare the number of classes."""
    return IntParam(name="n_classes", label="Classes", default=default, low=low, high=high)


def overlap_param(default: float) -> FloatParam:
    """Declare how far the classes run into each other."""
    return FloatParam(
        name="overlap",
        label="Overlap",
        default=default,
        low=0.0,
        high=1.0,
        help="How far points are scattered into the neighbouring classes: 0 keeps them apart, 1 mixes them.",
    )


IMBALANCE = FloatParam(
    name="imbalance",
    label="Imbalance",
    default=0.0,
    low=0.0,
    high=0.9,
    help="0 makes all classes equally large; at 0.5 each is half as large as the one before it.",
)
LABEL_NOISE = FloatParam(
    name="label_noise",
    label="Label noise",
    default=0.0,
    low=0.0,
    high=0.5,
    help="Share of the points that are given a wrong class.",
)


def class_sizes(n_samples: int, n_classes: int, imbalance: float) -> IntArray:
    """Divide the points among the classes, each smaller than the one before by `imbalance`.

    Returns
    -------
    sizes : (n_classes,)
        At least `MIN_PER_CLASS` each, summing to `n_samples`.

    Examples
    --------
    >>> class_sizes(20, 4, 0.0).tolist(), class_sizes(32, 4, 0.5).tolist()
    ([5, 5, 5, 5], [17, 9, 4, 2])
    """
    if n_samples < MIN_PER_CLASS * n_classes:
        raise ValueError(
            f"{n_samples} points are too few for {n_classes} classes;"
            f" take at least {MIN_PER_CLASS * n_classes}."
        )
    weights = (1.0 - imbalance) ** np.arange(n_classes)
    shares = n_samples * weights / weights.sum()
    sizes: IntArray = np.floor(shares).astype(np.int64)
    # Largest remainders get what rounding left; a stable sort gives equals to the first classes.
    left = n_samples - int(sizes.sum())
    sizes[np.argsort(sizes - shares, kind="stable")[:left]] += 1
    while sizes.min() < MIN_PER_CLASS:
        sizes[sizes.argmax()] -= 1
        sizes[sizes.argmin()] += 1
    # Lifting small classes to the least size may leave a later class larger than an earlier one.
    return np.sort(sizes)[::-1].copy()


def with_label_noise(
    codes: IntArray, n_classes: int, label_noise: float, rng: np.random.Generator
) -> IntArray:
    """Give a share of the points the label of another class, drawn uniformly.

    Parameters
    ----------
    codes : (n_samples,)
        The true classes, at least `MIN_PER_CLASS` points each.

    Returns
    -------
    noisy : (n_samples,)
        Differs from `codes` at round(label_noise * n_samples) points, or at as many as there are
        beside the `MIN_PER_CLASS` points of each class that are never touched.
    """
    order = rng.permutation(codes.size)
    rank = np.empty(codes.size, dtype=np.int64)
    for c in range(n_classes):
        members = order[codes[order] == c]
        rank[members] = np.arange(members.size)
    free = order[rank[order] >= MIN_PER_CLASS]
    wrong = free[: round(label_noise * codes.size)]
    noisy = codes.copy()
    noisy[wrong] = (codes[wrong] + rng.integers(1, n_classes, size=wrong.size)) % n_classes
    return noisy


def finish(
    name: str,
    points: FloatArray,
    codes: IntArray,
    label_noise: float,
    rng: np.random.Generator,
    notes: tuple[str, ...] = (),
) -> Table:
    """Add label noise, shuffle the rows, and make the table.

    Parameters
    ----------
    points : (n_samples, 2)
    codes : (n_samples,)
        The true classes 0..n_classes-1.
    """
    n_classes = int(codes.max()) + 1
    noisy = with_label_noise(codes, n_classes, label_noise, rng)
    order = rng.permutation(codes.size)
    letters = np.array([chr(ord("A") + c) for c in range(n_classes)])
    return Table(
        name=name,
        features=pd.DataFrame(points[order], columns=["x1", "x2"]),
        labels=pd.Series(letters[noisy[order]], name="class", dtype="str"),
        source=SOURCE,
        licence=LICENCE,
        notes=notes,
    )


def generator(
    key: str, title: str, summary: str, load: Callable[..., Table], params: tuple[Param, ...], order: int
) -> Dataset:
    """Make the catalogue entry of a generator."""
    return Dataset(
        key=key,
        title=title,
        summary=summary,
        group=GROUP,
        load=load,
        params=params,
        seeded=True,
        source=SOURCE,
        licence=LICENCE,
        order=order,
    )
