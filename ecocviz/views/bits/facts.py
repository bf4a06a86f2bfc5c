"""Wrong bits of a trained scenario: whose they are, how many at once, and which points have them."""

from dataclasses import dataclass, replace

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.analysis.bits import BitReport, bit_report, independent_histogram
from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.analysis.correlations import error_correlations
from ecocviz.engine.analysis.error_bounds import Tails, tails
from ecocviz.engine.params import TextParam
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.codewords import asked_rows, rows_of
from ecocviz.lab.evaluate import Outcome, decoded_by, score_models
from ecocviz.lab.selection import DIGITS, KEYS, LOWER
from ecocviz.lab.trained import Model, Trained

AGAINST = TextParam(name="against", label="Compared reduction", default="", alphabet=KEYS, max_length=60)
BAR = TextParam(name="bar", label="Picked bar", default="", alphabet=f"{LOWER}{DIGITS}.,", max_length=30)
"""A bar as `read_bar` reads it."""

SELECTION = (AGAINST, BAR)

MOST_BOUNDED = 30
"""So many wrong bits at once are bounded, or as many as are repaired."""


@dataclass(frozen=True, slots=True)
class BitFacts:
    """The bits of all machines on a set of points, in the order of the table's rows.

    Attributes
    ----------
    part
        "test" or "train".
    rows, truth : (n,)
        Rows of the table and true classes.
    code_matrix : (n_rows, n_bits)
        The codewords, as the machines were trained on them.
    report
        What is wrong.
    expected : (n_bits + 1,)
        Points with 0, 1, 2, ... wrong bits if machines of the same accuracy erred independently.
    baselines : (n_bits,)
        Accuracy of always guessing the side that more of these points are on; NaN where none is asked.
    phi : (n_bits, n_bits)
        Correlations of the machines' errors; NaN where a machine is never, or always, wrong.
    closest
        The two machines with the most joint errors beyond chance; None if none are beyond it.
    repairs
        Wrong bits that Hamming decoding repairs for certain; -1 for not even none.
    tails
        How often more than 0, 1, 2, ... bits are wrong, and what bounds that.
    """

    part: str
    rows: IntArray
    truth: IntArray
    code_matrix: CodeMatrix
    report: BitReport
    expected: FloatArray
    baselines: FloatArray
    phi: FloatArray
    closest: tuple[int, int] | None
    repairs: int
    tails: Tails

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.rows.size)

    @property
    def n_bits(self) -> int:
        """Number of machines."""
        return int(self.code_matrix.shape[1])

    @property
    def n_wrong(self) -> int:
        """Wrong bits over all points."""
        return int(self.report.wrong_bits.sum())

    @property
    def n_within(self) -> int:
        """Points with no more wrong bits than the code repairs for certain."""
        return int(self.report.histogram[: self.repairs + 1].sum())

    @property
    def expected_within(self) -> float:
        """How many of them independent machines of the same accuracy would give."""
        return float(self.expected[: self.repairs + 1].sum())

    @property
    def phis(self) -> FloatArray:
        """The correlation of every pair of machines that has one, (n_pairs,)."""
        pairs: FloatArray = self.phi[np.triu_indices(self.n_bits, k=1)]
        return pairs[np.isfinite(pairs)]

    @property
    def n_pairs(self) -> int:
        """How many pairs of machines there are."""
        return self.n_bits * (self.n_bits - 1) // 2

    @property
    def mean_phi(self) -> float:
        """Mean correlation of the pairs that have one; NaN without any."""
        return float(self.phis.mean()) if self.phis.size else float("nan")

    @property
    def joint(self) -> IntArray:
        """Points that two machines both got wrong, (n_bits, n_bits); on the diagonal each one's errors."""
        return self.report.together

    @property
    def weakest(self) -> int | None:
        """The machine of least accuracy; None where no machine is asked."""
        accuracies = self.report.accuracies
        return int(np.nanargmin(accuracies)) if np.isfinite(accuracies).any() else None


