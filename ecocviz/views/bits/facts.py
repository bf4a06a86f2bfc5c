"""Wrong bits of a trained scenario: whose they are, how many at once, and which points have them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ecocviz.engine.analysis.bits import BitReport, bit_report, independent_histogram
from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.analysis.correlations import error_correlations
from ecocviz.engine.progress import Check
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.regions import scores_of
from ecocviz.lab.run import Model, Trained, judged_part


@dataclass(frozen=True, slots=True)
class BitView:
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
        Accuracy of always naming the side that more of these points are on; NaN where none is asked.
    phi : (n_bits, n_bits)
        Correlations of the machines' errors.
    closest
        The two machines with the most joint errors beyond chance; None if none are beyond it.
    repairs
        Wrong bits that Hamming decoding repairs for certain; -1 for not even none.
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

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.rows.size)

    @property
    def n_bits(self) -> int:
        """Number of machines."""
        return int(self.code_matrix.shape[1])


def machines_of(model: Model) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
    """Return the estimator whose machines answer with bits: the model's own, or the one it is built on.

    None where there are no binary machines with a code.
    """
    for estimator in (model.estimator, getattr(model.estimator, "base_", None)):
        if hasattr(estimator, "evidence"):
            return estimator
    return None


def look_at_bits(trained: Trained, part: str, check: Check | None = None) -> BitView | None:
    """Compare every machine's bits with the codewords; None where the reduction has no bits.

    Parameters
    ----------
    trained
        The machines; of a cross-validation every point is answered by the machines that did not see it.
    part
        "test" or "train"; without test points the training points are taken.
    check
        Called now and then; may raise to cancel.

    Raises
    ------
    ValueError
        If the folds of a cross-validation have machines of their own kind.
    """
    if machines_of(trained.shown) is None:
        return None
    part = judged_part(trained) if part == "test" else part
    models = trained.models if part == "test" else (trained.shown,)
    code = np.sign(machines_of(models[0]).code_matrix_).astype(np.int8)
    scores, rows, truth, codewords = [], [], [], []
    for model in models:
        estimator, prepared = machines_of(model), model.prepared
        own = np.sign(estimator.code_matrix_).astype(np.int8)
        if own.shape != code.shape or (own != code).any():
            raise ValueError(
                "Every fold of this cross-validation has a code of its own, so its bits cannot be counted "
                "together; look at the training points, or choose a single split."
            )
        X, y = (prepared.X_test, prepared.y_test) if part == "test" else (prepared.X_train, prepared.y_train)
        if not y.size:
            continue
        scores.append(scores_of(replace(model, estimator=estimator), X, check))
        truth.append(y)
        rows.append(prepared.test_rows if part == "test" else prepared.train_rows)
        codewords.append(_codewords(estimator, np.searchsorted(model.class_index, y), scores[-1]))
    if check is not None:
        check()
    order = np.argsort(np.concatenate(rows), kind="stable")
    report = bit_report(np.concatenate(scores)[order], code, np.concatenate(codewords)[order])
    repairs = code_report(code).repairable_bits_hamming
    asked = code[np.concatenate(codewords)[order]]
    return BitView(
        part,
        np.concatenate(rows)[order],
        np.concatenate(truth)[order],
        code,
        report,
        independent_histogram(report),
        _majority(asked),
        error_correlations(report.wrong, report.asked),
        closest_pair(report),
        -1 if repairs is None else repairs,
    )


def _codewords(estimator: Any, y: IntArray, scores: FloatArray) -> IntArray:  # noqa: ANN401 - as above
    """Return the row of the code that each point's bits are compared with, (n,).

    A class with several rows is asked for the one that the fewest bits contradict.
    """
    of_rows = estimator.design_.row_classes
    if of_rows is None:
        return y.astype(np.int64)
    bits, code = np.sign(scores), np.sign(estimator.code_matrix_)
    # Entries unlike the bits, zeros left out: (n, n_rows).
    wrong = (code != 0).sum(axis=1) - np.maximum(bits, 0) @ np.maximum(code, 0).T
    wrong = wrong - np.maximum(-bits, 0) @ np.maximum(-code, 0).T
    chosen: IntArray = np.argmin(np.where(of_rows == y[:, None], wrong, np.inf), axis=1).astype(np.int64)
    return chosen


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


def points_of(view: BitView, bar: Bar) -> IntArray:
    """Return the positions, among the view's points, that a bar counts."""
    if bar.kind == "count":
        return np.flatnonzero(view.report.wrong_bits == bar.numbers[0])
    return np.flatnonzero(view.report.wrong[:, list(bar.numbers)].all(axis=1))


def telling_bar(view: BitView) -> Bar:
    """Return the bar that is picked until somebody picks one: the most wrong bits any point has."""
    return Bar("count", (int(view.report.wrong_bits.max()),))


def shown_points(trained: Trained, rows: IntArray) -> IntArray:
    """Return the numbers, on the Playground, of rows of the table; -1 for rows that are not shown there."""
    prepared = trained.shown.prepared
    listed = np.concatenate([prepared.train_rows, prepared.test_rows])
    number = np.full(int(max(listed.max(), rows.max(initial=0))) + 1, -1)
    number[listed] = np.arange(listed.size)
    found: IntArray = number[rows]
    return found


def repaired_share(view: BitView) -> tuple[int, float]:
    """Return the points with no more wrong bits than the code repairs: how many, and how many expected."""
    upto = view.repairs + 1
    return int(view.report.histogram[:upto].sum()), float(view.expected[:upto].sum())


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
