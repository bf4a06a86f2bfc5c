"""The sentences about the maps."""

from curves_tools import MAP_PLAN, SCENARIO, error_map, map_facts

from ecocviz.lab.curve_plan import Line
from ecocviz.lab.selection import Selection
from ecocviz.views.model_selection import words_maps as words
from ecocviz.views.model_selection.maps import map_grid

BOUND = error_map("bound", (50, 40, 30, 45, 45, 35))
HELD = error_map("cross-validation", (10, 12, 6, 5, 20, 25))
TEST = error_map("test", (8, 8, 6, 4, 9, 10), n=40)


def test_what_is_offered_says_how_long_it_takes():
    grid = map_grid(SCENARIO, Selection())
    assert words.offer_sentence(grid, MAP_PLAN, 23.0) == (
        "Three maps over γ and C side by side, the leave-one-out bound, cross-validation and the test error: "
        "machines are trained at 3 × 2 pairs of values, which takes about 20 s."
    )
    assert words.offer_sentence(grid, MAP_PLAN, None).endswith("at 3 × 2 pairs of values.")


def test_choosing_by_the_bound_and_by_cross_validation_has_its_cost():
    facts = map_facts(BOUND, HELD, TEST)
    assert words.map_choice_sentence(facts) == (
        "Choosing γ and C by the leave-one-out bound (1 and 0.5) gives 15.0 % (6 of 40) test errors, "
        "2 more than at the best pair (1 and 8)."
    )
    assert words.map_more_sentences(map_facts(BOUND, HELD, TEST)).startswith(
        "By cross-validation (1 and 8): 4 test errors, as few as at the best."
    )
    assert words.map_choice_sentence(map_facts(HELD, TEST)).startswith(
        "Choosing γ and C by cross-validation (1 and 8) gives 10.0 % (4 of 40) test errors, as few as"
    )
    assert words.map_choice_sentence(map_facts(BOUND, HELD)) == (
        "This split keeps no test points, so the cost of choosing is unknown; choose another split."
    )


def test_minima_at_the_edge_ask_for_a_wider_grid():
    nine = MAP_PLAN.__class__(
        SCENARIO, (MAP_PLAN.lines[0], Line(MAP_PLAN.lines[1].axis, (0.5, 2.0, 8.0))), (), ()
    )
    inside, below = (
        error_map("test", tuple(int(k != least) for k in range(9)), plan=nine) for least in (4, 3)
    )
    assert words.edge_sentence(map_facts(inside, plan=nine)) == ""
    assert words.edge_sentence(map_facts(below, plan=nine)) == (
        "The minimum of the test error lies at the edge of the grid: values beyond it may be better."
    )
    assert words.edge_sentence(map_facts(BOUND, HELD)).startswith(
        "The minima of the leave-one-out bound and cross-validation lie at the edge"
    )


def test_before_all_is_measured_nothing_is_said_of_the_edge():
    begun = error_map("test", (8, None, 6, 4, 9, 10), n=40)
    assert words.edge_sentence(map_facts(begun)) == ""


def test_what_the_maps_took_is_said():
    assert words.map_times_sentence(map_facts()) == ""  # no pair is measured yet
    assert words.map_times_sentence(map_facts(BOUND, HELD, TEST)) == (
        "Training at 6 pairs took 12.5 s; on top of that the leave-one-out bound 100 ms, cross-validation "
        "100 ms and the test error 100 ms."
    )


def test_why_a_map_is_missing_is_said_but_not_for_want_of_test_points():
    said = words.map_more_sentences(
        map_facts(HELD, refused=("It needs kernel machines.", "This split keeps no test points, so ..."))
    )
    assert said.endswith("It needs kernel machines.")


def test_frames_and_colours_are_explained():
    inside = words.frames_sentence(map_facts(BOUND, HELD, TEST, now=(1.0, 8.0)))
    assert inside == (
        "The stronger the colour, the more errors. Solid frame: the fewest; dashed frame: the scenario's own "
        "values. The bound has a scale of colours apart from cross-validation and test error: only the "
        "position of its minimum matters for choosing, not its height."
    )
    assert "own values (γ = 99, C = 8) lie outside." in words.frames_sentence(
        map_facts(TEST, now=(99.0, 8.0))
    )
    unknown = words.frames_sentence(map_facts(HELD, TEST))
    assert "is not known before" in unknown and "scale" not in unknown


def test_pairs_are_told_with_their_errors():
    facts = map_facts(BOUND, HELD, TEST)
    assert words.option_text(facts, 3) == "γ = 1, C = 8: bound 90.0, cross-validation 10.0, test 10.0 %"
    assert words.map_alt_text(facts, TEST) == (
        "Test error over γ from left to right and C upwards, Hamming decoding, 6 of 6 pairs measured: from "
        "10.0 % (4 of 40) at γ = 1, C = 8 to 25.0 % (10 of 40) at γ = 4, C = 8."
    )
