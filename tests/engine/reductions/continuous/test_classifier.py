import pickle

import numpy as np
import oracles_design as oracle
import pandas as pd
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, ending, shares_to
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.columns import stratified_fold_ids
from ecocviz.engine.entries import Parts, Reduction
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.params import complete
from ecocviz.engine.reductions import continuous
from ecocviz.engine.reductions._shared import chunks
from ecocviz.engine.reductions.continuous import REDUCTION, ContinuousCodeClassifier
from ecocviz.engine.reductions.continuous.interleaved import (
    WeightedColumns,
    WeightedKernelColumns,
    alternate,
    error_rate,
    held_out_part,
)
from ecocviz.engine.reductions.continuous.programs import Design
from ecocviz.engine.reductions.ecoc import ECOCClassifier
from ecocviz.engine.reductions.support_pattern.on_gram import solve_on_gram

LEARNED = [key for key in CODINGS if CODINGS[key].design]


SEED = int(np.random.RandomState(0).randint(2**31 - 1))
"""What an estimator draws from random_state=0."""


def over(key, **options):
    """Continuous codes over a coding that is learned from data."""
    return ContinuousCodeClassifier(
        ECOCClassifier(key, decoding="hamming", random_state=0), random_state=0, **options
    )


@pytest.mark.thorough
@parametrize_with_checks(
    [
        ContinuousCodeClassifier(),
        ContinuousCodeClassifier(norm="l1", construction="columns"),
        over("decoc", outputs="cross-fitted"),
        over("subclass-ecoc", interleave="joint", rounds=1),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def blobs(seed=0, m=60, k=4):
    rng = np.random.default_rng(seed)
    y = np.arange(m) % k
    corners = np.array([[2.0, 2.0], [2.0, -2.0], [-2.0, 2.0], [-2.0, -2.0]])
    return corners[y] + rng.normal(size=(m, 2)), y


def base(**options):
    return ECOCClassifier("one-vs-one", decoding="hamming", **options)


@pytest.mark.parametrize("norm", ["l1", "l2", "linf"])
@pytest.mark.parametrize("construction", ["batch", "columns", "corrective"])
def test_the_code_is_designed_for_the_scores_of_the_machines(norm, construction):
    X, y = blobs()
    model = ContinuousCodeClassifier(base(), norm=norm, construction=construction, beta=0.5, tol=1e-6).fit(
        X, y
    )
    H = model.base_.columns_.scores
    np.testing.assert_allclose(model.scores(X), H, atol=1e-9)
    b = oracle.default_margins(y, 4)
    assert model.code_matrix_.shape == (4, 6)
    cost = oracle.objective(H, y, model.code_matrix_, b, norm, 0.5)
    assert model.objective_ == pytest.approx(cost, rel=1e-6)
    assert model.objectives_.size == (0 if construction == "batch" else 7)
    closeness = H @ model.code_matrix_.T
    np.testing.assert_allclose(model.costs(X, "linear"), -closeness, atol=1e-9)
    np.testing.assert_allclose(model.decode(H), -closeness)
    np.testing.assert_array_equal(model.predict(X), closeness.argmax(axis=1))


def test_designed_codes_beat_the_discrete_code_they_start_from():
    X, y = blobs(1, m=120)
    start = ECOCClassifier("one-vs-all", decoding="linear", machine=LogisticRegression()).fit(X, y)
    model = ContinuousCodeClassifier(start, beta=1.0).fit(X, y)
    b = oracle.default_margins(y, 4)
    H = start.columns_.scores
    assert sum(oracle.losses(H, y, model.code_matrix_, b)) < sum(oracle.losses(H, y, start.code_matrix_, b))
    assert model.score(X, y) >= start.score(X, y)


def test_cross_fitted_scores_are_those_of_machines_that_did_not_see_the_points():
    X, y = blobs(2)
    plain = ContinuousCodeClassifier(base(), random_state=0).fit(X, y)
    fair = ContinuousCodeClassifier(base(), outputs="cross-fitted", folds=3, random_state=0, tol=1e-6).fit(
        X, y
    )
    assert fair.objective_ > plain.objective_  # resubstitution flatters the machines
    np.testing.assert_allclose(fair.scores(X), plain.scores(X))
    held_out = fair.base_.columns_.held_out_scores(stratified_fold_ids(y, 3, SEED))
    cost = oracle.objective(held_out, y, fair.code_matrix_, oracle.default_margins(y, 4), "l2", 1.0)
    assert fair.objective_ == pytest.approx(cost, rel=1e-6)


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_a_kernel_between_scores(kernel, monkeypatch):
    X, y = blobs(3)
    model = ContinuousCodeClassifier(base(), kernel=kernel, degree=2, beta=0.1, tol=1e-6).fit(X, y)
    np.testing.assert_array_equal(model.code_matrix_, model.base_.code_matrix_)
    f = -model.costs(X)
    losses = sum(
        max(v + (r != label) for r, v in enumerate(row)) - row[label] for row, label in zip(f, y, strict=True)
    )
    assert model.objective_ == pytest.approx((model.taus_ * f).sum() / 2 + losses, rel=1e-5)
    assert model.score(X, y) > 0.9
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 1)
    np.testing.assert_allclose(model.costs(X), -f, atol=1e-12)


def test_a_kernel_code_without_support_patterns_says_zero():
    X, y = np.zeros((6, 2)), np.arange(6) % 2
    model = ContinuousCodeClassifier(
        ECOCClassifier("one-vs-all", decoding="hamming", machine=KernelMachine(bias=0.0, kernel="linear")),
        kernel="poly",
        tol=1.0,
    ).fit(X, y)
    np.testing.assert_array_equal(model.costs(X), np.zeros((6, 2)))


def test_linear_closeness_is_the_linear_kernel():
    """Working on the scores and on their Gram matrix gives the same decisions."""
    X, y = blobs(4)
    model = ContinuousCodeClassifier(base(), tol=1e-8).fit(X, y)
    H = model.base_.columns_.scores
    solution = solve_on_gram(H @ H.T, y, 4, 1.0, tol=1e-8)
    np.testing.assert_allclose(solution.expansions, -model.costs(X), atol=2e-3)


def test_a_trained_base_is_used_as_it_is():
    X, y = blobs(5)
    trained = base().fit(X, y)
    model = ContinuousCodeClassifier(trained, prefit=True).fit(X, y)
    assert model.base_ is trained
    other = ContinuousCodeClassifier(base()).fit(X, y)
    assert other.base_ is not other.base
    np.testing.assert_allclose(model.code_matrix_, other.code_matrix_)
    with pytest.raises(ValueError, match="other points"):
        ContinuousCodeClassifier(trained, prefit=True).fit(X[:-1], y[:-1])
    for unfitted in (None, base()):
        with pytest.raises(ValueError, match="fitted already"):
            ContinuousCodeClassifier(unfitted, prefit=True).fit(X, y)


@pytest.mark.parametrize(
    "machine", [None, KernelMachine(kernel="linear"), LogisticRegression(), GaussianNB()]
)
def test_machines_and_code_in_turns_keep_the_best_round(machine):
    X, y = blobs(6, m=80)
    model = ContinuousCodeClassifier(
        base(machine=machine), interleave="machines", rounds=2, folds=4, random_state=1
    ).fit(X, y)
    assert model.validation_errors_.shape == (3,)
    assert model.score(X, y) > 0.85
    H = model.scores(X)
    cost = oracle.objective(H, y, model.code_matrix_, oracle.default_margins(y, 4), "l2", 1.0)
    assert model.objective_ == pytest.approx(cost, rel=1e-6)


def test_retrained_machines_get_the_codes_signs_and_sizes():
    X, y = blobs(7)
    seen = []

    def design(scores, labels, _progress):
        seen.append((scores, labels))
        code = np.array([[2.0, 0.0], [-1.0, 0.5], [0.0, -0.25], [1.0, 1.0]])
        return Design(code, 0.0, 0.0, np.eye(4)[y])

    first = base().fit(X, y).columns_
    rounds = alternate(first, LogisticRegression(), X, y, design, 1)
    assert [r.columns is first for r in rounds] == [True, False]
    assert seen[0][0] is first.scores
    shown = y != 2
    direct = LogisticRegression().fit(
        X[shown],
        np.where(y[shown] == 1, -1, 1),
        sample_weight=np.array([2.0, 1.0, 0.0, 1.0])[y[shown]] / np.array([2.0, 1.0, 1.0])[[0, 1, 2]].mean(),
    )
    np.testing.assert_allclose(rounds[1].columns.scores[:, 0], direct.decision_function(X), atol=1e-3)


def test_approximated_machines_stay_approximated_in_turns():
    X, y = blobs(7)
    machine = KernelMachine(approximation="nystroem", rank=7)
    first = base(machine=machine).fit(X, y).columns_
    rounds = alternate(
        first, machine, X, y, lambda *_told: Design(2 * np.eye(4) - 1, 0.0, 0.0, np.eye(4)[y]), 1
    )
    assert all(own.columns_.feature_map.rows.size == 7 for own in rounds[1].columns.machines)


def test_weighted_kernel_machines_are_kernel_machines_where_all_weights_are_equal():
    X, y = blobs(8)
    wishes = np.array([[1.0, -2.0], [-1.0, 2.0], [1.0, -2.0], [-1.0, 2.0]])[y]
    machine = KernelMachine(gamma=0.5, C=2.0, tol=1e-6)
    shares = []
    columns = WeightedKernelColumns(machine, X, wishes, shares_to(shares.append))
    plain = machine.fit(X, wishes[:, 0])
    np.testing.assert_allclose(columns.scores[:, 0], plain.decision_function(X), atol=1e-4)
    np.testing.assert_allclose(columns.scores[:, 1], -columns.scores[:, 0], atol=1e-4)
    np.testing.assert_allclose(columns.predict_scores(X), columns.scores, atol=1e-9)
    assert list(dict.fromkeys(shares)) == [0.0, 0.5, 1.0]


def test_weights_bound_the_dual_coefficients():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    wishes = rng.normal(size=(40, 1))  # pure noise: most coefficients are at their bound
    machine = KernelMachine(gamma=0.1, C=3.0, tol=1e-5)
    columns = WeightedKernelColumns(machine, X, wishes)
    upper = 3.0 * np.abs(wishes) / np.abs(wishes).mean()
    sizes = np.abs(columns.coefficients)
    assert (sizes <= upper + 1e-12).all()
    assert (sizes >= upper - 1e-9).sum() > 20


@pytest.mark.parametrize("kind", [WeightedKernelColumns, WeightedColumns])
def test_columns_that_ask_for_nothing_or_one_side_only(kind):
    X, _ = blobs(9)
    machine = KernelMachine() if kind is WeightedKernelColumns else LogisticRegression()
    wishes = np.zeros((60, 2))
    wishes[:, 1] = -0.5
    columns = kind(machine, X, wishes)
    np.testing.assert_array_equal(columns.scores[:, 0], np.zeros(60))
    assert (columns.scores[:, 1] < 0).all()


def test_machines_without_weights_are_refused():
    X, y = blobs(10)
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample weights"):
        ContinuousCodeClassifier(base(machine=KNeighborsClassifier()), interleave="machines").fit(X, y)


def test_scores_of_kernel_columns_come_in_chunks(monkeypatch):
    X, y = blobs(11)
    columns = WeightedKernelColumns(KernelMachine(), X, np.where(y == 0, 1.0, -1.0)[:, None])
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 1)
    np.testing.assert_allclose(columns.predict_scores(X), columns.scores, atol=1e-9)


