"""CODINGS, DECODINGS, MACHINES: read-only mappings, and which of them go together.

Entries are discovered (see `registry`): adding one is adding one file.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ecocviz.engine import codings, decodings, machines
from ecocviz.engine.columns import Train
from ecocviz.engine.entries import MAX_BITS, Coding, Decoding, Design, Machine, check_code_matrix
from ecocviz.engine.lookup import look_up
from ecocviz.engine.memory import why_no_room
from ecocviz.engine.params import ParamValue, complete
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.registry import collect
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

CODINGS: Mapping[str, Coding] = collect(codings, "CODING", Coding)
DECODINGS: Mapping[str, Decoding] = collect(decodings, "DECODING", Decoding)
MACHINES: Mapping[str, Machine] = collect(machines, "MACHINE", Machine)


def build_code(key: str, n_classes: int, seed: int = 0, **params: ParamValue) -> CodeMatrix:
    """Build a code matrix from the catalogue, (n_classes, n_bits) in {-1, 0, +1}.

    Parameters
    ----------
    key : str
        A coding of the catalogue, such as "one-vs-all".
    n_classes : int
        Number of rows.
    seed : int, default=0
        Used by random codings only.
    **params : int, float or str
        The coding's own parameters; `ecocviz list coding` shows them.

    Examples
    --------
    >>> build_code("one-vs-all", 3).tolist()
    [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    """
    coding = look_up(CODINGS, "coding", key)
    n_classes = int(n_classes)
    values = complete(coding.params, params)
    reason = why_not_classes(coding, n_classes, values)
    if reason:
        raise ValueError(reason)
    if coding.build is None:
        raise ValueError(f"{coding.title} learns its code from data; call design_code with the data instead.")
    seeded = {"seed": seed} if coding.seeded else {}
    return check_code_matrix(coding.build(n_classes, **values, **seeded), n_classes)


def design_code(
    key: str,
    X: FloatArray,
    y: IntArray,
    train: Train,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
    **params: ParamValue,
) -> Design:
    """Learn a code matrix for data with a learned coding of the catalogue.

    Parameters
    ----------
    key
        A coding that learns, such as "decoc".
    X : (n_samples, n_features)
    y : (n_samples,)
        Class numbers; each of 0..n_classes-1 occurs.
    train
        Trains one machine per column of targets (n_samples, n_bits) in {-1, 0, +1} on the rows of X.
    seed
        Used by searches with random moves only.
    progress
        Told the share of the work that is done, 1 at the end; an exception that it raises ends the work.
    **params
        The coding's own parameters.
    """
    coding = look_up(CODINGS, "coding", key)
    values = complete(coding.params, params)
    n_classes = int(y.max()) + 1
    reason = why_not_classes(coding, n_classes, values)
    if reason:
        raise ValueError(reason)
    if coding.design is None:
        raise ValueError(f"{coding.title} is the same for all data; call build_code instead.")
    seeded = {"seed": seed} if coding.seeded else {}
    progress.at(0.0)
    design = coding.design(X, y, train, progress=progress, **values, **seeded)
    progress.at(1.0)
    n_rows = n_classes if design.row_classes is None else design.row_classes.size
    return replace(design, code_matrix=check_code_matrix(design.code_matrix, n_rows))


def make_machine(key: str) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
    """Return an unfitted machine of the catalogue with its usual parameters, or raise with a sentence."""
    machine = look_up(MACHINES, "machine", key)
    return machine.make(**complete(machine.params, {}))


def is_learned(coding: str | CodeMatrix) -> bool:
    """Say whether a coding is one of the catalogue's that learn their code from data."""
    entry = CODINGS.get(coding) if isinstance(coding, str) else None
    return entry is not None and entry.design is not None


def why_not_classes(coding: Coding, n_classes: int, params: Mapping[str, ParamValue]) -> str | None:
    """Say in one sentence why a coding cannot serve so many classes, or None if it can."""
    if n_classes < coding.min_classes:
        return f"{coding.title} needs at least {coding.min_classes} classes; these data have {n_classes}."
    if n_classes > coding.max_classes:
        return (
            f"{coding.title} is offered for up to {coding.max_classes} classes; these data have {n_classes}."
        )
    n_bits = coding.n_bits(n_classes, **params)
    return why_no_room(f"A code of {n_bits:,} machines for {n_classes:,} classes", 4 * n_classes * n_bits)


def why_not_drawn(coding: Coding, n_classes: int, params: Mapping[str, ParamValue]) -> str | None:
    """Say in one sentence why pages and links have no such code for so many classes, or None if they do."""
    reason = why_not_classes(coding, n_classes, params)
    n_bits = 0 if reason else coding.n_bits(n_classes, **params)
    if n_bits <= MAX_BITS:
        return reason
    return (
        f"{coding.title} would take {n_bits:,} machines for {n_classes} classes; pages and links hold "
        f"{MAX_BITS:,}, and in Python memory is the only limit."
    )
