"""Scores of all machines on 10,000 points against the decision functions of SVC."""

import numpy as np

from benchmarks.common import OUR_TOL, C, Table, code, load, seconds, timed, verdict
from benchmarks.training import svc_columns
from ecocviz.engine.columns import train_columns
from ecocviz.engine.machines.kernel_machine import KernelMachine


def measure() -> Table:
    """Time the scores alone, machines trained beforehand."""
    table = Table(
        "Scores of all machines on 10,000 points",
        "Single-thread CPU seconds, machines trained beforehand; SVC calls one decision_function per column.",
    )
    for name, n_rows, gamma in [
        ("optdigits", 2000, 0.0625),
        ("satimage", 2000, 2.0),
        ("pendigits", 2000, 4.0),
        ("segment", 1500, 4.0),
    ]:
        problem = load(name, n_rows, n_test=10_000)
        for family in ("one-vs-all", "all-pairs", "dense 3Q"):
            targets = code(family, problem.y.max() + 1)[problem.y]
            columns = train_columns(
                KernelMachine(gamma=gamma, C=C, tol=OUR_TOL), problem.X, targets, n_jobs=1
            )
            machines = svc_columns(problem.X, targets, gamma)
            ours = timed(lambda c=columns, p=problem: c.predict_scores(p.X_test), repeats=5)
            theirs = timed(
                lambda ms=machines, p=problem: np.stack([m.decision_function(p.X_test) for m in ms], axis=1)
            )
            agreement = (np.sign(ours.value) == np.sign(theirs.value)).mean()
            table.rows.append(
                {
                    "data": f"{name} {n_rows}",
                    "γ": gamma,
                    "code": f"{family} ({targets.shape[1]})",
                    "ours s": seconds(ours.cpu),
                    "SVC s": seconds(theirs.cpu),
                    **verdict(theirs.cpu / ours.cpu, 20),
                    "same signs": f"{agreement:.4f}",
                }
            )
    return table
