"""Which points are left out of which training: folds of the search, and of calibration within each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import check_cv

from ecocviz.engine.columns import stratified_fold_ids
from ecocviz.engine.params import shorten
from ecocviz.engine.reductions._shared.inputs import TrainingSet
from ecocviz.engine.types import BoolArray, IntArray


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


def folds_of(
    cv: Any,  # noqa: ANN401 - as scikit-learn's
    data: TrainingSet,
    seed: int,
    groups: npt.ArrayLike | None = None,
) -> list[tuple[IntArray, IntArray]]:
    """Return training and test points of each fold.

    Parameters
    ----------
    cv
        How many stratified folds, the fold of each point (n_samples,), a splitter, or pairs of positions
        among all points that were given to `fit`.
    data
        The points that are trained on.
    seed
        Of stratified folds.
    groups : (n_samples,), optional
        What a splitter keeps together.
    """
    y_index = data.y_index
    if isinstance(cv, Integral):
        cv = stratified_fold_ids(y_index, int(cv), seed)
    ids = fold_ids_in(cv)
    if groups is not None and (ids is not None or not hasattr(cv, "split")):
        raise ValueError("groups are for a splitter that keeps them together: give cv one, as GroupKFold(5).")
    if ids is None:
        try:
            splitter = check_cv(cv, y_index, classifier=True)
        except (TypeError, ValueError):
            raise ValueError(
                "cv is a number of folds, the fold of each point, a splitter or pairs of positions, "
                f"not {shorten(repr(cv))}."
            ) from None
        pairs = [tuple(map(np.sort, pair)) for pair in splitter.split(data.X, y_index, groups)]
        if are_pairs(cv):
            pairs = [tuple(_places(some, data.kept, y_index.size) for some in pair) for pair in pairs]
        if not all(some.size for pair in pairs for some in pair):
            raise ValueError("A fold of cv has no points with a weight above 0 to train on, or to judge.")
        return [(train, test) for train, test in pairs]
    if ids.shape != y_index.shape:
        raise ValueError(
            f"cv names the folds of {ids.size} points, but there are {y_index.size} to train on."
        )
    if np.unique(ids).size < 2:
        raise ValueError("Cross-validation needs points in at least two folds, but all are in one.")
    return [(np.flatnonzero(ids != fold), np.flatnonzero(ids == fold)) for fold in np.unique(ids)]


def are_pairs(cv: Any) -> bool:  # noqa: ANN401 - whatever the user wrote
    """Say whether `cv` is pairs of positions, of training and test points."""
    return (
        cv is not None
        and not isinstance(cv, Integral)
        and not hasattr(cv, "split")
        and fold_ids_in(cv) is None
    )


def _places(positions: IntArray, kept: IntArray | None, n_samples: int) -> IntArray:
    """Return where points are among those trained on, `kept`; those that are not are left out."""
    if kept is None:
        if positions.size and not 0 <= positions[0] <= positions[-1] < n_samples:
            raise ValueError(f"cv holds positions beyond the {n_samples} points.")
        return positions
    found: IntArray = np.flatnonzero(np.isin(kept, positions))
    return found


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
