import threading
import tracemalloc

import numpy as np
import oracles_machines as oracle
import pytest
from hearing import EndedError, ending, shares_to
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from strategies import examples

from ecocviz.engine.kernels.gram import Blocks, Kernel, gram_matrix
from ecocviz.engine.kernels.violations import raise_violations
from ecocviz.engine.machines._ways import room as room_module
from ecocviz.engine.machines._ways import rounds as rounds_module
from ecocviz.engine.machines._ways import working_set as module
from ecocviz.engine.machines._ways.problem import Problem
from ecocviz.engine.machines._ways.rounds import Limits, Machines, Rounds
from ecocviz.engine.machines._ways.whole import Whole
from ecocviz.engine.machines._ways.working_set import WorkingSet
from ecocviz.engine.progress import NO_PROGRESS

SETTINGS = {
    "rbf": {"name": "rbf", "gamma": 0.7},
    "narrow": {"name": "rbf", "gamma": 30.0, "bias": 0.0},
    "far": {"name": "rbf", "gamma": 1e9},
    "linear": {"name": "linear"},
    "poly": {"name": "poly", "degree": 2, "bias": 3.0},
    "precomputed": {"name": "precomputed"},
    "callable": {"name": "callable"},
}


def kernel_of(name, gamma=1.0, degree=3, bias=1.0):
    function = (
        (lambda a, b: np.exp(-0.5 * ((a[:, None] - b[None]) ** 2).sum(axis=2)))
        if name == "callable"
        else None
    )
    return Kernel(name, gamma, degree, bias, function)


