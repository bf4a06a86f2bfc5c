"""The one way to score points, decide them and pool the decisions of several folds.

Trained machines score points once; every decoder then reads the same scores. Of a cross-validation each
point is decided by the machines that did not see it, and all points are put in the order of the rows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ecocviz.engine import capabilities as can
from ecocviz.engine.analysis.rejecting import Decided, count_decided
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.progress import NO_PROGRESS, Asking, Progress
from ecocviz.engine.types import BoolArray, Costs, FloatArray, IntArray, Scores
from ecocviz.lab.away import away, away_on
from ecocviz.lab.cost import Cost, gram_bytes, scoring_cost
from ecocviz.lab.rejecting import HELD_OUT, learn_rule, needs_of, reject, rejects
from ecocviz.lab.scenario import Choice
from ecocviz.lab.trained import Model, Trained, release

SCORED_AT_ONCE = 1e9
"""Points x machines x training points between two checks whether to go on."""
DECIDED_AT_ONCE = 3e5
"""Points x machines x classes between two checks: a third of a second for the slowest decoders."""
DECIDED_IN_A_SECOND = 1e7
"""Points x machines x classes; the quickest decoders do ten times as many, the slowest a tenth."""

Number = TypeVar("Number", bound=np.generic)


# Any points ------------------------------------------------------------------------------------------


def in_batches(n: int, each: float, at_once: float, progress: Progress) -> Iterator[slice]:
    """Go through n points in batches that are done soon, asking before each whether to go on.

    Parameters
    ----------
    n
        Number of points.
    each
        Work of one of them.
    at_once
        Work of a batch.
    progress
        May raise to cancel.

    Examples
    --------
    >>> list(in_batches(100, 1.0, 40.0, NO_PROGRESS))
    [slice(0, 40, None), slice(40, 80, None), slice(80, 120, None)]
    """
    size = max(16, int(at_once / each))
    for first in range(0, n, size):
        progress.check()
        yield slice(first, first + size)


def has_scores(model: Model) -> bool:
    """Say whether the model has machines whose scores any decoder may read."""
    return model.estimator.decoded


def scored_by(model: Model) -> can.Scored:
    """Return a model's estimator as machines with scores; whoever asks knows that it has some."""
    if not isinstance(model.estimator, can.Scored):
        raise TypeError(f"{type(model.estimator).__name__} has no machines with a column of a code each.")
    return model.estimator


def decoded_by(model: Model) -> can.Decoded:
    """Return a model's estimator as machines that any decoder may read; whoever asks knows that it is one."""
    if not isinstance(model.estimator, can.Decoded):
        raise TypeError(f"{type(model.estimator).__name__} decides by itself: no decoder reads its scores.")
    return model.estimator


def n_machines(model: Model) -> int:
    """Return how many binary problems a model has solved."""
    return max(1, np.asarray(model.estimator.problem_sizes_).size)


def score(model: Model, X: FloatArray, progress: Progress = NO_PROGRESS) -> Scores | None:
    """Return the machines' scores, (n, n_bits); None where the model decides by itself."""
    return score_bits(model, X, progress) if has_scores(model) else None


def score_bits(model: Model, X: FloatArray, progress: Progress = NO_PROGRESS) -> Scores:
    """Return the scores, (n, n_bits), of machines that also a model that decides by itself may have."""
    if not X.shape[0]:
        return np.empty((0, scored_by(model).code_matrix_.shape[1]))
    cost = scoring_cost(X.shape[0], model.prepared.y_train.size, n_machines(model))
    return away(cost, _score_bits, model, X, progress=progress)


def _score_bits(model: Model, X: FloatArray, progress: Progress) -> Scores:
    machines, each = scored_by(model), n_machines(model) * model.prepared.y_train.size
    batches = in_batches(X.shape[0], each, SCORED_AT_ONCE, progress)
    return np.concatenate([machines.scores(X[batch]) for batch in batches])


def learn(model: Model, decoding: Choice, progress: Progress = NO_PROGRESS) -> None:
    """Let a decoder, and its rule, learn from training what they need; sigmoids take longest."""
    if not has_scores(model):
        return
    _learn_once(model, DECODINGS[decoding.key].needs, _learn, decoding, progress)
    if needs_of(decoding):
        _learn_once(model, needs_of(decoding), learn_rule, decoding, progress)


