"""What is done for one width of the kernel: every C, code, decoder and fold on one Gram matrix."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import cast

import numpy as np
from sklearn.base import clone

from ecocviz.engine.columns import TrainedColumns
from ecocviz.engine.kernels.gram import Kernel, gram_matrix, training_dtype
from ecocviz.engine.machines.kernel_machine import KernelMachine, weights_by_side
from ecocviz.engine.memory import check_memory
from ecocviz.engine.params import ParamValue
from ecocviz.engine.points import take
from ecocviz.engine.progress import Progress
from ecocviz.engine.reductions._shared.decoded_classifier import DecodedClassifier
from ecocviz.engine.reductions._shared.evidence import Training
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.tasks import task_progress
from ecocviz.engine.tuning.grids import Coded
from ecocviz.engine.tuning.machines import JudgedClassifier, PathColumns, Use
from ecocviz.engine.tuning.paths import ColumnPaths
from ecocviz.engine.tuning.splits import Sets, Split
from ecocviz.engine.types import Bits, CodeMatrix, FloatArray, IntArray, Points

SCORINGS = ("cv", "bound", "loo")
TIE = 1e-6
"""A margin of the bound up to which training further would tell nothing: ties count as errors."""


@dataclass(frozen=True)
class Search:
    """What all widths share.

    Attributes
    ----------
    X : (n_samples, n_features)
    y_index : (n_samples,)
    weights : (n_samples,) or None
    codes
        Code matrices, (n_classes, n_bits) each; a `Coded` that is learned is learned anew in each training.
    decoders
        Keys of the catalogue, and their complete parameters.
    Cs : (n_Cs,)
        Ascending.
    machine
        An unfitted kernel machine, whose gamma and C are set.
    splits
        The trainings that are judged: folds, or all points at once.
    scoring
        "cv", "bound" or "loo".
    tol
        Where training ends.
    calibrated
        Whether a decoder asks for sigmoids.
    state
        `random_state` of classifiers.
    """

    X: Points
    y_index: IntArray
    weights: FloatArray | None
    codes: tuple[CodeMatrix | Coded, ...]
    decoders: tuple[tuple[str, Mapping[str, ParamValue]], ...]
    Cs: FloatArray
    machine: KernelMachine
    splits: tuple[Split, ...]
    scoring: str
    tol: float
    calibrated: bool
    state: int

    @property
    def matrices(self) -> list[tuple[int, CodeMatrix]]:
        """The codes that are the same for all points, with their numbers."""
        return [(k, code) for k, code in enumerate(self.codes) if not isinstance(code, Coded)]

    @property
    def learned(self) -> list[tuple[int, Coded]]:
        """The codes that are learned, with their numbers."""
        return [(k, code) for k, code in enumerate(self.codes) if isinstance(code, Coded)]

    @cached_property
    def columns(self) -> tuple[CodeMatrix, dict[int, Use]]:
        """All columns of codes that are matrices, (n_classes, n_columns), and which of them each uses.

        A column and its complement are one machine, whose scores change sign.
        """
        found: dict[bytes, int] = {}
        distinct: list[CodeMatrix] = []
        uses: dict[int, Use] = {}
        turning = not isinstance(self.machine.class_weight, Mapping)
        for k, code in self.matrices:
            numbers, turns = [], []
            for column in code.T:
                turn = -1 if turning and column[np.flatnonzero(column)[0]] < 0 else 1
                plain = (turn * column).astype(np.int8)
                if plain.tobytes() not in found:
                    found[plain.tobytes()] = len(distinct)
                    distinct.append(plain)
                numbers.append(found[plain.tobytes()])
                turns.append(float(turn))
            uses[k] = Use(np.array(numbers), np.array(turns))
        return np.array(distinct, dtype=np.int8).T, uses

    def parts(self) -> list["Part"]:
        """Return the points of each training that is judged."""
        pairwise = self.machine.kernel == "precomputed"
        parts = []
        for split in self.splits:
            rows = split.train if pairwise else None
            points = [take(self.X, some, rows) for some in (split.train, split.test)]
            shares = [
                None if self.weights is None else self.weights[some] for some in (split.train, split.test)
            ]
            parts.append(Part(split, points[0], points[1], shares[0], shares[1]))
        return parts

    def sets(self) -> Sets:
        """Return the sets of points that trainings do without."""
        apart = isinstance(self.machine.class_weight, str)
        return Sets(self.splits, self.y_index.size, calibrated=self.calibrated, apart=apart)

    def machine_at(self, gamma: float | None, C: float) -> KernelMachine:
        """Return an unfitted machine with these numbers."""
        width = {} if gamma is None else {"gamma": gamma}
        machine: KernelMachine = clone(self.machine).set_params(C=C, **width)
        return machine


@dataclass(frozen=True, slots=True)
class Part:
    """A training that is judged: the points trained on and judged, with their weights, if they have any."""

    split: Split
    X: Points
    X_test: Points
    weights: FloatArray | None
    test_weights: FloatArray | None


@dataclass(frozen=True, slots=True)
class Found:
    """What was found at one width.

    Attributes
    ----------
    scores : (n_codes, n_decoders, n_Cs, n_splits)
        Share of the points that are decided right, by weight.
    seconds : (n_codes, n_Cs)
        What one training took; codes that share their columns share the time.
    doubts : (n_codes, n_decoders, n_Cs, n_splits)
        How much better the bound may be where training goes on; 0 for other scores.
    n_open
        Trainings that ended at max_updates.
    """

    scores: FloatArray
    doubts: FloatArray
    seconds: FloatArray
    n_open: int


def search_width(search: Search, gamma: float | None) -> Found:
    """Train and judge everything at one width of the kernel.

    Parameters
    ----------
    search
        What all widths share.
    gamma
        The width; None where the kernel has none.
    """
    scores = np.full((len(search.codes), len(search.decoders), search.Cs.size, len(search.splits)), np.nan)
    doubts = np.zeros(scores.shape)
    seconds = np.zeros((len(search.codes), search.Cs.size))
    n_parts = bool(search.matrices) + len(search.learned)
    n_open, progress = 0, task_progress()
    if search.matrices:
        n_open = _along_path(search, gamma, scores, doubts, seconds, progress.part(0, n_parts))
    for number, (k, code) in enumerate(search.learned, n_parts - len(search.learned)):
        _by_refitting(search, gamma, code, scores[k], doubts[k], seconds[k], progress.part(number, n_parts))
    return Found(scores, doubts, seconds, n_open)


def _along_path(
    search: Search,
    gamma: float | None,
    scores: FloatArray,
    doubts: FloatArray,
    seconds: FloatArray,
    progress: Progress,
) -> int:
    """Judge the codes that are the same for all points; return how many trainings did not converge."""
    distinct, uses = search.columns
    kernel, _ = search.machine_at(gamma, 1.0).settle(search.X, search.weights)
    n_open = 0
    began = perf_counter()
    sets, parts = search.sets(), search.parts()
    paths = _make_paths(search, sets, kernel, distinct[search.y_index], progress)
    for c, C in enumerate(search.Cs):
        told = progress.part(c, search.Cs.size)
        told.note(f"C = {C:.4g}" if gamma is None else f"gamma = {gamma:.4g}, C = {C:.4g}")
        paths.rise(float(C), told)
        n_open += int((paths.left > search.tol).sum())
        seconds[list(uses), c] = (perf_counter() - began) / len(search.splits)
        for number, part in enumerate(parts):
            s = sets.number(part.split.left_out(search.y_index.size))
            for k, code in search.matrices:
                columns = PathColumns(paths, sets, uses[k], s, kernel, search.X)
                model = _adopted(search, code, columns, part)
                for d, (key, params) in enumerate(search.decoders):
                    place = k, d, c, number
                    scores[place], doubts[place] = _judge(search, model, part, key, params, columns)
        began = perf_counter()
    return n_open


def _make_paths(search: Search, sets: Sets, kernel: Kernel, columns: Bits, progress: Progress) -> ColumnPaths:
    """Return the machines before training, with their Gram matrix."""
    n_samples, machine = search.y_index.size, search.machine
    exact = search.scoring == "loo"
    dtype = training_dtype(n_samples, 0.0 if exact else search.tol)
    check_memory(n_samples, n_samples, np.dtype(dtype).itemsize, limit=machine.memory_limit)
    gram = gram_matrix(kernel, search.X, dtype=dtype, check=progress.check)
    return ColumnPaths(
        gram,
        columns,
        sets.left_out,
        _shares(search, sets, columns),
        tol=search.tol,
        max_updates=machine.max_updates,
    )


def _shares(search: Search, sets: Sets, columns: Bits) -> FloatArray:
    """Return by what C is multiplied at each point, (n_sets, n_samples) or (n_sets, n_columns, n_samples)."""
    if search.machine.class_weight is None:
        own = np.ones(search.y_index.size) if search.weights is None else search.weights
        return np.where(sets.left_out, 0.0, own)
    shares = []
    for out, whole in zip(sets.left_out, sets.whole, strict=True):
        shown = np.where(whole[:, None], 0, columns).astype(np.int8)
        by_side = weights_by_side(shown, search.weights, search.machine.class_weight)
        assert by_side is not None  # noqa: S101 - there are weights of classes
        shares.append(np.where(out, 0.0, by_side.T))
    return np.array(shares)


def _adopted(search: Search, code: CodeMatrix, columns: PathColumns, part: Part) -> JudgedClassifier:
    """Return a classifier of the machines of one training."""
    y_index = search.y_index[part.split.train]
    training = Training(
        cast("TrainedColumns", columns),  # whose attributes are made when they are first read
        part.X,
        code[y_index],
        code,
        y_index,
        part.split.fold_ids,
        part.weights,
    )
    return JudgedClassifier(code).adopt(training, y_index, code.shape[0])


def _judge(
    search: Search,
    model: DecodedClassifier,
    part: Part,
    key: str,
    params: Mapping[str, ParamValue],
    columns: PathColumns | None = None,
) -> tuple[float, float]:
    """Return the share of the points that one decoder of one training decides right, and its doubt."""
    if search.scoring == "bound":
        sure, seeming = (model.loo_bound(key, params, certified=certified) for certified in (True, False))
        open_points = sure.flagged & (seeming.slack_margins > TIE)
        return 1.0 - float(sure.error), float(np.average(open_points, weights=part.weights))
    if search.scoring == "loo":
        return 1.0 - float(model.exact_loo(key, params, progress=task_progress()).error), 0.0
    scores = model.scores(part.X_test) if columns is None else columns.scores_of(part.split.test)
    costs = model.decode(scores, key, params, X=part.X_test)
    right = model.classes_[np.argmin(costs, axis=1)] == search.y_index[part.split.test]
    return float(np.average(right, weights=part.test_weights)), 0.0


def _by_refitting(
    search: Search,
    gamma: float | None,
    code: Coded,
    scores: FloatArray,
    doubts: FloatArray,
    seconds: FloatArray,
    progress: Progress,
) -> None:
    """Judge a code that is learned: anew from the training points of each fold, so that nothing leaks."""
    parts = search.parts()
    n_steps = search.Cs.size * len(parts)
    finer = {"tol": search.tol} if search.scoring == "bound" else {}
    for c, C in enumerate(search.Cs):
        for number, part in enumerate(parts):
            began = perf_counter()
            model = ECOCClassifier(
                code.coding,
                coding_params=code.params,
                decoding=search.decoders[0][0],
                decoding_params=search.decoders[0][1],
                machine=search.machine_at(gamma, float(C)).set_params(**finer),
                calibration_folds=part.split.fold_ids if search.calibrated else 3,
                random_state=search.state,
            )
            told = progress.part(c * len(parts) + number, n_steps)
            model.fit(part.X, search.y_index[part.split.train], progress=told)
            seconds[c] += (perf_counter() - began) / len(parts)
            for d, (key, params) in enumerate(search.decoders):
                scores[d, c, number], doubts[d, c, number] = _judge(search, model, part, key, params)
