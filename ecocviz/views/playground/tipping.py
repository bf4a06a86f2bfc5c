"""What it takes to change a decision: ties, and the fewest flipped bits that give another winner."""

import numpy as np

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.types import BoolArray, FloatArray, IntArray, Scores
from ecocviz.lab.codewords import rows_of
from ecocviz.lab.evaluate import decide, decoded_by
from ecocviz.lab.scenario import Choice
from ecocviz.lab.trained import Model

TIE = 1e-9
"""Two costs are equal if they differ by no more than this share of the numbers that they are sums of.

Rounding alone moves the longest sum, of 2,000 summands, by less than a thousandth of this.
"""


def are_tied(costs: FloatArray, sizes: FloatArray, with_: int) -> BoolArray:
    """Say which costs (n,) are equal, up to rounding, to one of them.

    Parameters
    ----------
    costs : (n,)
    sizes : (n,)
        What rounding is in proportion to: the sum of each cost's summands without their signs.
    with_
        Position of the one.

    Examples
    --------
    >>> are_tied(np.array([0.3, 0.1 + 0.2, 0.31]), np.array([0.3, 0.3, 0.31]), 0).tolist()
    [True, True, False]
    """
    near = np.abs(costs - costs[with_]) <= TIE * np.maximum(sizes, sizes[with_])
    tied: BoolArray = near & np.isfinite(costs)
    return tied


def tipping_bits(model: Model, choice: Choice, X: FloatArray, scores: Scores) -> tuple[int, ...] | None:
    """Find a smallest set of bits whose flips change the winner at a point (1, n_features).

    Where costs are sums over bits, a rival gains on the winner by each flip independently of the others:
    taking the largest gains first needs the fewest flips. A rival of a winner with several rows must
    overtake them all, which takes as many flips as the hardest of them. The answer is checked by decoding
    it; None where no set of that size is found, and where costs are no sums over bits.
    """
    estimator, entry = decoded_by(model), DECODINGS[choice.key]
    if entry.terms is None:
        return None
    code, values = estimator.code_matrix_, choice.values
    evidence = estimator.evidence(choice.key, values, X=X, scores=scores)
    flipped = estimator.evidence(choice.key, values, X=X, scores=-scores)
    now = entry.terms(scores, code, evidence, **values)[0]
    then = entry.terms(-scores, code, flipped, **values)[0]
    before = int(np.argmin(decide(model, choice, X, scores)[0]))
    winner = int(model.class_index[before])
    for taken in _smallest_sets(now, then, rows_of(model, code.shape[0]), winner):
        tipped = scores.copy()
        tipped[0, taken] *= -1
        if int(np.argmin(decide(model, choice, X, tipped)[0])) != before:
            return tuple(sorted(taken))
    return None


def _smallest_sets(now: FloatArray, then: FloatArray, rows: IntArray, winner: int) -> list[list[int]]:
    """Return sets of bits that may be smallest, from summands (n_rows, n_bits) as they are and flipped."""
    own, found = np.flatnonzero(rows == winner), []
    for rival in np.flatnonzero(rows != winner).tolist():
        sets = [_overtake(now, then, row, rival, level=rows[rival] < winner) for row in own.tolist()]
        possible = [one for one in sets if one is not None]
        if len(possible) == len(sets):
            least = max(map(len, possible))
            found.append((least, [one for one in possible if len(one) == least]))
    fewest = min((least for least, _ in found), default=0)
    return [one for least, sets in found if least == fewest for one in sets if one]


def _overtake(now: FloatArray, then: FloatArray, winner: int, rival: int, *, level: bool) -> list[int] | None:
    """Return the fewest bits whose flips put a rival row's cost below another's, None where none do.

    A tie goes to the lower class, so that for a rival of a lower one it is enough to draw `level`.
    """
    lead = float((now[rival] - now[winner]).sum())
    gains = (now[rival] - now[winner]) - (then[rival] - then[winner])
    larger = np.maximum(np.abs(now), np.abs(then))
    slack = TIE * float(max(larger[winner].sum(), larger[rival].sum()))
    taken: list[int] = []
    for b in np.argsort(-gains, kind="stable").tolist():
        if lead < -slack or (level and lead <= slack) or gains[b] <= 0:
            break
        lead -= float(gains[b])
        taken.append(b)
    return taken if lead < -slack or (level and lead <= slack) else None
