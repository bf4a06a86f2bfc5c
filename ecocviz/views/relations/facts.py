"""How the machines of a trained scenario are related: what the Relations page shows."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.analysis.bits import BitReport, bit_report
from ecocviz.engine.analysis.correlations import (
    cluster_order,
    cosines,
    error_correlations,
    joint_errors,
    score_correlations,
    weight_correlations,
)
from ecocviz.engine.params import ChoiceParam, TextParam
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import AnyCode, BoolArray, FloatArray, IntArray, Scores
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.evaluate import score_models, scored_by
from ecocviz.lab.selection import DIGITS, Selection
from ecocviz.lab.trained import Model, Trained

PAIR = TextParam(name="pair", label="Picked machines", default="", alphabet=f"{DIGITS},", max_length=20)
"""Two machines "a,b"."""
SORT = ChoiceParam(
    name="sort",
    label="Order of the machines",
    default="errors",
    options=(
        ("weights", "Weight vectors"),
        ("scores", "Scores"),
        ("errors", "Errors"),
        ("relation", "Learned relation"),
        ("code", "Code"),
    ),
)

SELECTION = (PAIR, SORT)

KINDS = tuple(kind for kind, _ in SORT.options if kind != "code")
"""Kinds of correlation, in the order in which they are shown."""
MAX_DRAWN = 200
"""More machines are thinned: cells would be smaller than pixels, and messages large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """Correlations of the machines, and the points they are measured on, in the order of the table's rows.

    Attributes
    ----------
    classes
        Names.
    part
        "test" or "train": which points these are.
    has_test
        Whether there are test points at all.
    code_matrix : (n_classes, n_bits)
        Zero in the rows of classes that training did not see.
    truth : (n,)
    scores, wrong, asked : (n, n_bits)
    correlations
        Kind -> (n_bits, n_bits), in [-1, 1]; NaN where two machines have none.
    orders
        Kind -> (n_bits,): the machines so that alike ones stand together; "code" is the code's own.
    missing
        Kind -> the sentence that says why it is not to be had.
    """

    classes: tuple[str, ...]
    part: str
    has_test: bool
    code_matrix: AnyCode
    truth: IntArray
    scores: Scores
    wrong: BoolArray
    asked: BoolArray
    correlations: dict[str, FloatArray]
    orders: dict[str, IntArray]
    missing: dict[str, str]

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.truth.size)

    @property
    def n_bits(self) -> int:
        """Number of machines."""
        return int(self.scores.shape[1])

    @property
    def leading_kind(self) -> str:
        """The kind that the first pair is chosen by: errors, where any two machines correlate in them."""
        errors = self.correlations.get("errors")
        return "errors" if errors is not None and np.nan_to_num(np.triu(errors, 1)).any() else "scores"

    def most_alike(self, kind: str) -> tuple[int, int]:
        """Return the pair of machines that correlate most strongly, either way, the first among equals."""
        strength = np.nan_to_num(np.triu(np.abs(self.correlations[kind]), 1))
        a, b = np.unravel_index(int(np.argmax(strength)), strength.shape)
        return (int(a), int(b)) if strength[a, b] > 0 else (0, 1)

    def mean_strength(self, kind: str) -> float:
        """Return the mean |r| over the pairs of machines that have one; NaN without any."""
        strengths = np.abs(self.correlations[kind][np.triu_indices(self.n_bits, 1)])
        known = strengths[np.isfinite(strengths)]
        return float(known.mean()) if known.size else float("nan")

    def n_without(self, kind: str) -> int:
        """Count the pairs of machines that have no correlation: one is never, or always, wrong."""
        return int(np.isnan(self.correlations[kind][np.triu_indices(self.n_bits, 1)]).sum())

    def joint_errors(self, pair: tuple[int, int]) -> IntArray:
        """Count points, (2, 2), by whether the first and the second machine are right or wrong."""
        return joint_errors(self.wrong, self.asked, *pair)


