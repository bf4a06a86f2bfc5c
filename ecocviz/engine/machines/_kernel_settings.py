"""What kernel machines of either kind let a user choose, and how words become numbers."""

import numpy as np

from ecocviz.engine.kernels.gram import KERNELS, Kernel, kernel_diagonal, scaled_gamma
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam, Param, shorten
from ecocviz.engine.types import FloatArray

KERNEL_CHOICE = ChoiceParam(
    name="kernel",
    label="Kernel",
    default="rbf",
    options=(("rbf", "Gaussian (rbf)"), ("linear", "Linear"), ("poly", "Polynomial")),
)
GAMMA = FloatParam(
    name="gamma",
    label="Kernel width γ",
    default="scale",
    low=1e-6,
    high=1e6,
    log=True,
    words=(("scale", "from the data's variance"),),
    help="exp(-γ |x - t|²): large values make every point an island.",
    only_if=("kernel", ("rbf",)),
)
DEGREE = IntParam(name="degree", label="Degree", default=3, low=1, high=10, only_if=("kernel", ("poly",)))

KERNEL_PARAMS: tuple[Param, ...] = (
    KERNEL_CHOICE,
    GAMMA,
    DEGREE,
    FloatParam(
        name="C",
        label="Price of errors C",
        default="inverse-mean-kernel",
        low=1e-6,
        high=1e6,
        log=True,
        words=(("inverse-mean-kernel", "one over the mean kernel"),),
        help="Small values prefer smooth machines, large values fit every training point.",
    ),
)


def settle_kernel(
    name: str, gamma: float | str, degree: int, C: float | str, bias: float, X: FloatArray
) -> tuple[Kernel, float]:
    """Replace words by numbers, and refuse what is no kernel.

    Parameters
    ----------
    name, gamma, degree, C, bias
        As in `KernelMachine`.
    X : (n_samples, n_features)
        The full training set.
    """
    if name not in KERNELS:
        raise ValueError(f"The kernel is one of {', '.join(KERNELS)}, not {shorten(str(name))!r}.")
    if isinstance(gamma, str):
        if gamma != "scale":
            raise ValueError(f'gamma is a number above 0 or "scale", not {shorten(gamma)!r}.')
        width = scaled_gamma(X)
    else:
        width = float(gamma)
    if not (width > 0 and np.isfinite(width)):
        raise ValueError(f"gamma must be a finite number above 0, not {gamma}.")
    if int(degree) != degree or degree < 1:
        raise ValueError(f"degree must be a whole number of at least 1, not {degree}.")
    if not (bias >= 0 and np.isfinite(bias)):
        raise ValueError(f"bias must be a finite number of at least 0, not {bias}.")
    kernel = Kernel(name, width, int(degree), float(bias))
    if isinstance(C, str):
        if C != "inverse-mean-kernel":
            raise ValueError(f'C is a number above 0 or "inverse-mean-kernel", not {shorten(C)!r}.')
        mean = float(kernel_diagonal(kernel, X).mean()) - kernel.bias
        price = 1.0 / mean if mean > 0 else 1.0
    else:
        price = float(C)
    if not (price > 0 and np.isfinite(price)):
        raise ValueError(f"C must be a finite number above 0, not {C}.")
    return kernel, price
