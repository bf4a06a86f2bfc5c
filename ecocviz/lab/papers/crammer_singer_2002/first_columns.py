"""The study of Theorem 1: the best first column, found by sorting, beside all columns there are."""

import numpy as np

from ecocviz.engine.discrete import first_column
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import Bits, IntArray
from ecocviz.lab.evidence.entries import Cell, Record, Setting, Study

CLASSES = (2, 3, 4, 5, 6, 8, 10)
N_SAMPLES = {Setting.QUICK: 100, Setting.FULL: 1000}
MOST_POINTS = 60
ROUNDING = 1e-9


def cells(setting: Setting) -> list[Cell]:
    """List numbers of classes."""
    return [
        Cell(f"{n_classes}", {"n_classes": n_classes, "n_samples": N_SAMPLES[setting]})
        for n_classes in CLASSES
    ]


def measure(cell: Cell, progress: Progress) -> Record:
    """Draw samples, and count those where the theorem's column is as good as the best of all."""
    n_classes, n_samples = cell.about["n_classes"], cell.about["n_samples"]
    rng = np.random.default_rng(n_classes)
    columns = all_columns(n_classes)
    n_optimal = 0
    for i in range(n_samples):
        progress.at(i / n_samples)
        bits, y = draw(n_classes, rng)
        column, error = first_column(bits, y, n_classes)
        errors = true_errors(bits, y, np.vstack([column, columns]))
        n_optimal += bool(abs(errors[0] - error) < ROUNDING and errors[0] <= errors.min() + ROUNDING)
    return {"n": n_samples, "optimal": n_optimal, "tried": n_classes - 1, "all": len(columns)}


def draw(n_classes: int, rng: np.random.Generator) -> tuple[Bits, IntArray]:
    """Return bits and classes of a random sample, (n,) each: a machine that is right more or less often."""
    n = int(rng.integers(1, MOST_POINTS + 1))
    y = rng.integers(0, n_classes, n)
    side = rng.choice([-1, 1], n_classes)[y]
    wrong = rng.random(n) < rng.uniform(0.0, 0.5)
    bits: Bits = np.where(wrong, -side, side).astype(np.int8)
    return bits, y.astype(np.int64)


def all_columns(n_classes: int) -> Bits:
    """Return every column, the constant ones too, (2^n_classes, n_classes)."""
    numbers = np.arange(2**n_classes)[:, None] >> np.arange(n_classes)
    columns: Bits = (2 * (numbers & 1) - 1).astype(np.int8)
    return columns


def true_errors(bits: Bits, y: IntArray, columns: Bits) -> np.ndarray:
    """Return the error of every column by its definition, (n_columns,): each point asks who leads.

    Implements Eq. 1 of [Crammer2002]_ for one bit: a point counts 1 / (number of leading classes) if its
    class leads.
    """
    scores = columns[:, None, :].astype(np.int64) * bits[None, :, None]
    leads = scores == scores.max(axis=2, keepdims=True)
    right = np.take_along_axis(leads, y[None, :, None], axis=2)[:, :, 0] / leads.sum(axis=2)
    errors: np.ndarray = 1 - right.mean(axis=1)
    return errors


STUDY = Study(key="first-columns", cells=cells, measure=measure)
