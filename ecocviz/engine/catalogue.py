"""CODINGS, DECODINGS, MACHINES: read-only mappings, and which of them go together.

Entries are discovered (see `registry`): adding one is adding one file.
"""

from collections.abc import Mapping

from ecocviz.engine import codings, decodings, machines
from ecocviz.engine.entries import MAX_BITS, Coding, Decoding, Machine, check_code_matrix
from ecocviz.engine.params import ParamValue, complete, shorten
from ecocviz.engine.registry import collect
from ecocviz.engine.types import CodeMatrix

CODINGS: Mapping[str, Coding] = collect(codings, "CODING", Coding)
DECODINGS: Mapping[str, Decoding] = collect(decodings, "DECODING", Decoding)
MACHINES: Mapping[str, Machine] = collect(machines, "MACHINE", Machine)


def build_code(key: str, n_classes: int, seed: int = 0, **params: ParamValue) -> CodeMatrix:
    """Build a code matrix from the catalogue, (n_classes, n_bits) in {-1, 0, +1}.

    Parameters
    ----------
    key
        A coding of the catalogue, such as "one-vs-all".
    n_classes
        Number of rows.
    seed
        Used by random codings only.
    **params
        The coding's own parameters; `ecocviz list codings` shows them.

    Examples
    --------
    >>> build_code("one-vs-all", 3).tolist()
    [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    """
    coding = CODINGS.get(key)
    if coding is None:
        raise ValueError(f"There is no coding {shorten(str(key))!r}; known: {', '.join(CODINGS)}.")
    values = complete(coding.params, params)
    reason = why_not_classes(coding, n_classes, values)
    if reason:
        raise ValueError(reason)
    seeded = {"seed": seed} if coding.seeded else {}
    return check_code_matrix(coding.build(n_classes, **values, **seeded), n_classes)


def why_not_classes(coding: Coding, n_classes: int, params: Mapping[str, ParamValue]) -> str | None:
    """Say in one sentence why a coding cannot serve so many classes, or None if it can."""
    if n_classes < coding.min_classes:
        return f"{coding.title} needs at least {coding.min_classes} classes; these data have {n_classes}."
    if n_classes > coding.max_classes:
        return (
            f"{coding.title} is offered for up to {coding.max_classes} classes; these data have {n_classes}."
        )
    n_bits = coding.n_bits(n_classes, **params)
    if n_bits > MAX_BITS:
        return f"{coding.title} would take {n_bits} machines for {n_classes} classes; at most {MAX_BITS} are allowed."
    return None
