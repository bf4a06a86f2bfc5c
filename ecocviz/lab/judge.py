"""How good a decision is, how sure that is, and what it costs: the same for decoders and reductions."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np

from ecocviz.engine.analysis.statistics import Calibration, calibration, mcnemar, wilson_interval
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import FloatArray, Scores
from ecocviz.lab.evaluate import Outcome, Scored, decide, scored_by
from ecocviz.lab.scenario import Choice
from ecocviz.lab.trained import Model

LEVEL = 0.05
"""Of significance."""
N_TIMED = 1_000
"""Decisions that are timed."""
TIMINGS, TIMING_SECONDS = 11, 0.15
"""How often they are timed: until one of these is reached."""
N_UNTIMED = 50
"""Decisions made before, in which loops are loaded and buffers are made."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one way to decide makes of a set of points.

    Attributes
    ----------
    key
        Of the decoder, or of whatever else was judged.
    outcome
        Its decisions.
    interval
        Wilson's 95 % interval of its error.
    milliseconds
        Of 1000 decisions.
    calibration
        How well its probabilities match what happens; None without probabilities.
    """

    key: str
    outcome: Outcome
    interval: tuple[float, float]
    milliseconds: float
    calibration: Calibration | None = None

    def p_value(self, other: "Judgement") -> float:
        """Return McNemar's exact p-value that both err equally often on the same points."""
        return mcnemar(self.outcome.wrong, other.outcome.wrong)


@dataclass(frozen=True, slots=True)
class Refused:
    """What could not be judged, and why, in one sentence."""

    key: str
    reason: str


def beyond_chance(judged: Sequence[Judgement], own: Judgement) -> tuple[int, int]:
    """Count those that err more, and less, than one of them by more than chance explains (p < 5 %)."""
    far = [each for each in judged if each is not own and each.p_value(own) < LEVEL]
    worse = sum(each.outcome.n_wrong > own.outcome.n_wrong for each in far)
    better = sum(each.outcome.n_wrong < own.outcome.n_wrong for each in far)
    return worse, better


def judge(scored: Scored, decoding: Choice, progress: Progress = NO_PROGRESS) -> Judgement:
    """Judge a decoder on scored points; its time is that from scores to decisions."""
    outcome = scored.decide(decoding, progress)
    batch = next(batch for batch in scored.batches if batch.y.size)
    milliseconds = time_decisions(batch.model, decoding, batch.X, batch.scores, progress)
    chances = scored.probabilities(decoding, progress)
    stated = None if chances is None else calibration(chances, scored.truth)
    interval = wilson_interval(outcome.n_wrong, outcome.n)
    return Judgement(decoding.key, outcome, interval, milliseconds, stated)


def time_decisions(
    model: Model,
    decoding: Choice,
    X: FloatArray,
    scores: Scores | None = None,
    progress: Progress = NO_PROGRESS,
) -> float:
    """Return the milliseconds of 1000 decisions, from scores if they are given, else from the points.

    The points are repeated as needed. What the decoder learns from training is there already, and
    nothing is compiled any more: the median of several times, which what else the computer does at that
    moment changes little.
    """
    again = np.resize(np.arange(X.shape[0]), N_TIMED)
    points, given = X[again], None if scores is None else scores[again]
    decide(model, decoding, points[:N_UNTIMED], None if given is None else given[:N_UNTIMED], progress)
    took: list[float] = []
    while len(took) < TIMINGS and sum(took) < TIMING_SECONDS:
        began = perf_counter()
        if given is None:
            model.estimator.costs(points, decoding.key, decoding.values)
        else:
            scored_by(model).decode(given, decoding.key, decoding.values, X=points)
        took.append(perf_counter() - began)
        progress.check()
    return 1000 * median(took)
