"""From a scenario to its result: data -> code matrix -> machines -> scores -> costs -> labels.

`train` does everything up to the machines and does not look at the decoder; `decide` applies a
decoder to trained machines. `run` is both. All are pure: the same scenario gives the same numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from ecocviz.data.catalogue import DATASETS
from ecocviz.data.prepare import folds, prepare
from ecocviz.data.types import Fold, Prepared, Table
from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES, build_code
from ecocviz.engine.entries import Parts, check_code_matrix
from ecocviz.engine.progress import Check, Progress, part_of, silent
from ecocviz.engine.types import BoolArray, CodeMatrix, Costs, FloatArray, IntArray
from ecocviz.lab.catalogue import DEFAULTS, REDUCTIONS, why_not
from ecocviz.lab.scenario import Choice, Scenario, choose

Say = Callable[[str], None]
"""Called with what comes now, in a few words."""
Tell = Callable[[float, str], None]
"""Called with the share of the work done and what comes now; an exception it raises ends the work."""

SCORED_AT_ONCE = 1e9
"""Points x machines x training points between two checks whether to go on."""
DECIDED_AT_ONCE = 3e5
"""Points x machines x classes between two checks: a third of a second for the slowest decoders."""

UNDECIDED = "hamming"
"""The decoder models are trained with: one that asks nothing of training; `decide` names another."""


def untold(_share: float, _note: str) -> None:
    """Tell nobody."""


def telling(tell: Tell, share: float, note: str) -> Check:
    """Tell where the work is, and return a call that tells it again, so that it can be cancelled there."""
    tell(share, note)
    return lambda: tell(share, note)


@dataclass(frozen=True, slots=True)
class Model:
    """One trained reduction and the data it was trained and is tested on."""

    prepared: Prepared
    estimator: Any
    class_index: IntArray
    """(n_trained_classes,): the number, among all classes, of each class the estimator knows."""
    seconds: float = 0.0
    """That fitting took."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What training gives, before any decoder is chosen.

    `shown` is the model on the screen; `models` are those that the test points are judged by: the
    shown one for a single split, one for each fold of a cross-validation.
    """

    scenario: Scenario
    table: Table
    classes: tuple[str, ...]
    code_matrix: CodeMatrix
    shown: Model
    models: tuple[Model, ...]
    notes: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a decoder makes of the machines on one set of points.

    Attributes
    ----------
    rows : (n,)
        Rows of the table.
    truth, labels : (n,)
        True and decided class, as numbers among all classes.
    costs : (n, n_classes)
        Smaller is better; infinite for a class that training did not see.
    """

    rows: IntArray
    truth: IntArray
    labels: IntArray
    costs: Costs

    @property
    def wrong(self) -> BoolArray:
        """Points decided wrongly, (n,)."""
        wrong: BoolArray = self.labels != self.truth
        return wrong

    @property
    def n_wrong(self) -> int:
        """Number of points decided wrongly."""
        return int(self.wrong.sum())

    @property
    def error(self) -> float | None:
        """Share of points decided wrongly, None without points."""
        return self.n_wrong / self.rows.size if self.rows.size else None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run."""

    scenario: Scenario
    trained: Trained
    train: Outcome
    test: Outcome


def undecoded(scenario: Scenario) -> Scenario:
    """Return the scenario with the default decoder: the key under which trained machines are kept."""
    return replace(scenario, decoding=choose("decoding", DEFAULTS["decoding"]))


def refusal(scenario: Scenario) -> str | None:
    """Say in one sentence why a scenario's choices cannot be combined, or None if they can."""
    return why_not(
        CODINGS[scenario.coding.key],
        DECODINGS[scenario.decoding.key],
        REDUCTIONS[scenario.reduction.key],
        MACHINES[scenario.machine.key],
    )


def run(scenario: Scenario, progress: Progress | None = None) -> Result:
    """Run a scenario; raise ValueError with one sentence where that is impossible."""
    reason = refusal(scenario)
    if reason:
        raise ValueError(reason)
    trained = train(scenario, progress)
    return Result(
        scenario,
        trained,
        decide((trained.shown,), scenario.decoding, len(trained.classes), part="train"),
        decide(trained.models, scenario.decoding, len(trained.classes), part="test"),
    )


def load(scenario: Scenario) -> Table:
    """Load a scenario's data set."""
    entry = DATASETS[scenario.data.key]
    seeded = {"seed": scenario.seed} if entry.seeded else {}
    return entry.load(**scenario.data.values, **seeded)


