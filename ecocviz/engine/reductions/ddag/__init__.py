"""Decision DAG: one machine for every two classes, asked one after the other, a class dropped each time."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ecocviz.engine.analysis.loo import LooBound, exact_loo
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.columns import TrainedColumns, train_columns
from ecocviz.engine.entries import Parts, Reduction, check_scores, column_sizes
from ecocviz.engine.params import ChoiceParam, ParamValue, shorten
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.cost_classifier import CostClassifier
from ecocviz.engine.reductions._shared.inputs import TrainingSet
from ecocviz.engine.reductions._shared.machined import Machined
from ecocviz.engine.reductions.ddag.walk import walk
from ecocviz.engine.references import PLATT_2000
from ecocviz.engine.types import CodeMatrix, Costs, FloatArray, IntArray, Scores

ORDERS = (("sorted", "Sorted labels"), ("frequency", "Most frequent class first"), ("random", "Random"))


class DDAGClassifier(Machined, CostClassifier):
    """Multiclass classifier that asks n_classes - 1 of its one-vs-one machines about each point.

    Implements the decision DAG (DDAG) of [Platt2000]_ over the machines of the one-vs-one code. It
    needs no decoder; the order of the list may change the answer where the machines contradict each
    other.

    The machines' scores are formed together, in one matrix product where they share a kernel; the
    decision reads `n_evaluations_` of them.

    Parameters
    ----------
    machine : estimator or str, default=None
        Any scikit-learn binary classifier with `decision_function` or `predict_proba`, or a regressor, which
        learns -1 and +1; the key of a machine of the catalogue; None is `KernelMachine()`.
    order : {"sorted", "frequency", "random"} or array-like of shape (n_classes,), default="sorted"
        List of the classes at the start: "sorted", "frequency" (most frequent class first), "random",
        or the labels themselves.
    n_jobs : int, default=None
        Machines trained at the same time; None is 1, or what `joblib.parallel_config` says. Kernel machines
        take threads, machines of others whatever that names.
    random_state : int or RandomState instance, default=None
        Seeds a random order.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    code_matrix_ : ndarray of shape (n_classes, n_bits)
        The one-vs-one code.
    columns_ : TrainedColumns
        The machines, with their scores on the training points.
    order_ : ndarray of shape (n_classes,)
        The list at the start, as indices of classes.
    n_evaluations_ : int
        Machines asked for each point, n_classes - 1.
    n_features_in_ : int
        Features of a point.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` was given names that are all strings.
    problem_sizes_ : ndarray of shape (n_problems,)
        Points that each binary problem was trained on.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DDAGClassifier(order=[2, 0, 1]).fit(X, y)
    >>> model.n_evaluations_, model.paths(X).shape
    (2, (150, 2))
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    code_matrix_: CodeMatrix
    columns_: TrainedColumns
    order_: IntArray

    def __init__(
        self,
        machine: Any = None,  # noqa: ANN401 - scikit-learn estimators share no type
        *,
        order: str | Sequence[Any] | npt.NDArray[Any] = "sorted",
        n_jobs: int | None = None,
        random_state: Any = None,  # noqa: ANN401 - int, RandomState or None, as everywhere in scikit-learn
    ) -> None:
        self.machine = machine
        self.order = order
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        progress: Progress = NO_PROGRESS,
        **fit_params: Any,  # noqa: ANN401 - metadata are of any kind
    ) -> Self:
        """Train one machine for every two classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            What the machine reads, as for `ECOCClassifier`.
        y : array-like of shape (n_samples,)
            Labels of any kind scikit-learn accepts.
        sample_weight : array-like of shape (n_samples,), default=None
            By what each point counts; one of weight 0 is as if it were not there.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        **fit_params : dict
            What the machine asks for, where scikit-learn's metadata routing is enabled.
        """
        data, params = self._gather(X, y, sample_weight, fit_params)
        self._y_index, self._weights = data.y_index, data.weights
        self.order_ = self._settle_order(data)
        self.code_matrix_ = build_code("one-vs-one", self.classes_.size)
        self.columns_ = train_columns(
            self._machine(),
            data.X,
            self.code_matrix_[data.y_index],
            n_jobs=self.n_jobs,
            progress=progress,
            fit_params=params,
        )
        self.n_evaluations_ = self.classes_.size - 1
        return self

    def _draws(self) -> bool:
        return isinstance(self.order, str) and self.order == "random"

    def _settle_order(self, data: TrainingSet) -> IntArray:
        n_classes = self.classes_.size
        if isinstance(self.order, str):
            if self.order == "sorted":
                return np.arange(n_classes)
            if self.order == "frequency":
                return np.argsort(-np.bincount(data.y_index, data.weights), kind="stable")
            if self.order == "random":
                shuffled: IntArray = check_random_state(self.random_state).permutation(n_classes)
                return shuffled
            listed = ", ".join(key for key, _ in ORDERS)
            raise ValueError(f"order is one of {listed}, or the labels; not {shorten(self.order)!r}.")
        given = np.asarray(self.order)
        if given.shape != (n_classes,) or set(given.tolist()) != set(self.classes_.tolist()):
            raise ValueError(f"order must name each of the {n_classes} classes once.")
        positions: IntArray = np.searchsorted(self.classes_, given)
        return positions

    @property
    def problem_sizes_(self) -> IntArray:
        """Points that each machine was trained on, (n_bits,)."""
        check_is_fitted(self, "columns_")
        return column_sizes(np.bincount(self._y_index), self.code_matrix_)

    def scores(self, X: npt.ArrayLike) -> Scores:
        """Return the machines' real outputs, (n_samples, n_bits).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        check_is_fitted(self, "columns_")
        return self.columns_.predict_scores(self._read(X))

    def decode(
        self,
        scores: Scores,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        X: npt.ArrayLike | None = None,
    ) -> Costs:
        """Return the decision DAG's costs of given scores, (n_samples, n_classes).

        The class that is left costs 0, the one dropped last 1, the one dropped first n_classes - 1. A
        decoding may be named, as for the other classifiers, but is not used.

        Parameters
        ----------
        scores : ndarray of shape (n_samples, n_bits)
            The machines' real outputs.
        decoding : str, default=None
            Not used: this classifier decides by itself.
        decoding_params : dict, default=None
            Not used.
        X : array-like of shape (n_samples, n_features), default=None
            Not used.
        """
        del decoding, decoding_params, X
        check_is_fitted(self, "columns_")
        scores = check_scores(scores, self.code_matrix_.shape[1])
        dropped, _ = walk(scores, self.code_matrix_, self.order_)
        costs: FloatArray = (self.n_evaluations_ - dropped).astype(np.float64)
        return costs

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return the rounds by which each class missed the end, (n_samples, n_classes); 0 wins.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        decoding : str, default=None
            Not used: this classifier decides by itself.
        decoding_params : dict, default=None
            Not used.
        """
        return self.decode(self.scores(X), decoding, decoding_params)

    def paths(self, X: npt.ArrayLike) -> IntArray:
        """Return the machines asked about each point, in order, (n_samples, n_evaluations_).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        """
        return walk(self.scores(X), self.code_matrix_, self.order_)[1]

    def exact_loo(
        self,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
        *,
        progress: Progress = NO_PROGRESS,
    ) -> LooBound:
        """Return the leave-one-out error, every point left out of its machines in turn.

        A decoding may be named, but is not used.

        Parameters
        ----------
        decoding : str, default=None
            Not used: this classifier decides by itself.
        decoding_params : dict, default=None
            Not used.
        progress : Progress, optional
            Told where the work is; may raise to end it.
        """
        del decoding, decoding_params
        check_is_fitted(self, "columns_")
        scores = self.columns_.leave_one_out_scores(progress=progress)
        return exact_loo(self.decode(scores), self._y_index, self._weights)


def _make(parts: Parts, order: str) -> DDAGClassifier:
    return DDAGClassifier(parts.machine, order=order, n_jobs=parts.n_jobs, random_state=parts.seed)


def _problems(class_counts: IntArray, _code_matrix: CodeMatrix, **_params: ParamValue) -> IntArray:
    """Return the points of every two classes."""
    return column_sizes(class_counts, build_code("one-vs-one", class_counts.size))


REDUCTION = Reduction(
    key="ddag",
    title="Decision DAG",
    summary="One machine for every pair of classes; each answer rules out one class until one is left.",
    make=_make,
    reference=PLATT_2000,
    params=(
        ChoiceParam(
            name="order",
            label="Order of the classes",
            default="sorted",
            options=ORDERS,
            help="The first machine asked is the one for the first and the last class of this order.",
        ),
    ),
    uses=frozenset({"machine"}),
    problems=_problems,
    order=7,
)
