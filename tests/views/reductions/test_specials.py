"""What is special to each reduction: the estimator's own numbers."""

import numpy as np
import pytest

from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.reductions.specials import MAX_PATTERNS, asked_relation, find_specials, unconverged


def specials_of(**slots):
    scenario = make_scenario(data=("blobs", {"n_samples": 60}), **slots)
    model = train(scenario).shown
    return model, {special.key: special for special in find_specials(model, scenario.decoding)}


def test_the_relation_that_machines_ask_for_is_the_root_of_their_products():
    W = np.random.default_rng(3).normal(size=(5, 3))
    relation = asked_relation(W.T @ W)
    assert np.trace(relation) == pytest.approx(1.0)
    scale = relation @ relation / (W.T @ W)
    assert np.allclose(scale, scale[0, 0])
    assert np.array_equal(asked_relation(np.zeros((2, 2))), np.zeros((2, 2)))


def test_support_patterns_are_those_of_the_named_points():
    model, found = specials_of(reduction="support-pattern")
    patterns, taus = found["patterns"], model.estimator.taus_
    points = [int(name.split(",")[0]) for name in patterns.rows]
    assert np.array_equal(patterns.numbers, taus[points])
    assert patterns.more["support"] == np.abs(taus).any(axis=1).sum() >= len(points)
    assert patterns.more["n"] == len(taus) and len(points) <= MAX_PATTERNS
    assert patterns.more["gap"] == model.estimator.gap_
    assert np.array_equal(found["gap"].numbers, model.estimator.history_[:, 1])


def test_every_point_asks_one_machine_less_than_there_are_classes():
    model, found = specials_of(reduction="ddag")
    # The shares of each class's row sum to that.
    assert np.allclose(found["paths"].numbers.sum(axis=1), 100 * model.estimator.n_evaluations_)
    assert found["paths"].more["asked"] == model.estimator.n_evaluations_


def test_joint_machines_stand_beside_independent_ones():
    model, found = specials_of(reduction="joint")
    relation, apart, more = found["relation"], found["relation-apart"], found["relation"].more
    assert np.allclose(np.diag(relation.numbers), 1.0) and np.allclose(np.diag(apart.numbers), 1.0)
    off = np.abs(relation.numbers - np.eye(len(relation.numbers)))
    assert off[more["a"], more["b"]] == off.max()
    assert more["apart"] == apart.numbers[more["a"], more["b"]]
    X, y, _ = model.points("test")
    d = make_scenario().decoding
    for name, estimator in (("wrong", model.estimator), ("wrong_apart", model.estimator.independent_)):
        assert more[name] == (estimator.costs(X, d.key, d.values).argmin(axis=1) != y).sum()
    assert more["n"] == y.size


def test_one_machine_for_all_copies_shows_its_kernel_and_weights():
    model, found = specials_of(reduction="single-binary")
    assert np.array_equal(found["class-kernel"].numbers, model.estimator.class_kernel_)
    assert found["class-kernel"].rows == found["class-kernel"].columns == model.prepared.classes
    assert np.array_equal(found["class-weights"].numbers, model.estimator.mu_)
    _, found = specials_of(reduction="single-binary-ecoc")
    assert found["column-kernel"].rows == tuple(str(b + 1) for b in range(len(found["column-kernel"].rows)))


def test_a_designed_code_is_shown_and_a_given_one_is_not():
    model, found = specials_of(reduction="continuous-code")
    assert np.array_equal(found["code"].numbers, model.estimator.code_matrix_)
    assert set(specials_of()[1]) == {"support"}


@pytest.mark.parametrize(
    ("decoding", "key"), [("srm", "reliability"), ("drm", "local-reliability"), ("likelihood", "support")]
)
def test_machines_of_an_ordinary_code_show_what_their_decoder_weighs_them_by(decoding, key):
    model, found = specials_of(decoding=decoding)
    assert set(found) == {key}
    assert found[key].numbers.shape == (model.estimator.code_matrix_.shape[1],)
    if key == "support":
        alphas = model.estimator.columns_.alphas
        assert found[key].numbers.tolist() == (alphas > 0).sum(axis=0).tolist()
        assert found[key].more == {"n": len(alphas)}
    assert unconverged(model) == (0, len(found[key].rows))
