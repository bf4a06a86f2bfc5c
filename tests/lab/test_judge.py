"""What a judgement says of decisions, against the definitions."""

from dataclasses import replace

import numpy as np
import pytest

from ecocviz.engine.analysis.statistics import calibration, mcnemar, wilson_interval
from ecocviz.lab import judge as lab_judge
from ecocviz.lab.evaluate import Outcome, score_part
from ecocviz.lab.judge import Judgement, beyond_chance, judge, time_decisions
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario


@pytest.fixture(scope="module")
def scored():
    return score_part(train(make_scenario(data=("blobs", {"n_samples": 120, "overlap": 0.8}))), "test")


def test_a_judgement_counts_its_outcome(scored):
    likelihood = choose("decoding", "likelihood")
    found = judge(scored, likelihood)
    assert found.key == "likelihood"
    assert found.interval == wilson_interval(found.outcome.n_wrong, found.outcome.n)
    stated = calibration(scored.probabilities(likelihood), scored.truth)
    assert found.calibration.log_loss == stated.log_loss
    assert found.calibration.counts.tolist() == stated.counts.tolist()
    assert found.milliseconds > 0
    assert judge(scored, choose("decoding", "voting")).calibration is None


def judged(key, wrong):
    truth = np.zeros(len(wrong), dtype=np.int64)
    outcome = Outcome(
        np.arange(len(wrong)), truth, np.array(wrong, dtype=np.int64), np.zeros((len(wrong), 2))
    )
    return Judgement(key, outcome, (0.0, 1.0), 1.0)


def test_only_differences_beyond_chance_count():
    own = judged("own", [1] * 10 + [0] * 30)
    far, near = judged("far", [1] * 30 + [0] * 10), judged("near", [1] * 12 + [0] * 28)
    better = judged("better", [0] * 40)
    assert far.p_value(own) == mcnemar(far.outcome.wrong, own.outcome.wrong) < 0.05
    assert near.p_value(own) > 0.05
    assert beyond_chance([own, far, near, better], own) == (1, 1)
    assert beyond_chance([own], own) == (0, 0)
    assert beyond_chance([own, replace(own, key="same")], own) == (0, 0)


class Clock:
    """A clock that each timed call moves by what it is told to take."""

    def __init__(self, steps):
        self.now, self.steps = 0.0, list(steps)

    def __call__(self):
        return self.now


@pytest.mark.parametrize("from_scores", [True, False])
def test_a_thousand_decisions_take_the_median_of_warm_times(scored, monkeypatch, from_scores):
    batch, decoding = scored.batches[0], choose("decoding", "hamming")
    # The first call compiles or fits sigmoids; two others are disturbed by what else the computer does.
    clock, sizes = Clock([9.0, 0.031, 0.002, 0.040, 0.002, 0.003, 0.002, *[0.002] * 6]), []
    kind = type(batch.model.estimator)
    name = "decode" if from_scores else "costs"
    known = getattr(kind, name)

    def timed(self, points, *args, **how):
        sizes.append(len(points))
        clock.now += clock.steps.pop(0)
        return known(self, points, *args, **how)

    monkeypatch.setattr(lab_judge, "perf_counter", clock)
    monkeypatch.setattr(kind, name, timed)
    scores = batch.scores if from_scores else None
    assert time_decisions(batch.model, decoding, batch.X, scores) == pytest.approx(2.0)
    assert sizes == [lab_judge.N_UNTIMED] + [1000] * lab_judge.TIMINGS


def test_slow_decisions_are_timed_once(scored, monkeypatch):
    batch, clock = scored.batches[0], Clock([])
    kind = type(batch.model.estimator)
    known = kind.decode

    def slow(self, points, *args, **how):
        clock.now += 5.0
        return known(self, points, *args, **how)

    monkeypatch.setattr(lab_judge, "perf_counter", clock)
    monkeypatch.setattr(kind, "decode", slow)
    found = time_decisions(batch.model, choose("decoding", "hamming"), batch.X, batch.scores)
    assert found == pytest.approx(5000.0)
