"""Decoders that leave points undecided: what every classifier with a decoder does, against its definition."""

import pickle
from functools import cache

import numpy as np
import pytest
from expected_checks import unequal_copies
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import examples

from ecocviz import ECOCClassifier, JointECOCClassifier, SingleBinaryClassifier
from ecocviz.engine.analysis.rejecting import certain_repairs
from ecocviz.engine.analysis.rejection import Reason
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.columns import stratified_fold_ids

IRIS = load_iris(return_X_y=True)
X, y = (part[::2] for part in IRIS)
NEW, TRUTH = (part[1::2] for part in IRIS)
KINDS = {
    "one-vs-all": lambda **how: ECOCClassifier("one-vs-all", random_state=0, **how),
    "one-vs-one": lambda **how: ECOCClassifier("one-vs-one", random_state=0, **how),
    "joint": lambda **how: JointECOCClassifier("one-vs-one", random_state=0, **how),
    "single": lambda **how: SingleBinaryClassifier("ecoc", random_state=0, **how),
    "single-kernel": lambda **how: SingleBinaryClassifier("kernel", random_state=0, **how),
}


@cache
def fitted(kind):
    return KINDS[kind]().fit(X, y)


def with_option(kind, rejecting, share=0.1, decoding="hamming"):
    """The same machines, with another option: nothing of it is part of training."""
    model = pickle.loads(pickle.dumps(fitted(kind)))  # noqa: S301 - our own
    return model.set_params(rejecting=rejecting, reject_share=share, decoding=decoding)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("decoding", ["hamming", "likelihood", "exponential"])
def test_by_margin_points_go_that_are_below_the_held_out_margins(kind, decoding):
    model = with_option(kind, "margin", 0.2, decoding)
    # The definition: judge each training point by machines trained without its fold, by the same decoder.
    folds = stratified_fold_ids(model._y_index, 3, model._seed)
    assert (model._gathered.training.fold_ids == folds).all()
    scores = model.columns_.held_out_scores(folds)
    known = np.sort(model._decode_left_out(scores, decoding, None), axis=1)
    known = np.sort(known[:, 1] - known[:, 0])
    rank = int(0.2 * (known.size + 1) + 1e-9)
    new = np.sort(model.costs(NEW), axis=1)
    expected = new[:, 1] - new[:, 0] < known[rank - 1]
    found = model.reasons(NEW)
    np.testing.assert_array_equal(found == Reason.CLOSE, expected)
    assert set(found) <= {Reason.DECIDED, Reason.CLOSE}


@pytest.mark.parametrize("kind", KINDS)
def test_by_syndrome_points_are_decided_near_one_codeword(kind):
    model = with_option(kind, "syndrome")
    code, scores = model.code_matrix_, model.scores(NEW)
    repairs = certain_repairs(code)
    for score, reason in zip(scores, model.reasons(NEW), strict=True):
        off = [sum(m * s < 0 for m, s in zip(row, score, strict=True) if m) for row in code]
        near = min(off) <= repairs and off.count(min(off)) == 1
        assert (reason == Reason.DECIDED) == near


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rejecting", [None, "none", "syndrome", "margin"])
def test_predict_names_a_class_for_every_point_whatever_the_option(kind, rejecting):
    model = with_option(kind, rejecting)
    np.testing.assert_array_equal(model.predict(NEW), fitted(kind).predict(NEW, "hamming"))
    assert model.score(NEW, TRUTH) == (model.predict(NEW) == TRUTH).mean()
    gone = model.reasons(NEW) != Reason.DECIDED
    if rejecting in (None, "none"):
        assert not gone.any()
    labels = model.predict_or_reject(NEW, -1)
    assert labels.dtype == model.classes_.dtype
    np.testing.assert_array_equal(labels, np.where(gone, -1, model.predict(NEW)))
    counted = model.score_decided(NEW, TRUTH)
    assert (counted.n, counted.n_rejected) == (TRUTH.size, gone.sum())
    assert counted.n_wrong == (model.predict(NEW) != TRUTH)[~gone].sum()


