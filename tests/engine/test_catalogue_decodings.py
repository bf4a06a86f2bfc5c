"""What every decoding must do, whoever wrote it: run over the whole catalogue."""

import itertools
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from strategies_decodings import (
    codes,
    decoding_cases,
    one_vs_all,
    one_vs_one,
    perfect_evidence,
    random_evidence,
)

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.decodings.likelihood import overlapping_rows
from ecocviz.engine.entries import BoundRule, Evidence, Reads, by_borders
from ecocviz.engine.params import ChoiceParam

EXPECTED_KEYS = {
    "hamming", "attenuated-hamming", "inverse-hamming", "euclidean", "attenuated-euclidean", "laplacian",
    "beta-density", "linear", "soft-margin", "exponential", "logit", "quadratic", "binodeviance",
    "loss-weighted-linear", "loss-weighted-exponential", "likelihood", "kl", "qp", "voting", "srm", "drm",
}  # fmt: skip


def explanations(decoding):
    """All docstrings of the file that a decoding stands in."""
    module = import_module(f"ecocviz.engine.decodings.{decoding.key.replace('-', '_')}")
    own = (value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__)
    return module.__doc__ + "".join(value.__doc__ or "" for value in own)


def settings_of(decoding):
    """Every combination of the values of a decoding's choices, its other parameters at their defaults."""
    values = [
        [(param.name, key) for key, _ in param.options]
        if isinstance(param, ChoiceParam)
        else [(param.name, param.default)]
        for param in decoding.params
    ]
    return [dict(chosen) for chosen in itertools.product(*values)]


CASES = [
    pytest.param(decoding, params, id="-".join([key, *map(str, params.values())]))
    for key, decoding in DECODINGS.items()
    for params in settings_of(decoding)
]
all_cases = pytest.mark.parametrize("decoding, params", CASES)
# Every test runs for every case, so each needs fewer examples.
fewer = examples(16)


def assert_same(decoding, actual, expected):
    """Compare costs; where they come from an optimiser, compare the probabilities it is after."""
    if decoding.key == "kl":
        np.testing.assert_allclose(np.exp(-actual), np.exp(-expected), atol=1e-4)
    elif decoding.key == "qp":
        np.testing.assert_allclose(actual, expected, atol=1e-5)
    else:
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-8)


def test_every_decoding_is_there():
    assert set(DECODINGS) >= EXPECTED_KEYS


@all_cases
@fewer
@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_costs_are_a_finite_float_table_and_inputs_are_left_alone(decoding, params, case, seed):
    scores, code_matrix = case
    before = scores.copy(), code_matrix.copy()
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    costs = decoding.costs(scores, code_matrix, evidence, **params)
    assert costs.shape == (len(scores), len(code_matrix))
    assert costs.dtype == np.float64
    assert np.isfinite(costs).all()
    np.testing.assert_array_equal(scores, before[0])
    np.testing.assert_array_equal(code_matrix, before[1])


@all_cases
def test_huge_scores_no_samples_and_unknown_classes_give_finite_costs(decoding, params):
    rng = np.random.default_rng(3)
    code_matrix = np.array([[1, -1, 0], [-1, 1, 1], [0, 0, 0], [1, 1, -1]], dtype=np.int8)
    scores = rng.choice([-1e6, -40.0, 0.0, 40.0, 1e6], size=(20, 3))
    evidence = random_evidence(rng, code_matrix, 20)
    assert np.isfinite(decoding.costs(scores, code_matrix, evidence, **params)).all()
    nobody = replace(evidence, local_reliabilities=np.empty((0, 3)))
    assert decoding.costs(scores[:0], code_matrix, nobody, **params).shape == (0, 4)


@all_cases
def test_missing_evidence_is_refused_with_a_sentence(decoding, params):
    if not decoding.needs:
        decoding.costs(np.ones((1, 3)), one_vs_all(3), Evidence(), **params)
        return
    with pytest.raises(ValueError, match=r"This decoder needs the machines' .*\.$"):
        decoding.costs(np.ones((1, 3)), one_vs_all(3), Evidence(), **params)


@all_cases
def test_only_what_is_declared_is_needed(decoding, params):
    full = random_evidence(np.random.default_rng(0), one_vs_all(3), 1)
    given_evidence = Evidence(**{name: getattr(full, name) for name in decoding.needs})
    decoding.costs(np.ones((1, 3)), one_vs_all(3), given_evidence, **params)


