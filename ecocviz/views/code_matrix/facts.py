"""Code matrices on their own: pasted, written, found by a scenario, and compared."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pandas as pd

from ecocviz.data.prepare import prepare
from ecocviz.engine.analysis.codes import CodeReport
from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.entries import MAX_BITS, Design
from ecocviz.engine.params import MAX_PACKED_ENTRIES, IntParam, ParamValue, TextParam, shorten
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import AnyCode, CodeMatrix, FloatArray, IntArray
from ecocviz.lab.catalogue import DEFAULTS, REDUCTIONS
from ecocviz.lab.run import Model, fixed_code, load, refusal, shown_fold, train_shown
from ecocviz.lab.scenario import Choice, Scenario, choose
from ecocviz.lab.selection import DIGITS, LOWER, NOTHING

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

SELECTION = (BESIDE, STEP)
FORGOTTEN = {"coding": (STEP,)}


MAX_TEXT = 1_000_000
SIGNS = {"+": 1, "-": -1, "\u2212": -1, "0": 0}
_NUMBER = re.compile(r"[+\-\u2212]?[0-9]{1,3}(?:\.0{1,6})?")
_DELIMITERS = ("\t", ";", ",")


# Text ----------------------------------------------------------------------------------------------


def matrix_table(code_matrix: AnyCode, names: Sequence[str]) -> pd.DataFrame:
    """Return a code matrix (n_rows, n_bits) as a table with the rows' names in front."""
    table = pd.DataFrame(code_matrix, columns=[f"machine {b + 1}" for b in range(code_matrix.shape[1])])
    table.insert(0, "class", list(names))
    return table


