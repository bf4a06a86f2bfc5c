"""The settings of a continuous code: how they are offered, and which go together."""

from dataclasses import replace
from typing import Any

import numpy as np

from ecocviz.engine.machines._kernel_settings import DEGREE, GAMMA
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam, Param, shorten
from ecocviz.engine.reductions.continuous.programs import NORMS

WORDS: dict[str, tuple[str, ...]] = {
    "norm": NORMS,
    "kernel": ("linear", "rbf", "poly"),
    "construction": ("batch", "columns", "corrective"),
    "outputs": ("resubstitution", "cross-fitted"),
    "interleave": ("none", "machines", "joint"),
}


def check_settings(estimator: Any) -> None:  # noqa: ANN401 - its file imports this one
    """Raise ValueError with one sentence for settings that mean nothing or do not go together."""
    for name, words in WORDS.items():
        given = getattr(estimator, name)
        if given not in words:
            raise ValueError(f"{name} is one of {', '.join(words)}, not {shorten(str(given))!r}.")
    plain = estimator.norm == "l2" and estimator.construction == "batch" and estimator.interleave == "none"
    if estimator.kernel != "linear" and not plain:
        raise ValueError(
            "A kernel between scores goes with the l2 norm, batch construction and no interleaving only."
        )
    if estimator.interleave == "joint" and (estimator.norm, estimator.construction) != ("l2", "batch"):
        raise ValueError("Joint training goes with the l2 norm and batch construction only.")
    if estimator.interleave != "none" and (estimator.outputs != "resubstitution" or estimator.prefit):
        raise ValueError("Interleaved training makes its own machines: no cross-fitting, no prefit base.")
    if estimator.interleave != "none" and estimator.rounds < 1:
        raise ValueError(f"Interleaved training needs at least one round, not {estimator.rounds}.")
    if not (estimator.beta > 0 and np.isfinite(estimator.beta) and estimator.map_beta > 0):
        raise ValueError("beta and map_beta must be finite numbers above 0.")
    if not estimator.tol > 0:
        raise ValueError(f"tol must be above 0, not {estimator.tol}.")


PARAMS: tuple[Param, ...] = (
    ChoiceParam(
        name="norm",
        label="Norm of the code",
        default="l2",
        options=(
            ("l1", "Few entries (l1)"),
            ("l2", "Sum of squares (l2)"),
            ("linf", "Largest entry (l∞)"),
        ),
    ),
    FloatParam(
        name="beta",
        label="Smallness β",
        symbol="β",
        default=1.0,
        low=1e-6,
        high=1e6,
        log=True,
        help="How much large codewords cost, compared with the sum of the losses. Far too large a value "
        "makes them all zero.",
        hint="larger makes smaller codewords",
        prominent=True,
    ),
    ChoiceParam(
        name="kernel",
        label="Closeness",
        default="linear",
        options=(("linear", "Inner product"), ("rbf", "Gaussian (rbf)"), ("poly", "Polynomial")),
        help="How the closeness of scores and codeword is measured. With a kernel, codewords are known "
        "only through their support patterns.",
        only_if=("norm", ("l2",)),
    ),
    replace(GAMMA, words=(("scale", "from the scores' variance"),), help=""),
    DEGREE,
    ChoiceParam(
        name="construction",
        label="Construction",
        default="batch",
        options=(
            ("batch", "All columns at once"),
            ("columns", "Column by column"),
            ("corrective", "Column by column, all redesigned"),
        ),
    ),
    ChoiceParam(
        name="outputs",
        label="Scores designed on",
        default="resubstitution",
        options=(("resubstitution", "Of training points"), ("cross-fitted", "Of held-out points")),
        help="Machines are more confident about points that they were trained on.",
        only_if=("interleave", ("none",)),
    ),
    ChoiceParam(
        name="interleave",
        label="Train machines and code in turns",
        default="none",
        options=(
            ("none", "No: machines first, then the code"),
            ("machines", "Retrain the machines on the code"),
            ("joint", "Linear machines and code on one objective"),
        ),
    ),
    IntParam(
        name="rounds",
        label="Rounds",
        default=3,
        low=1,
        high=50,
        only_if=("interleave", ("machines", "joint")),
    ),
    FloatParam(
        name="map_beta",
        label="Smoothness of the machines",
        default=1.0,
        low=1e-6,
        high=1e6,
        log=True,
        only_if=("interleave", ("joint",)),
    ),
)
