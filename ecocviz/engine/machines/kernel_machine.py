"""Our kernel machine: hinge loss, bias folded into the kernel, all columns of a code on one Gram matrix."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from ecocviz.engine.columns import check_targets
from ecocviz.engine.entries import Machine
from ecocviz.engine.kernels.gram import Kernel
from ecocviz.engine.machines._kernel_columns import KernelColumns
from ecocviz.engine.machines._kernel_settings import KERNEL_PARAMS, settle_kernel
from ecocviz.engine.params import FloatParam
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.references import PASSERINI_2004
from ecocviz.engine.types import Bits, FloatArray

MAX_UPDATES = 2_000_000
"""Updates after which one machine is given up as unconverged."""


class KernelMachine(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Support vector machine whose bias is a constant added to the kernel.

    Trains the machine of the spec of [Passerini2004]_: minimise |f|^2 / 2 + C sum |1 - t f(x)|_+
    over the space of the kernel K + bias, through its dual, which has a box and no equality
    constraint.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        "rbf" is exp(-gamma |x - t|^2), "linear" is x.t, "poly" is (x.t + 1)^degree.
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
        Updates of single coefficients after which training ends with a `ConvergenceWarning`.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted.
    alphas_ : ndarray of shape (n_samples,)
        Non-negative dual coefficients.
    gap_ : float
        Gap between the primal and the dual objective.
    n_iter_ : int
        Updates of single coefficients.
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
        kernel: str = "rbf",
        gamma: float | str = "scale",
        degree: int = 3,
        C: float | str = "inverse-mean-kernel",
        bias: float = 1.0,
        tol: float = 1e-3,
        max_updates: int = MAX_UPDATES,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.C = C
        self.bias = bias
        self.tol = tol
        self.max_updates = max_updates

    def __sklearn_tags__(self) -> Tags:
        """Declare a binary classifier."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def settle(self, X: FloatArray) -> tuple[Kernel, float]:
        """Return the kernel and C with the words "scale" and "inverse-mean-kernel" replaced by numbers.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The full training set.
        """
        return settle_kernel(self.kernel, self.gamma, self.degree, self.C, self.bias, X)

    def fit_columns(
        self,
        X: FloatArray,
        targets: Bits,
        n_jobs: int | None = None,
        progress: Progress = NO_PROGRESS,
        start: FloatArray | None = None,
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
        """
        if not self.tol > 0 or self.max_updates < 1:
            raise ValueError("tol must be above 0 and max_updates at least 1.")
        X = np.ascontiguousarray(X, dtype=np.float64)
        targets = check_targets(targets, X.shape[0])
        kernel, C = self.settle(X)
        return KernelColumns(
            kernel,
            X,
            targets,
            C=C,
            tol=self.tol,
            max_updates=self.max_updates,
            n_jobs=n_jobs,
            progress=progress,
            start=start,
        )

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train on (n_samples, n_features) points with two classes, y (n_samples,).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        """
        points, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_, positions = np.unique(labels, return_inverse=True)
        if type_of_target(labels) == "multiclass":
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass; "
                "use ECOCClassifier for more than two classes."
            )
        if self.classes_.size < 2:
            raise ValueError(
                "A kernel machine needs two classes to tell apart, but the labels hold one class only."
            )
        targets = (2 * positions - 1).astype(np.int8)[:, None]
        self.columns_ = self.fit_columns(points, targets, n_jobs=1)
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
        points = validate_data(self, X, dtype=np.float64, reset=False)
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


MACHINE = Machine(
    key="kernel",
    title="Kernel machine",
    summary="Support vector machine with its bias in the kernel; all machines share one kernel matrix.",
    make=KernelMachine,
    reference=PASSERINI_2004,
    params=(
        *KERNEL_PARAMS,
        FloatParam(
            name="bias",
            label="Bias constant τ",
            default=1.0,
            low=0.0,
            high=1e3,
            help="Added to the kernel; 0 is a machine without bias.",
        ),
    ),
    kernel=True,
    theorem=True,
    order=1,
)
