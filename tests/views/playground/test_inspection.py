"""One point under the lens, against trying every set of flips."""

from itertools import combinations

import numpy as np
import pytest

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import MAX_BITS
from ecocviz.lab.run import run
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.playground.inspection import inspect_picked, inspect_point
from ecocviz.views.playground.tipping import TIE, are_tied, tipping_bits


@pytest.fixture(scope="module")
def model():
    return run(make_scenario(data=("blobs", {"n_samples": 60}), coding="dense-random")).trained.shown


def fewest_flips(model, key, point, scores):
    """Try all sets of flips by size; return the size of the smallest that changes the winner."""

    def winner(changed):
        return int(np.argmin(model.estimator.decode(changed[None], key, X=point[None])[0]))

    before = winner(scores)
    for size in range(1, len(scores) + 1):
        for flips in combinations(range(len(scores)), size):
            changed = scores.copy()
            changed[list(flips)] *= -1
            if winner(changed) != before:
                return size
    return None


@pytest.mark.parametrize("key", [key for key, decoding in DECODINGS.items() if decoding.terms is not None])
def test_no_smaller_set_of_flips_changes_the_winner(model, key):
    X = model.prepared.X_train
    choice = choose("decoding", key)
    for i in (0, 7, 19):
        scores = model.estimator.scores(X[i][None])
        found = tipping_bits(model, choice, X[i][None], scores)
        least = fewest_flips(model, key, X[i], scores[0])
        assert (None if found is None else len(found)) == least


def test_decoders_whose_costs_are_no_sums_say_nothing(model):
    scores = model.estimator.scores(model.prepared.X_train[:1])
    for key, entry in DECODINGS.items():
        if entry.terms is None:
            assert tipping_bits(model, choose("decoding", key), model.prepared.X_train[:1], scores) is None


def test_an_inspection_tells_what_the_estimator_does(model):
    choices = (choose("decoding", "hamming"), choose("decoding", "likelihood"))
    x, truth = model.prepared.X_test[2], int(model.prepared.y_test[2])
    told = inspect_point(model, x, truth, choices, frozenset())
    assert np.array_equal(told.scores, model.estimator.scores(x[None])[0])
    assert np.array_equal(told.bits, np.sign(told.scores))
    for verdict in told.verdicts:
        costs = model.estimator.costs(x[None], verdict.decoding.key)[0]
        assert np.allclose(verdict.costs, costs)
        assert verdict.winner == np.argmin(costs)
        others = [c for c in range(len(costs)) if c != verdict.winner]
        assert costs[verdict.runner_up] == min(costs[c] for c in others)
        assert verdict.margin == pytest.approx(costs[verdict.runner_up] - costs[verdict.winner])
    a, b = model.estimator.sigmoids_.T
    assert np.allclose(told.probabilities, 1 / (1 + np.exp(a * told.scores + b)))


def test_flips_change_the_sign_and_nothing_else(model):
    choices = (choose("decoding", "hamming"),)
    x = model.prepared.X_test[0]
    before = inspect_point(model, x, 0, choices, frozenset())
    after = inspect_point(model, x, 0, choices, frozenset({1, 3}))
    assert np.flatnonzero(after.flipped).tolist() == [1, 3]
    assert np.array_equal(np.abs(after.scores), np.abs(before.scores))
    assert np.flatnonzero(after.bits != before.bits).tolist() == [1, 3]
    asked = model.estimator.code_matrix_[0]
    distance = sum(1 for bit, entry in zip(after.bits, asked, strict=True) if bit != entry)
    assert after.verdicts[0].costs[0] == distance


def test_flipping_the_tipping_bits_tips(model):
    choices = (choose("decoding", "linear"),)
    for x in model.prepared.X_test[:8]:
        verdict = inspect_point(model, x, -1, choices, frozenset()).verdicts[0]
        assert verdict.tipping
        tipped = inspect_point(model, x, -1, choices, frozenset(verdict.tipping)).verdicts[0]
        assert tipped.winner != verdict.winner


# What decoders read --------------------------------------------------------------------------------


def test_a_decoder_of_probabilities_sees_its_bits_on_the_side_of_the_probability(model):
    choices = tuple(choose("decoding", key) for key in ("hamming", "linear", "likelihood"))
    n_split = 0
    for x, truth in zip(model.prepared.X_test, model.prepared.y_test.tolist(), strict=True):
        told = inspect_point(model, x, truth, choices, frozenset())
        likely = np.where(told.probabilities > 0.5, 1, -1)
        assert np.array_equal(told.split, likely != np.sign(told.scores))
        n_split += told.split.sum()
        asked = model.estimator.code_matrix_[truth]
        for decoder, seen in enumerate((told.bits, told.bits, likely)):
            assert np.array_equal(told.seen(decoder), seen)
            assert np.array_equal(told.wrong(decoder), (asked != 0) & (asked != seen))
    assert n_split  # or nothing was tried


def test_probabilities_are_shown_only_where_some_decoder_reads_them(model):
    told = inspect_point(model, model.prepared.X_test[0], 0, (choose("decoding", "hamming"),), frozenset())
    assert told.probabilities is None and told.note is None and not told.split.any()


