"""Nested cross-validation of a code's machines: support vectors, joint learning, and its control."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.data.catalogue import load_table
from ecocviz.data.types import Prepared
from ecocviz.engine.catalogue import CODINGS, MACHINES, build_code
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions._shared.decoded_classifier import DecodedClassifier
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.reductions.joint import JointECOCClassifier
from ecocviz.engine.types import CodeMatrix, IntArray, Scores
from ecocviz.lab.evidence.entries import Cell
from ecocviz.lab.papers._folds import part_of, standardised_folds
from ecocviz.lab.scenario import Scenario, make_scenario

SVM, JCL, ALONE = "svm", "jcl", "alone"
LEARNERS: Final = (SVM, JCL, ALONE)
"""Hinge loss, each machine by itself; joint learning; joint learning without the relation (lambda2 = 0)."""
TITLES: Final = {SVM: "SVM", JCL: "joint learning", ALONE: "without the relation"}
N_FOLDS = 5
LEAST = 1e-8
"""Of the weights of a scenario's joint learning."""

Values: TypeAlias = Mapping[str, float]
"""What a learner was told: name of a parameter -> number."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A decoder; `hard` hands it the signs of the scores only."""

    title: str
    decoding: str
    params: Mapping[str, str]
    hard: bool = False

    def decide(self, estimator: DecodedClassifier, scores: Scores) -> IntArray:
        """Return the classes of scores, (n, n_bits)."""
        read = np.where(scores >= 0, 1.0, -1.0) if self.hard else scores
        labels: IntArray = estimator.decode(read, self.decoding, dict(self.params)).argmin(axis=1)
        return labels


READINGS: Final = {
    "real": Reading("real scores", "loss-weighted-linear", {"weights": "paper"}),
    "hard": Reading("signs only", "loss-weighted-linear", {"weights": "library"}, hard=True),
    "hamming": Reading("Hamming", "hamming", {}),
}
"""Linear loss-weighted decoding as its authors wrote it, as the ECOC Library runs it; Hamming decoding."""


@dataclass(frozen=True, slots=True)
class Tested:
    """Machines tuned without a fold, and what they said of it."""

    values: Values
    scores: Scores
    labels: IntArray


@dataclass(frozen=True, slots=True)
class Turn:
    """A fold, the code of its training part, and (learner, reading) -> what was tested on it."""

    points: Prepared
    code_matrix: CodeMatrix
    tested: Mapping[tuple[str, str], Tested]


def candidates(about: Mapping[str, Any]) -> dict[str, list[Values]]:
    """Return what each learner is tuned over; of equally good ones the first, the simplest, is taken."""
    lambdas = sorted(about["lambdas"], reverse=True)
    return {
        SVM: [{"C": C} for C in sorted(about["Cs"])],
        JCL: [{"lambda1": a, "lambda2": b} for a, b in product(lambdas, repeat=2)],
        ALONE: [{"lambda1": a, "lambda2": 0.0} for a in lambdas],
    }


def make(learner: str, code: str | CodeMatrix, values: Values, seed: int = 0) -> DecodedClassifier:
    """Return an unfitted learner of linear machines."""
    if learner == SVM:
        machine = MACHINES["libsvm"].make(kernel="linear", **values)
        return ECOCClassifier(code, machine=machine, decoding="hamming", random_state=seed)
    joint = JointECOCClassifier(code, kernel="linear", decoding="hamming", random_state=seed)
    joint.set_params(**values)
    return joint


def code_of(points: Prepared, coding: str, seed: int) -> CodeMatrix:
    """Return a code of the training part; one that is learned with machines is learned with SVMs, C = 1."""
    if CODINGS[coding].build is not None:
        return build_code(coding, len(points.classes), seed)
    learned = make(SVM, coding, {"C": 1.0}, seed).fit(points.X_train, points.y_train)
    return np.asarray(learned.code_matrix_)


