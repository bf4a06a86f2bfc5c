"""Compare codes on your own data: errors by nested cross-validation, average ranks, and tests.

    python examples/compare_codes.py mine.csv other.csv third.csv --codes one-vs-all one-vs-one bch decoc

Each file is a CSV, TSV, ARFF or Parquet table with a row for each point; the class is the column named class,
label or target, else the last one. Without files, four sets that ship with ecocviz are compared. Gamma, C and
the decoder are chosen for each code by cross-validation within the points that it is trained on.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ecocviz import ECOCClassifierCV, KernelMachine
from ecocviz.data.catalogue import DATASETS
from ecocviz.data.prepare import prepare
from ecocviz.data.readers import read_table
from ecocviz.data.types import Fold, Table
from ecocviz.engine.analysis.ranks import compare_pairs, rank_methods
from ecocviz.engine.types import FloatArray

SHIPPED = ("wine-uci", "glass", "new-thyroid", "vehicle")
CODES = ("one-vs-all", "one-vs-one", "sparse-random", "bch", "decoc")
DECODERS = ("hamming", "likelihood", "linear", "soft-margin", "exponential")
FOLDS = 3


def nested_error(table: Table, code: str, kernel: str, n_rows: int) -> float:
    """Return the share of wrong decisions on points that neither training nor choosing has seen."""
    rows = np.sort(np.random.default_rng(0).permutation(table.labels.size)[:n_rows])
    # Scaled by all of the points at once; what is learned from labels is learned within the folds.
    points = prepare(table, Fold(train=rows, test=rows[:0]), "standardise")
    search = ECOCClassifierCV(
        gammas=3,
        Cs=[0.1, 1.0, 10.0],
        codings=[code],
        decodings=DECODERS,
        machine=KernelMachine(kernel),
        cv=FOLDS,
        nested=True,
        random_state=0,
    )
    return 1.0 - search.fit(points.X_train, points.y_train).nested_score_


def report(errors: FloatArray, names: Sequence[str], codes: Sequence[str]) -> str:
    """Say what the errors, (n_sets, n_codes), come to."""
    width = max(map(len, [*names, "average rank"]))
    lines = [" " * width + "".join(f"{code:>18}" for code in codes)]
    lines += [
        f"{name:{width}}" + "".join(f"{100 * error:17.1f}%" for error in row)
        for name, row in zip(names, errors, strict=True)
    ]
    if len(names) < 2 or len(codes) < 2:
        return "\n".join([*lines, "", "Ranks and tests need two sets and two codes, or more."])
    found = rank_methods(errors)
    lines.append(f"{'average rank':{width}}" + "".join(f"{rank:18.2f}" for rank in found.ranks))
    first, second = found.friedman.freedom
    lines += [
        "",
        f"Do they differ at all? F({first}, {second}) = {found.friedman.f:.2f}, p = {found.friedman.f_p:.3f}",
        f"Ranks that differ by less than {found.critical_difference:.2f} cannot be told apart:",
        *("  " + ", ".join(codes[code] for code in group) for group in found.cliques),
        "",
        f"Each against {codes[0]}: sets won, level and lost, p of Wilcoxon's test with Holm's correction",
    ]
    for pair in compare_pairs(errors, [(code, 0) for code in range(1, len(codes))]):
        counts = f"{pair.wins}-{pair.ties}-{pair.losses}"
        lines.append(f"  {codes[pair.first]:20}{counts:>9}   p = {pair.wilcoxon_holm:.3f}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read what is asked for, measure, and print."""
    parser = argparse.ArgumentParser(description="Compare codes on your own data.")
    parser.add_argument("files", nargs="*", type=Path, help="tables; without any, four sets that ship")
    parser.add_argument("--codes", nargs="+", default=CODES, help="keys, as `ecocviz list coding` shows them")
    parser.add_argument("--kernel", choices=("linear", "rbf"), default="linear")
    parser.add_argument("--rows", type=int, default=300, help="rows of each table at most (default: 300)")
    given = parser.parse_args(arguments)
    tables = [read_table(path.read_bytes(), path.name) for path in given.files]
    tables = tables or [DATASETS[key].load() for key in SHIPPED]
    errors = np.array(
        [[nested_error(table, code, given.kernel, given.rows) for code in given.codes] for table in tables]
    )
    print(report(errors, [table.name for table in tables], given.codes))


if __name__ == "__main__":
    main()
