"""Which maps the Model selection page asks for, and what it makes of the readings."""

import pytest
from curves_tools import HAMMING, MAP_PLAN, SCENARIO, error_map, map_facts, point_of, reading
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.params import FloatParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.curve_plan import Axis, axes
from ecocviz.lab.curves import CurvePoint, Measure
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.lab.selection import Selection, split_link
from ecocviz.lab.settled import word_numbers
from ecocviz.views.catalogue import FIELDS
from ecocviz.views.model_selection.facts import MAPGRID, MAPOF, MAPS, TRIED
from ecocviz.views.model_selection.maps import (
    MEASURED,
    gather_maps,
    map_grid,
    map_plan,
    own_place,
    shown_decoder,
    usual_ends,
    why_no_map,
)

USUAL_GRID = "-4,8,-4,8,7"


def selected(**values):
    return Selection().put([MAPS, MAPGRID, MAPOF, TRIED], **values)


def asked(scenario=SCENARIO, **values):
    return map_grid(scenario, selected(**values))


# What is asked for -----------------------------------------------------------------------------------


def test_the_usual_map_is_of_gamma_and_c_at_seven_values_each():
    grid = asked()
    assert [axis.key for axis in grid.axes] == ["machine.gamma", "machine.C"]
    plan = map_plan(SCENARIO, selected(), grid)
    assert [line.values for line in plan.lines] == [(0.0625, 0.25, 1.0, 4.0, 16.0, 64.0, 256.0)] * 2
    assert plan.measures == MEASURED and plan.decodings == (SCENARIO.decoding,)


def test_a_link_holds_the_map():
    link = {
        "maps": "machine.C,machine.gamma",
        "mapgrid": "-2,2,-10,0,3",
        "mapof": "hamming",
        "tried": "hamming",
    }
    rest, selection, problems = split_link(link, FIELDS.values())
    assert not rest and not problems and selection.to_flat() == link
    grid = map_grid(SCENARIO, selection)
    plan = map_plan(SCENARIO, selection, grid)
    assert [(line.axis.key, line.values) for line in plan.lines] == [
        ("machine.C", (0.25, 1.0, 4.0)),
        ("machine.gamma", (2.0**-10, 2.0**-5, 1.0)),
    ]
    assert grid.text == link["mapgrid"]
    assert [decoding.key for decoding in plan.decodings] == [SCENARIO.decoding.key, "hamming"]
    assert shown_decoder(SCENARIO, selection) == "hamming"


def test_a_link_from_before_means_what_it_meant():
    old = {"axis": "machine.C", "grid": "-3,3,7", "curves": "exact", "tried": "hamming"}
    rest, selection, problems = split_link(old, FIELDS.values())
    assert not rest and not problems and selection.to_flat() == old
    assert selection[MAPS] == ""  # no maps are asked for
    assert map_grid(SCENARIO, selection).text == USUAL_GRID


@pytest.mark.parametrize(
    "text",
    ["1", "a,b,c,d,e", "5,5,1,2,7", "1,2,5,5,7", "-99,2,1,2,7", "1,2,1,2,2", "1,2,1,2,16", "1,2,3,4,5,6"],
)
def test_hostile_grids_are_the_usual_one(text):
    assert map_grid(SCENARIO, Selection((("mapgrid", text),))).text == USUAL_GRID


@pytest.mark.parametrize("text", ["machine.nothing", "machine.C,machine.C", "machine.C", ",,"])
def test_parameters_that_are_missing_are_filled_in(text):
    keys = [axis.key for axis in asked(maps=text).axes]
    assert sorted(keys) == ["machine.C", "machine.gamma"]
    assert keys[0] == ("machine.C" if "machine.C" in text else "machine.gamma")


@given(st.one_of(st.just("auto"), st.floats(1e-9, 1e9)))
def test_the_usual_ends_are_around_the_default_and_within_reach(default):
    param = FloatParam(
        name="p", label="p", default=default, low=1e-9, high=1e9, log=True, words=(("auto", ""),)
    )
    low, high = usual_ends(Axis("machine", param))
    assert -14 <= low < high <= 14 and high - low == 12
    if default == "auto":
        assert (low, high) == (-4, 8)
    elif 2.0**-8 <= default <= 2.0**8:
        assert 2.0 ** (low + 5) < default < 2.0 ** (high - 5)


