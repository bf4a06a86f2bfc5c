"""What the Playground draws agrees with deciding the same points one way or another."""

import numpy as np
import pytest

from ecocviz.engine.progress import Telling
from ecocviz.lab.evaluate import evaluate
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import make_points, make_regions
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground.facts import found_error, make_picture

BLOBS = ("blobs", {"n_samples": 90, "overlap": 0.8})
DECODINGS = tuple(choose("decoding", key) for key in ("hamming", "likelihood", "linear"))


@pytest.mark.parametrize("split", ["hold-out", "k-fold", "all"])
def test_counts_are_those_of_deciding_the_judged_points(split):
    trained = train(make_scenario(data=BLOBS, coding="one-vs-one", split=split))
    picture = make_picture(trained, "", DECODINGS)
    outcomes = [evaluate(trained, picture.part, decoding) for decoding in DECODINGS]
    assert picture.n_wrong == [outcome.n_wrong for outcome in outcomes]
    assert picture.truth.size == outcomes[0].rows.size
    agreeing = (np.stack([o.labels for o in outcomes]) == outcomes[0].labels).all(axis=0).sum()
    assert picture.n_agreeing == agreeing
    if split == "hold-out":
        fitted = [evaluate(trained, "train", decoding).n_wrong for decoding in DECODINGS]
        assert picture.fitted.tolist() == fitted
        assert picture.n_fitted == trained.shown.prepared.y_train.size
    else:
        assert picture.fitted is None
    assert picture.part == ("train" if split == "all" else "test")


@pytest.mark.parametrize("split", ["hold-out", "k-fold", "all"])
def test_what_is_left_undecided_is_that_of_deciding_the_judged_points(split):
    scenario = make_scenario(data=BLOBS, split=split, rejecting=("margin", {"share": 0.3}))
    trained = train(scenario)
    decodings = tuple(map(scenario.deciding, DECODINGS))
    picture = make_picture(trained, "", decodings)
    for k, decoding in enumerate(decodings):
        assert picture.decided(k) == evaluate(trained, picture.part, decoding).decided
        if picture.fitted is not None:
            assert picture.fitted_decided(k) == evaluate(trained, "train", decoding).decided
    assert 0 < picture.decided(1).n_rejected < picture.truth.size
    found = found_error(scenario.chosen("decoding", "likelihood"), trained, picture, 1)
    assert found.decided[picture.part] == picture.decided(1)
    assert found.decided.keys() == found.counts.keys()
    assert make_picture(trained, "", DECODINGS).decided(0) is None
    # A point that is left undecided is not gone through as a wrong one.
    wrong = np.flatnonzero(picture.points.wrong[1])
    assert picture.next_wrong(1, -1) == (wrong[0] if wrong.size else None)
    assert not (picture.points.wrong & picture.points.undecided).any()


@pytest.mark.parametrize("choices", [{}, {"reduction": "support-pattern"}, {"machine": "naive-bayes"}])
def test_regions_and_points_are_those_decided_at_once(choices, monkeypatch):
    # Batches so small that there are many.
    monkeypatch.setattr("ecocviz.lab.evaluate.DECIDED_AT_ONCE", 2e4)
    trained = train(make_scenario(data=BLOBS, **choices))
    decodings = DECODINGS[:1] if choices.get("reduction") else DECODINGS
    picture = make_picture(trained, "", decodings)
    monkeypatch.undo()
    plane = make_plane(trained.shown.prepared, "")
    regions, points = (
        make_regions(trained.shown, plane, decodings),
        make_points(trained.shown, plane, decodings),
    )
    assert np.array_equal(picture.regions.labels, regions.labels)
    assert np.array_equal(picture.regions.bits, regions.bits)
    assert np.array_equal(picture.points.labels, points.labels)
    assert np.array_equal(picture.points.wrong_bits, points.wrong_bits)


def test_the_wrong_points_are_gone_through_in_a_ring():
    picture = make_picture(train(make_scenario(data=BLOBS)), "", DECODINGS)
    wrong = np.flatnonzero(picture.points.labels[0] != picture.points.truth).tolist()
    assert len(wrong) > 1
    gone, at = [], -1
    for _ in range(len(wrong) + 1):
        at = picture.next_wrong(0, at)
        gone.append(at)
    assert gone == [*wrong, wrong[0]]


def test_where_no_point_is_wrong_there_is_no_next_one():
    easy = make_scenario(data=("blobs", {"n_samples": 60, "overlap": 0.1}))
    picture = make_picture(train(easy), "", DECODINGS)
    assert picture.n_wrong == [0, 0, 0]
    assert picture.next_wrong(0, -1) is None


@pytest.mark.parametrize("split", ["hold-out", "k-fold"])
def test_it_tells_what_it_does_and_can_be_cancelled_anywhere(split):
    trained = train(make_scenario(data=BLOBS, coding="one-vs-one", split=split))
    make_picture(trained, "", DECODINGS)  # what the decoders learn is learned once
    told = []
    make_picture(trained, "", DECODINGS, Telling(lambda share, note: told.append((share, note))))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert {note for _, note in told} >= {"deciding the plane", "deciding the points"}
    assert ("deciding the held-out points" in {note for _, note in told}) == (split == "k-fold")
    for stop_at in range(1, len(told), 3):
        heard = []

        def cancel(share, note, heard=heard, stop_at=stop_at):
            heard.append((share, note))
            if len(heard) == stop_at:
                raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            make_picture(trained, "", DECODINGS, Telling(cancel))
        assert len(heard) == stop_at
