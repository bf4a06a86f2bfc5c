"""How machines are related, against the plain definitions."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from ecocviz.engine.progress import Progress
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import Selection
from ecocviz.views.relations.facts import (
    KINDS,
    MAX_DRAWN,
    PAIR,
    SORT,
    drawn_order,
    picked_pair,
    picked_sort,
    read_pair,
    relate,
)


def test_scores_and_errors_are_those_of_the_test_points():
    trained = train(make_scenario(data="iris", coding="one-vs-one"))
    found = relate(trained, "test")
    prepared, estimator = trained.shown.prepared, trained.shown.estimator
    order = np.argsort(prepared.test_rows)
    scores = estimator.scores(prepared.X_test)[order]
    np.testing.assert_array_equal(found.scores, scores)
    np.testing.assert_array_equal(found.truth, prepared.y_test[order])
    np.testing.assert_allclose(found.correlations["scores"], np.corrcoef(scores.T), atol=1e-12)
    for i, c in enumerate(found.truth):
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
    assert [trained.classes[c] for c in folded.truth] == list(trained.table.labels)
    for model in trained.models:
        expected = model.estimator.scores(model.prepared.X_test)
        np.testing.assert_array_equal(folded.scores[model.prepared.test_rows], expected)
    untested = replace(trained, models=(trained.shown,))
    assert untested.shown.prepared.y_test.size == 0
    assert relate(untested, "test").part == relate(trained, "train").part == "train"
    assert trained.judged_part == "test" and folded.has_test and not relate(untested, "test").has_test


def test_folds_with_codes_of_their_own_are_not_pooled():
    trained = train(make_scenario(data="iris", coding="one-vs-one", split="k-fold"))
    first, *others = trained.models
    estimator = copy(first.estimator)
    estimator.code_matrix_ = -estimator.code_matrix_
    unlike = replace(trained, models=(replace(first, estimator=estimator), *others))
    found = relate(unlike, "test")
    assert (found.part, found.has_test, found.n) == ("train", True, 150)


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
        pairs = [abs(r[a, b]) for a in range(len(r)) for b in range(a)]
        pairs = [strength for strength in pairs if not np.isnan(strength)]
        a, b = found.most_alike(kind)
        assert a < b and abs(r[a, b]) == pytest.approx(max(pairs))
        assert found.mean_strength(kind) == pytest.approx(sum(pairs) / len(pairs))


@pytest.mark.parametrize("text", ["", "1", "0,0", "0,9", "-1,2", "1,2,3", "x,1", "٣,1", "9999999,1"])
def test_hostile_pairs_are_none(text):
    assert read_pair(text, 5) is None


def test_a_link_picks_what_is_there():
    found = relate(train(make_scenario(data=("blobs", {"overlap": 0.8}))), "train")
    declared = [PAIR, SORT]
    asked = Selection().put(declared, pair="2,0", sort="code")
    assert (picked_pair(found, asked), picked_sort(found, asked)) == ((2, 0), "code")
    odd = Selection().put(declared, pair="2,9", sort="relation")
    assert picked_sort(found, odd) == "scores"
    assert picked_pair(found, odd) == found.most_alike("errors")
    # Without errors that correlate, the scores choose the first pair.
    nowhere = replace(found, correlations={**found.correlations, "errors": np.eye(found.n_bits)})
    assert (found.leading_kind, nowhere.leading_kind) == ("errors", "scores")
    assert picked_pair(nowhere, odd) == found.most_alike("scores")


def test_two_machines_are_counted_where_both_are_asked():
    found = relate(train(make_scenario(data=("blobs", {"overlap": 0.8}), coding="one-vs-one")), "train")
    expected = np.zeros((2, 2), dtype=int)
    for i in range(found.n):
        if found.asked[i, 0] and found.asked[i, 4]:
            expected[int(found.wrong[i, 0]), int(found.wrong[i, 4])] += 1
    assert expected[0, 0] > 0
    np.testing.assert_array_equal(found.joint_errors((0, 4)), expected)


def test_every_step_is_named():
    notes = []

    class Noting(Progress):
        def note(self, text):
            notes.append(text)

    relate(train(make_scenario(data="iris")), "test", Noting())
    assert notes == [
        "scoring the points",
        "correlating the weights",
        "correlating the errors",
        "ordering the machines",
    ]


def test_of_many_machines_some_are_drawn_the_pair_among_them():
    few = np.array([2, 0, 1])
    assert drawn_order(few, (0, 1)) is few
    order = np.random.default_rng(0).permutation(1_000)
    drawn = drawn_order(order, (3, 998))
    assert drawn.size <= MAX_DRAWN and {3, 998} <= set(drawn.tolist())
    places = [int(np.flatnonzero(order == machine)[0]) for machine in drawn]
    assert (np.diff(places) > 0).all() and (places[0], places[-1]) == (0, 999)
    # As many as fit, two places kept for the pair.
    evenly = np.rint(np.linspace(0, 999, MAX_DRAWN - 2)).astype(int)
    apart = order[np.setdiff1d(np.arange(1_000), evenly)][:2]
    assert drawn_order(order, tuple(apart)).size == MAX_DRAWN
    assert KINDS == ("weights", "scores", "errors", "relation")


def test_where_nothing_correlates_the_first_two_machines_are_looked_at():
    found = relate(train(make_scenario(data="iris", coding="one-vs-one")), "test")
    nothing = replace(found, correlations={"errors": np.eye(3)})
    assert nothing.most_alike("errors") == (0, 1)
    r = np.array([[1.0, 0.1, -0.7], [0.1, 1.0, 0.7], [-0.7, 0.7, 1.0]])
    assert replace(found, correlations={"errors": r}).most_alike("errors") == (0, 2)


def test_with_several_codewords_a_class_no_bit_is_wrong_by_itself():
    found = relate(train(make_scenario(data="glass", coding="subclass-ecoc")), "test")
    assert "errors" not in found.correlations and not found.wrong.any() and not found.asked.any()
    assert found.missing["errors"] == (
        "This code has several codewords per class, so a single bit cannot be called wrong."
    )
    assert found.leading_kind == "scores"
