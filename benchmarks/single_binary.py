"""One binary machine: the Kronecker solver against libsvm on all copies of every point, written out."""

import tracemalloc
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from benchmarks.common import FILES, Table, seconds, timed, verdict
from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.reductions.single_binary.class_kernels import class_kernel, combine, unit_extensions
from ecocviz.engine.reductions.single_binary.replicas import Replicas
from ecocviz.engine.reductions.single_binary.solver import solve
from ecocviz.engine.reductions.single_binary.weights import (
    STEADY,
    Weighted,
    l2_step,
    learn,
)

SIGMA = 2.0
GAMMA = 1 / (2 * SIGMA**2)
MOST_UPDATES = 100_000_000
SETS = ("iris_uci", "wine", "new-thyroid", "tae", "balance", "vehicle", "car")


def one_hot(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return all rows, words as columns of 0 and 1, standardised, and class indices."""
    table = pd.read_csv(FILES / f"{name}.csv.gz")
    y = pd.factorize(table.iloc[:, -1].astype(str), sort=True)[0].astype(np.int64)
    X = pd.get_dummies(table.iloc[:, :-1]).to_numpy(dtype=np.float64)
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def signs(y: np.ndarray) -> np.ndarray:
    """Return +1 for the copy of the true class and -1 for the others, (n_samples, n_classes)."""
    return 2.0 * np.eye(int(y.max()) + 1)[y] - 1.0


def basis(n_classes: int) -> np.ndarray:
    """Return the paper's class kernels, (n_classes, n_classes, n_classes)."""
    return np.stack([class_kernel(M, GAMMA) for M in unit_extensions(n_classes)])


def ours(X: np.ndarray, y: np.ndarray, C: float, rule: str = "l2", tol: float = 1e-3) -> Weighted:
    """Learn weights and machine, Gram matrix included."""
    Y = signs(y)
    problem = Replicas.boxed(gram_matrix(Kernel("rbf", GAMMA, 3, 0.0), X), Y, C)
    c = Y.shape[1]
    start = np.full(c, np.sqrt(len(X)) / c)
    return learn(problem, basis(c), start, rule, tol=tol, max_updates=MOST_UPDATES)


def written_out(
    X: np.ndarray, y: np.ndarray, C: float, *, keep: bool = True, rounds: int = 100
) -> tuple[float, int]:
    """Take the same rounds on explicit matrices; return the objective and the number of rounds.

    With `keep` the matrix of every class kernel is held, as Algorithm 2 writes it; without, one
    matrix is made anew in each round and the slopes use the product structure.
    """
    Y = signs(y)
    (m, c), labels = Y.shape, Y.ravel()
    gram, kernels = gram_matrix(Kernel("rbf", GAMMA, 3, 0.0), X), basis(Y.shape[1])
    matrices = [np.kron(gram, V) for V in kernels] if keep else []
    mu = np.full(c, np.sqrt(m) / c)
    value = 0.0
    for number in range(rounds):
        if keep:
            K = mu[0] * matrices[0]
            for weight, matrix in zip(mu[1:], matrices[1:], strict=True):
                K += weight * matrix
        else:
            K = np.kron(gram, combine(mu, kernels))
        machine = SVC(C=C, kernel="precomputed", tol=1e-3, cache_size=2000).fit(K, labels)
        b = np.zeros(m * c)
        b[machine.support_] = machine.dual_coef_[0]
        value = float(2 * labels @ b - b @ (K @ b))
        if keep:
            q = np.array([b @ (matrix @ b) for matrix in matrices])
        else:
            B = b.reshape(m, c)
            q = np.tensordot(kernels, B.T @ gram @ B, axes=2)
        moved = l2_step(mu, q, np.sqrt(m))
        if np.linalg.norm(moved - mu) <= STEADY * np.linalg.norm(mu):
            return value, number + 1
        mu = moved
    return value, rounds


def peak(function: Callable[[], object]) -> float:
    """Return the largest memory a call holds in arrays, in MiB; libsvm's own is not seen."""
    tracemalloc.start()
    function()
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return top / 2**20


def algorithm_2() -> list[Table]:
    """Compare time and memory of learning the class kernel."""
    times = Table(
        "SBC-KERNEL against Algorithm 2 on all copies, written out, with SVC",
        f"Single-thread CPU seconds, Gram matrix included, sigma = {SIGMA:g}, tol 1e-3, the same weight "
        "update (l2) and stopping rule; one matrix: the rival too uses the product structure for everything "
        "but its machines.",
    )
    memory = Table(
        "Memory of SBC-KERNEL",
        "Largest memory held in arrays, MiB; what libsvm itself takes is not counted. Where many "
        "coefficients are free (tae), Newton's method holds a matrix nearly as large as the Gram matrix.",
    )
    for name in SETS:
        X, y = one_hot(name)
        for C in (1.0, 8.0):
            fast = timed(lambda a=(X, y, C): ours(*a), repeats=5)
            slow = timed(lambda a=(X, y, C): written_out(*a), repeats=3)
            lean = timed(lambda a=(X, y, C): written_out(*a, keep=False), repeats=3)
            value, rounds = slow.value
            times.rows.append(
                {
                    "data": f"{name} {len(X)}",
                    "copies": signs(y).size,
                    "C": C,
                    "rounds": f"{fast.value.history.size} / {rounds}",
                    "ours s": seconds(fast.cpu),
                    "written out s": seconds(slow.cpu),
                    **verdict(slow.cpu / fast.cpu, 4),
                    "one matrix": f"{lean.cpu / fast.cpu:.1f}x",
                    "objective differs by": f"{abs(fast.value.solution.objective / value - 1):.0e}",
                }
            )
        small, large = (
            peak(lambda a=(X, y, 8.0): ours(*a)),
            peak(lambda a=(X, y, 8.0): written_out(*a, rounds=1)),
        )
        lean_peak = peak(lambda a=(X, y, 8.0): written_out(*a, keep=False, rounds=1))
        memory.rows.append(
            {
                "data": f"{name} {len(X)}",
                "ours MiB": f"{small:.1f}",
                "written out MiB": f"{large:.1f}",
                **verdict(large / small, 25),
                "one matrix MiB": f"{lean_peak:.1f}",
            }
        )
    return [times, memory]


def single_solve() -> Table:
    """One machine from a cold start, where the explicit matrix is there already."""
    table = Table(
        "One cold machine against SVC on a matrix that is there already",
        "CPU seconds of the solvers alone, uniform weights, R = sqrt(m). bursts: Newton's method on the free "
        "coefficients; without: pair steps only. The gain is memory, not time, unless tolerances are fine.",
    )
    for name, C, tol in (
        ("balance", 1.0, 1e-3),
        ("balance", 16.0, 1e-3),
        ("balance", 16.0, 1e-6),
        ("tae", 256.0, 1e-3),
        ("vehicle", 1.0, 1e-3),
        ("vehicle", 16.0, 1e-3),
    ):
        X, y = one_hot(name)
        Y = signs(y)
        c, gram = Y.shape[1], gram_matrix(Kernel("rbf", GAMMA, 3, 0.0), X)
        V = combine(np.full(c, np.sqrt(len(X)) / c), basis(c))
        problem = Replicas.boxed(gram, Y, C)
        runs = {
            bursts: timed(
                lambda p=problem, V=V, t=tol, b=bursts: solve(p, V, tol=t, max_updates=MOST_UPDATES, bursts=b)
            )
            for bursts in (True, False)
        }
        K, labels = np.kron(gram, V), Y.ravel()
        machine = SVC(C=C, kernel="precomputed", tol=tol, cache_size=2000)
        theirs = timed(lambda s=machine, K=K, t=labels: s.fit(K, t))
        b = np.zeros(Y.size)
        b[theirs.value.support_] = theirs.value.dual_coef_[0]
        value = 2 * labels @ b - b @ K @ b
        table.rows.append(
            {
                "data": f"{name} {len(X)}",
                "C": C,
                "tol": tol,
                "ours s": seconds(runs[True].cpu),
                "without bursts s": seconds(runs[False].cpu),
                "SVC s": seconds(theirs.cpu),
                "ratio": f"{theirs.cpu / runs[True].cpu:.1f}x",
                "objective differs by": f"{abs(runs[True].value.objective / value - 1):.0e}",
            }
        )
    return table


def rules() -> Table:
    """Count rounds, objectives and failures of the ways to find weights."""
    table = Table(
        "Weights of the class kernels",
        "Over sigma in 1, 2, 4 and C in 1/cm, 1, 8, 64, tol 1e-5: rounds, runs that did not settle, and the "
        "mean share by which the objective exceeds that of the rule simplex, which solves the problem the "
        "paper states.",
    )
    for name in ("iris_uci", "wine", "new-thyroid", "tae"):
        X, y = one_hot(name)
        Y = signs(y)
        c, m = Y.shape[1], len(X)
        found: dict[str, list[tuple[int, bool, float]]] = {}
        for sigma in (1.0, 2.0, 4.0):
            gamma = 1 / (2 * sigma**2)
            gram = gram_matrix(Kernel("rbf", gamma, 3, 0.0), X)
            kernels = np.stack([class_kernel(M, gamma) for M in unit_extensions(c)])
            for C in (1 / Y.size, 1.0, 8.0, 64.0):
                problem = Replicas.boxed(gram, Y, C)
                runs = {rule: _by_rule(problem, kernels, rule) for rule in ("simplex", *RULES)}
                best = runs.pop("simplex").solution.objective
                for rule, run in runs.items():
                    excess = run.solution.objective / best - 1
                    found.setdefault(rule, []).append((run.history.size, run.converged, excess))
        for rule, runs in found.items():
            rounds = [n for n, _, _ in runs]
            table.rows.append(
                {
                    "data": f"{name} {m}",
                    "rule": rule,
                    "rounds median / most": f"{np.median(rounds):.0f} / {max(rounds)}",
                    "not settled": sum(not settled for _, settled, _ in runs),
                    "objective above simplex": f"{np.mean([e for _, _, e in runs]):.2%}",
                }
            )
    return table


RULES = ("l2", "literal", "prior", "uniform")


def _by_rule(problem: Replicas, kernels: np.ndarray, rule: str) -> Weighted:
    m, c = problem.targets.shape
    start = np.full(c, np.sqrt(m) / c)
    if rule == "prior":
        start = np.sqrt(m) * (problem.targets > 0).mean(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return learn(problem, kernels, start, rule, tol=1e-5, max_updates=MOST_UPDATES)


def growth() -> Table:
    """Time against the number of points and of classes, and memory beyond the Gram matrix."""
    table = Table(
        "Growth of one cold machine",
        "Points of pendigits, uniform weights, C = 1, tol 1e-3; classes: the first ones, the same number of "
        "points. Memory: most that was held beyond the Gram matrix, in tables of (points, classes) doubles.",
    )
    X, y = one_hot("pendigits")
    for n_samples, n_classes in ((500, 10), (1000, 10), (2000, 10), (4000, 10), (1000, 3), (1000, 6)):
        rows = np.random.default_rng(0).permutation(np.flatnonzero(y < n_classes))[:n_samples]
        Y = signs(y[rows])
        problem = Replicas.boxed(gram_matrix(Kernel("rbf", GAMMA, 3, 0.0), X[rows]), Y, 1.0)
        V = combine(np.full(n_classes, np.sqrt(n_samples) / n_classes), basis(n_classes))
        run = timed(lambda p=problem, V=V: solve(p, V, tol=1e-3, max_updates=MOST_UPDATES))
        held = peak(lambda p=problem, V=V: solve(p, V, tol=1e-3, max_updates=MOST_UPDATES))
        table.rows.append(
            {
                "points": n_samples,
                "classes": n_classes,
                "copies": Y.size,
                "s": seconds(run.cpu),
                "steps": run.value.n_updates,
                "memory": f"{held * 2**20 / (8 * Y.size):.1f}",
            }
        )
    return table


def measure() -> list[Table]:
    """Run all tables; the first call compiles and is not counted, because the fastest run counts."""
    X, y = one_hot("iris_uci")
    ours(X, y, 1.0)
    return [*algorithm_2(), single_solve(), rules(), growth()]
