"""Sentences about wrong bits."""

from types import SimpleNamespace

import numpy as np
import pytest

from ecocviz.views.bits import words

BEYOND = "more wrong bits than the code is sure to repair"


def facts(**known):
    return SimpleNamespace(**known)


def test_the_promise_stands_beside_what_happened():
    told = facts(repairs=3, n_within=46, n=50, expected_within=49.5)
    assert words.promise_sentence(told) == (
        "The code repairs any 3 wrong bits; 92.0 % (46 of 50) of the points have no more. "
        "If the machines erred independently, 99.0 % would have no more."
    )
    told = facts(repairs=0, n_within=40, n=50, expected_within=35.0)
    assert words.promise_sentence(told) == (
        "One wrong bit can be enough to lose the class; 80.0 % (40 of 50) of the points have none. "
        "If the machines erred independently, 70.0 % would have none."
    )
    assert words.promise_sentence(facts(repairs=-1)) == (
        "This code can miss a class even when all its bits are right, so no repair is certain."
    )


@pytest.mark.parametrize(
    ("n_beyond", "expected", "phi", "rest"),
    [
        (5, 2.9, 0.38, "have BEYOND, 2.1 points more than with independent errors: errors come together."),
        (25, 34.8, 0.2, "have BEYOND, 9.8 points fewer than with independent errors: errors come together."),
        (1, 1.2, 0.1, "has BEYOND, the same number as with independent errors."),
        (9, 2.0, -0.2, "have BEYOND, 7.0 points more than with independent errors: errors avoid each other."),
        (9, 2.0, 0.0, "have BEYOND, 7.0 points more than with independent errors."),
        (9, 2.0, np.nan, "have BEYOND, 7.0 points more than with independent errors."),
    ],
)
def test_points_beyond_repair_are_laid_beside_independence(n_beyond, expected, phi, rest):
    told = facts(repairs=1, n=50, n_within=50 - n_beyond, expected_within=50 - expected, mean_phi=phi)
    assert words.tail_sentence(told) == f"{n_beyond} point{'s' if n_beyond > 1 else ''} {rest}".replace(
        "BEYOND", BEYOND
    )
    assert words.tail_sentence(facts(repairs=-1)) == ""


@pytest.mark.parametrize(
    ("n_beyond", "n_right", "sentence"),
    [
        (44, 28, "They are not all lost: Likelihood still gets 28 of them right."),
        (1, 1, "It is not lost: Likelihood still gets it right."),
        (44, 0, "Likelihood gets none of them right."),
        (44, None, "They are not lost for that reason alone."),
        (0, 0, ""),
    ],
)
def test_beyond_certain_repair_is_not_called_lost(n_beyond, n_right, sentence):
    told = facts(repairs=1, n=64, n_within=64 - n_beyond)
    assert words.bridge_sentence(told, "Likelihood", n_right) == sentence
    assert words.bridge_sentence(facts(repairs=-1, n=64, n_within=0), "Likelihood", 3) == ""


def test_the_weakest_machine_is_named_with_its_baseline():
    accuracies = np.array([0.9, 0.95, 0.81])
    told = facts(
        n_bits=3, weakest=2, report=facts(accuracies=accuracies), baselines=np.array([0.5, 0.5, 0.75])
    )
    first = (
        "The weakest of 3 machines, bit 3, is right on 81.0 % of its points; always guessing the majority "
        "side would be right on"
    )
    assert words.accuracy_sentence(told) == f"{first} 75.0 %."
    told.baselines = np.array([0.95, 0.5, 0.85])
    assert words.accuracy_sentence(told) == f"{first} 85.0 %. 2 machines do no better than such a guess."
    only = facts(n_bits=1, weakest=0, report=facts(accuracies=accuracies[:1]), baselines=np.array([0.5]))
    assert words.accuracy_sentence(only).startswith("The only machine is right on 90.0 % of its points;")
    unasked = facts(weakest=None, report=facts(accuracies=None))
    assert words.accuracy_sentence(unasked) == "No machine is asked about these points."


def correlated(phis, n_pairs):
    phis = np.array(phis)
    return {"phis": phis, "n_pairs": n_pairs, "mean_phi": phis.mean() if phis.size else np.nan}


def test_the_pair_that_fails_together_is_named():
    phi, joint = np.zeros((5, 5)), np.zeros((5, 5), dtype=np.int64)
    phi[0, 4], joint[0, 4] = 0.5, 3
    told = facts(closest=(0, 4), phi=phi, joint=joint, **correlated([-0.2, 0.0], 10))
    first = "Bits 1 and 5 fail together most: both are wrong on 3 points, φ = 0.50."
    assert words.pair_sentence(told) == (
        f"{first} The mean φ of the 2 pairs that have one is −0.10; 8 have none, because one of the two "
        "bits is never (or always) wrong where both are asked."
    )
    all_known = facts(closest=(0, 4), phi=phi, joint=joint, **correlated([-0.001, 0.0], 2))
    assert words.pair_sentence(all_known) == f"{first} The mean φ of all 2 pairs is 0.00."
    assert words.pair_sentence(facts(closest=None)) == (
        "No two machines fail together more often than by chance."
    )


@pytest.mark.parametrize(
    ("n", "n_right", "sentence"),
    [
        (5, 3, "Likelihood gets 3 of these 5 right."),
        (1, 1, "Likelihood gets it right."),
        (1, 0, "Likelihood gets it wrong."),
        (4, 4, "Likelihood gets all of these 4 right."),
        (4, 0, "Likelihood gets none of these 4 right."),
        (0, 0, ""),
    ],
)
def test_the_fate_of_listed_points(n, n_right, sentence):
    assert words.fate_sentence("Likelihood", facts(positions=np.arange(n), n_right=n_right)) == sentence


def test_two_reductions_are_compared():
    first = facts(n_wrong=40, n=50, n_within=46, **correlated([0.2], 1))
    second = facts(n_wrong=30, n=50, n_within=47, **correlated([0.3], 1))
    sides = ("Independent machines", first), ("Joint learning", second)
    assert words.reductions_sentence(*sides) == (
        "Joint learning has 10 fewer wrong bits than Independent machines (30 to 40); "
        f"points with {BEYOND}: 3, not 4; mean φ is 0.30, not 0.20."
    )
    assert words.reductions_sentence(("A", first), ("B", first)) == (
        f"B and A have the same number of wrong bits (40); points with {BEYOND}: 4 with both; mean φ is 0.20."
    )
    never = facts(n_wrong=40, n=50, n_within=46, **correlated([], 1))
    assert words.reductions_sentence(("A", never), ("B", never)).endswith(f"{BEYOND}: 4 with both.")
