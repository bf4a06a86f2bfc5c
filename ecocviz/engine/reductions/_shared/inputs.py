"""What estimators read: points as the machine takes them, labels, and weights of the points."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import get_tags
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_y, check_consistent_length, validate_data

from ecocviz.engine.params import quoted
from ecocviz.engine.points import check_weights, count, is_sparse, take, take_params
from ecocviz.engine.types import FloatArray, IntArray, Points


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Points to train on: those of weight 0 are not among them.

    Attributes
    ----------
    X : (n_samples, n_features)
    y_index : (n_samples,)
        Class numbers; each of 0..n_classes-1 occurs.
    weights : (n_samples,) or None
        None where all weigh 1.
    kept : (n_samples,) or None
        Which of the points given to `fit` these are; None for all.
    class_shares : (n_samples,) or None
        What of the weights comes from `class_weight`.
    """

    X: Points
    y_index: IntArray
    weights: FloatArray | None
    kept: IntArray | None
    class_shares: FloatArray | None = None

    def follow(self, values: Any) -> Any:  # noqa: ANN401 - what goes with the points may be anything
        """Return of values, one a point given to `fit`, those of the points that are trained on."""
        return values if self.kept is None else take(values, self.kept)

    def follow_params(self, X: npt.ArrayLike, value: Any) -> Any:  # noqa: ANN401 - as above
        """Return what `fit` was given beside its points X, cut to the points that are trained on."""
        if self.kept is None:
            return value
        return take_params(X, {"value": value}, self.kept)["value"]


def read_training_set(
    estimator: Any,  # noqa: ANN401 - scikit-learn estimators share no type
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    machine: Any = None,  # noqa: ANN401 - as above
) -> TrainingSet:
    """Check the training data and set `classes_`.

    Parameters
    ----------
    estimator
        A scikit-learn classifier about to be fitted.
    X : (n_samples, n_features)
    y : (n_samples,)
        Labels of any kind scikit-learn accepts.
    sample_weight : (n_samples,), optional
        A point of weight 0 is as if it were not there.
    machine
        The binary machine that reads the points; None where the estimator itself does. A machine of another's
        validates them, too: it may take data frames, text, or missing values.
    """
    points, labels = _read(estimator, X, machine, reset=True, y=y)
    check_classification_targets(labels)
    if get_tags(estimator).input_tags.pairwise and points.shape[0] != points.shape[1]:
        raise ValueError(
            "Precomputed kernel values must be a square matrix, a row and a column for each training point, "
            f"not of shape {points.shape}."
        )
    weights = check_weights(sample_weight, points)
    shares = _class_shares(getattr(estimator, "class_weight", None), labels, weights)
    if shares is not None:
        weights = check_weights(shares if weights is None else shares * weights, points)
    estimator._kept = kept = None  # noqa: SLF001 - of an estimator of this package
    if weights is not None and (weights == 0).any():
        estimator._kept = kept = np.flatnonzero(weights)  # noqa: SLF001 - as above
        pairwise = get_tags(estimator).input_tags.pairwise
        points, labels = take(points, kept, kept if pairwise else None), labels[kept]
        weights = check_weights(weights[kept], points)
        shares = None if shares is None else shares[kept]
    classes, y_index = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        raise ValueError("A code needs at least two classes; the labels hold only one class.")
    estimator.classes_ = classes
    return TrainingSet(points, y_index.astype(np.int64), weights, kept, shares)


def _class_shares(class_weight: object, labels: Any, weights: FloatArray | None) -> FloatArray | None:  # noqa: ANN401 - labels are of any kind
    """Return by what the weights of points are multiplied for their classes, (n_samples,), None for 1."""
    if class_weight is None:
        return None
    if class_weight != "balanced" and not isinstance(class_weight, Mapping):
        raise ValueError(
            f'class_weight is None, "balanced", or a dictionary of the labels, not {quoted(class_weight)}.'
        )
    counted = labels if weights is None else labels[weights > 0]
    classes, y_index = np.unique(labels, return_inverse=True)
    present = np.isin(classes, counted)
    by_class = np.zeros(classes.size)
    by_class[present] = compute_class_weight(
        class_weight,
        classes=classes[present],
        y=counted,
        sample_weight=None if weights is None else weights[weights > 0],
    )
    shares: FloatArray = by_class[y_index]
    return shares


def read_points(
    estimator: Any,  # noqa: ANN401 - scikit-learn estimators share no type
    X: npt.ArrayLike,
    machine: Any = None,  # noqa: ANN401 - as above
) -> Points:
    """Check new points, (n, n_features); parameters as in `read_training_set`."""
    points, _ = _read(estimator, X, machine, reset=False)
    kept = getattr(estimator, "_kept", None)
    if kept is not None and get_tags(estimator).input_tags.pairwise:
        points = take(points, np.arange(count(points)), kept)
    return points


def reads_itself(machine: Any) -> bool:  # noqa: ANN401 - scikit-learn estimators share no type
    """Say whether a machine is another's, which validates its points itself."""
    return machine is not None and not hasattr(machine, "fit_columns")


def _read(
    estimator: Any,  # noqa: ANN401 - scikit-learn estimators share no type
    X: npt.ArrayLike,
    machine: Any,  # noqa: ANN401 - as above
    *,
    reset: bool,
    y: npt.ArrayLike | None = None,
) -> tuple[Points, Any]:
    """Return points as the machine reads them, and labels where there are some."""
    labels = {} if y is None and not reset else {"y": y}
    if not reads_itself(machine):
        sparse = "csr" if get_tags(estimator).input_tags.sparse else False
        found = validate_data(estimator, X, dtype=np.float64, accept_sparse=sparse, reset=reset, **labels)
        return found if labels else (found, None)
    if _holds_numbers(X):
        found = validate_data(
            estimator,
            X,
            dtype=np.float64,
            accept_sparse="csr",
            ensure_all_finite=False,
            reset=reset,
            **labels,
        )
        return found if labels else (found, None)
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if not labels:
        return X, None
    if not count(X):
        raise ValueError("There are no points to train on: 0 sample(s) were given.")
    check_consistent_length(X, y)
    return X, _check_y(y, estimator=estimator)


def _holds_numbers(X: npt.ArrayLike) -> bool:
    """Say whether points are a plain table of numbers, which a data frame or a list of texts is not."""
    if is_sparse(X):
        return True
    if hasattr(X, "iloc") or hasattr(X, "__dataframe__"):
        return False
    return np.asarray(X).dtype.kind in "biufc"
