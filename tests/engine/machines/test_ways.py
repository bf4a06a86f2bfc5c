"""The ways of finding coefficients reach the same machines; which is taken depends on the problem."""

import itertools
import pickle
import re
import threading
import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import oracles_machines as oracle
import pytest
from hearing import EndedError, shares_to
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from strategies import examples

from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.engine.columns import train_columns
from ecocviz.engine.kernels.gram import Blocks, Kernel, expand, gram_matrix
from ecocviz.engine.machines import _kernel_columns
from ecocviz.engine.machines._ways import by_column, choice, whole
from ecocviz.engine.machines._ways.by_column import ByColumn
from ecocviz.engine.machines._ways.choice import choose_way
from ecocviz.engine.machines._ways.problem import Problem
from ecocviz.engine.machines._ways.rows import RowMaker, Shown
from ecocviz.engine.machines._ways.whole import Whole
from ecocviz.engine.machines._ways.working_set import WorkingSet
from ecocviz.engine.progress import NO_PROGRESS

KERNELS = [
    Kernel("rbf", 0.7, 3, 1.0),
    Kernel("rbf", 30.0, 3, 0.0),
    Kernel("linear", 1.0, 3, 1.0),
    Kernel("poly", 1.0, 2, 3.0),
]


@st.composite
def problems(draw):
    """Points with duplicates, sparse columns, one of them empty and one with one side, weights with zeros."""
    generator = np.random.default_rng(draw(st.integers(0, 10_000)))
    n, n_bits = draw(st.integers(1, 24)), draw(st.integers(1, 4))
    X = generator.integers(-2, 3, size=(n, draw(st.integers(1, 6)))) / 2
    targets = generator.choice([-1, 0, 1], size=(n, n_bits + 2)).astype(np.int8)
    targets[:, 0], targets[:, 1] = 0, np.abs(targets[:, 1])
    shape = draw(st.sampled_from([None, (n,), targets.shape]))
    weights = None if shape is None else generator.choice([0.0, 0.5, 1.0, 3.0], size=shape)
    kernel, C = draw(st.sampled_from(KERNELS)), draw(st.sampled_from([0.1, 1.0, 20.0]))
    limit = draw(st.sampled_from([None, 1.0]))  # two rows at a time, and all
    return Problem(kernel, X, targets, C, weights, 1e-8, 500_000, 1, limit)


def trained(way, start=None):
    alphas = np.zeros(way.problem.targets.shape[::-1]) if start is None else start.copy()
    found = way.train(alphas, NO_PROGRESS)
    return alphas, found


def whole_of(problem):
    """The whole Gram matrix of the same problem, whatever its memory."""
    settings = {name: getattr(problem, name) for name in Problem.__dataclass_fields__}
    return Whole(Problem(**{**settings, "memory_limit": None}))


@given(problem=problems())
@examples(40)
def test_each_column_on_its_own_points_is_as_good_as_all_on_the_whole_matrix(problem):
    alphas, found = trained(ByColumn(problem))
    expected, reference = trained(whole_of(problem))
    gram = oracle.gram(
        problem.kernel.name, problem.X, gamma=problem.kernel.gamma, degree=2, bias=problem.kernel.bias
    )
    signs, bounds = problem.signs(), problem.bounds()
    assert ((alphas >= 0) & (alphas <= bounds)).all()
    assert (found.judged[2] <= problem.tol).all()
    scale = 1 + np.abs(reference.scores).max()
    for b, t in enumerate(signs):
        objective = oracle.objective(gram, t, alphas[b])
        assert objective == pytest.approx(oracle.objective(gram, t, expected[b]), abs=1e-6 * scale)
        shown = t != 0
        residual = t - gram @ (alphas[b] * t)
        v = (t * residual)[shown]
        gap = (bounds[b][shown] * np.maximum(v, 0) - alphas[b][shown] * v).sum()
        assert found.judged[0, b] == pytest.approx(gap, abs=1e-6 * scale)
    np.testing.assert_allclose(found.judged[1], reference.judged[1], atol=1e-4 * scale)
    scores = ByColumn(problem).scores(np.ascontiguousarray(alphas.T), NO_PROGRESS)
    np.testing.assert_allclose(scores, reference.scores, atol=1e-4 * scale)


