"""What the code of a scenario is, what it promises, and what training made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ecocviz.data.prepare import prepare
from ecocviz.data.types import Table
from ecocviz.engine.analysis.assignment import agreement, class_distances
from ecocviz.engine.analysis.codes import CodeReport, code_report
from ecocviz.engine.capabilities import Designed
from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.entries import Design
from ecocviz.engine.params import ChoiceParam, IntParam, TextParam
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray
from ecocviz.lab.catalogue import DEFAULTS, REDUCTIONS
from ecocviz.lab.codewords import part_names, rows_of
from ecocviz.lab.evaluate import scored_by
from ecocviz.lab.run import fixed_code, shown_fold, why_not_run, without_decoder
from ecocviz.lab.scenario import Scenario, choose
from ecocviz.lab.selection import DIGITS, LOWER, NOTHING
from ecocviz.lab.trained import Model

BESIDE = TextParam(
    name="beside",
    label="Compared code",
    default="",
    alphabet=f"{LOWER.upper()}{LOWER}{DIGITS}-_.?=&%+",
    max_length=40_000,
)
"""A second coding "key?name=value&..."."""
STEP = IntParam(name="step", label="Picked step of a search", default=NOTHING, low=NOTHING, high=100_000)
"""A step of the search that found the code."""
ERRORS = ChoiceParam(
    name="errors",
    label="Test errors of both codes",
    default="0",
    options=(("0", "not compared"), ("1", "compared")),
)

SELECTION = (BESIDE, STEP, ERRORS)
FORGOTTEN = {"coding": (STEP,)}


@dataclass(frozen=True, slots=True)
class Problem:
    """The classes of a scenario's data, and how many points of each train the model on the screen.

    Attributes
    ----------
    classes
        Names.
    counts : (n_classes,)
    distances : (n_classes, n_classes)
        How unlike the classes are: see `class_distances`.
    """

    classes: tuple[str, ...]
    counts: IntArray
    distances: FloatArray


@dataclass(frozen=True, slots=True)
class Code:
    """A code matrix with what is known of its rows.

    Attributes
    ----------
    code_matrix : (n_rows, n_bits)
    names
        Of the rows: classes, or sub-classes.
    classes : (n_rows,)
        Class of each row.
    counts : (n_rows,)
        Training points of each row.
    report
        What it promises.
    design
        How it was found; None for a code that does not depend on data.
    weights : (n_rows, n_bits) or None
        The real codewords that training put in its place.
    agreement
        How well near codewords stand for near classes, -1 to 1; None where that cannot be said.
    guarantee
        What was proved of it by whoever made it, "" if nothing was.
    """

    code_matrix: CodeMatrix
    names: tuple[str, ...]
    classes: IntArray
    counts: IntArray
    report: CodeReport
    design: Design | None = None
    weights: FloatArray | None = None
    agreement: float | None = None
    guarantee: str = ""

    @property
    def editable(self) -> bool:
        """Whether its rows are all the classes, so that a hand-made code can take its place."""
        return bool(self.classes.size) and np.array_equal(self.classes, np.arange(self.classes.size))


def problem_of(scenario: Scenario, table: Table) -> Problem:
    """Split and prepare a scenario's data and count its classes."""
    fold = shown_fold(scenario, table)
    prepared = prepare(table, fold, scenario.preparation.key, scenario.preparation.values)
    counts = np.bincount(prepared.y_train, minlength=len(table.classes)).astype(np.int64)
    distances = class_distances(prepared.X_train, prepared.y_train, len(table.classes))
    return Problem(table.classes, counts, distances)


def is_built(scenario: Scenario) -> bool:
    """Say whether the code can be built without looking at the data."""
    return CODINGS[scenario.coding.key].build is not None


def is_learned(scenario: Scenario) -> bool:
    """Say whether the code, or the real codewords in its place, can be known after training only."""
    replaced = REDUCTIONS[scenario.reduction.key].continuous and why_not_run(scenario) is None
    return not is_built(scenario) or replaced


def plain_code(scenario: Scenario, problem: Problem) -> Code | None:
    """Return the code of a scenario if it does not depend on data, else None."""
    code_matrix = fixed_code(scenario, len(problem.classes))
    if code_matrix is None:
        return None
    guarantee = CODINGS[scenario.coding.key].guarantee
    proved = guarantee(len(problem.classes), **scenario.coding.values) if guarantee else ""
    return replace(code_of(code_matrix, problem), guarantee=proved)


def code_of(code_matrix: CodeMatrix, problem: Problem) -> Code:
    """Return a matrix (n_classes, n_bits) with the problem's classes as rows."""
    rows = np.arange(len(problem.classes))
    report = code_report(code_matrix, problem.counts)
    near = agreement(code_matrix, problem.distances)
    return Code(code_matrix, problem.classes, rows, problem.counts, report, agreement=near)