def read_matrix(text: str, classes: Sequence[str]) -> CodeMatrix:
    r"""Read a pasted or uploaded code matrix; raise ValueError with one sentence if that is impossible.

    Rows are lines; entries are -1, 0, 1 (or +, -) between commas, semicolons, tabs or blanks, or a line of
    signs such as +-0. A first line of names is skipped; a first column of class names puts the rows in
    the order of the classes.

    Parameters
    ----------
    classes
        Their names, in order.

    Returns
    -------
    code_matrix : (n_classes, n_bits)
        Entries in {-1, 0, +1}; whether machines can be trained on it is not asked here.

    Examples
    --------
    >>> read_matrix("class,machine 1,machine 2\nb,-1,1\na,1,0\n", ["a", "b"]).tolist()
    [[1, 0], [-1, 1]]
    >>> read_matrix("+-0\n-++", ["a", "b"]).tolist()
    [[1, -1, 0], [-1, 1, 1]]
    """
    lines = _cut(text)
    if _is_header(lines, len(classes)):
        lines = lines[1:]
    if len(lines) != len(classes):
        raise ValueError(
            f"This matrix has {len(lines):,} rows but the data have {len(classes):,} classes; "
            "give one row for each class."
        )
    rows = [cells for _, cells in lines]
    order = _named_order(rows, classes)
    shift = 0 if order is None else 1
    width = len(rows[0]) - shift
    if not 1 <= width <= MAX_BITS or width * len(classes) > MAX_PACKED_ENTRIES:
        most = min(MAX_BITS, MAX_PACKED_ENTRIES // len(classes))
        raise ValueError(f"This matrix has {width:,} columns; between 1 and {most:,} are allowed here.")
    entries = np.zeros((len(classes), width), dtype=np.int8)
    for position, (number, cells) in enumerate(lines):
        if len(cells) - shift != width:
            raise ValueError(
                f"Line {number:,} has {len(cells) - shift:,} entries but the first row has {width:,}; "
                "give every row as many."
            )
        for b, cell in enumerate(cells[shift:]):
            value = _entry(cell)
            if value is None:
                raise ValueError(
                    f"Line {number:,}, entry {b + 1:,} is {shorten(cell, 20)!r}; "
                    "the entries of a code matrix are -1, 0 and 1."
                )
            entries[position if order is None else order[position], b] = value
    return entries


def _cut(text: str) -> list[tuple[int, list[str]]]:
    """Cut a text into numbered lines of cells; empty lines are skipped."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"This text has {len(text):,} characters; a code matrix has at most {MAX_TEXT:,}.")
    counts = {delimiter: text.count(delimiter) for delimiter in _DELIMITERS}
    delimiter = max(counts, key=counts.__getitem__) if any(counts.values()) else None
    lines = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        bare = line.strip(" \r\n" if delimiter == "\t" else " \t\r\n")
        if bare:
            lines.append((number, _cells(bare, delimiter)))
    if not lines:
        raise ValueError("There is no matrix in this text; give one row for each class.")
    return lines


def _cells(line: str, delimiter: str | None) -> list[str]:
    if delimiter is not None:
        try:
            return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True), [])]
        except csv.Error:
            raise ValueError("A quotation mark in this text is not closed; close or remove it.") from None
    if set(line) <= SIGNS.keys() and len(line) > 1:
        return list(line)
    return line.split()


def _entry(cell: str) -> int | None:
    """Read one entry; None if it is none."""
    if cell in SIGNS:
        return SIGNS[cell]
    if not _NUMBER.fullmatch(cell):
        return None
    value = float(cell.replace("\u2212", "-"))
    return int(value) if value in (-1.0, 0.0, 1.0) else None


def _is_header(lines: list[tuple[int, list[str]]], n_classes: int) -> bool:
    """Say whether the first line holds names: one line more than classes, and not one entry in it."""
    cells = lines[0][1]
    names = all(_entry(cell) is None for cell in cells) or cells[0].casefold() in {"class", "row"}
    return len(lines) == n_classes + 1 and names


def _named_order(rows: list[list[str]], classes: Sequence[str]) -> list[int] | None:
    """Return the class of each row if the first cells are names, else None.

    Names that are none of the classes' leave the rows as they are; some that are and some that are not
    are refused.
    """
    if all(len(row) == 1 for row in rows):
        return None
    firsts = [row[0].removeprefix("'") for row in rows]
    matched = sorted(firsts) == sorted(classes)
    values = [_entry(first) for first in firsts]
    if all(value is not None for value in values) and (not matched or {1, -1} <= set(values)):
        return None
    if matched:
        return [list(classes).index(first) for first in firsts]
    if any(first in classes for first in firsts):
        stray = next(
            (f for k, f in enumerate(firsts) if f not in classes or f in firsts[:k]),
            firsts[0],
        )
        raise ValueError(
            f"A row is called {shorten(stray, 30)!r}, which is no other class of these data; "
            "name each class once, or leave the names out."
        )
    return list(range(len(rows))) if all(value is None for value in values) else None


# A coding beside the scenario's --------------------------------------------------------------------


def write_coding(coding: Choice) -> str:
    """Write a coding with its parameters as a short text for a link.

    >>> write_coding(choose("coding", "dense-random", {"n_bits": 9}))
    'dense-random?n_bits=9'
    """
    entry = CODINGS[coding.key]
    values = dict(coding.params)
    differing = {p.name: p.text(values[p.name]) for p in entry.params if values[p.name] != p.default}
    return f"{coding.key}?{urlencode(differing)}" if differing else coding.key


def read_coding(text: str) -> Choice | None:
    """Read what `write_coding` wrote; None for anything else.

    >>> read_coding("one-vs-all").key, read_coding("none")
    ('one-vs-all', None)
    """
    key, _, query = text.partition("?")
    entry = CODINGS.get(key)
    if entry is None:
        return None
    declared = {param.name: param for param in entry.params}
    values: dict[str, ParamValue] = {}
    try:
        for name, value in parse_qsl(query, keep_blank_values=True, max_num_fields=40):
            values[name] = declared[name].parse(value)
        return choose("coding", key, values)
    except (KeyError, ValueError):
        return None


# What a scenario's code is -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Problem:
    """The classes of a scenario's data, and how many points of each train the model on the screen.

    Attributes
    ----------
    classes
        Names.
    counts : (n_classes,)
    """

    classes: tuple[str, ...]
    counts: IntArray


@dataclass(frozen=True, slots=True)
class Code:
    """A code matrix with what is known of its rows.

    Attributes
    ----------
    code_matrix : (n_rows, n_bits)
    names
        Of the rows: classes, or parts of classes.
    classes : (n_rows,)
        Class of each row.
    counts : (n_rows,)
        Training points of each row.
    design
        How it was found; None for a code that does not depend on data.
    weights : (n_rows, n_bits) or None
        The real codewords that training put in its place.
    """

    code_matrix: CodeMatrix
    names: tuple[str, ...]
    classes: IntArray
    counts: IntArray
    design: Design | None = None
    weights: FloatArray | None = None

    @property
    def editable(self) -> bool:
        """Whether its rows are all the classes, so that a hand-made code can take its place."""
        return bool(self.classes.size) and np.array_equal(self.classes, np.arange(self.classes.size))


def problem_of(scenario: Scenario) -> Problem:
    """Load and split a scenario's data and count its classes."""
    table = load(scenario)
    fold = shown_fold(scenario, table)
    prepared = prepare(table, fold, scenario.preparation.key, scenario.preparation.values)
    counts = np.bincount(prepared.y_train, minlength=len(table.classes)).astype(np.int64)
    return Problem(table.classes, counts)


def is_learned(scenario: Scenario) -> bool:
    """Say whether the code, or the real codewords in its place, can be known after training only."""
    replaced = REDUCTIONS[scenario.reduction.key].continuous and refusal(scenario) is None
    return CODINGS[scenario.coding.key].build is None or replaced


def plain_code(scenario: Scenario, problem: Problem) -> Code | None:
    """Return the code of a scenario if it does not depend on data, else None."""
    code_matrix = fixed_code(scenario, len(problem.classes))
    return None if code_matrix is None else code_of(code_matrix, problem)


def code_of(code_matrix: CodeMatrix, problem: Problem) -> Code:
    """Return a matrix (n_classes, n_bits) with the problem's classes as rows."""
    return Code(code_matrix, problem.classes, np.arange(len(problem.classes)), problem.counts)


def learner(scenario: Scenario) -> Scenario:
    """Return the scenario that `learn_code` trains: with the plain reduction if its own has no use for it."""
    uses = "coding" in REDUCTIONS[scenario.reduction.key].uses
    if uses and refusal(scenario) is None:
        return scenario
    return replace(scenario, reduction=choose("reduction", DEFAULTS["reduction"]))


def learn_code(scenario: Scenario, progress: Progress | None = None) -> Code:
    """Train the model on the screen and return the code that it found."""
    model = train_shown(learner(scenario), progress)
    estimator, prepared = model.estimator, model.prepared
    known: AnyCode = np.asarray(estimator.code_matrix_)
    weights = known.astype(np.float64) if np.issubdtype(known.dtype, np.floating) else None
    design: Design | None = None
    discrete = fixed_code(scenario, len(prepared.classes))
    if discrete is None:
        design = estimator.design_
        discrete = design.code_matrix
    rows = rows_of(model, discrete.shape[0])
    if weights is not None:  # parts of a class share its codeword; a class that training lacks has none
        by_class = np.full((len(prepared.classes), weights.shape[1]), np.nan)
        by_class[model.class_index] = weights
        weights = by_class[rows]
    counts = np.bincount(prepared.y_train, minlength=len(prepared.classes))[rows]
    if design is not None and design.sample_rows is not None:
        counts = np.bincount(design.sample_rows, minlength=rows.size)
    return Code(discrete, part_names(prepared.classes, rows), rows, counts, design, weights)


def rows_of(model: Model, n_rows: int) -> IntArray:
    """Return the class of each row of a trained model's code, (n_rows,).

    A code made for all classes has a row even for those that training lacks; a learned one has rows
    for the others only, and may have several for a class.
    """
    design = _design_of(model)
    if design is not None and design.row_classes is not None:
        rows: IntArray = model.class_index[design.row_classes]
        return rows
    return model.class_index if n_rows == model.class_index.size else np.arange(n_rows)


def _design_of(model: Model) -> Design | None:
    """Return how a model's code was found; None where its reduction has no use for a code."""
    design: Design | None = getattr(model.estimator, "design_", None)
    return design


def part_names(classes: Sequence[str], rows: IntArray) -> tuple[str, ...]:
    """Name the parts (n_rows,) of classes: numbered where a class has several.

    >>> part_names(("a", "b"), np.array([0, 1, 1]))
    ('a', 'b, part 1', 'b, part 2')
    """
    totals = np.bincount(rows, minlength=len(classes))
    seen: dict[int, int] = {}
    names = []
    for c in rows.tolist():
        seen[c] = seen.get(c, 0) + 1
        names.append(classes[c] if totals[c] == 1 else f"{classes[c]}, part {seen[c]}")
    return tuple(names)


# Numbers of a code ---------------------------------------------------------------------------------


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
        "Pairs of classes on no two opposite sides": len(report.unseparated_rows),
        "Smallest column distance": report.min_column_distance,
        "Columns with an empty side": len(report.one_sided_columns),
        "Repeated or complementary columns": len(report.repeated_columns) + len(report.complementary_columns),
        "Zeros, % of entries": 100 * float(zeros),
        "Smaller side of the least balanced machine, %": 100 * float(report.balance.min(initial=0.5)),
        "Training points, summed": report.linear_cost,
        "Pairs of training points, summed": float(pairs_of(report).sum()),
    }
