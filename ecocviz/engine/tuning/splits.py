"""Which points are left out of which training: folds of the search, and of calibration within each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from ecocviz.engine.columns import stratified_fold_ids
from ecocviz.engine.params import shorten
from ecocviz.engine.types import BoolArray, IntArray, Points


@dataclass(frozen=True, slots=True)
class Split:
    """One training of the search.

    Attributes
    ----------
    train, test : (n_train,), (n_test,)
        Points that machines are trained on and judged on, ascending.
    fold_ids : (n_train,)
        Calibration fold of each training point, for decoders that ask for sigmoids.
    """

    train: IntArray
    test: IntArray
    fold_ids: IntArray

    def left_out(self, n_samples: int) -> BoolArray:
        """Return which points are left out, (n_samples,)."""
        out = np.ones(n_samples, dtype=np.bool_)
        out[self.train] = False
        return out

    def calibrations(self, n_samples: int) -> Iterator[BoolArray]:
        """Go through the trainings of calibration, and which points each leaves out, (n_samples,)."""
        for fold in np.unique(self.fold_ids):
            out = self.left_out(n_samples)
            out[self.train[self.fold_ids == fold]] = True
            yield out


class Sets:
    """The sets of points that trainings do without, numbered: each is trained once, whoever asks for it.

    Parameters
    ----------
    splits
        The trainings that are judged.
    n_samples
        How many points there are.
    calibrated
        Whether machines are trained for sigmoids, too.
    apart
        Whether a training for sigmoids differs by what it is part of, as weights do that balance the classes.

    Attributes
    ----------
    left_out, whole : (n_sets, n_samples)
        Which points each training does without, and which ones the training that it is part of does without.
    """

    def __init__(self, splits: Iterable[Split], n_samples: int, *, calibrated: bool, apart: bool) -> None:
        self._apart = apart
        self._numbers: dict[bytes, int] = {}
        masks: list[tuple[BoolArray, BoolArray]] = []
        for split in splits:
            whole = split.left_out(n_samples)
            for mask in (whole, *(split.calibrations(n_samples) if calibrated else ())):
                if self._numbers.setdefault(self._key(mask, whole), len(masks)) == len(masks):
                    masks.append((mask, whole))
        self.left_out: BoolArray = np.array([mask for mask, _ in masks])
        self.whole: BoolArray = np.array([whole for _, whole in masks])

    def _key(self, mask: BoolArray, whole: BoolArray) -> bytes:
        return mask.tobytes() + (whole.tobytes() if self._apart else b"")

    def number(self, mask: BoolArray, whole: BoolArray | None = None) -> int:
        """Return the number of a set, which is by default no part of another."""
        return self._numbers[self._key(mask, mask if whole is None else whole)]


def folds_of(cv: Any, X: Points, y_index: IntArray, seed: int) -> list[tuple[IntArray, IntArray]]:  # noqa: ANN401 - as scikit-learn's
    """Return training and test points of each fold.

    Parameters
    ----------
    cv
        How many stratified folds, the fold of each point (n_samples,), a splitter, or pairs of positions.
    X : (n_samples, n_features)
    y_index : (n_samples,)
    seed
        Of stratified folds.
    """
    if isinstance(cv, Integral):
        cv = stratified_fold_ids(y_index, int(cv), seed)
    ids = fold_ids_in(cv)
    if ids is None:
        try:
            splitter = check_cv(cv, y_index, classifier=True)
        except (TypeError, ValueError):
            raise ValueError(
                "cv is a number of folds, the fold of each point, a splitter or pairs of positions, "
                f"not {shorten(repr(cv))}."
            ) from None
        pairs = splitter.split(np.zeros((y_index.size, 1)) if X is None else X, y_index)
        return [(np.sort(train), np.sort(test)) for train, test in pairs]
    if ids.shape != y_index.shape:
        raise ValueError(
            f"cv names the folds of {ids.size} points, but there are {y_index.size} to train on."
        )
    if np.unique(ids).size < 2:
        raise ValueError("Cross-validation needs points in at least two folds, but all are in one.")
    return [(np.flatnonzero(ids != fold), np.flatnonzero(ids == fold)) for fold in np.unique(ids)]


def fold_ids_in(cv: Any) -> IntArray | None:  # noqa: ANN401 - whatever the user wrote
    """Return `cv` as the fold of each point, (n_samples,), None where it is something else."""
    if cv is None or isinstance(cv, Integral | str) or hasattr(cv, "split") or not hasattr(cv, "__len__"):
        return None
    try:
        ids = np.asarray(cv)
    except ValueError:
        return None
    whole = ids.ndim == 1 and np.issubdtype(ids.dtype, np.integer)
    return ids.astype(np.int64) if whole else None


def calibrated_splits(
    folds: list[tuple[IntArray, IntArray]], y_index: IntArray, calibration: int | IntArray, seed: int
) -> tuple[Split, ...]:
    """Say for each fold on which folds of its training points sigmoids are fitted.

    Those are the other folds of the search, where these are no more than about twice the number asked for:
    machines trained without two folds then serve the sigmoids of both. Otherwise they are drawn.

    Parameters
    ----------
    folds
        Training and test points.
    y_index : (n_samples,)
    calibration
        How many calibration folds, or the fold of each point, (n_samples,).
    seed
        Of stratified folds.
    """
    n_folds, n_samples = len(folds), y_index.size
    given = None if np.ndim(calibration) == 0 else np.asarray(calibration)
    own = np.full(n_samples, -1)
    for number, (_, test) in enumerate(folds):
        own[test] = number
    parted = sum(test.size for _, test in folds) == n_samples and bool((own >= 0).all())
    whole = all(train.size + test.size == n_samples for train, test in folds)
    if given is None and parted and whole and 3 <= n_folds <= 2 * int(calibration) + 1:
        given = own
    splits = []
    for train, test in folds:
        ids = stratified_fold_ids(y_index[train], int(calibration), seed) if given is None else given[train]
        splits.append(Split(train, test, ids))
    return tuple(splits)
