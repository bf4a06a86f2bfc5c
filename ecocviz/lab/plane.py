"""Planes through feature space: what a problem with more than two features is looked at through.

Two of its features with the others held at their training mean, or the two main directions of the
training points.
"""

from dataclasses import dataclass

import numpy as np

from ecocviz.data.types import Prepared
from ecocviz.engine.types import FloatArray

PCA = "pca"


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane through feature space: origin + a * axes[0] + b * axes[1].

    Attributes
    ----------
    key
        "pca", or two feature numbers such as "0,3".
    names
        What the two directions are called.
    origin : (n_features,)
    axes : (2, n_features)
        Orthonormal; the second is zero where there is one feature only.
    x_range, y_range
        What to show: all points with a margin.
    sentence
        What is being looked at, where that is not plain.
    """

    key: str
    names: tuple[str, str]
    origin: FloatArray
    axes: FloatArray
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    sentence: str = ""

    def project(self, X: FloatArray) -> FloatArray:
        """Return the coordinates of points (n, n_features) in the plane, (n, 2)."""
        coordinates: FloatArray = (X - self.origin) @ self.axes.T
        return coordinates

    def lift(self, coordinates: FloatArray) -> FloatArray:
        """Return the points (n, n_features) at coordinates (n, 2) of the plane."""
        points: FloatArray = self.origin + coordinates @ self.axes
        return points

    def cells(self, n: int) -> FloatArray:
        """Return the coordinates of the centres of n x n cells, (n * n, 2), row by row from below."""
        share = (np.arange(n) + 0.5) / n
        x = self.x_range[0] + share * (self.x_range[1] - self.x_range[0])
        y = self.y_range[0] + share * (self.y_range[1] - self.y_range[0])
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def plane_keys(n_features: int) -> tuple[str, ...]:
    """List the planes that may be shown, the default first: pairs of the first twelve features at most."""
    if n_features <= 2:
        return ("0,1",)
    shown = range(min(n_features, 12))
    return (PCA, *(f"{i},{j}" for i in shown for j in shown if i < j))


def make_plane(prepared: Prepared, key: str) -> Plane:
    """Build a plane; anything unreadable gives the default one."""
    X = prepared.X_train
    n_features = X.shape[1]
    pair = _read_pair(key, n_features)
    if n_features > 2 and pair is None:
        return _pca_plane(prepared)
    i, j = pair or (0, 1)
    axes = np.zeros((2, n_features))
    axes[0, i] = 1.0
    names = [prepared.feature_names[i], "(no second feature)"]
    if j < n_features:
        axes[1, j] = 1.0
        names[1] = prepared.feature_names[j]
    origin = X.mean(axis=0) * (axes.sum(axis=0) == 0)
    sentence = ""
    if n_features > 2:
        sentence = f"Shown over two of {n_features} features; the others are held at their training mean."
    return _framed(prepared, f"{i},{j}", (names[0], names[1]), origin, axes, sentence)


def _read_pair(key: str, n_features: int) -> tuple[int, int] | None:
    parts = key.split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        return None
    i, j = int(parts[0]), int(parts[1])
    return (i, j) if i != j and max(i, j) < n_features else None


def _pca_plane(prepared: Prepared) -> Plane:
    X = prepared.X_train
    origin = X.mean(axis=0)
    _, strengths, directions = np.linalg.svd(X - origin, full_matrices=False)
    axes = np.zeros((2, X.shape[1]))
    axes[: min(2, len(directions))] = directions[:2]
    # A direction has no sign of its own: the largest entry is made positive.
    signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
    axes *= np.where(signs == 0, 1.0, signs)[:, None]
    spread = strengths**2
    shares = 100 * spread[:2] / max(float(spread.sum()), 1e-300)
    names = tuple(
        f"principal direction {k + 1} ({share:.0f} % of variance)"
        for k, share in enumerate([*shares, 0.0][:2])
    )
    sentence = (
        f"Shown on the plane of the two main directions of {X.shape[1]} features; points "
        "lie off this plane, so the decision for a point can differ from the colour behind it."
    )
    return _framed(prepared, PCA, (names[0], names[1]), origin, axes, sentence)


def _framed(
    prepared: Prepared,
    key: str,
    names: tuple[str, str],
    origin: FloatArray,
    axes: FloatArray,
    sentence: str,
) -> Plane:
    loose = Plane(key, names, origin, axes, (0.0, 1.0), (0.0, 1.0), sentence)
    shown = loose.project(np.concatenate([prepared.X_train, prepared.X_test]))
    ranges = []
    for low, high in zip(shown.min(axis=0).tolist(), shown.max(axis=0).tolist(), strict=True):
        margin = 0.06 * (high - low) or 0.5
        ranges.append((low - margin, high + margin))
    return Plane(key, names, origin, axes, ranges[0], ranges[1], sentence)
