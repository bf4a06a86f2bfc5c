"""More rows than a kernel matrix holds: 60,000 exactly, 500,000 by an approximation, and growth to there.

python benchmarks/large.py exact        one table, printed only: exact, approximation, growth or cost

Every program runs in a process of its own, so that its peak memory is its own.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import pandas as pd
import psutil
from joblib.externals.loky import get_reusable_executor
from sklearn.datasets import make_classification
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from benchmarks.common import (
    FILES,
    ONE_THREAD,
    OUR_TOL,
    SEED,
    TOL,
    C,
    Problem,
    Table,
    alone,
    code,
    markdown,
    peak_memory,
    verdict,
)
from ecocviz import ECOCClassifier, KernelMachine, build_code

JITTER = 0.05
"""Standard deviation of what is added to every pixel; pixels are between 0 and 1."""
GAMMA = 0.1
"""About what "scale" says of the digits."""
MANY, MORE = 60_000, 500_000
RANK = 1_000
MINUTES = 10
TWO_THREADS = dict.fromkeys(ONE_THREAD, "2")
MIB = 1024


def jittered(n_rows: int, n_test: int = 2_000) -> Problem:
    """Draw optdigits' rows again and again with noise: 64 pixels, ten classes.

    Test rows come from originals that no training row comes from.
    """
    table = pd.read_csv(FILES / "optdigits.csv.gz")
    X = table.iloc[:, :-1].to_numpy(dtype=np.float64) / 16
    y = pd.factorize(table.iloc[:, -1].astype(str), sort=True)[0]
    generator = np.random.default_rng(SEED)
    order = generator.permutation(y.size)

    def drawn(originals, n):
        rows = generator.choice(originals, size=n)
        return X[rows] + generator.normal(scale=JITTER, size=(n, X.shape[1])), y[rows]

    test = drawn(order[5_000:], n_test)
    return Problem("optdigits jittered", *drawn(order[:5_000], n_rows), *test)


def made(n_rows: int, n_classes: int = 7, n_test: int = 5_000) -> Problem:
    """Make points of 54 features, three clusters to a class, one label in a hundred wrong; standardised."""
    X, y = make_classification(
        n_rows + n_test,
        n_features=54,
        n_informative=16,
        n_redundant=16,
        n_classes=n_classes,
        n_clusters_per_class=3,
        class_sep=1.5,
        flip_y=0.01,
        random_state=SEED,
    )
    X = (X - X[:n_rows].mean(axis=0)) / X[:n_rows].std(axis=0)
    return Problem("made", X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:])


def machine(gamma: float | str = GAMMA, **settings) -> KernelMachine:
    """Return our kernel machine at the tolerance that equals libsvm's."""
    return KernelMachine(gamma=gamma, C=C, tol=OUR_TOL, **settings)


def approximate(rank: int = RANK) -> KernelMachine:
    """Return our machine on a Nystroem approximation of the kernel."""
    return machine(gamma="scale", approximation="nystroem", rank=rank)


def one_vs_all(learner: KernelMachine, n_jobs: int, decoding: str = "likelihood") -> ECOCClassifier:
    """Return our one-vs-all estimator around a machine."""
    return ECOCClassifier("one-vs-all", decoding=decoding, machine=learner, n_jobs=n_jobs, random_state=SEED)


