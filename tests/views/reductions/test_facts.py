"""Reductions side by side: who enters, what is predicted, what is measured, and cancelling."""

import numpy as np
import pytest
from hearing import Impatient

from ecocviz.engine.catalogue import CODINGS, DECODINGS
from ecocviz.lab.judge import Refused
from ecocviz.lab.regions import MAX_DRAWN, SIDE
from ecocviz.lab.report import CancelledError, Report
from ecocviz.lab.run import run, train, without_decoder
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.trained import TrainedKeeper
from ecocviz.views.reductions.candidates import candidates, compared_candidates
from ecocviz.views.reductions.facts import (
    ReductionResult,
    SharedProblem,
    compare,
    compare_reductions,
)


def small(n_samples=60, **slots):
    return make_scenario(data=("blobs", {"n_samples": n_samples}), **slots)


def keeper(trainings=None):
    def counted(scenario, progress):
        if trainings is not None:
            trainings.append(scenario)
        return train(scenario, progress)

    return TrainedKeeper(counted, without_decoder)


def compared_on(scenario, keys=None, plane="", keep=None):
    chosen = tuple(each for each in candidates(scenario) if keys is None or each.key in keys)
    report = Report()
    compare_reductions(chosen, plane, report, keep or keeper())
    problem, *found = report.partial
    assert isinstance(problem, SharedProblem)
    assert [each.key if isinstance(each, Refused) else each.judgement.key for each in found] == [
        each.key for each in chosen
    ]
    return problem, dict(zip([each.key for each in chosen], found, strict=True)), chosen


def test_everyone_does_what_a_run_of_it_does():
    problem, found, chosen = compared_on(small())
    plane = problem.small.plane
    assert problem.small.n == SIDE and problem.small.truth.size <= MAX_DRAWN
    for candidate in chosen:
        result = found[candidate.key]
        assert isinstance(result, ReductionResult), result
        judgement, alone = result.judgement, run(candidate.scenario)
        assert np.array_equal(judgement.outcome.labels, alone.test.labels)
        low, high = judgement.interval
        assert low <= judgement.outcome.error <= high
        assert result.as_predicted(problem.predictions[candidate.key])
        cells = result.labels[: SIDE * SIDE]
        assert result.labels.size == cells.size + problem.small.truth.size
        d = candidate.scenario.decoding
        some = plane.lift(plane.cells(SIDE))[::97]
        costs = alone.trained.shown.estimator.costs(some, d.key, d.values)
        assert np.array_equal(cells[::97], np.argmin(costs, axis=1))
        drawn = result.labels[SIDE * SIDE :]
        assert np.array_equal(
            drawn, alone.test.labels[np.argsort(np.argsort(alone.trained.shown.prepared.test_rows))]
        )
        assert result.seconds > 0
        assert judgement.milliseconds > 0


@pytest.mark.parametrize("n_classes", [2, 5])
def test_predictions_count_points(n_classes):
    scenario = make_scenario(data=("blobs", {"n_samples": 60, "n_classes": n_classes}), coding="one-vs-one")
    problem, found, _ = compared_on(scenario, {"ecoc", "ddag", "single-binary_kernel", "support-pattern"})
    trained = train(scenario)
    y = trained.shown.prepared.y_train
    pairs = sorted(
        int((y == a).sum() + (y == b).sum()) for a in range(n_classes) for b in range(a + 1, n_classes)
    )
    predicted = {key: sorted(p.sizes.tolist()) for key, p in problem.predictions.items()}
    assert predicted["ecoc"] == predicted["ddag"] == pairs
    assert predicted["single-binary_kernel"] == [n_classes * y.size]
    assert predicted["support-pattern"] == []
    assert all(found[key].as_predicted(problem.predictions[key]) for key in predicted)