@all_cases
@fewer
@given(code_matrix=codes(dense=True, max_bits=8))
def test_a_noiseless_codeword_of_a_dense_code_is_decoded(decoding, params, code_matrix):
    evidence = perfect_evidence(code_matrix, len(code_matrix))
    costs = decoding.costs(code_matrix.astype(np.float64), code_matrix, evidence, **params)
    assert costs.argmin(axis=1).tolist() == list(range(len(code_matrix)))


@all_cases
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_a_noiseless_codeword_of_one_vs_one_is_decoded_whatever_the_other_duels_say(
    decoding, params, n_classes
):
    code_matrix = one_vs_one(n_classes)
    rng = np.random.default_rng(n_classes)
    answers = np.repeat(np.arange(n_classes), 20)
    noise = rng.choice([-1.0, 1.0], size=(answers.size, code_matrix.shape[1]))
    scores = np.where(code_matrix[answers] != 0, code_matrix[answers], noise)
    costs = decoding.costs(scores, code_matrix, perfect_evidence(code_matrix, answers.size), **params)
    assert costs.argmin(axis=1).tolist() == answers.tolist()


@all_cases
@fewer
@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_order_of_classes_and_bits_and_sign_of_columns_do_not_matter(decoding, params, case, seed):
    scores, code_matrix = case
    rng = np.random.default_rng(seed)
    evidence = random_evidence(rng, code_matrix, len(scores))
    costs = decoding.costs(scores, code_matrix, evidence, **params)

    rows = rng.permutation(len(code_matrix))
    moved = replace(evidence, hit_rates=evidence.hit_rates[rows])
    assert_same(decoding, decoding.costs(scores, code_matrix[rows], moved, **params), costs[:, rows])

    bits = rng.permutation(code_matrix.shape[1])
    moved = Evidence(
        sigmoids=evidence.sigmoids[bits],
        hit_rates=evidence.hit_rates[:, bits],
        accuracies=evidence.accuracies[bits],
        weights=evidence.weights[bits],
        reliabilities=evidence.reliabilities[bits],
        local_reliabilities=evidence.local_reliabilities[:, bits],
    )
    assert_same(decoding, decoding.costs(scores[:, bits], code_matrix[:, bits], moved, **params), costs)

    flip = rng.choice([-1, 1], size=code_matrix.shape[1]).astype(np.int8)
    sigmoids = evidence.sigmoids.copy()
    sigmoids[:, 1] *= flip  # 1 - P(f) of (A, B) is P(-f) of (A, -B)
    moved = replace(evidence, sigmoids=sigmoids)
    assert_same(decoding, decoding.costs(scores * flip, code_matrix * flip, moved, **params), costs)


@all_cases
@fewer
@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_terms_add_up_to_costs(decoding, params, case, seed):
    scores, code_matrix = case
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    if decoding.terms is None:
        assert decoding.bound_rule(params) is BoundRule.NONE
        return
    terms = decoding.terms(scores, code_matrix, evidence, **params)
    assert terms.shape == (*scores.shape[:1], *code_matrix.shape)
    costs = decoding.costs(scores, code_matrix, evidence, **params)
    np.testing.assert_allclose(terms.sum(axis=2), costs, rtol=1e-9, atol=1e-9)


@all_cases
@fewer
@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_probabilities_sum_to_one_and_are_ordered_like_costs(decoding, params, case, seed):
    scores, code_matrix = case
    if decoding.probabilities is None:
        return
    if decoding.key == "likelihood" and overlapping_rows(code_matrix):
        return
    evidence = random_evidence(np.random.default_rng(seed), code_matrix, len(scores))
    probabilities = decoding.probabilities(scores, code_matrix, evidence, **params)
    costs = decoding.costs(scores, code_matrix, evidence, **params)
    assert (probabilities >= 0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-12)
    winners = costs.argmin(axis=1)[:, None]
    chosen = np.take_along_axis(probabilities, winners, axis=1)[:, 0]
    np.testing.assert_allclose(chosen, probabilities.max(axis=1), rtol=1e-12)


EXHAUSTIVE_4 = np.array(
    [[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, -1, -1, -1, -1], [1, -1, -1, 1, 1, -1, -1], [-1, 1, -1, 1, -1, 1, -1]],
    dtype=np.int8,
)


def repairable_bits(code_matrix):
    distances = [(a != b).sum() for a, b in itertools.combinations(code_matrix, 2)]
    return (min(distances) - 1) // 2