def family_peak() -> int:
    """Return the most memory that this process ever had, and the same of the processes it started, MiB."""
    peaks = [peak_memory()]
    for process in psutil.Process().children(recursive=True):
        told = Path(f"/proc/{process.pid}/status").read_text()
        peaks += [int(line.split()[1]) // 1024 for line in told.splitlines() if line.startswith("VmHWM:")]
    return sum(peaks)


def fitted(model, problem: Problem) -> dict[str, object]:
    """Fit in this process: wall-clock and CPU seconds, peak memory, held-out error."""
    wall, cpu = time.perf_counter(), time.process_time()
    model.fit(problem.X, problem.y)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = family_peak()
    error = float((model.predict(problem.X_test) != problem.y_test).mean())
    return {"wall": wall, "cpu": cpu, "peak": peak, "error": error}


def exact_ours(n_rows: str, n_jobs: str) -> dict[str, object]:
    """One-vs-all with likelihood by our exact machine, on jittered digits."""
    model = one_vs_all(machine(), int(n_jobs))
    model.fit(*_first(jittered(2_000), 2_000))
    return fitted(model, jittered(int(n_rows)))


def exact_peer(n_rows: str) -> dict[str, object]:
    """Run scikit-learn's on two processes, each with a large cache; no likelihood."""
    svc = SVC(gamma=GAMMA, C=C, tol=TOL, cache_size=2000)
    told = fitted(OneVsRestClassifier(svc, n_jobs=2), jittered(int(n_rows)))
    get_reusable_executor().shutdown(wait=True)
    return told


def approximate_ours(n_rows: str, n_jobs: str, rank: str) -> dict[str, object]:
    """One-vs-all by our approximation, on made points."""
    model = one_vs_all(approximate(int(rank)), int(n_jobs))
    model.fit(*_first(made(2_000), 2_000))
    return fitted(model, made(int(n_rows)))


def columns_ours(n_columns: str) -> dict[str, object]:
    """So many dense columns on 10,000 jittered digits."""
    matrix = build_code("dense-random", 10, seed=SEED, n_bits=int(n_columns))
    return fitted(ECOCClassifier(matrix, machine=machine(), n_jobs=1, random_state=SEED), jittered(10_000))


def classes_ours(n_classes: str) -> dict[str, object]:
    """One-vs-all of so many classes on 10,000 made points."""
    learner = machine(gamma="scale")
    model = ECOCClassifier(code("one-vs-all", int(n_classes)), machine=learner, n_jobs=1, random_state=SEED)
    return fitted(model, made(10_000, int(n_classes)))


def cost_ours(rank: str) -> dict[str, object]:
    """How often the approximation decides otherwise than the exact machine, trained on the same 10,000."""
    problem = made(10_000)
    exact = one_vs_all(machine(gamma="scale"), 1, "linear").fit(problem.X, problem.y)
    near = one_vs_all(approximate(int(rank)), 1, "linear")
    told = fitted(near, problem)
    decided = exact.predict(problem.X_test)
    return {
        **told,
        "differ": float((near.predict(problem.X_test) != decided).mean()),
        "exact error": float((decided != problem.y_test).mean()),
    }


def _first(problem: Problem, n: int):
    return problem.X[:n], problem.y[:n]


WORKS: dict[str, Callable[..., dict[str, object]]] = {
    work.__name__: work
    for work in (exact_ours, exact_peer, approximate_ours, columns_ours, classes_ours, cost_ours)
}


@cache
def measured(work: Callable[..., dict[str, object]], *arguments, two: bool = False) -> dict[str, object]:
    """Run one work in a process of its own; what it says where it refuses."""
    return alone("large", work.__name__, *arguments, threads=TWO_THREADS if two else ONE_THREAD)


def gib(mib: float) -> str:
    """Write a size."""
    return f"{mib / MIB:.2f} GiB"


def percent(share: float) -> str:
    """Write a share."""
    return f"{100 * share:.2f} %"


def exact() -> Table:
    """60,000 rows on two cores."""
    table = Table(
        f"{MANY:,} rows exactly, on two cores",
        f"optdigits with jitter ({MANY:,} x 64, ten classes), rbf, gamma {GAMMA:g}, C = 1, one-vs-all. "
        "Ours finds sigmoids by 3 folds too, and decides by likelihood; the rival only trains. Wall-clock "
        "seconds; memory: the most that the process ever had, and for the rival that of its two workers "
        "too.",
    )
    alone("large", exact_ours.__name__, MANY, 2, threads=TWO_THREADS)  # compiles what the next one loads
    mine, other = measured(exact_ours, MANY, 2, two=True), measured(exact_peer, MANY, two=True)
    table.rows.append(
        {
            "what": "time",
            "ours": _time(mine),
            "OneVsRestClassifier(SVC(cache_size=2000), n_jobs=2)": _time(other),
            **(verdict(other["wall"] / mine["wall"], 3) if "wall" in mine else _refused("3x")),
        }
    )
    table.rows.append(
        {
            "what": "peak memory",
            "ours": gib(mine["peak"]) if "peak" in mine else "refused",
            "OneVsRestClassifier(SVC(cache_size=2000), n_jobs=2)": gib(other["peak"]),
            "ratio": "",
            "target": "3 GiB",
            "met": "yes" if mine.get("peak", np.inf) <= 3 * MIB else "no",
        }
    )
    table.rows.append(
        {
            "what": "held-out error",
            "ours": percent(mine["error"]) if "error" in mine else mine["refused"],
            "OneVsRestClassifier(SVC(cache_size=2000), n_jobs=2)": percent(other["error"]),
        }
    )
    return table


def _time(told: dict[str, object]) -> str:
    return f"{told['wall']:.1f} s" if "wall" in told else "refused"


def _refused(target: str) -> dict[str, object]:
    return {"ratio": "", "target": target, "met": "no"}


def approximation() -> Table:
    """500,000 rows."""
    table = Table(
        f"{MORE:,} rows by the Nystroem approximation, on two cores",
        f"Made points ({MORE:,} x 54, seven classes of three clusters each, one label in a hundred wrong), "
        f"rbf, gamma 'scale', C = 1, one-vs-all with likelihood, rank {RANK:,}. Wall-clock of fit; peak "
        "memory of the whole process, the data among it.",
    )
    told = measured(approximate_ours, MORE, 2, RANK, two=True)
    failed = "wall" not in told
    table.rows = [
        {
            "what": "time",
            "ours": told.get("refused", "") if failed else _time(told),
            "target": f"{MINUTES} minutes",
            "met": "no" if failed or told["wall"] > 60 * MINUTES else "yes",
        },
        {
            "what": "peak memory",
            "ours": "" if failed else gib(told["peak"]),
            "target": "4 GiB",
            "met": "no" if failed or told["peak"] > 4 * MIB else "yes",
        },
        {"what": "held-out error", "ours": "" if failed else percent(told["error"])},
    ]
    return table


def cost() -> Table:
    """Compare the approximation with the exact machine, rank by rank."""
    table = Table(
        "What the approximation costs",
        "10,000 made points as above: how many of 5,000 held-out decisions (linear decoding) differ from "
        "those of the exact machine trained on the same points. CPU seconds of one thread.",
    )
    for rank in (100, 300, 1_000, 3_000):
        told = measured(cost_ours, rank)
        if "refused" in told:
            table.rows.append({"rank": rank, "fit s": told["refused"]})
            continue
        table.rows.append(
            {
                "rank": rank,
                "fit s": f"{told['cpu']:.3g}",
                "decisions that differ": percent(told["differ"]),
                "its error": percent(told["error"]),
                "exact machine's error": percent(told["exact error"]),
            }
        )
    return table


def growth() -> Table:
    """Vary rows, columns and classes, to the sizes above."""
    table = Table(
        "Growth to large data",
        "fit with sigmoids (3 folds, likelihood); CPU seconds and peak memory of the process. On one thread, "
        f"but {MANY:,} and {MORE:,} rows, which are the runs on two cores above. "
        "Drawn in [growth.svg](growth.svg).",
    )
    digits, points = "optdigits jittered", "made"
    plan = [
        *(("rows", digits, n, 10, 10, exact_ours, (n, 1)) for n in (2_000, 5_000, 10_000, 20_000)),
        ("rows", digits, MANY, 10, 10, exact_ours, (MANY, 2)),
        *(
            ("rows, approximated", points, n, 7, 7, approximate_ours, (n, 1, RANK))
            for n in (10_000, 50_000, 100_000)
        ),
        ("rows, approximated", points, MORE, 7, 7, approximate_ours, (MORE, 2, RANK)),
        *(("columns", digits, 10_000, 10, b, columns_ours, (b,)) for b in (10, 20, 40, 80)),
        *(("classes", points, 10_000, c, c, classes_ours, (c,)) for c in (4, 8, 16, 32)),
    ]
    for varied, data, n_rows, n_classes, n_columns, work, arguments in plan:
        told = measured(work, *arguments, two=n_rows in {MANY, MORE})
        table.rows.append(
            {
                "varied": varied,
                "data": data,
                "rows": n_rows,
                "classes": n_classes,
                "columns": n_columns,
                "s": f"{told['cpu']:.3g}" if "cpu" in told else told["refused"],
                "peak MiB": told.get("peak", ""),
            }
        )
    return table


TABLES = {"exact": exact, "approximation": approximation, "cost": cost, "growth": growth}


def measure() -> list[Table]:
    """All tables."""
    return [table() for table in TABLES.values()]


def main() -> None:
    """Do one work as a child, or measure some tables for a reader."""
    if sys.argv[1] in WORKS:
        try:
            told = WORKS[sys.argv[1]](*sys.argv[2:])
        except (ValueError, TypeError) as problem:
            told = {"refused": str(problem)}
        print(json.dumps(told), flush=True)
        return
    for name in sys.argv[1:]:
        print(markdown(TABLES[name]()), flush=True)


if __name__ == "__main__":
    main()
