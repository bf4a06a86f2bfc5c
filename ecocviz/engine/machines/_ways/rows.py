"""The points that each column is shown, and what their kernel values are made of."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from ecocviz.engine.kernels.box_dual import RealArray, Rows
from ecocviz.engine.kernels.gram import (
    COARSE_TOL,
    LARGEST_SINGLE_EXPONENT,
    SINGLE_PRECISION_ROWS,
    Kernel,
    kernel_diagonal,
    training_dtype,
)
from ecocviz.engine.machines._ways.problem import Problem
from ecocviz.engine.memory import LITTLE, SHARE_OF_MEMORY, available_memory
from ecocviz.engine.parallel import thread_count
from ecocviz.engine.types import FloatArray, IntArray

_LANES, _WIDEST = 16, 512
"""Points of a chunk: a multiple of what processors add at once, and few enough for the innermost cache."""
ROWS_BYTES = 200 << 20
"""Kernel values that are kept at once unless a memory limit says otherwise."""


class Shown:
    """The points that each column is shown, one column after the other.

    Parameters
    ----------
    problem
        What is to be solved.
    """

    def __init__(self, problem: Problem) -> None:
        n_samples, n_bits = problem.targets.shape
        cells = np.flatnonzero(problem.targets != 0)  # truth values are found ten times as fast as numbers
        columns = (cells % n_bits).astype(np.min_scalar_type(n_bits))
        cells = cells[np.argsort(columns, kind="stable")]  # sparse codes: sooner than turning all targets
        sizes = np.bincount(columns, minlength=n_bits)
        self.starts: IntArray = np.concatenate([[0], np.cumsum(sizes)])
        self.points: IntArray = cells // n_bits
        self.signs: FloatArray = problem.targets.ravel()[cells].astype(np.float64)
        self.upper: FloatArray = np.full(cells.size, problem.C)
        if problem.weights is not None:
            weights = np.broadcast_to(problem.weights.reshape(n_samples, -1), problem.targets.shape)
            self.upper *= weights[self.points, np.repeat(np.arange(n_bits), sizes)]

    def column(self, b: int) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return the points that one machine is shown, their sides and their bounds, (n_shown,) each."""
        part = slice(self.starts[b], self.starts[b + 1])
        return self.points[part], self.signs[part], self.upper[part]


class RowMaker:
    """Makes the `Rows` of every column, in memory that columns use one after the other.

    Parameters
    ----------
    problem
        Of points that are held densely, and a kernel that is computed here.
    shown
        The points of each column.
    """

    def __init__(self, problem: Problem, shown: Shown) -> None:
        self.problem, self.shown = problem, shown
        self.points = features_first(problem.kernel, problem.X, problem.dtype)
        self.diagonal = kernel_diagonal(problem.kernel, problem.X)
        kernel = problem.kernel
        degree = kernel.degree if kernel.name == "poly" else 0
        self.numbers = np.array([float(kernel.name != "rbf"), degree, kernel.bias])
        largest = int(np.diff(shown.starts).max(initial=0))
        n_threads = min(thread_count(problem.n_jobs), problem.targets.shape[1])
        limit = ROWS_BYTES if problem.memory_limit is None else problem.memory_limit
        if min(limit, 8 * largest**2) > LITTLE:
            limit = min(limit, SHARE_OF_MEMORY * available_memory())
        self.room = max(2 * 8 * largest, min(int(limit / max(1, n_threads)), 8 * largest**2))
        self._free: list[npt.NDArray[np.uint8]] = []

    @contextmanager
    def rows(self, b: int, *, exact: bool = False) -> Iterator[Rows]:
        """Lend the rows of one column's points, none made yet; `exact`: in double precision if it can be."""
        points = self.shown.column(b)[0]
        room = self._free.pop() if self._free else np.empty(self.room, dtype=np.uint8)
        try:
            yield self._open(points, room, exact=exact)
        finally:
            self._free.append(room)

    def _open(self, points: IntArray, room: npt.NDArray[np.uint8], *, exact: bool) -> Rows:
        n, dtype = points.size, self._dtype(points.size, exact=exact)
        n_slots = min(n, room.size // (n * dtype.itemsize)) if n > 1 else 2
        values = room[: n_slots * n * dtype.itemsize].view(dtype).reshape(n_slots, n)
        of_all = self.points
        if exact and of_all.dtype != dtype:
            of_all = features_first(self.problem.kernel, self.problem.X, dtype)
        own = in_chunks(of_all, points)
        scratch = np.empty((3, own.shape[2]), dtype=own.dtype)
        bits = scratch[2].view(np.int32 if own.dtype == np.float32 else np.int64)
        return Rows(
            values,
            np.full(n, -1),
            np.full(n_slots, -1),
            np.zeros(1, dtype=np.int64),
            own,
            self.numbers,
            self.diagonal[points],
            scratch,
            bits,
        )

    def _dtype(self, n_shown: int, *, exact: bool) -> np.dtype[np.floating]:
        """Return the precision of the kernel values of so many points."""
        if exact:
            return np.dtype(np.float64 if n_shown <= SINGLE_PRECISION_ROWS else np.float32)
        tol = self.problem.tol
        return self.problem.dtype if tol >= COARSE_TOL else training_dtype(n_shown, tol)


def features_first(kernel: Kernel, X: FloatArray, dtype: npt.DTypeLike) -> RealArray:
    """Return the points with their features first, filled up to a multiple of four, (n_features, n_samples).

    Centered points keep more digits of their differences, and a power of inner products needs all of them.
    """
    scaled, work = X, np.dtype(dtype)
    if kernel.name == "rbf":
        scaled = (X - X.mean(axis=0)) * np.sqrt(kernel.gamma / np.log(2.0))
        if not np.einsum("ij,ij->i", scaled, scaled).max(initial=0.0) <= LARGEST_SINGLE_EXPONENT:
            work = np.dtype(np.float64)
    elif kernel.name == "poly":
        work = np.dtype(np.float64)
    n_features = X.shape[1]
    points = np.zeros((n_features + -n_features % 4, X.shape[0]), dtype=work)
    points[:n_features] = scaled.T
    return points


def in_chunks(points: RealArray, some: IntArray) -> RealArray:
    """Return some of the points, (n_features, n_samples), in chunks, (n_chunks, n_features, width)."""
    n_chunks = -(-some.size // _WIDEST)
    width = -(-some.size // (n_chunks * _LANES)) * _LANES
    chunks = np.zeros((n_chunks, points.shape[0], width), dtype=points.dtype)
    for c in range(n_chunks):
        part = some[c * width : (c + 1) * width]
        chunks[c, :, : part.size] = points.take(part, axis=1)
    return chunks
