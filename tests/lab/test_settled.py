"""The numbers that words have become are those that the machines were trained with."""

import numpy as np
import pytest

from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.params import IntParam
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.settled import automatic_number, word_numbers

BLOBS = ("blobs", {"n_samples": 60})


@pytest.mark.parametrize(
    ("slot", "key", "names"),
    [
        ("machine", "kernel", {"gamma", "C"}),
        ("machine", "libsvm", {"gamma", "C"}),
        ("reduction", "joint", {"gamma"}),
        ("reduction", "support-pattern", {"gamma"}),
        ("reduction", "single-binary", {"gamma", "radius"}),
        ("reduction", "single-binary-ecoc", {"gamma", "radius"}),
    ],
)
def test_the_number_trains_the_same_machine_as_its_word(slot, key, names):
    scenario = make_scenario(data=BLOBS, **{slot: key})
    trained = train(scenario)
    choice = getattr(scenario, slot)
    words = {name: value for name, value in choice.params if isinstance(value, str)}
    found = word_numbers(trained, choice, slot)
    numbers = {name: found[name, words[name]] for name in names}
    again = train(scenario.chosen(slot, **numbers))
    X = trained.shown.prepared.X_test
    np.testing.assert_allclose(
        again.shown.estimator.decision_function(X), trained.shown.estimator.decision_function(X), rtol=1e-6
    )


def test_an_automatic_number_is_that_of_the_code():
    for key, coding in CODINGS.items():
        scenario = make_scenario(coding=key)
        for param in coding.params:
            number = automatic_number(scenario, "coding", param, 8)
            assert (number is None) == (not isinstance(param, IntParam) or param.automatic is None)
            assert number is None or number == coding.n_bits(8, **scenario.coding.values)
    (n_bits, _) = CODINGS["dense-random"].params
    assert automatic_number(make_scenario(coding="dense-random"), "coding", n_bits, 8) == 30
    assert automatic_number(make_scenario(coding="dense-random"), "coding", n_bits, None) is None
