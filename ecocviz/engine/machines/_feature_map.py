"""Kernels as inner products of explicit features: a linear kernel's own, or those that landmarks give."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack

from ecocviz.engine.kernels.gram import GramArray, Kernel, expand, gram_matrix, kernel_diagonal
from ecocviz.engine.memory import SHARE_OF_MEMORY, available_memory
from ecocviz.engine.parallel import calling_thread_only
from ecocviz.engine.params import shorten
from ecocviz.engine.points import is_sparse
from ecocviz.engine.types import Bits, FloatArray, IntArray, Points, Scores

SMALLEST_SHARE = 1e-12
"""Directions of the landmarks' kernel matrix below this share of its largest eigenvalue are rounding."""
SMALLEST_LEFT = 1e-9
"""Below this share of its kernel value with itself a point is explained by the landmarks."""
CANDIDATES = 8
"""Points for each landmark that landmarks are chosen from."""
ROUNDS = 16
"""Rounds in which landmarks are drawn."""
FOR_GROUPS = 4
"""One candidate of so many is dealt out evenly over the groups of points, so that no small one is missed."""
MANY_ROWS = 4_000
"""Up to so many points a kernel matrix costs next to nothing."""
ROWS_A_FEATURE = 10
"""Points for each feature above which linear machines are trained on features, not on kernel values."""
MANY_THIN_ROWS = 1_000
"""Up to so many points without zeros a kernel matrix costs next to nothing."""
THIN = 0.1
"""Share of features that are not 0 up to which the others are not written down."""
_THIN_BYTES = 12
"""Of a feature without zeros: its value in double precision, and which it is."""
_BLOCK_BYTES = 1 << 23
"""Kernel values with landmarks that are held at once."""