@pytest.mark.parametrize("rejecting", ["syndrome", "margin"])
def test_labels_of_any_kind_can_be_rejected(rejecting):
    names = np.array(["setosa", "ab", "c"])[y]
    model = ECOCClassifier(decoding="hamming", rejecting=rejecting, random_state=0).fit(X, names)
    plain, numbered = (
        model.predict_or_reject(NEW),
        with_option("one-vs-all", rejecting).predict_or_reject(NEW, -1),
    )
    gone = np.array([label is None for label in plain])
    assert gone.any() and (gone == (numbered == -1)).all()
    told = model.predict_or_reject(NEW, "none of these")
    assert told.dtype.kind == "U" and (told[gone] == "none of these").all()
    assert (told[~gone] == model.predict(NEW)[~gone]).all()
    with pytest.raises(ValueError, match="There is a class 'ab'; give rejected points another label"):
        model.predict_or_reject(NEW, "ab")


@examples(4, deadline=None)
@given(
    st.integers(2, 4),
    st.integers(1, 4),
    st.sampled_from(sorted(DECODINGS)),
    st.integers(0, 1000),
    st.booleans(),
)
def test_small_problems_with_ties_give_reasons_without_a_warning(n_classes, n_each, decoding, seed, ternary):
    """Whole numbers as features, so that points, scores and costs coincide; any decoder."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(n_classes), n_each)
    points = rng.integers(0, 3, (labels.size, 2)).astype(float)
    model = ECOCClassifier("one-vs-one" if ternary else "one-vs-all", decoding=decoding, random_state=0)
    model.fit(points, labels)
    for rejecting in ("syndrome", "margin"):
        found = model.set_params(rejecting=rejecting, reject_share=0.3).reasons(points)
        assert found.shape == labels.shape and np.isin(found, list(Reason)).all()
        score = model.score_decided(points, labels)
        assert 0 <= score.share <= 1 and (score.error is None or 0 <= score.error <= 1)


def test_two_classes_with_one_machine_have_no_far_word():
    two = y < 2
    model = ECOCClassifier("one-vs-all", decoding="hamming", rejecting="syndrome").fit(X[two], y[two])
    assert model.code_matrix_.shape == (2, 1)
    assert (model.reasons(NEW) == Reason.DECIDED).all()
    zero = np.zeros((1, 1))
    assert model.reasons_of(zero, model.decode(zero)).tolist() == [Reason.TIE]


def test_weights_count_as_points_do():
    weights = np.where(np.arange(y.size) % 3, 1.0, 2.0)
    model = ECOCClassifier(decoding="hamming", rejecting="margin", calibration_folds=np.arange(y.size) % 4)
    model.fit(X, y, sample_weight=weights)
    rows = np.repeat(np.arange(y.size), weights.astype(int))
    copied = clone(model).set_params(calibration_folds=(np.arange(y.size) % 4)[rows]).fit(X[rows], y[rows])
    assert model.margin_threshold(0.3) == pytest.approx(copied.margin_threshold(0.3))
    twice = model.score_decided(X, y, weights)
    once = model.score_decided(X[rows], y[rows])
    assert (twice.n, twice.n_rejected, twice.n_wrong) == (once.n, once.n_rejected, once.n_wrong)


def test_held_out_scores_are_computed_once_and_travel_with_what_was_gathered(monkeypatch):
    model = with_option("one-vs-all", "margin")
    threshold = model.margin_threshold()
    copy = with_option("one-vs-all", "margin")
    copy.take(model.gathered())
    monkeypatch.setattr(type(copy.columns_), "held_out_scores", None)
    assert copy.margin_threshold() == threshold
    assert copy.margin_threshold(decoding="linear") == model.margin_threshold(decoding="linear")


def test_only_drawn_folds_make_a_rule_depend_on_the_seed():
    def drawn(**how):
        return ECOCClassifier(decoding="hamming", **how).__sklearn_tags__().non_deterministic

    assert drawn(rejecting="margin")
    assert not drawn(rejecting="margin", random_state=0)
    assert not drawn(rejecting="margin", calibration_folds=np.arange(9) % 3)
    assert not drawn(rejecting="syndrome") and not drawn()


def test_what_is_no_option_is_told_before_training():
    with pytest.raises(
        ValueError, match="There is no rejecting by 'distance'; known: none, syndrome, margin"
    ):
        ECOCClassifier(rejecting="distance").fit(X, y)
    with pytest.raises(ValueError, match="Share left undecided takes a number"):
        JointECOCClassifier(rejecting="margin", reject_share=2).fit(X, y)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:.*keep the tolerance")  # one check makes a class weigh 10 million others
@parametrize_with_checks(
    [
        ECOCClassifier(decoding="hamming", rejecting="syndrome", probability="paper"),
        ECOCClassifier(
            "one-vs-one", decoding="hamming", rejecting="margin", probability="paper", random_state=0
        ),
    ],
    expected_failed_checks=unequal_copies,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
