"""Wrong bits of trained scenarios, against plain loops."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.analysis.bits import bit_report, independent_histogram
from ecocviz.engine.analysis.correlations import error_correlations
from ecocviz.engine.analysis.error_bounds import tails
from ecocviz.lab.evaluate import evaluate
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.bits.facts import (
    Bar,
    BitFacts,
    bar_points,
    closest_pair,
    compare_bits,
    listed_bars,
    n_beyond_right,
    picked_bar,
    points_of,
    read_bar,
    shown_points,
)

OVERLAPPING = ("blobs", {"n_samples": 80, "overlap": 0.8})


def view_of(scores, code, y, repairs=1):
    report = bit_report(scores, code, y)
    return BitFacts(
        "test", np.arange(len(y)), y, code, report, independent_histogram(report),
        np.full(code.shape[1], 0.5), error_correlations(report.wrong, report.asked), closest_pair(report),
        repairs, tails(report, code.shape[1]),
    )  # fmt: skip


@pytest.mark.parametrize("coding", ["dense-random", "one-vs-one"])
@pytest.mark.parametrize("part", ["test", "train"])
def test_bits_are_compared_with_the_codeword_of_the_true_class(coding, part):
    trained = train(make_scenario(data=OVERLAPPING, coding=coding))
    view = compare_bits(trained, part)
    prepared = trained.shown.prepared
    X, y = (prepared.X_test, prepared.y_test) if part == "test" else (prepared.X_train, prepared.y_train)
    rows = prepared.test_rows if part == "test" else prepared.train_rows
    scores = trained.shown.estimator.scores(X)
    where = {int(r): i for i, r in enumerate(rows)}
    assert view.rows.tolist() == sorted(where)
    sides = [[0, 0] for _ in range(view.n_bits)]
    for position, r in enumerate(view.rows.tolist()):
        i = where[r]
        assert view.truth[position] == y[i]
        for b in range(view.n_bits):
            asked = trained.code_matrix[y[i], b]
            assert view.report.wrong[position, b] == (asked != 0 and np.sign(scores[i, b]) != asked)
            if asked:
                sides[b][int(asked > 0)] += 1
    expected = [max(pair) / sum(pair) for pair in sides]
    np.testing.assert_allclose(view.baselines, expected)
    assert view.expected.sum() == pytest.approx(view.n)


def test_of_a_cross_validation_every_point_is_answered_by_machines_that_did_not_see_it():
    trained = train(make_scenario(data=OVERLAPPING, split="k-fold"))
    view = compare_bits(trained, "test")
    assert view.rows.tolist() == list(range(80))
    for model in trained.models:
        scores = model.estimator.scores(model.prepared.X_test)
        wrong = np.sign(scores) != view.code_matrix[model.prepared.y_test]
        np.testing.assert_array_equal(view.report.wrong[model.prepared.test_rows], wrong)


def test_without_test_points_the_training_points_are_taken():
    folded = train(make_scenario(data=OVERLAPPING, split="k-fold"))
    view = compare_bits(replace(folded, models=(folded.shown,)), "test")
    assert view.part == "train" and view.n == 80


def test_a_machine_for_all_classes_has_no_bits_and_a_continuous_code_those_it_is_built_on():
    assert compare_bits(train(make_scenario(data=OVERLAPPING, reduction="support-pattern")), "test") is None
    built = compare_bits(train(make_scenario(data=OVERLAPPING, reduction="continuous-code")), "test")
    alone = compare_bits(train(make_scenario(data=OVERLAPPING)), "test")
    assert set(np.unique(built.code_matrix)) == {-1, 1}
    np.testing.assert_array_equal(built.report.wrong, alone.report.wrong)


@given(st.integers(0, 2**20), st.integers(2, 5), st.integers(1, 6), st.integers(1, 30))
def test_bars_hold_the_points_they_name(seed, n_classes, n_bits, n):
    rng = np.random.default_rng(seed)
    code = rng.integers(-1, 2, (n_classes, n_bits)).astype(np.int8)
    view = view_of(rng.normal(size=(n, n_bits)), code, rng.integers(0, n_classes, n))
    wrong = view.report.wrong
    for k in range(n_bits + 1):
        assert points_of(view, Bar("count", (k,))).tolist() == [i for i in range(n) if wrong[i].sum() == k]
    for b in range(n_bits):
        assert points_of(view, Bar("bit", (b,))).tolist() == [i for i in range(n) if wrong[i, b]]
    both = points_of(view, Bar("pair", (0, n_bits - 1))).tolist()
    assert both == [i for i in range(n) if wrong[i, 0] and wrong[i, n_bits - 1]]
    assert points_of(view, picked_bar(view, "")).size > 0
    within, expected = view.n_within, view.expected_within
    assert within == sum(wrong[i].sum() <= 1 for i in range(n))
    assert 0 <= expected <= n + 1e-9


@given(st.integers(0, 2**20), st.integers(2, 5))
def test_the_closest_pair_has_the_most_joint_errors_beyond_chance(seed, n_bits):
    rng = np.random.default_rng(seed)
    code = rng.integers(-1, 2, (3, n_bits)).astype(np.int8)
    view = view_of(rng.normal(size=(25, n_bits)), code, rng.integers(0, 3, 25))
    wrong, asked = view.report.wrong, view.report.asked
    beyond = {}
    for a in range(n_bits):
        for b in range(a + 1, n_bits):
            both = [i for i in range(25) if asked[i, a] and asked[i, b]]
            if both:
                rates = [sum(wrong[i, c] for i in both) / len(both) for c in (a, b)]
                joint = sum(wrong[i, a] and wrong[i, b] for i in both)
                beyond[a, b] = joint - len(both) * rates[0] * rates[1]
    best = max(beyond.values(), default=0.0)
    found = closest_pair(view.report)
    if best <= 1e-8:
        assert found is None or beyond[found] <= 1e-8
    else:
        assert beyond[found] == pytest.approx(best)


@given(st.text(alphabet="bitcounpar.,0123456789", max_size=14), st.integers(1, 9))
def test_no_text_names_a_bar_that_is_not_there(text, n_bits):
    bar = read_bar(text, n_bits)
    if bar is not None:
        assert read_bar(bar.text, n_bits) == bar
        assert all(0 <= number <= n_bits for number in bar.numbers)
        assert bar.kind == "count" or max(bar.numbers) < n_bits


def test_points_have_the_numbers_of_the_playground():
    trained = train(make_scenario(data=OVERLAPPING))
    prepared = trained.shown.prepared
    numbers = shown_points(trained, np.array([*prepared.test_rows[:2], prepared.train_rows[3], 10_000]))
    n_train = len(prepared.y_train)
    assert numbers.tolist() == [n_train, n_train + 1, 3, -1]


@pytest.mark.parametrize("data", ["spirals", "glass"])
def test_with_sub_classes_a_point_is_asked_for_the_row_of_its_class_that_the_fewest_bits_contradict(data):
    trained = train(make_scenario(data=data, coding="subclass-ecoc"))
    estimator, model = trained.shown.estimator, trained.shown
    of_rows = model.class_index[estimator.design_.row_classes]
    code = np.sign(estimator.code_matrix_)
    assert len(code) > len(trained.classes)  # these sets do get sub-classes
    facts = compare_bits(trained, "test")
    scores = estimator.scores(model.prepared.X_test)[np.argsort(model.prepared.test_rows)]
    for i, truth in enumerate(facts.truth):
        wrong = [
            [
                int(m != 0 and m * np.sign(f) <= 0 and np.sign(f) != m)
                for m, f in zip(row, scores[i], strict=True)
            ]
            for row in code[of_rows == truth]
        ]
        fewest = min(map(sum, wrong))
        assert facts.report.wrong_bits[i] == fewest
        assert facts.report.wrong[i].astype(int).tolist() in [row for row in wrong if sum(row) == fewest]


def test_a_single_machine_correlates_with_nobody():
    facts = compare_bits(train(make_scenario(data=("moons", {"n_samples": 60}))), "test")
    assert facts.n_bits == 1 and np.isnan(facts.mean_phi) and facts.n_pairs == 0


def test_the_mean_correlation_is_over_the_pairs_that_have_one():
    facts = compare_bits(train(make_scenario(data="glass")), "test")
    wrong, asked, pairs = facts.report.wrong, facts.report.asked, []
    for a in range(facts.n_bits):
        for b in range(a + 1, facts.n_bits):
            both = asked[:, a] & asked[:, b]
            first, second = wrong[both, a], wrong[both, b]
            if 0 < first.sum() < both.sum() and 0 < second.sum() < both.sum():
                pairs.append(np.corrcoef(first, second)[0, 1])
            else:
                assert np.isnan(facts.phi[a, b])
    assert (len(pairs), facts.n_pairs) == (10, 15)  # one bit is never wrong
    assert facts.phis.size == 10 and facts.mean_phi == pytest.approx(np.mean(pairs))
    assert round(facts.mean_phi, 2) == -0.10


def test_points_beyond_repair_that_are_decided_rightly_are_counted():
    trained = train(make_scenario(data="glass"))
    facts, outcome = (
        compare_bits(trained, "test"),
        evaluate(trained, "test", choose("decoding", "likelihood")),
    )
    right = [
        i for i in range(facts.n)
        if facts.report.wrong[i].sum() > facts.repairs and outcome.labels[i] == outcome.truth[i]
    ]  # fmt: skip
    assert n_beyond_right(facts, outcome) == len(right) > 0


def test_every_bar_that_holds_points_can_be_listed_and_the_picked_one_always():
    facts = compare_bits(train(make_scenario(data=OVERLAPPING, coding="dense-random")), "test")
    bars = listed_bars(facts, Bar("count", (0,)))
    assert len(bars) == len(set(bars)) and all(points_of(facts, bar).size for bar in bars)
    counts = [bar.numbers[0] for bar in bars if bar.kind == "count"]
    assert counts == sorted(set(facts.report.wrong_bits.tolist()), reverse=True)
    assert [bar.numbers for bar in bars if bar.kind == "pair"] == [facts.closest]
    errors = [int(facts.joint[bar.numbers[0], bar.numbers[0]]) for bar in bars if bar.kind == "bit"]
    assert errors == sorted((n for n in np.diag(facts.joint).tolist() if n), reverse=True)
    empty = Bar("count", (facts.n_bits,))
    assert listed_bars(facts, empty) == [*bars, empty]


def test_the_points_of_a_bar_come_with_their_decisions():
    trained = train(make_scenario(data=OVERLAPPING, coding="dense-random"))
    facts, outcome = compare_bits(trained, "test"), evaluate(trained, "test", choose("decoding", "hamming"))
    for bar in listed_bars(facts, Bar("count", (0,))):
        found = bar_points(facts, trained, bar, outcome)
        assert found.bar == bar and found.positions.tolist() == points_of(facts, bar).tolist()
        assert found.labels.tolist() == outcome.labels[found.positions].tolist()
        assert found.numbers.tolist() == shown_points(trained, facts.rows[found.positions]).tolist()
        assert found.n_right == sum(outcome.labels[i] == facts.truth[i] for i in found.positions)
