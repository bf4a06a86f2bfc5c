"""What training a scenario is predicted to take, before it begins: to about a factor of three.

The numbers are those of two cores of an ordinary machine; what is seen of real trainings corrects them.
"""

import math
import threading

import numpy as np

from ecocviz.data.prepare import folds
from ecocviz.data.types import Table
from ecocviz.engine.catalogue import CODINGS, MACHINES
from ecocviz.engine.entries import column_sizes
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import IntArray
from ecocviz.lab.away import away
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.cost import Cost, gram_bytes
from ecocviz.lab.report import working
from ecocviz.lab.run import fixed_code, load, restrict_code, train
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.trained import Trained

PER_KERNEL_VALUE, PER_PAIR, PER_POINT, PER_PROBLEM = 5e-9, 4e-10, 2e-6, 2e-4
"""Seconds: an entry of the Gram matrix; of a binary problem, a pair of points where its machine has a kernel,
a point where it has none, and the problem itself."""
DESIGN = 6.0
"""How many times as long as training with a given code it takes to train while a code is found."""
SPARE_BYTES = 100_000_000
LEARNING = 0.3
"""How far one training that is seen moves the correction."""


class Corrections:
    """How many times as long as predicted trainings really took, by what was trained."""

    def __init__(self) -> None:
        self._logs: dict[tuple[str, ...], float] = {}
        self._lock = threading.Lock()

    def factor(self, scenario: Scenario) -> float:
        """Return what to multiply a prediction by."""
        return math.exp(self._logs.get(_kind(scenario), 0.0))

    def saw(self, scenario: Scenario, predicted: float, took: float) -> None:
        """Learn from a training; `predicted` is the corrected prediction."""
        if min(predicted, took) <= 0:
            return
        error = float(np.clip(math.log(took / predicted), -3.0, 3.0))
        with self._lock:
            kind = _kind(scenario)
            self._logs[kind] = self._logs.get(kind, 0.0) + LEARNING * error


CORRECTIONS = Corrections()
"""Of this process."""


def train_away(scenario: Scenario, progress: Progress = NO_PROGRESS) -> Trained:
    """Train as `run.train` does; of a background job in a process of its own where that takes long."""
    if working() is None:
        return train(scenario, progress)
    progress.note("loading the data")
    predicted = training_cost(scenario, load(scenario), CORRECTIONS)
    trained = away(predicted, train, scenario, progress=progress)
    CORRECTIONS.saw(scenario, predicted.seconds, trained.seconds)
    return trained


def _kind(scenario: Scenario) -> tuple[str, ...]:
    """Return what trainings that are alike have in common."""
    return scenario.reduction.key, scenario.machine.key, str(CODINGS[scenario.coding.key].build is None)


def training_cost(scenario: Scenario, table: Table, corrections: Corrections | None = None) -> Cost:
    """Predict what training a scenario on its table needs; ValueError where its parts do not fit together."""
    parts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    # A cross-validation trains once on everything, and once for each fold.
    rows = parts[0].train if len(parts) == 1 else np.arange(table.labels.size)
    n_times = 1 if len(parts) == 1 else 1 + len(parts)
    counts = np.bincount(table.codes()[rows], minlength=len(table.classes))
    sizes = problem_sizes(scenario, counts).astype(float)
    machine, reduction = MACHINES[scenario.machine.key], REDUCTIONS[scenario.reduction.key]
    chosen = "machine" in reduction.uses
    kernel = machine.kernel or not chosen
    seconds = PER_PROBLEM * sizes.size + float(
        PER_PAIR * (sizes**2).sum() if kernel else PER_POINT * sizes.sum()
    )
    seconds += PER_KERNEL_VALUE * rows.size**2 if kernel else 0.0
    seconds *= n_times * reduction.effort * (machine.effort if chosen else 1.0)
    if "coding" in reduction.uses and CODINGS[scenario.coding.key].build is None:
        seconds *= DESIGN
    n_bytes = SPARE_BYTES + 16 * rows.size * max(sizes.size, 1)
    in_parts = chosen and not reduction.continuous  # a kernel in place of a code takes them all
    n_bytes += gram_bytes(rows.size, in_parts=in_parts) if kernel else 0
    factor = 1.0 if corrections is None else corrections.factor(scenario)
    return Cost(seconds * factor, int(n_bytes))


def problem_sizes(scenario: Scenario, class_counts: IntArray) -> IntArray:
    """Return how many points each binary problem of a scenario will have, (n_problems,)."""
    reduction, present = REDUCTIONS[scenario.reduction.key], class_counts > 0
    counts = class_counts[present]
    coded = "coding" in reduction.uses
    code = fixed_code(scenario, len(class_counts)) if coded else None
    if code is None:  # learned: about as many columns as there are classes, each for all points
        code = np.ones((len(counts), len(counts)), np.int8)
    else:
        code = restrict_code(code, np.flatnonzero(present))
    if reduction.problems is not None:
        return np.asarray(reduction.problems(counts, code, **scenario.reduction.values))
    return column_sizes(counts, code)