def relate(trained: Trained, part: str, progress: Progress = NO_PROGRESS) -> Relations:
    """Correlate the machines of a scenario; raise ValueError with a sentence where that is impossible.

    Parameters
    ----------
    trained
        A trained scenario.
    part
        "test" or "train"; without test points, or where the folds of a cross-validation have codes of
        their own, the training points are taken.
    progress
        May raise to cancel.
    """
    shown, has_test = trained.shown, trained.judged_part == "test"
    _refuse(trained)
    part = "test" if part == "test" and has_test and _one_code(trained) else "train"
    scored = score_models(trained.judges(part), part, len(trained.classes), progress.part(0, 2), bits=True)
    scores = scored.pool([batch.scores for batch in scored.batches if batch.scores is not None])
    found, missing = {"scores": score_correlations(scores)}, dict[str, str]()
    progress.at(0.6)
    progress.note("correlating the weights")
    _add_weights(shown, found, missing)
    progress.at(0.7)
    progress.note("correlating the errors")
    code_matrix, report = _compare_bits(trained, scores, scored.truth)
    if report is None:
        missing["errors"] = (
            "This code has several codewords per class, so a single bit cannot be called wrong."
        )
    else:
        found["errors"] = error_correlations(report.wrong, report.asked)
    if isinstance(shown.estimator, can.Related):
        found["relation"] = cosines(shown.estimator.relation_)
    progress.at(0.9)
    progress.note("ordering the machines")
    correlations = {kind: found[kind] for kind in KINDS if kind in found}
    orders = {kind: cluster_order(np.nan_to_num(r)) for kind, r in correlations.items()}
    nothing = np.zeros(scores.shape, dtype=np.bool_)
    return Relations(
        classes=trained.classes,
        part=part,
        has_test=has_test,
        code_matrix=code_matrix,
        truth=scored.truth,
        scores=scores,
        wrong=nothing if report is None else report.wrong,
        asked=nothing if report is None else report.asked,
        correlations=correlations,
        orders=orders | {"code": np.arange(scores.shape[1])},
        missing=missing,
    )


def _refuse(trained: Trained) -> None:
    """Raise with a sentence where there are no machines to correlate."""
    estimator = trained.shown.estimator
    if not isinstance(estimator, can.Scored):
        title = REDUCTIONS[trained.scenario.reduction.key].title
        raise ValueError(  # noqa: TRY004 - a user's choice, not a programmer's type
            f"{title} has no code with a machine for every column, so nothing can be correlated."
        )
    if estimator.code_matrix_.shape[1] < 2:
        raise ValueError("This code has one machine, so there is nothing to correlate; choose a longer code.")


def _one_code(trained: Trained) -> bool:
    """Say whether the models of all folds have the code of the shown one."""
    code_matrix = scored_by(trained.shown).code_matrix_
    return all(np.array_equal(scored_by(model).code_matrix_, code_matrix) for model in trained.models)


def _add_weights(model: Model, correlations: dict[str, FloatArray], missing: dict[str, str]) -> None:
    """Add the cosines of the weight vectors, or why there are none."""
    estimator = model.estimator
    columns = estimator.columns_ if isinstance(estimator, can.Trained) else None
    if isinstance(estimator, can.Related):
        correlations["weights"] = cosines(estimator.weight_products_)
    elif columns is not None and columns.alphas is not None:
        correlations["weights"] = weight_correlations(columns.alphas, columns.targets, columns.scores)
    else:
        missing["weights"] = "Only kernel machines have weight vectors that can be compared."


def _compare_bits(trained: Trained, scores: Scores, truth: IntArray) -> tuple[AnyCode, BitReport | None]:
    """Return the code of all classes, and what is wrong; zeros and None for several codewords a class."""
    code_matrix = np.zeros((len(trained.classes), scores.shape[1]))
    known: AnyCode = scored_by(trained.shown).code_matrix_
    if known.shape[0] != trained.shown.class_index.size:
        return code_matrix, None
    code_matrix[trained.shown.class_index] = known
    return code_matrix, bit_report(scores, np.sign(code_matrix).astype(np.int8), truth)


# What is picked ------------------------------------------------------------------------------------


def picked_pair(relations: Relations, selection: Selection) -> tuple[int, int]:
    """Return the pair that a link names, or the two machines that are most alike."""
    asked = read_pair(selection[PAIR], relations.n_bits)
    return asked or relations.most_alike(relations.leading_kind)


def picked_sort(relations: Relations, selection: Selection) -> str:
    """Return the order that a link names, or that of the scores."""
    return selection[SORT] if selection[SORT] in relations.orders else "scores"


def drawn_order(order: IntArray, pair: tuple[int, int]) -> IntArray:
    """Return the machines that are drawn, in order, (n_drawn,): evenly thinned, the pair always there."""
    if order.size <= MAX_DRAWN:
        return order
    kept = np.rint(np.linspace(0, order.size - 1, MAX_DRAWN - 2)).astype(np.int64)
    of_pair = np.flatnonzero(np.isin(order, pair))
    drawn: IntArray = order[np.union1d(kept, of_pair)]
    return drawn


def read_pair(text: str, n_bits: int) -> tuple[int, int] | None:
    """Read "a,b"; None for anything else.

    >>> read_pair("0,3", 4), read_pair("3,3", 4), read_pair("0,4", 4), read_pair("", 4)
    ((0, 3), None, None, None)
    """
    numbers = text.split(",")
    if len(numbers) != 2 or not all(each.isascii() and each.isdigit() and len(each) < 6 for each in numbers):
        return None
    a, b = int(numbers[0]), int(numbers[1])
    return (a, b) if a != b and max(a, b) < n_bits else None