def answering(model: Model) -> Model | None:
    """Return the model whose machines answer with bits: itself, or the one that its estimator is built on.

    None where there are no binary machines with a code.
    """
    estimator = model.estimator
    if isinstance(estimator, can.Decoded):
        return model
    base = estimator.base_ if isinstance(estimator, can.Based) else None
    return None if base is None else replace(model, estimator=base)


def compare_bits(trained: Trained, part: str, progress: Progress = NO_PROGRESS) -> BitFacts | None:
    """Compare every machine's bits with the codewords; None where the reduction has no bits.

    Parameters
    ----------
    trained
        The machines; of a cross-validation every point is answered by the machines that did not see it.
    part
        "test" or "train"; without test points the training points are taken.
    progress
        May raise to cancel.

    Raises
    ------
    ValueError
        If the folds of a cross-validation have machines of their own kind.
    """
    part = trained.judged_part if part == "test" else part
    answerers = [answering(model) for model in trained.judges(part)]
    models = [model for model in answerers if model is not None]
    if not models:
        return None
    code = _common_code(models)
    scored = score_models(models, part, len(trained.classes), progress, bits=True)
    progress.note("comparing the bits with the code")
    scores, codewords = [], []
    for batch in scored.batches:
        assert batch.scores is not None  # noqa: S101 - bits were asked for
        scores.append(batch.scores)
        rows = rows_of(batch.model, code.shape[0])
        codewords.append(asked_rows(code, rows, batch.y, batch.scores))
    asked = scored.pool(codewords)
    wanted = np.vstack([code, np.zeros_like(code[:1])])  # the last, -1, of classes that training lacks
    report = bit_report(scored.pool(scores), wanted, asked)
    progress.check()
    repairs = code_report(code).repairable_bits_hamming
    return BitFacts(
        part,
        scored.rows,
        scored.truth,
        code,
        report,
        independent_histogram(report),
        _majority(wanted[asked]),
        error_correlations(report.wrong, report.asked),
        closest_pair(report),
        -1 if repairs is None else repairs,
        tails(report, max(MOST_BOUNDED, repairs or 0)),
    )


def _common_code(models: list[Model]) -> CodeMatrix:
    """Return the code that all models share, (n_rows, n_bits), or raise with a sentence."""
    codes: list[CodeMatrix] = [np.sign(decoded_by(model).code_matrix_).astype(np.int8) for model in models]
    if any(not np.array_equal(code, codes[0]) for code in codes):
        raise ValueError(
            "Every fold of this cross-validation has a code of its own, so its bits cannot be counted "
            "together; look at the training points, or choose a single split."
        )
    return codes[0]


def _majority(asked: CodeMatrix) -> FloatArray:
    """Return the share of the larger side of every machine, (n_bits,)."""
    positive, negative = (asked == 1).sum(axis=0), (asked == -1).sum(axis=0)
    total = positive + negative
    unknown = np.full(total.size, np.nan)
    shares: FloatArray = np.divide(np.maximum(positive, negative), total, out=unknown, where=total > 0)
    return shares


# A picked bar --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bar:
    """What is picked: the errors of a machine, the points with so many wrong bits, or joint errors.

    `kind` is "bit", "count" or "pair"; `numbers` counts machines from 0.
    """

    kind: str
    numbers: tuple[int, ...]

    @property
    def text(self) -> str:
        """Its form in links."""
        return f"{self.kind}.{','.join(map(str, self.numbers))}"


def read_bar(text: str, n_bits: int) -> Bar | None:
    """Read a bar's text; None for anything that is not there.

    >>> read_bar("pair.0,3", 4), read_bar("count.4", 4), read_bar("bit.4", 4)
    (Bar(kind='pair', numbers=(0, 3)), Bar(kind='count', numbers=(4,)), None)
    """
    kind, _, rest = text.partition(".")
    parts = rest.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        return None
    numbers = tuple(int(part) for part in parts)
    wanted = {"bit": 1, "count": 1, "pair": 2}.get(kind)
    most = n_bits if kind == "count" else n_bits - 1
    return Bar(kind, numbers) if len(numbers) == wanted and max(numbers) <= most else None


