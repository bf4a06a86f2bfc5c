"""Designing continuous codes: our programs against the printed ones, and what a designed code is worth."""

from collections.abc import Iterator

import numpy as np
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks._design_rivals import literal_program
from benchmarks.common import SEED, Table, load, seconds, timed
from ecocviz.engine.reductions.continuous import ContinuousCodeClassifier
from ecocviz.engine.reductions.continuous.columns import corrective_columns, literal_columns
from ecocviz.engine.reductions.continuous.joint import joint_design, with_constant
from ecocviz.engine.reductions.continuous.programs import design_code
from ecocviz.engine.reductions.ecoc import ECOCClassifier


def _scores(n_samples: int, n_classes: int, n_bits: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(SEED)
    y = generator.integers(0, n_classes, n_samples)
    centres = generator.normal(size=(n_classes, n_bits))
    return centres[y] + 1.5 * generator.normal(size=(n_samples, n_bits)), y


def programs() -> Table:
    """HiGHS on the dual with equality rows against HiGHS on the paper's primal."""
    table = Table(
        "Linear programs of code design",
        "CPU seconds of HiGHS' interior point solver, β = 1, on our form (the dual with equality rows) and "
        "on the primal as printed; the l2 program by our interior point method (gap 1e-6) beside them.",
    )
    for n_samples, n_classes, n_bits in ((300, 6, 10), (1000, 10, 20), (500, 26, 30)):
        H, y = _scores(n_samples, n_classes, n_bits)
        for norm in ("l1", "linf", "l2"):
            ours = timed(
                lambda H=H, y=y, k=n_classes, n=norm: design_code(H, y, k, norm=n, beta=1.0, tol=1e-6),
                2,
                10.0,
            )
            row = {"points, classes, machines": f"{n_samples}, {n_classes}, {n_bits}", "norm": norm}
            row |= {"ours s": seconds(ours.cpu), "gap": f"{ours.value.gap / ours.value.objective:.0e}"}
            if norm != "l2":
                theirs = timed(
                    lambda H=H, y=y, k=n_classes, n=norm: literal_program(H, y, k, n, 1.0), 2, 10.0
                )
                row |= {"printed s": seconds(theirs.cpu), "ratio": f"{theirs.cpu / ours.cpu:.2f}x"}
                row["objectives"] = f"{ours.value.objective:.6f} / {theirs.value:.6f}"
            table.rows.append(row)
    return table


def columns() -> Table:
    """How far the code gets column by column."""
    table = Table(
        "Column by column against all at once",
        "Objective after the last column, l2, β = 1; the batch optimum is that of the corrective way. "
        "'Without progress': leading columns that left the objective where it was.",
    )
    for name, H, y, k in _column_cases():
        spent = {}
        for way, build in (("literal", literal_columns), ("corrective", corrective_columns)):
            spent[way] = timed(
                lambda b=build, H=H, y=y, k=k: b(H, y, k, norm="l2", beta=1.0, tol=1e-6), 2, 10.0
            )
        literal, corrective = (spent[way].value[1] for way in ("literal", "corrective"))
        stuck = int(np.argmax(np.append(literal[1:] < literal[0] - 1e-9, True)))
        table.rows.append(
            {
                "scores": name,
                "start": f"{literal[0]:.1f}",
                "literal": f"{literal[-1]:.2f}",
                "corrective": f"{corrective[-1]:.2f}",
                "without progress": stuck,
                "literal s": seconds(spent["literal"].cpu),
                "corrective s": seconds(spent["corrective"].cpu),
            }
        )
    return table


def _column_cases() -> Iterator[tuple[str, np.ndarray, np.ndarray, int]]:
    H, y = _scores(400, 6, 10)
    yield "real, 6 classes", H, y, 6
    yield "±1, 6 classes", np.sign(H), y, 6
    H, y = _scores(400, 3, 10)
    yield "real, 3 classes", H, y, 3


def worth() -> Table:
    """Test error of designed codes beside linear decoding of the discrete code they start from."""
    table = Table(
        "What a designed code is worth",
        "Test error, mean of three splits of at most 1000 training points; dense random code of 10 bits, l2 "
        "norm, β = 1. Designed on the machines' training scores, and on scores of held-out points (5 folds).",
    )
    machines = {
        "linear SVM": LinearSVC(random_state=0),
        "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    }
    for name in ("satimage", "pendigits", "vowel", "segment"):
        for title, machine in machines.items():
            errors: dict[str, list[float]] = {"linear decoding": [], "designed": [], "cross-fitted": []}
            for seed in range(3):
                X, y, X_test, y_test = _split(name, seed)
                base = ECOCClassifier(
                    "dense-random",
                    coding_params={"n_bits": 10},
                    decoding="linear",
                    machine=machine,
                    random_state=seed,
                ).fit(X, y)
                errors["linear decoding"].append(1 - base.score(X_test, y_test))
                for key, outputs in (("designed", "resubstitution"), ("cross-fitted", "cross-fitted")):
                    model = ContinuousCodeClassifier(base, prefit=True, outputs=outputs, random_state=seed)
                    errors[key].append(1 - model.fit(X, y).score(X_test, y_test))
            means = {key: f"{np.mean(values):.3f}" for key, values in errors.items()}
            table.rows.append({"data": name, "machines": title, **means})
    return table


def _split(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    problem = load(name, 10**9)  # every row
    order = np.random.default_rng(seed).permutation(problem.y.size)
    n_train = min(1000, problem.y.size // 2)
    train, test = order[:n_train], order[n_train : n_train + 2000]
    return problem.X[train], problem.y[train], problem.X[test], problem.y[test]


def joint() -> Table:
    """Linear machines and code on one objective."""
    table = Table(
        "Linear machines and code trained jointly",
        "Objective after each half round, β = 1 for both norms, gap 1e-3 a step, from the one-vs-all code.",
    )
    for name in ("vowel", "segment"):
        X, y, _, _ = _split(name, 0)
        X = with_constant(X)
        k = int(y.max()) + 1
        timing = timed(
            lambda X=X, y=y, k=k: joint_design(
                X, y, k, k, beta=1.0, map_beta=1.0, n_rounds=4, start=2 * np.eye(k) - 1
            ),
            1,
        )
        values = ", ".join(f"{value:.1f}" for value in timing.value.objectives)
        table.rows.append({"data": f"{name} {y.size}", "seconds": seconds(timing.cpu), "objective": values})
    return table


def measure() -> list[Table]:
    """Run all comparisons."""
    return [programs(), columns(), worth(), joint()]
