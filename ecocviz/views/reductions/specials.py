"""What is special to a trained reduction, found by what its estimator has, not by its name."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from ecocviz.engine import capabilities as can
from ecocviz.engine.analysis.correlations import cosines
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.evaluate import decoded_by, has_scores
from ecocviz.lab.scenario import Choice
from ecocviz.lab.trained import Model

MAX_PATTERNS = 60
"""Support patterns shown."""
MAX_MEASURED = 2_000
"""Points that specials are measured on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Special:
    """Numbers that only some reductions have: a matrix, a bar for each of some names, or a curve.

    Attributes
    ----------
    key
        What it is, as `words` knows it.
    numbers : (n_rows, n_columns), (n_rows,) or (n_steps,)
    rows, columns
        Their names; a curve has none.
    signed
        Whether zero is the middle of a matrix; otherwise it is the beginning.
    more
        Further numbers that belong to it, by name.
    """

    key: str
    numbers: FloatArray
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    signed: bool = False
    more: Mapping[str, float] = field(default_factory=dict)


def find_specials(model: Model, decoding: Choice) -> tuple[Special, ...]:
    """Return what there is to show of a trained model, the most special first, judged with a decoder."""
    found = [special for look in LOOKS for special in look(model, decoding)]
    # Any reduction with machines of its own has support vectors: shown where nothing else is.
    return tuple(found or _support(model))


def _points(model: Model) -> tuple[FloatArray, IntArray]:
    """Return some of the points the model is judged on, and their classes as the estimator counts them."""
    X, y, _ = model.points(model.shown_part)
    kept = np.isin(y, model.class_index)
    X, y = X[kept][:MAX_MEASURED], y[kept][:MAX_MEASURED]
    return X, np.searchsorted(model.class_index, y)


def _names(model: Model) -> tuple[str, ...]:
    return tuple(model.prepared.classes[c] for c in model.class_index)


def _numbered(n: int) -> tuple[str, ...]:
    return tuple(str(b + 1) for b in range(n))


def _course(key: str, values: FloatArray) -> list[Special]:
    return [Special(key=key, numbers=values)] if values.size > 1 else []


def _relation(model: Model, decoding: Choice) -> list[Special]:
    """Joint machines: how they are related, beside the same machines trained independently."""
    estimator = model.estimator
    if not isinstance(estimator, can.Controlled):
        return []
    control = estimator.independent_
    learned, apart = cosines(estimator.relation_), cosines(asked_relation(control.weight_products_))
    strength = np.triu(np.abs(learned), 1)
    a, b = np.unravel_index(int(strength.argmax()), strength.shape)
    X, y = _points(model)
    wrong, wrong_apart = (
        int((np.argmin(each.costs(X, decoding.key, decoding.values), axis=1) != y).sum())
        for each in (estimator, control)
    )
    more = {"a": int(a), "b": int(b), "apart": apart[a, b], "wrong": wrong, "wrong_apart": wrong_apart}
    names = _numbered(len(learned))
    return [
        Special(
            key="relation",
            numbers=learned,
            rows=names,
            columns=names,
            signed=True,
            more={**more, "n": y.size},
        ),
        Special(key="relation-apart", numbers=apart, rows=names, columns=names, signed=True),
        *_course("objective", np.asarray(estimator.objective_history_, dtype=np.float64)),
    ]


def asked_relation(weight_products: FloatArray) -> FloatArray:
    """Return the relation that given machines ask for, (n_bits, n_bits): the root of W'W, of trace 1."""
    values, vectors = np.linalg.eigh((weight_products + weight_products.T) / 2)
    roots = np.sqrt(np.maximum(values, 0.0))
    relation: FloatArray = (vectors * roots) @ vectors.T / max(float(roots.sum()), 1e-300)
    return relation


def _class_kernel(model: Model, _decoding: Choice) -> list[Special]:
    """One machine for all copies: how alike it takes classes (or columns) to be, and their weights."""
    estimator = model.estimator
    V = estimator.class_kernel_ if isinstance(estimator, can.ClassKernelled) else None
    if V is None or not isinstance(estimator, can.ClassKernelled):
        return []
    mu, what = estimator.mu_, "column" if has_scores(model) else "class"
    names = _numbered(len(V)) if what == "column" else _names(model)
    more: dict[str, float] = {}
    with suppress(ValueError):  # the bound is about other variants: then nothing is to be said of it
        bound = estimator.risk_bound()
        more = {"bound": bound.raw, "margin": bound.margin}
    signed = bool((V < 0).any())
    return [
        Special(key=f"{what}-kernel", numbers=V, rows=names, columns=names, signed=signed, more=more),
        *([Special(key=f"{what}-weights", numbers=mu, rows=names)] if mu.size == len(names) > 1 else []),
        *_course("weighted-objective", estimator.history_),
    ]


