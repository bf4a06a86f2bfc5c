"""Sentences about how machines are related."""

import numpy as np
import pytest
from relations_tools import some_relations

from ecocviz.views.relations import words

COLOURS = "The colours of each picture end at its largest value."


def pair_of(r):
    return np.array([[1.0, r], [r, 1.0]])


def with_pair(n, a, b, r):
    found = np.eye(n)
    found[a, b] = found[b, a] = r
    return found


def test_the_kinds_are_compared_by_their_mean_strength():
    found = {"weights": pair_of(-0.1), "errors": pair_of(0.8)}
    sentence = (
        "Machines are most alike in their errors, with a mean correlation |r| of 0.80 over all pairs; then "
        "come "
        "weights (0.10)."
    )
    assert words.strength_sentence(some_relations(correlations=found)) == sentence
    # The learned relation is no correlation of what the machines do.
    assert (
        words.strength_sentence(some_relations(correlations={**found, "relation": pair_of(0.9)})) == sentence
    )
    assert words.strength_sentence(some_relations(correlations={"errors": np.eye(2)})) == ""


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            {"errors": with_pair(4, 0, 3, 0.6)},
            "Machines 1 and 4 are the most alike in their errors (r = +0.60).",
        ),
        ({"errors": with_pair(2, 0, 1, 0.001)}, "No two machines correlate in their errors."),
        (
            {"scores": with_pair(5, 1, 4, -0.7)},
            "Machines 2 and 5 are the most opposed in their scores (r = −0.70).",
        ),
        (
            {"scores": with_pair(5, 1, 4, -0.7), "errors": np.eye(5)},
            "Machines 2 and 5 are the most opposed in their scores (r = −0.70).",
        ),
    ],
)
def test_the_most_alike_pair_is_named(found, sentence):
    assert words.alike_sentence(some_relations(correlations=found)) == sentence


def test_what_else_there_is_to_know_of_the_heatmaps():
    plain = some_relations(correlations={"scores": pair_of(0.5)}, scores=np.zeros((1, 2)))
    said = words.heatmaps_sentence(plain, 2, clickable=True)
    assert (
        said.replace(COLOURS, "COLOURS")
        == "Scores and errors are measured on 1 test point. COLOURS Click a cell to look at its two machines."
    )
    found = {"scores": np.eye(1_200), "relation": np.eye(1_200)}
    large = some_relations(
        correlations=found, scores=np.zeros((30, 1_200)), part="train", missing={"errors": "No errors."}
    )
    assert words.heatmaps_sentence(large, 200, clickable=False) == (
        f"Scores and errors are measured on 30 training points. {COLOURS} No errors. The learned "
        "relation is scaled so that its diagonal is 1. 200 of 1,200 machines are drawn; at most 200 fit."
    )


def test_pairs_without_a_correlation_are_counted_and_left_out_of_the_mean():
    errors = with_pair(3, 0, 1, -0.4)
    errors[:2, 2] = errors[2, :2] = np.nan  # the third machine is never wrong
    found = some_relations(correlations={"scores": np.eye(3), "errors": errors}, scores=np.zeros((9, 3)))
    assert words.strength_sentence(found).startswith("Machines are most alike in their errors, with a mean")
    assert found.mean_strength("errors") == 0.4
    assert "2 pairs have no correlation of errors, because one of the two" in (
        words.heatmaps_sentence(found, 3, clickable=False)
    )
    assert "errors none" in words.correlations_sentence(found, (0, 2))


def test_joint_errors_in_words():
    assert "No point is asked" in words.joint_sentence(np.zeros((2, 2), dtype=int), (0, 1))
    assert "Neither machine is wrong on the 9 points" in words.joint_sentence(
        np.array([[9, 0], [0, 0]]), (0, 1)
    )
    text = words.joint_sentence(np.array([[500, 200], [200, 100]]), (0, 1))
    assert text.startswith("Both are wrong on 10.0 % (100 of 1,000)") and text.endswith(
        "it would be 90 points."
    )


def test_how_two_machines_correlate():
    found = {"weights": with_pair(3, 0, 2, -0.25), "relation": with_pair(3, 0, 2, 0.5)}
    sentence = words.correlations_sentence(some_relations(correlations=found), (0, 2))
    assert sentence == "Correlations: weights −0.25, learned relation +0.50."


def test_how_points_are_drawn():
    assert words.scores_sentence(30, 30).endswith("strongly outlined ones two.")
    assert words.scores_sentence(4_000, 9_000).endswith(" 4,000 of 9,000 points are drawn.")


@pytest.mark.parametrize(
    ("column", "classes", "b", "label"),
    [
        ([1, -1, -1, -1], ("ant", "bee", "cat", "dog"), 0, "1: ant against 3 others"),
        ([1, -1, 0], ("ant", "bee", "cat"), 1, "2: ant against bee"),
        ([1] * 4 + [-1] * 5, tuple("abcdefghi"), 6, "7: 4 against 5 classes"),
        ([0.0, 0.0], ("a", "b"), 0, "machine 1"),
    ],
)
def test_a_machine_is_named_by_its_two_sides(column, classes, b, label):
    code = np.zeros((len(column), b + 1))
    code[:, b] = column
    assert words.machine_label(some_relations(code=code, classes=classes), b) == label
