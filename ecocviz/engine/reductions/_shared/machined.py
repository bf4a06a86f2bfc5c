"""Estimators around a binary machine: what they read is what it reads, and it is given what it asks for."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter

from ecocviz.engine.catalogue import is_learned, make_machine
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.params import quoted
from ecocviz.engine.reductions._shared.inputs import TrainingSet, read_points, read_training_set
from ecocviz.engine.reductions._shared.nested import Nested
from ecocviz.engine.reductions._shared.routing import WEIGHT, route, router_of
from ecocviz.engine.types import Points


def machine_of(given: Any) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
    """Return the unfitted machine that was given, by a key or as it is, or raise with a sentence."""
    if given is None:
        return KernelMachine()
    if not isinstance(given, str) and not hasattr(given, "fit"):
        raise ValueError(
            "machine is an estimator, such as LogisticRegression(), or the key of a machine, such as "
            f'"kernel", not {quoted(given)}.'
        )
    return make_machine(given) if isinstance(given, str) else given


class Machined(Nested):
    """An estimator with a parameter `machine`: an estimator, a key, or None, which is `KernelMachine()`."""

    machine: Any
    stand_ins: ClassVar[Mapping[str, Callable[[], Any]]] = {"machine": KernelMachine}

    def _machine(self) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
        return machine_of(self.machine)

    def __sklearn_tags__(self) -> Tags:
        """Read what the machine reads; a code is learned from dense points only."""
        tags = super().__sklearn_tags__()
        theirs = get_tags(self._machine()).input_tags
        tags.input_tags.sparse = theirs.sparse and not is_learned(getattr(self, "coding", ""))
        tags.input_tags.allow_nan = theirs.allow_nan
        tags.input_tags.pairwise = theirs.pairwise
        return tags

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata go to the machine."""
        return router_of(self, "machine", self._machine())

    def _gather(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        fit_params: Mapping[str, Any],
    ) -> tuple[TrainingSet, dict[str, Any]]:
        """Return the training set, and what the machine's `fit` is given besides, of the same points."""
        routed = route(self, "machine", sample_weight, fit_params)
        data = read_training_set(self, X, y, routed.own, self._machine())
        inner = {name: data.follow_params(X, value) for name, value in routed.inner.items()}
        if data.class_shares is not None:
            inner[WEIGHT] = data.class_shares * np.asarray(inner.get(WEIGHT, 1.0))
        return data, inner

    def _read(self, X: npt.ArrayLike) -> Points:
        """Return new points as the machine reads them, (n, n_features)."""
        return read_points(self, X, self._machine())
