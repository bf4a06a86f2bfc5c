"""What a user can get wrong is said in a sentence."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from ecocviz import (
    DDAGClassifier,
    ECOCClassifier,
    ECOCClassifierCV,
    JointECOCClassifier,
    KernelMachine,
    SingleBinaryClassifier,
)
from ecocviz.engine.catalogue import DECODINGS

X, y = (part[::3] for part in load_iris(return_X_y=True))


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (KernelMachine(C=None), 'C is a number above 0 or "inverse-mean-kernel", not None'),
        (KernelMachine(gamma=None), 'gamma is a number above 0 or "scale", not None'),
        (KernelMachine(degree="two"), "degree is a number, not 'two'"),
        (KernelMachine(bias=None), "bias is a number, not None"),
        (KernelMachine(kernel=None), "The kernel is one of rbf, linear, poly, precomputed, or a function"),
        (JointECOCClassifier(kernel=len), "The kernel is one of rbf, linear, poly, not a function"),
        (SingleBinaryClassifier(C=None), "C is a number above 0"),
        (SingleBinaryClassifier(C="much"), "C is a number above 0, not 'much'"),
        (
            ECOCClassifier([[1, 1], [1], [-1]]),
            "rows of a code matrix must all have the same number of entries",
        ),
        (ECOCClassifier(len), "A code is the key of a coding, or a matrix with a row for each class"),
        (ECOCClassifier(None), "A code matrix needs at least two rows"),
        (ECOCClassifier([[1, 0], [-1, 0], [0, 0]]), "Column 2 has no class on one side"),
        (ECOCClassifier([[1, 1], [-1, -1], [0, 0]]), "Row 3 is all zeros; no machine would ever be shown"),
        (
            ECOCClassifier("custom"),
            'The coding "custom" is a matrix made by hand; hand it over as coding=matrix',
        ),
        (ECOCClassifier(decoding=["hamming"]), r"There is no decoding \"\['hamming'\]\"; known: "),
        (ECOCClassifier(decoding=None), "There is no decoding 'None'; known: "),
        (ECOCClassifier("one-vs-al"), r"There is no coding 'one-vs-al'; did you mean 'one-vs-all'\?"),
        (ECOCClassifier("Hadamrd"), r"There is no coding 'Hadamrd'; did you mean 'hadamard'\?"),
        (ECOCClassifier("teapot"), "There is no coding 'teapot'; known: "),
        (ECOCClassifier(decoding="haming"), r"There is no decoding 'haming'; did you mean 'hamming'\?"),
        (ECOCClassifierCV(decodings=["linaer"]), r"no decoding 'linaer'; did you mean 'linear'\?"),
        (ECOCClassifier(machine="kernal"), r"There is no machine 'kernal'; did you mean 'kernel'\?"),
        (DDAGClassifier(machine="teapot"), "There is no machine 'teapot'; known: kernel, "),
        (ECOCClassifierCV(machine="kernal"), r"There is no machine 'kernal'; did you mean 'kernel'\?"),
        (ECOCClassifier(machine=3), r"machine is an estimator, such as .* or the key of a machine, .* not 3"),
        (ECOCClassifier(class_weight="even"), "class_weight is None, \"balanced\", or a dictionary .*'even'"),
        (ECOCClassifier(class_weight={0: 2.0, 7: 1.0}), r"\[1, 2\], are not in class_weight"),
        (ECOCClassifier(class_weight={0: -2.0}), "Weights of points cannot be negative"),
        (ECOCClassifier("decoc", class_weight={0: 2.0}), "leave sample_weight, class_weight and other"),
    ],
)
def test_parameters_that_mean_nothing(model, sentence):
    labels = y == 0 if isinstance(model, KernelMachine) else y
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, labels)
    assert not hasattr(ECOCClassifier(decoding=["hamming"]), "predict_proba")


@pytest.mark.parametrize(("word", "scale"), [("large", 1e307), ("small", 1e-158)])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weights", [None, np.arange(50) + 1.0])
def test_features_that_leave_the_range_of_numbers_are_named(word, scale, sparse, weights):
    points = csr_array(scale * X) if sparse else scale * X
    for estimator in (ECOCClassifier(decoding="linear"), ECOCClassifierCV(2, [1.0], decodings=["linear"])):
        with pytest.raises(ValueError, match=f"The features are too {word} for gamma.*; scale the features"):
            estimator.fit(points, y, weights)
    linear = ECOCClassifier(decoding="linear", machine=KernelMachine("linear", gamma=1.0, bias=0.0))
    with pytest.raises(ValueError, match=f"Kernel values on these data are too {word} for C="):
        linear.fit(points, y, weights)


@pytest.mark.parametrize("fit_on", ["kernel values", "sparse points"])
def test_a_decoder_that_looks_for_near_points_needs_points(fit_on):
    kernel = "precomputed" if fit_on == "kernel values" else "linear"
    points = X @ X.T if fit_on == "kernel values" else csr_array(X)
    model = ECOCClassifier("one-vs-one", decoding="drm", machine=KernelMachine(kernel)).fit(points, y)
    for ask in (model.predict, lambda _: model.exact_loo()):
        with pytest.raises(ValueError, match="This decoder, which looks for near points, needs dense points"):
            ask(points)
    search = ECOCClassifierCV(Cs=[1.0], decodings=["drm"], machine=KernelMachine(kernel), cv=2)
    with pytest.raises(ValueError, match="which looks for near points, needs dense points"):
        search.fit(points, y)


@pytest.mark.parametrize("decoding", sorted(DECODINGS))
def test_scores_that_mean_nothing(decoding):
    model = ECOCClassifier("one-vs-one", decoding="hamming", random_state=0).fit(X, y)
    for scores, sentence in [
        (np.empty((0, 3)), "There are no scores to decode: the table has 0 rows"),
        (np.zeros((2, 4)), r"one column for each of the 3 machines, not of shape \(2, 4\)"),
        (np.zeros(3), r"one column for each of the 3 machines, not of shape \(3,\)"),
        ([[0.0, np.nan, 1.0]], "Some scores are not numbers"),
        ([[0.0, 1e300, 1.0]], r"Some scores are beyond 1e\+80; scale the features or the scores"),
        ([[0.0, -np.inf, 1.0]], r"Some scores are beyond 1e\+80"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            model.decode(scores, decoding, X=X[:1])
        if DECODINGS[decoding].gives_probabilities():
            with pytest.raises(ValueError, match=sentence):
                model.probabilities(scores, decoding, X=X[:1])
    for other in (DDAGClassifier().fit(X, y), SingleBinaryClassifier().fit(X, y)):
        with pytest.raises(ValueError, match="Some scores are not numbers"):
            other.decode(np.full((1, 3), np.nan))


def test_coupling_refuses_by_itself_what_is_no_number():
    model = ECOCClassifier("one-vs-one", decoding="kl", random_state=0).fit(X, y)
    for function in (DECODINGS["kl"].costs, DECODINGS["kl"].probabilities):
        with pytest.raises(ValueError, match="Some scores are not numbers"):
            function(np.full((1, 3), np.nan), model.code_matrix_, model.evidence("kl"))


@pytest.mark.parametrize("decoding", sorted(DECODINGS))
def test_large_scores_are_decoded_to_numbers(decoding):
    model = ECOCClassifier("one-vs-one", decoding="hamming", random_state=0).fit(X, y)
    for size in (1e3, 1e80):
        with np.errstate(over="ignore"):
            costs = model.decode(np.array([[size, size, -size]]), decoding, X=X[:1])
        assert not np.isnan(costs).any()


@pytest.mark.parametrize("C", [1e6, 1e9, 1e12])
def test_a_machine_whose_gap_is_its_objective_is_not_called_converged(C):
    machine = KernelMachine(C=C)
    with pytest.warns(ConvergenceWarning, match="keep the tolerance, but their duality gap is up to"):
        columns = machine.fit(X, y == 0).columns_
    assert not columns.converged.any() and (columns.violations <= machine.tol).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        assert KernelMachine(C=1.0).fit(X, y == 0).columns_.converged.all()
        assert KernelMachine(C=1e6, tol=1e-12).fit(X, y == 0).columns_.converged.all()


def test_joint_learning_says_when_its_gap_is_far_above_its_tolerance():
    points, labels = load_iris(return_X_y=True)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    hard = JointECOCClassifier(
        "one-vs-one", kernel="linear", solver="gradients", lambda2=1e-2, decoding="linear"
    )
    with pytest.warns(ConvergenceWarning, match=r"Joint learning stopped after .* up to .* too high"):
        hard.fit(points, labels)
    assert not hard.columns_.converged.any() and hard.gap_ > 100 * hard.tol * hard.columns_.objective
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        easy = JointECOCClassifier("one-vs-one", decoding="linear").fit(points, labels)
    assert easy.columns_.converged.all() and easy.gap_ <= 100 * easy.tol * easy.columns_.objective