def learner(scenario: Scenario) -> Scenario:
    """Return the scenario to train for its code: with the plain reduction if its own has no use for one."""
    asked = without_decoder(scenario)
    uses = "coding" in REDUCTIONS[scenario.reduction.key].uses
    if uses and why_not_run(scenario) is None:
        return asked
    return replace(asked, reduction=choose("reduction", DEFAULTS["reduction"]))


def learned_code(model: Model, plain: Code | None) -> Code:
    """Return the code that training found, and the real codewords in its place.

    Parameters
    ----------
    model
        Of the scenario that `learner` names.
    plain
        The code that training began with, where it does not depend on data.
    """
    prepared, design = model.prepared, None if plain is not None else _design_of(model)
    discrete = _design_of(model).code_matrix if plain is None else plain.code_matrix
    rows = rows_of(model, discrete.shape[0])
    counts = np.bincount(prepared.y_train, minlength=len(prepared.classes))[rows]
    if design is not None and design.sample_rows is not None:
        counts = np.bincount(design.sample_rows, minlength=rows.size)
    names = part_names(prepared.classes, rows)
    near = None
    if np.array_equal(rows, np.arange(len(prepared.classes))):
        near = agreement(discrete, class_distances(prepared.X_train, prepared.y_train, rows.size))
    weights = _real_codewords(model, rows)
    return Code(discrete, names, rows, counts, code_report(discrete, counts), design, weights, near)


def _design_of(model: Model) -> Design:
    """Return how a model's code was found; a reduction that uses no code is never asked."""
    if not isinstance(model.estimator, Designed):
        raise TypeError(f"{type(model.estimator).__name__} has no code of the catalogue.")
    return model.estimator.design_


def _real_codewords(model: Model, rows: IntArray) -> FloatArray | None:
    """Return the real codewords of rows (n_rows,), (n_rows, n_bits); None where training made none."""
    known = scored_by(model).code_matrix_
    if not np.issubdtype(known.dtype, np.floating):
        return None
    # Sub-classes share the codeword of their class; a class that training lacks has none.
    by_class = np.zeros((len(model.prepared.classes), known.shape[1]))
    by_class[model.class_index] = known
    return by_class[rows]


# How it was found ----------------------------------------------------------------------------------


def line_steps(design: Design) -> list[int]:
    """Return the steps of a search with a value of their own; repairs made at the end have none."""
    return [k for k, step in enumerate(design.story) if step.value or step.table is not None or k == 0]


def shown_step(design: Design, picked: int) -> int:
    """Return the picked step of a search, or else the last one that has something to show."""
    steps = line_steps(design)
    if picked in steps:
        return picked
    shown = (k for k in reversed(steps) if design.story[k].table is not None or design.story[k].plus)
    return next(shown, steps[-1])


# Numbers of a code ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Distances:
    """How far the rows of a code, or its columns, are from each other.

    Attributes
    ----------
    table : (n, n)
    names
        Of the rows or columns.
    noun
        What they are: "class", "machine".
    """

    table: FloatArray
    names: tuple[str, ...]
    noun: str


def row_distances(code: Code) -> Distances:
    """Return the distances between the rows of a code."""
    return Distances(code.report.row_distances, code.names, "class")


def column_distances(code: Code) -> Distances | None:
    """Return the distances between the columns of a code, which are counted from 1; None for too many."""
    report = code.report
    if report.column_distances is None:
        return None
    names = tuple(str(b + 1) for b in range(report.n_bits))
    return Distances(report.column_distances, names, "machine")


def pairs_of(report: CodeReport) -> FloatArray:
    """Return the pairs of points each machine is trained on, N (N - 1) / 2, (n_bits,)."""
    pairs: FloatArray = report.sizes * (report.sizes - 1) / 2
    return pairs


def measures(report: CodeReport) -> Mapping[str, float | None]:
    """Return what two codes are compared by: what is measured -> its value, None where it has none."""
    zeros = report.zeros_per_row.sum() / max(report.n_classes * report.n_bits, 1)
    return {
        "Machines": report.n_bits,
        "Smallest row distance": report.min_distance,
        "Mean row distance": report.mean_distance,
        "Wrong bits repaired, zeros ignored": report.repairable_bits,
        "Wrong bits repaired by Hamming decoding": report.repairable_bits_hamming,
        "Pairs of classes that no machine separates": len(report.unseparated_rows),
        "Smallest column distance": report.min_column_distance,
        "Columns with an empty side": len(report.one_sided_columns),
        "Repeated or mirrored columns": len(report.repeated_columns) + len(report.complementary_columns),
        "Zeros, % of entries": 100 * float(zeros),
        "Smaller side of the least balanced machine, %": 100 * float(report.balance.min(initial=0.5)),
        "Training points, summed": report.linear_cost,
        "Pairs of training points, summed": float(pairs_of(report).sum()),
    }
