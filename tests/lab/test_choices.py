"""What can be chosen beside what is chosen."""

import pytest

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS, SLOTS
from ecocviz.lab.choices import (
    DEFAULT_COMPARED,
    MAX_COMPARED,
    compared,
    decider_names,
    deciders,
    shown_decoders,
    uses,
    why_not_options,
)
from ecocviz.lab.run import why_not_run
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import SHARED, Selection


def shown(scenario, **selected):
    return [choice.key for choice in shown_decoders(scenario, Selection().put(SHARED, **selected))]


@pytest.mark.parametrize("slot", list(SLOTS))
@pytest.mark.parametrize("machine", ["kernel", "decision-tree"])
def test_an_option_is_refused_for_the_reason_that_running_it_would_be(slot, machine):
    scenario = make_scenario(machine=machine)
    reasons = why_not_options(scenario, slot)
    for key in SLOTS[slot]:
        assert reasons.get(key) == why_not_run(scenario.chosen(slot, key))


def test_a_few_decoders_are_shown_until_some_are_asked_for():
    scenario = make_scenario(decoding="likelihood")
    assert shown(scenario) == list(DECODINGS)[:DEFAULT_COMPARED]
    assert shown(scenario.chosen("decoding", "kl")) == [*list(DECODINGS)[:DEFAULT_COMPARED], "kl"]
    assert shown(scenario, compare="kl.hamming") == [
        k for k in DECODINGS if k in {"kl", "hamming", "likelihood"}
    ]
    assert shown(scenario, compare="likelihood") == ["likelihood"]


def test_no_more_are_shown_than_fit_and_none_that_cannot_be():
    scenario = make_scenario(machine="decision-tree", decoding="hamming")
    refused = why_not_options(scenario, "decoding")
    assert refused
    everything = ".".join(DECODINGS)
    keys = shown(scenario, compare=everything)
    assert len(keys) == MAX_COMPARED + 1 and "hamming" in keys and not refused.keys() & set(keys)
    assert shown(scenario, compare=next(iter(refused))) == ["hamming"]
    assert compared(Selection().put(SHARED, compare="kl.nothing.kl")) == ("kl",)


@pytest.mark.parametrize("key", REDUCTIONS)
def test_a_reduction_that_uses_no_decoder_decides_itself(key):
    scenario = make_scenario(reduction=key)
    choices = shown_decoders(scenario, Selection())
    names = decider_names(scenario, choices)
    if uses(scenario, "decoding"):
        assert names == {choice.key: DECODINGS[choice.key].title for choice in choices}
    else:
        assert [choice.key for choice in choices] == [scenario.decoding.key]
        assert deciders(scenario, choices) == ((REDUCTIONS[key].title, REDUCTIONS[key].summary),)
