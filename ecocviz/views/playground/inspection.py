"""One point under the lens: every bit, every codeword, and what each decoder makes of them."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import Decoding, Evidence, Reads
from ecocviz.engine.types import AnyCode, BoolArray, Costs, FloatArray, IntArray, Scores
from ecocviz.lab.codewords import rows_of
from ecocviz.lab.evaluate import decide, decoded_by, score_bits
from ecocviz.lab.rejecting import reject
from ecocviz.lab.scenario import Choice
from ecocviz.lab.trained import Model
from ecocviz.views.playground.facts import Picture
from ecocviz.views.playground.tipping import are_tied, tipping_bits


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one decoder makes of a point; classes are numbers among all classes.

    Attributes
    ----------
    costs : (n_classes,)
        Smaller is better; infinite for classes that training did not see.
    row_costs : (n_rows,)
        Of the rows of the code; a class costs what its best row costs.
    winner, runner_up
        The lowest class wins a tie.
    margin
        Runner-up's cost minus the winner's.
    tied
        All classes whose costs equal the winner's up to rounding, the winner among them.
    tipping : bits
        A smallest set of bits, found by the decoder's summands, whose flips give another winner;
        None where the costs are no sums over bits or no set was found.
    undecided
        Whether the decoder's rule leaves the point undecided.
    idle
        What each entry 0 of a row costs, where that is the same whatever the machines say.
    """

    decoding: Choice
    costs: FloatArray
    row_costs: FloatArray
    winner: int
    runner_up: int
    margin: float
    tied: tuple[int, ...]
    tipping: tuple[int, ...] | None
    undecided: bool = False
    idle: float = 0.0

    @property
    def entry(self) -> Decoding:
        """The decoder."""
        return DECODINGS[self.decoding.key]

    @property
    def is_tie(self) -> bool:
        """Whether the winner wins only because it is listed first, or by what rounding left of a tie."""
        return len(self.tied) > 1


@dataclass(frozen=True, slots=True)
class Inspection:
    """A point and everything that is decided about it.

    Attributes
    ----------
    scores, bits : (n_bits,)
        After the flips.
    flipped : (n_bits,)
    probabilities : (n_bits,) or None
        P(bit = +1 | score), where sigmoids were fitted.
    code_matrix : (n_rows, n_bits)
    rows : (n_rows,)
        Class of each row; a class may have several, and one that training lacks has none.
    truth
        True class, -1 for a place that is no point.
    note
        What is to be known of the probabilities.
    """

    scores: FloatArray
    bits: IntArray
    flipped: BoolArray
    probabilities: FloatArray | None
    code_matrix: AnyCode
    rows: IntArray
    truth: int
    verdicts: tuple[Verdict, ...]
    note: str | None = None

    @property
    def likely(self) -> IntArray | None:
        """Bits by their probabilities, (n_bits,): +1 where P(+) is above one half, 0 where it is one half."""
        sure = self.probabilities
        return None if sure is None else np.sign(sure - 0.5).astype(np.int64)

    @property
    def split(self) -> BoolArray:
        """Where score and probability are on different sides, (n_bits,)."""
        unlike: BoolArray = (
            np.zeros(self.bits.size, bool) if self.likely is None else self.likely != self.bits
        )
        return unlike

    def seen(self, decoder: int) -> IntArray:
        """Return the bits as a decoder reads them, (n_bits,): by probabilities if it reads those."""
        by_probability = self.verdicts[decoder].entry.reads is Reads.PROBABILITIES
        return self.likely if by_probability and self.likely is not None else self.bits

    def best_row(self, decoder: int, c: int) -> int:
        """Return the row of a class that costs a decoder least: the one it decides by; -1 without any."""
        own = np.flatnonzero(self.rows == c)
        return int(own[np.argmin(self.verdicts[decoder].row_costs[own])]) if own.size else -1

    def asked(self, decoder: int) -> IntArray | None:
        """Return what the true class asks of the bits, 0 for any, (n_bits,); None where none is the true one.

        Of a class with several rows it is the row that the decoder decides by.
        """
        row = self.best_row(decoder, self.truth)
        return None if row < 0 else np.sign(self.code_matrix[row]).astype(np.int64)

    def wrong(self, decoder: int) -> BoolArray:
        """Return which bits, among those asked for, are not right as a decoder reads them, (n_bits,)."""
        asked = self.asked(decoder)
        if asked is None:
            return np.zeros(self.bits.size, bool)
        wrong: BoolArray = (asked != 0) & (asked * self.seen(decoder) <= 0)
        return wrong

    def matters(self, decoder: int) -> BoolArray:
        """Return which bits the true class or the winner asks for, (n_bits,); others are of other classes."""
        verdict = self.verdicts[decoder]
        classes = (verdict.winner, self.truth if self.truth >= 0 else verdict.runner_up)
        found = [self.best_row(decoder, c) for c in classes]
        asks: BoolArray = (self.code_matrix[[row for row in found if row >= 0]] != 0).any(axis=0)
        return asks