def test_without_two_parameters_a_sentence_says_why():
    assert why_no_map(SCENARIO.chosen("machine", None, kernel="linear")) == (
        "A map needs two parameters, and here only Penalty C can be varied. "
        "Kernel width γ comes with kernel Gaussian (rbf)."
    )
    assert why_no_map(make_scenario(machine="linear-svm")) == (
        "A map needs two parameters, and here only Penalty C can be varied."
    )
    assert why_no_map(make_scenario(machine="decision-tree")) == ""


@pytest.mark.parametrize(
    ("slot", "key"), [(slot, key) for slot in ("machine", "reduction") for key in SLOTS[slot]]
)
def test_every_entry_has_a_map_or_a_sentence(slot, key):
    scenario = make_scenario(**{slot: key})
    grid = map_grid(scenario, Selection())
    if grid is None:
        assert len(axes(scenario)) < 2
        assert bool(why_no_map(scenario)) == bool(axes(scenario))
    else:
        plan = map_plan(scenario, Selection(), grid)
        assert all(len(line.values) >= 4 for line in plan.lines)


# What was found --------------------------------------------------------------------------------------


def test_maps_of_the_shown_decoder_stand_in_their_order():
    other = choose("decoding", "linear")
    found = {
        0: point_of(reading("test", [1.0, -1.0]), reading("bound", [-1.0, -1.0])),
        3: CurvePoint(SCENARIO, ("a", "b"), 0.5, {(HAMMING, Measure.CROSS_VALIDATION): "It takes too long."}),
    }
    plan = MAP_PLAN.__class__(SCENARIO, MAP_PLAN.lines, (HAMMING, other), MEASURED)
    facts = gather_maps(SCENARIO.chosen("decoding", "hamming"), selected(tried="linear"), plan, found, {})
    assert [(one.measure, one.n_wrong) for one in facts.maps] == [
        ("bound", (2, None, None, None, None, None)),
        ("test", (1, None, None, None, None, None)),
    ]
    assert facts.decoder == "Hamming" and facts.refused == ("It takes too long.",) and facts.now is None
    chosen = selected(tried="linear", mapof="linear")
    assert gather_maps(SCENARIO.chosen("decoding", "hamming"), chosen, plan, found, {}).maps == ()


def test_minima_say_what_choosing_them_costs():
    facts = map_facts(error_map("bound", (9, 9, 5, 9, 5, None)), error_map("test", (7, 6, 8, 4, 9, 4), n=40))
    assert [(m.curve.measure, m.place, m.n_test_wrong, m.more) for m in facts.minima] == [
        ("bound", (1.0, 0.5), 8, 4),
        ("test", (1.0, 8.0), 4, 0),
    ]


@pytest.mark.parametrize(
    ("now", "here"),
    [
        ((0.25, 0.5), 0),
        ((1.0, 8.0), 3),
        ((1.9, 1.9), 2),
        ((2.1, 2.1), 5),
        ((0.13, 0.13), 0),
        ((0.12, 0.5), None),
        ((1.0, 33.0), None),
        (None, None),
    ],
)
def test_the_scenario_stands_in_the_nearest_cell_or_outside(now, here):
    assert map_facts(error_map("test", (1,) * 6), now=now).here == here


def test_words_of_the_scenario_stand_where_their_numbers_are():
    scenario = make_scenario(data=("blobs", {"n_samples": 40}))
    plan = map_plan(scenario, Selection(), map_grid(scenario, Selection()))
    assert own_place(scenario, plan, {}) is None
    trained = train(scenario)
    numbers = {"machine": word_numbers(trained, scenario.machine, "machine")}
    machines = trained.shown.estimator.columns_
    assert own_place(scenario, plan, numbers) == pytest.approx((machines.kernel.gamma, machines.C))
    own = plan.put(scenario, (4.0, 0.25))
    assert own_place(own, plan, {}) == (4.0, 0.25)
