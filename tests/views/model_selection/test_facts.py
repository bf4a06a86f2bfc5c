"""What the Model selection page asks for, and what it makes of the readings."""

import numpy as np
import pytest
from curves_tools import GRID, HAMMING, PLAN, SCENARIO, curve, facts_of, point_of, reading

from ecocviz.lab.curves import CurvePoint, Measure
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.selection import AXIS, Selection
from ecocviz.lab.selection import GRID as GRID_FIELD
from ecocviz.views.model_selection.facts import (
    CURVES,
    MAX_TRIED,
    TRIED,
    asked_plan,
    chosen_axis,
    chosen_measures,
    gather,
    minima,
    point_margins,
    shown_position,
    tried_decoders,
)


def selected(**values):
    return Selection().put([AXIS, GRID_FIELD, TRIED, CURVES], **values)


# What is asked for -----------------------------------------------------------------------------------


def test_the_axis_is_the_asked_one_or_the_first():
    assert chosen_axis(SCENARIO, selected()).key == "machine.gamma"
    assert chosen_axis(SCENARIO, selected(axis="machine.C")).key == "machine.C"
    assert chosen_axis(SCENARIO, selected(axis="machine.nothing")).key == "machine.gamma"


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        (
            {"machine": "decision-tree"},
            "Decision tree has no parameter that a curve can run over; choose a kernel machine.",
        ),
        ({"coding": "one-vs-one", "reduction": "single-binary-ecoc"}, "needs a code without zeros"),
    ],
)
def test_without_an_axis_there_is_a_sentence(choices, sentence):
    with pytest.raises(ValueError, match=sentence):
        chosen_axis(make_scenario(data="iris", **choices), selected())


def test_test_error_and_bound_are_always_shown():
    assert chosen_measures(selected(curves="")) == (Measure.TEST, Measure.BOUND)
    assert chosen_measures(selected()) == (Measure.TEST, Measure.TRAIN, Measure.BOUND)
    asked = selected(curves="cross-validation.low.x")
    assert chosen_measures(asked) == (Measure.TEST, Measure.BOUND, Measure.CROSS_VALIDATION)


def test_tried_decoders_stand_behind_the_own_one():
    own = SCENARIO.decoding.key
    assert tried_decoders(SCENARIO, selected()) == (own,)
    asked = selected(tried=f"linear.nobody.{own}.linear.hamming")
    assert tried_decoders(SCENARIO, asked) == (own, "linear", "hamming")
    many = selected(tried="hamming.linear.quadratic.exponential.laplacian.voting.kl.euclidean")
    assert len(tried_decoders(SCENARIO, many)) == MAX_TRIED
    alone = make_scenario(data="iris", reduction="support-pattern")
    assert tried_decoders(alone, asked) == (alone.decoding.key,)


def test_the_plan_holds_what_the_link_says():
    asked = selected(axis="machine.C", grid="-1,1,3", tried="hamming", curves="exact")
    plan = asked_plan(SCENARIO, asked)
    assert (plan.axis.key, plan.values) == ("machine.C", (0.5, 1.0, 2.0))
    assert [decoding.key for decoding in plan.decodings] == [SCENARIO.decoding.key, "hamming"]
    assert plan.measures == (Measure.TEST, Measure.TRAIN, Measure.BOUND, Measure.EXACT)


# What was found --------------------------------------------------------------------------------------


def test_only_the_curves_that_are_asked_for_are_shown():
    scenario = SCENARIO.chosen("machine", None, gamma=0.5).chosen("decoding", "hamming")
    points = {
        1: point_of(
            reading("test", [0.5, -1.0]), reading("train", [1.0, 1.0]), reading("bound", [-1.0, -1.0])
        )
    }
    facts = gather(scenario, selected(curves="low"), PLAN, points)
    assert [(c.decoder, c.measure) for c in facts.curves] == [
        ("Hamming", Measure.TEST),
        ("Hamming", Measure.BOUND),
    ]
    assert facts.curves[0].n_wrong == (None, 1, None, None)
    assert (facts.own, facts.now, facts.enlarged, facts.decoders) == ("Hamming", 0.5, True, ("Hamming",))
    assert facts.seconds == 0.5
    assert gather(SCENARIO, selected(), PLAN, {}).now is None


