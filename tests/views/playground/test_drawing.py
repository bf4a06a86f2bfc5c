"""Points from the browser on their way to a data set."""

import numpy as np
import pytest

from ecocviz.engine.params import pack_matrix
from ecocviz.lab.run import load, run
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.playground.drawing import drawn_scenario, fitting_split, read_points


def cloud(n, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % n_classes
    places = np.clip(0.2 + 0.6 * codes[:, None] / n_classes + rng.normal(0, 0.05, (n, 2)), 0, 1).round(4)
    return {"points": [[x, y, c] for (x, y), c in zip(places.tolist(), codes.tolist(), strict=True)]}


def test_drawn_points_become_the_data_and_can_be_trained_on():
    event = cloud(60, 3)
    scenario = drawn_scenario(make_scenario(), read_points(event))
    assert scenario.data.key == "upload" and scenario.split.key == "hold-out"
    table = load(scenario)
    assert table.name == "drawn.csv" and table.classes == ("A", "B", "C")
    assert table.features.to_numpy().tolist() == [point[:2] for point in event["points"]]
    assert table.labels.tolist() == ["ABC"[point[2]] for point in event["points"]]
    assert run(scenario).test.error < 0.2
    assert drawn_scenario(make_scenario(), read_points(event)) == scenario


@pytest.mark.parametrize(
    ("split", "counts", "expected"),
    [
        ("hold-out", [15, 15], "hold-out"),
        ("hold-out", [14, 15], "all"),
        ("k-fold", [100, 3], "all"),
        ("k-fold", [100, 4], "k-fold"),
        ("own", [50, 50], "hold-out"),
        ("all", [50, 50], "all"),
    ],
)
def test_the_split_suits_the_points(split, counts, expected):
    assert fitting_split(split, counts) == expected


def test_a_hand_made_code_for_other_classes_gives_way():
    four = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=np.int8)
    scenario = make_scenario(coding=("custom", {"matrix": pack_matrix(four)}))
    assert drawn_scenario(scenario, read_points(cloud(40, 3))).coding.key == "one-vs-all"
    assert drawn_scenario(scenario, read_points(cloud(40, 4))).coding == scenario.coding


@pytest.mark.parametrize(
    "event",
    [
        None,
        "points",
        {},
        {"points": None},
        {"points": [[0.5, 0.5]]},
        {"points": [[10**400, 0.5, 0], [0.5, 0.5, 1]]},
        {"points": [[0.5, 1.5, 0], [0.5, 0.5, 1]]},
        {"points": [[0.5, float("nan"), 0], [0.5, 0.5, 1]]},
        {"points": [[0.5, True, 0], [0.5, 0.5, 1]]},
        {"points": [[0.5, "=1+1", 0], [0.5, 0.5, 1]]},
        {"points": [[0.5, 0.5, 10], [0.5, 0.5, 1]]},
        {"points": [[0.5, 0.5, -1], [0.5, 0.5, 1]]},
        {"points": [[0.5, 0.5, 0.0], [0.5, 0.5, 1]]},
    ],
)
def test_what_is_no_drawing_is_refused_in_one_sentence(event):
    with pytest.raises(ValueError, match=r"^Part of the drawing was lost on the way; draw it again\.$"):
        read_points(event)


def test_one_class_or_too_many_points_are_refused():
    with pytest.raises(ValueError, match="at least two classes"):
        read_points({"points": [[0.1, 0.1, 0], [0.2, 0.2, 0]]})
    with pytest.raises(ValueError, match=r"2,001 points but at most 2,000"):
        read_points({"points": [[0.1, 0.1, 0]] * 2_001})
