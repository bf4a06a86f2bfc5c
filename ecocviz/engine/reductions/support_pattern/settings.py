"""What the multiclass machine lets a user choose, and how it becomes a problem for one of the solvers."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from ecocviz.engine.kernels.gram import Kernel
from ecocviz.engine.machines._kernel_settings import DEGREE, GAMMA, KERNEL_CHOICE, settle_kernel
from ecocviz.engine.params import FloatParam, Param, shorten
from ecocviz.engine.points import is_sparse
from ecocviz.engine.reductions.support_pattern.on_scores import MOST_UNKNOWNS
from ecocviz.engine.types import FloatArray, Points

SOLVERS = ("auto", "two-level", "plain", "interior-point", "code-ascent")

PARAMS: tuple[Param, ...] = (
    KERNEL_CHOICE,
    GAMMA,
    DEGREE,
    FloatParam(
        name="beta",
        label="Smoothness β",
        symbol="β",
        default=1.0,
        low=1e-6,
        high=1e6,
        log=True,
        help="How much large codewords cost, compared with the sum of the losses: large values make smooth "
        "borders.",
        hint="larger makes smoother borders",
        prominent=True,
    ),
    FloatParam(
        name="bias",
        label="Bias constant τ",
        symbol="τ",
        default=1.0,
        low=0.0,
        high=1e3,
        log=True,
        help="Added to every kernel value; 0 is the paper's machine, which has no bias.",
        hint="0 is a machine without bias",
    ),
)


def settle(
    chosen: Any,  # noqa: ANN401 - an estimator's parameters
    X: Points,
    weights: FloatArray | None = None,
) -> tuple[Kernel, float]:
    """Return kernel and beta, words replaced by numbers, or refuse what cannot be.

    Parameters
    ----------
    chosen
        Holds the parameters of `SupportPatternClassifier`.
    X : (n_samples, n_features)
        The training points.
    weights : (n_samples,), optional
        Of the points.
    """
    if chosen.solver not in SOLVERS:
        raise ValueError(f"The solver is one of {', '.join(SOLVERS)}, not {shorten(str(chosen.solver))!r}.")
    if chosen.max_rounds < 1:
        raise ValueError(f"max_rounds must be at least 1, not {chosen.max_rounds}.")
    if chosen.C is not None and not chosen.C > 0:
        raise ValueError(f"C must be above 0, not {chosen.C}.")
    kernel, _ = settle_kernel(chosen.kernel, chosen.gamma, chosen.degree, 1.0, chosen.bias, X, weights)
    return kernel, float(chosen.beta if chosen.C is None else 1.0 / chosen.C)


def on_features(solver: str, kernel: Kernel, X: Points, n_classes: int) -> bool:
    """Say whether to work on the features themselves, X (n_samples, n_features), not on a Gram matrix."""
    if solver in ("interior-point", "code-ascent"):
        if kernel.name != "linear":
            raise ValueError(f"The solver {solver!r} is for the linear kernel; use two-level or auto.")
        if is_sparse(X):
            raise ValueError(
                f"The solver {solver!r} needs dense points; use two-level or auto, or X.toarray()."
            )
        return True
    n_samples, n_features = X.shape
    few = not is_sparse(X) and n_classes * (n_features + 1) <= min(MOST_UNKNOWNS, 2 * n_samples)
    return solver == "auto" and kernel.name == "linear" and few


def with_constant(X: Points, bias: float) -> Points:
    """Append the feature whose square is the kernel's constant, (n, n_features + 1), if there is one."""
    if not bias:
        return X
    constant = np.full((X.shape[0], 1), np.sqrt(bias))
    if is_sparse(X):
        return hstack([X, csr_array(constant)], format="csr")
    return np.hstack([X, constant])
