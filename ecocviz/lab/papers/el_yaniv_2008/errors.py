"""Test errors of the methods, and sizes of their problems: what the studies measure, and what is counted."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ecocviz.data.catalogue import load_table
from ecocviz.data.prepare import folds, prepare
from ecocviz.data.types import Fold
from ecocviz.engine.analysis.ranks import rank_methods
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.evidence.entries import Cell, Measured, Record, Setting, Statement, Study
from ecocviz.lab.papers._folds import part_of, standardised_folds
from ecocviz.lab.papers.el_yaniv_2008 import printed
from ecocviz.lab.papers.el_yaniv_2008.methods import METHODS, count_wrong, fit, tune

TEN_FOLDS: Final = ["k-fold", {"n_folds": 10}]
LARGE: Final[Mapping[str, list[Any]]] = {
    "car": ["hold-out", {"test_share": 0.7}],
    "page-blocks": ["hold-out", {"test_share": 0.9}],
}
"""Sets of which a small part is trained on, instead of nine tenths."""
DIVISIONS = 3
"""Random divisions of these."""
TUNED_ONCE: Final = frozenset({"vehicle", "balance"})
"""Sets on which width and C are searched in the first training part, and taken for all."""
QUICK_SETS: Final = ("iris-uci", "wine", "lenses", "postoperative", "tae")
INNER = 3
LEVEL = 0.1
"""Of the F_F test, as in the paper."""
MOST = 0.51
"""More than half of a few dozen."""
NEAR = 3.0
"""Points within which a printed error counts as found again: about the error of so small a set."""
STRONG = 0.7
"""What is usually called a strong correlation."""
CLOSE = 1.0


def measure(cell: Cell, progress: Progress) -> Record:
    """Tune a method in the training part of every fold, or of the first, and count its errors on the rest."""
    about = cell.about
    key, seed = about["method"], about["seed"]
    table = load_table(about["data"])
    cut = folds_of(about)
    n, wrong, chosen, weights = [], [], [], []
    found = (1.0, 1.0)
    for number, fold in enumerate(cut):
        points = prepare(table, fold, "standardise")
        step = progress.part(number, len(cut), f"fold {number + 1} of {len(cut)}")
        if number == 0 or about["tuned"] == "each":
            inner = standardised_folds(part_of(table, points.train_rows), about["inner"], seed)
            found = tune(key, inner, seed, step).run()
        model = fit(key, points, *found, seed)
        n.append(int(points.y_test.size))
        wrong.append(count_wrong(model, points))
        chosen.append(list(found))
        if key == "sbc-kernel":
            weights.append(_weights(np.asarray(model.mu_), np.bincount(points.y_train)))
        step.at(1.0)
    record: dict[str, Any] = {"n": n, "wrong": wrong, "chosen": chosen}
    return {**record, "weights": weights} if weights else record


def folds_of(about: Mapping[str, Any]) -> list[Fold]:
    """Return the folds of a cell, those of its scenario."""
    key, params = about["split"]
    return folds(load_table(about["data"]), key, params, about["seed"])


def _weights(mu: FloatArray, counts: IntArray) -> dict[str, list[float]]:
    shares = [(values / values.sum()).round(4).tolist() for values in (mu, counts)]
    return {"learned": shares[0], "classes": shares[1]}


def measure_sizes(cell: Cell, progress: Progress) -> Record:
    """Build every method's problems and count them, and the points of each on average."""
    about = cell.about
    table = load_table(about["data"])
    points = prepare(table, folds_of(about)[0], "standardise")
    record: dict[str, Any] = {"m": int(points.y_train.size), "c": len(points.classes)}
    for number, key in enumerate(printed.METHODS):
        progress.at(number / len(printed.METHODS))
        model = fit(key, points, 1.0, 1.0, about["seed"])
        sizes = np.asarray(model.problem_sizes_)
        record[key] = [int(sizes.size), round(float(sizes.mean()), 6)]
        if key == "ecoc":
            record["bits"] = int(model.code_matrix_.shape[1])
    return record


