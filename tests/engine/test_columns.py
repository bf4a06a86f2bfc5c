import numpy as np
import pytest
from hearing import shares_to
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from ecocviz.engine.columns import (
    SeparateColumns,
    TrainedColumns,
    held_out_scores,
    stratified_fold_ids,
    train_columns,
)
from ecocviz.engine.machines.kernel_machine import KernelMachine


@pytest.fixture
def problem():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(24, 2))
    targets = np.stack(
        [np.where(X[:, 0] > 0, 1, -1), np.where(X[:, 1] > 0, 1, -1), np.ones(24), np.zeros(24), -np.ones(24)],
        axis=1,
    ).astype(np.int8)
    targets[::5, 1] = 0
    return X, targets


def test_both_kinds_fulfil_the_protocol(problem):
    X, targets = problem
    for machine in (KernelMachine(), RidgeClassifier()):
        assert isinstance(train_columns(machine, X, targets), TrainedColumns)


@pytest.mark.parametrize("machine", [RidgeClassifier(), DecisionTreeClassifier(random_state=0)])
def test_columns_equal_machines_fitted_alone(problem, machine):
    X, targets = problem
    trained = train_columns(machine, X, targets)
    for b in (0, 1):
        shown = targets[:, b] != 0
        fitted = machine.fit(X[shown], targets[shown, b])
        if hasattr(fitted, "decision_function"):
            expected = fitted.decision_function(X)
        else:
            expected = 2 * fitted.predict_proba(X)[:, 1] - 1
        np.testing.assert_allclose(trained.scores[:, b], expected)
    assert trained.scores[0, 2:].tolist() == [1.0, 0.0, -1.0]
    assert trained.alphas is None and trained.gaps is None and trained.squared_norms is None
    assert trained.converged.all()
    assert trained.probability_scale == (not hasattr(machine, "decision_function"))


def test_held_out_scores_are_those_of_fitting_without_the_fold(problem):
    X, targets = problem
    fold_ids = np.arange(24) % 3
    machine = KNeighborsClassifier(3)
    held_out = train_columns(machine, X, targets).held_out_scores(fold_ids)
    for fold in range(3):
        kept, held = fold_ids != fold, fold_ids == fold
        np.testing.assert_allclose(
            held_out[held], train_columns(machine, X[kept], targets[kept]).predict_scores(X[held])
        )


def test_folds_are_dealt_by_a_seed_or_a_generator():
    y = np.repeat([0, 1, 2], [7, 11, 3])
    folds = stratified_fold_ids(y, 3, 5)
    np.testing.assert_array_equal(stratified_fold_ids(y, 3, np.random.default_rng(5)), folds)
    generator = np.random.default_rng(5)
    assert (stratified_fold_ids(y, 3, generator) != stratified_fold_ids(y, 3, generator)).any()
    with pytest.raises(ValueError, match="at least 2 folds, not 1"):
        stratified_fold_ids(y, 1, 5)


def test_training_and_holding_out_are_two_halves_of_the_work(problem):
    X, targets = problem
    folds, shares = np.arange(24) % 4, []

    def train(points, sides, progress):
        return train_columns(RidgeClassifier(), points, sides, progress=progress)

    scores = held_out_scores(train, X, targets, folds, shares_to(shares.append))
    np.testing.assert_array_equal(scores, train_columns(RidgeClassifier(), X, targets).held_out_scores(folds))
    assert shares == sorted(shares) and 0.5 in shares and shares[-1] == 1


def test_leave_one_out_scores_are_those_of_fitting_without_the_point(problem):
    X, targets = problem
    machine = RidgeClassifier()
    trained = train_columns(machine, X, targets)
    told = []
    left_out = trained.leave_one_out_scores(shares_to(told.append))
    assert told[-1] == 1.0
    for i in range(24):
        kept = np.arange(24) != i
        alone = train_columns(machine, X[kept], targets[kept]).predict_scores(X[i : i + 1])[0]
        np.testing.assert_allclose(left_out[i], alone, atol=1e-12)
    hidden = targets[:, 1] == 0
    np.testing.assert_array_equal(left_out[hidden, 1], trained.scores[hidden, 1])


def test_the_machine_itself_stays_unfitted_and_is_cloned(problem):
    X, targets = problem
    machine = LogisticRegression(C=3.0)
    trained = train_columns(machine, X, targets)
    assert not hasattr(machine, "coef_")
    assert trained.machines[0] is not trained.machines[1]
    assert trained.machines[0].C == 3.0


def test_start_is_ignored_where_it_means_nothing(problem):
    X, targets = problem
    plain = train_columns(RidgeClassifier(), X, targets)
    started = train_columns(RidgeClassifier(), X, targets, start=np.ones(targets.shape))
    np.testing.assert_array_equal(plain.scores, started.scores)


def test_threads_do_not_change_the_result(problem):
    X, targets = problem
    one, three = (train_columns(Perceptron(), X, targets, n_jobs=jobs) for jobs in (1, 3))
    np.testing.assert_array_equal(one.scores, three.scores)


def test_a_dummy_has_probabilities_too(problem):
    X, targets = problem
    trained = train_columns(DummyClassifier(strategy="prior"), X, targets)
    assert trained.probability_scale
    assert trained.scores[0, 0] == pytest.approx(targets[:, 0].mean())


@pytest.mark.parametrize(
    "targets, message",
    [
        (np.ones((23, 1)), "a row for each of the 24 points"),
        (np.ones(24), "a row for each of the 24 points"),
        (np.full((24, 1), 2), "-1, 0 and \\+1 only"),
    ],
)
def test_bad_targets_are_refused_in_a_sentence(problem, targets, message):
    X, _ = problem
    for machine in (KernelMachine(), RidgeClassifier()):
        with pytest.raises(ValueError, match=message):
            train_columns(machine, X, targets)


def test_bad_points_and_machines_are_refused_in_a_sentence(problem):
    X, targets = problem
    with pytest.raises(ValueError, match="missing or infinite"):
        train_columns(KernelMachine(), np.where(X > 1, np.nan, X), targets)
    with pytest.raises(ValueError, match="KMeans has neither decision_function"):
        SeparateColumns(KMeans(), X, targets)
