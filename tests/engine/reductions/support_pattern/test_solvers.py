import numpy as np
import oracles_design as oracle
import pytest
from hearing import EndedError, ending, shares_to
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from strategies import examples

from ecocviz.engine.kernels import spoc as spoc_kernels
from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.reductions.support_pattern import on_gram, on_scores
from ecocviz.engine.reductions.support_pattern.on_gram import certify, solve_on_gram, solve_path
from ecocviz.engine.reductions.support_pattern.on_scores import solve_on_scores


def problem(seed, m=12, k=3, n_bits=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, m)
    return rng.normal(size=(k, n_bits))[y] + rng.normal(size=(m, n_bits)), y


def solve(way, H, y, k, beta, **options):
    if way in ("two-level", "plain"):
        return solve_on_gram(H @ H.T, y, k, beta, plain=way == "plain", **options)
    return solve_on_scores(H, y, k, beta, method=way, **options)


def code_of(solution, H, y):
    return solution.taus(y).T @ H / solution.beta


WAYS = ("two-level", "plain", "interior-point", "code-ascent")


@examples(12)
@given(st.integers(0, 10**6), st.integers(2, 4), st.floats(-1.5, 1.5))
def test_every_solver_reaches_the_optimum_of_eq_16(seed, k, log_beta):
    H, y = problem(seed, m=9, k=k)
    beta = 10**log_beta
    b = oracle.default_margins(y, k)
    least = oracle.quadratic_optimum(H, y, b, beta)
    for way in WAYS:
        solution = solve(way, H, y, k, beta, tol=1e-5)
        # The objective is what the code itself costs, and the gap tells how good it is.
        cost = oracle.objective(H, y, code_of(solution, H, y), b, "l2", beta)
        assert solution.objective == pytest.approx(cost, rel=1e-9)
        assert solution.converged
        assert solution.gap <= 1e-5 * solution.objective
        assert least - 1e-6 <= solution.objective + 1e-6 * least
        assert solution.objective <= least * (1 + 1e-6) + solution.gap
        np.testing.assert_allclose(solution.eta.sum(axis=1), 1, atol=1e-9)
        assert (solution.eta >= 0).all()


@pytest.mark.parametrize("way", WAYS)
def test_required_margins_may_be_any_numbers(way):
    H, y = problem(4, m=10)
    b = np.random.default_rng(0).normal(size=(10, 3)) * 2
    b[np.arange(10), y] = 0
    solution = solve(way, H, y, 3, 0.5, margins=b, tol=1e-6)
    assert solution.objective == pytest.approx(oracle.quadratic_optimum(H, y, b, 0.5), abs=1e-4)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_to_lose_needs_no_work(way):
    H, y = problem(4)
    b = np.minimum(oracle.default_margins(y, 3) - 2, 0)
    b[np.arange(12), y] = 0
    solution = solve(way, H, y, 3, 1.0, margins=b, tol=1e-6)
    assert abs(solution.objective) < 1e-5
    assert solution.converged or way == "interior-point"


@pytest.mark.parametrize("way", ["two-level", "plain", "code-ascent"])
@pytest.mark.parametrize("seed", range(4))
def test_the_dual_objective_never_falls(way, seed):
    H, y = problem(seed, m=25, k=4, n_bits=2)
    history = solve(way, H, y, 4, 0.5, tol=1e-3).history
    assert history.shape[0] > 2
    assert (np.diff(history[:, 0]) >= -1e-9).all()
    assert history[0].tolist() == [0.0, 25.0]


@pytest.mark.parametrize("way", WAYS)
def test_the_code_is_near_the_only_optimum_and_sums_to_zero(way):
    """|M - M*|^2 <= 2 gap / beta."""
    H, y = problem(7, m=40, k=4, n_bits=3)
    exact = code_of(solve("interior-point", H, y, 4, 0.5, tol=1e-10), H, y)
    solution = solve(way, H, y, 4, 0.5, tol=1e-3)
    code = code_of(solution, H, y)
    assert ((code - exact) ** 2).sum() <= 2 * solution.gap / 0.5 + 1e-8
    np.testing.assert_allclose(code.sum(axis=0), 0, atol=1e-10)


def test_scaling_kernel_and_beta_together_changes_nothing():
    H, y = problem(8, m=30)
    one = solve_on_gram(H @ H.T, y, 3, 0.3, tol=1e-8)
    other = solve_on_gram(7.0 * (H @ H.T), y, 3, 2.1, tol=1e-8)
    assert one.objective == pytest.approx(other.objective, rel=1e-7)
    np.testing.assert_allclose(one.expansions / 0.3, other.expansions / 2.1, atol=1e-3)