# Ties ----------------------------------------------------------------------------------------------


def test_costs_that_differ_by_rounding_only_are_tied():
    costs = np.array([0.1 + 0.2, 0.3, 0.3 + 1e-6, np.inf])
    assert are_tied(costs, np.abs(costs), 0).tolist() == [True, True, False, False]
    # What nearly cancels is rounded in proportion to what was summed, not to the little that is left.
    assert are_tied(np.array([1e-17, 0.0]), np.array([2.0, 2.0]), 1).all()
    assert not are_tied(np.array([1e-17, 0.0]), np.array([1e-17, 0.0]), 1).all()


def test_no_sum_of_the_longest_code_is_rounded_into_or_out_of_a_tie():
    terms = np.random.default_rng(0).normal(size=(50, MAX_BITS)) * 10.0 ** np.arange(-5, 5).repeat(5)[:, None]
    there, back = terms.sum(axis=1), terms[:, ::-1].cumsum(axis=1)[:, -1]
    sizes = np.abs(terms).sum(axis=1)
    assert (np.abs(there - back) < TIE / 1000 * sizes).all()


def test_a_tie_has_all_its_classes_and_the_lowest_wins(model):
    choice = (choose("decoding", "hamming"),)
    n_ties = 0
    for x in model.prepared.X_test:
        verdict = inspect_point(model, x, 0, choice, frozenset()).verdicts[0]
        equal = np.flatnonzero(verdict.costs == verdict.costs.min())
        assert verdict.tied == tuple(equal) and verdict.winner == equal[0]
        assert verdict.is_tie == (equal.size > 1) == (verdict.margin == 0)
        n_ties += verdict.is_tie
    assert n_ties


# Classes in parts ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parts():
    scenario = make_scenario(data=("spirals", {"n_samples": 150}), coding="subclass-ecoc")
    return run(scenario).trained.shown


@pytest.mark.parametrize("key", ["hamming", "linear", "likelihood", "laplacian"])
def test_of_several_rows_of_a_class_the_one_that_decides_counts(parts, key):
    rows, code = parts.estimator.design_.row_classes, parts.estimator.code_matrix_
    for x, truth in zip(parts.prepared.X_test[:20], parts.prepared.y_test.tolist(), strict=False):
        told = inspect_point(parts, x, truth, (choose("decoding", key),), frozenset())
        verdict = told.verdicts[0]
        assert np.array_equal(told.rows, rows) and verdict.row_costs.size == rows.size
        by_class = [verdict.row_costs[rows == c].min() for c in range(3)]
        assert np.allclose(by_class, verdict.costs)
        asked = told.asked(0)
        own = [r for r in np.flatnonzero(rows == truth) if np.array_equal(np.sign(code[r]), asked)]
        assert verdict.row_costs[own[0]] == verdict.costs[truth]
        assert np.array_equal(told.wrong(0), (asked != 0) & (asked != told.seen(0)))


@pytest.mark.parametrize("key", ["hamming", "linear", "likelihood"])
def test_no_smaller_set_changes_the_winner_of_classes_in_parts(parts, key):
    n_found = 0
    for x in parts.prepared.X_test[:12]:
        scores = parts.estimator.scores(x[None])
        found = tipping_bits(parts, choose("decoding", key), x[None], scores)
        if found is not None:
            n_found += 1
            assert len(found) == fewest_flips(parts, key, x, scores[0])
    assert n_found >= 6


def test_only_bits_of_the_true_class_and_the_winner_matter():
    data = ("blobs", {"n_samples": 60, "n_classes": 6})
    shown = run(make_scenario(data=data, coding="one-vs-one")).trained.shown
    told = inspect_point(shown, shown.prepared.X_test[0], 2, (choose("decoding", "hamming"),), frozenset())
    winner = told.verdicts[0].winner
    code = shown.estimator.code_matrix_
    expected = [b for b in range(15) if code[2, b] or code[winner, b]]
    assert np.flatnonzero(told.matters(0)).tolist() == expected


def test_a_point_is_decided_by_all_of_its_features_wherever_it_lies_on_the_plane():
    trained = run(make_scenario(data="iris", coding="one-vs-one")).trained
    decodings = choose("decoding", "hamming"), choose("decoding", "linear")
    picture = make_picture(trained, "0,1", decodings)
    points = picture.points
    elsewhere = 0
    for pick in range(points.truth.size):
        found = inspect_picked(trained.shown, picture, pick, None, frozenset())
        assert [verdict.winner for verdict in found.verdicts] == points.labels[:, pick].tolist()
        said = np.unpackbits(points.bits[pick], count=picture.regions.n_bits)
        assert said.tolist() == (found.scores > 0).tolist()
        place = inspect_picked(
            trained.shown, picture, -1, tuple(points.coordinates[pick].tolist()), frozenset()
        )
        elsewhere += place.verdicts[0].winner != found.verdicts[0].winner
    assert elsewhere > 0  # what is decided of the place would be another answer
