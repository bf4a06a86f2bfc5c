"""The tag that says whether two fits without a seed may differ, held against fits."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import (
    check_methods_sample_order_invariance,
    check_methods_subset_invariance,
)

from ecocviz import (
    ContinuousCodeClassifier,
    DDAGClassifier,
    ECOCClassifier,
    JointECOCClassifier,
    SingleBinaryClassifier,
    SupportPatternClassifier,
)

X, y = load_iris(return_X_y=True)
X, y = X[::2, :2], 2 * y[::2] + (X[::2, 1] > 3)  # six classes that overlap
FOLDS = np.arange(y.size) % 3
DRAWN = ECOCClassifier("dense-random", decoding="hamming", coding_params={"n_bits": 6})

DRAWING = [
    ECOCClassifier(),
    ECOCClassifier(random_state=np.random.RandomState(0)),
    ECOCClassifier("dense-random", decoding="linear", coding_params={"n_bits": 6}),
    ECOCClassifier(decoding="qp"),
    JointECOCClassifier(),
    SingleBinaryClassifier("ecoc", decoding="likelihood"),
    SupportPatternClassifier("linear", solver="code-ascent"),
    ContinuousCodeClassifier(outputs="cross-fitted"),
    ContinuousCodeClassifier(interleave="joint"),
    ContinuousCodeClassifier(DRAWN),
    ContinuousCodeClassifier(DRAWN, random_state=0),
    DDAGClassifier(order="random"),
]
SURE = [
    ECOCClassifier(random_state=0),
    ECOCClassifier(random_state=np.int64(3)),
    ECOCClassifier("one-vs-one", decoding="hamming"),
    ECOCClassifier(calibration_folds=FOLDS),
    ECOCClassifier(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1], [0, 1], [1, 0]]), decoding="linear"),
    JointECOCClassifier(decoding="hamming"),
    JointECOCClassifier(random_state=0),
    SingleBinaryClassifier(),
    SingleBinaryClassifier("ecoc"),
    SingleBinaryClassifier(coding="dense-random"),
    SupportPatternClassifier(),
    SupportPatternClassifier("linear", solver="code-ascent", random_state=0),
    ContinuousCodeClassifier(),
    ContinuousCodeClassifier(ECOCClassifier(random_state=0)),
    ContinuousCodeClassifier(interleave="joint", random_state=0),
    DDAGClassifier(),
    DDAGClassifier(order=[3, 2, 1, 0, 4, 5]),
    DDAGClassifier(order="random", random_state=0),
]


def differ(model, n_fits=3):
    """Whether fits of a model by itself decide differently."""
    first = model.fit(X, y).decision_function(X)
    return any(not np.array_equal(model.fit(X, y).decision_function(X), first) for _ in range(n_fits - 1))


@pytest.mark.parametrize("model", DRAWING)
def test_where_fits_differ_the_tag_says_so(model):
    assert get_tags(model).non_deterministic
    assert differ(clone(model))


@pytest.mark.parametrize("model", SURE)
def test_where_fits_are_the_same_the_tag_says_so(model):
    assert not get_tags(model).non_deterministic
    assert not differ(clone(model))


def test_a_fitted_base_is_no_longer_drawn():
    base = clone(DRAWN).fit(X, y)
    model = ContinuousCodeClassifier(base, prefit=True)
    assert not get_tags(model).non_deterministic
    assert not differ(model)


@pytest.mark.parametrize("kind", [ECOCClassifier, JointECOCClassifier])
@pytest.mark.parametrize("check", [check_methods_sample_order_invariance, check_methods_subset_invariance])
def test_what_scikit_learn_asks_of_seeded_classifiers_only(kind, check):
    check(kind.__name__, kind(random_state=0))
