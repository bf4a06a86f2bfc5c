"""Reductions side by side: who enters, what is predicted, what is measured, and cancelling."""

from dataclasses import replace

import numpy as np
import pytest

from ecocviz.engine.catalogue import CODINGS, DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.jobs import CancelledError
from ecocviz.lab.run import run, train
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.reductions.exhibits import asked_relation, exhibits
from ecocviz.views.reductions.facts import (
    RELIABILITIES,
    SIDE,
    Ground,
    Refused,
    Standing,
    as_predicted,
    contest,
    entrants,
    own_key,
    p_value,
)


def small(n_samples=60, **slots):
    return make_scenario(data=("blobs", {"n_samples": n_samples}), **slots)


def held(scenario, keys=None, plane=""):
    chosen = [e for e in entrants(scenario) if keys is None or e.key in keys]
    found = []
    contest(tuple(chosen), plane, found.append)
    ground = found[0]
    assert isinstance(ground, Ground)
    return ground, {item.key: item for item in found[1:]}, chosen


def test_everything_enters_once():
    for scenario in (
        small(),
        small(decoding="srm"),
        small(reduction=("single-binary", {"variant": "single"})),
    ):
        found = entrants(scenario)
        assert len({e.key for e in found}) == len({e.scenario for e in found}) == len(found)
        assert {e.scenario.reduction.key for e in found} == set(REDUCTIONS)
        reliable = {key for key, entry in DECODINGS.items() if entry.needs & RELIABILITIES}
        assert reliable <= {e.scenario.decoding.key for e in found}
        own = next(e for e in found if e.key == own_key(found, scenario))
        assert own.scenario == scenario
        for e in found:
            assert replace(e.scenario, reduction=scenario.reduction, coding=scenario.coding,
                           decoding=scenario.decoding) == scenario  # fmt: skip


def test_everyone_does_what_a_run_of_it_does():
    ground, found, chosen = held(small())
    for entrant in chosen:
        standing = found[entrant.key]
        assert isinstance(standing, Standing), standing
        alone = run(entrant.scenario)
        assert np.array_equal(standing.outcome.labels, alone.test.labels)
        low, high = standing.interval
        assert low <= standing.outcome.n_wrong / standing.outcome.rows.size <= high
        assert as_predicted(standing, ground.predictions[entrant.key])
        assert standing.cells.shape == (SIDE * SIDE,)
        cells = ground.plane.lift(ground.plane.cells(SIDE))[::97]
        d = entrant.scenario.decoding
        costs = alone.trained.shown.estimator.costs(cells, d.key, d.values)
        assert np.array_equal(standing.cells[::97], np.argmin(costs, axis=1))
        assert standing.seconds > 0
        assert standing.milliseconds > 0


@pytest.mark.parametrize("n_classes", [2, 5])
def test_predictions_count_points(n_classes):
    scenario = make_scenario(data=("blobs", {"n_samples": 60, "n_classes": n_classes}), coding="one-vs-one")
    ground, found, _ = held(scenario, {"ecoc", "ddag", "single-binary_kernel", "support-pattern"})
    trained = train(scenario)
    y = trained.shown.prepared.y_train
    pairs = sorted(
        int((y == a).sum() + (y == b).sum()) for a in range(n_classes) for b in range(a + 1, n_classes)
    )
    predicted = {key: sorted(p.sizes.tolist()) for key, p in ground.predictions.items()}
    assert predicted["ecoc"] == predicted["ddag"] == pairs
    assert predicted["single-binary_kernel"] == [n_classes * y.size]
    assert predicted["support-pattern"] == []
    assert all(as_predicted(found[key], ground.predictions[key]) for key in predicted)


def test_a_learned_code_is_predicted_as_a_limit():
    key = next(key for key, coding in CODINGS.items() if coding.build is None)
    ground, found, _ = held(small(coding=key), {"ecoc"})
    prediction = ground.predictions["ecoc"]
    assert prediction.at_most
    assert found["ecoc"].sizes.size <= prediction.sizes.size
    assert found["ecoc"].sizes.max() <= prediction.sizes.max()


def test_what_cannot_be_is_refused_and_the_rest_goes_on():
    _, found, chosen = held(small(coding="one-vs-one"), {"ecoc", "single-binary-ecoc"})
    refused = found["single-binary-ecoc"]
    assert isinstance(refused, Refused)
    assert refused.reason == next(e.reason for e in chosen if e.key == refused.key)
    assert isinstance(found["ecoc"], Standing)


def test_one_set_of_machines_serves_both_reliability_decoders(monkeypatch):
    trainings = []

    def counted(scenario, progress=None):
        trainings.append(scenario)
        return train(scenario, progress)

    monkeypatch.setattr("ecocviz.views.reductions.facts.train", counted)
    _, found, _ = held(small(), {"ecoc", "ecoc_srm", "ecoc_drm"})
    assert len(trainings) == 1
    assert found["ecoc_srm"].seconds > 0


def test_training_on_all_points_judges_all_points():
    ground, found, _ = held(small(split="all"), {"ddag"})
    assert found["ddag"].outcome.rows.size == 60
    assert ground.truth.size == ground.drawn.size == 60


def test_two_alike_differ_by_nothing():
    _, found, _ = held(small(), {"ddag"})
    assert p_value(found["ddag"], found["ddag"]) == 1.0


@pytest.mark.parametrize("key", [entrant.key for entrant in entrants(small())])
def test_every_training_can_be_cancelled(key):
    found, shares = [], []

    def progress(share, note):
        assert note
        shares.append(share)
        if share > 0:  # training has begun
            raise CancelledError("enough")

    with pytest.raises(CancelledError):
        contest(tuple(e for e in entrants(small()) if e.key == key), "", found.append, progress)
    assert len(found) == 1


def test_the_relation_that_machines_ask_for_is_the_root_of_their_products():
    W = np.random.default_rng(3).normal(size=(5, 3))
    relation = asked_relation(W.T @ W)
    assert np.trace(relation) == pytest.approx(1.0)
    scale = relation @ relation / (W.T @ W)
    assert np.allclose(scale, scale[0, 0])
    assert np.array_equal(asked_relation(np.zeros((2, 2))), np.zeros((2, 2)))


def test_exhibits_hold_the_estimators_own_numbers():
    scenario = small(reduction="support-pattern")
    model = train(scenario).shown
    patterns = exhibits(model, scenario.decoding, uses_decoder=False)[0]
    points = [int(name.split(",")[0]) for name in patterns.rows]
    assert np.array_equal(patterns.numbers, model.estimator.taus_[points])
    scenario = small(reduction="ddag")
    model = train(scenario).shown
    asked = exhibits(model, scenario.decoding, uses_decoder=False)[0]
    # Every point asks k - 1 machines: the shares of each class's row sum to that.
    assert np.allclose(asked.numbers.sum(axis=1), 100 * model.estimator.n_evaluations_)
