"""What the Playground says."""

from types import SimpleNamespace

import numpy as np
import pytest

from ecocviz.engine.analysis.codes import code_report
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground import words
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.playground.inspection import inspect_picked

LINEAR = choose("decoding", "linear")


def pictured(labels, truth=None, part="test", n_points=160):
    labels = np.array(labels)
    truth = labels[0] if truth is None else np.array(truth)
    points = SimpleNamespace(truth=np.zeros(n_points, int))
    plane = SimpleNamespace(sentence="", names=("x1", "x2"))
    return SimpleNamespace(
        labels=labels,
        truth=truth,
        part=part,
        points=points,
        plane=plane,
        n_wrong=(labels != truth).sum(axis=1).tolist(),
        n_agreeing=int((labels == labels[0]).all(axis=0).sum()),
        fitted=None,
        n_fitted=0,
    )


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([[0] * 40, [0] * 30 + [1] * 10], "The 2 decoders shown agree on 75.0 % (30 of 40) of these points."),
        ([[0] * 40, [0] * 40, [0] * 40], "The 3 decoders shown agree on all 40 points."),
        ([[0] * 40], ""),
        ([[], []], ""),
    ],
)
def test_decoders_agree_on_so_many_points(labels, expected):
    assert words.agreement_sentence(pictured(labels)) == expected


def test_points_that_are_not_drawn_are_counted():
    assert words.drawn_sentence(160, 160) == ""
    assert words.drawn_sentence(5_000, 2_000) == "2,000 of 5,000 points are drawn."


def test_the_code_beside_makes_more_fewer_or_as_many_errors():
    assert words.beside_sentence("One", 41, 40, 200) == "One makes 1 more error: 20.5 % (41 of 200)."
    assert words.beside_sentence("One", 10, 40, 200) == "One makes 30 fewer errors: 5.0 % (10 of 200)."
    assert words.beside_sentence("One", 40, 40, 200) == "One makes as many errors."


def test_a_tie_at_the_best_is_told():
    titles = ["Hamming", "Linear", "Likelihood"]
    assert words.best_sentence(titles, [5, 5, 9], 0) == (
        "No decoder shown makes fewer errors; Linear makes as many."
    )
    assert words.best_sentence(titles, [5, 4, 9], 0) == (
        "With the same machines Linear makes 1 fewer error than Hamming."
    )
    assert words.best_sentence(titles[:1], [5], 0) == ""


def test_the_sentences_under_the_regions_are_those_of_the_shown_decoder():
    decodings = (choose("decoding", "hamming"), LINEAR)
    data = ("blobs", {"n_samples": 90, "overlap": 0.8})
    picture = make_picture(train(make_scenario(data=data)), "", decodings)
    for decoder in (0, 1):
        first, more = words.region_sentences(picture, ["Hamming", "Linear"], decoder, 90)
        assert first == words.error_sentence("Test", picture.n_wrong[decoder], picture.truth.size)
        assert more[0] == words.error_sentence("Training", int(picture.fitted[decoder]), picture.n_fitted)
        assert more[1] == words.best_sentence(["Hamming", "Linear"], picture.n_wrong, decoder)
        beside = words.region_sentences(picture, ["Hamming", "Linear"], decoder, 40, ("One", 9))[1]
        assert beside[1] == words.beside_sentence("One", 9, picture.n_wrong[decoder], picture.truth.size)
        assert beside[-1] == words.drawn_sentence(90, 40)
        assert all(more)
    assert words.alt_text(picture, ["a", "b", "c", "d"]) == (
        "Decision regions of 4 classes (a, b, c and d) over x1 and x2, 90 points. "
        "Arrow keys move the picked point."
    )
    assert "(a to g)" in words.alt_text(picture, list("abcdefg"))