@given(problem=problems(), n_folds=st.integers(1, 5), seed=st.integers(0, 100))
@examples(25)
def test_held_out_scores_are_those_on_the_whole_matrix(problem, n_folds, seed):
    n = problem.X.shape[0]
    fold_ids = np.random.default_rng(seed).integers(0, n_folds, size=n)
    held = [np.flatnonzero(fold_ids == fold) for fold in np.unique(fold_ids)]
    alphas = np.ascontiguousarray(trained(whole_of(problem))[0].T)
    expected = whole_of(problem).hold_out(held, alphas, None, NO_PROGRESS, only_shown=False)
    scale = 1 + np.abs(expected).max()
    found = ByColumn(problem).hold_out(held, alphas, None, NO_PROGRESS, only_shown=False)
    np.testing.assert_allclose(found, expected, atol=2e-4 * scale)
    spared = ByColumn(problem).hold_out(held, alphas, None, NO_PROGRESS, only_shown=True)
    shown = problem.targets != 0
    np.testing.assert_allclose(spared[shown], expected[shown], atol=2e-4 * scale)
    assert np.isfinite(spared).all()


@given(problem=problems())
@examples(25)
def test_leave_one_out_scores_are_those_on_the_whole_matrix(problem):
    alphas = np.ascontiguousarray(trained(whole_of(problem))[0].T)
    expected = whole_of(problem).leave_out(alphas, None, 1e-8, NO_PROGRESS, only_shown=False)
    scale = 1 + np.abs(expected).max()
    found = ByColumn(problem).leave_out(alphas, None, 1e-8, NO_PROGRESS, only_shown=False)
    np.testing.assert_allclose(found, expected, atol=2e-4 * scale)
    spared = ByColumn(problem).leave_out(alphas, None, 1e-8, NO_PROGRESS, only_shown=True)
    shown = problem.targets != 0
    np.testing.assert_allclose(spared[shown], expected[shown], atol=2e-4 * scale)


@pytest.mark.parametrize("way", [whole_of, ByColumn, WorkingSet])
def test_left_out_scores_are_those_of_finished_machines_also_where_no_machine_was_shown_the_point(way):
    coarse, fine = sparse_problem(n=60, tol=0.5), sparse_problem(n=60, tol=1e-10)
    expected, scores = (
        whole_of(fine).leave_out(np.ascontiguousarray(alphas.T), None, 1e-10, NO_PROGRESS, only_shown=False)
        for alphas in (trained(whole_of(fine))[0], trained(whole_of(coarse))[0])
    )
    np.testing.assert_allclose(scores, expected, atol=1e-6)
    alphas = np.ascontiguousarray(trained(way(coarse))[0].T)
    rough = way(coarse).scores(alphas, NO_PROGRESS)
    found = way(coarse).leave_out(alphas, rough, 1e-10, NO_PROGRESS, only_shown=False)
    assert np.abs(rough - expected)[fine.targets == 0].max() > 1e-3
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("way", [whole_of, ByColumn, WorkingSet])
def test_machines_that_are_given_up_are_no_more_than_there_are(way):
    problem = sparse_problem(n=40, tol=1e-3)
    alphas = np.ascontiguousarray(trained(whole_of(problem))[0].T)
    few = replace(problem, max_updates=1)
    with pytest.warns(ConvergenceWarning, match="kernel machines stopped") as told:
        way(few).leave_out(alphas, None, 1e-12, NO_PROGRESS, only_shown=False)
    n_open, n_machines = re.match(r"(\d+) of (\d+) ", str(told[0].message)).groups()
    assert 0 < int(n_open) <= int(n_machines)


def made_up(n=300, n_classes=5, d=7, seed=0):
    generator = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = generator.normal(size=(n_classes, d))[y] + generator.normal(size=(n, d))
    return X, y


def sparse_problem(n=300, **changed):
    X, y = made_up(n)
    pairs = list(itertools.combinations(range(5), 2))
    code = np.zeros((5, len(pairs)), dtype=np.int8)
    for b, (one, other) in enumerate(pairs):
        code[one, b], code[other, b] = 1, -1
    settings = {
        "kernel": Kernel("rbf", 0.1, 3, 1.0),
        "X": X,
        "targets": code[y],
        "C": 1.0,
        "weights": None,
        "tol": 1e-3,
        "max_updates": 10**6,
        "n_jobs": 1,
        "memory_limit": None,
    }
    return Problem(**{**settings, **changed})


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n", [1, 2, 15, 17, 511, 513, 1_030])
def test_rows_are_those_of_the_gram_matrix(kernel, n):
    X = np.random.default_rng(n).normal(size=(n, 5))
    problem = sparse_problem(kernel=kernel, X=X, targets=np.ones((n, 1), dtype=np.int8))
    with RowMaker(problem, Shown(problem)).rows(0) as rows:
        by_column.signed_sums(rows, np.ones(n))  # asks for all
        made = rows.values[rows.slots]
    exact = gram_matrix(kernel, X)
    single = made.dtype == np.float32
    assert single == (n > 1_000)
    np.testing.assert_allclose(made, exact, rtol=0, atol=(2e-7 if single else 1e-12) * exact.max())