def train(scenario: Scenario, progress: Progress | None = None, say: Say | None = None) -> Trained:
    """Train a scenario's machines, on every fold if its split has several.

    Parameters
    ----------
    scenario
        Its decoder does not matter.
    progress
        Told the share of the work that is done; may raise to cancel.
    say
        Told what is being trained: the fold, and the machine where they are trained one by one.
    """
    started = perf_counter()
    if say is not None:
        say("loading the data")
    table = load(scenario)
    classes = table.classes
    fixed = _asked_code(scenario, len(classes))
    parts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    whole = parts if len(parts) == 1 else [_everything(table), *parts]
    models = []
    for i, fold in enumerate(whole):
        step = None if progress is None else part_of(progress, i, len(whole))
        models.append(_train_one(scenario, table, fold, fixed, step, _of_fold(say, i, len(parts))))
    judges = models if len(parts) == 1 else models[1:]
    notes = tuple(dict.fromkeys((*table.notes, *models[0].prepared.notes)))
    return Trained(
        undecoded(scenario),
        table,
        classes,
        _learned_code(models[0], len(classes)) if fixed is None else fixed,
        models[0],
        tuple(judges),
        notes,
        perf_counter() - started,
    )


def train_shown(scenario: Scenario, progress: Progress | None = None, fold: Fold | None = None) -> Model:
    """Train the model on the screen only, not those of a cross-validation's folds; or one on a given fold."""
    table = load(scenario)
    return _train_one(
        scenario,
        table,
        fold or shown_fold(scenario, table),
        _asked_code(scenario, len(table.classes)),
        progress,
    )


def shown_fold(scenario: Scenario, table: Table) -> Fold:
    """Return the rows that the model on the screen is trained on: a cross-validation's is on everything."""
    parts = folds(table, scenario.split.key, scenario.split.values, scenario.seed)
    return parts[0] if len(parts) == 1 else _everything(table)


def judged_part(trained: Trained) -> str:
    """Return which points decoders are judged on, "test" or "train"."""
    prepared = [model.prepared for model in trained.models]
    return part_of_folds([Fold(one.train_rows, one.test_rows) for one in prepared])


def part_of_folds(parts: Sequence[Fold]) -> str:
    """Return "test", or "train" where a split keeps no test points, or tests on those it trains on."""
    return "test" if any(not np.isin(part.test, part.train).all() for part in parts) else "train"


def fixed_code(scenario: Scenario, n_classes: int) -> CodeMatrix | None:
    """Build the scenario's code matrix, (n_classes, n_bits); None where it is learned from data."""
    if CODINGS[scenario.coding.key].build is None:
        return None
    return build_code(scenario.coding.key, n_classes, scenario.seed, **scenario.coding.values)


def _asked_code(scenario: Scenario, n_classes: int) -> CodeMatrix | None:
    """Build the code if the reduction reads it: one that nobody reads need not suit the data."""
    uses = REDUCTIONS[scenario.reduction.key].uses
    return fixed_code(scenario, n_classes) if "coding" in uses else None


def _learned_code(model: Model, n_classes: int) -> CodeMatrix:
    """Return the code that training found; without columns if the reduction has no use for one."""
    code_matrix: CodeMatrix = getattr(model.estimator, "code_matrix_", np.zeros((n_classes, 0), np.int8))
    return code_matrix


def _of_fold(say: Say | None, i: int, n_folds: int) -> Say | None:
    """Say which of a cross-validation's folds is trained; the first training is on everything."""
    if say is None or n_folds == 1:
        return say
    where = f"fold {i} of {n_folds}" if i else f"all points, before {n_folds} folds"
    return lambda what: say(f"{where}: {what}")


def _everything(table: Table) -> Fold:
    rows = np.arange(table.labels.size)
    return Fold(train=rows, test=rows[:0])


def _train_one(
    scenario: Scenario,
    table: Table,
    fold: Fold,
    fixed: CodeMatrix | None,
    progress: Progress | None,
    say: Say | None = None,
) -> Model:
    if say is not None:
        say("preparing the points")
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
    )
    estimator = reduction.make(parts, **scenario.reduction.values)
    if say is not None:
        # Only these train the columns of the code one after the other.
        one_by_one = {"coding", "machine"} <= reduction.uses and reduction.problems is None
        n_machines = code_matrix.shape[1] if one_by_one and code_matrix is not None else 0
        progress = _told(progress or silent, say, reduction.title, n_machines)
        progress(0.0)
    started = perf_counter()
    estimator.fit(prepared.X_train, prepared.y_train, progress=progress)
    seconds = perf_counter() - started
    _release(estimator)
    return Model(prepared, estimator, present, seconds)