@pytest.mark.parametrize(
    ("code", "repairs", "faults"),
    [
        (
            [[1, 1, 1, 1, 1, 1, 1], [-1, 1, -1, 1, -1, 1, -1], [1, -1, -1, 1, 1, -1, -1]],
            "Row distance 4, so Hamming decoding repairs any 1 wrong bit.",
            "1 one-sided column and 3 repeated columns.",
        ),
        (
            [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]],
            "Row distance 2: one wrong bit can already cost the class under Hamming decoding.",
            "No repeated or complementary columns.",
        ),
        (
            [[1, 1, 0], [-1, 0, 1], [0, -1, -1]],
            "Row distance 1: one wrong bit can already cost the class under Hamming decoding.",
            "No repeated or complementary columns.",
        ),
    ],
)
def test_what_a_code_can_do(code, repairs, faults):
    assert words.code_sentence(code_report(np.array(code, dtype=np.int8))) == f"{repairs} {faults}"


@pytest.mark.parametrize("repairs", [None, -1])
def test_a_code_that_can_miss_a_class_without_a_wrong_bit(repairs):
    report = SimpleNamespace(
        min_distance=1.0,
        repairable_bits_hamming=repairs,
        one_sided_columns=[],
        repeated_columns=[(0, 1)],
        complementary_columns=[],
    )
    assert words.code_sentence(report) == (
        "Row distance 1: Hamming decoding can miss a class even when all its bits are right. "
        "1 repeated column."
    )


def inspected(asked, bits, winner, truth=0, tipping=None):
    asked = None if asked is None else np.array(asked)
    verdict = SimpleNamespace(decoding=LINEAR, winner=winner, tipping=tipping)
    return SimpleNamespace(asked=asked, bits=np.array(bits), truth=truth, verdicts=(verdict,))


@pytest.mark.parametrize(
    ("asked", "bits", "winner", "expected"),
    [
        ([1, 1, 1], [1, 1, -1], 0, "1 of its 3 bits is wrong; Linear decoding repairs it."),
        ([1, 1, 1], [1, -1, -1], 0, "2 of its 3 bits are wrong; Linear decoding repairs them."),
        ([1, 1, 0], [1, 1, -1], 1, "No bit is wrong, and yet Linear decoding says square instead of circle."),
        ([1, 1, 0], [1, 1, -1], 0, "All 2 bits that circle asks for are right."),
        ([1, 0, 0], [1, 1, -1], 0, "The only bit that circle asks for is right."),
        (
            [1, 0, 0],
            [-1, 1, -1],
            1,
            "Its only bit is wrong; Linear decoding gives up and says square instead of circle.",
        ),
        (None, [1, 1, 1], 1, "Linear decoding says square here."),
    ],
)
def test_what_happened_to_a_point(asked, bits, winner, expected):
    assert words.point_sentence(inspected(asked, bits, winner), 0, ["circle", "square"]) == expected


@pytest.mark.parametrize(
    ("tipping", "expected"),
    [
        ((0, 3), "It stays circle after any 1 flip; flipping bits 1 and 4 changes it."),
        ((2,), "Flipping bit 3 alone changes the decision."),
        (tuple(range(13)), "It stays circle after any 12 flips."),
        (None, "No set of flips was found that changes the decision."),
    ],
)
def test_how_many_more_wrong_bits_it_would_survive(tipping, expected):
    verdict = inspected([1], [1], 0, tipping=tipping).verdicts[0]
    assert words.tipping_sentence(verdict, ["circle", "square"]) == expected


def test_points_and_places_are_named():
    names = ["circle", "square"]
    point = inspected([1], [1], 1)
    assert words.point_title(point, 0, names, 7, None) == "Point 7, truly circle, decoded square"
    place = inspected(None, [1], 1, truth=-1)
    assert words.point_title(place, 0, names, -1, (-0.5, 1.23456)) == "Place (−0.5, 1.23), decoded square"


def test_a_place_has_no_bits_that_any_class_asks_for():
    trained = train(make_scenario(data=("blobs", {"n_samples": 60})))
    picture = make_picture(trained, "", (LINEAR,))
    place = inspect_picked(trained.shown, picture, -1, (0.1, 0.2), frozenset())
    assert place.asked is None and place.truth == -1
    point = inspect_picked(trained.shown, picture, 50, None, frozenset())
    assert point.asked.tolist() == trained.code_matrix[picture.points.truth[50]].tolist()
    prepared = trained.shown.prepared
    x = prepared.X_test[50 - len(prepared.y_train)]
    assert np.array_equal(point.scores, trained.shown.estimator.scores(x[None])[0])
    assert inspect_picked(trained.shown, picture, -1, None, frozenset()) is None
