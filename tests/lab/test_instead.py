"""What is offered where choices do not go together: it always works."""

from itertools import product

import pytest

from ecocviz.data.catalogue import load_table
from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES
from ecocviz.engine.entries import MAX_BITS
from ecocviz.engine.params import complete
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.choices import why_not_for
from ecocviz.lab.instead import instead, put_instead, why_impossible
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario

MANY = 26


def scenarios():
    """Every coding, reduction, decoding and machine."""
    for coding, reduction, decoding, machine in product(CODINGS, REDUCTIONS, DECODINGS, MACHINES):
        yield make_scenario(coding=coding, reduction=reduction, decoding=decoding, machine=machine)


@pytest.mark.thorough
def test_every_impossible_combination_has_a_way_out_that_is_possible():
    n_impossible = 0
    for scenario in scenarios():
        offered = instead(scenario, MANY)
        assert bool(offered) == (why_impossible(scenario, MANY) is not None)
        n_impossible += bool(offered)
        for choices in offered:
            assert why_impossible(put_instead(scenario, choices), MANY) is None, (scenario, choices)
            assert all(getattr(scenario, slot).key != key for slot, key in choices.items())
    assert n_impossible > 3_000


def test_a_possible_choice_is_left_alone():
    assert instead(make_scenario(), 4) == instead(make_scenario(coding="binary-complete"), 11) == ()


@pytest.mark.parametrize(
    ("chosen", "offered"),
    [
        ({"coding": "binary-complete"}, [{"coding": "dense-random"}]),
        (
            {"coding": "one-vs-one", "reduction": "single-binary-ecoc"},
            [{"coding": "one-vs-all"}, {"reduction": "ecoc"}],
        ),
        ({"decoding": "srm", "machine": "decision-tree"}, [{"decoding": "qp"}, {"machine": "kernel"}]),
    ],
    ids=str,
)  # fmt: skip
def test_the_nearest_is_offered(chosen, offered):
    assert [dict(one) for one in instead(make_scenario(**chosen), MANY)] == offered


def test_two_choices_are_replaced_where_one_is_not_enough():
    scenario = make_scenario(
        coding="ternary-complete", reduction="single-binary-ecoc", decoding="srm", machine="decision-tree"
    )
    (both,) = instead(scenario, MANY)
    assert len(both) == 2 and why_impossible(put_instead(scenario, both), MANY) is None


@pytest.mark.parametrize(
    "chosen",
    [
        {"coding": "ternary-complete"},
        {"coding": "sparse-random", "reduction": "single-binary-ecoc"},
        {"decoding": "drm", "reduction": "joint"},
        {"decoding": "srm", "machine": "naive-bayes"},
    ],
    ids=str,
)
def test_what_is_offered_runs(chosen):
    scenario = make_scenario(data=("blobs", {"n_classes": 8, "n_samples": 80}), **chosen)
    offered = instead(scenario, 8)
    assert offered
    for choices in offered:
        assert run(put_instead(scenario, choices)).test.error <= 1


def test_a_list_knows_the_classes_and_the_parts_of_its_data():
    letters, iris = load_table("letter"), load_table("iris")
    reasons = why_not_for(make_scenario(data="letter"), "coding", letters)
    assert set(reasons) == {"binary-complete", "ternary-complete", "integer-programming"}
    assert reasons["binary-complete"] == "Exhaustive is offered for up to 11 classes; these data have 26."
    assert not why_not_for(make_scenario(data="letter"), "split", letters)
    assert list(why_not_for(make_scenario(data="iris"), "split", iris)) == ["own"]


def test_every_coding_for_few_classes_names_one_for_many():
    for coding in CODINGS.values():
        at_most_1_000 = min(1_000, coding.max_classes)
        limited = at_most_1_000 < 1_000 or coding.n_bits(1_000, **complete(coding.params, {})) > MAX_BITS
        assert limited == bool(coding.instead), coding.key
        if limited:
            assert CODINGS[coding.instead].max_classes == 1_000