def test_a_learned_code_is_predicted_as_a_limit():
    key = next(key for key, coding in CODINGS.items() if coding.build is None)
    problem, found, _ = compared_on(small(coding=key), {"ecoc"})
    prediction = problem.predictions["ecoc"]
    assert prediction.at_most
    assert found["ecoc"].sizes.size <= prediction.sizes.size
    assert found["ecoc"].sizes.max() <= prediction.sizes.max()


def test_what_cannot_be_is_refused_and_the_rest_goes_on():
    _, found, chosen = compared_on(small(coding="one-vs-one"), {"ecoc", "single-binary-ecoc"})
    refused = found["single-binary-ecoc"]
    assert isinstance(refused, Refused)
    assert refused.reason == next(e.reason for e in chosen if e.key == refused.key)
    assert isinstance(found["ecoc"], ReductionResult)


def test_one_set_of_machines_serves_both_reliability_decoders():
    trainings = []
    _, found, _ = compared_on(small(), {"ecoc", "ecoc_srm", "ecoc_drm"}, keep=keeper(trainings))
    assert len(trainings) == 1
    assert found["ecoc_srm"].seconds > 0


def test_machines_that_are_remembered_are_not_trained_again():
    trainings = []
    keep = keeper(trainings)
    _, first, _ = compared_on(small(), {"ecoc", "joint"}, keep=keep)
    assert len(trainings) == 2
    _, again, _ = compared_on(small(), {"ecoc", "joint"}, keep=keep)
    assert len(trainings) == 2
    # What training and calibrating took the first time is what is said later, too.
    assert {key: each.seconds for key, each in again.items()} == {
        key: each.seconds for key, each in first.items()
    }
    model = keep.find(small()).shown
    assert first["ecoc"].seconds == model.seconds + model.learned[DECODINGS["likelihood"].needs]


def test_training_on_all_points_judges_all_points():
    problem, found, _ = compared_on(small(split="all"), {"ddag"})
    assert found["ddag"].judgement.outcome.n == 60
    assert problem.part == "train"
    assert problem.small.truth.size == 60 and not problem.small.is_test


def test_what_is_found_is_laid_side_by_side():
    scenario = small(coding="one-vs-one", reduction="ddag")
    everyone = compared_candidates(candidates(scenario), scenario, "ecoc.single-binary-ecoc.support-pattern")
    report = Report()
    compare_reductions(everyone, "", report, keeper())
    problem, *found = report.partial
    whole = compare(everyone, [problem, *found], "ddag", "ecoc")
    assert (whole.own, whole.picked, whole.part_title) == ("ddag", "ecoc", "Test")
    assert [each.key for each in whole.done] == list(whole.results) == ["ecoc", "ddag", "support-pattern"]
    assert set(whole.reasons) == {"single-binary-ecoc"}
    assert whole.prediction("single-binary-ecoc") is None
    assert whole.prediction("ecoc") is problem.predictions["ecoc"]
    own, ecoc = whole.results["ddag"].judgement, whole.results["ecoc"].judgement
    assert whole.p_value("ddag") is whole.p_value("single-binary-ecoc") is None
    assert whole.p_value("ecoc") == ecoc.p_value(own)
    regions, points = whole.pictures()
    assert np.array_equal(regions.labels[1], whole.results["ddag"].labels[: SIDE * SIDE])
    assert np.array_equal(points.labels[1], whole.results["ddag"].labels[SIDE * SIDE :])
    # Who cannot be run is not looked into, nor is a stranger.
    assert compare(everyone, [problem, *found], "ddag", "single-binary-ecoc").picked == "ddag"
    assert compare(everyone, [problem, *found], "ddag", "nobody").picked == "ddag"
    early = compare(everyone, [], "ddag", "")
    assert early.pictures() is None and not early.done and early.p_value("ecoc") is None


@pytest.mark.parametrize("key", [candidate.key for candidate in candidates(small())])
def test_every_training_can_be_cancelled(key):
    report = Impatient(0)
    with pytest.raises(CancelledError):
        compare_reductions(
            tuple(each for each in candidates(small()) if each.key == key), "", report, keeper()
        )
    assert len(report.partial) == 1
