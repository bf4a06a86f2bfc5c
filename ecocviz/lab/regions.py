"""Decisions over a plane: which class every decoder names in every cell of a grid, and how surely."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import Evidence
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import AnyCode, BoolArray, Costs, FloatArray, IntArray, Scores
from ecocviz.lab.codewords import asked_rows, rows_of, winning_classes
from ecocviz.lab.evaluate import (
    decide,
    decoded_by,
    has_scores,
    learn,
    score,
    score_bits,
    scored_by,
)
from ecocviz.lab.plane import Plane
from ecocviz.lab.rejecting import reject, rejects
from ecocviz.lab.scenario import Choice
from ecocviz.lab.trained import Model

ByteArray = npt.NDArray[np.uint8]

FINEST, COARSEST = 150, 60
LEVELS = 63
"""Steps of the confidence byte; the browser knows the same number."""
MAX_FRAMES = 32
SIDE = 64
"""Cells along each side of a small picture."""
SMALL_WORK = 4e7
"""Cells x classes x machines that a small picture may take."""
MAX_DRAWN = 600
"""Points drawn into a small picture."""


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
    undecided : (n_decoders, ceil(n * n / 8)) or None
        Cells that the decoders' rule leaves undecided, packed as the bits are; None where they have no rule.
    """

    plane: Plane
    decodings: tuple[Choice, ...]
    n: int
    n_bits: int
    bits: ByteArray
    labels: ByteArray
    confidence: ByteArray
    undecided: ByteArray | None = None


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
        Bits, among those that the true class's codeword (of several the nearest) asks for, that point
        the wrong way.
    undecided : (n_decoders, n_points) or None
        Points that the decoders' rule leaves undecided; None where they have no rule.
    bits : (n_points, ceil(n_bits / 8)) or None
        Eight machines to a byte, the first highest; 1 is +1. None where there are no scores.
    """

    coordinates: FloatArray
    truth: IntArray
    is_test: BoolArray
    labels: IntArray
    wrong_bits: IntArray
    undecided: BoolArray | None = None
    bits: ByteArray | None = None

    @property
    def wrong(self) -> BoolArray:
        """Points that are decided wrongly, (n_decoders, n_points); one that is left undecided is not."""
        wrong: BoolArray = self.labels != self.truth
        return wrong if self.undecided is None else wrong & ~self.undecided


def make_points(
    model: Model, plane: Plane, decodings: tuple[Choice, ...], progress: Progress = NO_PROGRESS
) -> Points:
    """Project a model's points onto a plane and let every decoder decide them."""
    prepared = model.prepared
    X = np.concatenate([prepared.X_train, prepared.X_test])
    truth = np.concatenate([prepared.y_train, prepared.y_test])
    is_test = np.arange(len(truth)) >= len(prepared.y_train)
    scores, labels, left = score(model, X, progress), [], []
    for decoding in decodings:
        costs = decide(model, decoding, X, scores, progress)
        labels.append(model.class_index[np.argmin(costs, axis=1)])
        left.append(reject(model, decoding, scores, costs))
    undecided = np.array(left) if rejects(model, decodings[0]) else None
    wrong_bits = np.zeros(len(truth), dtype=np.int64)
    if scores is not None:
        code = np.sign(scored_by(model).code_matrix_)
        row = asked_rows(code, rows_of(model, code.shape[0]), truth, scores)
        asked = np.where(row[:, None] < 0, 0, code[row])  # of a class that training lacks nothing is asked
        wrong_bits = ((asked * np.sign(scores) <= 0) & (asked != 0)).sum(axis=1)
    bits = None if scores is None else np.packbits(scores > 0, axis=1)
    return Points(plane.project(X), truth, is_test, np.array(labels), wrong_bits, undecided, bits)


def example_point(points: Points, plane: Plane, decoder: int) -> int:
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


def grid_side(n_train: int, n_classes: int, n_bits: int) -> int:
    """Choose the cells along a side so that scoring and decoding the grid stays well under a second."""
    work = max(n_classes * n_bits, n_train, 1)
    return int(np.clip((2.5e7 / work) ** 0.5, COARSEST, FINEST))


def make_regions(
    model: Model,
    plane: Plane,
    decodings: tuple[Choice, ...],
    n: int | None = None,
    progress: Progress = NO_PROGRESS,
) -> Regions:
    """Decide every cell of a plane with every decoder."""
    n_bits = scored_by(model).code_matrix_.shape[1] if has_scores(model) else 0
    side = n or grid_side(model.prepared.X_train.shape[0], len(model.prepared.classes), n_bits)
    X = plane.lift(plane.cells(side))
    scores = score(model, X, progress)
    labels, confidence, left = [], [], []
    for k, decoding in enumerate(decodings):
        progress.at(k / len(decodings))
        costs = decide(model, decoding, X, scores, progress)
        left.append(reject(model, decoding, scores, costs))
        labels.append(model.class_index[np.argmin(costs, axis=1)].astype(np.uint8))
        confidence.append(quantise(margins_of(costs)))
    scores = np.zeros((side * side, 0)) if scores is None else scores
    bits = np.packbits(scores.T > 0, axis=1)
    undecided = np.packbits(left, axis=1) if rejects(model, decodings[0]) else None
    return Regions(plane, decodings, side, n_bits, bits, np.array(labels), np.array(confidence), undecided)


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


