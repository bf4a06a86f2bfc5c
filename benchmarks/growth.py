"""How cost and memory grow with rows, classes and columns, and letter with 15,000 rows once."""

import json
import sys

from benchmarks.common import OUR_TOL, SEED, C, Table, alone, code, load, peak_memory, seconds, timed
from ecocviz import ECOCClassifier, KernelMachine, build_code


def fit(problem, matrix, gamma):
    """Fit and calibrate, as the pipeline does."""
    model = ECOCClassifier(
        matrix, machine=KernelMachine(gamma=gamma, C=C, tol=OUR_TOL), n_jobs=1, random_state=SEED
    )
    return model.fit(problem.X, problem.y)


def growth() -> Table:
    """Vary one size at a time."""
    table = Table(
        "Growth",
        "`ECOCClassifier.fit` and `.predict` of 2000 points by likelihood; single-thread CPU seconds.",
    )

    def row(what, problem, matrix, gamma):
        run = timed(lambda: fit(problem, matrix, gamma).predict(problem.X_test))
        table.rows.append(
            {
                "varied": what,
                "data": problem.name,
                "rows": len(problem.X),
                "classes": matrix.shape[0],
                "columns": matrix.shape[1],
                "s": seconds(run.cpu),
            }
        )

    for n_rows in (500, 1000, 2000, 4000, 8000):
        problem = load("pendigits", n_rows)
        row("rows", problem, code("one-vs-all", 10), 4.0)
    letters = load("letter", 8000)
    for n_classes in (4, 8, 16, 26):
        kept, kept_test = letters.y < n_classes, letters.y_test < n_classes
        part = type(letters)(
            "letter",
            letters.X[kept][:1200],
            letters.y[kept][:1200],
            letters.X_test[kept_test],
            letters.y_test[kept_test],
        )
        row("classes", part, code("one-vs-all", n_classes), 8.0)
    problem = load("pendigits", 2000)
    for n_bits in (10, 20, 40, 80):
        row("columns", problem, build_code("dense-random", 10, seed=SEED, n_bits=n_bits), 4.0)
    return table


def memory() -> Table:
    """Peak memory of whole processes, imports included."""
    table = Table(
        "Peak memory of a whole process, and letter with 15,000 rows",
        "One-vs-all, likelihood pipeline; imports included. 'nothing' only imports and loads data.",
    )
    for who, n_rows in [
        ("nothing", 3000),
        ("ours", 3000),
        ("peer", 3000),
        ("nothing", 15_000),
        ("ours", 15_000),
    ]:
        result = alone("growth", who, n_rows)
        table.rows.append({"who": who, "data": f"letter {n_rows}", **result})
    return table


def child(who: str, n_rows: int) -> None:
    """Do what one row of `memory` asks, in a process of its own."""
    from threadpoolctl import threadpool_limits

    problem = load("letter", n_rows)
    matrix = code("one-vs-all", 26)
    result = {"cpu s": "", "test error": ""}
    with threadpool_limits(1):
        if who == "ours":
            fit(load("letter", 1500), matrix, 8.0)  # compiles in the precision of the real run
            run = timed(lambda: fit(problem, matrix, 8.0).predict(problem.X_test), repeats=1)
            result = {"cpu s": seconds(run.cpu), "test error": f"{(run.value != problem.y_test).mean():.4f}"}
        if who == "peer":
            from benchmarks.pipeline import peer

            run = timed(lambda: peer(problem, matrix, 8.0), repeats=1)
            result = {"cpu s": seconds(run.cpu), "test error": f"{(run.value != problem.y_test).mean():.4f}"}
    result["peak MiB"] = peak_memory()
    print(json.dumps(result))


def measure() -> list[Table]:
    """Both tables."""
    return [growth(), memory()]


if __name__ == "__main__":
    child(sys.argv[1], int(sys.argv[2]))
