"""From what a user asks for to what is searched: words settled, codes built, folds drawn."""

from typing import Any

import numpy as np
from sklearn.base import clone

from ecocviz.engine.catalogue import CODINGS, is_learned
from ecocviz.engine.kernels.gram import SINGLE_PRECISION_ROWS, scaled_gamma
from ecocviz.engine.machines._ways.problem import finest
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.params import complete, shorten
from ecocviz.engine.points import dense
from ecocviz.engine.reductions._shared.cost_scale import PROBABILITY
from ecocviz.engine.reductions._shared.decoded_classifier import calibration_fold_ids
from ecocviz.engine.reductions._shared.inputs import TrainingSet
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.tuning.grids import C_RANGE, GAMMA_RANGE, Coded, Grid, coded, decoded, numbers
from ecocviz.engine.tuning.results import CHOICES
from ecocviz.engine.tuning.search import SCORINGS, Search
from ecocviz.engine.tuning.splits import Split, calibrated_splits
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

BOUND_TOL = 1e-8
"""Where training for the bound ends at the latest, in double precision: enough for C = 1000 (measured)."""


def check_settings(search: Any, machine: Any) -> None:  # noqa: ANN401 - scikit-learn estimators share no type
    """Raise with a sentence if an `ECOCClassifierCV` was given what it cannot do."""
    if not isinstance(machine, KernelMachine):
        raise ValueError(  # noqa: TRY004 - one kind of error for every bad value
            "ECOCClassifierCV chooses gamma and C of a KernelMachine; for other machines put ECOCClassifier "
            "into scikit-learn's GridSearchCV."
        )
    if machine.approximation is not None:
        raise ValueError(
            "ECOCClassifierCV searches with exact kernel machines; leave approximation out, or put "
            "ECOCClassifier into scikit-learn's GridSearchCV."
        )
    for name, known in (("scoring", SCORINGS), ("choice", CHOICES), ("probability", PROBABILITY)):
        given = getattr(search, name)
        if given not in known:
            raise ValueError(f"{name} is one of {', '.join(known)}, not {shorten(str(given))!r}.")
    tols = (machine.tol, search.search_tol)
    if not all(isinstance(tol, float | int) and tol > 0 for tol in tols):
        raise ValueError("search_tol and the machine's tol must be above 0.")


def make_grid(search: Any, machine: KernelMachine, data: TrainingSet) -> Grid:  # noqa: ANN401 - as above
    """Return the combinations that an `ECOCClassifierCV` tries on these points."""
    widths: FloatArray = np.empty(0)
    if machine.kernel == "rbf":
        scale = scaled_gamma(data.X, data.weights)
        widths = numbers("gammas", search.gammas, (GAMMA_RANGE[0] * scale, GAMMA_RANGE[1] * scale))
    Cs = numbers("Cs", search.Cs, C_RANGE)
    return Grid(widths, Cs, coded(search.codings), decoded(search.decodings))


def make_search(
    search: Any,  # noqa: ANN401 - as above
    machine: KernelMachine,
    grid: Grid,
    data: TrainingSet,
    folds: list[tuple[IntArray, IntArray]],
    state: int,
    seed: int,
) -> Search:
    """Return what is done at each gamma.

    Parameters
    ----------
    search
        An `ECOCClassifierCV`.
    machine
        Its kernel machine.
    grid
        The combinations.
    data
        The points.
    folds
        Training and test points of each fold.
    state
        `random_state` of every classifier.
    seed
        What classifiers make of it, of random codes and folds.
    """
    calibrated = any("sigmoids" in decoder.entry.needs for decoder in grid.decoders)
    given = search.calibration_folds
    ids = calibration_fold_ids(given, data.y_index, seed, data)  # raises with a sentence where it cannot be
    if search.scoring == "cv":
        splits = calibrated_splits(folds, data.y_index, given if np.ndim(given) == 0 else ids, seed)
    else:
        everything = np.arange(data.y_index.size)
        splits = (Split(everything, everything[:0], ids),)
    return Search(
        X=data.X,
        y_index=data.y_index,
        weights=data.weights,
        codes=tuple(_built(code, machine, data, state, seed) for code in grid.codes),
        decoders=tuple((decoder.entry.key, decoder.params) for decoder in grid.decoders),
        Cs=grid.Cs,
        machine=clone(machine),
        splits=splits,
        scoring=search.scoring,
        tol=_tolerance(search, machine, data.y_index.size),
        calibrated=calibrated,
        state=state,
    )


def _tolerance(search: Any, machine: KernelMachine, n_samples: int) -> float:  # noqa: ANN401 - as above
    """Return where training ends.

    What the solver leaves open widens the bound, the more the larger C is: it would order values of C by how
    far they are from solved, not by how good they are.
    """
    if search.scoring == "cv":
        return float(search.search_tol)
    if search.scoring == "loo":
        return float(machine.tol)
    return min(float(machine.tol), finest(BOUND_TOL, exact=n_samples <= SINGLE_PRECISION_ROWS))


def _built(
    code: Coded, machine: KernelMachine, data: TrainingSet, state: int, seed: int
) -> CodeMatrix | Coded:
    """Return the code matrix, (n_classes, n_bits), or the code itself where it is learned."""
    model = ECOCClassifier(code.coding, coding_params=code.params, machine=machine, random_state=state)
    if not is_learned(code.coding):
        return model.design(data.X, data.y_index, seed).code_matrix
    if data.weights is not None:
        model.refuse_weights()
    if machine.kernel == "precomputed":
        raise ValueError(f"The coding {code.coding!r} learns from points, not from kernel values.")
    dense(data.X, f"The coding {code.coding!r}, which is learned from the points,")
    return code


def count_bits(search: Search) -> IntArray:
    """Return how many machines each code has, (n_codes,): the most it may have, where it is learned."""
    n_classes, counts = int(search.y_index.max()) + 1, []
    for code in search.codes:
        if isinstance(code, Coded):
            entry = CODINGS[str(code.coding)]
            counts.append(entry.n_bits(n_classes, **complete(entry.params, dict(code.params))))
        else:
            counts.append(code.shape[1])
    return np.array(counts, dtype=np.int64)
