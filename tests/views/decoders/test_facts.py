"""All decoders on the same machines: the same decisions as one by one, what cannot be is said."""

from dataclasses import replace

import numpy as np
import pytest
from hearing import Impatient

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.params import pack_matrix
from ecocviz.lab.evaluate import evaluate
from ecocviz.lab.judge import Judgement, Refused
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import MAX_DRAWN, make_regions
from ecocviz.lab.report import CancelledError, Report
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.lab.selection import Selection
from ecocviz.views.decoders.facts import (
    SELECTION,
    alike,
    calibrations,
    compare,
    compared_decoders,
    confused_keys,
    decide_plane,
    judge_decoders,
    table_keys,
)

SMALL = ("blobs", {"n_samples": 60})


def judged(trained, *keys):
    report = Report()
    judge_decoders(trained, tuple(choose("decoding", key) for key in keys), report)
    return report.partial


@pytest.fixture(scope="module")
def trained():
    return train(make_scenario(data=SMALL, coding="one-vs-one"))


@pytest.mark.parametrize("split", ["hold-out", "k-fold"])
def test_every_decoder_decides_as_it_does_alone(split):
    trained = train(make_scenario(data=SMALL, coding="dense-random", split=split))
    found = judged(trained, *DECODINGS)
    assert [each.key for each in found] == list(DECODINGS)
    for each in found:
        alone = evaluate(trained, "test", choose("decoding", each.key))
        np.testing.assert_array_equal(each.outcome.rows, alone.rows)
        np.testing.assert_array_equal(each.outcome.labels, alone.labels)
        np.testing.assert_allclose(each.outcome.costs, alone.costs)
        low, high = each.interval
        assert low <= alone.n_wrong / alone.rows.size <= high
        assert each.milliseconds > 0
        assert (each.calibration is not None) == DECODINGS[each.key].gives_probabilities()


def test_log_loss_is_that_of_the_estimators_own_probabilities(trained):
    (found,) = judged(trained, "likelihood")
    model = trained.shown
    chances = model.estimator.set_params(decoding="likelihood").predict_proba(model.prepared.X_test)
    of_truth = [chances[i, c] for i, c in enumerate(model.prepared.y_test)]
    assert found.calibration.log_loss == pytest.approx(-np.mean(np.log(of_truth)))


def test_two_classes_on_no_opposite_sides_have_probabilities_too():
    code = pack_matrix(np.array([[1, 1], [-1, 0], [-1, -1]], dtype=np.int8))
    scenario = make_scenario(
        data=("blobs", {"n_samples": 60, "n_classes": 3}), coding=("custom", {"matrix": code})
    )
    (found,) = judged(train(scenario), "likelihood")
    assert isinstance(found, Judgement)
    assert 0 < found.calibration.log_loss < np.log(3)


def test_a_decoder_that_cannot_be_used_is_refused_in_one_sentence():
    trained = train(make_scenario(data=SMALL, machine="decision-tree"))
    first, second = judged(trained, "srm", "hamming")
    assert isinstance(first, Refused) and first.reason.endswith(".")
    assert isinstance(second, Judgement)


def test_without_test_points_the_training_points_are_judged():
    folded = train(make_scenario(data=SMALL, split="k-fold"))
    trained = replace(folded, models=(folded.shown,))
    assert trained.judged_part == "train"
    (found,) = judged(trained, "linear")
    assert found.outcome.rows.size == 60


def test_points_that_the_split_tests_and_trains_on_are_called_training_points():
    trained = train(make_scenario(data=SMALL, split="all"))
    assert trained.judged_part == "train"
    (found,) = judged(trained, "linear")
    assert found.outcome.rows.size == trained.shown.prepared.y_test.size == 60


def test_a_machine_that_decides_by_itself_is_judged_once():
    trained = train(make_scenario(data=SMALL, reduction="support-pattern"))
    (found,) = judged(trained, "likelihood")
    alone = evaluate(trained, "test", choose("decoding", found.key))
    np.testing.assert_array_equal(found.outcome.labels, alone.labels)
    assert found.calibration is None


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
    assert found[0].p_value(found[0]) == 1.0