def test_how_many_rows_are_kept_does_not_change_a_bit():
    few, many = (trained(ByColumn(sparse_problem(memory_limit=limit))) for limit in (1.0, None))
    np.testing.assert_array_equal(few[0], many[0])
    np.testing.assert_array_equal(few[1].judged, many[1].judged)


def test_threads_and_repetition_do_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(by_column, "_TASKS", 3)
    one, again, four = (trained(ByColumn(sparse_problem(n_jobs=jobs))) for jobs in (1, 1, 4))
    for other in (again, four):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1].n_updates, other[1].n_updates)


@pytest.mark.parametrize("steps", [1, 7])
def test_parts_between_two_looks_lead_to_the_same_machines(steps, monkeypatch):
    expected, _ = trained(ByColumn(sparse_problem(tol=1e-7)))
    monkeypatch.setattr(by_column, "STEPS_BETWEEN_REFRESHES", steps)
    alphas, found = trained(ByColumn(sparse_problem(tol=1e-7)))
    np.testing.assert_allclose(alphas, expected, atol=1e-4)
    assert (found.judged[2] <= 1e-7).all()


def test_points_far_apart_are_told_in_double_precision():
    X, y = made_up(1_100)
    far = np.concatenate([X + 1e4, X - 1e4])
    targets = np.where(np.tile(y, 2) % 2 == 0, 1, -1).astype(np.int8)[:, None]
    problem = sparse_problem(X=far, targets=targets, kernel=Kernel("rbf", 0.5, 3, 1.0))
    with RowMaker(problem, Shown(problem)).rows(0) as rows:
        assert rows.values.dtype == np.float32 and rows.points.dtype == np.float64
        by_column.signed_sums(rows, np.ones(far.shape[0]))
        np.testing.assert_allclose(rows.values[rows.slots], gram_matrix(problem.kernel, far), atol=2e-7)


@pytest.mark.parametrize(
    "changed, way",
    [
        ({}, Whole),  # few points
        ({"memory_limit": 1e4}, ByColumn),
        ({"n": 1_200}, ByColumn),
        ({"n": 1_200, "tol": 1e-6}, ByColumn),
        ({"n": 1_200, "dense": True}, Whole),  # ten columns on all points
        ({"n": 1_200, "dense": True, "memory_limit": 1e6}, WorkingSet),
        ({"n": 1_200, "lopsided": True, "memory_limit": 4e6}, ByColumn),
        ({"n": 1_200, "lopsided": True, "memory_limit": 6e6}, Whole),
        ({"n": 1_200, "kernel": Kernel("callable", 1.0, 3, 1.0, np.inner)}, Whole),
        ({"n": 1_200, "kernel": Kernel("precomputed", 1.0, 3, 1.0)}, Whole),
        ({"n": 1_200, "thin": True}, Whole),
        ({"n": 1_200, "thin": True, "memory_limit": 1e6}, WorkingSet),
        ({"n": 6_000, "thin": True}, Whole),  # 144 MB
        ({"n": 6_000, "lopsided": True}, ByColumn),  # rows that machines may rest on take less
        ({"n": 6_000, "balanced": True}, Whole),
        ({"n": 11_000, "balanced": True}, WorkingSet),
    ],
)
def test_the_way_depends_on_what_the_columns_share(changed, way):
    changed = dict(changed)
    n = changed.pop("n", 300)
    dense, thin, lopsided, balanced = (
        changed.pop(name, False) for name in ("dense", "thin", "lopsided", "balanced")
    )
    problem = sparse_problem(n, **changed)
    if balanced:
        sides = np.where(np.arange(n) % 2 == 0, 1, -1).astype(np.int8)
        problem = sparse_problem(n, **changed, targets=np.tile(sides[:, None], 5))
    if dense:
        problem = sparse_problem(n, **changed, targets=np.where(problem.targets == 0, 1, problem.targets))
    if lopsided:
        problem = sparse_problem(n, **changed, targets=np.where(problem.targets > 0, 1, -1).astype(np.int8))
    if thin:
        problem = sparse_problem(n, **changed, X=sparse.csr_array(problem.X))
    assert type(choose_way(problem)) is way


