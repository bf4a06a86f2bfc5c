"""Gram matrices: kernel values of all pairs of points, refused where they would not fit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

from ecocviz.engine.memory import check_memory
from ecocviz.engine.types import FloatArray, IntArray, Points

GramArray: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
"""A matrix of kernel values in either precision."""

SINGLE_PRECISION_ROWS = 4_000
"""Above so many training points kernel values are always kept in single precision."""
_COARSE_ROWS = 1_000
COARSE_TOL = 1e-4
"""Above so many points single precision is enough for tolerances no finer than this."""
KERNELS = ("rbf", "linear", "poly")
OTHERS = ("precomputed", "callable")
"""Kernels whose values others compute."""

_BLOCK_BYTES = 1 << 20
TILE = 512
"""Points whose kernel values with some rows are made at once, so that they stay in the cache."""
_DIAGONAL_ROWS = 16
"""Points whose kernel values with each other are asked for at once, for the diagonal."""
_LARGEST_EXPONENT = 1e8
"""Beyond it, rounding of double-precision exponents would show: distances are then taken pair by pair."""
LARGEST_SINGLE_EXPONENT = 1e3
"""Single-precision distances err by 1e-7 of the data's spread; beyond this exponent that would show."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel function with its numbers settled, bias constant included.

    rbf is exp(-gamma |x - t|^2), linear is x.t, poly is (x.t + 1)^degree, the parametrisations of
    [Passerini2004]_ and [Liu2005]_; "precomputed" takes the points to be rows of kernel values, "callable"
    asks `function` for the kernel values of two sets of points. `bias` is added to each.
    """

    name: str
    gamma: float
    degree: int
    bias: float
    function: Callable[..., Any] | None = None


def _thin(X: Points) -> bool:
    """Say whether points are held without their zeros."""
    return bool(issparse(X))


def scaled_gamma(X: Points, weights: FloatArray | None = None) -> float:
    """Return 1 / (n_features * variance) of the entries of X, 1 where all entries are equal.

    Points with weights (n_samples,) count as often as these say. Raises with a sentence where no number says
    how the entries vary.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        variance = _variance(X, weights)
        width = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    if not (np.isfinite(variance) and 0 < width < np.inf):
        size = "small" if variance < 1 else "large"
        raise ValueError(
            f'The features are too {size} for gamma="scale": their variance leaves the range of numbers; '
            "scale the features."
        )
    return width


def _variance(X: Points, weights: FloatArray | None) -> float:
    """Return the variance of the entries of X, points having weights (n_samples,)."""
    if weights is None and not _thin(X):
        return float(X.var())
    shares = np.full(X.shape[0], 1.0 / X.shape[0]) if weights is None else weights / weights.sum()
    mean = float((shares @ X).sum()) / X.shape[1]
    variance: float = (
        float(shares @ _squared_lengths(X)) / X.shape[1] - mean * mean
        if _thin(X)
        else float((shares @ (X - mean) ** 2).sum()) / X.shape[1]
    )
    return variance


def training_dtype(n_samples: int, tol: float) -> np.dtype[np.floating]:
    """Return the precision of the Gram matrix of so many training points, to be solved to `tol`."""
    coarse = n_samples > _COARSE_ROWS and tol >= COARSE_TOL
    return np.dtype(np.float32 if coarse or n_samples > SINGLE_PRECISION_ROWS else np.float64)


def kernel_diagonal(kernel: Kernel, X: Points) -> FloatArray:
    """Return K(x, x) with the bias constant, (n_samples,)."""
    if kernel.name == "rbf":
        return np.full(X.shape[0], 1.0 + kernel.bias)
    if kernel.name == "precomputed":
        return np.diagonal(X) + kernel.bias
    if kernel.name == "callable":
        steps = range(0, X.shape[0], _DIAGONAL_ROWS)
        parts = [X[first : first + _DIAGONAL_ROWS] for first in steps]
        return np.concatenate([np.diagonal(_asked(kernel, part, part)) for part in parts]) + kernel.bias
    squares = _squared_lengths(X)
    if kernel.name == "poly":
        squares = (squares + 1) ** kernel.degree
    return squares + kernel.bias


