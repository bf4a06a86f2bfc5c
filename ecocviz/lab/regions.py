"""Decisions over a plane: which class every decoder names in every cell of a grid, and how surely.

A problem with more than two features is looked at through a plane: two of its features with the
others held at their training mean, or the two main directions of the training points.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ecocviz.data.types import Prepared
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import Evidence
from ecocviz.engine.progress import Check, Progress, asking, silent
from ecocviz.engine.types import BoolArray, CodeMatrix, Costs, FloatArray, IntArray, Scores
from ecocviz.lab.run import (
    DECIDED_AT_ONCE,
    SCORED_AT_ONCE,
    Model,
    costs_of,
    in_parts,
    learn,
    n_machines,
)
from ecocviz.lab.scenario import Choice

ByteArray = npt.NDArray[np.uint8]

PCA = "pca"
FINEST, COARSEST = 150, 60
LEVELS = 63
"""Steps of the confidence byte; the browser knows the same number."""
MAX_FRAMES = 32


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


@dataclass(frozen=True, slots=True)
class Regions:
    """What decoders say over a plane.

    Attributes
    ----------
    n
        Cells along each side.
    n_bits
        Number of machines; 0 where the reduction has none of its own.
    bits : (n_bits, ceil(n * n / 8))
        One plane per machine, eight cells to a byte, first cell highest; 1 is +1.
    labels : (n_decoders, n * n)
        Winning class among all classes.
    confidence : (n_decoders, n * n)
        63 sqrt(margin), the margin to the runner-up as a share of the grid's 90 % quantile.
    """

    plane: Plane
    decodings: tuple[Choice, ...]
    n: int
    n_bits: int
    bits: ByteArray
    labels: ByteArray
    confidence: ByteArray


@dataclass(frozen=True, slots=True)
class Frames:
    """The same plane decoded with the first bits of the code only.

    Attributes
    ----------
    lengths : (n_frames,)
        Number of bits used.
    labels : (n_frames, n * n)
    n_wrong : (n_frames,)
        Points decided wrongly, among `n_points`.
    """

    decoding: Choice
    lengths: IntArray
    labels: ByteArray
    n_wrong: IntArray
    n_points: int


@dataclass(frozen=True, slots=True)
class Points:
    """The training points, then the test points, of the model on the screen.

    Attributes
    ----------
    coordinates : (n_points, 2)
    truth : (n_points,)
    is_test : (n_points,)
    labels : (n_decoders, n_points)
        What each decoder decides.
    wrong_bits : (n_points,)
        Bits, among those the true class's codeword asks for, that point the wrong way.
    """

    coordinates: FloatArray
    truth: IntArray
    is_test: BoolArray
    labels: IntArray
    wrong_bits: IntArray


def make_points(
    model: Model, plane: Plane, decodings: tuple[Choice, ...], check: Check | None = None
) -> Points:
    """Project a model's points onto a plane and let every decoder decide them; `check` may cancel."""
    prepared, estimator = model.prepared, model.estimator
    X = np.concatenate([prepared.X_train, prepared.X_test])
    truth = np.concatenate([prepared.y_train, prepared.y_test])
    is_test = np.arange(len(truth)) >= len(prepared.y_train)
    scores = scores_of(model, X, check) if decodable(model) else None
    labels = []
    for choice in decodings:
        costs = decoded_costs(model, choice, X, scores, check)
        labels.append(model.class_index[np.argmin(costs, axis=1)])
    wrong_bits = np.zeros(len(truth), dtype=np.int64)
    if scores is not None:
        asked = np.zeros((len(prepared.classes), scores.shape[1]))
        asked[model.class_index] = np.sign(estimator.code_matrix_)
        wrong_bits = ((asked[truth] * np.sign(scores) <= 0) & (asked[truth] != 0)).sum(axis=1)
    return Points(plane.project(X), truth, is_test, np.array(labels), wrong_bits)


def telling_point(points: Points, plane: Plane, decoder: int) -> int:
    """Choose the point that shows most at first sight: decoded rightly in spite of a wrong bit.

    Without one a wrongly decided point, without that any; test points first, the most central of
    them. Always the same for the same points.
    """
    right = points.labels[decoder] == points.truth
    kinds = np.where(right & (points.wrong_bits > 0), 0, np.where(right, 2, 1))
    low = np.array([plane.x_range[0], plane.y_range[0]])
    span = np.array([plane.x_range[1], plane.y_range[1]]) - low
    off_centre = np.linalg.norm((points.coordinates - low) / span - 0.5, axis=1)
    return int(np.lexsort((off_centre, ~points.is_test, kinds))[0])


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
        f"Shown on the plane of the two main directions of {X.shape[1]} features; points lie off it, "
        "so a point's own decision can differ from the colour behind it."
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


def grid_side(n_train: int, n_classes: int, n_bits: int) -> int:
    """Choose the cells along a side so that scoring and decoding the grid stays well under a second."""
    work = max(n_classes * n_bits, n_train, 1)
    return int(np.clip((2.5e7 / work) ** 0.5, COARSEST, FINEST))


