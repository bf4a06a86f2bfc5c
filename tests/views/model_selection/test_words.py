"""The sentences under the model-selection figures."""

import numpy as np
import pytest
from curves_tools import curve, facts_of, point_of, reading

from ecocviz.views.model_selection import words
from ecocviz.views.model_selection.facts import minima, point_margins

TWO = (1.0, 2.0)


def test_choosing_by_the_bound_has_its_cost():
    test, bound = curve("test", (9, 7), n=100, grid=TWO), curve("bound", (20, 30), n=200, grid=TWO)
    assert words.choice_sentence(minima([test, bound], "Hamming"), "C") == (
        "Choosing C by the leave-one-out bound (1) gives 9.0 % (9 of 100) test errors, "
        "2 more than at the best value (2)."
    )
    found = minima([curve("test", (9, 7, 6, 8)), curve("bound", (20, 19, 25, 30), n=80)], "Hamming")
    assert words.choice_sentence(found, "γ") == (
        "Choosing γ by the leave-one-out bound (2⁻¹) gives 14.0 % (7 of 50) test errors, "
        "1 more than at the best value (1)."
    )
    assert words.other_choices_sentence(found) == ""


def test_the_other_measures_are_told_shorter():
    test, bound = curve("test", (9, 7), n=100, grid=TWO), curve("bound", (20, 30), n=200, grid=TWO)
    exact, folds = (
        curve("exact", (15, 12), n=200, grid=TWO),
        curve("cross-validation", (9, 9), n=200, grid=TWO),
    )
    assert words.other_choices_sentence(minima([test, bound, exact], "Hamming")) == (
        "By the leave-one-out error (2): 7 test errors, as few as at the best."
    )
    assert words.other_choices_sentence(minima([test, folds, bound, exact], "Hamming")) == (
        "By the leave-one-out error (2): 7 test errors, as few as at the best; "
        "by cross-validation (1): 9 test errors, 2 more than at the best."
    )


def test_without_test_points_no_cost_is_claimed():
    found = minima([curve("bound", (3, 2, 1, 4)), curve("train", (0, 0, 0, 0))], "Hamming")
    assert all(m.more is None and m.test is None for m in found)
    assert words.choice_sentence(found, "C") == words.NO_TEST
    assert words.choice_sentence((), "C") == ""


def test_the_training_error_chooses_only_for_want_of_others():
    found = minima([curve("test", (4, 3, 2, 2)), curve("train", (3, 2, 1, 0))], "Hamming")
    assert "by the training error (2) gives 4.0 % (2 of 50) test errors, as few as" in words.choice_sentence(
        found, "C"
    )


def test_several_decoders_are_compared_by_counting():
    sentence = words.decoders_sentence(
        [
            curve("test", (9, 7, 6, 8)),
            curve("test", (8, 7, 7, 7), decoder="Linear"),
            curve("test", (9, 9, 9, None), decoder="KL"),
        ]
    )
    assert sentence == (
        "Hamming decoding has the fewest test errors at 2 of 3 values; "
        "on average over them it makes as many as Linear and 1.67 fewer than KL."
    )
    assert words.decoders_sentence([curve("test", (9, 7, 6, 8))]) == ""


@pytest.mark.parametrize(
    ("curves", "refused", "word"),
    [
        ([curve("bound", (1, 1, 1, 1), status="theorem")], (), "theorem"),
        ([curve("bound", (1, 1, 1, 1), status="estimate")], (), "estimate"),
        (
            [curve("test", (1, 1, 1, 1))],
            ("It needs kernel machines.",),
            "not available. It needs kernel machines.",
        ),
    ],
)
def test_the_status_of_the_bound_is_said(curves, refused, word):
    assert word in words.status_sentence(curves, refused)


def test_the_position_of_the_bound_is_what_matters():
    said = words.status_sentence([curve("bound", (1, 1, 1, 1), status="theorem")], ())
    assert said.startswith("Only the position of the bound's minimum matters for choosing, not its height.")


def test_the_bound_is_compared_with_what_it_bounds():
    exact = curve("exact", (9, 7, 6, 8), seconds=0.2)
    assert words.tightness_sentence([curve("bound", (9, 7, 6, 8)), exact], "Hamming") == (
        "The bound counts exactly the leave-one-out errors, in 1/2 of the time."
    )
    assert "1 to 4 points more" in words.tightness_sentence(
        [curve("bound", (10, 8, 8, 12)), exact], "Hamming"
    )
    assert words.tightness_sentence([exact], "Hamming") == ""


def test_two_decoders_and_the_time_of_the_bound():
    two = [curve("test", (9, 7), n=100, grid=TWO), curve("test", (8, 5), n=100, grid=TWO, decoder="Linear")]
    assert words.decoders_sentence(two) == (
        "Linear decoding has the fewest test errors at 2 of 2 values; "
        "on average over them it makes 1.50 fewer than Hamming."
    )
    bound = curve("bound", (20, 30), n=200, grid=TWO, seconds=0.01)
    exact = curve("exact", (18, 30), n=200, grid=TWO, seconds=2.0)
    assert words.tightness_sentence([bound, exact], "Hamming") == (
        "The bound counts 0 to 2 points more than the leave-one-out error itself, in 1/200 of the time."
    )


def test_all_that_is_said_under_the_curves():
    facts = facts_of(curve("test", (9, 7, 6, 8)), curve("bound", (20, 19, 25, 30), n=80, status="theorem"))
    assert words.alt_text(facts) == (
        "Errors over γ from 2⁻² to 2, Hamming decoding: test error lowest at 1 with 12.0 % (6 of 50); "
        "leave-one-out bound lowest at 2⁻¹ with 23.8 % (19 of 80)."
    )
    assert words.more_sentences(facts) == words.status_sentence(facts.curves, ())
    assert words.times_sentence(12.34).endswith("on top of training all machines, which took 12.3 s.")


def margins(before, after, judged="bound"):
    trained = reading("train", before)
    return point_margins(point_of(trained, reading(judged, after)), trained.decoding)


def test_flags_in_words():
    none = margins(np.ones(40), np.full(40, 0.2))
    assert words.flags_sentence(none) == "No point of 40 is flagged: every margin stays above zero."
    before = np.r_[np.full(7, -0.1), np.full(5, 0.1), np.ones(88)]
    after = np.r_[-0.8, np.full(11, -0.2), np.full(88, 0.5)]
    assert words.flags_sentence(margins(before, after)) == (
        "12.0 % (12 of 100) are flagged (counted as errors), 5 of them correct as trained; the "
        "lowest margin is −0.80."
    )
    assert words.flags_sentence(margins(after, after)) == (
        "12.0 % (12 of 100) are flagged (counted as errors); the lowest margin is −0.80."
    )


def test_the_picked_point_in_words():
    shown = margins([0.5, 0.25], [0.25, -0.5])
    assert words.pick_sentence(shown, ("a", "b"), 1) == "Picked: row 1, b: 0.25 to −0.50, flagged."
    assert words.pick_sentence(shown, ("a", "b"), 0) == "Picked: row 0, a: 0.50 to 0.25, not flagged."
    assert words.pick_sentence(shown, ("a", "b"), -1) == ""


@pytest.mark.parametrize(
    ("judged", "name"),
    [
        ("bound", "Smallest margin that the bound allows"),
        ("exact", "Margin when left out"),
        ("cross-validation", "Margin when held out"),
    ],
)
def test_margins_are_named_by_what_was_read(judged, name):
    shown = margins([0.5], [0.25], judged)
    assert (words.before_name(shown), words.after_name(shown)) == ("Margin as trained", name)