def _go_on() -> None:
    """Let the work go on."""


def gram_matrix(
    kernel: Kernel,
    X: Points,
    other: Points | None = None,
    dtype: npt.DTypeLike = np.float64,
    check: Callable[[], None] = _go_on,
) -> GramArray:
    """Return the kernel values with the bias constant, (n_samples, n_other), in C order.

    Parameters
    ----------
    kernel
        Which kernel.
    X : (n_samples, n_features)
    other : (n_other, n_features), optional
        Taken to be X itself when left out.
    dtype
        Precision of the result.
    check
        Called before every few rows; may raise to cancel.
    """
    right = X if other is None else other
    shape = (X.shape[0], right.shape[0])
    check_memory(*shape, np.dtype(dtype).itemsize)
    gram = np.empty(shape, dtype=dtype)
    if _by_blocks(kernel, X, right):
        turned = _turn(kernel, right)
        for part in _row_blocks(shape):
            check()
            gram[part] = _block(kernel, X[part], turned) + kernel.bias
        if other is None and kernel.name == "rbf":
            np.fill_diagonal(gram, 1 + kernel.bias)
        return gram
    left, columns = _factors(kernel, X, right, dtype)
    step = _block_rows(columns)
    scratch = None if columns.dtype == gram.dtype else np.empty((step, shape[1]), dtype=columns.dtype)
    for first in range(0, shape[0], step):
        check()
        rows = left[first : first + step]
        out = gram[first : first + step]
        block = out if scratch is None else scratch[: rows.shape[0]]
        np.matmul(rows, columns, out=block)
        _finish(kernel, block)
        if kernel.bias:
            block += kernel.bias
        if scratch is not None:
            out[:] = block
    if other is None and kernel.name == "rbf":
        np.fill_diagonal(gram, 1 + kernel.bias)
    return gram


def expand(
    kernel: Kernel,
    X: Points,
    points: Points,
    coefficients: FloatArray,
    dtype: npt.DTypeLike = np.float64,
) -> FloatArray:
    """Return gram_matrix(kernel, X, points) @ coefficients, (n_samples, n_bits), block by block.

    Parameters
    ----------
    kernel
        Which kernel.
    X : (n_samples, n_features)
    points : (n_points, n_features)
    coefficients : (n_points, n_bits)
    dtype
        Precision of the kernel values.
    """
    out = np.empty((X.shape[0], coefficients.shape[1]))
    if _by_blocks(kernel, X, points):
        turned = _turn(kernel, points)
        for part in _row_blocks((X.shape[0], points.shape[0])):
            out[part] = _block(kernel, X[part], turned) @ coefficients
        out += kernel.bias * coefficients.sum(axis=0)
        return out
    left, columns = _factors(kernel, X, points, dtype)
    step = _block_rows(columns)
    weights = coefficients.astype(columns.dtype)
    scratch = np.empty((step, points.shape[0]), dtype=columns.dtype)
    for first in range(0, X.shape[0], step):
        rows = left[first : first + step]
        block = scratch[: rows.shape[0]]
        np.matmul(rows, columns, out=block)
        _finish(kernel, block)
        out[first : first + step] = block @ weights
    out += kernel.bias * coefficients.sum(axis=0)
    return out