def _cells(setting: Setting) -> list[Cell]:
    full = setting is Setting.FULL
    found = []
    for data in printed.SETS if full else QUICK_SETS:
        split = LARGE.get(data, TEN_FOLDS if full else ["k-fold", {"n_folds": 5}])
        tuned = "each" if full and data not in TUNED_ONCE else "once"
        for method in METHODS:
            for seed in range(DIVISIONS if data in LARGE else 1):
                about = {"data": data, "method": method, "split": split, "seed": seed}
                about |= {"inner": INNER, "tuned": tuned}
                found.append(Cell(f"{data}/{method}/{seed}", about))
    return found


def _size_cells(setting: Setting) -> list[Cell]:
    sets = printed.SETS if setting is Setting.FULL else QUICK_SETS
    return [Cell(data, {"data": data, "split": LARGE.get(data, TEN_FOLDS), "seed": 0}) for data in sets]


ERRORS = Study(key="errors", cells=_cells, measure=measure)
SIZES = Study(key="sizes", cells=_size_cells, measure=measure_sizes)


# What is counted -------------------------------------------------------------------------------------


def by_set(found: Sequence[Measured]) -> dict[str, dict[str, list[Measured]]]:
    """Sort what was measured: set -> method -> its divisions; sets that lack a method are left out."""
    sets: dict[str, dict[str, list[Measured]]] = {}
    for each in found:
        about = each.cell.about
        sets.setdefault(about["data"], {}).setdefault(about["method"], []).append(each)
    return {name: methods for name, methods in sets.items() if len(methods) == len(METHODS)}


def error(cells: Sequence[Measured]) -> float:
    """Return the share of test points decided wrongly, all folds and divisions together, in per cent."""
    wrong = sum(sum(each.record["wrong"]) for each in cells)
    return 100 * wrong / sum(sum(each.record["n"]) for each in cells)


def errors(found: Sequence[Measured], methods: Sequence[str] = printed.METHODS) -> FloatArray:
    """Return the errors of methods, (n_sets, n_methods)."""
    rows = [[error(cells[method]) for method in methods] for cells in by_set(found).values()]
    return np.array(rows).reshape(-1, len(methods))


def printed_errors() -> FloatArray:
    """Return the printed errors, (10, 7)."""
    return np.array([list(row.values()) for row in printed.TABLE_2.values()])


def n_constant(found: Sequence[Measured]) -> int:
    """Count our errors on whole sets that always answering one class has, too."""
    n = 0
    for name, methods in by_set(found).items():
        for cells in methods.values():
            n_rows, wrong = (sum(sum(each.record[what]) for each in cells) for what in ("n", "wrong"))
            counts = printed.COUNTS[name]
            n += n_rows == sum(counts) and wrong in [n_rows - count for count in counts]
    return n


def judge(found: Sequence[Measured]) -> list[Statement]:
    """Count what Table 2 is said to show, and what of it is found again."""
    table = errors(found)
    if not table.size:
        return [Statement("a set was measured with all methods", 0, 1, 1.0)]
    ranking = rank_methods(table)
    ranks = dict(zip(printed.METHODS, ranking.ranks.tolist(), strict=True))
    kernel = table[:, [-1]]
    usual = ("ova", "all-pairs", "ecoc")
    near = np.abs(table - np.array([list(printed.TABLE_2[name].values()) for name in by_set(found)])) <= NEAR
    rejected = ranking.friedman.f_p < LEVEL
    others = [ranks[method] for method in printed.METHODS if method != "sbc-kernel"]
    not_single = [ranks[method] for method in printed.METHODS if method != "sbc-single"]
    return [
        _of(
            "a method has a worse average rank than SBC-KERNEL",
            [r > ranks["sbc-kernel"] for r in others],
            1.0,
        ),
        _of("the F_F test says at 10 % that the ranks differ", [rejected], 1.0),
        _of("one-vs-all, all-pairs or ECOC err more than SBC-KERNEL on a set", kernel < table[:, :3], MOST),
        _of(
            "one-vs-all, all-pairs or ECOC have a worse average rank than SBC-IDENTITY",
            [ranks[method] > ranks["sbc-identity"] for method in usual],
            1.0,
        ),
        _of(
            "a method has a better average rank than SBC-SINGLE",
            [r < ranks["sbc-single"] for r in not_single],
            1.0,
        ),
        _of(f"a printed error is within {NEAR:g} points of ours", near),
        *judge_printed(),
    ]


