"""What is said of reductions side by side, and of what is special to one of them."""

from types import SimpleNamespace

import numpy as np
import pytest

from ecocviz.views.reductions import words
from ecocviz.views.reductions.specials import Special


def special(key, numbers=(), rows=(), columns=(), **more):
    return Special(key=key, numbers=np.array(numbers, dtype=float), rows=rows, columns=columns, more=more)


def said(found):
    return words.LABELS[found.key].say(found)


def compared(n_wrong, n=48):
    done = [SimpleNamespace(key=key, title=key) for key in n_wrong]
    judged = [SimpleNamespace(key=key, outcome=SimpleNamespace(n_wrong=k, n=n)) for key, k in n_wrong.items()]
    return SimpleNamespace(done=done, judged=judged, titles={key: key for key in n_wrong}, part_title="Test")


@pytest.mark.parametrize(
    ("n_wrong", "sentence"),
    [
        (
            {"Decision DAG": 5, "Joint learning": 7},
            "Fewest errors: Decision DAG, 5 in 48 points; most: Joint learning, 7.",
        ),
        ({"A": 5, "B": 5, "C": 5}, "All 3 reductions make 5 errors in 48 points."),
        ({"A": 5, "B": 5}, "Both reductions make 5 errors in 48 points."),
        ({"A": 1}, "A: 1 error in 48 points."),
        (dict.fromkeys("ABCD", 2) | {"E": 3}, "Fewest errors: 4 reductions, 2 in 48 points; most: E, 3."),
    ],
)
def test_who_makes_the_fewest_errors(n_wrong, sentence):
    assert words.fewest_sentence(compared(n_wrong)) == sentence


def test_the_picture_of_errors_is_described():
    assert words.errors_alt(compared({"A": 12, "B": 6})) == (
        "Test error of 2 reductions with 95 % intervals; the smallest is 12.5 % (6 of 48), of B."
    )


def relation(wrong, apart, n_machines=3):
    numbers = np.full((n_machines, n_machines), -0.9)
    names = tuple(str(k + 1) for k in range(n_machines))
    return special(
        "relation", numbers, names, names, a=0, b=2, apart=-0.25, wrong=wrong, wrong_apart=apart, n=48
    )


def test_joint_machines_beside_independent_ones():
    assert said(relation(5, 7)) == (
        "With the relation 5 of 48 points are misclassified, without it 7. Machines 1 and 3 are related "
        "most, by −0.90; independent machines of the same kind by −0.25."
    )
    assert said(relation(5, 5, 1)) == "With and without the relation 5 of 48 points are misclassified."


def test_how_alike_copies_are():
    # Numbers of machines with 4, 1 and 1 on the diagonal: alike by 1 / 2, 0.4 / 2 and 0.8.
    V = [[4.0, 1.0, 0.4], [1.0, 1.0, 0.8], [0.4, 0.8, 1.0]]
    names = ("a", "b", "c")
    assert said(special("class-kernel", V, names, names)) == (
        "Copies for two different classes have a similarity of 0.20 to 0.80."
    )
    bounded = special("column-kernel", [[1, 0.5], [0.5, 1]], names[:2], names[:2], bound=0.4, margin=1.0)
    assert said(bounded) == (
        "Copies for two different columns have a similarity of 0.50. The risk bound at margin 1 is 0.40: "
        "with 95 % "
        "confidence the error is at most that."
    )
    assert said(special("class-kernel", [[1.0]], ("a",), ("a",))) == ""


def test_which_class_weighs_most():
    assert said(special("class-weights", [1.0, 3.0], ("a", "b"))) == (
        "b weighs most, 75.0 % of the sum; equal weights would be 50.0 %."
    )


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("objective", "The objective falls from 2.00 to 1.25 in 2 half steps."),
        ("weighted-objective", "The objective falls from 2.00 to 1.25 in 2 updates of the weights."),
        ("gap", "The duality gap falls from 2.00 to 1.25 in 2 rounds."),
    ],
)
def test_how_far_something_fell(key, sentence):
    assert said(special(key, [2.0, 1.5, 1.25])) == sentence


def test_what_makes_up_the_codewords():
    few = special("patterns", np.zeros((38, 2)), ("x",) * 38, support=38, n=112, gap=0.02, objective=40.0)
    assert said(few) == (
        "38 of 112 training points are support patterns. "
        "The objective 40.00 is at most 0.02 (0.05 %) above its least value."
    )
    many = special("patterns", np.zeros((60, 2)), ("x",) * 60, support=90, n=112)
    assert said(many) == "90 of 112 training points are support patterns; the strongest 60 are shown."


def test_what_a_designed_code_holds():
    code = special("code", [[-1.25, 0.0, 0.2], [0.5, 0.0, 0.1]], ("a", "b"), ("1", "2", "3"))
    assert said(code) == "Entries lie between −1.25 and 0.50; 2 of 6 are 0."


def test_which_machine_is_asked_most():
    six = special("paths", np.zeros((4, 6)), tuple("abcd"), tuple("123456"), asked=3, most=2, share=0.5)
    assert said(six) == (
        "For every point 3 of the 6 machines are asked; machine 3 is asked most, for 50 % of the points."
    )
    assert (
        said(special("paths", [[100.0], [100.0]], ("a", "b"), ("1",))) == "The only machine is asked for "
        "every point."
    )


def test_what_holds_the_machines_and_whom_they_trust():
    assert said(special("support", [30, 50], ("1", "2"), n=112)) == (
        "Each machine rests on 30 to 50 of the 112 training points (its support vectors)."
    )
    assert said(special("support", [30, 30], ("1", "2"), n=112)) == (
        "Each machine rests on 30 of the 112 training points (its support vectors)."
    )
    assert said(special("reliability", [0.9, 0.5, 0.75], tuple("123"))) == (
        "Machine 2 is trusted least, with 0.50, machine 1 most, with 0.90."
    )
    assert said(special("local-reliability", [0.5, 0.5], tuple("12"))) == (
        "All machines are trusted equally, with 0.50."
    )


def test_a_special_is_described_for_those_who_do_not_see_it():
    assert words.special_alt(special("relation-apart", np.eye(2), ("1", "2"), ("1", "2"))) == (
        "Relation of independent machines: a heatmap of 2 rows and 2 columns."
    )
    assert words.special_alt(special("gap", [2.0, 1.0])) == (
        "Duality gap: gap step by step. The duality gap falls from 2.00 to 1.00 in 1 round."
    )
