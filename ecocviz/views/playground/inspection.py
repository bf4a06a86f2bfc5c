"""One point under the lens: every bit, codeword and decoder's costs, and what it takes to tip them."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import NO_EVIDENCE
from ecocviz.engine.types import AnyCode, BoolArray, Costs, FloatArray, IntArray, Scores
from ecocviz.lab.evaluate import decide, decoded_by, score_bits
from ecocviz.lab.scenario import Choice
from ecocviz.lab.trained import Model
from ecocviz.views.playground.facts import Picture


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one decoder makes of a point; classes are numbers among all classes.

    Attributes
    ----------
    costs : (n_classes,)
        Smaller is better; infinite for classes that training did not see.
    margin
        Runner-up's cost minus the winner's.
    tipping : bits
        A smallest set of bits, found by the decoder's summands, whose flips give another winner;
        None where the costs are no sums over bits or no set was found.
    """

    decoding: Choice
    costs: FloatArray
    winner: int
    runner_up: int
    margin: float
    tipping: tuple[int, ...] | None


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
    code_matrix : (n_known_classes, n_bits)
    class_index : (n_known_classes,)
        Class of each row.
    truth
        True class, -1 for a place that is no point.
    """

    scores: FloatArray
    bits: IntArray
    flipped: BoolArray
    probabilities: FloatArray | None
    code_matrix: AnyCode
    class_index: IntArray
    truth: int
    verdicts: tuple[Verdict, ...]
    note: str | None = None
    """What is to be known of the probabilities."""

    @property
    def asked(self) -> IntArray | None:
        """Bits that the true class asks for, 0 for any, (n_bits,); None where no class is the true one."""
        row = np.flatnonzero(self.class_index == self.truth)
        return np.sign(self.code_matrix[row[0]]).astype(np.int64) if row.size else None


def inspect_picked(
    model: Model, picture: Picture, pick: int, place: tuple[float, float] | None, flips: frozenset[int]
) -> Inspection | None:
    """Inspect the point of that number, or a place of the plane where it is negative.

    None where nothing is picked, and where the model decides by itself, without scores to look into.
    """
    if not picture.regions.n_bits or (pick < 0 and place is None):
        return None
    if pick < 0:
        return inspect_point(
            model, picture.plane.lift(np.array([place]))[0], -1, picture.regions.decodings, flips
        )
    prepared = model.prepared
    n_train = len(prepared.y_train)
    x = prepared.X_train[pick] if pick < n_train else prepared.X_test[pick - n_train]
    return inspect_point(model, x, int(picture.points.truth[pick]), picture.regions.decodings, flips)


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
    verdicts = []
    known = NO_EVIDENCE
    for choice in decodings:
        verdicts.append(_judge(model, choice, X, scores))
        known = estimator.evidence(choice.key, choice.values)
    sigmoids, probabilities = known.sigmoids, None
    if sigmoids is not None:
        probabilities = 1 / (1 + np.exp(np.clip(sigmoids[:, 0] * scores[0] + sigmoids[:, 1], -700, 700)))
    return Inspection(
        scores[0],
        np.sign(scores[0]).astype(np.int64),
        flipped,
        probabilities,
        estimator.code_matrix_,
        model.class_index,
        truth,
        tuple(verdicts),
        known.calibration_note,
    )


def _judge(model: Model, choice: Choice, X: FloatArray, scores: Scores) -> Verdict:
    known: Costs = decide(model, choice, X, scores)[0]
    order = np.argsort(known, kind="stable")
    costs = np.full(len(model.prepared.classes), np.inf)
    costs[model.class_index] = known
    return Verdict(
        choice,
        costs,
        int(model.class_index[order[0]]),
        int(model.class_index[order[1]]),
        float(known[order[1]] - known[order[0]]),
        tipping_bits(model, choice, X, scores),
    )


def tipping_bits(model: Model, choice: Choice, X: FloatArray, scores: Scores) -> tuple[int, ...] | None:
    """Find a smallest set of bits whose flips change the winner at a point (1, n_features).

    Where costs are sums over bits, a rival gains by each flip independently of the others: taking
    the largest gains first needs the fewest flips. The answer is checked by decoding it.
    """
    estimator, entry = decoded_by(model), DECODINGS[choice.key]
    if entry.terms is None:
        return None
    evidence = estimator.evidence(choice.key, choice.values, X=X, scores=scores)
    flipped = estimator.evidence(choice.key, choice.values, X=X, scores=-scores)
    now = entry.terms(scores, estimator.code_matrix_, evidence, **choice.values)[0]
    then = entry.terms(-scores, estimator.code_matrix_, flipped, **choice.values)[0]
    winner = int(np.argmin(decide(model, choice, X, scores)[0]))
    best: list[int] | None = None
    for rival in range(len(now)):
        if rival != winner:
            found = _overtake(now, then, winner, rival)
            if found is not None and (best is None or len(found) < len(best)):
                best = found
    if best is None:
        return None
    tipped = scores.copy()
    tipped[0, best] *= -1
    after = int(np.argmin(decide(model, choice, X, tipped)[0]))
    return None if after == winner else tuple(sorted(best))


def _overtake(now: FloatArray, then: FloatArray, winner: int, rival: int) -> list[int] | None:
    """Return the fewest bits whose flips put a rival's summed terms below the winner's."""
    lead = float((now[rival] - now[winner]).sum())
    gains = (now[rival] - now[winner]) - (then[rival] - then[winner])
    # An exact tie goes to the lower class, so a lower rival need only draw level.
    slack = 1e-9 * (1.0 + abs(lead) + float(np.abs(gains).sum()))
    taken: list[int] = []
    for b in np.argsort(-gains, kind="stable").tolist():
        if lead < -slack or (rival < winner and lead <= slack):
            break
        if gains[b] <= slack:
            return None
        lead -= float(gains[b])
        taken.append(b)
    overtaken = lead < -slack or (rival < winner and lead <= slack)
    return taken if overtaken and taken else None
