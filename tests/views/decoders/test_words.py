"""What is said of decoders on the same machines."""

from types import SimpleNamespace

import numpy as np
import pytest

from ecocviz.lab.curve_plan import Curve
from ecocviz.lab.curves import Measure
from ecocviz.views.decoders import words


def compared(n_wrong, n=48):
    judged = [SimpleNamespace(key=key, outcome=SimpleNamespace(n_wrong=k, n=n)) for key, k in n_wrong.items()]
    judged.sort(key=lambda each: each.outcome.n_wrong)
    return SimpleNamespace(judged=judged, titles=[each.key for each in judged], part_title="Test")


@pytest.mark.parametrize(
    ("n_wrong", "said"),
    [
        (
            {"Hamming": 6, "Likelihood": 5},
            "Likelihood is best with 5 errors in 48 points, Hamming worst with 6.",
        ),
        ({"Hamming": 5, "Linear": 5}, "Both decoders make 5 errors in 48 points."),
        ({"Linear": 1}, "Linear makes 1 error in 48 points."),
        (
            {"A": 1, "B": 1, "C": 3, "D": 3, "E": 3, "F": 3},
            "A and B are best with 1 error in 48 points, the worst 4 make 3.",
        ),
    ],
)
def test_who_makes_the_fewest_errors(n_wrong, said):
    assert words.least_sentence(compared(n_wrong)) == said


def test_the_picture_of_errors_is_described():
    said = words.errors_alt(compared({"Hamming": 12, "Linear": 6}))
    assert said == (
        "Test error of 2 decoders with 95 % intervals: from Linear with 12.5 % (6 of 48) to Hamming with "
        "25.0 % (12 of 48)."
    )


@pytest.mark.parametrize(
    ("title", "stated", "error", "said"),
    [
        (
            "Likelihood",
            0.9,
            0.07,
            "On average Likelihood says 90 % and is right in 84 % of cases: too sure by 6 percentage points.",
        ),
        (
            "KL",
            0.8,
            0.07,
            "On average KL says 80 % and is right in 84 % of cases: too cautious by 4 percentage points.",
        ),
        (
            "KL",
            0.842,
            0.07,
            (
                "On average KL says 84 % and is right in 84 % of cases, "
                "but a stated probability is off by 7 percentage points on average."
            ),
        ),
        ("KL", 0.842, 0.001, "On average KL says 84 % and is right in 84 % of cases."),
    ],
)
def test_whether_a_decoder_is_as_right_as_it_says(title, stated, error, said):
    found = SimpleNamespace(
        stated=np.array([stated - 0.1, stated + 0.1]),
        happened=np.array([0.74, 0.94]),
        counts=np.array([10, 10]),
        calibration_error=error,
    )
    assert words.calibration_sentence(title, found) == said


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([[9, 3], [2, 9]], "Linear most often mistakes a for b: 3 of its 5 errors."),
        ([[9, 0], [0, 9]], "Linear makes no error."),
        ([[9, 0], [1, 9]], "Linear's only error mistakes b for a."),
        (
            [[9, 1], [1, 9]],
            "All 2 errors of Linear are different: no class is mistaken twice for the same other one.",
        ),
        ([[9, 2], [0, 9]], "All 2 errors of Linear mistake a for b."),
    ],
)
def test_which_classes_are_confused(counts, said):
    assert words.confusion_sentence("Linear", np.array(counts), ["a", "b"]) == said


def test_of_many_classes_the_largest_confusions_are_listed():
    counts = 9 * np.eye(8, dtype=int)
    counts[0, 3], counts[3, 0], counts[5, 6], counts[7, 1] = 5, 4, 2, 1
    assert words.confusion_sentence("Linear", counts, "ABCDEFGH") == (
        "Linear most often mistakes A for D: 5 of its 12 errors. Next: D for A (4) and F for G (2)."
    )


def curve(decoder, *n_wrong):
    grid = tuple(2.0**k for k in range(len(n_wrong)))
    places = tuple((value,) for value in grid)
    return Curve(decoder=decoder, measure=Measure.TEST, places=places, n_wrong=n_wrong, n=50, seconds=0.1)


def test_who_is_best_over_a_parameter():
    curves = [curve("Hamming", 3, 2, 2), curve("Likelihood", 2, 2, 1)]
    said = words.beaten_sentence("Hamming", curves, "gamma")
    assert said == "Likelihood makes the fewest errors at 3 of 3 values of gamma, Hamming at 1."
    said = words.beaten_sentence("Likelihood", curves, "gamma")
    assert said == "Likelihood makes the fewest errors at 3 of 3 values of gamma."
    assert words.beaten_sentence("Hamming", curves[:1], "gamma") == ""
    unknown = [curve("Hamming", 3, None), curve("Likelihood", None, 2)]
    assert words.beaten_sentence("Hamming", unknown, "gamma") == ""
    half = [curve("Hamming", 1, 2, None), curve("Likelihood", 2, 2, 0)]
    said = words.beaten_sentence("Likelihood", half, "γ")
    assert said == "Hamming makes the fewest errors at 2 of 2 values of γ, Likelihood at 1."


@pytest.mark.parametrize(
    ("n_wrong", "errors", "edge"),
    [
        ((3, 1, 1, 2), "1 to 3 errors", False),
        ((3, 2, 1, 1), "1 to 3 errors", False),  # no fewer at the edge than before it
        ((3, 2, 2, 1), "1 to 3 errors", True),
        ((0, 2, 2, 1), "0 to 2 errors", True),
        ((3, 2, 2, None), "2 to 3 errors", False),  # not measured to the end
        ((2, 2, 2, 2), "2 errors", False),
    ],
)
def test_over_a_parameter_the_range_is_told_and_whether_it_ends_too_early(n_wrong, errors, edge):
    said = words.range_sentence(curve("Linear", *n_wrong), "γ")
    ends = "1 to 2³" if n_wrong[-1] is not None else "1 to 2²"
    first = f"Linear makes {errors} in 50 points over γ from {ends}."
    more = " The test error is least at the edge of the range: values beyond it may be better."
    assert said == first + more * edge
