"""The multiclass estimators of scikit-learn against ours, fit and predict."""

from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.svm import SVC

from benchmarks.common import OUR_TOL, SEED, TOL, C, Table, code, load, seconds, timed
from ecocviz import ECOCClassifier, KernelMachine

CASES = [
    ("optdigits", 2000, 0.0625),
    ("satimage", 2000, 2.0),
    ("pendigits", 2000, 4.0),
    ("segment", 1500, 4.0),
]


def peers(gamma):
    """Return scikit-learn's estimator, our code family and our decoding, by name."""
    svc = SVC(C=C, gamma=gamma, tol=TOL)
    return {
        "OneVsRestClassifier": (OneVsRestClassifier(svc, n_jobs=1), "one-vs-all", "linear"),
        "OneVsOneClassifier": (OneVsOneClassifier(svc, n_jobs=1), "all-pairs", "hamming"),
        "OutputCodeClassifier": (
            OutputCodeClassifier(svc, code_size=3, random_state=SEED, n_jobs=1),
            "dense 3Q",
            "euclidean",
        ),
    }


def measure() -> Table:
    """Time fit and predict of 2000 points."""
    table = Table(
        "Against scikit-learn's multiclass estimators around SVC",
        "Fit and predict 2000 points; single-thread CPU seconds, rbf, C = 1, tol = 1e-3. "
        "OutputCodeClassifier draws its own code of the same length.",
    )
    for name, n_rows, gamma in CASES:
        problem = load(name, n_rows)
        for title, (estimator, family, decoding) in peers(gamma).items():
            model = ECOCClassifier(
                code(family, problem.y.max() + 1),
                decoding=decoding,
                machine=KernelMachine(gamma=gamma, C=C, tol=OUR_TOL),
                n_jobs=1,
            )
            ours = timed(lambda p=problem, m=model: m.fit(p.X, p.y).predict(p.X_test), repeats=5)
            theirs = timed(lambda p=problem, e=estimator: e.fit(p.X, p.y).predict(p.X_test))
            table.rows.append(
                {
                    "data": f"{name} {n_rows}",
                    "γ": gamma,
                    "peer": title,
                    "ours s": seconds(ours.cpu),
                    "peer s": seconds(theirs.cpu),
                    "ratio": f"{theirs.cpu / ours.cpu:.1f}x",
                    "our test error": f"{(ours.value != problem.y_test).mean():.4f}",
                    "peer test error": f"{(theirs.value != problem.y_test).mean():.4f}",
                }
            )
    return table
