"""A worker computes the same numbers as the server, to the last bit, and its machines work on afterwards."""

import re
import sys

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.evaluate import evaluate
from ecocviz.lab.run import train, why_not_run
from ecocviz.lab.scenario import Scenario, choose, make_scenario
from ecocviz.lab.worker_process import thread_counts
from ecocviz.lab.workers import Workers

SCENARIOS = [
    *(make_scenario(data="iris", reduction=key) for key in REDUCTIONS),
    *(make_scenario(data="iris", machine=key) for key in MACHINES),
    make_scenario(data="glass", split="k-fold", coding="one-vs-one"),
]
THOROUGH = [
    pytest.param(make_scenario(data="iris", coding=key), marks=pytest.mark.thorough) for key in CODINGS
]


@pytest.fixture(scope="module")
def workers():
    with Workers(1) as pool:
        yield pool


def test_numeric_libraries_use_as_many_threads_there_as_here(workers):
    workers.call(train, make_scenario(data="iris"), report=NO_PROGRESS)
    here = {(about["user_api"], about["num_threads"]) for about in threadpool_info()}
    assert {tuple(pair) for pair in workers.submit(thread_counts).result().items()} <= here


def costs(trained, part, decoding):
    """What a decoder makes of the machines, as bytes, or why it does not."""
    try:
        return evaluate(trained, part, decoding).costs.tobytes()
    except ValueError as refusal:
        return str(refusal)


def decoders(scenario):
    """Those that are not refused before they are tried."""
    keys = (key for key in DECODINGS if why_not_run(scenario.chosen("decoding", key)) is None)
    return [choose("decoding", key) for key in keys]


@pytest.mark.parametrize("scenario", [*dict.fromkeys(SCENARIOS), *THOROUGH], ids=Scenario.to_query)
def test_the_same_to_the_last_bit(workers, scenario):
    try:
        here = train(scenario)
    except ValueError as refusal:
        with pytest.raises(ValueError, match=re.escape(str(refusal))):
            workers.call(train, scenario, report=NO_PROGRESS)
        return
    there = workers.call(train, scenario, report=NO_PROGRESS)
    assert there.notes == here.notes
    np.testing.assert_array_equal(there.code_matrix, here.code_matrix)
    for decoding in decoders(scenario):
        for part in ("test", "train"):
            assert costs(there, part, decoding) == costs(here, part, decoding), (decoding, part)
    # What has learned from its training by now, sigmoids above all, can be sent as well.
    for decoding in decoders(scenario)[:2]:
        sent = workers.submit(costs, there, "train", decoding).result()
        assert sent == costs(here, "train", decoding), decoding


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux counts data against a limit")
def test_a_training_that_is_given_little_memory_is_refused_with_the_number(workers):
    workers.call(train, make_scenario(data="iris"), report=NO_PROGRESS)  # loaded once
    little = 200 << 20
    trained = workers.call(train, make_scenario(data="iris"), report=NO_PROGRESS, max_bytes=little)
    assert trained.code_matrix.shape == (3, 3)
    scenario = make_scenario(data="letter", reduction="support-pattern")  # has no parts to train on
    with pytest.raises(
        ValueError, match=r"The kernel matrix of 14000 points needs 0\.7 GiB, and only 0\.\d GiB"
    ):
        workers.call(train, scenario, report=NO_PROGRESS, max_bytes=little)