@dataclass(frozen=True, slots=True)
class FeatureMap:
    """Features z(x) with K(x, y) near z(x).z(y); the last feature is constant, the root of the bias.

    Attributes
    ----------
    kernel
        Kernel with its numbers settled.
    landmarks : (n_landmarks, n_features) or None
        Points that others are compared with; None where the points are their own features.
    back : (n_landmarks, rank) or None
        The inverse root of the landmarks' kernel matrix, so that z(x) is K(x, landmarks) @ back.
    rows : (n_landmarks,) or None
        Which of the training points the landmarks are: of kernel values, the columns to read.
    """

    kernel: Kernel
    landmarks: Points | None = None
    back: FloatArray | None = None
    rows: IntArray | None = None

    def width(self, X: Points) -> int:
        """Return the number of features, the constant included."""
        return int(X.shape[1] if self.back is None else self.back.shape[1]) + 1

    def is_thin(self, X: Points) -> bool:
        """Say whether the features of points are held without their zeros: of few that are not 0."""
        return self.back is None and is_sparse(X) and X.nnz <= THIN * X.shape[0] * X.shape[1]

    def thin(self, X: Points) -> csr_array:
        """Return the features of points without their zeros, (n_samples, width), in double precision."""
        constant = np.full((X.shape[0], 1), np.sqrt(self.kernel.bias))
        features = csr_array(hstack([X, csr_array(constant)], format="csr", dtype=np.float64))
        features.sum_duplicates()
        return features

    def blocks(self, X: Points) -> list[slice]:
        """Return the rows of points, (n_samples, n_features), to be mapped at once."""
        wide = self.width(X) if self.back is None else max(self.back.shape)
        step = max(64, _BLOCK_BYTES // (8 * wide))
        return [slice(first, min(first + step, X.shape[0])) for first in range(0, X.shape[0], step)]

    def write(self, X: Points, out: GramArray) -> None:
        """Write the features of points, (n, n_features), into `out`, (n, width)."""
        out[:, -1] = np.sqrt(self.kernel.bias)
        if self.back is None:
            out[:, :-1] = X.toarray() if is_sparse(X) else X
        else:
            out[:, :-1] = gram_matrix(self._plain, self._seen(X), self.landmarks) @ self.back

    def scores(self, X: Points, weights: FloatArray) -> Scores:
        """Return the scores of points (n, n_features) by machines with weights (width, n_bits)."""
        if self.back is None:
            product = X @ weights[:-1]
        else:
            product = expand(self._plain, self._seen(X), self.landmarks, self.back @ weights[:-1])
        scores: Scores = product + np.sqrt(self.kernel.bias) * weights[-1]
        return scores

    @property
    def _plain(self) -> Kernel:
        return replace(self.kernel, bias=0.0)

    def _seen(self, X: Points) -> Points:
        """Return what the kernel reads of points: of kernel values, those with landmarks."""
        return X[:, self.rows] if self.kernel.name == "precomputed" else X


def explicit_features(
    approximation: object,
    rank: object,
    kernel: Kernel,
    X: Points,
    targets: Bits,
    weights: FloatArray | None,
    limit: float | None,
    seed: int,
) -> FeatureMap | None:
    """Return the features that machines are to be trained on; None where the kernel matrix is better.

    Parameters
    ----------
    approximation, rank
        As in `KernelMachine`.
    kernel
        Kernel with its numbers settled.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
    weights : (n_samples,), (n_samples, n_bits) or None
        Points whose weights are 0 are no landmarks.
    limit
        Bytes that features may take: a linear kernel's own are not taken where they would need more.
    seed
        Of the draw of landmarks.
    """
    linear = kernel.name == "linear"
    if approximation is None:
        own = FeatureMap(kernel)
        return own if linear and _pays(own, X, targets.shape[1], limit) else None
    if approximation != "nystroem":
        raise ValueError(f'approximation is None or "nystroem", not {shorten(repr(approximation))}.')
    if isinstance(rank, bool) or not isinstance(rank, Integral) or rank < 1:
        raise ValueError(f"rank is a whole number of landmarks, at least 1, not {shorten(repr(rank))}.")
    if linear and X.shape[1] <= rank:
        return FeatureMap(kernel)
    counted = targets != 0 if weights is None else (targets != 0) & (weights.reshape(X.shape[0], -1) > 0)
    shown = np.flatnonzero(counted.any(axis=1))
    shown = shown if shown.size else np.arange(X.shape[0])
    with calling_thread_only():  # last bits depend on how many threads there are
        rows = draw_landmarks(kernel, X, targets, shown, int(rank), np.random.default_rng(seed))
        return nystroem_map(kernel, X, rows)


def _pays(own: FeatureMap, X: Points, n_bits: int, limit: float | None) -> bool:
    """Say whether linear machines on so many points are trained sooner on their features, and these fit."""
    n_samples, n_features = X.shape
    thin = own.is_thin(X)
    n_held = X.nnz / max(1, n_samples) if thin else n_features
    if n_samples <= (MANY_THIN_ROWS if thin else MANY_ROWS) or n_held > n_samples // ROWS_A_FEATURE:
        return False
    if not thin:
        return bool(n_samples * (n_features + 1) * 8 <= _room(limit))
    # There may be far more features than points: then weights are what takes memory.
    return bool(_thin_bytes(X) + 16 * n_bits * (n_features + 1) <= _room(limit))


def _thin_bytes(X: Points) -> int:
    return _THIN_BYTES * (int(X.nnz) + 2 * int(X.shape[0]))


def nystroem_map(kernel: Kernel, X: Points, rows: IntArray) -> FeatureMap:
    """Return the features of [Williams2001]_ for landmarks that are some of the points.

    Symbols: L -> landmarks, z(x) = K(x, L) K(L, L)^(-1/2) -> features.

    Differs from the paper: directions that are rounding are left out, and the bias constant, a feature of its
    own, is not approximated.

    Parameters
    ----------
    kernel
        Kernel with its numbers settled.
    X : (n_samples, n_features)
    rows : (n_landmarks,)
    """
    landmarks = X[np.ix_(rows, rows)] if kernel.name == "precomputed" else X[rows]
    back = _inverse_root(gram_matrix(replace(kernel, bias=0.0), landmarks))
    return FeatureMap(kernel, landmarks, back, rows)


def draw_landmarks(
    kernel: Kernel, X: Points, targets: Bits, shown: IntArray, rank: int, rng: np.random.Generator
) -> IntArray:
    """Draw points that are far from each other in the space of the kernel, (rank,) or fewer, ascending.

    Implements block RPCholesky of [Chen2025]_ on a sample: points are drawn in a few rounds, each with a
    chance that is proportional to the part of its kernel value with itself that the landmarks drawn before do
    not explain.

    Differs from the paper: only some points, `candidates`, take part.

    Parameters
    ----------
    kernel
        Kernel with its numbers settled.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
    shown : (n_shown,)
        The points that there are to draw from.
    rank
        How many to draw at most; fewer are drawn where these explain all.
    rng
        Source of the draws.
    """
    if rank >= shown.size:
        return np.sort(shown)
    rows, plain = candidates(targets, shown, CANDIDATES * rank, rng), replace(kernel, bias=0.0)
    points = X[rows]
    left = kernel_diagonal(plain, X[np.ix_(rows, rows)] if kernel.name == "precomputed" else points)
    whole, explained, drawn = left.copy(), np.empty((rows.size, 0)), np.empty(0, dtype=np.int64)
    while drawn.size < rank and left.any():
        size = min(max(1, rank // ROUNDS), rank - drawn.size, int(np.count_nonzero(left)))
        new = rng.choice(rows.size, size, replace=False, p=left / left.sum())
        drawn = np.concatenate([drawn, new])
        seen = points[:, rows[new]] if kernel.name == "precomputed" else points
        values = gram_matrix(plain, seen, points[new]) - explained @ explained[new].T
        found = values @ _inverse_root(values[new])
        explained = np.hstack([explained, found])
        left = left - np.einsum("ij,ij->i", found, found)
        left[left < SMALLEST_LEFT * whole] = 0.0
        left[drawn] = 0.0
    return np.sort(rows[drawn])


def candidates(targets: Bits, shown: IntArray, size: int, rng: np.random.Generator) -> IntArray:
    """Draw points without replacement, (size,) or fewer; one in four is dealt out evenly over the groups.

    Groups are the points that all machines are told the same of, which are the classes of a code.

    Parameters
    ----------
    targets : (n_samples, n_bits)
    shown : (n_shown,)
        The points that there are to draw from.
    size
        How many to draw.
    rng
        Source of the draws.
    """
    order = rng.permutation(shown)
    words = np.ascontiguousarray(targets[order]).view(np.dtype((np.void, targets.shape[1]))).ravel()
    _, group, sizes = np.unique(words, return_inverse=True, return_counts=True)
    by_group = np.argsort(group, kind="stable")
    place = np.empty(order.size, dtype=np.int64)
    place[by_group] = np.arange(order.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    few = place < max(1, size // (FOR_GROUPS * sizes.size))
    return order[np.argsort(~few, kind="stable")[:size]]


def _inverse_root(gram: GramArray) -> FloatArray:
    """Return B with B B' the inverse of a kernel matrix (n, n), without directions that are rounding."""
    values, vectors = np.linalg.eigh(gram)
    kept = values > SMALLEST_SHARE * max(values[-1], np.finfo(np.float64).tiny)
    root: FloatArray = vectors[:, kept] / np.sqrt(values[kept])
    return root


def make_features(
    feature_map: FeatureMap,
    X: Points,
    dtype: npt.DTypeLike,
    limit: float | None,
    run: Callable[[Callable[[int], None], int], object],
) -> GramArray | csr_array:
    """Return the features of points (n_samples, n_features), (n_samples, width), or refuse with a sentence.

    Parameters
    ----------
    feature_map, X
        Which features, of which points.
    dtype
        Precision in which they are kept, double where zeros are left out; they are computed in double.
    limit
        Bytes that they may take.
    run
        Given a task and how many there are, does them all, in threads or not.
    """
    shape = (X.shape[0], feature_map.width(X))
    if feature_map.is_thin(X):
        _check_memory(shape, _thin_bytes(X), limit)
        return feature_map.thin(X)
    _check_memory(shape, shape[0] * shape[1] * np.dtype(dtype).itemsize, limit)
    features = np.empty(shape, dtype=dtype)
    blocks = feature_map.blocks(X)

    def write(number: int) -> None:
        feature_map.write(X[blocks[number]], features[blocks[number]])

    run(write, len(blocks))
    return features


def _room(limit: float | None) -> float:
    """Return the bytes that features may take."""
    return SHARE_OF_MEMORY * available_memory() if limit is None else limit


def _check_memory(shape: tuple[int, int], needed: int, limit: float | None) -> None:
    allowed = _room(limit)
    if needed > allowed:
        raise ValueError(
            f"{shape[1]:,} features of {shape[0]:,} points need {needed / 2**20:,.1f} MiB, more than the "
            f"{allowed / 2**20:,.1f} MiB that they may take; lower rank, raise memory_limit, "
            "or use a random subsample of the points."
        )
