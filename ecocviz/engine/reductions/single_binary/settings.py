"""What the single machine lets a user choose, and how words become numbers."""

from dataclasses import replace
from typing import Any

import numpy as np

from ecocviz.engine.machines._kernel_settings import DEGREE, GAMMA, KERNEL_CHOICE, settle_kernel
from ecocviz.engine.params import ChoiceParam, FloatParam, Param, shorten
from ecocviz.engine.reductions.single_binary.class_kernels import (
    class_kernel,
    identity_extension,
    single_extension,
    unit_extensions,
)
from ecocviz.engine.reductions.single_binary.machine import Settings
from ecocviz.engine.reductions.single_binary.weights import MU_RULES
from ecocviz.engine.types import FloatArray, Points

VARIANTS = ("kernel", "identity", "single", "ecoc", "kessler")
MAX_UPDATES = 10_000_000
"""Pair steps after which one machine is given up as unconverged."""

SHARED_PARAMS: tuple[Param, ...] = (
    KERNEL_CHOICE,
    replace(
        GAMMA,
        help="exp(-γ |x - t|²); the copies' own features are compared with the same width.",
        only_if=None,
    ),
    DEGREE,
    FloatParam(
        name="C",
        label="Penalty C",
        symbol="C",
        default=1.0,
        low=1e-6,
        high=1e6,
        log=True,
        help="What an error on a copy costs: small values make smooth borders, large ones fit every copy.",
        hint="larger fits more closely",
        prominent=True,
    ),
)
RADIUS_PARAM = FloatParam(
    name="radius",
    label="Scale of the class kernel R",
    symbol="R",
    default="paper",
    low=1e-3,
    high=1e6,
    log=True,
    words=(
        ("paper", "as in the paper: √m, or 1 without weights"),
        ("sqrt", "√m, from the number m of points"),
    ),
    help="Multiplies the whole kernel, like C: compare machines at the same scale.",
)
PARAMS: tuple[Param, ...] = (
    ChoiceParam(
        name="variant",
        label="Class kernel",
        default="kernel",
        options=(
            ("kernel", "Learned: one weight per class"),
            ("identity", "Identity: all classes equally apart"),
            ("single", "Single: classes in a row"),
            ("kessler", "Kessler: differences of classes"),
        ),
        help="How similar the machine takes the copies of two classes to be.",
    ),
    ChoiceParam(
        name="mu_rule",
        label="Weights of the classes",
        default="l2",
        options=(
            ("l2", "Learned: l2 update"),
            ("literal", "Learned: the rule printed in the paper"),
            ("simplex", "Learned: the problem stated in the paper"),
            ("prior", "Class frequencies"),
            ("uniform", "Uniform"),
        ),
        only_if=("variant", ("kernel",)),
    ),
    *SHARED_PARAMS,
    RADIUS_PARAM,
)


def check_variant(variant: object) -> None:
    """Raise with a sentence if there is no such variant."""
    if variant not in VARIANTS:
        raise ValueError(f"variant is one of {', '.join(VARIANTS)}, not {shorten(str(variant))!r}.")


def settle(
    chosen: Any,  # noqa: ANN401 - an estimator's parameters
    X: Points,
    n_columns: int,
    weights: FloatArray | None = None,
) -> Settings:
    """Replace words by numbers, and refuse what cannot be.

    Parameters
    ----------
    chosen
        Holds the parameters of `SingleBinaryClassifier`.
    X : (n_samples, n_features)
        The training points.
    n_columns
        Copies of each point.
    weights : (n_samples,), optional
        Of the points.
    """
    if isinstance(chosen.C, str):
        raise ValueError(f"C is a number above 0, not {shorten(chosen.C)!r}.")  # noqa: TRY004 - one kind of error for every bad value
    kernel, C = settle_kernel(chosen.kernel, chosen.gamma, chosen.degree, chosen.C, chosen.bias, X, weights)
    if not chosen.tol > 0:
        raise ValueError(f"tol must be above 0, not {chosen.tol}.")
    if chosen.max_updates < 1 or chosen.max_mu_updates < 1:
        raise ValueError("max_updates and max_mu_updates must be at least 1.")
    if chosen.scale_C not in ("none", "cm"):
        raise ValueError(f"scale_C is none or cm, not {shorten(str(chosen.scale_C))!r}.")
    if chosen.mu_rule not in MU_RULES:
        raise ValueError(f"mu_rule is one of {', '.join(MU_RULES)}, not {shorten(str(chosen.mu_rule))!r}.")
    width = kernel.gamma if chosen.class_gamma is None else float(chosen.class_gamma)
    if not (width >= 0 and np.isfinite(width)):
        raise ValueError(f"class_gamma must be a finite number of at least 0, not {chosen.class_gamma}.")
    matrices = _extensions(chosen, n_columns)
    return Settings(
        kernel=kernel,
        basis=np.array([class_kernel(M, width) for M in matrices]).reshape(-1, n_columns, n_columns),
        C=C,
        per_replica=chosen.scale_C == "cm",
        radius=_radius(chosen.radius, learned=chosen.variant == "kernel"),
        rule=chosen.mu_rule if chosen.variant == "kernel" else "uniform",
        tol=chosen.tol,
        max_updates=chosen.max_updates,
        max_rounds=chosen.max_mu_updates,
    )


def settled_copies(
    X: Points,
    *,
    kernel: str,
    gamma: float | str,
    degree: int,
    C: float,
    radius: float | str,
    variant: str = "ecoc",
    **_others: object,
) -> dict[str, float]:
    """Return gamma and the radius as they are on training points X, (n_samples, n_features)."""
    settled, _ = settle_kernel(kernel, gamma, degree, C, 0.0, X)
    scale = _radius(radius, learned=variant == "kernel")
    return {"gamma": settled.gamma, "radius": float(np.sqrt(X.shape[0])) if scale is None else scale}


def _radius(radius: float | str, *, learned: bool) -> float | None:
    """Return the sum of the weights, None for the square root of the number of training points."""
    if isinstance(radius, str):
        if radius not in ("paper", "sqrt"):
            raise ValueError(f'radius is a number above 0, "paper" or "sqrt", not {shorten(radius)!r}.')
        return None if radius == "sqrt" or learned else 1.0
    if not (radius > 0 and np.isfinite(radius)):
        raise ValueError(f"radius must be a finite number above 0, not {radius}.")
    return float(radius)


def _extensions(chosen: Any, n_columns: int) -> list[FloatArray]:  # noqa: ANN401 - an estimator's parameters
    """Return the extension matrices, each (n_columns, width); none for the Kessler construction."""
    if chosen.variant == "kessler":
        return []
    if chosen.variant == "identity":
        return [identity_extension(n_columns)]
    if chosen.variant in ("single", "ecoc"):
        return [single_extension(n_columns)]
    if chosen.extensions is None:
        return list(unit_extensions(n_columns))
    given = np.asarray(chosen.extensions, dtype=np.float64)
    if given.ndim != 3 or given.shape[1] != n_columns or not given.size or not np.isfinite(given).all():
        raise ValueError(
            f"extensions is an array of finite numbers, (n_matrices, {n_columns} classes, width), "
            f"not of shape {given.shape}."
        )
    if chosen.mu_rule == "prior" and given.shape[0] != n_columns:
        raise ValueError("The class frequencies can only weigh one extension matrix per class.")
    return list(given)
