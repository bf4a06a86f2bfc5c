"""What the three steps to begin with say, on the first screen itself."""

import pytest

from ecocviz.lab.choices import shown_decoders
from ecocviz.lab.first_screen import PICKED, first_scenario, first_selection
from ecocviz.lab.run import train
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.playground.inspection import inspect_picked
from ecocviz.views.playground.words_strip import STEPS, strip_sentence


@pytest.fixture(scope="module")
def said():
    trained = train(first_scenario())
    picture = make_picture(trained, "", shown_decoders(first_scenario(), first_selection()))
    decoder = [one.key for one in picture.regions.decodings].index(first_scenario().decoding.key)
    before = inspect_picked(trained.shown, picture, PICKED, None, frozenset())

    def say(step, *flips):
        now = inspect_picked(trained.shown, picture, PICKED, None, frozenset(flips))
        return strip_sentence(step, now, decoder, trained.classes, before.verdicts[decoder].winner)

    return say


def test_the_steps_are_machines_rows_and_flips(said):
    assert len(STEPS) == 3
    assert said(0) == "Click a step to see it happen."
    assert said(1).startswith("Each of the 7 columns of the code is one machine: + on one side")


def test_the_nearest_row_is_named_with_its_cost_and_the_next_one(said):
    assert "B has the lowest cost, 1.00; next is A with 3.00. The column Hamming cost" in said(2)


def test_flips_are_counted_until_the_class_changes_and_a_tie_is_called_one(said):
    assert said(3) == "No bit is flipped, and the decision is B. Click again to flip one."
    # The wrong bit put right: the class stays.
    assert said(3, 2) == "1 bit flipped: still B. Click again to flip one more."
    assert said(3, 0) == (
        "1 bit flipped: now A instead of B. A, B and E cost the same, 2.00: the first listed, A, wins. "
        "Click again to put the bits back."
    )
    assert "A, B and E cost the same, 2.00" in said(2, 0)