def all_damaged(code_matrix):
    """Every codeword with every choice of up to `repairable_bits` bits flipped, and its class."""
    words, classes = [], []
    for n_flipped in range(repairable_bits(code_matrix) + 1):
        for flipped in itertools.combinations(range(code_matrix.shape[1]), n_flipped):
            damaged = code_matrix.astype(np.float64)
            damaged[:, list(flipped)] *= -1
            words.append(damaged)
            classes.append(np.arange(len(code_matrix)))
    return np.concatenate(words), np.concatenate(classes)


def random_repairing_code(seed):
    """The first dense code of 4 classes and 9 bits, in a seeded sequence, that repairs a bit."""
    rng = np.random.default_rng(seed)
    while True:
        code_matrix = rng.choice([-1, 1], size=(4, 9)).astype(np.int8)
        if repairable_bits(code_matrix) >= 1:
            return code_matrix


# Least squares over the distances of all codewords is led astray by bit 4 of this one.
UNEVEN_4 = np.array(
    [
        [1, 1, 1, 1, 1, -1, 1],
        [1, -1, -1, 1, -1, 1, 1],
        [-1, 1, 1, 1, -1, -1, -1],
        [-1, -1, -1, -1, -1, 1, -1],
    ],
    dtype=np.int8,
)
REPAIRING_CODES = [
    EXHAUSTIVE_4,
    UNEVEN_4,
    np.repeat(one_vs_all(4), 3, axis=1),
    *(random_repairing_code(seed) for seed in range(6)),
]


@all_cases
def test_what_claims_to_repair_repairs_every_flip_within_the_radius(decoding, params):
    """And what does not claim it, fails for some code and some evidence."""
    repaired = []
    for number, code_matrix in enumerate(REPAIRING_CODES):
        words, classes = all_damaged(code_matrix)
        for evidence in (
            perfect_evidence(code_matrix, len(words)),
            random_evidence(np.random.default_rng(number), code_matrix, len(words)),
        ):
            costs = decoding.costs(words, code_matrix, evidence, **params)
            repaired.append((costs.argmin(axis=1) == classes).all())
    assert all(repaired) == decoding.repairs


@all_cases
@fewer
@given(case=decoding_cases(), seed=st.integers(0, 2**32 - 1))
def test_hard_decodings_see_signs_only(decoding, params, case, seed):
    scores, code_matrix = case
    rng = np.random.default_rng(seed)
    evidence = random_evidence(rng, code_matrix, len(scores))
    stretched = scores * rng.uniform(0.5, 5, scores.shape)
    same = np.array_equal(
        decoding.costs(scores, code_matrix, evidence, **params),
        decoding.costs(stretched, code_matrix, evidence, **params),
    )
    if decoding.hard:
        assert same


@all_cases
def test_soft_decodings_see_strength(decoding, params):
    code_matrix = one_vs_one(3)
    evidence = random_evidence(np.random.default_rng(0), code_matrix, 1)
    weak = decoding.costs(np.array([[0.5, -0.25, 0.75]]), code_matrix, evidence, **params)
    strong = decoding.costs(np.array([[2.0, -0.5, 0.25]]), code_matrix, evidence, **params)
    assert np.array_equal(weak, strong) == decoding.hard


@all_cases
def test_what_a_decoding_reads_is_what_its_costs_follow(decoding, params):
    """Scores of louder machines have the same signs, and with sigmoids as much flatter the same chances."""
    generator = np.random.default_rng(0)
    scores, code_matrix = generator.normal(size=(6, 6)), one_vs_one(4)
    evidence = random_evidence(generator, code_matrix, 6)
    gain = generator.uniform(2, 4, 6)
    flatter = replace(evidence, sigmoids=evidence.sigmoids / np.column_stack([gain, np.ones(6)]))
    costs = decoding.costs(scores, code_matrix, evidence, **params)
    louder = decoding.costs(gain * scores, code_matrix, evidence, **params)
    likely = decoding.costs(gain * scores, code_matrix, flatter, **params)
    deaf_to_strength = np.allclose(costs, louder)
    by_chance = not deaf_to_strength and np.allclose(costs, likely, atol=1e-4)
    expected = Reads.SIGNS if deaf_to_strength else Reads.PROBABILITIES if by_chance else Reads.SCORES
    assert decoding.reads is expected


