"""The whole likelihood pipeline against CalibratedClassifierCV around SVC, per column."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import SVC

from benchmarks.common import OUR_TOL, SEED, TOL, C, Table, code, load, seconds, timed, verdict
from ecocviz import ECOCClassifier, KernelMachine

TARGETS = {"one-vs-all": 8, "all-pairs": 6, "dense 3Q": 20}
CASES = [
    ("optdigits", 2000, 0.0625),
    ("optdigits", 2000, 1.0),
    ("satimage", 2000, 0.5),
    ("satimage", 2000, 4.0),
    ("pendigits", 2000, 4.0),
    ("segment", 1500, 4.0),
]


def one_column(X, t, X_test, gamma):
    """Train one calibrated SVC and return the probability of +1 of the test points, (n,)."""
    shown = t != 0
    svc = SVC(C=C, gamma=gamma, tol=TOL)
    machine = CalibratedClassifierCV(svc, method="sigmoid", cv=3, ensemble=False).fit(X[shown], t[shown])
    return machine.predict_proba(X_test)[:, 1]


def peer(problem, code_matrix, gamma, n_jobs=1):
    """Calibrate every column and decode by likelihood; the predicted classes, (n,)."""
    targets = code_matrix[problem.y]
    columns = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(one_column)(problem.X, targets[:, b], problem.X_test, gamma) for b in range(targets.shape[1])
    )
    return decode(np.stack(columns, axis=1), code_matrix)


def decode(probabilities, code_matrix):
    """Return the class of largest log likelihood, (n,), given P(bit = +1), (n, n_bits)."""
    p = np.clip(probabilities, 1e-300, 1 - 1e-16)
    log_likelihood = np.log(p) @ (code_matrix == 1).T + np.log1p(-p) @ (code_matrix == -1).T
    return log_likelihood.argmax(axis=1)


def ours(problem, code_matrix, gamma, n_jobs=1):
    """Fit the estimator that a user would and predict; the predicted classes, (n,)."""
    model = ECOCClassifier(
        code_matrix,
        decoding="likelihood",
        machine=KernelMachine(gamma=gamma, C=C, tol=OUR_TOL),
        calibration_folds=3,
        n_jobs=n_jobs,
        random_state=SEED,
    )
    return model.fit(problem.X, problem.y).predict(problem.X_test)


def measure() -> list[Table]:
    """Time both on one thread, and one case a family on two."""
    single = Table(
        "Likelihood pipeline against CalibratedClassifierCV(SVC, cv=3, ensemble=False) per column",
        "Train, 3 folds, sigmoids, predict 2000 points. Single-thread CPU seconds, rbf, C = 1, tol = 1e-3; "
        "ours is `ECOCClassifier.fit` and `.predict` as a user calls them.",
    )
    double = Table("The same on two threads", "Wall-clock seconds, threads over columns on both sides.")
    for name, n_rows, gamma in CASES:
        problem = load(name, n_rows)
        for family, target in TARGETS.items():
            matrix = code(family, problem.y.max() + 1)
            mine = timed(lambda p=problem, m=matrix, g=gamma: ours(p, m, g), repeats=5)
            other = timed(lambda p=problem, m=matrix, g=gamma: peer(p, m, g))
            head = {"data": f"{name} {n_rows}", "γ": gamma, "code": f"{family} ({matrix.shape[1]})"}
            single.rows.append(
                {
                    **head,
                    "ours s": seconds(mine.cpu),
                    "peer s": seconds(other.cpu),
                    **verdict(other.cpu / mine.cpu, target),
                    "our test error": f"{(mine.value != problem.y_test).mean():.4f}",
                    "peer test error": f"{(other.value != problem.y_test).mean():.4f}",
                }
            )
            if name == "satimage":
                mine = timed(lambda p=problem, m=matrix, g=gamma: ours(p, m, g, 2))
                other = timed(lambda p=problem, m=matrix, g=gamma: peer(p, m, g, 2), repeats=1)
                double.rows.append(
                    {
                        **head,
                        "ours s": seconds(mine.wall),
                        "peer s": seconds(other.wall),
                        "ratio": f"{other.wall / mine.wall:.1f}x",
                    }
                )
    return [single, double]