def judge_printed() -> list[Statement]:
    """Count what the printed numbers say of themselves."""
    own = rank_methods(printed_errors()).ranks
    same = np.abs(own - np.array(list(printed.RANKS.values()))) < 0.006
    informed = [
        not printed.as_constant(name, value)
        for name, row in printed.TABLE_2.items()
        for method, value in row.items()
        if method != "sbc-kernel"
    ]
    return [
        _of("a printed average rank is that of the printed errors", same, 1.0),
        _of("a printed error of the other methods is not that of always answering one class", informed, 1.0),
    ]


def judge_control(found: Sequence[Measured]) -> list[Statement]:
    """Count the sets on which learned weights err less than weights that are not learned."""
    table = errors(found, ("sbc-kernel", "uniform", "prior"))
    return [
        _of(
            "a set has a lower error with learned weights than with uniform ones",
            table[:, 0] < table[:, 1],
            MOST,
        ),
        _of(
            "a set has a lower error with learned weights than with class frequencies",
            table[:, 0] < table[:, 2],
            MOST,
        ),
    ]


def correlation(cells: Sequence[Measured]) -> float | None:
    """Return how learned weights correlate with class frequencies, the mean over folds; None if undefined."""
    values = []
    for each in cells:
        for fold in each.record["weights"]:
            learned, classes = np.array(fold["learned"]), np.array(fold["classes"])
            if learned.std() > 0 and classes.std() > 0:
                values.append(float(np.corrcoef(learned, classes)[0, 1]))
    return float(np.mean(values)) if values else None


def judge_weights(found: Sequence[Measured]) -> list[Statement]:
    """Count the sets whose weights follow the classes, and on which class frequencies do as well."""
    sets = by_set(found)
    known = [correlation(cells["sbc-kernel"]) for cells in sets.values()]
    strong = [value >= STRONG for value in known if value is not None]
    table = errors(found, ("sbc-kernel", "prior"))
    return [
        _of(
            f"a set has weights that correlate with its class frequencies, by {STRONG:g} or more",
            strong,
            MOST,
        ),
        _of(
            f"a set errs at most {CLOSE:g} point more with class frequencies than with learned weights",
            table[:, 1] <= table[:, 0] + CLOSE,
        ),
    ]


def judge_sizes(found: Sequence[Measured]) -> list[Statement]:
    """Count the problems whose number and size are those of the table's formulas."""
    numbers, sizes = [], []
    for each in found:
        record = each.record
        for method in printed.METHODS:
            number, size = printed.formula(method, record["c"], record["m"], record["bits"])
            numbers.append(record[method][0] == number)
            sizes.append(abs(record[method][1] - size) < 1e-3)
    return [
        _of("a method has as many binary problems on a set as printed", numbers, 1.0),
        _of("its problems have on average as many points as printed", sizes, 1.0),
    ]


def _of(
    text: str, held: "Sequence[bool] | np.ndarray[Any, np.dtype[np.bool_]]", least: float = 0.8
) -> Statement:
    flags = np.asarray(held, dtype=np.bool_)
    return Statement(text, int(np.count_nonzero(flags)), int(flags.size), least)