def test_validation_takes_no_class_away():
    y = np.array([0, 0, 0, 1, 1, 2])
    shown, held = held_out_part(y, np.array([0, 1, 2, 0, 1, 0]))
    assert held.tolist() == [0, 3]
    assert shown.tolist() == [1, 2, 4, 5]
    assert error_rate(np.eye(3), np.eye(3)[y], y) == 0.0
    assert error_rate(np.eye(3), np.eye(3)[y][:, [1, 0, 2]], y) == pytest.approx(5 / 6)
    assert error_rate(np.eye(3), np.empty((0, 3)), y[:0]) == 1.0


@pytest.mark.parametrize("coding", ["one-vs-all", np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])])
def test_joint_training_of_linear_machines(coding):
    X, y = blobs(12)
    model = ContinuousCodeClassifier(
        ECOCClassifier(coding), interleave="joint", rounds=3, random_state=2
    ).fit(X, y)
    assert model.base_ is None
    assert model.code_matrix_.shape == (4, 4 if isinstance(coding, str) else 2)
    assert (np.diff(model.objectives_) <= 0).all()
    assert model.objective_ == model.objectives_[-1]
    assert model.score(X, y) > 0.6
    np.testing.assert_allclose(model.costs(X), -model.scores(X) @ model.code_matrix_.T)