def n_beyond_right(facts: BitFacts, outcome: Outcome) -> int:
    """Count the points with more wrong bits than are repaired for certain that are decided rightly."""
    beyond = facts.report.wrong_bits > facts.repairs
    return int((beyond & ~outcome.wrong).sum())


def points_of(facts: BitFacts, bar: Bar) -> IntArray:
    """Return the positions, among the points looked at, that a bar counts."""
    if bar.kind == "count":
        return np.flatnonzero(facts.report.wrong_bits == bar.numbers[0])
    return np.flatnonzero(facts.report.wrong[:, list(bar.numbers)].all(axis=1))


def picked_bar(facts: BitFacts, text: str) -> Bar:
    """Return the bar that a link names, or the one that tells most: the most wrong bits any point has."""
    return read_bar(text, facts.n_bits) or Bar("count", (int(facts.report.wrong_bits.max()),))


def listed_bars(facts: BitFacts, now: Bar) -> list[Bar]:
    """List the bars that hold points: numbers of wrong bits, most first, the closest pair, machines."""
    counts = np.flatnonzero(facts.report.histogram)[::-1]
    bars = [Bar("count", (k,)) for k in counts.tolist()]
    if facts.closest is not None:
        bars.append(Bar("pair", facts.closest))
    errors = np.diag(facts.joint)
    bars += [Bar("bit", (b,)) for b in np.argsort(-errors, kind="stable").tolist() if errors[b]]
    return bars if now in bars else [*bars, now]


def shown_points(trained: Trained, rows: IntArray) -> IntArray:
    """Return the numbers, on the Playground, of rows of the table; -1 for rows that are not shown there."""
    prepared = trained.shown.prepared
    listed = np.concatenate([prepared.train_rows, prepared.test_rows])
    number = np.full(int(max(listed.max(), rows.max(initial=0))) + 1, -1)
    number[listed] = np.arange(listed.size)
    found: IntArray = number[rows]
    return found


@dataclass(frozen=True, slots=True)
class BarPoints:
    """The points of a bar.

    Attributes
    ----------
    bar
        Which.
    positions : (n,)
        Among the points looked at.
    numbers : (n,)
        On the Playground; -1 for points that are not shown there.
    labels : (n,)
        Decided classes.
    n_right
        Points decided rightly.
    """

    bar: Bar
    positions: IntArray
    numbers: IntArray
    labels: IntArray
    n_right: int


def bar_points(facts: BitFacts, trained: Trained, bar: Bar, outcome: Outcome) -> BarPoints:
    """Return the points of a bar and what a decoder makes of them; the outcome is of the same points."""
    listed = points_of(facts, bar)
    numbers = shown_points(trained, facts.rows[listed])
    right = int((~outcome.wrong[listed]).sum())
    return BarPoints(bar, listed, numbers, outcome.labels[listed], right)


def closest_pair(report: BitReport) -> tuple[int, int] | None:
    """Return the two machines with the most joint errors beyond chance; None if none are beyond it.

    Chance is n p_a p_b over the n points that both are asked about. A correlation alone would favour
    machines with two points in common.
    """
    seen, wrong = report.asked.astype(np.float64), report.wrong.astype(np.float64)
    both, own = seen.T @ seen, wrong.T @ seen
    chance = np.divide(own * own.T, both, out=np.zeros_like(both), where=both > 0)
    beyond = np.triu(report.together - chance, k=1)
    if len(beyond) < 2 or not (beyond > 1e-9).any():
        return None
    a, b = np.unravel_index(int(beyond.argmax()), beyond.shape)
    return int(a), int(b)
