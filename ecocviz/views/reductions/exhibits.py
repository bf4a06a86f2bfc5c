"""What is special to a trained reduction, found by what its estimator has, not by its name."""

from contextlib import suppress
from typing import Any

import numpy as np

from ecocviz.engine.analysis.correlations import cosines
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.run import Model
from ecocviz.lab.scenario import Choice
from ecocviz.views.reductions import words as says
from ecocviz.views.reductions.figures_exhibits import Bars, Curve, Exhibit, Matrix

MAX_PATTERNS = 60
"""Support patterns shown."""
MAX_POINTS = 2_000
"""Points that exhibits are measured on."""


def exhibits(model: Model, decoding: Choice, *, uses_decoder: bool) -> tuple[Exhibit, ...]:
    """Return what there is to show of a trained model, the most special first.

    Parameters
    ----------
    model
        Trained.
    decoding
        The decoder it is judged with.
    uses_decoder
        Whether it reads a decoder at all.
    """
    estimator = model.estimator
    found = [
        *_relation(model, decoding),
        *_class_kernel(model),
        *_patterns(model),
        *_real_code(model),
        *_paths(model),
        *(_reliabilities(model, decoding) if uses_decoder else []),
    ]
    # Any reduction with machines of their own has support vectors: shown where nothing else is.
    return tuple(found) if found else tuple(_support(estimator))


def _points(model: Model) -> tuple[FloatArray, IntArray]:
    """Return some of the points the model is judged on, and their classes as the estimator counts them."""
    prepared = model.prepared
    tested = prepared.y_test.size > 0
    X, y = (prepared.X_test, prepared.y_test) if tested else (prepared.X_train, prepared.y_train)
    kept = np.isin(y, model.class_index)
    X, y = X[kept][:MAX_POINTS], y[kept][:MAX_POINTS]
    return X, np.searchsorted(model.class_index, y)


def _names(model: Model) -> tuple[str, ...]:
    return tuple(model.prepared.classes[c] for c in model.class_index)


def _numbered(n: int) -> tuple[str, ...]:
    return tuple(str(b + 1) for b in range(n))


def _relation(model: Model, decoding: Choice) -> list[Exhibit]:
    """Joint machines: how they are related, beside the same machines trained independently."""
    estimator = model.estimator
    if not (hasattr(estimator, "relation_") and hasattr(estimator, "independent_")):
        return []
    control = estimator.independent_
    learned, apart = cosines(estimator.relation_), cosines(asked_relation(control.weight_products_))
    n = learned.shape[0]
    strength = np.triu(np.abs(learned), 1)
    a, b = np.unravel_index(int(strength.argmax()), strength.shape)
    X, y = _points(model)
    wrong = [
        int((np.argmin(each.costs(X, decoding.key, decoding.values), axis=1) != y).sum())
        for each in (estimator, control)
    ]
    said = says.control_sentence(wrong[0], wrong[1], y.size)
    if n > 1:
        said += " " + says.relation_sentence(int(a), int(b), learned[a, b], apart[a, b])
    found: list[Exhibit] = [
        Matrix(
            title=title,
            said=sentence,
            numbers=relation,
            rows=_numbered(n),
            columns=_numbered(n),
            row_title="Machine",
            column_title="Machine",
            value_title="correlation",
            signed=True,
        )
        for title, sentence, relation in (
            ("Learned relation", said, learned),
            ("Relation of independent machines", "", apart),
        )
    ]
    history = np.asarray(estimator.objective_history_, dtype=np.float64)
    if history.size > 1:
        fell = says.descent_sentence("The objective", history.tolist(), "half step")
        found.append(
            Curve(
                title="Objective",
                said=fell,
                numbers=history,
                step_title="Half step",
                value_title="objective",
            )
        )
    return found


def asked_relation(weight_products: FloatArray) -> FloatArray:
    """Return the relation that given machines ask for, (n_bits, n_bits): the root of W'W, of trace 1."""
    values, vectors = np.linalg.eigh((weight_products + weight_products.T) / 2)
    roots = np.sqrt(np.maximum(values, 0.0))
    relation: FloatArray = (vectors * roots) @ vectors.T / max(float(roots.sum()), 1e-300)
    return relation


def _class_kernel(model: Model) -> list[Exhibit]:
    """One machine for all copies: how alike it takes classes (or columns) to be, and their weights."""
    estimator = model.estimator
    V = getattr(estimator, "class_kernel_", None)
    if V is None:
        return []
    of_classes = not getattr(estimator, "decoded", False)
    names = _names(model) if of_classes else _numbered(V.shape[0])
    what = "Class" if of_classes else "Column"
    shares = (V / np.sqrt(np.outer(np.diag(V), np.diag(V))))[~np.eye(V.shape[0], dtype=np.bool_)]
    said = says.sharing_sentence(what.lower(), shares.min(), shares.max()) if shares.size else ""
    with suppress(ValueError):  # the bound is about other variants: then nothing is to be said of it
        bound = estimator.risk_bound()
        said += " " + says.bound_sentence(bound.raw, bound.margin)
    found: list[Exhibit] = [
        Matrix(
            title=f"{what} kernel",
            said=said,
            numbers=V,
            rows=names,
            columns=names,
            row_title=what,
            column_title=what,
            value_title="kernel",
            signed=bool((V < 0).any()),
        )
    ]
    mu = estimator.mu_
    if mu.size == len(names) > 1:
        weights = says.weights_sentence(names, mu.tolist())
        found.append(
            Bars(
                title="Weights μ",
                said=weights,
                numbers=mu,
                names=names,
                name_title=what,
                value_title="weight",
            )
        )
    history = estimator.history_
    if history.size > 1:
        fell = says.descent_sentence(
            "The objective", history.tolist(), "update of the weights", "updates of the weights"
        )
        found.append(
            Curve(
                title="Objective",
                said=fell,
                numbers=history,
                step_title="Update of the weights",
                value_title="objective",
            )
        )
    return found