@pytest.mark.thorough
@pytest.mark.parametrize("key", LEARNED)
@pytest.mark.parametrize(
    "options",
    [
        {"norm": "l1"},
        {"outputs": "cross-fitted", "folds": 3},
        {"kernel": "rbf"},
        {"construction": "corrective"},
        {"interleave": "machines", "rounds": 1},
        {"interleave": "joint", "rounds": 2},
    ],
)
def test_every_learned_coding_can_begin_a_continuous_code(key, options):
    X, y = blobs(15, m=80)
    shares = []
    model = over(key, **options).fit(X, y, progress=shares_to(shares.append))
    assert min(shares) == shares[0] == 0 and max(shares) == shares[-1] == pytest.approx(1)
    assert model.score(X, y) > (0.6 if options.get("interleave") == "joint" else 0.85)
    n_bits = model.design_.code_matrix.shape[1]
    assert model.design_.story and model.scores(X).shape == (80, n_bits)
    if "kernel" not in options:
        assert model.code_matrix_.shape == (4, n_bits)

    with pytest.raises(EndedError):
        over(key, **options).fit(X, y, progress=ending(0.1))


def test_cross_fitting_keeps_the_columns_that_all_points_taught():
    X, y = blobs(16, m=80)
    model = over("decoc", outputs="cross-fitted", folds=4, tol=1e-6).fit(X, y)
    alone = ECOCClassifier("decoc", decoding="hamming", random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.design_.code_matrix, alone.code_matrix_)
    folds = stratified_fold_ids(y, 4, SEED)
    held_out = np.empty((80, 3))
    for fold in range(4):
        rest = folds != fold
        part = ECOCClassifier(
            alone.code_matrix_, decoding="hamming", machine=KernelMachine(C=1.0, gamma=1 / (2 * X.var()))
        ).fit(X[rest], y[rest])
        held_out[~rest] = part.scores(X[~rest])
    cost = oracle.objective(held_out, y, model.code_matrix_, oracle.default_margins(y, 4), "l2", 1.0)
    assert model.objective_ == pytest.approx(cost, rel=1e-2)


