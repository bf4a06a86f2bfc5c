import pickle

import numpy as np
import oracles_single as oracle
import pandas as pd
import pytest
from expected_checks import unequal_copies
from hearing import EndedError, ending, shares_to
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import Parts, Reduction
from ecocviz.engine.params import complete
from ecocviz.engine.reductions import single_binary, single_binary_ecoc
from ecocviz.engine.reductions._shared import chunks
from ecocviz.engine.reductions.single_binary import SingleBinaryClassifier
from ecocviz.engine.reductions.single_binary.machine import warm_start
from ecocviz.engine.reductions.single_binary.replicas import Replicas

CODE = np.array([[1, 1, 1, -1], [-1, 1, -1, 1], [1, -1, -1, -1]], dtype=np.int8)


@pytest.mark.thorough
@parametrize_with_checks(
    [
        SingleBinaryClassifier(),
        SingleBinaryClassifier("kessler", kernel="linear", bias=1.0),
        SingleBinaryClassifier("ecoc", decoding="likelihood"),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def blobs(seed=0, m=30, k=3, spread=2.0, labels=None):
    rng = np.random.default_rng(seed)
    y = np.arange(m) % k
    X = spread * rng.normal(size=(k, 2))[y] + rng.normal(size=(m, 2))
    return X, y if labels is None else np.asarray(labels)[y]


# The explicit problem on all copies ------------------------------------------------------------------


def explicit(X, extension, Y, C, gamma):
    """Write out all copies of training points and train libsvm on them."""
    machine = SVC(C=C, gamma=gamma, tol=1e-9).fit(oracle.copies(X, extension), Y.ravel())
    return lambda points: machine.decision_function(oracle.copies(points, extension)).reshape(len(points), -1)


@pytest.mark.parametrize("variant", ["identity", "single"])
@pytest.mark.parametrize("C", [0.3, 5.0])
def test_scores_are_those_of_one_machine_on_all_copies(variant, C):
    X, y = blobs()
    Y = oracle.labels(y, 3).reshape(-1, 3)
    extension = np.eye(3) if variant == "identity" else [[1.0], [2.0], [3.0]]
    machine = explicit(X, extension, Y, C, 0.4)
    model = SingleBinaryClassifier(variant, C=C, gamma=0.4, tol=1e-8).fit(X, y)
    fresh = np.random.default_rng(1).normal(size=(20, 2)) * 2
    for points in (X, fresh):
        scores = model.scores(points)
        np.testing.assert_allclose(scores, machine(points), atol=1e-5)
        np.testing.assert_array_equal(model.costs(points, "likelihood"), -scores)
        np.testing.assert_array_equal(model.predict(points), scores.argmax(axis=1))
        np.testing.assert_array_equal(model.decision_function(points), scores)
    assert model.n_iter_ == 1 and model.mu_.tolist() == [1.0] and model.n_updates_ > 10
    assert model.gap_ < 1e-4
    np.testing.assert_array_equal(model.history_, [model.objective_])
    np.testing.assert_array_equal(model.code_matrix_, 2 * np.eye(3) - 1)


def test_a_code_copies_each_point_once_per_column():
    X, y = blobs(1)
    machine = explicit(X, [[1.0], [2.0], [3.0], [4.0]], CODE[y].astype(float), 2.0, 0.4)
    model = SingleBinaryClassifier("ecoc", coding=CODE, C=2.0, gamma=0.4, tol=1e-8).fit(X, y)
    fresh = np.random.default_rng(1).normal(size=(40, 2)) * 2
    scores = model.scores(fresh)
    np.testing.assert_allclose(scores, machine(fresh), atol=1e-5)
    soft = [[sum((f - p) ** 2 for f, p in zip(row, word, strict=True)) for word in CODE] for row in scores]
    np.testing.assert_allclose(model.costs(fresh), soft, atol=1e-9)
    np.testing.assert_array_equal(model.predict(fresh), np.argmin(soft, axis=1))
    hard = [[sum(np.sign(f) != p for f, p in zip(row, word, strict=True)) for word in CODE] for row in scores]
    np.testing.assert_array_equal(model.costs(fresh, "hamming"), hard)
    np.testing.assert_array_equal(model.decode(scores, "hamming"), hard)


def test_the_bias_matters_for_a_code_and_not_for_the_largest_score():
    X, y = blobs(2)
    model = SingleBinaryClassifier("ecoc", coding=CODE, C=1.0, gamma=0.4).fit(X, y)
    assert model.intercept_ != 0
    fresh = np.random.default_rng(3).normal(size=(300, 2)) * 2
    scores = model.scores(fresh)
    shifted = model.decode(scores - 1.0).argmin(axis=1)
    assert (shifted != model.decode(scores).argmin(axis=1)).any()
    one = SingleBinaryClassifier("identity", gamma=0.4).fit(X, y)
    scores = one.scores(fresh)
    np.testing.assert_array_equal(one.decode(scores - 1.0).argmin(axis=1), one.predict(fresh))


@pytest.mark.parametrize("decoding", sorted(DECODINGS))
def test_every_decoder_serves_a_code_or_says_why_not(decoding):
    X, y = blobs(3)
    model = SingleBinaryClassifier("ecoc", coding=CODE, gamma=0.4).fit(X, y)
    if DECODINGS[decoding].needs & {"reliabilities", "local_reliabilities"}:
        with pytest.raises(ValueError, match="Reliability measures need kernel machines"):
            model.costs(X, decoding)
        return
    assert model.costs(X, decoding).shape == (30, 3)
    assert (model.predict(X, decoding) == y).mean() > 0.6


def test_the_historical_machine_agrees_with_the_written_out_differences():
    X, y = blobs(4)
    model = SingleBinaryClassifier("kessler", kernel="linear", C=0.5, tol=1e-7).fit(X, y)
    weights, value = oracle.kessler_weights(X, y, 3, 0.5)
    np.testing.assert_allclose(model.scores(X), X @ weights.T, atol=1e-3)
    assert model.objective_ == pytest.approx(2 * value, rel=1e-5)
    assert model.gap_ <= 1e-4
    assert model.class_kernel_ is None and model.mu_.size == 0 and model.mu_gap_ == 0
    assert model.intercept_ == 0.0 and model.n_iter_ == 1 and model.mu_history_.shape == (1, 0)
    np.testing.assert_allclose(model.dual_coef_.T @ X, weights, atol=1e-3)


# Weights ---------------------------------------------------------------------------------------------


def test_the_class_kernel_is_what_the_weights_say():
    X, y = blobs(5)
    model = SingleBinaryClassifier(C=4.0, gamma=0.5, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(model.class_kernel_, oracle.combined(model.mu_, 0.5))
    assert model.mu_.sum() == pytest.approx(np.sqrt(30))
    np.testing.assert_allclose(np.diag(model.class_kernel_), np.sqrt(30))
    np.testing.assert_array_equal(model.mu_history_[-1], model.mu_)
    assert model.history_[-1] == model.objective_ and model.n_iter_ == model.history_.size > 1
    K = oracle.kronecker(oracle.rbf_gram(X, 0.5), model.class_kernel_)
    b = model.dual_coef_.ravel()
    Y = oracle.labels(y, 3)
    assert model.objective_ == pytest.approx(2 * Y @ b - b @ K @ b)
    np.testing.assert_allclose(model.scores(X).ravel(), K @ b + model.intercept_, atol=1e-9)
    assert model.mu_gap_ > 0


def test_prior_weights_are_class_frequencies_and_uniform_the_control():
    X, y = blobs(6)
    keep = np.flatnonzero((y != 1) | (np.arange(30) < 10))
    X, y = X[keep], y[keep]
    prior = SingleBinaryClassifier(mu_rule="prior", radius=2.0).fit(X, y)
    np.testing.assert_allclose(prior.mu_, 2 * np.bincount(y) / y.size)
    uniform = SingleBinaryClassifier(mu_rule="uniform", radius=2.0).fit(X, y)
    np.testing.assert_allclose(uniform.mu_, np.full(3, 2 / 3))


def test_radius_multiplies_the_kernel_like_c():
    X, y = blobs(7)
    wide = SingleBinaryClassifier("identity", radius=4.0, C=1.0, gamma=0.4, tol=1e-8).fit(X, y)
    dear = SingleBinaryClassifier("identity", radius=1.0, C=4.0, gamma=0.4, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(wide.scores(X), dear.scores(X), atol=1e-6)
    root = SingleBinaryClassifier("identity", radius="sqrt", gamma=0.4).fit(X, y)
    assert root.mu_.tolist() == [pytest.approx(np.sqrt(30))]
    # Two classes are equally alike under any weights: the learned kernel is the identity's, rescaled.
    two = y < 2
    learned = SingleBinaryClassifier(gamma=0.4, radius=4.0, mu_rule="uniform").fit(X[two], y[two])
    assert np.ptp(np.diag(learned.class_kernel_)) == pytest.approx(0)


def test_c_can_be_divided_by_the_number_of_copies():
    X, y = blobs(8)
    one = SingleBinaryClassifier("single", C=90.0, scale_C="cm", gamma=0.4, tol=1e-8).fit(X, y)
    other = SingleBinaryClassifier("single", C=1.0, gamma=0.4, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(one.scores(X), other.scores(X), atol=1e-9)
    left_out = [model.exact_loo().error for model in (one, other)]
    assert left_out[0] == left_out[1]


def test_own_extensions_and_width():
    X, y = blobs(9)
    extensions = np.stack([np.eye(3), 2 * np.eye(3)])
    model = SingleBinaryClassifier(extensions=extensions, class_gamma=0.3, gamma=0.7).fit(X, y)
    assert model.mu_.shape == (2,)
    expected = sum(w * oracle.class_kernel(M, 0.3) for w, M in zip(model.mu_, extensions, strict=True))
    np.testing.assert_allclose(model.class_kernel_, expected)


# Left-out points -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["identity", "ecoc", "kessler"])
def test_left_out_scores_are_those_of_machines_without_the_point(variant):
    X, y = blobs(10, m=15)
    settings = {"coding": CODE, "C": 0.7, "gamma": 0.4, "tol": 1e-7}
    model = SingleBinaryClassifier(variant, **settings).fit(X, y)
    told = []
    error = model.exact_loo(progress=shares_to(told.append))
    assert told[-1] == 1.0
    expected = []
    for i in range(15):
        others = np.arange(15) != i
        fitted = SingleBinaryClassifier(variant, **settings).fit(X[others], y[others])
        expected.append(fitted.costs(X[i : i + 1])[0])
    np.testing.assert_allclose(
        model.columns_.leave_one_out_scores(tol=1e-7)[0],
        SingleBinaryClassifier(variant, **settings).fit(X[1:], y[1:]).scores(X[:1])[0],
        atol=1e-4,
    )
    assert error.error == np.mean(np.argmin(expected, axis=1) != y)


def test_left_out_points_keep_the_learned_class_kernel():
    X, y = blobs(11, m=15)
    model = SingleBinaryClassifier(gamma=0.4, C=2.0, tol=1e-7).fit(X, y)
    scores = model.columns_.leave_one_out_scores()
    gram = oracle.rbf_gram(X[1:], 0.4)
    K = oracle.kronecker(gram, model.class_kernel_)
    b, bias, _ = oracle.explicit_machine(K, oracle.labels(y[1:], 3), 2.0)
    row = np.array([np.exp(-0.4 * ((X[0] - x) ** 2).sum()) for x in X[1:]])
    np.testing.assert_allclose(scores[0], row @ b.reshape(-1, 3) @ model.class_kernel_ + bias, atol=1e-3)


def test_cross_validation_learns_everything_again():
    X, y = blobs(12)
    model = SingleBinaryClassifier(gamma=0.4, tol=1e-7, random_state=0).fit(X, y)
    told = []
    costs = model.cross_validated(3, progress=shares_to(told.append))
    assert told[-1] == 1.0
    fold_ids = np.full(30, -1)
    fold_ids[:10] = 0
    held = model.columns_.held_out_scores(fold_ids)
    other = SingleBinaryClassifier(gamma=0.4, tol=1e-7).fit(X[10:], y[10:])
    np.testing.assert_allclose(held[:10], other.scores(X[:10]), atol=1e-4)
    assert costs.shape == (30, 3)
    assert (costs.argmin(axis=1) == y).mean() > 0.5


# Paths, progress, warnings ---------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["kernel", "single", "kessler"])
@pytest.mark.parametrize("Cs", [[2.0, 3.0, 4.5], [4.5, 3.0, 2.0]])
def test_a_path_over_c_is_the_same_machines_cheaper(variant, Cs):
    X, y = blobs(13)
    told = []
    model = SingleBinaryClassifier(variant, gamma=0.4, tol=1e-6)
    path = model.fit_path(X, y, Cs, progress=shares_to(told.append))
    assert path[-1] is model and told[-1] == 1.0
    rounds = 0
    for C, fitted in zip(Cs, path, strict=True):
        cold = SingleBinaryClassifier(variant, gamma=0.4, tol=1e-6, C=C).fit(X, y)
        assert fitted.C == C
        assert fitted.objective_ == pytest.approx(cold.objective_, rel=2e-3)
        np.testing.assert_allclose(fitted.scores(X), cold.scores(X), atol=0.02)
        assert (np.abs(fitted.columns_.alphas) <= C * (1 + 1e-12)).all()
        rounds += cold.n_iter_ - fitted.n_iter_
    assert rounds > 0 if variant == "kernel" else rounds == 0
    with pytest.raises(ValueError, match="at least one C"):
        model.fit_path(X, y, [])


def test_a_warm_start_takes_the_better_of_two():
    X, y = blobs(14)
    model = SingleBinaryClassifier("identity", C=1.0, gamma=0.4).fit(X, y)
    gram, Y = model.columns_.gram(), model.columns_.targets.astype(float)
    for C in (0.1, 1.0, 10.0):
        problem = Replicas.boxed(gram, Y, C)
        start = warm_start(problem, model.dual_coef_, model.class_kernel_)
        assert (start.coefficients <= problem.high + 1e-12).all()
        assert (start.coefficients >= problem.low - 1e-12).all()
        scaled = model.dual_coef_ * C / np.abs(model.dual_coef_).max()
        value = 2 * (Y * scaled).sum() - (scaled * (gram @ scaled @ model.class_kernel_)).sum()
        assert start.objective >= value - 1e-9
    zero = warm_start(problem, np.zeros_like(Y), model.class_kernel_)
    assert zero.objective == 0


def test_fits_report_and_can_be_cancelled():
    X, y = blobs(15)
    for variant in ("kernel", "identity", "kessler"):
        told = []
        SingleBinaryClassifier(variant).fit(X, y, progress=shares_to(told.append))
        assert told[-1] == 1.0 and (np.diff(told) >= 0).all()

    for variant in ("kernel", "kessler"):
        with pytest.raises(EndedError):
            SingleBinaryClassifier(variant).fit(X, y, progress=ending())


@pytest.mark.parametrize("variant", ["identity", "kessler"])
def test_a_machine_that_ran_out_of_steps_says_by_how_much_it_misses(variant):
    X, y = blobs(16)
    with pytest.warns(ConvergenceWarning, match=r"stopped after 5 steps with a violation of \d"):
        model = SingleBinaryClassifier(variant, max_updates=5).fit(X, y)
    assert not model.columns_.converged.any()


def test_weights_that_do_not_settle_say_so():
    rng = np.random.default_rng(163)
    X, y = rng.normal(size=(14, 2)), np.r_[np.arange(4), rng.integers(0, 4, 10)]
    model = SingleBinaryClassifier(mu_rule="literal", C=8.0, gamma=0.5, tol=1e-6, max_mu_updates=30)
    with pytest.warns(ConvergenceWarning, match="did not settle in 30 rounds"):
        model.fit(X, y)
    assert model.history_.size == 30
    settled = SingleBinaryClassifier(C=8.0, gamma=0.5, tol=1e-6).fit(X, y)
    assert settled.objective_ < model.objective_


# The bound -------------------------------------------------------------------------------------------


def test_the_bound_uses_the_norm_of_the_machine():
    X, y = blobs(17)
    model = SingleBinaryClassifier(C=3.0, gamma=0.5, tol=1e-6).fit(X, y)
    bound = model.risk_bound(margin=0.5, delta=0.1)
    K = oracle.kronecker(oracle.rbf_gram(X, 0.5), model.class_kernel_)
    norm = np.sqrt(model.dual_coef_.ravel() @ K @ model.dual_coef_.ravel())
    margins = oracle.labels(y, 3) * model.scores(X).ravel() / norm
    assert bound.margin_error == np.mean(margins < 0.5)
    R = np.sqrt(30)
    assert bound.radius == pytest.approx(R)
    assert bound.complexity == pytest.approx(oracle.root_of_q(30, 3, R, 0.5, 0.1))
    assert model.risk_bound(margin=0.1).raw == np.inf
    assert bound.raw == pytest.approx(3 * (bound.margin_error + bound.complexity))
    assert (bound.value, bound.n_matrices, bound.n_classes, bound.n_samples) == (1.0, 3, 3, 30)
    assert model.risk_bound(seed=1).margin_error == model.risk_bound(seed=1).margin_error
    poly = SingleBinaryClassifier("identity", kernel="poly", degree=2, gamma=0.5).fit(X, y)
    assert poly.risk_bound().radius == pytest.approx(((X**2).sum(axis=1).max() + 1) ** 2)


@pytest.mark.parametrize("variant", ["kessler", "ecoc"])
def test_the_bound_is_not_about_the_others(variant):
    X, y = blobs(18)
    with pytest.raises(ValueError, match="The risk bound is about"):
        SingleBinaryClassifier(variant).fit(X, y).risk_bound()


# The estimator ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels", [["a", "b", "c"], [True, False, True], [10, -3, 7], np.array(["x", "y", "z"], dtype=object)]
)
def test_labels_of_every_kind(labels):
    X, y = blobs(19, labels=labels)
    frame = pd.DataFrame(X, columns=["p", "q"])
    model = SingleBinaryClassifier(C=8.0).fit(frame, y)
    assert set(model.predict(frame)) <= set(y)
    assert model.score(frame, y) > 0.8
    if np.unique(y).size == 2:
        np.testing.assert_array_equal(
            model.decision_function(frame) > 0, model.predict(frame) == model.classes_[1]
        )


def test_pickle_clone_and_grid_search():
    X, y = blobs(20)
    model = SingleBinaryClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - made in the line itself
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert clone(model).get_params() == model.get_params()
    grid = {"variant": ["kernel", "identity"], "C": [0.5, 5.0]}
    assert GridSearchCV(SingleBinaryClassifier(), grid, cv=2).fit(X, y).best_score_ > 0.5


def test_probabilities_are_for_codes_with_such_a_decoder():
    X, y = blobs(21)
    assert not hasattr(SingleBinaryClassifier(decoding="likelihood"), "predict_proba")
    assert hasattr(SingleBinaryClassifier("ecoc"), "predict_proba")
    assert not hasattr(SingleBinaryClassifier("ecoc", probability="paper"), "predict_proba")
    assert not hasattr(SingleBinaryClassifier("ecoc", decoding="guess"), "predict_proba")
    model = SingleBinaryClassifier("ecoc", coding=CODE, decoding="likelihood", random_state=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.sigmoids_.shape == (4, 2)


def test_scores_come_in_chunks_and_without_support_there_is_only_the_bias(monkeypatch):
    X, y = blobs(22)
    model = SingleBinaryClassifier().fit(X, y)
    whole = model.scores(X)
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 1)
    np.testing.assert_allclose(model.scores(X), whole, atol=1e-12)
    with pytest.warns(ConvergenceWarning):
        empty = SingleBinaryClassifier("kessler", kernel="linear", max_updates=1).fit(np.zeros((4, 2)), y[:4])
    empty.columns_.fitted.coefficients[:] = 0
    np.testing.assert_array_equal(empty.scores(X), np.zeros((30, 3)))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"variant": "guess"}, "variant is one of"),
        ({"tol": 0.0}, "tol must be above 0"),
        ({"max_updates": 0}, "must be at least 1"),
        ({"max_mu_updates": 0}, "must be at least 1"),
        ({"scale_C": "mc"}, "scale_C is none or cm"),
        ({"mu_rule": "guess"}, "mu_rule is one of"),
        ({"class_gamma": -1.0}, "class_gamma must be"),
        ({"radius": "big"}, "radius is a number"),
        ({"radius": -1.0}, "radius must be"),
        ({"C": -1.0}, "C must be"),
        ({"gamma": 0.0}, "gamma must be"),
        ({"extensions": np.eye(3)}, "extensions is an array"),
        ({"extensions": np.zeros((2, 4, 1))}, "extensions is an array"),
        ({"extensions": np.zeros((2, 3, 1)), "mu_rule": "prior"}, "one extension matrix per class"),
        ({"variant": "ecoc", "coding": "one-vs-one"}, "a code without zeros"),
        ({"variant": "ecoc", "decoding": "guess"}, "no decoding"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(change, sentence):
    X, y = blobs()
    with pytest.raises(ValueError, match=sentence):
        SingleBinaryClassifier(**change).fit(X, y)


def test_unfitted_machines_say_so():
    X, _ = blobs()
    for ask in (lambda m: m.predict(X), lambda m: m.mu_, lambda m: m.decode(X), lambda m: m.risk_bound()):
        with pytest.raises(NotFittedError):
            ask(SingleBinaryClassifier())


@pytest.mark.parametrize("module", [single_binary, single_binary_ecoc])
def test_catalogue_entries_make_machines(module):
    X, y = blobs(23)
    entry = module.REDUCTION
    assert isinstance(entry, Reduction)
    variants = [key for key, _ in entry.params[0].options] if entry.params[0].name == "variant" else [None]
    for variant in variants:
        params = complete(entry.params, {} if variant is None else {"variant": variant})
        model = entry.make(Parts(coding=CODE, seed=3), **params)
        assert model.random_state == 3
        assert model.fit(X, y).score(X, y) > 0.6
        uses_code = np.array_equal(model.code_matrix_, CODE)
        assert uses_code == ("coding" in entry.uses)
        copies = 4 if uses_code else 2 if variant == "kessler" else 3
        assert entry.problems(np.bincount(y), CODE, **params).tolist() == [30 * copies]
        assert model.problem_sizes_.tolist() == [30 * copies]
        assert model.decoded == ("decoding" in entry.uses)
    assert entry.uses == (frozenset({"coding", "decoding"}) if not entry.ternary else frozenset())