def test_two_classes_are_the_binary_machine_with_c_two_over_beta():
    """The paper prints C = 1 / beta below Eq. 31."""
    H, y = problem(9, m=20, k=2)
    beta = 0.7
    least = solve_on_gram(H @ H.T, y, 2, beta, tol=1e-9).objective
    signs = 2.0 * y - 1
    # With M = (-v / 2, v / 2): beta / 2 |M|^2 + losses = beta / 2 * (|v|^2 / 2 + C losses), C = 2 / beta.
    assert least == pytest.approx(beta / 2 * oracle.binary_machine_optimum(H, signs, 2 / beta), rel=1e-6)
    printed = beta * oracle.binary_machine_optimum(H, signs, 1 / beta)
    assert abs(least - printed) > 1e-2 * least


@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")  # it may miss its 1e-8, not ours of 1e-6
@pytest.mark.parametrize(("k", "seed"), [(3, 0), (3, 1), (5, 2)])
def test_liblinear_finds_the_same_objective(k, seed):
    H, y = problem(seed, m=50, k=k, n_bits=4)
    beta = 0.8
    theirs = LinearSVC(
        multi_class="crammer_singer",
        C=1 / beta,
        fit_intercept=False,
        tol=1e-8,
        max_iter=100_000,
        random_state=0,
    ).fit(H, y)
    b = oracle.default_margins(y, k)
    cost = oracle.objective(H, y, theirs.coef_, b, "l2", beta)
    ours = solve_on_scores(H, y, k, beta, tol=1e-9)
    assert ours.objective == pytest.approx(cost, rel=1e-6)
    np.testing.assert_allclose(ours.codewords, theirs.coef_, atol=1e-3)


@pytest.mark.parametrize("kernel", [Kernel("rbf", 0.7, 3, 0.0), Kernel("poly", 1.0, 2, 1.0)])
def test_kernels_are_features_by_another_name(kernel):
    H, y = problem(10, m=14)
    gram = gram_matrix(kernel, H)
    values, vectors = np.linalg.eigh(gram)
    features = vectors * np.sqrt(np.maximum(values, 0))
    on_gram = solve_on_gram(gram, y, 3, 0.5, tol=1e-7)
    on_features = solve_on_scores(features, y, 3, 0.5, tol=1e-7)
    assert on_gram.objective == pytest.approx(on_features.objective, rel=1e-6)
    np.testing.assert_allclose(on_gram.expansions, on_features.expansions, atol=1e-2)


def test_single_precision_is_certified_for_the_rounded_gram():
    H, y = problem(11, m=50, k=4)
    gram = gram_matrix(Kernel("rbf", 0.5, 3, 0.0), H)
    rounded = gram.astype(np.float32)
    solution = solve_on_gram(rounded, y, 4, 0.2, tol=1e-6)
    primal, gap, violation = certify(
        y,
        solution.eta,
        rounded.astype(np.float64) @ solution.taus(y) / 0.2,
        oracle.default_margins(y, 4),
    )
    assert (primal, gap) == (pytest.approx(solution.objective), pytest.approx(solution.gap, abs=1e-9))
    assert violation == pytest.approx(solution.violation, abs=1e-9)
    assert solution.objective == pytest.approx(solve_on_gram(gram, y, 4, 0.2, tol=1e-6).objective, rel=1e-5)


def test_rounding_that_has_piled_up_is_found_and_cleared(monkeypatch):
    """A solver that misjudges its own state is started again from class scores computed afresh."""
    H, y = problem(12, m=30)
    calls = []
    true_ascent = spoc_kernels.ascend_in_blocks

    def forgetful(gram, beta, y, b, eta, G, *rest):
        outcome = true_ascent(gram, beta, y, b, eta, G, *rest)
        if not calls:
            eta[:] = b / 2  # all that was learned is lost after the certificate was written
        calls.append(outcome)
        return outcome

    monkeypatch.setattr(on_gram, "ascend_in_blocks", forgetful)
    solution = solve_on_gram(H @ H.T, y, 3, 0.5, tol=1e-6)
    assert len(calls) > 1
    assert solution.converged
    assert solution.objective == pytest.approx(solve_on_scores(H, y, 3, 0.5, tol=1e-8).objective, rel=1e-5)


def test_a_path_reaches_every_optimum_and_saves_work():
    H, y = problem(13, m=80, k=4)
    gram = gram_matrix(Kernel("rbf", 0.5, 3, 0.0), H)
    betas = [10.0, 1.0, 0.9, 0.8]
    shares = []
    path = solve_path(gram, y, 4, betas, tol=1e-5, progress=shares_to(shares.append))
    assert shares == sorted(shares)
    for beta, warm in zip(betas, path, strict=True):
        cold = solve_on_gram(gram, y, 4, beta, tol=1e-5)
        assert warm.beta == beta
        assert warm.objective == pytest.approx(cold.objective, rel=2e-5)
        if beta < 1:
            assert warm.n_visits < cold.n_visits


def test_a_start_of_another_shape_is_refused():
    H, y = problem(0)
    start = solve_on_gram(H @ H.T, y, 3, 1.0)
    with pytest.raises(ValueError, match="starting point has shape"):
        solve_on_gram(H[:5] @ H[:5].T, y[:5], 3, 1.0, start=start)


