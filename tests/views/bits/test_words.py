"""Sentences about wrong bits."""

from types import SimpleNamespace

import numpy as np
import pytest

from ecocviz.views.bits import words

BEYOND = "beyond certain repair"


def facts(**known):
    return SimpleNamespace(**known)


def test_the_promise_stands_beside_what_happened():
    told = facts(repairs=3, n_within=46, n=50, expected_within=49.5)
    assert words.promise_sentence(told) == (
        "The code repairs any 3 wrong bits; 92.0 % (46 of 50) of the points have no more, and "
        "independent machines of the same accuracy would give 99.0 %."
    )
    told = facts(repairs=0, n_within=40, n=50, expected_within=35.0)
    assert words.promise_sentence(told) == (
        "The code repairs no wrong bit for certain; 80.0 % (40 of 50) of the points have none, and "
        "independent machines of the same accuracy would give 70.0 %."
    )
    assert words.promise_sentence(facts(repairs=-1)) == (
        "This code can miss a class even when all its bits are right, so it repairs none for certain."
    )


@pytest.mark.parametrize(
    ("n_beyond", "expected", "phi", "rest"),
    [
        (5, 2.9, 0.38, "are BEYOND, 2.1 more than independence would leave: errors come together."),
        (25, 34.8, 0.2, "are BEYOND, 9.8 fewer than independence would leave: errors come together."),
        (1, 1.2, 0.1, "is BEYOND, as many as independence would leave."),
        (9, 2.0, -0.2, "are BEYOND, 7.0 more than independence would leave: errors avoid each other."),
        (9, 2.0, 0.0, "are BEYOND, 7.0 more than independence would leave."),
    ],
)
def test_points_beyond_repair_are_laid_beside_independence(n_beyond, expected, phi, rest):
    told = facts(repairs=1, n=50, n_within=50 - n_beyond, expected_within=50 - expected, mean_phi=phi)
    assert words.tail_sentence(told) == f"{n_beyond} point{'s' if n_beyond > 1 else ''} {rest}".replace(
        "BEYOND", BEYOND
    )
    assert words.tail_sentence(facts(repairs=-1)) == ""


def test_the_weakest_machine_is_named_with_its_baseline():
    accuracies = np.array([0.9, 0.95, 0.81])
    told = facts(
        n_bits=3, weakest=2, report=facts(accuracies=accuracies), baselines=np.array([0.5, 0.5, 0.75])
    )
    first = "The weakest of 3 machines is bit 3 with 81.0 %; always naming the larger side would give it"
    assert words.accuracy_sentence(told) == f"{first} 75.0 %."
    told.baselines = np.array([0.95, 0.5, 0.85])
    assert words.accuracy_sentence(told) == f"{first} 85.0 %. 2 machines are no better than that."
    only = facts(n_bits=1, weakest=0, report=facts(accuracies=accuracies[:1]), baselines=np.array([0.5]))
    assert words.accuracy_sentence(only).startswith("The only machine has 90.0 %;")
    unasked = facts(weakest=None, report=facts(accuracies=None))
    assert words.accuracy_sentence(unasked) == "No machine is asked about these points."


def test_the_pair_that_fails_together_is_named():
    phi, joint = np.zeros((5, 5)), np.zeros((5, 5), dtype=np.int64)
    phi[0, 4], joint[0, 4] = 0.5, 3
    told = facts(closest=(0, 4), phi=phi, joint=joint, mean_phi=-0.1)
    assert words.pair_sentence(told) == (
        "Bits 1 and 5 fail together most: φ = 0.50, 3 points in common. The mean over all pairs is −0.10."
    )
    assert words.pair_sentence(facts(closest=None)) == (
        "No two machines fail together more often than chance would have it."
    )


@pytest.mark.parametrize(
    ("n", "n_right", "sentence"),
    [
        (5, 3, "Likelihood decides 3 of these 5 rightly."),
        (1, 1, "Likelihood decides it rightly."),
        (1, 0, "Likelihood decides it wrongly."),
        (4, 4, "Likelihood decides all these 4 rightly."),
        (4, 0, "Likelihood decides none of these 4 rightly."),
        (0, 0, ""),
    ],
)
def test_the_fate_of_listed_points(n, n_right, sentence):
    assert words.fate_sentence("Likelihood", facts(positions=np.arange(n), n_right=n_right)) == sentence


def test_two_reductions_are_compared():
    first = facts(n_wrong=40, n=50, n_within=46, mean_phi=0.2)
    second = facts(n_wrong=30, n=50, n_within=47, mean_phi=0.3)
    sides = ("Independent machines", first), ("Joint learning", second)
    assert words.reductions_sentence(*sides) == (
        "Joint learning has 10 wrong bits fewer than Independent machines (30 to 40); 3 points are beyond "
        "certain repair, not 4; mean φ is 0.30, not 0.20."
    )
    assert words.reductions_sentence(("A", first), ("B", first)) == (
        "B and A have as many wrong bits (40); 4 points are beyond certain repair with both; mean φ is 0.20."
    )
