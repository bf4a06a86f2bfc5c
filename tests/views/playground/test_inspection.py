"""One point under the lens, against trying every set of flips."""

from itertools import combinations

import numpy as np
import pytest

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.run import run
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground.inspection import inspect_point, tipping_bits


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
