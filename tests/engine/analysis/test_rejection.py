"""Rejecting doubtful points: by syndrome and by margin, against loops over points and codewords."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.analysis.rejection import (
    Reason,
    margins,
    reject_by_margin,
    reject_by_syndrome,
    rejection_curve,
    syndrome_doubts,
)
from ecocviz.engine.catalogue import DECODINGS, build_code


def distances_by_hand(bits, code_matrix):
    """Bits that differ from each codeword, those that it leaves out apart."""
    return np.array(
        [
            [sum(1 for b, m in zip(word, row, strict=True) if m not in (0, b)) for row in code_matrix]
            for word in bits
        ],
        dtype=float,
    )


@given(st.integers(2, 6), st.integers(1, 30), st.integers(0, 10_000), st.booleans())
def test_a_received_word_is_decided_only_near_one_codeword(n_classes, n, seed, ternary):
    code = build_code(
        "one-vs-one" if ternary else "dense-random",
        n_classes=n_classes,
        **({} if ternary else {"seed": seed}),
    )
    rng = np.random.default_rng(seed)
    bits = rng.choice([-1, 1], (n, code.shape[1]))
    distances, repairs = distances_by_hand(bits, code), code_report(code).repairable_bits
    found = reject_by_syndrome(distances, repairs)
    for row, reason in zip(distances, found, strict=True):
        two = sorted(row)[:2]
        if two[0] == two[1]:
            assert reason == Reason.TIE
        else:
            assert reason == (Reason.FAR if two[0] > repairs else Reason.DECIDED)
    # What is decided is what was sent, if no more bits were turned than the code repairs.
    sent = rng.integers(0, n_classes, n)
    words = np.where(code[sent] == 0, bits, code[sent])
    for i in range(n):
        shown = np.flatnonzero(code[sent[i]])
        words[i, rng.choice(shown, min(max(repairs, 0), shown.size), replace=False)] *= -1
    near = distances_by_hand(words, code)
    if repairs >= 0:
        assert (reject_by_syndrome(near, repairs) == Reason.DECIDED).all()
        assert (near.argmin(axis=1) == sent).all()


def test_the_costs_of_hamming_decoding_are_these_distances():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(20, 6))
    for key, code in (
        ("attenuated-hamming", build_code("one-vs-one", n_classes=4)),
        ("hamming", rng.choice(np.array([-1, 1], dtype=np.int8), (4, 6))),
        ("attenuated-hamming", rng.choice(np.array([-1, 1], dtype=np.int8), (4, 6))),
    ):
        costs = DECODINGS[key].costs(scores, code)
        np.testing.assert_allclose(costs, distances_by_hand(np.sign(scores), code))


@given(st.integers(1, 25), st.integers(1, 5), st.integers(0, 10_000))
def test_margins_are_the_difference_of_the_two_smallest(n, n_classes, seed):
    costs = np.random.default_rng(seed).integers(0, 4, (n, n_classes)).astype(float)
    expected = [np.diff(sorted(row)[:2])[0] if len(row) > 1 else np.inf for row in costs]
    np.testing.assert_allclose(margins(costs), expected)
    assert (
        reject_by_margin(costs, 1.0) == [Reason.CLOSE if m < 1 else Reason.DECIDED for m in expected]
    ).all()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=20), st.floats(0, 1))
def test_a_curve_counts_what_is_left_at_every_threshold(points, share):
    wrong = np.array([w for w, _ in points], dtype=bool)
    doubts = np.array([d for _, d in points], dtype=float)
    curve = rejection_curve(wrong, doubts)
    steps = [
        (int((doubts >= t).sum()), int(wrong[doubts < t].sum())) for t in sorted(set(doubts), reverse=True)
    ]
    expected = [(0, int(wrong.sum())), *steps]
    assert list(zip(curve.n_rejected.tolist(), curve.n_wrong.tolist(), strict=True)) == expected
    at = curve.at(share)
    assert curve.n_rejected[at] <= share * curve.n + 1e-9
    assert at == len(expected) - 1 or curve.n_rejected[at + 1] > share * curve.n
    decided = curve.n - curve.n_rejected
    assert np.isnan(curve.errors[decided == 0]).all()
    np.testing.assert_allclose(
        curve.errors[decided > 0], (curve.n_wrong / np.maximum(decided, 1))[decided > 0]
    )


def test_ties_are_rejected_before_anything_that_is_far():
    doubts = syndrome_doubts(np.array([[0.0, 0.0], [5.0, 9.0], [1.0, 2.0]]))
    assert doubts.tolist() == [np.inf, 5.0, 1.0]
    assert rejection_curve([True, True, False], doubts).n_wrong.tolist() == [2, 1, 0, 0]


def test_no_points_are_no_error():
    curve = rejection_curve([], np.zeros(0))
    assert curve.shares.tolist() == [0.0] and np.isnan(curve.errors).all() and curve.at(0.5) == 0


@pytest.mark.parametrize("costs", [np.array([[1.0, np.inf]]), np.array([[1.0]])])
def test_with_one_class_left_nothing_is_close(costs):
    assert margins(costs).tolist() == [np.inf]
    assert reject_by_margin(costs, 1e9).tolist() == [Reason.DECIDED]
