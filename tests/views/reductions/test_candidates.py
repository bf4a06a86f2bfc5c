"""Who can take part in a comparison of reductions, and who does."""

from dataclasses import replace

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.catalogue import REDUCTIONS
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.reductions.candidates import RELIABILITIES, candidates, compared_candidates, own_key


def small(**slots):
    return make_scenario(data=("blobs", {"n_samples": 60}), **slots)


def test_everything_is_listed_once():
    for scenario in (
        small(),
        small(decoding="srm"),
        small(reduction=("single-binary", {"variant": "single"})),
    ):
        found = candidates(scenario)
        assert len({e.key for e in found}) == len({e.scenario for e in found}) == len(found)
        assert {e.scenario.reduction.key for e in found} == set(REDUCTIONS)
        reliable = {key for key, entry in DECODINGS.items() if entry.needs & RELIABILITIES}
        assert reliable <= {e.scenario.decoding.key for e in found}
        own = next(e for e in found if e.key == own_key(found, scenario))
        assert own.scenario == scenario
        for e in found:
            assert replace(e.scenario, reduction=scenario.reduction, coding=scenario.coding,
                           decoding=scenario.decoding) == scenario  # fmt: skip


def test_the_asked_ones_and_the_own_one_are_compared():
    scenario = small(reduction="joint")
    everyone = candidates(scenario)
    assert compared_candidates(everyone, scenario, "") == everyone
    assert compared_candidates(everyone, scenario, "...x.__") == everyone
    chosen = compared_candidates(everyone, scenario, "ddag.ecoc_srm")
    assert [each.key for each in chosen] == [
        each.key for each in everyone if each.key in {"ecoc_srm", "joint", "ddag"}
    ]
