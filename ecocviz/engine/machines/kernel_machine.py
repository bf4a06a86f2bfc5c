"""Our kernel machine: hinge loss, bias folded into the kernel, all columns of a code on one Gram matrix."""

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from ecocviz.engine.columns import check_targets, contiguous
from ecocviz.engine.entries import Machine
from ecocviz.engine.kernels.gram import Kernel
from ecocviz.engine.machines._approximation import SAMPLE, ApproximationReport, beside_exact
from ecocviz.engine.machines._feature_map import explicit_features
from ecocviz.engine.machines._kernel_columns import KernelColumns
from ecocviz.engine.machines._kernel_settings import KERNEL_PARAMS, settle_kernel, settled_numbers
from ecocviz.engine.machines._linear_columns import LinearColumns
from ecocviz.engine.params import FloatParam, shorten
from ecocviz.engine.points import check_weights
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import Bits, FloatArray, Points

MAX_UPDATES = 2_000_000
"""Updates after which one machine is given up as unconverged."""


class KernelMachine(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Support vector machine whose bias is a constant added to the kernel.

    Trains the machine of the spec of [Passerini2004]_: minimise |f|^2 / 2 + C sum |1 - t f(x)|_+
    over the space of the kernel K + bias, through its dual, which has a box and no equality
    constraint. The weight of a point multiplies its C.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        "rbf" is exp(-gamma |x - t|^2), "linear" is x.t, "poly" is (x.t + 1)^degree; "precomputed" takes
        kernel values in place of points, (n_samples, n_samples) to fit and (n, n_samples) to predict; a
        function of two sets of points, (n, n_features) and (m, n_features), returns theirs, (n, m).
    gamma : float or "scale", default="scale"
        Width of the rbf kernel; "scale" is 1 / (n_features * variance of X).
    degree : int, default=3
        Degree of the polynomial kernel.
    C : float or "inverse-mean-kernel", default="inverse-mean-kernel"
        Price of a unit of hinge loss; "inverse-mean-kernel" is one over the mean of K(x, x) over the
        training points, the constant left out.
    bias : float, default=1.0
        Constant added to the kernel; 0 is the machine without bias.
    tol : float, default=0.001
        Largest violation of the optimality conditions at which training ends.
    max_updates : int, default=2000000
        Updates of single coefficients after which training ends with a `ConvergenceWarning`; on features
        (see `approximation`), where an update costs less, for each 1,000 points.
    class_weight : dict or "balanced", default=None
        By what C is multiplied for the points of each class: a dictionary of labels (as a machine of a code:
        -1 and +1), classes that are not named having 1, or "balanced", which makes both sides weigh alike.
    memory_limit : float, default=None
        Bytes that kernel values, and what training holds beside them, may take at most. Where the kernel
        matrix of all points is larger, machines are trained on parts of it, as exactly; only a limit too low
        for any part is refused. None is at most 400 MB for kernel values, however many points there are.
    approximation : {None, "nystroem"}, default=None
        "nystroem" replaces the kernel by inner products of `rank` features, the kernel values with so many
        landmarks, for more points than a kernel matrix can hold; `approximation_report` says what it costs.
        Landmarks are training points, drawn once, and stay when points are held out.
    rank : int, default=500
        Landmarks; all points where there are fewer. Features take 4 bytes for each point and landmark,
        at most `memory_limit`, which for them is 60 % of the free memory where it is None.
    random_state : int, RandomState instance or None, default=0
        Seeds the draw of landmarks.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted.
    alphas_ : ndarray of shape (n_samples,)
        Dual coefficients.
    gap_ : float
        Duality gap.
    n_iter_ : int
        Updates made.
    columns_ : KernelColumns
        The machine as the one column of a code.
    n_features_in_ : int
        Features of a point.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` was given names that are all strings.

    Examples
    --------
    >>> machine = KernelMachine(kernel="linear", C=1.0).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> machine.predict([[0.5], [3.5]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        kernel: str | Callable[..., Any] = "rbf",
        gamma: float | str = "scale",
        degree: int = 3,
        C: float | str = "inverse-mean-kernel",
        bias: float = 1.0,
        tol: float = 1e-3,
        max_updates: int = MAX_UPDATES,
        class_weight: Mapping[Any, float] | str | None = None,
        memory_limit: float | None = None,
        approximation: str | None = None,
        rank: int = 500,
        random_state: Any = 0,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.C = C
        self.bias = bias
        self.tol = tol
        self.max_updates = max_updates
        self.class_weight = class_weight
        self.memory_limit = memory_limit
        self.approximation = approximation
        self.rank = rank
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        """Declare a binary classifier."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def settle(self, X: Points, weights: FloatArray | None = None) -> tuple[Kernel, float]:
        """Return the kernel and C with the words "scale" and "inverse-mean-kernel" replaced by numbers.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The full training set.
        weights : ndarray of shape (n_samples,), default=None
            Weights of the points.
        """
        return settle_kernel(self.kernel, self.gamma, self.degree, self.C, self.bias, X, weights, others=True)

    def fit_columns(
        self,
        X: Points,
        targets: Bits,
        n_jobs: int | None = None,
        progress: Progress = NO_PROGRESS,
        start: FloatArray | None = None,
        weights: FloatArray | None = None,
    ) -> KernelColumns:
        """Train one machine per column on one Gram matrix; see `ecocviz.engine.columns.train_columns`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        targets : ndarray of shape (n_samples, n_bits)
            In {-1, 0, +1}.
        n_jobs : int, default=None
            Threads over columns.
        progress : Progress, optional
            Told the share of the work that is done.
        start : ndarray of shape (n_samples, n_bits), default=None
            Dual coefficients to start from.
        weights : ndarray of shape (n_samples,), default=None
            By what C is multiplied at each point.
        """
        return self._fit_columns(X, targets, self.class_weight, n_jobs, progress, start, weights)

    def _fit_columns(
        self,
        X: Points,
        targets: Bits,
        class_weight: object,
        n_jobs: int | None,
        progress: Progress = NO_PROGRESS,
        start: FloatArray | None = None,
        weights: FloatArray | None = None,
    ) -> KernelColumns:
        if not self.tol > 0 or self.max_updates < 1:
            raise ValueError("tol must be above 0 and max_updates at least 1.")
        limit: object = self.memory_limit
        if limit is not None and not (isinstance(limit, int | float) and limit > 0):
            raise ValueError(f"memory_limit is a number of bytes above 0, or None, not {limit!r}.")
        X = contiguous(X)
        targets = check_targets(targets, X.shape[0])
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(
                "Precomputed kernel values must be a square matrix, a row and a column for each point, "
                f"not of shape {X.shape}."
            )
        kernel, C = self.settle(X, weights)
        by_side = weights_by_side(targets, weights, class_weight)
        settings: dict[str, Any] = {
            "C": C,
            "tol": self.tol,
            "max_updates": self.max_updates,
            "n_jobs": n_jobs,
            "progress": progress,
            "start": start,
            "weights": by_side,
            "memory_limit": self.memory_limit,
        }
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        features = explicit_features(
            self.approximation, self.rank, kernel, X, targets, by_side, self.memory_limit, seed
        )
        if features is None:
            return KernelColumns(kernel, X, targets, **settings)
        return LinearColumns(features, X, targets, **settings)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on (n_samples, n_features) points with two classes, y (n_samples,).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Dense or sparse; with a precomputed kernel (n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            By what C is multiplied at each point; one of weight 0 is as if it were not there.
        """
        points, labels = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr")
        check_classification_targets(labels)
        weights = check_weights(sample_weight, points)
        shown = np.ones(labels.shape[0], dtype=np.bool_) if weights is None else weights > 0
        self.classes_ = np.unique(labels[shown])
        if type_of_target(labels[shown]) == "multiclass":
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass; "
                "use ECOCClassifier for more than two classes."
            )
        if self.classes_.size < 2:
            raise ValueError(
                "A kernel machine needs two classes to tell apart, but the labels hold one class only."
            )
        sides = np.where(labels == self.classes_[1], 1, -1)
        targets = np.where(shown, sides, 0).astype(np.int8)[:, None]
        asked = _for_sides(self.class_weight, self.classes_)
        self.columns_ = self._fit_columns(points, targets, asked, 1, weights=weights)
        self.columns_.release()
        self.alphas_ = self.columns_.alphas[:, 0]
        self.gap_ = float(self.columns_.gaps[0])
        self.n_iter_ = int(self.columns_.n_updates[0])
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return the scores of points, (n,); positive for `classes_[1]`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        check_is_fitted(self)
        points = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        return self.columns_.predict_scores(points)[:, 0]

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the classes of points, (n,); a score of 0 goes to `classes_[0]`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        positive = self.decision_function(X) > 0
        labels: NDArray[Any] = self.classes_[positive.astype(np.int64)]
        return labels

    def approximation_report(self, n_points: int = SAMPLE) -> ApproximationReport:
        """Compare this machine of an approximated kernel with that of the kernel itself, on a sample.

        Parameters
        ----------
        n_points : int, default=2000
            Points that both are trained on, and other ones that both decide, at most.
        """
        check_is_fitted(self)
        beside = beside_exact(self.columns_, n_points)
        truth = self.columns_.targets[beside.held, 0] > 0
        return beside.report(beside.scores[:, 0] > 0, beside.exact[:, 0] > 0, truth)


def _for_sides(class_weight: object, classes: NDArray[Any]) -> object:
    """Return the weights of two classes as those of the sides -1 and +1, or raise with a sentence."""
    if not isinstance(class_weight, Mapping):
        return class_weight
    strange = [label for label in class_weight if label not in classes.tolist()]
    if strange:
        raise ValueError(
            f"class_weight names {shorten(repr(strange[0]))}, which is none of the labels "
            f"{classes.tolist()[0]!r} and {classes.tolist()[1]!r}."
        )
    return {side: class_weight.get(label, 1.0) for side, label in zip((-1, 1), classes.tolist(), strict=True)}


def weights_by_side(targets: Bits, weights: FloatArray | None, class_weight: object) -> FloatArray | None:
    """Return by what C is multiplied, (n_samples,) or (n_samples, n_bits), or raise with a sentence.

    Parameters
    ----------
    targets : (n_samples, n_bits)
    weights : (n_samples,) or None
    class_weight
        Of the sides -1 and +1, or "balanced".
    """
    if class_weight is None:
        return weights
    own = np.ones(targets.shape[0]) if weights is None else weights
    positive, negative = own @ (targets > 0), own @ (targets < 0)
    if isinstance(class_weight, str) and class_weight == "balanced":
        total = positive + negative
        up, down = (total / np.maximum(2 * side, np.finfo(np.float64).tiny) for side in (positive, negative))
    elif isinstance(class_weight, Mapping) and set(class_weight) <= {-1, 1}:
        up, down = class_weight.get(1, 1.0), class_weight.get(-1, 1.0)
        if not (min(up, down) >= 0 and np.isfinite([up, down]).all()):
            raise ValueError("The weights of class_weight must be finite numbers of at least 0.")
    else:
        raise ValueError(
            'class_weight is None, "balanced", or a dictionary of the labels (of the sides -1 and +1 for a '
            f"machine of a code), not {shorten(repr(class_weight))}."
        )
    by_side: FloatArray = own[:, None] * np.where(targets > 0, up, down)
    return by_side


MACHINE = Machine(
    key="kernel",
    title="Kernel machine",
    summary="Support vector machine with its bias inside the kernel; all machines share one kernel matrix.",
    make=KernelMachine,
    reference=PASSERINI_2004,
    params=(
        *KERNEL_PARAMS,
        FloatParam(
            name="bias",
            label="Bias constant τ",
            symbol="τ",
            default=1.0,
            low=0.0,
            high=1e3,
            log=True,
            help="Added to every kernel value; 0 is a machine without bias.",
            hint="0 is a machine without bias",
        ),
    ),
    kernel=True,
    settle=settled_numbers,
    theorem=True,
    order=1,
)