def turns(about: Mapping[str, Any], progress: Progress) -> Iterator[Turn]:
    """Tune and test all learners in every fold of a data set.

    The code is that of the outer training part, also within it. Each learner is tuned for each decoder
    by the number of points it gets right in `inner` folds of the training part.

    Parameters
    ----------
    about
        Of a cell: data, coding, seed, inner, Cs, lambdas, readings.
    progress
        Told of every setting that was tried.
    """
    table = load_table(about["data"])
    seed, asked = about["seed"], about["readings"]
    cut = folds_of(about)
    for number, points in enumerate(cut):
        code_matrix = code_of(points, about["coding"], seed)
        inner = standardised_folds(part_of(table, points.train_rows), about["inner"], seed)
        step = progress.part(number, len(cut), f"fold {number + 1} of {len(cut)}")
        tested: dict[tuple[str, str], Tested] = {}
        for k, (learner, tried) in enumerate(candidates(about).items()):
            right = count_right(learner, code_matrix, tried, inner, asked, step.part(k, len(LEARNERS)))
            for reading, counts in zip(asked, right, strict=True):
                values = tried[int(counts.argmax())]
                model = fit(learner, code_matrix, values, points)
                scores = model.scores(points.X_test)
                labels = READINGS[reading].decide(model, scores)
                tested[learner, reading] = Tested(values, scores, labels)
        yield Turn(points, code_matrix, tested)


def folds_of(about: Mapping[str, Any]) -> list[Prepared]:
    """Return the outer folds of a cell, those of its scenario."""
    return standardised_folds(load_table(about["data"]), N_FOLDS, about["seed"])


def count_right(
    learner: str,
    code_matrix: CodeMatrix,
    tried: Sequence[Values],
    inner: Sequence[Prepared],
    asked: Sequence[str],
    progress: Progress,
) -> IntArray:
    """Count the held-out points that settings get right, (n_readings, n_settings)."""
    right = np.zeros((len(asked), len(tried)), dtype=np.int64)
    for k, points in enumerate(inner):
        for j, values in enumerate(tried):
            progress.at((k + j / len(tried)) / len(inner))
            model = fit(learner, code_matrix, values, points)
            scores = model.scores(points.X_test)
            for i, reading in enumerate(asked):
                right[i, j] += np.count_nonzero(READINGS[reading].decide(model, scores) == points.y_test)
    return right


def fit(learner: str, code_matrix: CodeMatrix, values: Values, points: Prepared) -> DecodedClassifier:
    """Train a learner on the training part of a fold; one that is not done in time is taken as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make(learner, code_matrix, values).fit(points.X_train, points.y_train)


def scenario_of(about: Mapping[str, Any], learner: str, reading: str, values: Values) -> Scenario:
    """Return the scenario of a cell's learner and decoder with one setting in all folds."""
    read = READINGS[reading]
    values = {name: max(value, LEAST) if name == "lambda2" else value for name, value in values.items()}
    machines: dict[str, Any] = (
        {"machine": ("libsvm", {"kernel": "linear", **values})}
        if learner == SVM
        else {"reduction": ("joint", {"kernel": "linear", **values})}
    )
    return make_scenario(
        about["seed"],
        data=about["data"],
        preparation="standardise",
        split=("k-fold", {"n_folds": N_FOLDS}),
        coding=about["coding"],
        decoding=(read.decoding, dict(read.params)),
        **machines,
    )


def differing(chosen: Sequence[Values]) -> str:
    """Say how the setting of most folds differs from those that were chosen; "" where all chose it."""
    n = sum(values == usual(chosen) for values in chosen)
    return "" if n == len(chosen) else f"with the setting that {n} of {len(chosen)} folds chose"


def usual(chosen: Sequence[Values]) -> Values:
    """Return the setting that most folds chose, the first of several."""
    return max(chosen, key=lambda values: sum(other == values for other in chosen))


def cell(data: str, coding: str, readings: Sequence[str], **more: Any) -> Cell:  # noqa: ANN401 - numbers and lists, as JSON has them
    """Return the cell of a data set and a code."""
    about = {"data": data, "coding": coding, "readings": list(readings), "seed": 0, **more}
    return Cell(f"{data}/{coding}", about)