def _patterns(model: Model) -> list[Exhibit]:
    """One machine for all classes: which training points make up the codewords, and how."""
    estimator = model.estimator
    taus = getattr(estimator, "taus_", None)
    if taus is None:
        return []
    y, names = model.prepared.y_train, _names(model)
    strength = np.abs(taus).sum(axis=1)
    support = np.flatnonzero(strength)
    strongest = support[np.argsort(-strength[support], kind="stable")[:MAX_PATTERNS]]
    shown = strongest[np.lexsort((-strength[strongest], y[strongest]))]
    said = says.patterns_sentence(support.size, y.size, shown.size)
    said += " " + says.gap_sentence(estimator.gap_, estimator.objective_)
    found: list[Exhibit] = []
    if shown.size:
        found.append(
            Matrix(
                title="Support patterns",
                said=said,
                numbers=taus[shown],
                rows=tuple(f"{i}, {model.prepared.classes[y[i]]}" for i in shown.tolist()),
                columns=names,
                row_title="Training point",
                column_title="Codeword of",
                value_title="coefficient",
                signed=True,
            )
        )
    history = np.asarray(getattr(estimator, "history_", np.empty((0, 2))))
    if len(history) > 1:
        gaps = history[:, 1]
        fell = says.descent_sentence("The duality gap", gaps.tolist(), "round")
        found.append(
            Curve(
                title="Duality gap",
                said=fell,
                numbers=gaps,
                step_title="Round",
                value_title="gap",
                log=True,
            )
        )
    return found


def _real_code(model: Model) -> list[Exhibit]:
    """Show a code of real numbers."""
    code = getattr(model.estimator, "code_matrix_", None)
    if code is None or not np.issubdtype(code.dtype, np.floating):
        return []
    said = says.code_range_sentence(
        float(code.min()), float(code.max()), int((np.abs(code) < 1e-12).sum()), code.size
    )
    gap = float(model.estimator.gap_)
    if np.isfinite(gap):
        said += " " + says.gap_sentence(gap, model.estimator.objective_)
    return [
        Matrix(
            title="Designed code",
            said=said,
            numbers=code,
            rows=_names(model),
            columns=_numbered(code.shape[1]),
            row_title="Class",
            column_title="Machine",
            value_title="entry",
            signed=True,
        )
    ]


def _paths(model: Model) -> list[Exhibit]:
    """Machines asked one after the other: which class asks which."""
    estimator = model.estimator
    if not hasattr(estimator, "paths"):
        return []
    X, y = _points(model)
    paths, names, n_machines = estimator.paths(X), _names(model), estimator.code_matrix_.shape[1]
    cells = y[:, None] * n_machines + paths
    asked = np.bincount(cells.ravel(), minlength=len(names) * n_machines).reshape(len(names), n_machines)
    share = asked.sum(axis=0) / max(y.size, 1)
    most = int(share.argmax())
    sides = [
        f"{names[int(np.argmax(column))]} or {names[int(np.argmin(column))]}"
        for column in estimator.code_matrix_.T
    ]
    return [
        Matrix(
            title="Machines asked",
            said=says.asked_sentence(estimator.n_evaluations_, n_machines, most, share[most]),
            numbers=100 * asked / np.maximum(np.bincount(y, minlength=len(names)), 1)[:, None],
            rows=names,
            columns=tuple(f"{b + 1}: {side}" for b, side in enumerate(sides)),
            row_title="True class",
            column_title="Machine",
            value_title="% of the points",
            signed=False,
        )
    ]


def _reliabilities(model: Model, decoding: Choice) -> list[Exhibit]:
    """Machines weighed by how they were trained: the weights, averaged over points where they vary."""
    estimator, needs = model.estimator, DECODINGS[decoding.key].needs
    if not (needs & {"reliabilities", "local_reliabilities"} and hasattr(estimator, "evidence")):
        return []
    X, _ = _points(model)
    evidence = estimator.evidence(decoding.key, decoding.values, X=X, scores=estimator.scores(X))
    local = evidence.local_reliabilities
    values = evidence.reliabilities if local is None else local.mean(axis=0)
    return [
        Bars(
            title="Reliability of the machines" if local is None else "Mean reliability at these points",
            said=says.reliability_sentence(values.tolist()),
            numbers=values,
            names=_numbered(values.size),
            name_title="Machine",
            value_title="reliability",
        )
    ]


def _support(estimator: Any) -> list[Exhibit]:  # noqa: ANN401 - estimators of reductions share no type
    """Kernel machines: how many training points hold each."""
    alphas = getattr(getattr(estimator, "columns_", None), "alphas", None)
    if alphas is None or alphas.shape[1] != estimator.problem_sizes_.size:
        return []  # no kernel machines, or one for several columns
    counts = (alphas > 0).sum(axis=0)
    return [
        Bars(
            title="Support vectors of the machines",
            said=says.support_sentence(counts.tolist(), alphas.shape[0]),
            numbers=counts.astype(np.float64),
            names=_numbered(counts.size),
            name_title="Machine",
            value_title="training points",
        )
    ]
