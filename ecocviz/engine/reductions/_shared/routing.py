"""Metadata of points for the estimator within: by scikit-learn's routing, or as its metaestimators do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    _routing_enabled,
    process_routing,
)

WEIGHT = "sample_weight"


@dataclass(frozen=True, slots=True)
class Routed:
    """Where metadata go.

    Attributes
    ----------
    own
        Weights of the points for the estimator itself, None for 1.
    inner
        What the `fit` of the estimator within is given, weights included.
    """

    own: npt.ArrayLike | None
    inner: dict[str, Any]


def router_of(estimator: Any, name: str, inner: Any) -> MetadataRouter:  # noqa: ANN401 - scikit-learn estimators share no type
    """Return the router of an estimator that fits another, `inner`, its parameter `name`.

    The estimator asks for the weights if it is told to (`set_fit_request`), and otherwise if the one within
    does: the two see the same points. A default that nobody gave asks for what the estimator asks for.
    """
    own = estimator._get_metadata_request()  # noqa: SLF001 - scikit-learn's way
    if getattr(estimator, name) is None or isinstance(getattr(estimator, name), str):
        ask_alike(estimator, inner)
    mapping = MethodMapping().add(caller="fit", callee="fit")
    router = MetadataRouter(owner=estimator).add(method_mapping=mapping, **{name: inner})
    if own.fit.requests.get(WEIGHT) is None and WEIGHT in router.consumes("fit", [WEIGHT]):
        own.fit.add_request(param=WEIGHT, alias=True)
        if own.score.requests.get(WEIGHT) is None:  # or a pipeline in a search would refuse to score
            own.score.add_request(param=WEIGHT, alias=True)
    return router.add_self_request(own)


def ask_alike(estimator: Any, inner: Any) -> None:  # noqa: ANN401 - scikit-learn estimators share no type
    """Let an estimator that nobody gave ask for the weights that the one around it asks for."""
    wanted = estimator._get_metadata_request().fit.requests.get(WEIGHT)  # noqa: SLF001 - as above
    if wanted is not None and _routing_enabled():
        inner.set_fit_request(sample_weight=wanted)


def route(
    estimator: Any,  # noqa: ANN401 - scikit-learn estimators share no type
    name: str,
    sample_weight: npt.ArrayLike | None,
    params: Mapping[str, Any],
) -> Routed:
    """Say where the metadata of `fit` go: by the router if routing is enabled, else weights to both."""
    given = {key: value for key, value in {WEIGHT: sample_weight, **params}.items() if value is not None}
    if not _routing_enabled():
        _raise_for_params(dict(params), estimator, "fit")
        return Routed(sample_weight, dict(given))
    routed = process_routing(estimator, "fit", **given)
    inner = {key: value for key, value in routed[name].fit.items() if value is not None}
    router = estimator.get_metadata_routing()
    asks = router._self_request is not None and bool(router._self_request.fit.requests.get(WEIGHT))  # noqa: SLF001 - nothing public tells
    return Routed(sample_weight if asks else None, inner)
