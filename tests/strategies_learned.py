"""Small data sets and trainers for codes that are learned from data."""

import numpy as np
from hypothesis import strategies as st

from ecocviz.engine.columns import train_columns
from ecocviz.engine.machines.kernel_machine import KernelMachine


def clouds(n_classes, n_points, spread=0.3, seed=0):
    """Round clouds on a circle of so many classes, in label order: (X, y)."""
    rng = np.random.default_rng(seed)
    angles = 2 * np.pi * np.arange(n_classes) / n_classes
    centres = n_classes / 2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    y = np.repeat(np.arange(n_classes), n_points)
    return centres[y] + rng.normal(scale=spread, size=(y.size, 2)), y


def trainer(machine=None, **params):
    """What a learned coding is handed: trains a machine per column."""
    learner = KernelMachine(**params) if machine is None else machine

    def train(X, targets, progress):
        return train_columns(learner, X, targets, progress=progress)

    return train


def no_training(_X, _targets, _progress):
    """For codings that look at the points only."""
    raise AssertionError("this coding must not train machines")


@st.composite
def labelled_points(draw, max_classes=6, max_points=18):
    """Few points in the plane with classes 0..k-1, each of which occurs: (X, y)."""
    k = draw(st.integers(2, max_classes))
    extra = draw(st.lists(st.integers(0, k - 1), max_size=max_points - k))
    y = np.array([*range(k), *extra])
    values = st.floats(-3, 3, allow_nan=False, width=32)
    X = draw(st.lists(st.tuples(values, values), min_size=y.size, max_size=y.size))
    return np.array(X, dtype=np.float64), y


@st.composite
def answered_samples(draw, max_classes=4, max_bits=3, max_points=14, zeros=True):
    """Bits of machines on a sample: (bits, y, n_classes); a class may have no points."""
    k = draw(st.integers(2, max_classes))
    n_bits = draw(st.integers(1, max_bits))
    n = draw(st.integers(1, max_points))
    entries = st.sampled_from([-1, 0, 1] if zeros else [-1, 1])
    bits = draw(st.lists(st.lists(entries, min_size=n_bits, max_size=n_bits), min_size=n, max_size=n))
    y = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    return np.array(bits, dtype=np.int8), np.array(y), k


def plain(kernel):
    """The uncompiled function behind a kernel; the kernel itself where compiling is switched off."""
    return getattr(kernel, "py_func", kernel)
