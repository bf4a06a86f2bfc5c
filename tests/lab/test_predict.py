"""What a training is predicted to need, before it begins."""

import numpy as np
import pytest

from ecocviz.lab.catalogue import REDUCTIONS, SLOTS
from ecocviz.lab.cost import LARGE_BYTES, LARGE_SECONDS, Cost, gram_bytes, scoring_cost
from ecocviz.lab.predict import Corrections, problem_sizes, training_cost
from ecocviz.lab.run import load, train, why_not_run
from ecocviz.lab.scenario import make_scenario


def cost_of(**chosen):
    scenario = make_scenario(**chosen)
    return training_cost(scenario, load(scenario))


def test_the_first_screen_is_small_and_letter_is_large():
    assert not cost_of().large
    letter = cost_of(data="letter", coding="one-vs-one")
    assert letter.large and letter.n_bytes < 14_000**2 * 4
    for reduction in ("continuous-code", "support-pattern"):
        whole = cost_of(data="letter", reduction=reduction)
        assert whole.large and whole.n_bytes > 14_000**2 * 4
    assert Cost(LARGE_SECONDS + 1).large and Cost(0, LARGE_BYTES + 1).large and not Cost().large


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("coding", SLOTS["coding"])
def test_everything_that_can_be_trained_can_be_predicted(coding, reduction):
    scenario = make_scenario(data="glass", coding=coding, reduction=reduction)
    if why_not_run(scenario) is not None or coding == "custom":
        return
    predicted = training_cost(scenario, load(scenario))
    assert 0 < predicted.seconds < 600 and 0 < predicted.n_bytes < 1 << 30


@pytest.mark.parametrize("reduction", [key for key in REDUCTIONS if key != "support-pattern"])
def test_predicted_problems_are_those_that_are_solved(reduction):
    scenario = make_scenario(data="iris", coding="one-vs-one", reduction=reduction)
    if why_not_run(scenario) is not None:
        scenario = make_scenario(data="iris", reduction=reduction)
    trained = train(scenario)
    counts = [int((trained.shown.prepared.y_train == c).sum()) for c in range(3)]
    sizes = sorted(problem_sizes(scenario, np.array(counts)).tolist())
    assert sizes == sorted(np.asarray(trained.shown.estimator.problem_sizes_).ravel().tolist())


def test_more_points_more_machines_more_folds_cost_more():
    few, many = cost_of(), cost_of(data=("blobs", {"n_samples": 1000}))
    assert many.seconds > few.seconds and many.n_bytes > few.n_bytes
    assert cost_of(split="k-fold").seconds > 4 * few.seconds
    assert cost_of(machine="random-forest").seconds > few.seconds
    assert cost_of(coding="decoc").seconds > few.seconds


def test_what_is_seen_corrects_what_is_predicted():
    corrections, scenario = Corrections(), make_scenario()
    other = make_scenario(machine="naive-bayes")
    for _ in range(30):
        corrections.saw(scenario, corrections.factor(scenario) * 1.0, 10.0)
    assert corrections.factor(scenario) == pytest.approx(10.0, rel=0.01)
    assert corrections.factor(other) == 1.0
    corrections.saw(other, 0.0, 1.0)
    assert corrections.factor(other) == 1.0
    table = load(scenario)
    plain, corrected = training_cost(scenario, table), training_cost(scenario, table, corrections)
    assert corrected.seconds == pytest.approx(10 * plain.seconds, rel=0.01)


def test_kernel_values_are_counted_in_the_precision_they_have():
    assert gram_bytes(4_000) == 4_000**2 * 8 and gram_bytes(4_001) == 4_001**2 * 4
    assert gram_bytes(4_001, in_parts=True) == gram_bytes(4_001)
    assert gram_bytes(60_000) > 14e9 and gram_bytes(60_000, in_parts=True) < 5e8
    assert scoring_cost(20_000, 14_000, 325).large and not scoring_cost(500, 350, 6).large
