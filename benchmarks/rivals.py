"""ThunderSVM, scikit-learn-intelex and Snap ML beside ours, fit alone, where they install.

python benchmarks/rivals.py    printed only
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks._rivals import installed, rival, why_not
from benchmarks.common import TOL, C, Problem, Table, alone, load, markdown, seconds
from benchmarks.large import approximate, made, one_vs_all
from benchmarks.sizes import estimator, fit_least

EXACT = ("scikit-learn-intelex", "thundersvm-cpu")
SETS = (("letter", 2_000, 8.0), ("letter", 10_000, 8.0), ("pendigits", 8_000, 4.0), ("satimage", 4_000, 4.0))
RANKS = (300, 1_000)
MADE_ROWS = 20_000


def versions() -> str:
    """Say which version of each rival is measured, or why one is not."""
    told = [f"{name} {version}" for name, version in installed().items()]
    return " ".join(
        [f"Measured: {', '.join(told) or 'none'}.", *filter(None, map(why_not, (*EXACT, "snapml")))]
    )


def of_others(name: str, problem: Problem, gamma: float, n_components: int = 0) -> dict[str, object]:
    """Fit a rival's machine in its environment."""
    arrays = {key: getattr(problem, key) for key in ("X", "y", "X_test", "y_test")}
    return rival("svms", **arrays, name=name, gamma=gamma, C=C, tol=TOL, n_components=n_components)


def percent(told: dict[str, object]) -> str:
    """Write an error."""
    return f"{100 * told['error']:.1f} %"


def exact() -> Table:
    """One-vs-one machines, solved to the tolerance."""
    table = Table(
        "Other solvers of the exact machine, one-vs-one",
        "fit alone, CPU seconds of one thread, rbf, C = 1, tol = 1e-3. The rivals have a bias outside of "
        "the kernel, as SVC, so that objectives are not the same problem's: errors on 2,000 held-out rows "
        f"say that all did the same work. {versions()}",
    )
    for name, n_rows, gamma in SETS:
        problem = load(name, n_rows)
        for package in EXACT:
            if why_not(package):
                continue
            mine = alone("rivals", "exact", name, n_rows, gamma)
            other = of_others(package, problem, gamma)
            table.rows.append(
                {
                    "data": f"{name} {n_rows:,}",
                    "ours s": seconds(mine["cpu"]),
                    "against": package,
                    "its s": seconds(other["cpu"]),
                    "ratio": f"{other['cpu'] / mine['cpu']:.1f}x",
                    "our held-out error": percent(mine),
                    "its held-out error": percent(other),
                }
            )
    return table


def approximated() -> Table:
    """Machines on an approximation of the kernel."""
    table = Table(
        "Snap ML's machine on random features beside our approximation",
        f"{MADE_ROWS:,} made points (54 features, seven classes), rbf, gamma 'scale', C = 1, one-vs-all: "
        "fit alone, CPU seconds of one thread. Both have as many features in place of the kernel: errors "
        "on 5,000 held-out rows say what they are worth.",
    )
    problem = made(MADE_ROWS)
    for rank in () if why_not("snapml") else RANKS:
        mine = alone("rivals", "approximate", rank)
        other = of_others("snapml", problem, 1 / (problem.X.shape[1] * problem.X.var()), rank)
        table.rows.append(
            {
                "features": rank,
                "ours s": seconds(mine["cpu"]),
                "its s": seconds(other["cpu"]),
                "ratio": f"{other['cpu'] / mine['cpu']:.1f}x",
                "our held-out error": percent(mine),
                "its held-out error": percent(other),
            }
        )
    return table


def measure() -> list[Table]:
    """Both tables."""
    return [exact(), approximated()]


def main() -> None:
    """Fit ours as a child, or measure for a reader."""
    match sys.argv[1:]:
        case "exact", name, n_rows, gamma:
            problem = load(name, int(n_rows))
            model = estimator("ours", "all-pairs", float(gamma), int(problem.y.max()) + 1)
        case "approximate", rank:
            problem, model = made(MADE_ROWS), one_vs_all(approximate(int(rank)), 1, "linear")
        case _:
            for table in measure():
                print(markdown(table), flush=True)
            return
    model.fit(problem.X[:300], problem.y[:300])  # what a first call compiles or loads
    best = fit_least(model, problem)
    error = float((model.predict(problem.X_test) != problem.y_test).mean())
    print(json.dumps({"cpu": best.cpu, "error": error}))


if __name__ == "__main__":
    main()