def _learn_once(
    model: Model,
    needs: frozenset[str],
    learn_it: Callable[[Model, Choice, Progress], None],
    decoding: Choice,
    progress: Progress,
) -> None:
    if needs not in model.learned:
        # Most of it is training the machines again on parts of the points.
        n_bytes = gram_bytes(model.prepared.y_train.size, in_parts=model.in_parts)
        cost = Cost(model.seconds, n_bytes) if needs else Cost()
        seconds = away_on(model, cost, _timed, learn_it, decoding, progress=progress)
        model.learned.setdefault(needs, seconds)


def _timed(
    model: Model, learn_it: Callable[[Model, Choice, Progress], None], decoding: Choice, progress: Progress
) -> float:
    """Return the seconds that learning takes."""
    began = perf_counter()
    learn_it(model, decoding, progress)
    release(model.estimator)
    return perf_counter() - began


def _learn(model: Model, decoding: Choice, progress: Progress) -> None:
    decoded_by(model).evidence(decoding.key, decoding.values, progress=Asking(progress))


def _learn_scale(model: Model, decoding: Choice, progress: Progress) -> None:
    """Let a decoder learn how fast probability falls with its costs; held-out scores take longest."""
    decoded_by(model).cost_scale(decoding.key, decoding.values, progress=Asking(progress))


def decide(
    model: Model,
    decoding: Choice,
    X: FloatArray,
    scores: Scores | None,
    progress: Progress = NO_PROGRESS,
) -> Costs:
    """Return a decoder's costs of points, (n, n_trained_classes).

    Parameters
    ----------
    model
        Trained.
    decoding
        The decoder.
    X : (n, n_features)
    scores : (n, n_bits)
        As `score` returns them; None for a model that decides by itself.
    progress
        Asked after every few points; may raise to cancel.
    """
    learn(model, decoding, progress)
    n, n_known, sizes = X.shape[0], model.class_index.size, model.prepared.y_train.size
    if scores is None:
        cost = scoring_cost(n, sizes, n_machines(model))
    else:
        cost = Cost(n * scores.shape[1] * n_known / DECIDED_IN_A_SECOND)
    return away(cost, _decide, model, decoding, X, scores, progress=progress)


def _decide(
    model: Model, decoding: Choice, X: FloatArray, scores: Scores | None, progress: Progress
) -> Costs:
    n, known, estimator = X.shape[0], model.class_index.size, model.estimator
    if scores is None:
        scoring = model.prepared.y_train.size / SCORED_AT_ONCE
        each = n_machines(model) * max(scoring, known / DECIDED_AT_ONCE)
        batches = in_batches(n, each, 1.0, progress)
        costs = [estimator.costs(X[batch], decoding.key, decoding.values) for batch in batches]
    else:
        batches = in_batches(n, scores.shape[1] * known, DECIDED_AT_ONCE, progress)
        decode = scored_by(model).decode
        costs = [decode(scores[batch], decoding.key, decoding.values, X=X[batch]) for batch in batches]
    if has_scores(model):
        release(estimator)
    return np.concatenate(costs) if costs else np.empty((0, known))


def decide_labels(
    model: Model,
    decodings: Sequence[Choice],
    X: FloatArray,
    scores: Scores | None,
    progress: Progress = NO_PROGRESS,
) -> IntArray:
    """Return the class that every decoder decides for, among all classes, (n_decodings, n)."""
    labels = []
    for k, decoding in enumerate(decodings):
        costs = decide(model, decoding, X, scores, progress)
        labels.append(model.class_index[np.argmin(costs, axis=1)])
        progress.at((k + 1) / len(decodings))
    return np.array(labels)


