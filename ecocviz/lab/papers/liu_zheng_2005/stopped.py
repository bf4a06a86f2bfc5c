"""Table I's row of degree 2 with a solver that is stopped before its optimum."""

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from ecocviz.data.catalogue import load_table
from ecocviz.data.prepare import folds, prepare
from ecocviz.engine.analysis.reliability import (
    hinge_losses,
    local_reliability,
    squared_norms,
    static_reliability,
)
from ecocviz.engine.codings.one_vs_all import one_vs_all
from ecocviz.engine.losses import soft_decisions
from ecocviz.engine.types import CodeMatrix, FloatArray, Scores
from ecocviz.lab.papers.liu_zheng_2005.printed import SEGMENT_TEST

PENALTY = 1.0
"""C of the machines; the steps end long before a coefficient reaches it."""


def measure_stopped(seed: int, steps: int, neighbours: int = 1) -> dict[str, Any]:
    """Train machines of degree 2 on points that are not scaled, for so many steps each, and decide.

    Parameters
    ----------
    seed
        Of the split.
    steps
        After which libsvm is stopped.
    neighbours
        That DRM asks.
    """
    table = load_table("segment")
    fold = folds(table, "hold-out", {"test_share": SEGMENT_TEST}, seed)[0]
    data = prepare(table, fold, "as-is", {})
    targets: CodeMatrix = one_vs_all(len(table.classes))[data.y_train]
    machines = [_train(data.X_train, targets[:, b], steps) for b in range(targets.shape[1])]
    train_scores: Scores = np.column_stack([svc.decision_function(data.X_train) for svc in machines])
    scores: Scores = np.column_stack([svc.decision_function(data.X_test) for svc in machines])
    norms = squared_norms(_alphas(machines, data.y_train.size), train_scores, targets)
    losses = hinge_losses(train_scores, targets)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # unconverged is what this is about
        static = static_reliability(norms, losses, targets, PENALTY)
    local = local_reliability(
        data.X_test, scores, data.X_train, train_scores, targets, norms, losses, PENALTY, neighbours
    )
    soft = soft_decisions(scores)
    decided = {"f": scores, "srm": soft * static, f"drm-{neighbours}": soft * local}
    wrong = {name: int((each.argmax(axis=1) != data.y_test).sum()) for name, each in decided.items()}
    return {"n": data.y_test.size, "wrong": wrong, "least_reliability": float(f"{static.min():.3g}")}


def _train(X: FloatArray, target: FloatArray | CodeMatrix, steps: int) -> SVC:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        svc = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=PENALTY, max_iter=steps)
        return svc.fit(X, target)


def _alphas(machines: list[SVC], n_samples: int) -> FloatArray:
    alphas = np.zeros((n_samples, len(machines)))
    for b, svc in enumerate(machines):
        alphas[svc.support_, b] = np.abs(svc.dual_coef_[0])
    return alphas