@pytest.mark.parametrize("name", ["rbf", "poly", "linear"])
def test_products_of_points_without_zeros_are_those_of_points(name):
    """Blocks turn points once; in whatever parts kernel values are made, they are those of dense points."""
    X = sparse.random_array((700, 40), density=0.1, rng=np.random.default_rng(0), format="csr")
    kernel, weights = Kernel(name, 0.3, 2, 1.0), np.random.default_rng(1).normal(size=(600, 2))
    exact, some = gram_matrix(kernel, X.toarray()), np.arange(50, 650)
    np.testing.assert_allclose(gram_matrix(kernel, X), exact, atol=1e-12)
    np.testing.assert_allclose(expand(kernel, X, X[some], weights), exact[:, some] @ weights, atol=1e-10)
    told = Blocks(kernel, X, np.float64).contributions(some, weights)
    np.testing.assert_allclose(told(slice(3, 90)), exact[3:90, some] @ weights, atol=1e-10)


def test_rows_are_made_where_the_machine_has_little_memory_left(monkeypatch):
    problem = sparse_problem(2_500, targets=np.ones((2_500, 5), dtype=np.int8))
    problem.targets[50:] = -1
    assert isinstance(choose_way(problem), Whole)
    for module in (choice, by_column.RowMaker.__init__.__globals__):
        where = module if isinstance(module, dict) else vars(module)
        monkeypatch.setitem(where, "available_memory", lambda: 1 << 20)
    way = choose_way(problem)
    assert isinstance(way, ByColumn)
    assert RowMaker(problem, Shown(problem)).room < 1 << 20


def codes(n=1_200, **changed):
    """The same estimator either way."""
    X, y = made_up(n)
    return X, y, ECOCClassifier("one-vs-one", machine=KernelMachine(gamma=0.1, C=1.0), **changed)


def test_fitting_makes_no_scores_that_nobody_asks_for(monkeypatch):
    X, y, model = codes(decoding="likelihood")
    monkeypatch.setattr(ByColumn, "scores", None)
    monkeypatch.setattr(ByColumn, "_scores_of", None)
    model.fit(X, y)
    monkeypatch.undo()
    columns = model.columns_
    expected = gram_matrix(columns.kernel, X) @ (columns.alphas * columns.targets)
    np.testing.assert_allclose(columns.scores, expected, atol=1e-5)
    np.testing.assert_allclose(columns.gram, gram_matrix(columns.kernel, X), atol=1e-6)
    assert columns.scores is columns.scores


def test_estimators_are_alike_whichever_way(monkeypatch):
    X, y, model = codes(decoding="likelihood", random_state=0)
    mine = model.fit(X, y)
    monkeypatch.setattr(_kernel_columns, "choose_way", Whole)
    _, _, other = codes(decoding="likelihood", random_state=0)
    other.fit(X, y)
    np.testing.assert_allclose(mine.columns_.scores, other.columns_.scores, atol=5e-3)
    np.testing.assert_allclose(mine.columns_.score_accuracy, other.columns_.score_accuracy)
    np.testing.assert_allclose(mine.sigmoids_, other.sigmoids_, rtol=0.05, atol=0.02)
    np.testing.assert_allclose(mine.predict_proba(X[:50]), other.predict_proba(X[:50]), atol=0.01)
    assert abs(mine.loo_bound().error - other.loo_bound().error) <= 0.002


def test_copies_and_released_columns_compute_the_same():
    X, y, model = codes(decoding="hamming")
    columns = model.fit(X, y).columns_
    folds = np.arange(y.size) % 3
    before = columns.held_out_scores(folds)
    columns.release()
    np.testing.assert_array_equal(columns.held_out_scores(folds), before)
    data = pickle.dumps(columns)
    copy = pickle.loads(data)  # noqa: S301 - made above
    assert len(data) < 3 * (columns.alphas.nbytes + columns.targets.nbytes + X.nbytes)
    np.testing.assert_array_equal(copy.held_out_scores(folds), before)
    np.testing.assert_array_equal(copy.scores, columns.scores)


def test_a_warm_start_is_gone_on_from():
    X, y, model = codes(decoding="hamming")
    columns = model.fit(X, y).columns_
    again = train_columns(model.machine, X, columns.targets, start=columns.alphas)
    assert again.n_updates.sum() == 0
    np.testing.assert_array_equal(again.alphas, columns.alphas)


