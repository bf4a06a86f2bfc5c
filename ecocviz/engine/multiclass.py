"""What every reduction's estimator must have; what it may have besides is in `capabilities`."""

import inspect
from collections.abc import Mapping
from typing import Any, Protocol, Self, cast, runtime_checkable

import numpy.typing as npt

from ecocviz.engine.params import ParamValue
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import Costs, IntArray


@runtime_checkable
class Multiclass(Protocol):
    """A multiclass learner made of binary ones, once it is fitted.

    Whoever derives from `reductions._shared.cost_classifier.CostClassifier` writes `fit` and `costs` only.
    """

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The labels, sorted, (n_classes,)."""

    @property
    def problem_sizes_(self) -> IntArray:
        """Points that each binary problem was trained on, (n_problems,); empty where it solves none."""

    @property
    def decoded(self) -> bool:
        """Whether the decoding that `costs` is given makes a difference."""

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike, *, progress: Progress = NO_PROGRESS) -> Self:
        """Train on points (n_samples, n_features), labels (n_samples,); `progress` may raise to end it."""

    def costs(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> Costs:
        """Return costs, (n_samples, n_classes); the least cost wins."""

    def predict(
        self,
        X: npt.ArrayLike,
        decoding: str | None = None,
        decoding_params: Mapping[str, ParamValue] | None = None,
    ) -> npt.NDArray[Any]:
        """Return labels, (n_samples,)."""


_PROMISES: dict[str, tuple[str, ...]] = {
    "fit": ("X", "y", "progress"),
    "costs": ("X", "decoding", "decoding_params"),
    "predict": ("X", "decoding", "decoding_params"),
}
"""Methods that must be there, and the parameters that they are called with."""
_FACTS = ("problem_sizes_", "decoded")


def check_multiclass(estimator: object) -> Multiclass:
    """Return an unfitted estimator if it has what it must, or raise a sentence that names what it misses.

    Examples
    --------
    >>> class Half:
    ...     def fit(self, X, y):
    ...         return self
    >>> check_multiclass(Half())
    Traceback (most recent call last):
        ...
    TypeError: Half is no reduction: it has no progress in fit, no costs, no predict, no problem_sizes_, \
no decoded.
    """
    kind = type(estimator)
    missing: list[str] = []
    for name, params in _PROMISES.items():
        method = inspect.getattr_static(kind, name, None)
        if not callable(method):
            missing.append(name)
            continue
        known = inspect.signature(method).parameters
        takes_all = any(param.kind is inspect.Parameter.VAR_KEYWORD for param in known.values())
        missing += [f"{param} in {name}" for param in params if param not in known and not takes_all]
    missing += [name for name in _FACTS if inspect.getattr_static(kind, name, None) is None]
    if missing:
        raise TypeError(f"{kind.__name__} is no reduction: it has {', '.join(f'no {m}' for m in missing)}.")
    return cast("Multiclass", estimator)
