"""The class of least cost, found without the costs of all classes where a code has a way to it."""

from collections.abc import Callable, Mapping

from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.entries import BoundRule, Decoding, Evidence
from ecocviz.engine.losses import by_side
from ecocviz.engine.params import ParamValue, complete
from ecocviz.engine.types import AnyCode, IntArray, Scores


def way_to_cheapest(
    coding: object,
    coding_params: Mapping[str, ParamValue] | None,
    decoding: Decoding,
    params: Mapping[str, ParamValue],
) -> Callable[..., IntArray] | None:
    """Return what finds the cheapest classes from what a decoder's costs are made of, None without a way.

    There is one if the coding has it, and the decoder adds up what entries cost.
    """
    entry, terms_of = CODINGS.get(coding) if isinstance(coding, str) else None, decoding.terms
    apart = terms_of is not None and decoding.bound_rule(params) is BoundRule.BORDERS
    if not apart or entry is None or entry.nearest is None:
        return None
    nearest, asked = entry.nearest, complete(entry.params, dict(coding_params or {}))

    def cheapest(scores: Scores, code_matrix: AnyCode, evidence: Evidence, **params: ParamValue) -> IntArray:
        return nearest(code_matrix.shape[0], *by_side(terms_of, scores, evidence, params), **asked)

    return cheapest
