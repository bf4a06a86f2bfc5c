"""What the Playground draws agrees with deciding the same points one way or another."""

import numpy as np
import pytest

from ecocviz.lab.regions import make_plane, make_points, make_regions
from ecocviz.lab.run import decide, train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground.facts import make_picture

BLOBS = ("blobs", {"n_samples": 90, "overlap": 0.8})
DECODINGS = tuple(choose("decoding", key) for key in ("hamming", "likelihood", "linear"))


def quiet(_share, _note):
    """Hear nothing."""


@pytest.mark.parametrize("split", ["hold-out", "k-fold", "all"])
def test_counts_are_those_of_deciding_the_judged_points(split):
    trained = train(make_scenario(data=BLOBS, coding="one-vs-one", split=split))
    picture = make_picture(trained, "", DECODINGS, quiet)
    models = (trained.shown,) if picture.part == "train" else trained.models
    outcomes = [decide(models, d, len(trained.classes), part=picture.part) for d in DECODINGS]
    assert picture.n_wrong == [outcome.n_wrong for outcome in outcomes]
    assert picture.truth.size == outcomes[0].rows.size
    agreeing = (np.stack([o.labels for o in outcomes]) == outcomes[0].labels).all(axis=0).sum()
    assert (picture.labels == picture.labels[0]).all(axis=0).sum() == agreeing
    if split == "hold-out":
        fitted = [decide((trained.shown,), d, len(trained.classes), part="train").n_wrong for d in DECODINGS]
        assert picture.fitted.tolist() == fitted
        assert picture.n_fitted == trained.shown.prepared.y_train.size
    else:
        assert picture.fitted is None
    assert picture.part == ("train" if split == "all" else "test")


@pytest.mark.parametrize("choices", [{}, {"reduction": "support-pattern"}, {"machine": "naive-bayes"}])
def test_regions_and_points_are_those_decided_at_once(choices, monkeypatch):
    # Parts so small that there are many.
    monkeypatch.setattr("ecocviz.lab.regions.DECIDED_AT_ONCE", 2e4)
    monkeypatch.setattr("ecocviz.lab.run.DECIDED_AT_ONCE", 2e4)
    trained = train(make_scenario(data=BLOBS, **choices))
    decodings = DECODINGS[:1] if choices.get("reduction") else DECODINGS
    picture = make_picture(trained, "", decodings, quiet)
    plane = make_plane(trained.shown.prepared, "")
    regions, points = (
        make_regions(trained.shown, plane, decodings),
        make_points(trained.shown, plane, decodings),
    )
    assert np.array_equal(picture.regions.labels, regions.labels)
    assert np.array_equal(picture.regions.bits, regions.bits)
    assert np.array_equal(picture.points.labels, points.labels)
    assert np.array_equal(picture.points.wrong_bits, points.wrong_bits)


@pytest.mark.parametrize("split", ["hold-out", "k-fold"])
def test_it_tells_what_it_does_and_can_be_cancelled_anywhere(split):
    trained = train(make_scenario(data=BLOBS, coding="one-vs-one", split=split))
    make_picture(trained, "", DECODINGS, quiet)  # what the decoders learn is learned once
    told = []
    make_picture(trained, "", DECODINGS, lambda share, note: told.append((share, note)))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert {note for _, note in told} >= {"deciding the plane", "deciding the points"}
    for stop_at in range(1, len(told), 3):
        heard = []

        def cancel(share, note, heard=heard, stop_at=stop_at):
            heard.append((share, note))
            if len(heard) == stop_at:
                raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            make_picture(trained, "", DECODINGS, cancel)
        assert len(heard) == stop_at