@pytest.mark.parametrize("way", WAYS)
def test_progress_rises_to_the_end_and_may_cancel(way):
    H, y = problem(14, m=25, k=3)
    shares = []
    solve(way, H, y, 3, 0.5, tol=1e-3, progress=shares_to(shares.append))
    assert min(shares) >= 0 and max(shares) == 1.0 == shares[-1]

    with pytest.raises(EndedError):
        solve(way, H, y, 3, 0.5, tol=1e-3, progress=ending())


def test_long_ascents_come_back_between_calls(monkeypatch):
    monkeypatch.setattr(on_gram, "WORK_PER_CALL", 1)
    H, y = problem(15, m=60, k=4)
    gram = gram_matrix(Kernel("rbf", 5.0, 3, 0.0), H)
    shares = []
    solution = solve_on_gram(gram, y, 4, 0.1, tol=1e-4, block=8, progress=shares_to(shares.append))
    assert len(shares) == solution.history.shape[0] - 1 > 10
    assert (np.diff(solution.history[:, 0]) >= -1e-9).all()


@pytest.mark.parametrize("way", ["two-level", "plain"])
def test_giving_up_is_said_with_the_gap(way):
    H, y = problem(16, m=50, k=4)
    with pytest.warns(ConvergenceWarning, match="duality gap of"):
        solution = solve(way, H, y, 4, 0.01, tol=1e-9, max_rounds=1)
    assert not solution.converged
    assert solution.history.shape == (2, 2)


def test_a_sweeping_ascent_gives_up_too():
    H, y = problem(16, m=50, k=4)
    with pytest.warns(ConvergenceWarning, match="duality gap of"):
        assert not solve("code-ascent", H, y, 4, 0.001, tol=1e-12, max_sweeps=10).converged


def test_ascent_takes_over_where_the_factorisation_fails(monkeypatch):
    def fail(*_arguments):
        raise np.linalg.LinAlgError

    monkeypatch.setattr(on_scores, "interior_step", fail)
    H, y = problem(17, m=20)
    solution = solve("interior-point", H, y, 3, 0.5, tol=1e-5)
    monkeypatch.undo()
    assert solution.objective == pytest.approx(
        solve("interior-point", H, y, 3, 0.5, tol=1e-6).objective, rel=1e-4
    )


def test_interior_steps_that_lead_nowhere_end(monkeypatch):
    monkeypatch.setattr(on_scores, "interior_step", lambda *_arguments: None)
    H, y = problem(17, m=20)
    solution = solve("interior-point", H, y, 3, 0.5, tol=1e-4)
    assert solution.converged
    assert (solution.history[: on_scores.PATIENCE, 0] == solution.history[0, 0]).all()


def test_small_multipliers_are_kept_where_the_proof_needs_them():
    H, y = problem(18, m=15, k=4, n_bits=3)
    b = oracle.default_margins(y, 4)
    even = np.full(b.shape, 0.25)
    slack = np.where(b > 0, 1.0, 0.1)  # claims that only the true classes matter
    HT, bT, evenT, slackT = (np.ascontiguousarray(array.T) for array in (H, b, even, slack))
    dense = on_scores.sparse_distributions(HT, y, bT, np.eye(4)[y].T @ H, 1e-3, evenT, slackT, 1e-6)
    np.testing.assert_allclose(dense, even)


def test_auto_takes_the_interior_point_method_for_small_codes_only(monkeypatch):
    H, y = problem(19, m=10)
    monkeypatch.setattr(on_scores, "MOST_UNKNOWNS", 5)
    history = solve_on_scores(H, y, 3, 1.0).history
    assert history[0].tolist() == [0.0, 10.0]  # the ascent starts at tau = 0
    monkeypatch.setattr(on_scores, "MOST_UNKNOWNS", 6)
    assert solve_on_scores(H, y, 3, 1.0).history[0, 0] != 0.0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"beta": 0.0}, "beta must be"),
        ({"beta": np.inf}, "beta must be"),
        ({"tol": 0.0}, "tol must be"),
        ({"method": "guess"}, "method is one of"),
        ({"margins": np.ones((12, 3))}, "a 0 at every true class"),
        ({"margins": np.zeros((2, 3))}, "a 0 at every true class"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(change, sentence):
    H, y = problem(0)
    settings_ = {"beta": 1.0, **change}
    with pytest.raises(ValueError, match=sentence):
        solve_on_scores(H, y, 3, settings_.pop("beta"), **settings_)


def test_one_class_only_support_gives_a_code_of_zeros():
    """With a large beta the code is almost nothing and the objective that of M = 0."""
    H, y = problem(20)
    solution = solve_on_gram(H @ H.T, y, 3, 1e9, tol=1e-6)
    assert solution.objective == pytest.approx(12, rel=1e-5)
