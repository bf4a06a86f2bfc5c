"""What is to be solved, and what every way of solving it can do."""

import warnings
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.kernels.gram import Kernel, training_dtype
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import Bits, FloatArray, IntArray, Points, Scores

STEPS_BETWEEN_REFRESHES = 20_000
"""A step rounds single-precision residuals by about 1e-7; errors of so many add up like a random walk.

Also the steps between two looks at whether to stop.
"""
LEFT_OUT_AT_ONCE = 16
"""Points left out between two looks at whether to stop."""
TRAINING_SHARE = 0.95
"""Share of the tolerance at which solvers stop, for what rounding adds."""
_SINGLE_PRECISION_TOL = 1e-4
"""The finest tolerance asked of a solver on single-precision kernel values when points are left out."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The machines of all columns that are to be trained.

    Attributes
    ----------
    kernel
        Kernel with its numbers settled.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
        Sides of each machine, 0 leaves a point out.
    C
        Upper bound of the dual coefficients, one for all columns.
    weights : (n_samples,), (n_samples, n_bits) or None
        By what C is multiplied at each point.
    tol
        Largest violation of the optimality conditions at which a machine counts as trained.
    max_updates
        Steps after which a machine is given up as unconverged.
    n_jobs
        Threads over columns.
    memory_limit
        Bytes that kernel values may take, or None.
    """

    kernel: Kernel
    X: Points
    targets: Bits
    C: float
    weights: FloatArray | None
    tol: float
    max_updates: int
    n_jobs: int | None
    memory_limit: float | None

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """Precision of kernel values of all points."""
        return training_dtype(self.X.shape[0], self.tol)

    def signs(self) -> FloatArray:
        """Return the sides of all points, (n_bits, n_samples)."""
        return np.ascontiguousarray(self.targets.T, dtype=np.float64)

    def bounds(self) -> FloatArray:
        """Return the upper bound of every coefficient, (n_bits, n_samples): 0 where a point is left out."""
        weights = 1.0 if self.weights is None else self.weights.reshape(self.X.shape[0], -1)
        bounds: FloatArray = np.where(self.targets != 0, self.C * weights, 0.0)
        return np.ascontiguousarray(bounds.T)

    def column(self, b: int) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return the points that one machine is shown, their sides and their bounds, (n_shown,) each."""
        shown = np.flatnonzero(self.targets[:, b])
        upper = np.full(shown.size, self.C)
        if self.weights is not None:
            weights = self.weights.reshape(self.X.shape[0], -1)
            upper *= weights[shown, min(b, weights.shape[1] - 1)]
        return shown, self.targets[shown, b].astype(np.float64), upper


@dataclass(frozen=True, slots=True)
class Found:
    """What training found, besides the coefficients.

    Attributes
    ----------
    n_updates : (n_bits,)
        Steps of each machine.
    judged : (3, n_bits)
        Duality gap, squared norm and largest violation of each machine, on the points that it was shown.
    scores : (n_samples, n_bits) or None
        Of all points, where they came for nothing.
    """

    n_updates: IntArray
    judged: FloatArray
    scores: Scores | None


class Way(Protocol):
    """One way of finding the coefficients; what it keeps between calls only saves time."""

    def train(self, alphas: FloatArray, progress: Progress) -> Found:
        """Go on from feasible coefficients, (n_bits, n_samples), to the solution, in place."""

    def scores(self, alphas: FloatArray, progress: Progress) -> Scores:
        """Return the scores of all training points, (n_samples, n_bits); alphas (n_samples, n_bits)."""

    def hold_out(
        self,
        held: list[IntArray],
        alphas: FloatArray,
        scores: Scores | None,
        progress: Progress,
        *,
        only_shown: bool,
    ) -> Scores:
        """Return each point's scores by machines trained without its fold, (n_samples, n_bits).

        Parameters
        ----------
        held
            Points of each fold.
        alphas : (n_samples, n_bits)
            Solution for all points.
        scores : (n_samples, n_bits) or None
            Scores of all points, where they are known.
        progress
            Told the finished share; may raise to cancel.
        only_shown
            Whether scores of points that a machine was not shown may be anything finite.
        """

    def leave_out(
        self,
        alphas: FloatArray,
        scores: Scores | None,
        tol: float,
        progress: Progress,
        *,
        only_shown: bool,
    ) -> Scores:
        """Return each point's scores by machines trained without it, (n_samples, n_bits).

        Parameters are those of `hold_out`; `tol` is the largest violation.
        """

    def release(self) -> None:
        """Give back what is only kept to save time."""


def finest(tol: float, *, exact: bool) -> float:
    """Return the tolerance that kernel values allow when points are left out; `exact`: double precision."""
    return tol if exact else max(tol, _SINGLE_PRECISION_TOL)


def warn_open(n_open: int, n_machines: int, what: str, largest: float | None = None) -> None:
    """Say how many of so many machines stopped before they were trained.

    `largest` is a kernel value that only features that are not scaled give.
    """
    way_out = "raise max_updates or tol, lower C, or scale the features."
    if largest is not None:
        way_out = f"scale the features, for kernel values reach {largest:.2g}."
    warnings.warn(
        f"{n_open} of {n_machines} kernel machines stopped at max_updates with {what}; {way_out}",
        ConvergenceWarning,
        stacklevel=2,
    )
