"""One kernel machine for all classes at once: the special case h(x) = x of continuous codes."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.analysis.generalization import GeneralizationBounds, eliminate, generalization_bounds
from ecocviz.engine.entries import Parts, Reduction
from ecocviz.engine.kernels.gram import Kernel, gram_matrix, kernel_diagonal, training_dtype
from ecocviz.engine.machines._kernel_settings import settled_width
from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.chunks import kernel_expansion
from ecocviz.engine.reductions._shared.cost_classifier import CostClassifier, begin_fit
from ecocviz.engine.reductions._shared.inputs import read_points, read_training_set
from ecocviz.engine.reductions.support_pattern.on_gram import (
    MAX_ROUNDS,
    SpocSolution,
    required_margins,
    solve_on_gram,
    solve_path,
)
from ecocviz.engine.reductions.support_pattern.on_scores import solve_on_scores
from ecocviz.engine.reductions.support_pattern.settings import PARAMS, on_features, settle, with_constant
from ecocviz.engine.references import CRAMMER_2002
from ecocviz.engine.types import CodeMatrix, Costs, FloatArray, IntArray, Points


class SupportPatternClassifier(CostClassifier):
    """Multiclass kernel machine: every class has a codeword, and the largest inner product wins.

    Minimises beta / 2 |M|^2 + sum_i max_r (M_r . x_i + [r != y_i]) - M_{y_i} . x_i over the space of
    the kernel (Eqs. 16 and 31 of [Crammer2002]_), known as the multiclass support vector machine of
    Crammer and Singer. It needs neither a code nor binary machines: the code is what it learns.

    Differs from the paper: a constant is added to the kernel, because data need not lie around the
    origin; `bias=0` is the paper's machine.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        "rbf" is exp(-gamma |x - t|^2), "linear" is x.t, "poly" is (x.t + 1)^degree.
    gamma : float or "scale", default="scale"
        Width of the rbf kernel; "scale" is 1 / (n_features * variance of X).
    degree : int, default=3
        Degree of the polynomial kernel.
    beta : float, default=1.0
        Weight of the regulariser against the sum of the losses, so it grows with the sample.
    C : float, default=None
        If given, beta is 1 / C.
    bias : float, default=1.0
        Constant added to the kernel.
    tol : float, default=0.001
        Duality gap, relative to the objective, at which training ends.
    solver : {"auto", "two-level", "plain", "interior-point", "code-ascent"}, default="auto"
        "two-level" and "plain" work on the Gram matrix, "interior-point" and "code-ascent" on the
        features (linear kernel only); "auto" takes the interior point method where the linear
        kernel's codewords are small and the two-level scheme otherwise.
    max_rounds : int, default=100000
        Rounds (or sweeps) after which training ends with a `ConvergenceWarning`.
    random_state : int or RandomState instance, default=None
        Seeds the random orders of "code-ascent".

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    taus_ : ndarray of shape (n_samples, n_classes)
        Dual coefficients; a row is zero unless the sample is a support pattern, and sums to zero.
    support_ : ndarray of shape (n_support,)
        The support patterns: the questionable examples, which alone make up the codewords.
    codewords_ : ndarray of shape (n_classes, n_features)
        The learned code; for the linear kernel only. A last column belongs to the bias, if any.
    objective_, gap_ : float
        Objective of the solution, and by how much it may miss the optimum.
    history_ : ndarray of shape (n_rounds + 1, 2)
        Dual objective and duality gap round by round.
    n_iter_ : int
        Number of rounds.
    n_features_in_ : int
        Features of a point.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` was given names that are all strings.
    problem_sizes_ : ndarray of shape (n_problems,)
        Points that each binary problem was trained on.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [5.0], [6.0], [10.0], [11.0]], [0, 0, 1, 1, 2, 2]
    >>> SupportPatternClassifier(gamma=0.5, beta=0.1).fit(X, y).predict([[0.5], [5.5], [10.5]]).tolist()
    [0, 1, 2]
    """

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        gamma: float | str = "scale",
        degree: int = 3,
        beta: float = 1.0,
        C: float | None = None,
        bias: float = 1.0,
        tol: float = 1e-3,
        solver: str = "auto",
        max_rounds: int = MAX_ROUNDS,
        random_state: Any = None,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.beta = beta
        self.C = C
        self.bias = bias
        self.tol = tol
        self.solver = solver
        self.max_rounds = max_rounds
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        """Take sparse points."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _draws(self) -> bool:
        return self.solver == "code-ascent"

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        sample_weight : array-like of shape (n_samples,), default=None
            By what the loss of each point counts; one of weight 0 is as if it were not there.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        data = read_training_set(self, X, y, sample_weight)
        points, y_index, weights = data.X, data.y_index, data.weights
        kernel, beta = settle(self, points, weights)
        # A loss times w is the loss of the point times w that is asked for w times the margins.
        margins = (
            None if weights is None else weights[:, None] * required_margins(y_index, self.classes_.size)
        )
        if on_features(self.solver, kernel, points, self.classes_.size):
            # sklearn's estimators draw from the seed on every fit, ours do where they are random.
            seed = int(check_random_state(self.random_state).randint(2**31 - 1))
            features = with_constant(points, kernel.bias)
            solution = solve_on_scores(
                features if weights is None else weights[:, None] * features,
                y_index,
                self.classes_.size,
                beta,
                margins=margins,
                tol=self.tol,
                method=self.solver if self.solver == "code-ascent" else "interior-point",
                max_sweeps=self.max_rounds,
                seed=seed,
                progress=progress,
            )
        else:
            gram = gram_matrix(kernel, points, dtype=training_dtype(points.shape[0], self.tol))
            if weights is not None:
                gram *= weights[:, None].astype(gram.dtype)
                gram *= weights.astype(gram.dtype)
            solution = solve_on_gram(
                gram,
                y_index,
                self.classes_.size,
                beta,
                margins=margins,
                tol=self.tol,
                max_rounds=self.max_rounds,
                plain=self.solver == "plain",
                progress=progress,
            )
        return self._keep(points, y_index, kernel, solution, weights)

    def fit_path(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        betas: Sequence[float],
        *,
        progress: Progress = NO_PROGRESS,
    ) -> list[Self]:
        """Train one classifier for each beta, in the given order, each starting from the one before.

        All share one Gram matrix. The estimator itself is fitted as the last one. Going from large
        to small beta is the faster order.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        betas : sequence of float
            At least one.
        progress : Progress, optional
            As in `fit`.
        """
        if not len(betas):
            raise ValueError("A path needs at least one beta.")
        X, y_index = begin_fit(self, X, y)
        kernel, _ = settle(self, X)
        gram = gram_matrix(kernel, X, dtype=training_dtype(X.shape[0], self.tol))
        solutions = solve_path(
            gram,
            y_index,
            self.classes_.size,
            betas,
            tol=self.tol,
            max_rounds=self.max_rounds,
            progress=progress,
        )
        path = []
        for solution in solutions:
            fitted = clone(self).set_params(beta=solution.beta, C=None)
            begin_fit(fitted, X, self.classes_[y_index])
            path.append(fitted._keep(X, y_index, kernel, solution))  # noqa: SLF001 - of the same class
        self._keep(X, y_index, kernel, solutions[-1])
        return path

    def _keep(
        self,
        X: Points,
        y_index: IntArray,
        kernel: Kernel,
        solution: SpocSolution,
        weights: FloatArray | None = None,
    ) -> Self:
        """Keep what deciding and explaining need."""
        self._weighted = weights is not None
        self._kernel = kernel
        self._y_index = y_index
        self._beta = solution.beta
        shares = np.ones(1) if weights is None else weights
        self._outputs = solution.expansions / solution.beta / shares[:, None]
        self._radius_squared = float(kernel_diagonal(kernel, X).max())
        self.taus_ = solution.taus(y_index) * shares[:, None]
        self.support_ = np.flatnonzero(self.taus_.any(axis=1))
        self._patterns = X[self.support_]
        if kernel.name == "linear":
            points = with_constant(self._patterns, kernel.bias)
            self.codewords_: FloatArray = self.taus_[self.support_].T @ points / solution.beta
        self.objective_ = solution.objective
        self.gap_ = solution.gap
        self.history_ = solution.history
        self.n_iter_ = int(solution.history.shape[0])
        return self

    def class_scores(self, X: npt.ArrayLike) -> FloatArray:
        """Return M_r . x in the space of the kernel, (n, n_classes): Eq. 30 over beta.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        check_is_fitted(self, "taus_")
        points = read_points(self, X)
        if self._kernel.name == "linear":
            scores: FloatArray = with_constant(points, self._kernel.bias) @ self.codewords_.T
            return scores
        return kernel_expansion(self._kernel, points, self._patterns, self.taus_[self.support_] / self._beta)

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return minus the class scores, (n, n_classes); this machine decides by itself.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Not used: this classifier decides by itself.
        decoding_params : dict, default=None
            Not used.
        """
        del decoding, decoding_params
        return -self.class_scores(X)

    def predict_by_elimination(
        self, X: npt.ArrayLike, order: Sequence[int] | None = None
    ) -> npt.NDArray[Any]:
        """Return the labels that survive k - 1 comparisons of two classes each, (n,).

        `order` is the list of class numbers to start from; it makes no difference without ties.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        order : sequence of int, default=None
            Class numbers to start from; it makes no difference without ties.
        """
        survivors = eliminate(self.class_scores(X), None if order is None else np.asarray(order))
        labels: npt.NDArray[Any] = self.classes_[survivors]
        return labels

    def generalization_bounds(self, *, delta: float = 0.05, log_base: float = np.e) -> GeneralizationBounds:
        """Return the margin bounds of section 7 of [Crammer2002]_ as numbers, with their caveat.

        Parameters
        ----------
        delta : float, default=0.05
            The bounds hold with probability 1 - delta.
        log_base : float, default=e
            Base of the logarithms.
        """
        check_is_fitted(self, "taus_")
        if self._weighted:
            raise ValueError(
                "The margin bounds are about points that all count alike; train without weights."
            )
        codeword_gram = self.taus_.T @ self._outputs / self._beta
        return generalization_bounds(
            self._outputs,
            self._y_index,
            (codeword_gram + codeword_gram.T) / 2,
            self._radius_squared,
            delta=delta,
            log_base=log_base,
        )


def _make(parts: Parts, **params: Any) -> SupportPatternClassifier:  # noqa: ANN401 - the parameters declared below
    return SupportPatternClassifier(random_state=parts.seed, **params)


def _problems(_class_counts: IntArray, _code_matrix: CodeMatrix, **_params: ParamValue) -> IntArray:
    """No binary problem: one program holds all classes."""
    return np.empty(0, dtype=np.int64)


REDUCTION = Reduction(
    key="support-pattern",
    title="One machine for all classes",
    summary="A multiclass support vector machine learns one codeword for each class, all at once.",
    make=_make,
    reference=CRAMMER_2002,
    params=PARAMS,
    uses=frozenset(),
    problems=_problems,
    settle=settled_width,
    order=20,
    effort=8.0,
)