@all_cases
def test_continuous_decodings_accept_real_entries(decoding, params):
    if not decoding.continuous:
        return
    rng = np.random.default_rng(5)
    code_matrix = rng.normal(size=(4, 6))
    scores = np.concatenate([code_matrix, rng.normal(size=(3, 6))])
    evidence = random_evidence(rng, code_matrix, 7)
    costs = decoding.costs(scores, code_matrix, evidence, **params)
    assert costs.shape == (7, 4) and np.isfinite(costs).all()
    terms = decoding.terms(scores, code_matrix, evidence, **params)
    np.testing.assert_allclose(terms.sum(axis=2), costs, rtol=1e-9)
    rows = rng.permutation(4)
    np.testing.assert_allclose(
        decoding.costs(scores, code_matrix[rows], evidence, **params), costs[:, rows], rtol=1e-12
    )


def worst_lead(decoding, params, pair, code_matrix, evidence, y):
    """Least cost of every class minus the true one's, over both ends of every score's interval.

    `pair` holds the two ends, each (1, n_bits); each bit may sit at either.
    """
    ends = [decoding.terms(end, code_matrix, evidence, **params)[0] for end in pair]
    leads = [terms - terms[y] for terms in ends]
    if decoding.bound_rule(params) is BoundRule.BORDERS:
        return leads[1].sum(axis=1)
    return np.minimum(leads[0], leads[1]).sum(axis=1)


@all_cases
@fewer
@given(case=decoding_cases(n_samples=1), seed=st.integers(0, 2**32 - 1))
def test_the_declared_bound_rule_holds_between_the_borders(decoding, params, case, seed):
    """No scores within the intervals cost the true class a larger lead than the rule says."""
    rule = decoding.bound_rule(params)
    if rule is BoundRule.NONE:
        return
    scores, code_matrix = case
    rng = np.random.default_rng(seed)
    evidence = random_evidence(rng, code_matrix, 1, useful=True)
    y = int(rng.integers(len(code_matrix)))
    slack = rng.uniform(0, 3, code_matrix.shape[1])
    pessimistic = scores - code_matrix[y] * slack
    promised = worst_lead(decoding, params, (scores, pessimistic), code_matrix, evidence, y)
    for _ in range(5):
        inside = scores - code_matrix[y] * slack * rng.uniform(0, 1, slack.size)
        costs = decoding.costs(inside, code_matrix, evidence, **params)[0]
        lead = costs - costs[y]
        assert (lead >= promised - 1e-9 * (1 + np.abs(costs).max())).all()


def test_rows_weighted_differently_need_the_endpoint_rule():
    """The right border is not the worst: why a mean over non-zero entries must not claim borders."""
    decoding = DECODINGS["linear"]
    params = {"weighting": "loss-weighted"}
    assert decoding.bound_rule(params) is BoundRule.ENDPOINTS
    code_matrix = np.array([[1, 1, 1], [1, 0, 0], [-1, -1, -1]], dtype=np.int8)
    scores, pessimistic = np.array([[1.0, 1.0, 1.0]]), np.array([[-1.0, 1.0, 1.0]])
    borders = replace(decoding, bound_rule=by_borders)
    at_borders = worst_lead(borders, params, (scores, pessimistic), code_matrix, Evidence(), 0)
    at_ends = worst_lead(decoding, params, (scores, pessimistic), code_matrix, Evidence(), 0)
    assert at_borders[1] > at_ends[1]


@pytest.mark.parametrize("key", ["quadratic", "attenuated-euclidean"])
def test_losses_that_turn_claim_no_bound(key):
    """A score far beyond 1 is worse for its class than the right border says."""
    decoding = DECODINGS[key]
    params = settings_of(decoding)[0]
    assert decoding.bound_rule(params) is BoundRule.NONE
    code_matrix = np.array([[1, 1], [0, -1], [-1, 0]], dtype=np.int8)
    far, near = np.array([[5.0, 1.0]]), np.array([[1.0, 1.0]])
    leads = [np.diff(decoding.costs(f, code_matrix, Evidence(), **params)[0, [0, 1]]) for f in (far, near)]
    assert leads[0] < leads[1]


@all_cases
def test_entries_explain_themselves(decoding, params):
    assert decoding.summary.endswith(".") and len(decoding.summary) <= 110
    assert decoding.title[0].isupper()
    assert decoding.reference is not None
    assert f"[{decoding.reference.key}]_" in explanations(decoding) or decoding.probabilities is not None
    assert decoding.needs <= set(Evidence.__dataclass_fields__)
    for name in (param.name for param in decoding.params if isinstance(param, ChoiceParam)):
        with pytest.raises(ValueError, match="is one of"):
            decoding.costs(
                np.ones((1, 3)),
                one_vs_all(3),
                perfect_evidence(one_vs_all(3), 1),
                **{**params, name: "no-such-choice"},
            )
