"""The leave-one-out bound, exact leave-one-out from the warm start, and naive retraining."""

import numpy as np
from sklearn.svm import SVC

from benchmarks.common import OUR_TOL, SEED, TOL, C, Table, code, load, seconds, timed, verdict
from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.engine.columns import train_columns

SAMPLE = 40
"""Points that naive retraining really leaves out; its time is scaled up to all."""


def retrain_svc(X, targets, points, gamma):
    """Leave each of some points out and fit every SVC that saw it again."""
    scores = np.zeros((points.size, targets.shape[1]))
    for k, i in enumerate(points):
        for b in np.flatnonzero(targets[i]):
            shown = targets[:, b] != 0
            shown[i] = False
            machine = SVC(C=C, gamma=gamma, tol=TOL).fit(X[shown], targets[shown, b])
            scores[k, b] = machine.decision_function(X[i : i + 1])[0]
    return scores


def retrain_ours(machine, X, targets, points):
    """Leave each of some points out and train all columns from scratch."""
    scores = np.zeros((points.size, targets.shape[1]))
    for k, i in enumerate(points):
        kept = np.arange(len(X)) != i
        alone = train_columns(machine, X[kept], targets[kept], n_jobs=1)
        scores[k] = alone.predict_scores(X[i : i + 1])[0]
    return scores


def exact() -> Table:
    """Time exact leave-one-out against retraining."""
    table = Table(
        "Exact leave-one-out against naive retraining",
        f"Single-thread CPU seconds for all points and columns; retraining: {SAMPLE} points, scaled up. "
        "Warm: given the trained machines, to 5e-4, the quality of the peers' 1e-3, and to 1e-6. "
        "Difference: largest difference of scores to retraining from scratch to 1e-6.",
    )
    for name, n_rows, gamma in [("segment", 300, 4.0), ("satimage", 500, 2.0), ("optdigits", 700, 0.0625)]:
        problem = load(name, n_rows)
        points = np.random.default_rng(SEED).choice(n_rows, size=SAMPLE, replace=False)
        for family in ("one-vs-all", "all-pairs", "dense 3Q"):
            targets = code(family, problem.y.max() + 1)[problem.y]
            machine = KernelMachine(gamma=gamma, C=C, tol=OUR_TOL)
            columns = train_columns(machine, problem.X, targets, n_jobs=1)
            warm = timed(lambda c=columns: c.leave_one_out_scores(tol=OUR_TOL), repeats=5)
            fine = timed(lambda c=columns: c.leave_one_out_scores(tol=1e-6))
            svc = timed(lambda p=problem, t=targets, g=gamma, k=points: retrain_svc(p.X, t, k, g), repeats=1)
            scratch = timed(
                lambda m=machine, p=problem, t=targets, k=points: retrain_ours(m, p.X, t, k), repeats=1
            )
            finest = KernelMachine(gamma=gamma, C=C, tol=1e-6)
            reference = retrain_ours(finest, problem.X, targets, points[:10])
            difference = np.where(
                targets[points[:10]] != 0, np.abs(reference - fine.value[points[:10]]), 0
            ).max()
            scale = n_rows / SAMPLE
            table.rows.append(
                {
                    "data": f"{name} {n_rows}",
                    "code": f"{family} ({targets.shape[1]})",
                    "warm 5e-4 s": seconds(warm.cpu),
                    "warm 1e-6 s": seconds(fine.cpu),
                    "SVC retrained s": seconds(svc.cpu * scale),
                    "ours retrained s": seconds(scratch.cpu * scale),
                    **verdict(svc.cpu * scale / warm.cpu, 30),
                    "difference": f"{difference:.1e}",
                }
            )
    return table


def bound() -> Table:
    """Time the bound against training."""
    table = Table(
        "The bound against training",
        "Single-thread CPU seconds; linear decoding, the machines given. Target: under 1 % of training.",
    )
    for name, n_rows, gamma in [("satimage", 4435, 2.0), ("optdigits", 3000, 1.0)]:
        problem = load(name, n_rows)
        for family in ("one-vs-all", "all-pairs", "dense 3Q"):
            model = ECOCClassifier(
                code(family, problem.y.max() + 1),
                decoding="linear",
                machine=KernelMachine(gamma=gamma, C=C, tol=OUR_TOL),
                n_jobs=1,
            )
            trained = timed(lambda m=model, p=problem: m.fit(p.X, p.y))
            bounded = timed(lambda m=model: m.loo_bound(), repeats=5)
            share = bounded.cpu / trained.cpu
            table.rows.append(
                {
                    "data": f"{name} {n_rows}",
                    "code": f"{family} ({model.code_matrix_.shape[1]})",
                    "train s": seconds(trained.cpu),
                    "bound s": seconds(bounded.cpu),
                    "share": f"{100 * share:.1f} %",
                    "target": "1 %",
                    "met": "yes" if share < 0.01 else "no",
                }
            )
    return table


def measure() -> list[Table]:
    """Both tables."""
    return [exact(), bound()]
