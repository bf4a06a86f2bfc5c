"""From a scenario to its result: data -> code matrix -> machines -> scores -> costs -> labels.

`train` does everything up to the machines and does not look at the decoder; `lab/evaluate.py` lets a
decoder judge points by them. `run` is both. All are pure: the same scenario gives the same numbers.
"""

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter

import numpy as np

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.prepare import folds, prepare
from ecocviz.data.types import Fold, Table
from ecocviz.engine import capabilities as can
from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES, build_code, why_not_drawn
from ecocviz.engine.entries import Parts, check_code_matrix
from ecocviz.engine.multiclass import check_multiclass
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import CodeMatrix, IntArray
from ecocviz.lab.catalogue import DEFAULTS, REDUCTIONS, why_not
from ecocviz.lab.evaluate import Outcome, evaluate
from ecocviz.lab.first_call import call_first
from ecocviz.lab.scenario import Scenario, choose
from ecocviz.lab.trained import Model, Trained, release

UNDECIDED = "hamming"
"""The decoder models are trained with: one that asks nothing of training; `evaluate` names another."""
MACHINES_AT_ONCE = 2
"""Binary machines trained at the same time, where there are so many processors."""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run."""

    scenario: Scenario
    trained: Trained
    train: Outcome
    test: Outcome


@lru_cache(maxsize=512)
def without_decoder(scenario: Scenario) -> Scenario:
    """Return the scenario with the default decoder and without a rule: the key of trained machines."""
    decoding, rejecting = (choose(slot, DEFAULTS[slot]) for slot in ("decoding", "rejecting"))
    return replace(scenario, decoding=decoding, rejecting=rejecting)


def why_not_run(scenario: Scenario) -> str | None:
    """Say in one sentence why a scenario's choices cannot be combined, or None if they can."""
    return why_not(
        CODINGS[scenario.coding.key],
        DECODINGS[scenario.decoding.key],
        REDUCTIONS[scenario.reduction.key],
        MACHINES[scenario.machine.key],
    )


def run(scenario: Scenario, progress: Progress = NO_PROGRESS, table: Table | None = None) -> Result:
    """Run a scenario, on its data or a given table of them; raise ValueError where that is impossible."""
    reason = why_not_run(scenario)
    if reason:
        raise ValueError(reason)
    trained = train(scenario, progress.part(0, 3), table)
    return Result(
        scenario,
        trained,
        evaluate(trained, "train", scenario.decider, progress.part(1, 3)),
        evaluate(trained, "test", scenario.decider, progress.part(2, 3)),
    )


def load(scenario: Scenario) -> Table:
    """Load a scenario's data set."""
    entry = DATASETS[scenario.data.key]
    seeded = {"seed": scenario.seed} if entry.seeded else {}
    return entry.load(**scenario.data.values, **seeded)


def train(
    scenario: Scenario,
    progress: Progress = NO_PROGRESS,
    table: Table | None = None,
    n_jobs: int | None = None,
) -> Trained:
    """Train a scenario's machines, on every fold if its split has several; its decoder does not matter.

    `n_jobs` machines are trained at the same time, `MACHINES_AT_ONCE` if it is None.
    """
    started = perf_counter()
    if table is None:
        progress.note("loading the data")
        table = load(scenario)
    n_classes = len(table.classes)
    fixed = _asked_code(scenario, n_classes)
    parts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    several = len(parts) > 1
    models = []
    for i, fold in enumerate([_everything(table), *parts] if several else parts):
        name = (
            (f"fold {i} of {len(parts)}" if i else f"all points, before {len(parts)} folds")
            if several
            else ""
        )
        step = progress.part(i, len(parts) + several, name)
        models.append(_train_one(scenario, table, fold, fixed, step, n_jobs))
    notes = tuple(dict.fromkeys((*table.notes, *models[0].prepared.notes)))
    return Trained(
        without_decoder(scenario),
        table,
        table.classes,
        _learned_code(models[0], n_classes) if fixed is None else fixed,
        models[0],
        tuple(models[1:] if several else models),
        notes,
        perf_counter() - started,
    )


def shown_fold(scenario: Scenario, table: Table) -> Fold:
    """Return the rows that the model on the screen is trained on: a cross-validation's is on everything."""
    parts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    return parts[0] if len(parts) == 1 else _everything(table)


def fixed_code(scenario: Scenario, n_classes: int) -> CodeMatrix | None:
    """Build the scenario's code matrix, (n_classes, n_bits); None where it is learned from data."""
    if CODINGS[scenario.coding.key].build is None:
        return None
    reason = why_not_drawn(CODINGS[scenario.coding.key], n_classes, scenario.coding.values)
    if reason:
        raise ValueError(reason)
    return build_code(scenario.coding.key, n_classes, scenario.seed, **scenario.coding.values)


def _asked_code(scenario: Scenario, n_classes: int) -> CodeMatrix | None:
    """Build the code if the reduction reads it: one that nobody reads need not suit the data."""
    uses = REDUCTIONS[scenario.reduction.key].uses
    return fixed_code(scenario, n_classes) if "coding" in uses else None


def _learned_code(model: Model, n_classes: int) -> CodeMatrix:
    """Return the code that training found; without columns if the reduction has no use for one."""
    estimator = model.estimator
    if not isinstance(estimator, can.Scored):
        return np.zeros((n_classes, 0), np.int8)
    code_matrix: CodeMatrix = estimator.code_matrix_  # type: ignore[assignment]  # a learned code is discrete
    return code_matrix


def _everything(table: Table) -> Fold:
    rows = np.arange(table.labels.size)
    return Fold(train=rows, test=rows[:0])


def _train_one(
    scenario: Scenario,
    table: Table,
    fold: Fold,
    fixed: CodeMatrix | None,
    progress: Progress,
    n_jobs: int | None = None,
) -> Model:
    progress.note("preparing the points")
    prepared = prepare(table, fold, scenario.preparation.key, scenario.preparation.values)
    present = np.unique(prepared.y_train)
    machine_entry = MACHINES[scenario.machine.key]
    seeded = {"seed": scenario.seed} if machine_entry.seeded else {}
    reduction = REDUCTIONS[scenario.reduction.key]
    code_matrix = None if fixed is None else restrict_code(fixed, present)
    parts = Parts(
        coding=scenario.coding.key if code_matrix is None else code_matrix,
        coding_params=scenario.coding.values if code_matrix is None else {},
        machine=machine_entry.make(**scenario.machine.values, **seeded),
        decoding=UNDECIDED,
        seed=scenario.seed,
        n_jobs=n_jobs or min(MACHINES_AT_ONCE, os.cpu_count() or 1),
    )
    estimator = check_multiclass(reduction.make(parts, **scenario.reduction.values))
    progress.note(f"training, {reduction.title}")
    call_first(scenario, estimator, prepared.X_train, prepared.y_train, progress)
    started = perf_counter()
    estimator.fit(prepared.X_train, prepared.y_train, progress=progress)
    seconds = perf_counter() - started
    release(estimator)
    return Model(prepared, estimator, present, seconds)


def restrict_code(code_matrix: CodeMatrix, present: IntArray) -> CodeMatrix:
    """Keep the rows of the classes that training sees, and the columns that still part them.

    A fold of a cross-validation may lack a rare class: its row then has nothing to be trained on.
    """
    kept = code_matrix[present]
    both_sides = (kept == 1).any(axis=0) & (kept == -1).any(axis=0)
    return check_code_matrix(kept[:, both_sides])
