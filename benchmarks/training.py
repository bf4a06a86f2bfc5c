"""All columns of a code on one Gram matrix against scikit-learn's SVC per column."""

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from benchmarks.common import OUR_TOL, TOL, C, Table, code, load, seconds, timed
from ecocviz.engine.columns import train_columns
from ecocviz.engine.machines.kernel_machine import KernelMachine


def svc_columns(X, targets, gamma):
    """Fit scikit-learn's SVC to every column."""
    machines = []
    for b in range(targets.shape[1]):
        shown = targets[:, b] != 0
        machines.append(SVC(C=C, gamma=gamma, tol=TOL).fit(X[shown], targets[shown, b]))
    return machines


def svc_quality(machine, X, t, gamma):
    """Return the worst violation of an SVC and its relative duality gap, (primal - dual) / primal."""
    alphas = np.zeros(t.size)
    alphas[machine.support_] = np.abs(machine.dual_coef_[0])
    f = machine.decision_function(X)
    norm = (alphas * t) @ (rbf_kernel(X, gamma=gamma) @ (alphas * t))
    v = 1 - t * f
    violation = max(np.where(alphas < C, v, 0).max(), np.where(alphas > 0, -v, 0).max())
    primal = norm / 2 + C * np.maximum(v, 0).sum()
    return violation, (primal - alphas.sum() + norm / 2) / primal


def measure() -> Table:
    """Time training alone, and compare how well both sides solved their problem."""
    table = Table(
        "Training all columns against SVC per column",
        "Single-thread CPU seconds, rbf, C = 1, tol = 1e-3. Violation: largest breach of the optimality "
        "conditions over all columns (for SVC: over the first three columns); gap: duality gap over primal.",
    )
    for name, n_rows, gamma in [
        ("optdigits", 2000, 0.0625),
        ("optdigits", 2000, 1.0),
        ("satimage", 2000, 2.0),
        ("segment", 1500, 4.0),
    ]:
        problem = load(name, n_rows)
        for family in ("one-vs-all", "all-pairs", "dense 3Q"):
            targets = code(family, problem.y.max() + 1)[problem.y]
            machine = KernelMachine(gamma=gamma, C=C, tol=OUR_TOL)
            ours = timed(lambda m=machine, p=problem, t=targets: train_columns(m, p.X, t, n_jobs=1))
            theirs = timed(lambda p=problem, t=targets, g=gamma: svc_columns(p.X, t, g))
            columns = ours.value
            primal = columns.squared_norms / 2 + C * np.maximum(
                np.where(targets != 0, 1 - targets * columns.scores, 0), 0
            ).sum(axis=0)
            quality = []
            for b in range(3):
                shown = targets[:, b] != 0
                quality.append(svc_quality(theirs.value[b], problem.X[shown], targets[shown, b], gamma))
            table.rows.append(
                {
                    "data": f"{name} {n_rows}",
                    "γ": gamma,
                    "code": f"{family} ({targets.shape[1]})",
                    "ours s": seconds(ours.cpu),
                    "SVC s": seconds(theirs.cpu),
                    "ratio": f"{theirs.cpu / ours.cpu:.1f}x",
                    "our violation": f"{columns.violations.max():.1e}",
                    "SVC violation": f"{max(q[0] for q in quality):.1e}",
                    "our gap": f"{(columns.gaps / primal).max():.1e}",
                    "SVC gap": f"{max(q[1] for q in quality):.1e}",
                }
            )
    return table
