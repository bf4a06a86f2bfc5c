"""How the machines of a trained scenario are related: what the Relations page shows."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.analysis.bits import bit_report
from ecocviz.engine.analysis.correlations import (
    cluster_order,
    cosines,
    error_correlations,
    score_correlations,
    weight_correlations,
)
from ecocviz.engine.params import ChoiceParam, TextParam
from ecocviz.engine.progress import Check
from ecocviz.engine.types import AnyCode, BoolArray, FloatArray, IntArray, Scores
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.regions import scores_of
from ecocviz.lab.run import Model, Tell, Trained, judged_part, telling, untold
from ecocviz.lab.selection import DIGITS

PAIR = TextParam(name="pair", label="Picked machines", default="", alphabet=f"{DIGITS},", max_length=20)
"""Two machines "a,b"."""
SORT = ChoiceParam(
    name="sort",
    label="Order of the machines",
    default="errors",
    options=(
        ("errors", "Errors"),
        ("scores", "Scores"),
        ("weights", "Weights"),
        ("relation", "Learned relation"),
        ("code", "Code"),
    ),
)

SELECTION = (PAIR, SORT)


KINDS = ("weights", "scores", "errors", "relation")
"""Kinds of correlation, in the order in which they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """Correlations of the machines, and the points they are measured on.

    Attributes
    ----------
    code_matrix : (n_classes, n_bits)
        Zero in the rows of classes that training did not see.
    scores, wrong, asked : (n_points, n_bits)
    truth : (n_points,)
    part
        "test" or "train": which points these are.
    correlations
        Kind -> (n_bits, n_bits), in [-1, 1].
    orders
        Kind -> (n_bits,): the machines so that alike ones stand together; "code" is the code's own.
    missing
        Kind -> the sentence that says why it is not to be had.
    """

    code_matrix: AnyCode
    scores: Scores
    wrong: BoolArray
    asked: BoolArray
    truth: IntArray
    part: str
    correlations: dict[str, FloatArray]
    orders: dict[str, IntArray]
    missing: dict[str, str]

    @property
    def n_bits(self) -> int:
        """Number of machines."""
        return int(self.scores.shape[1])


def relate(trained: Trained, part: str, tell: Tell | None = None) -> Relations:
    """Correlate the machines of a scenario; raise ValueError with a sentence where that is impossible.

    Parameters
    ----------
    trained
        A trained scenario.
    part
        "test" or "train"; without test points the training points are taken.
    tell
        Told what share of the work is done and what comes now; may raise to cancel.
    """
    tell = tell or untold
    shown = trained.shown
    if not (hasattr(shown.estimator, "scores") and hasattr(shown.estimator, "code_matrix_")):
        title = REDUCTIONS[trained.scenario.reduction.key].title
        raise ValueError(
            f"{title} has no code with a machine for every column, so nothing can be correlated."
        )
    if shown.estimator.code_matrix_.shape[1] < 2:
        raise ValueError("This code has one machine, so there is nothing to correlate; choose a longer code.")
    tested = part == "test" == judged_part(trained)
    check = telling(tell, 0.0, "scoring the points")
    scores, truth = _test_scores(trained, check) if tested else (None, None)
    if scores is None or truth is None:
        tested = False
        scores, truth = scores_of(shown, shown.prepared.X_train, check), shown.prepared.y_train
    tell(0.6, "correlating the scores")
    correlations = {"scores": score_correlations(scores)}
    missing: dict[str, str] = {}
    tell(0.7, "correlating the weights")
    _weights(shown, correlations, missing)
    code_matrix = np.zeros((len(trained.classes), scores.shape[1]))
    wrong = asked = np.zeros(scores.shape, dtype=np.bool_)
    known: AnyCode = shown.estimator.code_matrix_
    if known.shape[0] == shown.class_index.size:
        tell(0.8, "correlating the errors")
        code_matrix[shown.class_index] = known
        report = bit_report(scores, np.sign(code_matrix).astype(np.int8), truth)
        wrong, asked = report.wrong, report.asked
        correlations["errors"] = error_correlations(wrong, asked)
    else:
        missing["errors"] = "This code has several codewords a class, so no single bit is wrong by itself."
    relation = getattr(shown.estimator, "relation_", None)
    if relation is not None:
        correlations["relation"] = cosines(np.asarray(relation, dtype=np.float64))
    tell(0.9, "ordering the machines")
    ordered = {kind: correlations[kind] for kind in KINDS if kind in correlations}
    orders = {kind: cluster_order(matrix) for kind, matrix in ordered.items()}
    orders["code"] = np.arange(scores.shape[1])
    return Relations(
        code_matrix=code_matrix,
        scores=scores,
        wrong=wrong,
        asked=asked,
        truth=truth,
        part="test" if tested else "train",
        correlations=ordered,
        orders=orders,
        missing=missing,
    )


def _test_scores(trained: Trained, check: Check) -> tuple[Scores | None, IntArray | None]:
    """Pool the test points of all folds; None where a fold's code differs from the whole code."""
    code_matrix = trained.shown.estimator.code_matrix_
    models = trained.models
    if any(
        model.estimator.code_matrix_.shape != code_matrix.shape
        or not np.array_equal(model.estimator.code_matrix_, code_matrix)
        for model in models
    ):
        return None, None
    tested = [model for model in models if model.prepared.y_test.size]
    scores = [scores_of(model, model.prepared.X_test, check) for model in tested]
    return np.concatenate(scores), np.concatenate([model.prepared.y_test for model in tested])


def _weights(model: Model, correlations: dict[str, FloatArray], missing: dict[str, str]) -> None:
    """Add the cosines of the weight vectors, or why there are none."""
    columns = getattr(model.estimator, "columns_", None)
    products = getattr(columns, "weight_products", None)
    if products is not None:
        correlations["weights"] = cosines(products)
    elif columns is not None and columns.alphas is not None and hasattr(columns, "targets"):
        correlations["weights"] = weight_correlations(columns.alphas, columns.targets, columns.scores)
    else:
        missing["weights"] = "Only kernel machines have weight vectors that can be compared."


def most_alike(relations: Relations, kind: str) -> tuple[int, int]:
    """Return the pair of machines that correlate most strongly, either way, the first among equals."""
    strength = np.triu(np.abs(relations.correlations[kind]), 1)
    a, b = np.unravel_index(int(np.argmax(strength)), strength.shape)
    return (int(a), int(b)) if strength[a, b] > 0 else (0, 1)


def read_pair(text: str, n_bits: int) -> tuple[int, int] | None:
    """Read "a,b"; None for anything else.

    >>> read_pair("0,3", 4), read_pair("3,3", 4), read_pair("0,4", 4), read_pair("", 4)
    ((0, 3), None, None, None)
    """
    parts = text.split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        return None
    a, b = int(parts[0]), int(parts[1])
    return (a, b) if a != b and max(a, b) < n_bits else None