def made_up(n=40, n_bits=4, seed=0, **changes):
    """Three noisy clouds with duplicates, columns with zeros, one of one side only and one of nothing."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, 3)) + generator.integers(0, 3, size=(n, 1))
    X[n // 2] = X[0]
    targets = generator.choice([-1, 1], size=(n, n_bits)).astype(np.int8)
    targets[:, 0] = np.where(X[:, 0] > 1, 1, -1)
    if changes.pop("easy", False):
        targets = np.sign(generator.normal(size=(n, n_bits)) * 0.3 + X @ generator.normal(size=(3, n_bits)))
        targets = targets.astype(np.int8)
    targets[generator.random((n, n_bits)) < 0.2] = 0
    targets[:, -1] = np.abs(targets[:, -1])
    if n_bits > 4:
        targets[:, 1] = 0
    numbers = dict(SETTINGS["rbf"])
    numbers.update(changes.pop("numbers", {}))
    kernel = kernel_of(**numbers)
    if kernel.name == "precomputed":
        X = gram_matrix(Kernel("rbf", 0.5, 1, 0.0), X)
    settings = {"C": 1.0, "weights": None, "tol": 1e-3, "max_updates": 10**6, "n_jobs": None}
    return Problem(kernel, X, targets, **{**settings, "memory_limit": None, **changes})


def with_sets_of(monkeypatch, size, rows=3):
    """Let no working set hold more points, and begin with few."""
    monkeypatch.setattr(
        module,
        "limits_for",
        lambda problem, _n, _bytes, tol: Limits(tol, problem.max_updates, size, 1e9, 1, None),
    )
    monkeypatch.setattr(module, "SAMPLE_ROWS", rows)


def trained(way, problem, start=None):
    alphas = np.zeros(problem.targets.shape[::-1]) if start is None else start
    return alphas, way(problem).train(alphas, NO_PROGRESS)


def dual_objective(problem, alphas):
    gram = gram_matrix(problem.kernel, problem.X)
    return [oracle.objective(gram, t, a) for t, a in zip(problem.signs(), alphas, strict=True)]


@given(
    seed=st.integers(0, 1_000),
    numbers=st.sampled_from(sorted(SETTINGS)),
    size=st.integers(8, 40),
    weighted=st.booleans(),
    C=st.sampled_from([0.1, 1.0, 10.0]),
)
@examples(25)
def test_it_is_the_machine_of_the_whole_gram_matrix(seed, numbers, size, weighted, C):
    weights = np.random.default_rng(seed).choice([0.0, 0.5, 2.0], size=40) if weighted else None
    problem = made_up(seed=seed, n_bits=5, numbers=SETTINGS[numbers], C=C, weights=weights, tol=1e-5)
    with pytest.MonkeyPatch.context() as patch:
        with_sets_of(patch, size)
        alphas, found = trained(WorkingSet, problem)
    known, expected = trained(Whole, problem)
    assert (found.judged[2] <= problem.tol).all()
    assert (alphas >= 0).all() and (alphas <= problem.bounds()).all()
    # The gap bounds what is missing to the best objective, of both.
    np.testing.assert_array_less(
        np.abs(np.subtract(dual_objective(problem, alphas), dual_objective(problem, known))),
        found.judged[0] + expected.judged[0] + 1e-9,
    )
    # Strong convexity: half the squared distance of two machines is at most the sum of their gaps.
    reach = np.sqrt(2 * np.sum([found.judged[0], expected.judged[0]], axis=0) * problem_diagonal(problem))
    assert (np.abs(found.scores - expected.scores) <= reach + 1e-6).all()
    gram = gram_matrix(problem.kernel, problem.X)
    np.testing.assert_allclose(found.scores, gram @ (alphas * problem.signs()).T, atol=1e-7)


def problem_diagonal(problem):
    return gram_matrix(problem.kernel, problem.X).diagonal().max()


@pytest.mark.thorough
@pytest.mark.parametrize("size", [8, 20, 300])
def test_points_that_decide_a_machine_need_not_fit_into_one_set(monkeypatch, size):
    problem = made_up(n=300, C=3.0)
    _, expected = trained(Whole, problem)
    with_sets_of(monkeypatch, size)
    alphas, found = trained(WorkingSet, problem)
    assert np.count_nonzero(alphas, axis=1).min() > 20
    assert (found.judged[2] <= problem.tol).all()
    np.testing.assert_allclose(found.scores, expected.scores, atol=0.02)


def test_it_goes_on_from_where_it_is(monkeypatch):
    problem = made_up(n=200)
    with_sets_of(monkeypatch, 60)
    alphas, cold = trained(WorkingSet, problem)
    near = problem.bounds() * 0.9
    near = np.minimum(near, alphas)
    _, warm = trained(WorkingSet, problem, near)
    np.testing.assert_allclose(warm.scores, cold.scores, atol=5e-3)
    assert warm.n_updates.sum() < cold.n_updates.sum()
    _, again = trained(WorkingSet, problem, alphas.copy())
    assert again.n_updates.sum() == 0


@pytest.mark.parametrize("numbers", sorted(SETTINGS))
@pytest.mark.parametrize("size", [15, 30])
def test_folds_and_left_out_points_are_those_of_the_whole_gram_matrix(monkeypatch, numbers, size):
    problem = made_up(n=30, numbers=SETTINGS[numbers], tol=1e-6)
    held = [np.arange(fold, 30, 3) for fold in range(3)]
    alphas, known = trained(Whole, problem)
    whole, ours = Whole(problem), WorkingSet(problem)
    with_sets_of(monkeypatch, size)
    for scores in (known.scores, None):
        for name, told in (("hold_out", [held]), ("leave_out", [])):
            more = [1e-6] if name == "leave_out" else []
            expected, found = (
                getattr(way, name)(*told, alphas.T, scores, *more, NO_PROGRESS, only_shown=False)
                for way in (whole, ours)
            )
            np.testing.assert_allclose(found, expected, atol=2e-4)
    np.testing.assert_allclose(ours.scores(alphas.T, NO_PROGRESS), known.scores, atol=1e-6)


def test_sparse_points_are_as_dense_ones():
    problem = made_up(n=80, tol=1e-6)
    thin = made_up(n=80, tol=1e-6)
    thin = Problem(**{name: getattr(thin, name) for name in thin.__slots__} | {"X": sparse.csr_array(thin.X)})
    (_, dense_found), (_, thin_found) = trained(WorkingSet, problem), trained(WorkingSet, thin)
    np.testing.assert_allclose(thin_found.scores, dense_found.scores, atol=1e-5)


def test_threads_do_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(rounds_module, "ROWS", 64)
    problems = [
        made_up(n=1_500, n_bits=6, n_jobs=n_jobs, memory_limit=12 << 20, easy=True) for n_jobs in (None, 2, 5)
    ]
    held = [np.arange(f, 1_500, 3) for f in range(3)]
    results = []
    for problem in problems:
        alphas, found = trained(WorkingSet, problem)
        out = WorkingSet(problem).hold_out(held, alphas.T, found.scores, NO_PROGRESS, only_shown=False)
        results.append((alphas, found.scores, out))
    for result in results[1:]:
        for ours, alone in zip(result, results[0], strict=True):
            np.testing.assert_array_equal(ours, alone)


@pytest.mark.parametrize("mebibytes", [9, 24])
@pytest.mark.parametrize("n_jobs", [1, 4])
def test_the_peak_stays_within_the_limit(mebibytes, n_jobs):
    n = 2_000
    problem = made_up(n=n, n_bits=5, n_jobs=n_jobs, memory_limit=mebibytes << 20, easy=True)
    held = [np.arange(f, n, 3) for f in range(3)]
    trained(WorkingSet, made_up(n=100))  # compiled and imported already
    alphas = np.zeros((5, n))
    tracemalloc.start()
    try:
        found = WorkingSet(problem).train(alphas, NO_PROGRESS)
        training = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        WorkingSet(problem).hold_out(held, alphas.T, found.scores, NO_PROGRESS, only_shown=False)
        holding = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.judged[2] <= problem.tol).all()
    assert max(training, holding) <= problem.memory_limit


def test_too_low_a_limit_is_refused_with_what_it_takes(monkeypatch):
    with pytest.raises(
        ValueError, match=r"40 points needs 0\.\d MiB at least, more than the 0\.0 MiB of mem"
    ):
        trained(WorkingSet, made_up(memory_limit=1_000))
    monkeypatch.setattr(room_module, "LITTLE", 0)
    monkeypatch.setattr(room_module, "available_memory", lambda: 10_000)
    with pytest.raises(ValueError, match=r"40 points needs 0\.0 GiB, and only 0\.0 GiB of memory are free"):
        trained(WorkingSet, made_up())


def test_rounding_of_single_precision_is_met_with_double(monkeypatch):
    precisions = []
    making = Blocks.__init__

    def noted(self, kernel, X, dtype):
        precisions.append(np.dtype(dtype).itemsize)
        making(self, kernel, X, dtype)

    monkeypatch.setattr(Blocks, "__init__", noted)
    for C, expected in ((1.0, [4]), (100.0, [4, 8])):
        problem = made_up(n=1_100, n_bits=3, C=C)
        precisions.clear()
        alphas, found = trained(WorkingSet, problem)
        assert precisions == expected
        assert (found.judged[2] <= problem.tol).all()
        gram = gram_matrix(problem.kernel, problem.X)
        np.testing.assert_allclose(found.scores, gram @ (alphas * problem.signs()).T, atol=2e-4)


def test_what_does_not_end_is_given_up_and_said(monkeypatch):
    problem = made_up(max_updates=3)
    _, found = trained(WorkingSet, problem)
    assert found.n_updates.max() == 3 and (found.judged[2] > problem.tol).any()
    alphas, _ = trained(WorkingSet, made_up(C=0.3))
    held = [np.arange(20), np.arange(20, 40)]
    with pytest.warns(ConvergenceWarning, match="of 8 kernel machines stopped at max_updates"):
        WorkingSet(problem).hold_out(held, alphas.T, None, NO_PROGRESS, only_shown=False)
    with pytest.warns(ConvergenceWarning, match="a violation above 1e-06"):
        WorkingSet(problem).leave_out(alphas.T, None, 1e-6, NO_PROGRESS, only_shown=False)
    # Where rounding undoes every step, some rounds are made and no more.
    monkeypatch.setattr(rounds_module, "solve_box_dual", lambda *_: (0, 0.0))
    _, idle = trained(WorkingSet, made_up())
    assert idle.n_updates.max() == 0


def test_it_tells_how_far_it_is_and_can_be_stopped():
    problem, told = made_up(n=200), []
    alphas = np.zeros((4, 200))
    found = WorkingSet(problem).train(alphas, shares_to(told.append))
    assert told == sorted(told) and told[-1] == 1.0
    before = threading.active_count()
    for work, more in (("hold_out", [[np.arange(90)]]), ("leave_out", [])):
        tol = [1e-6] if work == "leave_out" else []
        with pytest.raises(EndedError):
            getattr(WorkingSet(problem), work)(
                *more, alphas.T, found.scores, *tol, ending(calls=4), only_shown=False
            )
    assert threading.active_count() == before


def test_a_group_that_does_not_fit_is_trained_machine_by_machine():
    problem = made_up(n=120, n_bits=4, tol=1e-5)
    signs = problem.signs()
    machines = Machines(signs, problem.bounds(), np.zeros(signs.shape), signs.copy())
    rounds = Rounds(
        Blocks(problem.kernel, problem.X, np.float64),
        machines,
        [np.arange(4)],
        Limits(1e-5, 10**6, 30, 1e9, 1, None),
        NO_PROGRESS,
    )
    rounds.run()
    assert (rounds.violations <= 1e-5).all()
    _, expected = trained(Whole, problem)
    np.testing.assert_allclose((signs - machines.residuals).T, expected.scores, atol=1e-2)


# What it is made of ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", sorted(SETTINGS))
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("thin", [False, True])
def test_blocks_are_parts_of_the_gram_matrix(monkeypatch, numbers, dtype, thin):
    problem = made_up(n=50, numbers=SETTINGS[numbers])
    X = sparse.csr_array(problem.X) if thin and numbers not in ("precomputed", "callable") else problem.X
    gram = gram_matrix(problem.kernel, X)
    monkeypatch.setattr("ecocviz.engine.kernels.gram.TILE", 7)
    blocks = Blocks(problem.kernel, X, dtype)
    points = np.array([0, 3, 4, 17, 25, 31, 32, 33, 49])
    square = blocks.square(points, np.empty(100, dtype=dtype))
    assert square.dtype == dtype and square.flags.c_contiguous
    np.testing.assert_allclose(square, gram[np.ix_(points, points)], rtol=1e-4, atol=1e-5)
    weights = np.random.default_rng(1).normal(size=(points.size, 3))
    contributions = blocks.contributions(points, weights)
    for rows in (slice(0, 20), slice(45, 70)):
        np.testing.assert_allclose(contributions(rows), gram[rows][:, points] @ weights, rtol=1e-4, atol=1e-3)


@given(seed=st.integers(0, 10_000))
@examples(30)
def test_violations_are_those_of_the_definition(seed):
    generator = np.random.default_rng(seed)
    signs = generator.choice([-1.0, 1.0, 0.0], size=12)
    upper = np.where(signs == 0, 0.0, generator.choice([0.0, 1.0, 2.0], size=12))
    alphas = upper * generator.choice([0.0, 0.5, 1.0], size=12)
    residual = generator.normal(size=12)
    before = generator.normal(size=12)
    largest = before.copy()
    worst, objective = raise_violations(signs, upper, alphas, residual, largest)
    violations = []
    for t, c, a, r in zip(signs, upper, alphas, residual, strict=True):
        rising, falling = a < c, a > 0
        violations.append(max([t * r] * int(rising) + [-t * r] * int(falling), default=-np.inf))
    assert worst == max(violations)
    np.testing.assert_array_equal(largest, np.maximum(before, violations))
    assert objective == pytest.approx((alphas * (1 + signs * residual)).sum() / 2)