def _patterns(model: Model, _decoding: Choice) -> list[Special]:
    """One machine for all classes: which training points make up the codewords, and how."""
    estimator, y, classes = model.estimator, model.prepared.y_train, model.prepared.classes
    taus = estimator.taus_ if isinstance(estimator, can.Patterned) else None
    if taus is None:
        return []
    strength = np.abs(taus).sum(axis=1)
    support = np.flatnonzero(strength)
    strongest = support[np.argsort(-strength[support], kind="stable")[:MAX_PATTERNS]]
    shown = strongest[np.lexsort((-strength[strongest], y[strongest]))]
    history = estimator.history_ if isinstance(estimator, can.Recorded) else np.empty((0, 2))
    patterns = Special(
        key="patterns",
        numbers=taus[shown],
        rows=tuple(f"{i}, {classes[y[i]]}" for i in shown.tolist()),
        columns=_names(model),
        signed=True,
        more={"support": support.size, "n": y.size, **_optimum(model)},
    )
    return [*([patterns] if shown.size else []), *_course("gap", history[:, 1])]


def _optimum(model: Model) -> dict[str, float]:
    """Return how far the objective may be from its optimum, if that is known."""
    estimator = model.estimator
    if not isinstance(estimator, can.Proved) or not np.isfinite(estimator.gap_):
        return {}
    return {"gap": float(estimator.gap_), "objective": float(estimator.objective_)}


def _real_code(model: Model, _decoding: Choice) -> list[Special]:
    """Show a code of real numbers."""
    estimator = model.estimator
    if not isinstance(estimator, can.Scored) or not np.issubdtype(estimator.code_matrix_.dtype, np.floating):
        return []
    code = estimator.code_matrix_.astype(np.float64)
    columns = _numbered(code.shape[1])
    return [
        Special(
            key="code", numbers=code, rows=_names(model), columns=columns, signed=True, more=_optimum(model)
        )
    ]


def _paths(model: Model, _decoding: Choice) -> list[Special]:
    """Machines asked one after the other: which class asks which, in percent of its points."""
    estimator = model.estimator
    if not isinstance(estimator, can.Walking):
        return []
    code, (X, y), names = estimator.code_matrix_, _points(model), _names(model)
    n_machines = code.shape[1]
    cells = y[:, None] * n_machines + estimator.paths(X)
    asked = np.bincount(cells.ravel(), minlength=len(names) * n_machines).reshape(len(names), n_machines)
    share = asked.sum(axis=0) / max(y.size, 1)
    most = int(share.argmax())
    sides = [f"{names[int(np.argmax(column))]} or {names[int(np.argmin(column))]}" for column in code.T]
    return [
        Special(
            key="paths",
            numbers=100 * asked / np.maximum(np.bincount(y, minlength=len(names)), 1)[:, None],
            rows=names,
            columns=tuple(f"{b + 1}: {side}" for b, side in enumerate(sides)),
            more={"asked": estimator.n_evaluations_, "most": most, "share": share[most]},
        )
    ]


def _reliabilities(model: Model, decoding: Choice) -> list[Special]:
    """Machines weighed by how they were trained: the weights, averaged over points where they vary."""
    if not has_scores(model) or not DECODINGS[decoding.key].needs & {"reliabilities", "local_reliabilities"}:
        return []
    (X, _), machines = _points(model), decoded_by(model)
    evidence = machines.evidence(decoding.key, decoding.values, X=X, scores=machines.scores(X))
    local = evidence.local_reliabilities
    values = evidence.reliabilities if local is None else local.mean(axis=0)
    if values is None:
        return []
    key = "reliability" if local is None else "local-reliability"
    return [Special(key=key, numbers=values, rows=_numbered(values.size))]


def _support(model: Model) -> list[Special]:
    """Kernel machines: how many training points hold each."""
    estimator = model.estimator
    alphas = estimator.columns_.alphas if isinstance(estimator, can.Trained) else None
    if alphas is None or alphas.shape[1] != model.estimator.problem_sizes_.size:
        return []  # no kernel machines, or one for several columns
    counts = (alphas > 0).sum(axis=0).astype(np.float64)
    return [Special(key="support", numbers=counts, rows=_numbered(counts.size), more={"n": len(alphas)})]


LOOKS: tuple[Callable[[Model, Choice], list[Special]], ...] = (
    _relation,
    _class_kernel,
    _patterns,
    _real_code,
    _paths,
    _reliabilities,
)
"""Each asks whether the estimator has what it looks into."""


def unconverged(model: Model) -> tuple[int, int]:
    """Return how many machines stopped before they reached their tolerance, and how many there are."""
    if not isinstance(model.estimator, can.Trained):
        return 0, 0
    converged = model.estimator.columns_.converged
    return int((~converged).sum()), converged.size