def make_regions(
    model: Model,
    plane: Plane,
    decodings: tuple[Choice, ...],
    n: int | None = None,
    check: Check | None = None,
) -> Regions:
    """Decide every cell of a plane with every decoder; `check` may cancel."""
    estimator = model.estimator
    scored = decodable(model)
    n_bits = estimator.code_matrix_.shape[1] if scored else 0
    side = n or grid_side(model.prepared.X_train.shape[0], len(model.prepared.classes), n_bits)
    X = plane.lift(plane.cells(side))
    scores = scores_of(model, X, check) if scored else None
    labels, confidence = [], []
    for decoding in decodings:
        costs = decoded_costs(model, decoding, X, scores, check)
        labels.append(model.class_index[np.argmin(costs, axis=1)].astype(np.uint8))
        confidence.append(quantise(margins_of(costs)))
    scores = np.zeros((side * side, 0)) if scores is None else scores
    bits = np.packbits(scores.T > 0, axis=1)
    return Regions(plane, decodings, side, n_bits, bits, np.array(labels), np.array(confidence))


def margins_of(costs: Costs) -> FloatArray:
    """Return by how much the winner's cost undercuts the runner-up's, (n,); infinite without a rival."""
    two = np.partition(costs, 1, axis=1)[:, :2]
    margins = np.full(len(two), np.inf)
    rivalled = np.isfinite(two).all(axis=1)
    margins[rivalled] = two[rivalled, 1] - two[rivalled, 0]
    return margins


def quantise(margins: FloatArray) -> ByteArray:
    """Put margins (n,) on the confidence byte: 63 sqrt(m), m as a share of their 90 % quantile."""
    finite = margins[np.isfinite(margins)]
    top = float(np.quantile(finite, 0.9)) if finite.size else 1.0
    shares = np.clip(margins / top, 0.0, 1.0) if top > 0 else (margins > 0).astype(np.float64)
    quantised: ByteArray = np.rint(LEVELS * np.sqrt(shares)).astype(np.uint8)
    return quantised


def first_bits(evidence: Evidence, length: int) -> Evidence:
    """Keep what is known of the first machines only."""
    kept = {}
    for name in ("sigmoids", "accuracies", "weights", "reliabilities"):
        value = getattr(evidence, name)
        kept[name] = None if value is None else value[:length]
    for name in ("hit_rates", "local_reliabilities"):
        value = getattr(evidence, name)
        kept[name] = None if value is None else value[:, :length]
    return Evidence(**kept)


def decodable(model: Model) -> bool:
    """Say whether the model has machines whose scores any decoder may read."""
    return bool(getattr(model.estimator, "decoded", False))


def scores_of(model: Model, X: FloatArray, check: Check | None = None) -> Scores:
    """Return the machines' scores, (n_samples, n_bits); in parts if somebody may want to stop in between."""
    if check is None or not X.shape[0]:
        whole: Scores = model.estimator.scores(X)
        return whole
    each = n_machines(model) * model.prepared.y_train.size
    parts = in_parts(X.shape[0], each, SCORED_AT_ONCE, check)
    return np.concatenate([model.estimator.scores(X[part]) for part in parts])


def decoded_costs(
    model: Model, decoding: Choice, X: FloatArray, scores: Scores | None, check: Check | None = None
) -> Costs:
    """Return a decoder's costs, (n_samples, n_known_classes), or those of a model that decides by itself.

    In parts if somebody may want to stop in between.
    """
    if scores is None:
        return costs_of(model, X, decoding, check)
    decode = model.estimator.decode
    if check is None or not X.shape[0]:
        costs: Costs = decode(scores, decoding.key, decoding.values, X=X)
        return costs
    learn(model, decoding, check)
    parts = in_parts(X.shape[0], scores.shape[1] * model.class_index.size, DECIDED_AT_ONCE, check)
    return np.concatenate([decode(scores[part], decoding.key, decoding.values, X=X[part]) for part in parts])


def make_frames(
    model: Model, plane: Plane, decoding: Choice, n: int, progress: Progress | None = None
) -> Frames:
    """Decode the plane, and the test points (the training points without any), with 1 to n_bits bits.

    `progress` is told the share of the work that is done, and may raise to cancel.
    """
    prepared, estimator = model.prepared, model.estimator
    n_bits = estimator.code_matrix_.shape[1]
    lengths = np.unique(np.rint(np.linspace(1, n_bits, min(n_bits, MAX_FRAMES)))).astype(np.int64)
    tested = prepared.X_test.shape[0] > 0
    points, truth = (prepared.X_test, prepared.y_test) if tested else (prepared.X_train, prepared.y_train)
    X = plane.lift(plane.cells(n))
    labels, n_wrong = [], []
    tell = progress or silent

    check = asking(tell)
    cell_scores, point_scores = scores_of(model, X, check), scores_of(model, points, check)
    learn(model, decoding, check)
    at_cells = estimator.evidence(decoding.key, decoding.values, X=X, scores=cell_scores)
    at_points = estimator.evidence(decoding.key, decoding.values, X=points, scores=point_scores)
    for k, length in enumerate(lengths.tolist()):
        tell(k / lengths.size)
        winners = _decode_prefix(cell_scores, estimator.code_matrix_, at_cells, decoding, length)
        labels.append(model.class_index[winners].astype(np.uint8))
        said = model.class_index[
            _decode_prefix(point_scores, estimator.code_matrix_, at_points, decoding, length)
        ]
        n_wrong.append(int((said != truth).sum()))
    return Frames(decoding, lengths, np.array(labels), np.array(n_wrong), len(truth))


def _decode_prefix(
    scores: Scores,
    code_matrix: CodeMatrix,
    evidence: Evidence,
    decoding: Choice,
    length: int,
) -> IntArray:
    entry = DECODINGS[decoding.key]
    costs = entry.costs(
        scores[:, :length],
        code_matrix[:, :length],
        first_bits(evidence, length),
        **decoding.values,
    )
    winners: IntArray = np.argmin(costs, axis=1).astype(np.int64)
    return winners