def test_joint_training_starts_from_the_mean_codeword_of_each_class(monkeypatch):
    """Two classes on opposite corners: one of them gets two rows."""
    X, corner = blobs(17, m=80)
    y = np.isin(corner, [0, 3]).astype(int)
    started = []

    def record(*_, start, **__):
        started.append(start)
        raise InterruptedError

    monkeypatch.setattr(continuous, "joint_design", record)
    machine = KernelMachine(kernel="linear", C=10.0)
    model = ContinuousCodeClassifier(
        ECOCClassifier("subclass-ecoc", machine=machine), interleave="joint", random_state=0
    )
    with pytest.raises(InterruptedError):
        model.fit(X, y)
    design = model.design_
    assert design.row_classes.size > 2
    for c in range(2):
        rows = [design.code_matrix[design.sample_rows[i]].tolist() for i in range(y.size) if y[i] == c]
        np.testing.assert_allclose(started[0][c], np.mean(rows, axis=0))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"norm": "l7"}, "norm is one of"),
        ({"kernel": "cosine"}, "kernel is one of"),
        ({"construction": "guess"}, "construction is one of"),
        ({"outputs": "guess"}, "outputs is one of"),
        ({"interleave": "guess"}, "interleave is one of"),
        ({"kernel": "rbf", "norm": "l1"}, "l2 norm, batch"),
        ({"kernel": "rbf", "construction": "columns"}, "l2 norm, batch"),
        ({"interleave": "joint", "norm": "l1"}, "Joint training"),
        ({"interleave": "machines", "outputs": "cross-fitted"}, "no cross-fitting"),
        ({"interleave": "machines", "prefit": True}, "no prefit"),
        ({"interleave": "machines", "rounds": 0}, "at least one round"),
        ({"beta": 0.0}, "above 0"),
        ({"map_beta": 0.0}, "above 0"),
        ({"tol": 0.0}, "tol must be"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(change, sentence):
    X, y = blobs()
    with pytest.raises(ValueError, match=sentence):
        ContinuousCodeClassifier(**change).fit(X, y)


def test_pickle_clone_grid_search_and_labels():
    X, y = blobs(13)
    names = pd.Series(np.array(["a", "b", "c", "d"])[y])
    table = pd.DataFrame(X, columns=["p", "q"])
    model = ContinuousCodeClassifier(base()).fit(table, names)
    assert model.score(table, names) > 0.9
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(table), model.predict(table))  # noqa: S301 - made in the line itself
    assert clone(model).get_params(deep=False).keys() == model.get_params(deep=False).keys()
    search = GridSearchCV(ContinuousCodeClassifier(base()), {"beta": [0.1, 10.0], "norm": ["l1", "l2"]}, cv=2)
    assert search.fit(table, names).best_score_ > 0.8
    with pytest.raises(NotFittedError):
        ContinuousCodeClassifier().scores(X)
    with pytest.raises(NotFittedError):
        ContinuousCodeClassifier().decode(np.eye(2))


@pytest.mark.parametrize("interleave", ["none", "machines", "joint"])
def test_progress_rises_and_cancels(interleave):
    X, y = blobs(14)
    shares = []
    model = ContinuousCodeClassifier(base(), interleave=interleave, rounds=2, random_state=0)
    model.fit(X, y, progress=shares_to(shares.append))
    assert shares[-1] == pytest.approx(1.0)
    assert min(shares) >= 0
    for limit in (-1.0, 0.5, 0.9):
        with pytest.raises(EndedError):
            clone(model).fit(X, y, progress=ending(limit))


def test_the_entry_makes_what_it_declares():
    assert isinstance(REDUCTION, Reduction)
    params = complete(REDUCTION.params, {"norm": "linf", "beta": 0.2})
    code = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1], [-1, -1, -1]], dtype=np.int8)
    model = REDUCTION.make(Parts(coding=code, machine=LogisticRegression(), seed=3), **params)
    assert (model.norm, model.beta, model.random_state) == ("linf", 0.2, 3)
    X, y = blobs()
    assert model.fit(X, y).scores(X).shape == (60, 3)
    assert isinstance(model.base_.columns_.machines[0], LogisticRegression)
    assert REDUCTION.uses == frozenset({"coding", "machine"})
