"""Where thresholds come from, and what is counted, against loops over points and pairs of rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import code_matrices

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.analysis.rejecting import (
    RULES,
    certain_repairs,
    check_rule,
    count_decided,
    share_threshold,
)
from ecocviz.engine.analysis.rejection import Reason, margins, reject_by_margin

MARGINS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, np.inf]), min_size=1, max_size=25).map(np.array)


@given(MARGINS, st.floats(0, 0.9))
def test_the_threshold_is_the_largest_that_rejects_no_more_than_the_share(known, share):
    threshold = share_threshold(known, share)
    # One more point, as likely in any place among the others, takes part in the count.
    allowed = share * (known.size + 1) + 1e-9

    def rejects(candidate):
        return (known < candidate).sum() + 1 <= allowed

    fitting = [candidate for candidate in known if rejects(candidate)]
    assert threshold == max(fitting, default=-np.inf)


@given(st.integers(2, 40), st.floats(0, 0.9), st.integers(0, 10_000))
def test_a_new_point_is_rejected_no_more_often_than_asked_for(n, share, seed):
    """The claim itself: leave each of n + 1 points out in turn, and count how often it is rejected."""
    every = np.random.default_rng(seed).choice(12, n + 1).astype(float)
    rejected = sum(every[i] < share_threshold(np.delete(every, i), share) for i in range(n + 1))
    assert rejected <= share * (n + 1) + 1e-9


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 1.0, 2.5, 4.0]), st.integers(1, 4)), min_size=1),
    st.floats(0, 0.9),
)
def test_whole_weights_are_repeated_points(points, share):
    known, counts = (np.array(part) for part in zip(*points, strict=True))
    assert share_threshold(known, share, counts.astype(float)) == share_threshold(
        np.repeat(known, counts), share
    )


def test_a_share_of_nothing_rejects_nothing():
    assert share_threshold(np.array([1.0, 2.0]), 0.0) == -np.inf
    assert (reject_by_margin(np.zeros((3, 2)), -np.inf) == Reason.DECIDED).all()


@given(code_matrices())
def test_certain_repairs_are_those_of_the_report(code):
    assert certain_repairs(code) == code_report(code).repairable_bits


@given(code_matrices(min_classes=3), st.integers(0, 10_000))
def test_rows_of_one_class_need_not_be_apart(code, seed):
    rows = np.random.default_rng(seed).integers(0, 2, code.shape[0])
    rows[:2] = [0, 1]
    apart = [
        sum(a * b < 0 for a, b in zip(code[i], code[j], strict=True))
        for i in range(len(rows))
        for j in range(len(rows))
        if rows[i] != rows[j]
    ]
    assert certain_repairs(code, rows) == (min(apart) - 1) // 2


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), max_size=20))
def test_an_error_is_counted_where_a_point_is_decided(points):
    wrong, rejected, weights = (np.array([p[k] for p in points]) for k in range(3))
    found = count_decided(wrong.astype(bool), rejected.astype(bool), weights.astype(float))
    decided = [(w, weight) for w, r, weight in points if not r]
    total = sum(weight for _, weight in decided)
    assert found.n_wrong == sum(weight for w, weight in decided if w)
    assert found.error == (found.n_wrong / total if total else None)
    assert found.n == sum(weight for *_, weight in points)
    assert found.share == (sum(w for _, r, w in points if r) / found.n if found.n else None)


def test_points_that_no_class_suits_are_the_most_doubtful():
    assert margins(np.full((1, 3), np.inf)).tolist() == [0.0]


def test_what_is_no_rule_is_told_in_a_sentence():
    assert check_rule(None)[0] is check_rule("none")[0] is RULES["none"]
    for rule, share, sentence in [
        ("margins", 0.1, "There is no rejecting by 'margins'; known: none, syndrome, margin"),
        (3, 0.1, "There is no rejecting by '3'"),
        ("margin", 1.0, "Share left undecided takes a number from 0 to 0.9, not 1.0"),
        ("margin", None, "Share left undecided takes a number from 0 to 0.9, not None"),
        (None, np.nan, "Share left undecided takes a number from 0 to 0.9, not nan"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            check_rule(rule, share)
