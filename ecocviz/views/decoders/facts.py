"""All decoders on the same trained machines: scored once, decided by each, timed, laid side by side."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ecocviz.engine.analysis.statistics import (
    Calibration,
    calibration,
    mcnemar,
    wilson_interval,
)
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.params import TextParam
from ecocviz.engine.progress import Check
from ecocviz.engine.types import FloatArray, IntArray, Scores
from ecocviz.lab.regions import Plane, Points, Regions, decodable, decoded_costs, scores_of
from ecocviz.lab.run import (
    DECIDED_AT_ONCE,
    Model,
    Outcome,
    Tell,
    Trained,
    in_parts,
    judged_part,
    telling,
    untold,
)
from ecocviz.lab.scenario import Choice
from ecocviz.lab.selection import LIST

JUDGED = TextParam(
    name="judged", label="Decoders of the comparison", default="", alphabet=LIST, max_length=600
)
"""Those that are compared, dot-separated, "" for all."""
CONFUSED = TextParam(
    name="confused", label="Decoders whose decisions are counted", default="", alphabet=LIST, max_length=100
)
"""The one or two whose decisions are counted class by class."""

SELECTION = (JUDGED, CONFUSED)


N_TIMED = 1_000
"""Decisions that a decoder is timed on."""

PATIENCE = 0.02
"""Seconds after which a timing is not repeated."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one decoder makes of a set of points.

    Attributes
    ----------
    decoding
        The decoder.
    outcome
        Its decisions.
    interval
        Wilson's 95 % interval of its error.
    milliseconds
        Of 1000 decisions from scores, what the decoder learned from training being there already.
    calibration
        How well its probabilities match what happens; None without probabilities.
    unsure
        Why it has no probabilities, in one sentence; "" for decoders that define none, or that have some.
    """

    decoding: Choice
    outcome: Outcome
    interval: tuple[float, float]
    milliseconds: float
    calibration: Calibration | None
    unsure: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A decoder that could not be used, and why, in one sentence."""

    decoding: Choice
    reason: str


@dataclass(frozen=True, slots=True)
class _Scored:
    """A model, its points, and their scores (n, n_bits); None where it decides by itself."""

    model: Model
    rows: IntArray
    X: FloatArray
    y: IntArray
    scores: Scores | None


def compare(
    trained: Trained,
    decodings: tuple[Choice, ...],
    found: Callable[[Judgement | Refusal], None],
    progress: Tell | None = None,
) -> None:
    """Let every decoder judge the same points; hand over each result as it comes.

    Parameters
    ----------
    trained
        The machines; the test points are judged, the training points where there are none.
    decodings
        The decoders. A model that decides by itself takes no notice of them: give one.
    found
        Handed what was found, decoder by decoder.
    progress
        Told how far the work is; may raise to cancel.
    """
    tell = progress or untold
    part = judged_part(trained)
    models = trained.models if part == "test" else (trained.shown,)
    scored = []
    for i, model in enumerate(models):
        scored.append(_score(model, part, telling(tell, 0.2 * i / len(models), "scoring the points")))
    for i, decoding in enumerate(decodings):
        check = telling(tell, 0.2 + 0.8 * i / len(decodings), f"{i} of {len(decodings)} decoders")
        try:
            found(_judge(scored, decoding, len(trained.classes), check))
        except ValueError as refusal:
            found(Refusal(decoding, str(refusal)))


def _score(model: Model, part: str, check: Check) -> _Scored:
    prepared = model.prepared
    test = part == "test"
    X, y = (prepared.X_test, prepared.y_test) if test else (prepared.X_train, prepared.y_train)
    rows = prepared.test_rows if test else prepared.train_rows
    scores = scores_of(model, X, check) if decodable(model) and y.size else None
    return _Scored(model, rows, X, y, scores)


def _judge(scored: list[_Scored], decoding: Choice, n_classes: int, check: Check) -> Judgement:
    seconds = 0.0
    costs, chances = [], []
    unsure, sure = "", DECODINGS[decoding.key].probabilities is not None
    for part in scored:
        here = np.full((part.y.size, n_classes), np.inf)
        if part.y.size:
            decoded_costs(part.model, decoding, part.X[:1], _first(part.scores, 1), check)  # learns, compiles
            began = perf_counter()
            here[:, part.model.class_index] = decoded_costs(part.model, decoding, part.X, part.scores, check)
            seconds += perf_counter() - began
        costs.append(here)
        if sure and part.scores is not None and not unsure:
            try:
                chances.append(_probabilities(part, decoding, n_classes, check))
            except ValueError as refusal:
                unsure = str(refusal)
    rows = np.concatenate([part.rows for part in scored])
    truth = np.concatenate([part.y for part in scored])
    order = np.argsort(rows, kind="stable")
    pooled = np.concatenate(costs)[order]
    outcome = Outcome(rows[order], truth[order], np.argmin(pooled, axis=1).astype(np.int64), pooled)
    timed = max(rows.size, N_TIMED)
    if rows.size < N_TIMED:
        seconds = _time(scored, decoding, check)
    stated = calibration(np.concatenate(chances)[order], truth[order]) if chances and not unsure else None
    return Judgement(
        decoding,
        outcome,
        wilson_interval(outcome.n_wrong, rows.size),
        1000 * seconds * 1000 / timed,
        stated,
        unsure,
    )


