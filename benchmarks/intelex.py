"""The likelihood pipeline against scikit-learn-intelex's SVC, where it is installed.

This file runs as a program of its own in the rivals' environment (`_rivals.py`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

if __name__ != "__main__":
    from benchmarks._rivals import PYTHON, why_not
    from benchmarks.common import TOL, C, Table, code, load, seconds, timed, verdict
    from benchmarks.pipeline import ours

CASES = [
    ("optdigits", 2000, 0.0625),
    ("optdigits", 2000, 1.0),
    ("satimage", 2000, 2.0),
    ("segment", 1500, 4.0),
]


def measure() -> Table:
    """Time both pipelines; the peer in a process of its own."""
    table = Table(
        "Likelihood pipeline against scikit-learn-intelex",
        "CalibratedClassifierCV(sklearnex.svm.SVC, cv=3, ensemble=False) per column; one thread's CPU s. "
        "That it ran on one thread was not verified; its CPU time may include threads that wait.",
    )
    if missing := why_not("scikit-learn-intelex"):
        table.note += f" {missing}"
        return table
    for name, n_rows, gamma in CASES:
        problem = load(name, n_rows)
        for family in ("one-vs-all", "all-pairs", "dense 3Q"):
            matrix = code(family, problem.y.max() + 1)
            mine = timed(lambda p=problem, m=matrix, g=gamma: ours(p, m, g), repeats=5)
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "problem.npz"
                np.savez(
                    file,
                    X=problem.X,
                    targets=matrix[problem.y],
                    X_test=problem.X_test,
                    numbers=[C, gamma, TOL],
                )
                done = subprocess.run(
                    [str(PYTHON), __file__, str(file)], capture_output=True, text=True, check=True
                )
                other = json.loads(done.stdout.splitlines()[-1])
            table.rows.append(
                {
                    "data": f"{name} {n_rows}",
                    "γ": gamma,
                    "code": f"{family} ({matrix.shape[1]})",
                    "ours s": seconds(mine.cpu),
                    "intelex s": seconds(other["cpu"]),
                    **verdict(other["cpu"] / mine.cpu, 2),
                    "intelex version": other["version"],
                }
            )
    return table


def child(file: str) -> None:
    """Time the peer on the problem in a file."""
    from importlib.metadata import version

    import daal4py
    from sklearn.calibration import CalibratedClassifierCV
    from sklearnex.svm import SVC
    from threadpoolctl import threadpool_limits

    daal4py.daalinit(nthreads=1)
    data = np.load(file)
    C_value, gamma, tol = (float(number) for number in data["numbers"])

    def column(b):
        t = data["targets"][:, b]
        shown = t != 0
        svc = SVC(C=C_value, gamma=gamma, tol=tol)
        machine = CalibratedClassifierCV(svc, method="sigmoid", cv=3, ensemble=False)
        return machine.fit(data["X"][shown], t[shown]).predict_proba(data["X_test"])

    with threadpool_limits(1):
        column(0)
        best = np.inf
        for _ in range(2):
            start = time.process_time()
            for b in range(data["targets"].shape[1]):
                column(b)
            best = min(best, time.process_time() - start)
    print(json.dumps({"cpu": best, "version": version("scikit-learn-intelex")}))


if __name__ == "__main__":
    child(sys.argv[1])