class Blocks:
    """Kernel values among the training points, made where they are asked for: only factors are kept.

    Parameters
    ----------
    kernel
        Which kernel.
    X : (n_samples, n_features)
    dtype
        Precision of the values.
    """

    def __init__(self, kernel: Kernel, X: Points, dtype: npt.DTypeLike) -> None:
        self.kernel, self.X, self.dtype = kernel, X, np.dtype(dtype)
        self._factors = None if _by_blocks(kernel, X, X) else _factors(kernel, X, X, dtype)

    def square(self, points: IntArray, room: GramArray) -> GramArray:
        """Return the kernel values of points with each other and the constant, (n_points, n_points).

        Parameters
        ----------
        points : (n_points,)
        room : (at least n_points * n_points,)
            Where they are written: memory that is used again is not cleared again by the system.
        """
        gram = room[: points.size**2].reshape(points.size, points.size)
        others = self._others(points)
        for part in _row_blocks(gram.shape):
            block = self._values(points[part], others)
            np.add(block, self.kernel.bias, out=gram[part], casting="same_kind")
        if self.kernel.name == "rbf":
            np.fill_diagonal(gram, 1 + self.kernel.bias)
        return gram

    def contributions(self, points: IntArray, weights: FloatArray) -> Callable[[slice], FloatArray]:
        """Return what gives, of some rows, kernel values with points times weights, (n_rows, n_bits).

        Sums of a few hundred products are made in the precision of the values, and added up in double.

        Parameters
        ----------
        points : (n_points,)
        weights : (n_points, n_bits)
        """
        narrow, constant = weights.astype(self.dtype), self.kernel.bias * weights.sum(axis=0)
        parts = [slice(first, first + TILE) for first in range(0, points.size, TILE)]
        if self._factors is None:
            tiles = [self._others(points[part]) for part in parts]
        else:
            others = self._others(points)
            tiles = [others[:, part] for part in parts]

        def of_rows(rows: slice) -> FloatArray:
            total: FloatArray = np.tile(constant, (len(range(self.X.shape[0])[rows]), 1))
            for part, tile in zip(parts, tiles, strict=True):
                total += self._values(rows, tile) @ narrow[part]
            return total

        return of_rows

    def _others(self, points: IntArray) -> Any:  # noqa: ANN401 - factors, points or their numbers
        """Return points, (n_points,), as `_values` reads them."""
        if self._factors is not None:
            return self._factors[1][:, points]
        return points if self.kernel.name == "precomputed" else _turn(self.kernel, self.X[points])

    def _values(self, rows: slice | IntArray, others: Any) -> GramArray:  # noqa: ANN401 - see _others
        """Return the kernel values of some rows with others, the constant left out."""
        if self._factors is not None:
            block: GramArray = self._factors[0][rows] @ others
            _finish(self.kernel, block)
            return block
        if self.kernel.name == "precomputed":
            return np.asarray(self.X[rows][:, others], dtype=np.float64)
        return _block(self.kernel, self.X[rows], others)


def _by_blocks(kernel: Kernel, X: Points, other: Points) -> bool:
    """Say whether kernel values come in blocks of rows: of others, of sparse points, or far apart."""
    return kernel.name in OTHERS or _thin(X) or _thin(other) or _far_apart(kernel, X, other)


def _far_apart(kernel: Kernel, X: FloatArray, other: FloatArray) -> bool:
    """Say whether the product of `_factors` would lose the small exponents beside the large ones."""
    if kernel.name != "rbf" or other.shape[0] == 0:
        return False
    center = other.mean(axis=0)
    largest = max(float(_squared_lengths(part - center).max(initial=0.0)) for part in (X, other))
    return not kernel.gamma * largest <= _LARGEST_EXPONENT