def _told(progress: Progress, say: Say, title: str, n_machines: int) -> Progress:
    """Say beside the share which of so many machines is trained; 0 where that cannot be told."""

    def step(share: float) -> None:
        number = min(n_machines, 1 + round(share * n_machines))
        say(f"training machine {number} of {n_machines}" if n_machines else f"training, {title}")
        progress(share)

    return step


def _release(estimator: Any) -> None:  # noqa: ANN401 - estimators of reductions share no type
    """Give back the Gram matrix, which many kept results could not all hold; it is quickly made again."""
    columns = getattr(estimator, "columns_", None)
    if columns is not None and hasattr(columns, "release"):
        columns.release()


def restrict_code(code_matrix: CodeMatrix, present: IntArray) -> CodeMatrix:
    """Keep the rows of the classes that training sees, and the columns that still part them.

    A fold of a cross-validation may lack a rare class: its row then has nothing to be trained on.
    """
    kept = code_matrix[present]
    both_sides = (kept == 1).any(axis=0) & (kept == -1).any(axis=0)
    return check_code_matrix(kept[:, both_sides])


def in_parts(n: int, each: float, at_once: float, check: Check) -> Iterator[slice]:
    """Go through n points in parts that are done soon, checking before each.

    Parameters
    ----------
    n
        Number of points.
    each
        Work of one of them.
    at_once
        Work of a part.
    check
        May raise to cancel.

    Examples
    --------
    >>> list(in_parts(100, 1.0, 40.0, lambda: None))
    [slice(0, 40, None), slice(40, 80, None), slice(80, 120, None)]
    """
    size = max(16, int(at_once / each))
    for first in range(0, n, size):
        check()
        yield slice(first, first + size)


def n_machines(model: Model) -> int:
    """Return how many binary problems a model has solved."""
    return max(1, np.asarray(model.estimator.problem_sizes_).size)


def learn(model: Model, decoding: Choice, check: Check) -> None:
    """Let a decoder learn from training what it needs, sigmoids above all, which takes longest."""
    if getattr(model.estimator, "decoded", False):
        model.estimator.evidence(decoding.key, decoding.values, progress=lambda _share: check())
        _release(model.estimator)


def costs_of(model: Model, X: FloatArray, decoding: Choice, check: Check | None = None) -> Costs:
    """Return a model's costs, (n, n_trained_classes); in parts if somebody may want to stop in between."""
    decode = model.estimator.costs
    if check is None or not X.shape[0]:
        whole: Costs = decode(X, decoding.key, decoding.values)
        return whole
    learn(model, decoding, check)
    scoring = model.prepared.y_train.size / SCORED_AT_ONCE
    each = n_machines(model) * max(scoring, model.class_index.size / DECIDED_AT_ONCE)
    parts = in_parts(X.shape[0], each, 1.0, check)
    return np.concatenate([decode(X[part], decoding.key, decoding.values) for part in parts])


def decide(
    models: tuple[Model, ...],
    decoding: Choice,
    n_classes: int,
    *,
    part: str,
    check: Check | None = None,
) -> Outcome:
    """Let a decoder judge the training or the test points of trained models, pooled in row order.

    Parameters
    ----------
    models
        One for a single split, one for each fold.
    decoding
        The decoder.
    n_classes
        Of the whole data set.
    part
        "train" or "test".
    check
        Called after every few points; an exception it raises ends the work.
    """
    rows, truth, costs = [], [], []
    for model in models:
        X = model.prepared.X_train if part == "train" else model.prepared.X_test
        y = model.prepared.y_train if part == "train" else model.prepared.y_test
        all_costs = np.full((y.size, n_classes), np.inf)
        if y.size:
            all_costs[:, model.class_index] = costs_of(model, X, decoding, check)
            _release(model.estimator)
        rows.append(model.prepared.train_rows if part == "train" else model.prepared.test_rows)
        truth.append(y)
        costs.append(all_costs)
    order = np.argsort(np.concatenate(rows), kind="stable")
    pooled = np.concatenate(costs)[order]
    return Outcome(
        np.concatenate(rows)[order],
        np.concatenate(truth)[order],
        np.argmin(pooled, axis=1).astype(np.int64),
        pooled,
    )