# The points that are judged --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a decoder makes of the machines on one set of points.

    Attributes
    ----------
    rows : (n,)
        Rows of the table.
    truth, labels : (n,)
        True and decided class, as numbers among all classes.
    costs : (n, n_classes)
        Smaller is better; infinite for a class that training did not see.
    undecided : (n,) or None
        Points that the decoder's rule leaves undecided; None where it has no rule. They have labels all the
        same, and `n_wrong` and `error` are those of all points.
    """

    rows: IntArray
    truth: IntArray
    labels: IntArray
    costs: Costs
    undecided: BoolArray | None = None

    @property
    def decided(self) -> Decided | None:
        """What comes of leaving points undecided; None without a rule."""
        return None if self.undecided is None else count_decided(self.wrong, self.undecided)

    @property
    def wrong(self) -> BoolArray:
        """Points decided wrongly, (n,)."""
        wrong: BoolArray = self.labels != self.truth
        return wrong

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.rows.size)

    @property
    def n_wrong(self) -> int:
        """Number of points decided wrongly."""
        return int(self.wrong.sum())

    @property
    def error(self) -> float | None:
        """Share of points decided wrongly, None without points."""
        return self.n_wrong / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Batch:
    """The points that one model judges, and their scores; None where it decides by itself."""

    model: Model
    X: FloatArray
    y: IntArray
    scores: Scores | None


@dataclass(frozen=True, slots=True)
class Scored:
    """The points of a part, scored once by the machines that judge them, for every decoder.

    Attributes
    ----------
    part
        "test" or "train".
    batches
        One for each model that judges points.
    rows, truth : (n,)
        Rows of the table and true classes, in the order of the rows.
    order : (n,)
        Puts what the batches give one after the other in that order.
    n_classes
        Of the whole data set.
    """

    part: str
    batches: tuple[Batch, ...]
    rows: IntArray
    truth: IntArray
    order: IntArray
    n_classes: int

    def pool(self, values: Sequence[npt.NDArray[Number]]) -> npt.NDArray[Number]:
        """Put what every batch gives, (n_batch, ...) each, in the order of the rows, (n, ...)."""
        pooled: npt.NDArray[Number] = np.concatenate(values)[self.order]
        return pooled

    def decide(self, decoding: Choice, progress: Progress = NO_PROGRESS) -> Outcome:
        """Let a decoder decide the points."""
        costs, undecided = [], []
        for k, batch in enumerate(self.batches):
            here = np.full((batch.y.size, self.n_classes), np.inf)
            left = np.zeros(batch.y.size, dtype=np.bool_)
            if batch.y.size:
                found = decide(batch.model, decoding, batch.X, batch.scores, progress)
                here[:, batch.model.class_index] = found
                left = reject(batch.model, decoding, batch.scores, found)
            costs.append(here)
            undecided.append(left)
            progress.at((k + 1) / len(self.batches))
        pooled = self.pool(costs)
        labels = np.argmin(pooled, axis=1).astype(np.int64)
        ruled = all(rejects(batch.model, decoding) for batch in self.batches)
        return Outcome(self.rows, self.truth, labels, pooled, self.pool(undecided) if ruled else None)

    def probabilities(self, decoding: Choice, progress: Progress = NO_PROGRESS) -> FloatArray | None:
        """Return what `predict_proba` gives with a decoder, (n, n_classes); None if it gives none.

        They are 0 for classes that training did not see.
        """
        entry = DECODINGS[decoding.key]
        if not entry.gives_probabilities() or any(b.scores is None for b in self.batches):
            return None
        found = []
        for batch in self.batches:
            chances, known = np.zeros((batch.y.size, self.n_classes)), batch.model.class_index
            if entry.terms is not None:
                _learn_once(batch.model, HELD_OUT, _learn_scale, decoding, progress)
            scores = batch.scores
            assert scores is not None  # noqa: S101 - a model that decides by itself was sorted out above
            for some in in_batches(batch.y.size, scores.shape[1] * known.size, DECIDED_AT_ONCE, progress):
                chances[some.start : some.stop, known] = decoded_by(batch.model).probabilities(
                    scores[some], decoding.key, decoding.values, X=batch.X[some]
                )
            found.append(chances)
        return self.pool(found)


def score_part(trained: Trained, part: str, progress: Progress = NO_PROGRESS) -> Scored:
    """Score the points of a part, "train" or "test", by the models that judge them."""
    return score_models(trained.judges(part), part, len(trained.classes), progress)


def score_models(
    models: Sequence[Model],
    part: str,
    n_classes: int,
    progress: Progress = NO_PROGRESS,
    *,
    bits: bool = False,
) -> Scored:
    """Score the points of a part by given models; `bits` also those of models that decide by themselves."""
    progress.note("scoring the points")
    batches, rows = [], []
    for k, model in enumerate(models):
        progress.at(k / len(models))
        X, y, of_table = model.points(part)
        scores = (score_bits if bits else score)(model, X, progress)
        batches.append(Batch(model, X, y, scores))
        rows.append(of_table)
    order = np.argsort(np.concatenate(rows), kind="stable")
    truth = np.concatenate([batch.y for batch in batches])[order]
    return Scored(part, tuple(batches), np.concatenate(rows)[order], truth, order, n_classes)


def evaluate(trained: Trained, part: str, decoding: Choice, progress: Progress = NO_PROGRESS) -> Outcome:
    """Let one decoder judge the training or the test points of trained machines."""
    return score_part(trained, part, progress.part(0, 2)).decide(decoding, progress.part(1, 2))