def _row_blocks(shape: tuple[int, int]) -> Iterator[slice]:
    """Yield rows whose kernel values fit into the cache, for a matrix of this shape."""
    step = max(16, _BLOCK_BYTES // (8 * max(1, shape[1])))
    for first in range(0, shape[0], step):
        yield slice(first, first + step)


class _Turned(NamedTuple):
    """Points that others are compared with, (n_other, n_features), and their transpose, made once.

    Squared lengths, (n_other,), are there for rbf kernels of points without zeros.
    """

    points: Points
    columns: Points
    squares: FloatArray | None


def _turn(kernel: Kernel, other: Points) -> _Turned:
    if not _thin(other):
        return _Turned(other, other if kernel.name in OTHERS else other.T, None)
    return _Turned(other, other.T.tocsr(), _squared_lengths(other) if kernel.name == "rbf" else None)


def _block(kernel: Kernel, part: Points, other: _Turned) -> FloatArray:
    """Return the kernel values of some points without the constant, (n_rows, n_other)."""
    if kernel.name == "precomputed":
        return np.asarray(part, dtype=np.float64)
    if kernel.name == "callable":
        return _asked(kernel, part, other.points)
    if kernel.name == "rbf" and not (_thin(part) or _thin(other.points)):
        values: FloatArray = np.exp(-kernel.gamma * cdist(part, other.points, "sqeuclidean"))
        return values
    product = part @ other.columns
    block = np.asarray(product.toarray() if _thin(product) else product, dtype=np.float64)
    if kernel.name == "rbf":
        block *= 2
        block -= _squared_lengths(part)[:, None]
        block -= _squared_lengths(other.points) if other.squares is None else other.squares
        block *= kernel.gamma
    _finish(kernel, block)
    return block


def _asked(kernel: Kernel, X: Points, other: Points) -> FloatArray:
    """Return what a user's own function says of two sets of points, (n_samples, n_other)."""
    assert kernel.function is not None  # noqa: S101 - such a kernel always has one
    values = np.asarray(kernel.function(X, other), dtype=np.float64)
    if values.shape != (X.shape[0], other.shape[0]) or not np.isfinite(values).all():
        raise ValueError(
            f"The kernel function must return finite numbers of shape {(X.shape[0], other.shape[0])} "
            f"for these points; it returned an array of shape {values.shape}."
        )
    return values


def _block_rows(columns: GramArray) -> int:
    """Return how many rows of kernel values fit into the cache, for columns (n_features, n_other)."""
    row_bytes = int(columns.dtype.itemsize) * max(1, int(columns.shape[1]))
    rows: int = max(16, _BLOCK_BYTES // row_bytes)
    return rows


def _factors(kernel: Kernel, X: Points, other: Points, dtype: npt.DTypeLike) -> tuple[GramArray, GramArray]:
    """Return matrices whose product holds exponents (rbf) or inner products, in working precision.

    The exponent -gamma |x - t|^2 is a product of vectors with two features more,
    (x, -gamma |x|^2, 1) and (2 gamma t, 1, -gamma |t|^2), so that one matrix product does all of it.
    """
    single = np.dtype(dtype) == np.float32 and kernel.name != "poly"
    work: type[np.floating] = np.float32 if single else np.float64
    if kernel.name != "rbf":
        return X.astype(work, copy=False), np.ascontiguousarray(other.T, dtype=work)
    # Distances do not change under a shift, but their rounding errors do.
    center = other.mean(axis=0)
    left, right = (_with_exponents(part, center, kernel.gamma, work) for part in (X, other))
    largest = -min(float(part[:, -2].min(initial=0)) for part in (left, right))
    if single and not largest <= LARGEST_SINGLE_EXPONENT:
        left, right = (_with_exponents(part, center, kernel.gamma, np.float64) for part in (X, other))
    right[:, :-2] *= 2 * kernel.gamma
    right[:, [-2, -1]] = right[:, [-1, -2]]
    columns: npt.NDArray[Any] = np.ascontiguousarray(right.T)
    return left, columns


def _with_exponents(X: Points, center: FloatArray, gamma: float, work: type[np.floating]) -> GramArray:
    """Return the centered points with -gamma |x|^2 and 1 appended, (n_samples, n_features + 2)."""
    extended = np.empty((X.shape[0], X.shape[1] + 2), dtype=work)
    points = extended[:, :-2]
    np.subtract(X, center, out=points, casting="same_kind")
    # The squares are those of the rounded points: only then does the diagonal cancel.
    with np.errstate(over="ignore"):  # beyond single precision: seen by the caller
        extended[:, -2] = -gamma * np.einsum("ij,ij->i", points, points, dtype=np.float64)
    extended[:, -1] = 1
    return extended


def _squared_lengths(X: Points) -> FloatArray:
    if _thin(X):
        return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    lengths: FloatArray = np.einsum("ij,ij->i", X, X)
    return lengths


def _finish(kernel: Kernel, block: GramArray) -> None:
    """Turn a block of exponents or inner products into kernel values without the constant, in place."""
    if kernel.name == "rbf":
        # No similarity above 1, whatever rounding makes of it; numpy takes a row of zeros sooner than one 0.
        np.minimum(block, np.zeros(block.shape[1], dtype=block.dtype), out=block)
        np.exp(block, out=block)
    elif kernel.name == "poly":
        block += 1
        np.power(block, kernel.degree, out=block)
