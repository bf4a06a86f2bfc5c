"""All decoders on the same machines: the same decisions as one by one, what cannot be is said."""

from dataclasses import replace

import numpy as np
import pytest

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.params import pack_matrix
from ecocviz.lab.regions import make_plane, make_regions
from ecocviz.lab.run import decide, judged_part, train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.decoders.facts import (
    MAX_POINTS,
    Judgement,
    Refusal,
    alike,
    compare,
    p_value,
    pictures,
)

SMALL = ("blobs", {"n_samples": 60})


def judged(trained, *keys):
    found = []
    compare(trained, tuple(choose("decoding", key) for key in keys), found.append)
    return found


@pytest.fixture(scope="module")
def trained():
    return train(make_scenario(data=SMALL, coding="one-vs-one"))


@pytest.mark.parametrize("split", ["hold-out", "k-fold"])
def test_every_decoder_decides_as_it_does_alone(split):
    trained = train(make_scenario(data=SMALL, coding="dense-random", split=split))
    found = judged(trained, *DECODINGS)
    assert [each.decoding.key for each in found] == list(DECODINGS)
    for each in found:
        alone = decide(trained.models, each.decoding, len(trained.classes), part="test")
        np.testing.assert_array_equal(each.outcome.rows, alone.rows)
        np.testing.assert_array_equal(each.outcome.labels, alone.labels)
        np.testing.assert_allclose(each.outcome.costs, alone.costs)
        low, high = each.interval
        assert low <= alone.n_wrong / alone.rows.size <= high
        assert each.milliseconds > 0
        assert (each.calibration is not None) == (DECODINGS[each.decoding.key].probabilities is not None)


def test_log_loss_is_that_of_the_estimators_own_probabilities(trained):
    (found,) = judged(trained, "likelihood")
    model = trained.shown
    chances = model.estimator.set_params(decoding="likelihood").predict_proba(model.prepared.X_test)
    of_truth = [chances[i, c] for i, c in enumerate(model.prepared.y_test)]
    assert found.calibration.log_loss == pytest.approx(-np.mean(np.log(of_truth)))


def test_a_code_that_gives_no_probabilities_says_why():
    code = pack_matrix(np.array([[1, 1], [-1, 0], [-1, -1]], dtype=np.int8))
    scenario = make_scenario(
        data=("blobs", {"n_samples": 60, "n_classes": 3}), coding=("custom", {"matrix": code})
    )
    (found,) = judged(train(scenario), "likelihood")
    assert isinstance(found, Judgement)
    assert found.calibration is None
    assert "never take opposite sides" in found.unsure


def test_a_decoder_that_cannot_be_used_is_refused_in_one_sentence():
    trained = train(make_scenario(data=SMALL, machine="decision-tree"))
    first, second = judged(trained, "srm", "hamming")
    assert isinstance(first, Refusal) and first.reason.endswith(".")
    assert isinstance(second, Judgement)


def untested(trained):
    """The same machines, without any test points."""
    prepared = trained.shown.prepared
    bare = replace(
        prepared,
        X_test=prepared.X_test[:0],
        y_test=prepared.y_test[:0],
        test_rows=prepared.test_rows[:0],
    )
    shown = replace(trained.shown, prepared=bare)
    return replace(trained, shown=shown, models=(shown,))


def test_without_test_points_the_training_points_are_judged():
    trained = untested(train(make_scenario(data=SMALL)))
    assert judged_part(trained) == "train"
    (found,) = judged(trained, "linear")
    assert found.outcome.rows.size == 42


def test_points_that_the_split_tests_and_trains_on_are_called_training_points():
    trained = train(make_scenario(data=SMALL, split="all"))
    assert judged_part(trained) == "train"
    (found,) = judged(trained, "linear")
    assert found.outcome.rows.size == trained.shown.prepared.y_test.size == 60


def test_a_machine_that_decides_by_itself_is_judged_once():
    trained = train(make_scenario(data=SMALL, reduction="support-pattern"))
    (found,) = judged(trained, "likelihood")
    alone = decide(trained.models, found.decoding, len(trained.classes), part="test")
    np.testing.assert_array_equal(found.outcome.labels, alone.labels)
    assert found.calibration is None and not found.unsure


def test_alike_groups_by_equal_decisions(trained):
    found = tuple(judged(trained, *DECODINGS))
    groups = alike(found)
    assert sorted(k for group in groups for k in group) == list(range(len(found)))
    assert [len(group) for group in groups] == sorted(map(len, groups), reverse=True)
    where = {k: g for g, group in enumerate(groups) for k in group}
    for a, first in enumerate(found):
        for b, second in enumerate(found):
            same = bool((first.outcome.labels == second.outcome.labels).all())
            assert same == (where[a] == where[b])
    assert p_value(found[0], found[0]) == 1.0


def test_pictures_show_what_the_regions_show(trained):
    plane = make_plane(trained.shown.prepared, "")
    decodings = tuple(choose("decoding", key) for key in ("hamming", "likelihood", "drm"))
    shown, points = pictures(trained.shown, plane, decodings)
    whole = make_regions(trained.shown, plane, decodings, shown.n)
    np.testing.assert_array_equal(shown.labels, whole.labels)
    prepared = trained.shown.prepared
    np.testing.assert_array_equal(points.truth, prepared.y_test)
    for line, decoding in zip(points.labels, decodings, strict=True):
        alone = prepared_labels(trained, decoding)
        np.testing.assert_array_equal(line, alone)


def prepared_labels(trained, decoding):
    model = trained.shown
    costs = model.estimator.costs(model.prepared.X_test, decoding.key, decoding.values)
    return model.class_index[np.argmin(costs, axis=1)]


def test_pictures_hold_few_points():
    trained = train(
        make_scenario(data=("blobs", {"n_samples": 2000}), split=("hold-out", {"test_share": 0.9}))
    )
    _, points = pictures(
        trained.shown, make_plane(trained.shown.prepared, ""), (choose("decoding", "hamming"),)
    )
    assert len(points.truth) == MAX_POINTS


class StoppedError(RuntimeError):
    pass


def test_both_can_be_cancelled(trained):
    decodings = tuple(choose("decoding", key) for key in ("hamming", "linear", "voting"))
    found = []

    def stop(share, note):
        assert note
        if share > 0.4:
            raise StoppedError

    with pytest.raises(StoppedError):
        compare(trained, decodings, found.append, stop)
    assert len(found) == 1
    with pytest.raises(StoppedError):
        pictures(trained.shown, make_plane(trained.shown.prepared, ""), decodings, stop)
