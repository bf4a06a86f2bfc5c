"""The one way to score, decide and pool, against doing it point by point."""

import numpy as np
import pytest

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.progress import Telling
from ecocviz.lab.evaluate import decide, decide_labels, evaluate, score, score_models, score_part
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario

LIKELIHOOD, HAMMING = choose("decoding", "likelihood"), choose("decoding", "hamming")
BLOBS = ("blobs", {"n_samples": 80, "overlap": 0.8})


@pytest.fixture(scope="module", params=["ecoc", "support-pattern", "continuous-code"])
def trained(request):
    return train(make_scenario(data=BLOBS, reduction=request.param))


@pytest.fixture(scope="module")
def folded():
    return train(make_scenario(data=BLOBS, split=("k-fold", {"n_folds": 3}), coding="one-vs-one"))


@pytest.mark.parametrize("part", ["train", "test"])
def test_a_part_is_decided_as_the_estimator_decides_each_point(trained, part):
    outcome = evaluate(trained, part, LIKELIHOOD)
    X, y, rows = trained.shown.points(part)
    where = {int(row): i for i, row in enumerate(rows)}
    assert outcome.rows.tolist() == sorted(where)
    for position, row in enumerate(outcome.rows.tolist()):
        i = where[row]
        costs = trained.shown.estimator.costs(X[i : i + 1], "likelihood", LIKELIHOOD.values)[0]
        np.testing.assert_allclose(outcome.costs[position], costs, rtol=1e-9)
        assert outcome.truth[position] == y[i]
    assert outcome.n_wrong == (outcome.labels != outcome.truth).sum() == outcome.wrong.sum()
    assert outcome.error == outcome.n_wrong / outcome.n


def test_folds_are_pooled_in_row_order_by_machines_that_did_not_see_the_point(folded):
    outcome = evaluate(folded, "test", HAMMING)
    assert outcome.rows.tolist() == list(range(80))
    assert outcome.truth.tolist() == folded.table.codes().tolist()
    for model in folded.models:
        said = model.estimator.predict(model.prepared.X_test, "hamming")
        assert outcome.labels[model.prepared.test_rows].tolist() == model.class_index[said].tolist()
    scores = score_part(folded, "test").pool([batch.scores for batch in score_part(folded, "test").batches])
    for model in folded.models:
        np.testing.assert_array_equal(
            scores[model.prepared.test_rows], model.estimator.scores(model.prepared.X_test)
        )


def test_points_are_scored_once_for_every_decoder(monkeypatch, folded):
    calls = []
    kind = type(folded.shown.estimator)
    known, own = kind.scores, [model.estimator for model in folded.models]

    def scores(self, X):
        if any(self is estimator for estimator in own):  # a job of another test may still be scoring
            calls.append(len(X))
        return known(self, X)

    monkeypatch.setattr(kind, "scores", scores)
    scored = score_part(folded, "test")
    for key in ("hamming", "linear", "likelihood", "kl"):
        scored.decide(choose("decoding", key))
    assert sum(calls) == 80


@pytest.mark.parametrize("key", [key for key, entry in DECODINGS.items() if entry.gives_probabilities()])
def test_probabilities_are_those_of_the_folds_and_sum_to_one(folded, key):
    decoding = choose("decoding", key)
    chances = score_part(folded, "test").probabilities(decoding)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    model = folded.models[0]
    X, _, rows = model.points("test")
    own = model.estimator.probabilities(model.estimator.scores(X), key, decoding.values, X=X)
    np.testing.assert_allclose(chances[rows][:, model.class_index], own, rtol=1e-9)


def test_who_defines_no_probabilities_has_none(trained, folded):
    assert score_part(folded, "test").probabilities(choose("decoding", "voting")) is None
    if score(trained.shown, trained.shown.prepared.X_test) is None:
        assert score_part(trained, "test").probabilities(LIKELIHOOD) is None


def test_a_class_that_training_lacks_costs_infinitely_much():
    trained = train(make_scenario(data="lenses", split="leave-one-out", coding="one-vs-one"))
    scored = score_part(trained, "test")
    outcome = scored.decide(HAMMING)
    lacking = [model for model in trained.models if model.class_index.size < 3]
    for model in lacking:
        row = np.searchsorted(outcome.rows, model.prepared.test_rows)
        left_out = np.setdiff1d(np.arange(3), model.class_index)
        assert np.isinf(outcome.costs[np.ix_(row, left_out)]).all()
    assert outcome.n == 24


def test_bits_are_scored_also_where_the_reduction_decides_by_itself():
    trained = train(make_scenario(data=BLOBS, reduction="ecoc"))
    plain = score_models([trained.shown], "train", 4)
    bits = score_models([trained.shown], "train", 4, bits=True)
    np.testing.assert_array_equal(plain.batches[0].scores, bits.batches[0].scores)


def test_deciding_in_batches_decides_alike_and_can_be_cancelled(trained, monkeypatch):
    X = trained.shown.prepared.X_train
    scores = score(trained.shown, X)
    whole = decide(trained.shown, LIKELIHOOD, X, scores)
    monkeypatch.setattr("ecocviz.lab.evaluate.DECIDED_AT_ONCE", 60)
    calls = []
    parts = decide(trained.shown, LIKELIHOOD, X, scores, Telling(lambda *_: calls.append(1)))
    assert len(calls) >= 3
    np.testing.assert_allclose(parts, whole, rtol=1e-12)

    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        decide(trained.shown, LIKELIHOOD, X, scores, Telling(stop))


def test_labels_are_numbers_among_all_classes(folded):
    model = folded.shown
    X = model.prepared.X_train[:7]
    labels = decide_labels(model, (HAMMING, LIKELIHOOD), X, score(model, X))
    for line, key in zip(labels, ("hamming", "likelihood"), strict=True):
        assert line.tolist() == model.class_index[model.estimator.predict(X, key)].tolist()


def test_no_points_give_no_outcome():
    trained = train(make_scenario(data=BLOBS, split="all"))
    assert trained.judged_part == "train"
    everything = train(make_scenario(data=BLOBS, split=("k-fold", {"n_folds": 3}))).shown
    assert score_models([everything], "test", 4).decide(HAMMING).error is None


@pytest.mark.parametrize("reduction", ["ecoc", "support-pattern"])
def test_few_points_are_decided_at_once_and_many_in_batches(reduction, monkeypatch):
    model = train(make_scenario(data=BLOBS, reduction=reduction)).shown
    sizes, kind = [], type(model.estimator)
    name = "decode" if reduction == "ecoc" else "costs"
    known = getattr(kind, name)

    def counted(self, first, *given, **named):
        sizes.append(len(first))
        return known(self, first, *given, **named)

    monkeypatch.setattr(kind, name, counted)
    X = np.resize(model.prepared.X_train, (300, 2))
    decide(model, HAMMING, X, score(model, X))
    assert sizes == [300]
    sizes.clear()
    # Of machines that score as they decide, training points count too.
    monkeypatch.setattr("ecocviz.lab.evaluate.SCORED_AT_ONCE", 56 * 100)
    monkeypatch.setattr("ecocviz.lab.evaluate.DECIDED_AT_ONCE", 4 * 4 * 100)
    decide(model, HAMMING, X, score(model, X))
    assert sizes == [100, 100, 100]
