"""One cell: codes of one machine on one set, tuned and tested in nested cross-validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.prepare import prepare
from ecocviz.data.types import Fold, Table
from ecocviz.engine.catalogue import MACHINES as CATALOGUE
from ecocviz.engine.catalogue import build_code, is_learned
from ecocviz.engine.columns import stratified_fold_ids
from ecocviz.engine.kernels.gram import scaled_gamma
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.evidence.entries import Cell, Record
from ecocviz.lab.papers.our_questions.protocol import LOSSES, MACHINES, WIDTH

PREPARATION = "standardise"


@dataclass(frozen=True, slots=True)
class Points:
    """Training and test points of one fold, prepared by the training points alone.

    Attributes
    ----------
    X, X_test : (n, n_features), (n_test, n_features)
    y, y_test : (n,), (n_test,)
        Numbers of the classes that are kept.
    """

    X: FloatArray
    y: IntArray
    X_test: FloatArray
    y_test: IntArray


@dataclass(frozen=True, slots=True)
class Round:
    """One outer fold: its points, and those of the inner folds that its training points are cut into."""

    outer: Points
    inner: tuple[Points, ...]


def measure(cell: Cell, progress: Progress) -> Record:
    """Measure the codes of a cell.

    Returns rows and classes of the set, and for each code its machines, and for each outer fold a list: the
    test errors of every decoder, each with the parameters that the inner folds chose for it; then the numbers
    of the two decoders that they chose, among the losses and among all.
    """
    about = cell.about
    table = DATASETS[about["set"]].load()
    rounds = cut(table, about)
    n_classes = int(rounds[0].outer.y.max()) + 1
    codes = {}
    for number, key in enumerate(about["codes"]):
        told = progress.part(number, len(about["codes"]), f"{about['set']}, {about['machine']}, {key}")
        codes[key] = _measure_code(key, n_classes, rounds, about, told)
    n_rows = sum(each.outer.y_test.size for each in rounds)
    return {"rows": n_rows, "classes": n_classes, "codes": codes}


def _measure_code(
    key: str, n_classes: int, rounds: Sequence[Round], about: Mapping[str, Any], progress: Progress
) -> dict[str, Any]:
    """Tune and test one code."""
    coding = key if is_learned(key) else build_code(key, n_classes, about["seed"])
    grid, decoders = about["grid"], about["decoders"]
    folds, n_bits = [], 0
    for number, each in enumerate(rounds):
        told = progress.part(number, len(rounds))
        wrong = np.zeros((len(grid), len(decoders)), dtype=np.int64)
        for p, point in enumerate(grid):
            told.at(p / (len(grid) + 1))
            for points in each.inner:
                wrong[p] += errors(coding, point, points, about, told)[0]
        chosen = wrong.argmin(axis=0)  # of each decoder its own best parameters
        tested = {
            int(p): errors(coding, grid[p], each.outer, about, told) for p in np.unique(chosen).tolist()
        }
        n_bits = max(n_bits, *(bits for _, bits in tested.values()))
        found = [int(tested[int(p)][0][d]) for d, p in enumerate(chosen)]
        folds.append([*found, *choose_decoders(wrong.min(axis=0), decoders)])
    return {"bits": n_bits, "folds": folds}


def choose_decoders(wrong: IntArray, decoders: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of the decoders with the fewest errors, of losses and of all; the first of equals.

    Parameters
    ----------
    wrong : (n_decoders,)
        Errors on the inner folds, each decoder having its best parameters.

    Examples
    --------
    >>> choose_decoders(np.array([5, 3, 4, 4, 6]), ["hamming", "likelihood", *LOSSES])
    (2, 1)
    """
    losses = [number for number, key in enumerate(decoders) if key in LOSSES]
    return losses[int(np.argmin(wrong[losses]))], int(np.argmin(wrong))


def errors(
    coding: str | CodeMatrix,
    point: Mapping[str, float],
    points: Points,
    about: Mapping[str, Any],
    progress: Progress,
) -> tuple[IntArray, int]:
    """Train once and count every decoder's errors, (n_decoders,); return also how many machines there are."""
    model = ECOCClassifier(
        coding,
        decoding="hamming",
        machine=machine_at(about["machine"], point, points.X, about["seed"]),
        calibration_folds=about["calibration_folds"],
        n_jobs=1,
        random_state=about["seed"],
    )
    progress.check()
    model.fit(points.X, points.y)
    scores = model.scores(points.X_test)
    wrong = [
        int((model.decode(scores, key).argmin(axis=1) != points.y_test).sum()) for key in about["decoders"]
    ]
    return np.array(wrong, dtype=np.int64), model.code_matrix_.shape[1]


def machine_at(name: str, point: Mapping[str, float], X: FloatArray, seed: int) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
    """Return an unfitted machine with the parameters of one point of its grid.

    Parameters
    ----------
    X : (n, n_features)
        The training points, which say how wide "scale" is.
    """
    key, fixed = MACHINES[name]
    params: dict[str, Any] = {**fixed, **point}
    if WIDTH in params:
        params["gamma"] = params.pop(WIDTH) * scaled_gamma(X)
    entry = CATALOGUE[key]
    return entry.make(**params, **({"seed": seed} if entry.seeded else {}))


# Rows ------------------------------------------------------------------------------------------------


def cut(table: Table, about: Mapping[str, Any]) -> list[Round]:
    """Draw rows of a set and cut them into outer folds, and the training points of each into inner ones."""
    labels, seed, n_folds = table.codes(), about["seed"], about["folds"]
    rows = draw_rows(labels, about["rows"], about["least_of_a_class"], seed)
    kept, y = np.unique(labels[rows], return_inverse=True)

    def points(train: IntArray, test: IntArray) -> Points:
        found = prepare(table, Fold(train=rows[train], test=rows[test]), PREPARATION)
        return Points(
            found.X_train,
            np.searchsorted(kept, found.y_train),
            found.X_test,
            np.searchsorted(kept, found.y_test),
        )

    rounds, outer = [], stratified_fold_ids(y, n_folds, seed)
    for fold in range(n_folds):
        train = np.flatnonzero(outer != fold)
        inner = stratified_fold_ids(y[train], n_folds, seed + 1)
        parts = [points(train[inner != part], train[inner == part]) for part in range(n_folds)]
        rounds.append(Round(points(train, np.flatnonzero(outer == fold)), tuple(parts)))
    return rounds


def draw_rows(labels: IntArray, n_rows: int, least: int, seed: int) -> IntArray:
    """Draw rows in proportion to the classes, at least `least` of each; classes with fewer are left out.

    Parameters
    ----------
    labels : (n_samples,)

    Examples
    --------
    >>> labels = np.array([0] * 60 + [1] * 8 + [2] * 3)
    >>> np.bincount(labels[draw_rows(labels, 34, 6, 0)]).tolist()
    [30, 6]
    """
    counts = np.bincount(labels)
    total = counts[counts >= least].sum()
    drawn = np.random.default_rng(seed).permutation(labels.size)
    parts = []
    for label in np.flatnonzero(counts >= least):
        share = round(counts[label] * min(1.0, n_rows / total))
        parts.append(drawn[labels[drawn] == label][: max(least, share)])
    rows: IntArray = np.sort(np.concatenate(parts))
    return rows