def test_pictures_show_what_the_regions_show(trained):
    plane = make_plane(trained.shown.prepared, "")
    decodings = tuple(choose("decoding", key) for key in ("hamming", "likelihood", "drm"))
    shown, points = decide_plane(trained.shown, plane, decodings)
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
    plane = make_plane(trained.shown.prepared, "")
    _, points = decide_plane(trained.shown, plane, (choose("decoding", "hamming"),))
    assert len(points.truth) == MAX_DRAWN


def test_both_can_be_cancelled(trained):
    decodings = tuple(choose("decoding", key) for key in ("hamming", "linear", "voting"))
    report = Impatient(0.6)
    with pytest.raises(CancelledError):
        judge_decoders(trained, decodings, report)
    assert len(report.partial) == 1
    with pytest.raises(CancelledError):
        decide_plane(trained.shown, make_plane(trained.shown.prepared, ""), decodings, Impatient(0.6))


def test_the_comparison_has_the_fewest_errors_first_and_knows_the_own_decoder(trained):
    found = judged(trained, "srm", "hamming", "likelihood", "kl")
    names = {each.key: each.key.upper() for each in found}
    refused = Refused("linear", "It cannot be.")
    compared = compare([*found, refused], "likelihood", names, "train")
    counts = [each.outcome.n_wrong for each in compared.judged]
    assert counts == sorted(counts)
    assert compared.refused == (refused,)
    assert compared.own is found[2]
    assert compared.part_title == "Training"
    assert compared.p_value(compared.own) is None
    assert compared.p_value(found[1]) == found[1].p_value(found[2])
    assert list(calibrations(compared)) == [
        "LIKELIHOOD",
        *(name for name in compared.titles if name != "LIKELIHOOD"),
    ]
    early = compare(found[:2], "likelihood", names, "test")
    assert early.own is None and early.p_value(found[0]) is None and early.part_title == "Test"


def test_the_own_decoder_and_the_best_that_decides_otherwise_are_counted_unless_some_are_asked_for():
    trained = train(make_scenario(data=("blobs", {"n_samples": 60, "overlap": 0.9}), coding="one-vs-one"))
    found = judged(trained, *DECODINGS)
    compared = compare(found, "hamming", {each.key: each.key for each in found}, "test")
    own, other = (
        next(each for each in compared.judged if each.key == key) for key in confused_keys(compared, "")
    )
    assert own is compared.own
    assert (own.outcome.labels != other.outcome.labels).any()
    for each in compared.judged:  # whichever is the own one, also where others decide exactly alike
        beside = compare(found, each.key, {one.key: one.key for one in found}, "test")
        otherwise = (
            one for one in beside.judged if one.outcome.labels.tolist() != each.outcome.labels.tolist()
        )
        assert confused_keys(beside, "") == (each.key, next(otherwise).key)
    assert confused_keys(compared, "linear.nothing") == ("linear",)
    assert confused_keys(compared, "linear.hamming.voting") == ("linear", "hamming")


def test_decoders_of_a_link_are_compared_beside_the_own_one():
    scenario = make_scenario(data=SMALL, decoding="linear")

    def keys(judged, scenario=scenario):
        found = compared_decoders(scenario, Selection().put(SELECTION, judged=judged))
        return [decoding.key for decoding in found]

    assert keys("") == keys("x.y") == list(DECODINGS)
    assert keys("voting.hamming") == [key for key in DECODINGS if key in {"hamming", "linear", "voting"}]
    assert keys("", scenario.chosen("reduction", "support-pattern")) == ["linear"]


def test_rows_stay_where_they_are_until_all_results_are_there(trained):
    decodings = tuple(choose("decoding", key) for key in ("hamming", "linear", "srm", "likelihood"))
    found = [*judged(trained, "hamming", "linear", "likelihood"), Refused("srm", "It cannot be.")]
    names = {each.key: each.key for each in decodings}
    for n in range(len(found)):
        partial = compare(found[:n], "likelihood", names, "test")
        assert table_keys(partial, decodings, over=False) == ("hamming", "linear", "srm", "likelihood")
    whole = compare(found, "likelihood", names, "test")
    assert table_keys(whole, decodings, over=True) == tuple(each.key for each in whole.judged)
    assert "srm" not in table_keys(whole, decodings, over=False)