def _probabilities(part: _Scored, decoding: Choice, n_classes: int, check: Check) -> FloatArray:
    """Return (n, n_classes); 0 for classes that training did not see."""
    chances = np.zeros((part.y.size, n_classes))
    scores, known = part.scores, part.model.class_index
    if scores is not None:
        for some in in_parts(part.y.size, scores.shape[1] * known.size, DECIDED_AT_ONCE, check):
            chances[some.start : some.stop, known] = part.model.estimator.probabilities(
                scores[some], decoding.key, decoding.values, X=part.X[some]
            )
    return chances


def _time(scored: list[_Scored], decoding: Choice, check: Check) -> float:
    """Return the seconds of 1000 decisions: the first model's points, repeated."""
    part = next(part for part in scored if part.y.size)
    again = np.resize(np.arange(part.y.size), N_TIMED)
    X = part.X[again]
    scores = None if part.scores is None else part.scores[again]
    taken: list[float] = []
    while len(taken) < 3 and sum(taken) < PATIENCE:  # the quickest is the least disturbed one
        began = perf_counter()
        decoded_costs(part.model, decoding, X, scores, check)
        taken.append(perf_counter() - began)
    return min(taken)


def _first(scores: Scores | None, n: int) -> Scores | None:
    return None if scores is None else scores[:n]


def p_value(judgement: Judgement, other: Judgement) -> float:
    """Return McNemar's exact p-value that two decoders err equally often on the same points."""
    return mcnemar(judgement.outcome.wrong, other.outcome.wrong)


def alike(judgements: tuple[Judgement, ...]) -> tuple[tuple[int, ...], ...]:
    """Group the decoders that decide every point alike, the largest group first.

    Returns
    -------
    groups
        Positions, each in exactly one group.
    """
    groups: dict[bytes, list[int]] = {}
    for k, judgement in enumerate(judgements):
        groups.setdefault(judgement.outcome.labels.tobytes(), []).append(k)
    return tuple(sorted((tuple(group) for group in groups.values()), key=lambda group: (-len(group), group)))


# The plane -----------------------------------------------------------------------------------------

PICTURE_SIDE = 64
"""Cells along each side of a small picture."""
PICTURE_WORK = 4e7
"""Cells x classes x machines that a small picture may take."""
MAX_POINTS = 600
"""Points drawn into a small picture."""


def picture_side(n_classes: int, n_bits: int) -> int:
    """Choose the cells along a side so that the slowest decoders stay bearable.

    >>> picture_side(4, 6), picture_side(26, 325)
    (64, 64)
    >>> picture_side(26, 2000)
    32
    """
    return int(np.clip((PICTURE_WORK / max(n_classes * n_bits, 1)) ** 0.5, 32, PICTURE_SIDE))


def pictures(
    model: Model, plane: Plane, decodings: tuple[Choice, ...], progress: Tell | None = None
) -> tuple[Regions, Points]:
    """Decide a coarse grid of a plane, and a fair share of the model's points, with every decoder.

    Returns
    -------
    regions
        Without confidence or bits, which small pictures do not show.
    points
        At most `MAX_POINTS`, evenly taken from the test points, or the training points without any.
    """
    tell = progress or untold
    check = telling(tell, 0.0, "scoring the plane")
    prepared, estimator = model.prepared, model.estimator
    scored = decodable(model)
    n_bits = estimator.code_matrix_.shape[1] if scored else 0
    side = picture_side(len(prepared.classes), n_bits)
    tested = prepared.y_test.size > 0
    X, y = (prepared.X_test, prepared.y_test) if tested else (prepared.X_train, prepared.y_train)
    taken = np.unique(np.rint(np.linspace(0, y.size - 1, min(y.size, MAX_POINTS))).astype(np.int64))
    both = np.concatenate([plane.lift(plane.cells(side)), X[taken]])
    scores = scores_of(model, both, check) if scored else None
    labels = []
    for k, decoding in enumerate(decodings):
        check = telling(tell, k / len(decodings), f"{k} of {len(decodings)} pictures")
        costs = decoded_costs(model, decoding, both, scores, check)
        labels.append(model.class_index[np.argmin(costs, axis=1)])
    decided = np.array(labels)
    nothing = np.zeros((len(decodings), 0), dtype=np.uint8)
    return (
        Regions(plane, decodings, side, 0, nothing[:0], decided[:, : side * side].astype(np.uint8), nothing),
        Points(
            plane.project(X[taken]),
            y[taken],
            np.full(taken.size, tested),
            decided[:, side * side :],
            np.zeros(taken.size, dtype=np.int64),
        ),
    )
