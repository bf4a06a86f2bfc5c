"""What every reduction promises, and what a new one has to write."""

import pickle

import numpy as np
import pytest
from hearing import EndedError, ending, shares_to
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_iris

from ecocviz.engine import reductions
from ecocviz.engine.capabilities import (
    Based,
    Bounded,
    ClassKernelled,
    Controlled,
    CrossValidated,
    Decoded,
    Designed,
    LeftOut,
    Patterned,
    Proved,
    Recorded,
    Scored,
    Trained,
    Walking,
)
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.columns import TrainedColumns
from ecocviz.engine.entries import Parts, Reduction, column_sizes
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.multiclass import Multiclass, check_multiclass
from ecocviz.engine.params import complete
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.engine.reductions._shared.cost_classifier import CostClassifier, begin_fit
from ecocviz.engine.registry import collect

REDUCTIONS = collect(reductions, "REDUCTION", Reduction)
X, y = (part[::3] for part in load_iris(return_X_y=True))
CODE = build_code("one-vs-all", 3)


def made(key, decoding="euclidean"):
    entry = REDUCTIONS[key]
    parts = Parts(coding=CODE, machine=KernelMachine(), decoding=decoding, seed=1)
    return entry.make(parts, **complete(entry.params, {}))


@pytest.fixture(scope="module")
def fitted():
    return {key: made(key).fit(X, y) for key in REDUCTIONS}


@pytest.mark.parametrize("key", REDUCTIONS)
def test_what_must_be_there_is_there(key, fitted):
    estimator = made(key)
    assert check_multiclass(estimator) is estimator
    model = fitted[key]
    assert isinstance(model, Multiclass)
    assert model.classes_.tolist() == [0, 1, 2]
    costs = model.costs(X, "hamming", {})
    assert costs.shape == (50, 3)
    np.testing.assert_array_equal(model.predict(X, "hamming", {}), costs.argmin(axis=1))
    assert (model.predict(X, "euclidean", {}) == y).mean() > 0.6


@pytest.mark.parametrize("key", REDUCTIONS)
def test_problems_are_as_large_as_predicted(key, fitted):
    entry, counts = REDUCTIONS[key], np.bincount(y)
    predict = column_sizes if entry.problems is None else entry.problems
    params = {} if entry.problems is None else complete(entry.params, {})
    assert fitted[key].problem_sizes_.tolist() == predict(counts, CODE, **params).tolist()


@pytest.mark.parametrize("key", REDUCTIONS)
def test_a_fit_tells_its_share_and_ends_where_it_is_told(key):
    shares = []
    made(key, "likelihood").fit(X, y, progress=shares_to(shares.append))
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] == pytest.approx(1)

    with pytest.raises(EndedError):
        made(key).fit(X, y, progress=ending())


@pytest.mark.parametrize("key", REDUCTIONS)
def test_copies_and_pickles_are_the_same(key, fitted):
    model = fitted[key]
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - made in the line itself
    np.testing.assert_array_equal(again.costs(X), model.costs(X))
    np.testing.assert_array_equal(clone(model).fit(X, y).costs(X), model.costs(X))


COLUMNS = {Scored, Trained, LeftOut}
DECODED = COLUMNS | {Decoded, Designed, CrossValidated}
SINGLE = DECODED | {ClassKernelled, Proved, Recorded}
CAPABILITIES = {
    "ecoc": DECODED | {Bounded},
    "joint": DECODED | {Controlled},
    "ddag": COLUMNS | {Walking},
    "support-pattern": {Patterned, Proved, Recorded},
    "continuous-code": {Scored, Designed, Based, Patterned, Proved},
    "single-binary": SINGLE,
    "single-binary-ecoc": SINGLE,
}


@pytest.mark.parametrize("key", CAPABILITIES)
def test_what_may_be_there_is_found_by_asking(key, fitted):
    kinds = set().union(*CAPABILITIES.values())
    assert {kind for kind in kinds if isinstance(fitted[key], kind)} == CAPABILITIES[key]


@pytest.mark.parametrize("key", REDUCTIONS)
def test_what_may_be_there_works(key, fitted):
    model = fitted[key]
    uses = REDUCTIONS[key].uses
    assert model.decoded == ("decoding" in uses)
    assert not model.decoded or isinstance(model, Decoded)
    if isinstance(model, Scored):
        scores = model.scores(X)
        assert scores.shape == (50, model.code_matrix_.shape[1])
        np.testing.assert_allclose(model.decode(scores, "hamming", {}, X=X), model.costs(X, "hamming", {}))
    if isinstance(model, Trained):
        assert isinstance(model.columns_, TrainedColumns)
        model.columns_.release()
        np.testing.assert_allclose(model.scores(X), scores)
    if isinstance(model, Bounded):
        assert model.loo_bound("hamming", {}).flagged.shape == (50,)
    if isinstance(model, LeftOut):
        assert model.exact_loo("hamming", {}, progress=NO_PROGRESS).flagged.shape == (50,)
    if isinstance(model, CrossValidated):
        assert model.cross_validated(2, "hamming", {}, progress=NO_PROGRESS).shape == (50, 3)
    if isinstance(model, Controlled):
        assert model.independent_.costs(X, "hamming", {}).shape == (50, 3)
    if isinstance(model, Walking):
        assert model.paths(X).shape == (50, model.n_evaluations_)


# A new one --------------------------------------------------------------------------------------------


class NearestMeans(CostClassifier):
    """The class of the nearest mean wins."""

    def fit(self, X, y, *, progress=NO_PROGRESS):
        points, y_index = begin_fit(self, X, y)
        progress.note("taking means")
        self.means_ = np.stack([points[y_index == c].mean(axis=0) for c in range(self.classes_.size)])
        progress.at(1.0)
        return self

    def costs(self, X, decoding=None, decoding_params=None):
        del decoding, decoding_params
        return ((np.asarray(X)[:, None] - self.means_) ** 2).sum(axis=2)


def test_a_new_reduction_writes_fit_and_costs_only():
    entry = Reduction(
        key="nearest-means", title="", summary="", make=lambda _parts: NearestMeans(), uses=frozenset()
    )
    model = check_multiclass(entry.make(Parts(coding=CODE))).fit(X, y)
    assert isinstance(model, Multiclass)
    assert model.costs(X, "hamming", {}).shape == (50, 3)
    assert (model.predict(X) == y).mean() > 0.8
    assert model.problem_sizes_.size == 0 and not model.decoded
    assert model.decision_function(X).shape == (50, 3)


@pytest.mark.parametrize(
    ("members", "missing"),
    [
        ({"costs": None}, "no costs"),
        ({"fit": lambda X, y: (X, y)}, "no progress in fit"),
        ({"costs": lambda X: X}, "no decoding in costs, no decoding_params in costs"),
        ({"problem_sizes_": None, "decoded": None}, "no problem_sizes_, no decoded"),
    ],
)
def test_one_that_misses_something_is_refused_in_a_sentence(members, missing):
    lacking = type("Lacking", (NearestMeans,), members)
    with pytest.raises(TypeError, match=rf"^Lacking is no reduction: it has {missing}\.$"):
        check_multiclass(lacking())


def test_a_classifier_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="BaseEstimator is no reduction: it has no fit, no costs, no predict"):
        check_multiclass(BaseEstimator())
