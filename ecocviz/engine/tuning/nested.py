"""An honest estimate of the error: the whole search is done again on the training part of each fold."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ecocviz.engine.points import take
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions._shared.inputs import TrainingSet
from ecocviz.engine.tuning.splits import are_pairs, fold_ids_in
from ecocviz.engine.types import FloatArray, IntArray


def nested_scores(
    make: Callable[[dict[str, Any]], Any],
    given: dict[str, Any],
    data: TrainingSet,
    folds: list[tuple[IntArray, IntArray]],
    *,
    pairwise: bool,
    groups: npt.NDArray[Any] | None,
    progress: Progress,
) -> FloatArray:
    """Return the share of right decisions on each fold's test points, (n_folds,).

    They are made by what a search on the fold's training points has chosen.

    Parameters
    ----------
    make
        Returns an unfitted search with these parameters changed.
    given
        Parameters with an entry for each point: `cv`, `calibration_folds` or none.
    data
        All points.
    folds
        Training and test points of each.
    pairwise
        Whether points are rows of kernel values.
    groups : (n_samples,) or None
        What folds keep together.
    progress
        Told the share of the searches that are done; may raise to end them.
    """
    scores = np.empty(len(folds))
    for number, (train, test) in enumerate(folds):
        search = make({name: np.asarray(values)[train] for name, values in given.items()})
        if are_pairs(search.cv):  # the other folds, as far as they are of these points
            others = [*folds[:number], *folds[number + 1 :]]
            search.cv = [tuple(np.flatnonzero(np.isin(train, some)) for some in pair) for pair in others]
        ids = fold_ids_in(search.cv)
        if ids is not None and np.unique(ids).size < 2:
            raise ValueError(
                "nested=True leaves out one fold of cv and searches on the others: give it three."
            )
        told = progress.part(number, len(folds), f"search {number + 1} of {len(folds)} on other points")
        weights = None if data.weights is None else data.weights[train]
        points = take(data.X, train, train if pairwise else None)
        together = None if groups is None else groups[train]
        search.fit(points, data.y_index[train], weights, groups=together, progress=told)
        found = search.predict(take(data.X, test, train if pairwise else None))
        shares = None if data.weights is None else data.weights[test]
        scores[number] = np.average(found == data.y_index[test], weights=shares)
    return scores
