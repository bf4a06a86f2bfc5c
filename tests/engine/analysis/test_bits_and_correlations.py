import hypothesis.extra.numpy as hnp
import numpy as np
import oracles_analysis as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.engine.analysis.bits import bit_report, independent_histogram
from ecocviz.engine.analysis.correlations import error_correlations, score_correlations, weight_correlations
from ecocviz.engine.analysis.margins import multiclass_margins
from ecocviz.engine.kernels.gram import gram_matrix


@st.composite
def scored(draw):
    n, k, s = draw(st.integers(1, 12)), draw(st.integers(2, 4)), draw(st.integers(1, 5))
    code = draw(hnp.arrays(np.int8, (k, s), elements=st.integers(-1, 1)))
    scores = draw(hnp.arrays(np.float64, (n, s), elements=st.sampled_from([-2.0, -0.5, 0.0, 0.5, 3.0])))
    y = draw(hnp.arrays(np.int64, n, elements=st.integers(0, k - 1)))
    return scores, code, y


@given(scored())
def test_bit_report_counts_what_the_loops_count(case):
    scores, code, y = case
    report = bit_report(scores, code, y)
    wrong, asked = oracles.wrong_bits(scores, code, y)
    assert (report.wrong == wrong).all() and (report.asked == asked).all()
    for b in range(code.shape[1]):
        n_asked = asked[:, b].sum()
        if n_asked:
            assert report.accuracies[b] == pytest.approx(1 - wrong[:, b].sum() / n_asked)
        else:
            assert np.isnan(report.accuracies[b])
        for other in range(code.shape[1]):
            assert report.together[b, other] == (wrong[:, b] & wrong[:, other]).sum()
    assert report.histogram.sum() == len(y)
    assert [int(n) for n in report.histogram] == [
        int((wrong.sum(axis=1) == n).sum()) for n in range(code.shape[1] + 1)
    ]


@given(scored())
def test_independent_histogram_is_the_poisson_binomial(case):
    report = bit_report(*case)
    expected = np.zeros(report.asked.shape[1] + 1)
    for asked in report.asked:
        rates = [1 - report.accuracies[b] for b in np.flatnonzero(asked)]
        distribution = oracles.poisson_binomial(rates)
        expected[: distribution.size] += distribution
    np.testing.assert_allclose(independent_histogram(report), expected, atol=1e-9)


@given(scored())
def test_error_correlations_are_phi_coefficients(case):
    report = bit_report(*case)
    found = error_correlations(report.wrong, report.asked)
    for a in range(found.shape[0]):
        for b in range(found.shape[0]):
            both = report.asked[:, a] & report.asked[:, b]
            want = (
                1.0 if a == b else oracles.phi(report.wrong[both, a].tolist(), report.wrong[both, b].tolist())
            )
            assert found[a, b] == pytest.approx(want, abs=1e-9, nan_ok=True)


def test_score_correlations_match_numpy_and_survive_constants():
    scores = np.random.default_rng(0).normal(size=(50, 4))
    np.testing.assert_allclose(score_correlations(scores), np.corrcoef(scores.T), atol=1e-12)
    scores[:, 2] = 1.5
    found = score_correlations(scores)
    assert found[2].tolist() == [0.0, 0.0, 1.0, 0.0]


def test_weight_correlations_match_the_gram():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), np.repeat(np.arange(4), 10)
    model = ECOCClassifier("dense-random", decoding="linear", machine=KernelMachine(gamma=0.7, C=2.0)).fit(
        X, y
    )
    targets = model.code_matrix_[y]
    gram = gram_matrix(model.columns_.kernel, X)
    expansions = model.alphas_ * targets
    inner = expansions.T @ gram @ expansions
    lengths = np.sqrt(np.diag(inner))
    np.testing.assert_allclose(
        weight_correlations(model.alphas_, targets, model.columns_.scores),
        inner / np.outer(lengths, lengths),
        atol=1e-6,
    )


def test_a_machine_without_weights_correlates_with_nothing():
    found = weight_correlations(
        np.array([[0.0, 1.0]]), np.array([[1, 1]], dtype=np.int8), np.array([[0.0, 1.0]])
    )
    assert found.tolist() == [[1.0, 0.0], [0.0, 1.0]]


@given(
    hnp.arrays(np.float64, (5, 3), elements=st.floats(-9, 9)),
    hnp.arrays(np.int64, 5, elements=st.integers(0, 2)),
)
def test_margins_match_the_loop(costs, y):
    assert multiclass_margins(costs, y).tolist() == oracles.margin(costs.tolist(), y.tolist())
