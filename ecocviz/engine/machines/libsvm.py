"""Support vector machine with an explicit bias: scikit-learn's SVC, which is libsvm."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from ecocviz.engine.columns import DualExpansion
from ecocviz.engine.entries import Machine
from ecocviz.engine.kernels.gram import kernel_diagonal
from ecocviz.engine.machines._kernel_settings import KERNEL_PARAMS, settle_kernel, settled_numbers
from ecocviz.engine.points import check_weights, is_sparse
from ecocviz.engine.references import FAN_2005
from ecocviz.engine.types import FloatArray, Points


class LibsvmMachine(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Support vector machine with an explicit bias, solved by libsvm.

    The same kernels and the same words as `KernelMachine`, so that the two can be compared. The
    bias makes the dual have an equality constraint, to which the leave-one-out lemma does not apply.

    Parameters
    ----------
    kernel, gamma, degree, C, tol
        As in `KernelMachine`.

    Examples
    --------
    >>> machine = LibsvmMachine(kernel="linear", C=1.0).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> machine.predict([[0.5], [3.5]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        degree: int = 3,
        C: float | str = "inverse-mean-kernel",
        tol: float = 1e-3,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.C = C
        self.tol = tol

    def __sklearn_tags__(self) -> Tags:
        """Declare a binary classifier."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def settled(self, X: Points, weights: FloatArray | None = None) -> "LibsvmMachine":
        """Return a machine with the numbers its words mean on all points, X (n_samples, n_features)."""
        X = X if is_sparse(X) else np.asarray(X, dtype=np.float64)
        kernel, C = settle_kernel(self.kernel, self.gamma, self.degree, self.C, 0.0, X, weights)
        return LibsvmMachine(self.kernel, kernel.gamma, kernel.degree, C, self.tol)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on (n_samples, n_features) points with two classes, y (n_samples,).

        `sample_weight`, (n_samples,), multiplies C point by point.
        """
        points, labels = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr")
        check_classification_targets(labels)
        weights = check_weights(sample_weight, points)
        if type_of_target(labels) == "multiclass":
            raise ValueError("Only binary classification is supported. The type of the target is multiclass.")
        self.kernel_, self.upper_ = settle_kernel(
            self.kernel, self.gamma, self.degree, self.C, 0.0, points, weights
        )
        gamma = self.kernel_.gamma if self.kernel == "rbf" else 1.0
        self.svc_ = SVC(
            kernel=self.kernel,
            gamma=gamma,
            degree=self.kernel_.degree,
            coef0=1.0,
            C=self.upper_,
            tol=self.tol,
        ).fit(points, labels, weights)
        self.classes_ = self.svc_.classes_
        self.fit_status_ = int(self.svc_.fit_status_)
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return the scores of points, (n,); positive for `classes_[1]`."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        scores: FloatArray = self.svc_.decision_function(points)
        return scores

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the classes of points, (n,); a score of 0 goes to `classes_[0]`."""
        positive = self.decision_function(X) > 0
        labels: NDArray[Any] = self.classes_[positive.astype(np.int64)]
        return labels

    def dual_expansion(self, X: Points) -> DualExpansion:
        """Return the dual solution at the training points, (n_samples, n_features), in their order."""
        check_is_fitted(self)
        coefficients = self.svc_.dual_coef_
        coefficients = np.asarray(coefficients.toarray())[0] if is_sparse(coefficients) else coefficients[0]
        alphas = np.zeros(X.shape[0])
        alphas[self.svc_.support_] = np.abs(coefficients)
        without_bias = self.decision_function(X[self.svc_.support_]) - self.svc_.intercept_[0]
        norm = max(0.0, float(coefficients @ without_bias))
        return DualExpansion(alphas, kernel_diagonal(self.kernel_, X), self.upper_, norm)


MACHINE = Machine(
    key="libsvm",
    title="SVM with bias (libsvm)",
    summary="scikit-learn's SVC: an explicit bias, and each machine computes its own kernel values.",
    make=LibsvmMachine,
    reference=FAN_2005,
    params=KERNEL_PARAMS,
    kernel=True,
    settle=settled_numbers,
    order=2,
    effort=4.0,
)
