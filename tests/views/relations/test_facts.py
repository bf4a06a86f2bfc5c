"""How machines are related, against the plain definitions."""

from dataclasses import replace

import numpy as np
import pytest

from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.relations.facts import most_alike, read_pair, relate


def test_scores_and_errors_are_those_of_the_test_points():
    trained = train(make_scenario(data="iris", coding="one-vs-one"))
    found = relate(trained, "test")
    prepared, estimator = trained.shown.prepared, trained.shown.estimator
    scores = estimator.scores(prepared.X_test)
    np.testing.assert_array_equal(found.scores, scores)
    np.testing.assert_allclose(found.correlations["scores"], np.corrcoef(scores.T), atol=1e-12)
    for i, c in enumerate(prepared.y_test):
        for b in range(3):
            asks = estimator.code_matrix_[c, b]
            assert found.asked[i, b] == (asks != 0)
            assert found.wrong[i, b] == (asks != 0 and np.sign(scores[i, b]) != asks)
    assert list(found.correlations) == ["weights", "scores", "errors"]
    assert set(found.orders) == {"weights", "scores", "errors", "code"}
    assert (found.part, found.missing, found.n_bits) == ("test", {}, 3)


def test_folds_are_pooled_and_training_points_stand_in_for_missing_test_points():
    trained = train(make_scenario(data="iris", split="k-fold"))
    folded = relate(trained, "test")
    assert (folded.truth.size, folded.part) == (150, "test")
    models = trained.models
    expected = np.concatenate([model.estimator.scores(model.prepared.X_test) for model in models])
    np.testing.assert_array_equal(folded.scores, expected)
    untested = replace(trained, models=(trained.shown,))
    assert untested.shown.prepared.y_test.size == 0
    assert relate(untested, "test").part == relate(trained, "train").part == "train"


def test_machines_without_weights_say_so():
    found = relate(train(make_scenario(data="iris", machine="naive-bayes")), "train")
    assert "weights" not in found.correlations
    assert found.missing == {"weights": "Only kernel machines have weight vectors that can be compared."}


def test_a_learned_relation_is_shown_by_itself():
    trained = train(make_scenario(data="iris", reduction="joint"))
    found = relate(trained, "test")
    learned = trained.shown.estimator.relation_
    a, b = 0, 2
    expected = learned[a, b] / np.sqrt(learned[a, a] * learned[b, b])
    assert found.correlations["relation"][a, b] == pytest.approx(expected, abs=1e-9)
    products = trained.shown.estimator.weight_products_
    expected = products[a, b] / np.sqrt(products[a, a] * products[b, b])
    assert found.correlations["weights"][a, b] == pytest.approx(expected, abs=1e-9)


def test_one_machine_or_none_is_one_sentence():
    with pytest.raises(ValueError, match="one machine, so there is nothing to correlate"):
        relate(train(make_scenario(data="moons")), "test")
    with pytest.raises(ValueError, match="no code with a machine for every column"):
        relate(train(make_scenario(data="iris", reduction="support-pattern")), "test")


def test_the_most_alike_pair_is_the_strongest_either_way():
    found = relate(train(make_scenario(data="iris", coding="binary-complete")), "train")
    for kind, r in found.correlations.items():
        strongest = max(abs(r[a, b]) for a in range(len(r)) for b in range(a))
        a, b = most_alike(found, kind)
        assert a < b and abs(r[a, b]) == pytest.approx(strongest)


@pytest.mark.parametrize("text", ["", "1", "0,0", "0,9", "-1,2", "1,2,3", "x,1", "٣,1", "9999999,1"])
def test_hostile_pairs_are_none(text):
    assert read_pair(text, 5) is None
