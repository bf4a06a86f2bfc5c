"""What kernel machines of either kind let a user choose, and how words become numbers."""

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from ecocviz.engine.kernels.gram import KERNELS, OTHERS, Kernel, kernel_diagonal, scaled_gamma
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam, Param, shorten
from ecocviz.engine.types import FloatArray, Points

KERNEL_CHOICE = ChoiceParam(
    name="kernel",
    label="Kernel",
    default="rbf",
    options=(("rbf", "Gaussian (rbf)"), ("linear", "Linear"), ("poly", "Polynomial")),
)
GAMMA = FloatParam(
    name="gamma",
    label="Kernel width γ",
    symbol="γ",
    default="scale",
    low=1e-6,
    high=1e6,
    log=True,
    words=(("scale", "from the data's variance"),),
    help="How far the influence of a training point reaches, exp(-γ |x - t|²). Larger is narrower: in the "
    "end every point is an island.",
    hint="larger is narrower",
    only_if=("kernel", ("rbf",)),
    prominent=True,
)
DEGREE = IntParam(name="degree", label="Degree", default=3, low=1, high=10, only_if=("kernel", ("poly",)))

PENALTY = FloatParam(
    name="C",
    label="Penalty C",
    symbol="C",
    default=1.0,
    low=1e-4,
    high=1e4,
    log=True,
    help="What an error on a training point costs: small values keep the border simple.",
    hint="larger fits more closely",
    prominent=True,
)
"""Of linear machines."""

KERNEL_PARAMS: tuple[Param, ...] = (
    KERNEL_CHOICE,
    GAMMA,
    DEGREE,
    FloatParam(
        name="C",
        label="Penalty C",
        symbol="C",
        default="inverse-mean-kernel",
        low=1e-6,
        high=1e6,
        log=True,
        words=(("inverse-mean-kernel", "from the mean kernel value"),),
        help="What an error on a training point costs: small values make smooth borders, large ones fit "
        "every training point.",
        hint="larger fits more closely",
        prominent=True,
    ),
)


def _number(name: str, value: object, words: str = "") -> float:
    """Return a parameter's number, or raise with a sentence if it is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name} is a number{words}, not {shorten(repr(value))}.")  # noqa: TRY004 - one kind of error for every bad value
    return float(value)


def settle_kernel(
    name: str | Callable[..., Any],
    gamma: float | str,
    degree: int,
    C: float | str,
    bias: float,
    X: Points,
    weights: FloatArray | None = None,
    *,
    others: bool = False,
) -> tuple[Kernel, float]:
    """Replace words by numbers, and refuse what is no kernel.

    Parameters
    ----------
    name, gamma, degree, C, bias
        As in `KernelMachine`.
    X : (n_samples, n_features)
        The full training set.
    weights : (n_samples,), optional
        By what points count in the means that words stand for.
    others
        Whether kernel values may also be precomputed, or a function's.
    """
    function, name = (name, "callable") if callable(name) else (None, name)
    known = KERNELS + (("precomputed",) if others else ())
    if name not in known and not (others and function is not None):
        own = "or a function of two sets of points, " if others else ""
        shown = "a function" if function is not None else repr(shorten(str(name)))
        raise ValueError(f"The kernel is one of {', '.join(known)}, {own}not {shown}.")
    if isinstance(gamma, str):
        if gamma != "scale":
            raise ValueError(f'gamma is a number above 0 or "scale", not {shorten(gamma)!r}.')
        width = 1.0 if name in OTHERS else scaled_gamma(X, weights)
    else:
        width = _number("gamma", gamma, ' above 0 or "scale"')
    if not (width > 0 and np.isfinite(width)):
        raise ValueError(f"gamma must be a finite number above 0, not {gamma}.")
    if int(_number("degree", degree)) != degree or degree < 1:
        raise ValueError(f"degree must be a whole number of at least 1, not {degree}.")
    if not (_number("bias", bias) >= 0 and np.isfinite(bias)):
        raise ValueError(f"bias must be a finite number of at least 0, not {bias}.")
    kernel = Kernel(name, width, int(degree), float(bias), function)
    return kernel, _settle_price(C, kernel, X, weights)


def settled_numbers(
    X: Points, *, kernel: str, gamma: float | str, degree: int = 3, C: float | str = 1.0, bias: float = 0.0
) -> dict[str, float]:
    """Return gamma and C as they are on training points X, (n_samples, n_features), whatever set them."""
    settled, price = settle_kernel(kernel, gamma, degree, C, bias, X)
    return {"gamma": settled.gamma, "C": price}


def settled_width(
    X: Points, *, kernel: str, gamma: float | str, degree: int, **_others: object
) -> dict[str, float]:
    """Return gamma as it is on training points X, (n_samples, n_features), whatever set it."""
    return {"gamma": settle_kernel(kernel, gamma, degree, 1.0, 0.0, X)[0].gamma}


def _settle_price(C: float | str, kernel: Kernel, X: Points, weights: FloatArray | None) -> float:
    """Return C as a number, "inverse-mean-kernel" replaced."""
    if isinstance(C, str):
        if C != "inverse-mean-kernel":
            raise ValueError(f'C is a number above 0 or "inverse-mean-kernel", not {shorten(C)!r}.')
        with np.errstate(over="ignore", invalid="ignore"):
            mean = float(np.average(kernel_diagonal(kernel, X), weights=weights)) - kernel.bias
            price = 1.0 / mean if mean > 0 else 1.0
        if not (np.isfinite(mean) and 0 < price < np.inf):
            size = "small" if mean < 1 else "large"
            raise ValueError(
                f'Kernel values on these data are too {size} for C="inverse-mean-kernel"; scale the features.'
            )
    else:
        price = _number("C", C, ' above 0 or "inverse-mean-kernel"')
    if not (price > 0 and np.isfinite(price)):
        raise ValueError(f"C must be a finite number above 0, not {C}.")
    return price