def inspect_picked(
    model: Model, picture: Picture, pick: int, place: tuple[float, float] | None, flips: frozenset[int]
) -> Inspection | None:
    """Inspect the point of that number, or a place of the plane where it is negative.

    None where nothing is picked, and where the model decides by itself, without scores to look into.
    """
    if not picture.regions.n_bits or (pick < 0 and place is None):
        return None
    truth = -1 if pick < 0 else int(picture.points.truth[pick])
    return inspect_point(
        model, picked_point(model, picture, pick, place), truth, picture.regions.decodings, flips
    )


def picked_point(model: Model, picture: Picture, pick: int, place: tuple[float, float] | None) -> FloatArray:
    """Return the features of what is picked, (n_features,)."""
    prepared, n_train = model.prepared, len(model.prepared.y_train)
    x: FloatArray
    if pick < 0:
        (x,) = picture.plane.lift(np.array([place]))
    else:
        x = prepared.X_train[pick] if pick < n_train else prepared.X_test[pick - n_train]
    return x


def inspect_point(
    model: Model,
    point: FloatArray,
    truth: int,
    decodings: tuple[Choice, ...],
    flips: frozenset[int],
) -> Inspection:
    """Score a point (n_features,), flip some bits, and let every decoder decide.

    A flipped bit keeps its strength and changes its sign.
    """
    estimator = decoded_by(model)
    X = point[None, :]
    scores = score_bits(model, X)
    flipped = np.isin(np.arange(scores.shape[1]), list(flips))
    scores = np.where(flipped, -scores, scores)
    verdicts = tuple(_judge(model, choice, X, scores) for choice in decodings)
    sure = next(
        (verdict.decoding for verdict in verdicts if verdict.entry.reads is Reads.PROBABILITIES), None
    )
    known = Evidence() if sure is None else estimator.evidence(sure.key, sure.values)
    return Inspection(
        scores[0],
        np.sign(scores[0]).astype(np.int64),
        flipped,
        _chances(scores[0], known),
        estimator.code_matrix_,
        rows_of(model, estimator.code_matrix_.shape[0]),
        truth,
        verdicts,
        known.calibration_note,
    )


def _chances(scores: FloatArray, known: Evidence) -> FloatArray | None:
    """Return P(bit = +1 | score) of scores (n_bits,); None without sigmoids."""
    if known.sigmoids is None:
        return None
    slopes, offsets = known.sigmoids.T
    chances: FloatArray = 1 / (1 + np.exp(np.clip(slopes * scores + offsets, -700, 700)))
    return chances


def _judge(model: Model, choice: Choice, X: FloatArray, scores: Scores) -> Verdict:
    found: Costs = decide(model, choice, X, scores)
    known = found[0]
    order = np.argsort(known, kind="stable")
    costs = np.full(len(model.prepared.classes), np.inf)
    costs[model.class_index] = known
    row_costs, sizes, idle = _of_rows(model, choice, X, scores)
    rows = rows_of(model, row_costs.size)
    # Rows of other classes out of the way, the least of what is left is a class's own best.
    best = np.where(rows == model.class_index[:, None], row_costs, np.inf).argmin(axis=1)
    tied = are_tied(known, sizes[best], int(order[0]))
    return Verdict(
        choice,
        costs,
        row_costs,
        int(model.class_index[order[0]]),
        int(model.class_index[order[1]]),
        float(known[order[1]] - known[order[0]]),
        tuple(model.class_index[tied].tolist()),
        tipping_bits(model, choice, X, scores),
        bool(reject(model, choice, scores, found)[0]),
        idle,
    )


def _of_rows(
    model: Model, choice: Choice, X: FloatArray, scores: Scores
) -> tuple[FloatArray, FloatArray, float]:
    """Return each row's cost at a point, the size of its summands together, (n_rows,) each, and `idle`."""
    estimator, entry = decoded_by(model), DECODINGS[choice.key]
    evidence = estimator.evidence(choice.key, choice.values, X=X, scores=scores)
    costs = entry.costs(scores, estimator.code_matrix_, evidence, **choice.values)[0]
    if entry.terms is None:
        return costs, np.abs(costs), 0.0
    terms = entry.terms(scores, estimator.code_matrix_, evidence, **choice.values)[0]
    unasked = terms[estimator.code_matrix_ == 0]
    same = unasked.size and np.ptp(unasked) <= 1e-9 * np.abs(unasked).max()
    return costs, np.abs(terms).sum(axis=1), float(unasked[0]) if same else 0.0
