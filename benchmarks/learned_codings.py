"""Codes learned from data against random codes of the same length: test error, by cross-validation."""

from functools import cache

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.common import SEED, Table, load
from ecocviz import ECOCClassifier, KernelMachine, build_code
from ecocviz.engine.catalogue import CODINGS

SETS = ("glass", "ecoli", "vehicle", "dermatology", "vowel", "yeast", "segment", "satimage")
N_ROWS = 500
N_FOLDS = 5
RANDOM_SEEDS = (0, 1, 2)
MACHINES = {"linear": KernelMachine("linear"), "rbf": KernelMachine("rbf")}
DECODING = "attenuated-euclidean"
VARIANTS = {
    "decoc": {},
    "decoc (separation)": {"criterion": "separation"},
    "decoc (as the ECOC Library)": {"criterion": "library"},
    "forest-ecoc": {},
    "ecoc-one": {},
    "ecoc-one (pairs)": {"columns": "pair"},
    "jecoc": {},
    "subclass-ecoc": {},
    "thinned-ecoc": {},
    "optimal-columns": {},
    "optimal-code": {},
}


@cache
def parts(name: str) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Return training and test points of each fold, standardised by the training points.

    Classes with fewer points than folds are left out.
    """
    problem = load(name, N_ROWS, n_test=0)
    counts = np.bincount(problem.y)
    kept = np.isin(problem.y, np.flatnonzero(counts >= N_FOLDS))
    X, y = problem.X[kept], np.unique(problem.y[kept], return_inverse=True)[1]
    cut = StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED)
    found = []
    for train, test in cut.split(X, y):
        mean, spread = X[train].mean(axis=0), X[train].std(axis=0)
        scaled = (X - mean) / np.where(spread > 0, spread, 1)
        found.append((scaled[train], y[train], scaled[test], y[test]))
    return found


def error(coding: object, params: dict[str, object], machine: str, name: str, fold: int, seed: int) -> tuple:
    """Return test error and code length of one fit."""
    X, y, X_test, y_test = parts(name)[fold]
    model = ECOCClassifier(
        coding,
        coding_params=params or None,
        decoding=DECODING,
        machine=MACHINES[machine],
        n_jobs=1,
        random_state=seed,
    ).fit(X, y)
    return float((model.predict(X_test) != y_test).mean()), model.code_matrix_.shape[1]


@cache
def random_error(family: str, n_bits: int, machine: str, name: str, fold: int) -> float:
    """Return the mean test error of random codes of a length, as long as there are so many columns."""
    n_classes = int(parts(name)[fold][1].max()) + 1
    errors = []
    for seed in RANDOM_SEEDS:
        code_matrix = build_code(family, n_classes, seed=seed, n_bits=n_bits)
        errors.append(error(code_matrix, {}, machine, name, fold, seed)[0])
    return float(np.mean(errors))


def compare(title: str, machine: str, name: str) -> dict[str, float]:
    """Return mean length and test error of a learned code, and errors of random codes of its length."""
    key = title.partition(" ")[0]
    rows = []
    for fold in range(N_FOLDS):
        learned, n_bits = error(key, VARIANTS[title], machine, name, fold, SEED)
        dense = random_error("dense-random", n_bits, machine, name, fold)
        sparse = random_error("sparse-random", n_bits, machine, name, fold)
        rows.append((n_bits, learned, dense, sparse))
    return dict(zip(("bits", "learned", "dense", "sparse"), np.mean(rows, axis=0), strict=True))


def measure() -> list[Table]:
    """Compare every learned coding, each machine a table with one row a coding."""
    tables = []
    for machine in MACHINES:
        table = Table(
            f"Learned codes against random codes of the same length, {machine} machines",
            f"Mean test error over {len(SETS)} sets ({', '.join(SETS)}; up to {N_ROWS} points, {N_FOLDS} "
            f"stratified folds), {DECODING} decoding, same machines. Random codes: mean of "
            f"{len(RANDOM_SEEDS)} draws for each fold with as many columns as the learned code (or all that "
            "exist). `won` counts the sets with a smaller error than dense / sparse random codes; the last "
            "columns are learned minus dense error, set by set, in points.",
        )
        for title in VARIANTS:
            found = {name: compare(title, machine, name) for name in SETS}
            mean = {
                part: np.mean([row[part] for row in found.values()]) for part in next(iter(found.values()))
            }
            won = [sum(row["learned"] < row[part] for row in found.values()) for part in ("dense", "sparse")]
            table.rows.append(
                {
                    "coding": title,
                    "zeros": "yes" if CODINGS[title.partition(" ")[0]].ternary else "no",
                    "machines": f"{mean['bits']:.1f}",
                    "learned": f"{mean['learned']:.3f}",
                    "dense random": f"{mean['dense']:.3f}",
                    "sparse random": f"{mean['sparse']:.3f}",
                    "won": f"{won[0]} / {won[1]} of {len(SETS)}",
                    **{name: f"{100 * (row['learned'] - row['dense']):+.1f}" for name, row in found.items()},
                }
            )
        tables.append(table)
    return tables
