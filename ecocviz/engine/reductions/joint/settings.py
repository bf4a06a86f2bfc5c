"""What joint learning is told, how it is offered, and which method solves it."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.kernels.gram import Kernel
from ecocviz.engine.machines._kernel_settings import DEGREE, GAMMA, KERNEL_CHOICE
from ecocviz.engine.params import FloatParam, Param, shorten
from ecocviz.engine.points import is_sparse
from ecocviz.engine.reductions._shared.decoded_classifier import CALIBRATION_FOLDS
from ecocviz.engine.reductions.joint.primal import gather_moments
from ecocviz.engine.types import Bits, Points

SOLVERS = ("auto", "spectral", "primal", "descent", "gradients")
SMALL_PRIMAL, LARGEST_PRIMAL = 300, 1_500
"""Unknowns up to which the primal system beats descent whatever the data, and up to which it is offered."""
HARD_CONDITION = 1e5
"""Condition number of the covariances above which descent takes too many steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JointSettings:
    """What joint learning is told.

    Attributes
    ----------
    kernel
        Kernel with its numbers settled, without bias constant.
    lambda1, lambda2
        Weights of the squared norm of the machines, and of their relation.
    tol, max_cycles
        When the alternation ends.
    solver
        One of `SOLVERS`.
    """

    kernel: Kernel
    lambda1: float
    lambda2: float
    tol: float
    max_cycles: int
    solver: str

    def __post_init__(self) -> None:
        """Refuse what has no solution, with a sentence."""
        for name, value in (("lambda1", self.lambda1), ("lambda2", self.lambda2)):
            if not (value >= 0 and np.isfinite(value)):
                raise ValueError(f"{name} must be a finite number of at least 0, not {value}.")
        if self.lambda1 == 0 and self.lambda2 == 0:
            raise ValueError("lambda1 and lambda2 cannot both be 0: nothing would hold the machines.")
        if not self.tol > 0 or self.max_cycles < 1:
            raise ValueError("tol must be above 0 and max_iter at least 1.")
        if self.solver not in SOLVERS:
            raise ValueError(f"The solver is one of {', '.join(SOLVERS)}, not {shorten(str(self.solver))!r}.")

    def choose(self, X: Points, targets: Bits) -> str:
        """Return the method for the columns that take part, or refuse one that cannot serve them."""
        if is_sparse(X) and self.solver in {"primal", "descent"}:
            raise ValueError(
                f"The {self.solver} solver needs dense points; choose 'auto', or use X.toarray()."
            )
        if self.solver == "auto":
            return choose_solver(self.kernel, X, targets)
        if self.solver == "spectral" and not targets.all():
            raise ValueError("The spectral solver needs a code without zeros; choose the solver 'auto'.")
        if self.solver in {"primal", "descent"} and self.kernel.name != "linear":
            raise ValueError(f"The {self.solver} solver is for the linear kernel only; choose 'auto'.")
        return self.solver


def choose_solver(kernel: Kernel, X: Points, targets: Bits) -> str:
    """Return the fastest exact method for a problem.

    Parameters
    ----------
    kernel
        Its name decides between primal and dual.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
    """
    if targets.all():
        return "spectral"
    (n_samples, n_features), n_bits = X.shape, targets.shape[1]
    if kernel.name != "linear" or is_sparse(X) or n_bits * n_features**2 > 4 * n_samples**2:
        return "gradients"
    unknowns = n_bits * n_features
    if unknowns <= SMALL_PRIMAL:
        return "primal"
    values = np.linalg.eigvalsh(gather_moments(X, targets).covariances)
    hard = float(values.max()) > HARD_CONDITION * max(float(values.min()), 0.0)
    return "primal" if hard and unknowns <= LARGEST_PRIMAL else "descent"


PARAMS: tuple[Param, ...] = (
    FloatParam(
        name="lambda1",
        label="Weight of simplicity λ₁",
        symbol="λ₁",
        default=1e-4,
        low=1e-8,
        high=10.0,
        log=True,
        help="Large values keep every machine simple.",
        hint="larger keeps every machine simpler",
        prominent=True,
    ),
    FloatParam(
        name="lambda2",
        label="Weight of the relation λ₂",
        symbol="λ₂",
        default=1e-4,
        low=1e-8,
        high=10.0,
        log=True,
        help="Large values make the machines share a few common directions; small ones let each learn by "
        "itself.",
        hint="larger ties the machines together",
        prominent=True,
    ),
    KERNEL_CHOICE,
    GAMMA,
    DEGREE,
    CALIBRATION_FOLDS,
)