def test_unconverged_columns_are_said():
    problem = sparse_problem(max_updates=2)
    alphas, found = trained(ByColumn(problem))
    assert (found.n_updates == 2).all() and (found.judged[2] > problem.tol).all()
    held = [np.arange(0, 300, 2), np.arange(1, 300, 2)]
    with pytest.warns(ConvergenceWarning, match="in their folds"):
        ByColumn(problem).hold_out(held, alphas.T, None, NO_PROGRESS, only_shown=True)
    with pytest.warns(ConvergenceWarning, match="a violation above"):
        ByColumn(problem).leave_out(alphas.T, None, 1e-6, NO_PROGRESS, only_shown=True)


@pytest.mark.parametrize("work", ["train", "hold_out", "leave_out"])
def test_one_long_column_can_be_cancelled(work, monkeypatch):
    problem = sparse_problem(targets=np.ones((300, 1), dtype=np.int8), max_updates=10**9)
    way, alphas = ByColumn(problem), np.zeros((300, 1))
    enough, count = threading.Event(), itertools.count()

    def crawl(*_arguments):
        enough.wait(30)
        return (10**9 if next(count) > 10**6 else 1), 1.0

    def ask(_fraction, asked=[]):  # noqa: B006 - counts
        asked.append(True)
        if len(asked) == 3:
            enough.set()
            raise EndedError

    calls = {
        "train": lambda progress: way.train(alphas.T.copy(), progress),
        "hold_out": partial(way.hold_out, [np.arange(300)], alphas, None, only_shown=True),
        "leave_out": partial(way.leave_out, alphas, None, 1e-6, only_shown=True),
    }
    monkeypatch.setattr(by_column, "solve_box_dual", crawl)
    monkeypatch.setattr("ecocviz.engine.parallel.LISTEN_SECONDS", 0.02)
    with pytest.raises(EndedError):
        calls[work](shares_to(ask))
    assert next(count) < 10**6


@pytest.mark.parametrize("gamma", [0.1, 3.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_machines_of_nearly_the_same_sides_start_from_the_first(gamma, weighted, monkeypatch):
    """One-vs-all of many classes: as good as from nothing, in fewer steps where all points count."""
    X, y = made_up(500, n_classes=100)
    targets = np.where(y[:, None] == np.arange(100), 1, -1).astype(np.int8)
    weights = np.random.default_rng(0).choice([0.5, 1.0, 2.0], size=targets.shape) if weighted else None
    problem = sparse_problem(
        X=X, targets=targets, weights=weights, kernel=Kernel("rbf", gamma, 3, 1.0), tol=1e-6
    )
    _, reference = trained(Whole(problem))
    monkeypatch.setattr(whole, "ALIKE_ROWS", 100)
    warm, found = trained(Whole(problem))
    assert ((warm >= 0) & (warm <= problem.bounds())).all()
    assert (found.judged[2] <= 1e-6).all()
    gaps = found.judged[0] + reference.judged[0]
    apart = np.sqrt(2 * gaps * 2.0) + 1e-9  # kernel values are at most 2, and objectives within the gaps
    assert (np.abs(found.scores - reference.scores) <= apart).all()
    if gamma == 3.0:
        assert found.n_updates.sum() < (1.0 if weighted else 0.7) * reference.n_updates.sum()


def test_large_gaps_of_many_points_are_made_smaller():
    """At a large C margins within the tolerance cost more than all the rest: training goes on."""
    X, y = made_up(1_200, n_classes=3, d=2)
    targets = np.where(y[:, None] == np.arange(3), 1, -1).astype(np.int8)
    X += 40.0 * np.stack([y, y**2], axis=1)  # far apart: hardly anything is lost
    machine = KernelMachine(gamma=0.1, C=100.0, tol=1e-2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_kernel_columns.KernelColumns, "_refine", lambda *_: None)
        with pytest.warns(ConvergenceWarning, match="their duality gap is up to"):
            before = train_columns(machine, X, targets)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        after = train_columns(machine, X, targets)
    assert not before.converged.all() and after.converged.all()
    assert (after.gaps <= before.gaps).all() and (after.n_updates >= before.n_updates).all()
    expected = gram_matrix(after.kernel, X) @ (after.alphas * targets)
    np.testing.assert_allclose(after.scores, expected, atol=1e-2)


def test_features_that_are_not_scaled_are_named():
    X, y = made_up(300)
    targets = np.where(y == 0, 1, -1).astype(np.int8)[:, None]
    machine = KernelMachine(kernel="linear", C=1.0, max_updates=50)
    with pytest.warns(ConvergenceWarning, match="scale the features, for kernel values reach"):
        train_columns(machine, 200.0 * X, targets)
    with pytest.warns(ConvergenceWarning, match="raise max_updates or tol, lower C, or scale the features"):
        train_columns(machine, 2.0 * X, targets)