def make_frames(
    model: Model, plane: Plane, decoding: Choice, n: int, progress: Progress = NO_PROGRESS
) -> Frames:
    """Decode the plane, and the test points (the training points without any), with 1 to n_bits bits."""
    estimator = decoded_by(model)
    n_bits, rows = estimator.code_matrix_.shape[1], rows_of(model, estimator.code_matrix_.shape[0])
    lengths = np.unique(np.rint(np.linspace(1, n_bits, min(n_bits, MAX_FRAMES)))).astype(np.int64)
    points, truth, _ = model.points(model.shown_part)
    X = plane.lift(plane.cells(n))
    labels, n_wrong = [], []
    progress.note("scoring the plane")
    cell_scores, point_scores = score_bits(model, X, progress), score_bits(model, points, progress)
    learn(model, decoding, progress)
    at_cells = estimator.evidence(decoding.key, decoding.values, X=X, scores=cell_scores)
    at_points = estimator.evidence(decoding.key, decoding.values, X=points, scores=point_scores)
    for k, length in enumerate(lengths.tolist()):
        progress.note(f"decoding with {length} of {n_bits} bits")
        progress.at(k / lengths.size)
        code = estimator.code_matrix_[:, :length]
        at = _decode_prefix(cell_scores, code, at_cells, decoding)
        labels.append(winning_classes(at, rows).astype(np.uint8))
        said = winning_classes(_decode_prefix(point_scores, code, at_points, decoding), rows)
        n_wrong.append(int((said != truth).sum()))
    return Frames(decoding, lengths, np.array(labels), np.array(n_wrong), len(truth))


def play_point(
    model: Model, x: FloatArray, scores: Scores, frames: Frames
) -> tuple[tuple[int, FloatArray, int], ...]:
    """Decode one point (n_features,) with the bits of each frame.

    Returns how many bits these are, what every row costs, (n_rows,), and the class that wins.

    Parameters
    ----------
    model
        The machines.
    x
        The point.
    scores : (1, n_bits)
        What the machines say of it; some may be flipped.
    frames
        Those of the plane.
    """
    estimator, decoding = decoded_by(model), frames.decoding
    rows = rows_of(model, estimator.code_matrix_.shape[0])
    at = estimator.evidence(decoding.key, decoding.values, X=x[None], scores=scores)
    played = []
    for length in frames.lengths.tolist():
        costs = _decode_prefix(scores, estimator.code_matrix_[:, :length], at, decoding)
        played.append((length, costs[0], int(winning_classes(costs, rows)[0])))
    return tuple(played)


def _decode_prefix(scores: Scores, code_matrix: AnyCode, evidence: Evidence, decoding: Choice) -> Costs:
    """Return the costs of the rows, (n, n_rows), by the first bits of the scores, as many as the code has."""
    length = code_matrix.shape[1]
    costs: Costs = DECODINGS[decoding.key].costs(
        scores[:, :length], code_matrix, first_bits(evidence, length), **decoding.values
    )
    return costs


# Small pictures, many beside each other --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SmallPlane:
    """A coarse grid of a plane and a fair share of a model's points, to be decided together.

    Attributes
    ----------
    plane
        What is looked at.
    n
        Cells along each side.
    drawn : (n_drawn, n_features)
        The points.
    truth : (n_drawn,)
    is_test
        Whether these are test points.
    """

    plane: Plane
    n: int
    drawn: FloatArray
    truth: IntArray
    is_test: bool

    def to_decide(self) -> FloatArray:
        """Return the cells, then the points, (n * n + n_drawn, n_features); made anew, as it may be large."""
        return np.concatenate([self.plane.lift(self.plane.cells(self.n)), self.drawn])

    def regions(self, decodings: tuple[Choice, ...], labels: IntArray) -> Regions:
        """Return the cells' part of labels (n_decoders, n * n + n_drawn), without confidence or bits."""
        nothing = np.zeros((len(labels), 0), dtype=np.uint8)
        cells = labels[:, : self.n * self.n].astype(np.uint8)
        return Regions(self.plane, decodings, self.n, 0, nothing[:0], cells, nothing)

    def points(self, labels: IntArray) -> Points:
        """Return the points' part of labels (n_decoders, n * n + n_drawn)."""
        nothing = np.zeros(self.truth.size, dtype=np.int64)
        tested, decided = np.full(self.truth.size, self.is_test), labels[:, self.n * self.n :]
        return Points(self.plane.project(self.drawn), self.truth, tested, decided, nothing)


def small_side(n_classes: int, n_bits: int) -> int:
    """Choose the cells along a side so that the slowest decoders stay bearable.

    >>> small_side(4, 6), small_side(26, 325)
    (64, 64)
    >>> small_side(26, 2000)
    32
    """
    return int(np.clip((SMALL_WORK / max(n_classes * n_bits, 1)) ** 0.5, 32, SIDE))


def small_plane(
    plane: Plane, points: FloatArray, truth: IntArray, *, is_test: bool, n: int = SIDE
) -> SmallPlane:
    """Take a coarse grid, and at most `MAX_DRAWN` points, evenly from those given."""
    taken = np.unique(np.rint(np.linspace(0, truth.size - 1, min(truth.size, MAX_DRAWN))).astype(np.int64))
    return SmallPlane(plane, n, points[taken], truth[taken], is_test)
