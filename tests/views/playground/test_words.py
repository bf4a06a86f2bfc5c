"""What the Playground says."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.analysis.rejecting import Decided
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground import words
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.playground.inspection import Inspection, Verdict, inspect_picked

HAMMING, LINEAR, LIKELIHOOD = (choose("decoding", key) for key in ("hamming", "linear", "likelihood"))
NAMES = ["circle", "square"]


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
    assert words.beside_sentence("One", 40, 40, 200) == "One makes the same number of errors."


def test_a_tie_at_the_best_is_told():
    titles = ["Hamming", "Linear", "Likelihood"]
    assert words.best_sentence(titles, [5, 5, 9], 0) == (
        "None of the decoders shown makes fewer errors; Linear makes the same number."
    )
    assert words.best_sentence(titles, [5, 4, 9], 0) == (
        "With the same machines, Linear makes 1 fewer error than Hamming."
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
            "Row distance 4, so Hamming decoding repairs any single wrong bit.",
            "1 one-sided column and 3 repeated columns.",
        ),
        (
            [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]],
            "Row distance 2: with Hamming decoding one wrong bit can be enough to lose the class.",
            "No column is repeated or mirrored.",
        ),
        (
            [[1, 1, 0], [-1, 0, 1], [0, -1, -1]],
            "Row distance 1: with Hamming decoding one wrong bit can be enough to lose the class.",
            "No column is repeated or mirrored.",
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


def inspected(asked, bits, winner, *, truth=0, tipping=None, tied=(), decoding=LINEAR, chances=None):
    """A point with these bits, of a class that asks for these, as a decoder judges it."""
    bits = np.array(bits)
    code = np.ones((2, bits.size)) if asked is None else np.array([asked, np.negative(asked)])
    costs = np.where(np.arange(2) == winner, 1.0, 1.0 if tied else 2.0)
    verdict = Verdict(
        decoding, costs, costs, winner, 1 - winner, 0.0 if tied else 1.0, tied or (winner,), tipping
    )
    flipped, rows = np.zeros(bits.size, bool), np.arange(2)
    return Inspection(
        bits * 1.0, bits, flipped, chances, code, rows, -1 if asked is None else truth, (verdict,)
    )


@pytest.mark.parametrize(
    ("asked", "bits", "winner", "expected"),
    [
        ([1, 1, 1], [1, 1, -1], 0, "1 of its 3 bits is wrong; Linear decoding repairs it."),
        ([1, 1, 1], [1, -1, -1], 0, "2 of its 3 bits are wrong; Linear decoding repairs them."),
        (
            [1, 1, 0],
            [1, 1, -1],
            1,
            "All 2 bits that count for circle are right, and yet Linear decoding says square.",
        ),
        ([1, 1, 0], [1, 1, -1], 0, "All 2 bits that count for circle are right."),
        ([1, 0, 0], [1, 1, -1], 0, "The only bit that counts for circle is right."),
        ([1, 0, 0], [-1, 1, -1], 1, "Its only bit is wrong; Linear decoding says square instead of circle."),
        (None, [1, 1, 1], 1, "Linear decoding says square here."),
    ],
)
def test_what_happened_to_a_point(asked, bits, winner, expected):
    assert words.point_sentence(inspected(asked, bits, winner), 0, NAMES) == expected


@pytest.mark.parametrize(
    ("asked", "winner", "truth", "end"),
    [
        ([1, 1], 0, 0, "the first listed wins, circle, which is right."),
        ([1, 1], 0, 1, "the first listed wins, circle, not square."),
        ([1, 1], 1, 0, "a rounding difference picks square, not circle."),
        (None, 0, -1, "the first listed wins, circle."),
    ],
)
def test_a_tie_is_no_decision_and_repairs_nothing(asked, winner, truth, end):
    tie = inspected(asked, [1, -1], winner, truth=truth, tied=(0, 1))
    begin = "1 of its 2 bits is wrong. " if asked else ""
    assert words.point_sentence(tie, 0, NAMES) == (
        f"{begin}Linear decoding ends in a tie between circle and square; {end}"
    )
    assert "by a tie" in words.point_title(tie, 0, NAMES, 7, (0.0, 0.0))


def test_a_bit_is_wrong_as_the_shown_decoder_reads_it():
    """The score says + and the probability -, as it is asked: wrong by its sign, right by its chance."""
    chances = np.array([0.4, 0.1])
    by_chance = inspected([-1, -1], [1, -1], 0, decoding=LIKELIHOOD, chances=chances)
    by_sign = inspected([-1, -1], [1, -1], 0, decoding=HAMMING, chances=chances)
    assert words.point_sentence(by_chance, 0, NAMES) == "All 2 bits that count for circle are right."
    assert words.point_sentence(by_sign, 0, NAMES) == (
        "1 of its 2 bits is wrong; Hamming decoding repairs it."
    )
    split = "A struck-out = marks 1 machine whose score and P(+) point to different sides."
    reads = "reads P(+), the probability of + computed from the score: above one half means +."
    assert words.reads_sentence(by_chance, 0, NAMES) == f"Likelihood decoding {reads} {split}"
    assert words.reads_sentence(by_sign, 0, NAMES) == (
        f"Hamming decoding reads only the sign of each score: which side the machine chose. {split}"
    )
    assert words.reads_sentence(inspected([1], [1], 0), 0, NAMES) == (
        "Linear decoding reads the scores: which side the machine chose, and how strongly."
    )


def test_what_zeros_cost_is_said_where_all_cost_the_same():
    point = inspected([1, 1], [1, 1], 0)
    zeros = replace(point, code_matrix=np.array([[1, 0], [0, 0]]))
    assert words.reads_sentence(zeros, 0, NAMES) == words.reads_sentence(point, 0, NAMES)
    verdicts = (replace(point.verdicts[0], idle=0.5),)
    for truth, said in ((0, "The 0 in its row adds 0.5 "), (1, "Each of the 2 zeros in its row adds 0.5 ")):
        told = words.reads_sentence(replace(zeros, truth=truth, verdicts=verdicts), 0, NAMES)
        assert told.endswith(said + "to the cost, whatever the machine says.")


def test_a_step_of_the_played_bits_says_what_they_decide():
    point = inspected([1, 1], [1, 1], 0)
    says = "of 2, Linear decoding says"
    assert words.step_sentence(point, 0, NAMES, 1, 0) == f"With the first bit {says} circle."
    assert (
        words.step_sentence(point, 0, NAMES, 2, 1)
        == f"With the first 2 bits {says} square instead of circle."
    )


def test_it_is_said_which_of_several_rows_counts():
    point = inspected([1, 1], [1, 1], 0)
    verdict = replace(
        point.verdicts[0], row_costs=np.array([3.0, 2.0, 1.0]), winner=1, costs=np.array([2.0, 1.0])
    )
    parts = replace(point, rows=np.array([0, 0, 1]), code_matrix=np.ones((3, 2)), verdicts=(verdict,))
    assert words.reads_sentence(parts, 0, NAMES).endswith(
        "circle has 2 rows in this code, one for each part; the bits are compared with part 2, which has "
        "the lowest cost."
    )


def test_a_class_that_training_lacks_asks_for_nothing():
    point = replace(inspected([1, 1], [1, 1], 1), rows=np.array([1, 1]))
    assert words.point_sentence(point, 0, NAMES) == (
        "No training point is of class circle, so no bit counts as wrong. Linear decoding says square."
    )


@pytest.mark.parametrize(
    ("tipping", "expected"),
    [
        ((0, 3), "It stays circle whichever bit is flipped; flipping bits 1 and 4 changes it."),
        ((0, 1, 3), "It stays circle whichever 2 bits are flipped; flipping bits 1, 2 and 4 changes it."),
        ((2,), "Flipping bit 3 alone changes the decision."),
        (tuple(range(13)), "It stays circle whichever 12 bits are flipped."),
        (None, "No set of flips was found that changes the decision."),
    ],
)
def test_how_many_more_wrong_bits_it_would_survive(tipping, expected):
    verdict = inspected([1], [1], 0, tipping=tipping).verdicts[0]
    assert words.tipping_sentence(verdict, NAMES) == expected


def test_a_decoder_whose_costs_are_no_sums_says_so():
    key = next(key for key, entry in DECODINGS.items() if entry.terms is None)
    verdict = inspected([1], [1], 0, decoding=choose("decoding", key)).verdicts[0]
    assert words.tipping_sentence(verdict, NAMES) == (
        f"How many flips change the decision is not known: the costs of {DECODINGS[key].title} do not add "
        "up bit by bit."
    )


def test_points_and_places_are_named():
    point = inspected([1], [1], 1)
    assert words.point_title(point, 0, NAMES, 7, None) == "Point 7, true class circle, decoded as square"
    flipped = replace(point, flipped=np.array([True]))
    assert words.point_title(flipped, 0, NAMES, 7, None).endswith("decoded as square with 1 flip")
    place = inspected(None, [1], 1)
    assert words.point_title(place, 0, NAMES, -1, (-0.5, 1.23456)) == (
        "Place (−0.5, 1.23), decoded as square"
    )


def test_a_place_has_no_bits_that_any_class_asks_for():
    trained = train(make_scenario(data=("blobs", {"n_samples": 60})))
    picture = make_picture(trained, "", (LINEAR,))
    place = inspect_picked(trained.shown, picture, -1, (0.1, 0.2), frozenset())
    assert place.asked(0) is None and place.truth == -1
    point = inspect_picked(trained.shown, picture, 50, None, frozenset())
    assert point.asked(0).tolist() == trained.code_matrix[picture.points.truth[50]].tolist()
    prepared = trained.shown.prepared
    x = prepared.X_test[50 - len(prepared.y_train)]
    assert np.array_equal(point.scores, trained.shown.estimator.scores(x[None])[0])
    assert inspect_picked(trained.shown, picture, -1, None, frozenset()) is None


@pytest.mark.parametrize(
    ("n", "gone", "wrong", "said"),
    [
        (150, 0, 3, "No point is left undecided."),
        (150, 150, 0, "All points are left undecided."),
        (40, 10, 3, "With 25.0 % (10 of 40) left undecided, 10.0 % (3 of 30) of the others are wrong."),
    ],
)
def test_what_is_left_undecided_is_said_beside_the_error(n, gone, wrong, said):
    assert words.undecided_sentence(Decided(n, gone, wrong)) == said
