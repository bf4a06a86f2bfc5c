import numpy as np
import oracles_machines as oracle
import pytest
from expected_checks import unequal_copies
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz.engine import machines
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.columns import train_columns
from ecocviz.engine.entries import Machine
from ecocviz.engine.machines.libsvm import LibsvmMachine
from ecocviz.engine.machines.linear_svm import SerialLinearSVC
from ecocviz.engine.machines.nearest_neighbours import NearestNeighbours
from ecocviz.engine.params import complete
from ecocviz.engine.registry import collect

MACHINES = collect(machines, "MACHINE", Machine)


@pytest.fixture(scope="module")
def problem():
    generator = np.random.default_rng(0)
    y = np.arange(45) % 3
    X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])[y] + generator.normal(size=(45, 2)) * 0.6
    code = np.array([[1, 1, 1], [-1, 0, 1], [-1, -1, 1]], dtype=np.int8)
    return X, code[y]


@parametrize_with_checks(
    [
        LibsvmMachine(),
        LibsvmMachine(kernel="linear", C=1.0),
        NearestNeighbours(),
        # The dual is solved in random steps, to which a weight of 2 is not quite a point shown twice.
        SerialLinearSVC(dual=False, tol=1e-12),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("key", MACHINES)
def test_every_machine_trains_columns(key, problem):
    X, targets = problem
    entry = MACHINES[key]
    seed = {"seed": 3} if entry.seeded else {}
    machine = entry.make(**complete(entry.params, {}), **seed)
    trained = train_columns(machine, X, targets)
    assert trained.theorem == entry.theorem
    assert (trained.alphas is not None) == entry.kernel
    shown = targets != 0
    assert (np.sign(trained.scores) == targets)[shown].mean() > 0.9
    # The last column shows one side only.
    assert (trained.predict_scores(X)[:, 2] > 0).all()
    np.testing.assert_allclose(trained.predict_scores(X), trained.scores, atol=1e-9)
    if trained.probability_scale:
        assert np.abs(trained.scores).max() <= 1
    again = train_columns(entry.make(**complete(entry.params, {}), **seed), X, targets)
    np.testing.assert_array_equal(again.scores, trained.scores)


@pytest.mark.thorough
@pytest.mark.parametrize("key", MACHINES)
def test_threads_change_nothing(key):
    generator = np.random.default_rng(0)
    y = np.arange(200) % 4
    X = generator.normal(size=(200, 6)) + y[:, None] / 2
    targets = build_code("binary-complete", 4)[y]
    entry = MACHINES[key]
    machine = entry.make(**complete(entry.params, {}), **({"seed": 3} if entry.seeded else {}))
    alone = train_columns(machine, X, targets, n_jobs=1)
    for _ in range(4):
        together = train_columns(machine, X, targets, n_jobs=2)
        np.testing.assert_array_equal(together.scores, alone.scores)


@pytest.mark.parametrize("key", MACHINES)
def test_parameters_reach_the_machine(key):
    entry = MACHINES[key]
    for param in entry.params:
        low = getattr(param, "low", None)
        value = param.check(param.options[-1][0] if low is None else low)
        made = entry.make(**complete(entry.params, {param.name: value}))
        assert made.get_params()[param.name] == value


@pytest.mark.parametrize("kernel, gamma", [("rbf", 0.5), ("linear", "scale"), ("poly", "scale")])
def test_libsvm_machine_has_the_kernels_of_the_spec(problem, kernel, gamma):
    X, targets = problem
    y = targets[:, 0]
    machine = LibsvmMachine(kernel=kernel, gamma=gamma, degree=2, C=0.5, tol=1e-6).fit(X, y)
    precomputed = SVC(kernel="precomputed", C=0.5, tol=1e-6)
    gram = oracle.gram(kernel, X, gamma=0.5, degree=2)
    np.testing.assert_allclose(
        machine.decision_function(X), precomputed.fit(gram, y).decision_function(gram), atol=1e-4
    )
    expansion = machine.dual_expansion(X)
    np.testing.assert_allclose(expansion.diagonal, np.diag(gram))
    coefficients = expansion.alphas * y
    assert expansion.upper == 0.5
    assert expansion.alphas.max() <= 0.5
    assert coefficients.sum() == pytest.approx(0, abs=1e-9)
    assert expansion.squared_norm == pytest.approx(coefficients @ gram @ coefficients, abs=1e-6)
    np.testing.assert_allclose(
        machine.decision_function(X), gram @ coefficients + machine.svc_.intercept_, atol=1e-9
    )


def test_libsvm_columns_tell_their_dual(problem):
    X, targets = problem
    trained = train_columns(LibsvmMachine(), X, targets)
    assert not trained.theorem
    assert (trained.alphas[targets == 0] == 0).all()
    assert (trained.alphas[:, :2].max(axis=0) <= trained.upper[:2]).all()
    assert (trained.alphas[:, 2] == 0).all()
    assert trained.squared_norms[0] > 0
    # "scale" means the full training set, not the points of one column.
    assert {machine.kernel_.gamma for machine in trained.machines[:2]} == {1 / (2 * X.var())}


def test_libsvm_refuses_three_classes(problem):
    X, _ = problem
    with pytest.raises(ValueError, match="Only binary"):
        LibsvmMachine().fit(X, np.arange(45) % 3)


def test_neighbours_are_capped_at_the_points_there_are():
    X = np.array([[0.0], [1.0]])
    machine = NearestNeighbours(n_neighbors=5).fit(X, ["a", "b"])
    assert machine.predict_proba(X).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert machine.predict(X).tolist() == ["a", "a"]