def test_what_was_refused_is_said_once_and_not_for_want_of_test_points():
    found = {
        (HAMMING, Measure.TEST): "This split keeps no test points, so there is no test error.",
        (HAMMING, Measure.BOUND): "It needs kernel machines.",
    }
    points = {k: CurvePoint(SCENARIO, ("a", "b"), 0.1, found) for k in range(2)}
    assert facts_of(points=points).refused == ("It needs kernel machines.",)


def test_minima_count_what_choosing_them_costs():
    curves = [
        curve("test", (9, 7, 6, 8)),
        curve("bound", (20, 19, 25, 30), n=80, status="theorem"),
        curve("test", (1, 1, 1, 1), decoder="Linear"),
    ]
    found = minima(curves, "Hamming")
    assert [(m.curve.measure, m.value, m.n_test_wrong, m.more) for m in found] == [
        ("test", 1.0, 6, 0),
        ("bound", 0.5, 7, 1),
    ]


def test_where_the_test_error_is_not_known_yet_no_cost_is_claimed():
    (_, bound) = minima([curve("test", (9, None, 6, 8)), curve("bound", (20, 19, 25, 30))], "Hamming")
    assert (bound.value, bound.n_test_wrong, bound.more) == (0.5, None, None)


# The points behind one value -------------------------------------------------------------------------


def test_the_scenario_s_own_value_is_shown_or_the_bound_s_minimum():
    test, bound = curve("test", (9, 7, 6, 8)), curve("bound", (20, 19, 25, 30))
    exact, other = curve("exact", (5, 5, 5, 1)), curve("bound", (1, 9, 9, 9), decoder="Linear")
    points = {k: point_of() for k in range(len(GRID))}
    assert shown_position(facts_of(test, bound, other, points=points)) == 1
    assert shown_position(facts_of(test, bound, points=points, now=2.0 * (1 + 1e-12))) == 3
    assert shown_position(facts_of(test, bound, points=points, now=3.0)) == 1
    assert shown_position(facts_of(test, exact, points=points)) == 3
    assert shown_position(facts_of(test, points=points)) == 2
    assert shown_position(facts_of(curve("train", (1, 1, 1, 1)), points=points)) is None


def test_margins_of_the_same_points_are_laid_side_by_side():
    trained = reading("train", [0.1, 0.2, 0.3], rows=[4, 7, 9])
    bound = reading("bound", [-0.9, 0.7, -0.4], rows=[9, 4, 7])
    found = point_margins(point_of(trained, bound), HAMMING)
    np.testing.assert_array_equal(found.before, [0.3, 0.1, 0.2])
    assert (found.seen, found.judged, found.n_new) == (Measure.TRAIN, bound, 2)
    exact = reading("exact", [-0.5, 0.8, 0.6], rows=[9, 4, 7])
    both = point_margins(point_of(trained, bound, exact), HAMMING)
    np.testing.assert_array_equal(both.before, exact.margins)
    assert (both.seen, both.judged, both.n_new) == (Measure.EXACT, bound, 1)


def test_a_leave_one_out_error_or_folds_stand_in_for_the_bound():
    trained, exact, folds = (
        reading(m, [1.0, k]) for k, m in enumerate(("train", "exact", "cross-validation"))
    )
    assert point_margins(point_of(trained, exact, folds), HAMMING).judged is exact
    assert point_margins(point_of(trained, folds), HAMMING).judged is folds
    assert point_margins(point_of(trained, reading("test", [1.0])), HAMMING) is None
    assert point_margins(point_of(exact), HAMMING) is None
