"""What an approximated kernel costs: the same machines beside exact ones, on a sample."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ecocviz.engine.machines._kernel_columns import KernelColumns
from ecocviz.engine.machines._linear_columns import LinearColumns
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.types import IntArray, Scores

SAMPLE = 2_000
"""Points that both kinds of machines are trained on; as many others are decided."""


@dataclass(frozen=True, slots=True)
class ApproximationReport:
    """How machines of an approximated kernel decide beside those of the kernel itself.

    Attributes
    ----------
    rank : int
        Features that the kernel is approximated by.
    n_trained : int
        Points of the sample that both kinds were trained on, none of them a landmark.
    n_compared : int
        Other points that both decided.
    differ : float
        Share of these that they decide differently.
    error, exact_error : float
        Share of these that the approximated and the exact machines decide wrongly.

    Examples
    --------
    >>> print(ApproximationReport(500, 2000, 2000, 0.0125, 0.051, 0.0475))
    With 500 features in place of the kernel, 1.2 % of 2,000 held-out decisions differ from those of exact \
machines (errors: 5.1 % and 4.8 %), both trained on a sample of 2,000 points; on all points it may be \
more or less.
    """

    rank: int
    n_trained: int
    n_compared: int
    differ: float
    error: float
    exact_error: float

    def __str__(self) -> str:
        """Say it in a sentence."""
        return (
            f"With {self.rank:,} features in place of the kernel, {self.differ:.1%} of {self.n_compared:,} "
            f"held-out decisions differ from those of exact machines (errors: {self.error:.1%} and "
            f"{self.exact_error:.1%}), both trained on a sample of {self.n_trained:,} points; on all points "
            "it may be more or less."
        ).replace("%", " %")


@dataclass(frozen=True, slots=True)
class Beside:
    """Scores of points that neither kind of machines was trained on.

    Attributes
    ----------
    held : (n_held,)
        Which training points of the whole they are.
    scores, exact : (n_held, n_bits)
        By approximated and by exact machines.
    rank, n_trained
        As in `ApproximationReport`.
    """

    held: IntArray
    scores: Scores
    exact: Scores
    rank: int
    n_trained: int

    def report(
        self,
        decided: npt.NDArray[np.generic],
        exactly: npt.NDArray[np.generic],
        truth: npt.NDArray[np.generic],
    ) -> ApproximationReport:
        """Return the report on what both kinds decide and what is true of the held points, (n_held,)."""
        return ApproximationReport(
            self.rank,
            self.n_trained,
            self.held.size,
            float(np.mean(decided != exactly)),
            float(np.mean(decided != truth)),
            float(np.mean(exactly != truth)),
        )


def beside_exact(columns: object, n_points: int, progress: Progress = NO_PROGRESS) -> Beside:
    """Train approximated and exact machines on a sample, and let both score other points.

    The features stay those of the whole; landmarks are neither trained on nor scored, because the kernel is
    exact there.

    Parameters
    ----------
    columns
        Trained machines.
    n_points
        Most points to train on, and to score.
    progress
        Told where the work is; may raise to end it.
    """
    if not isinstance(columns, LinearColumns) or columns.feature_map.rows is None:
        raise ValueError(
            'These machines are exact: only a KernelMachine(approximation="nystroem") leaves something out.'
        )
    rows = np.setdiff1d(np.flatnonzero(columns.targets.any(axis=1)), columns.feature_map.rows)
    drawn = np.random.default_rng(0).permutation(rows)[: 2 * n_points]
    if drawn.size < 4:
        raise ValueError("All points are landmarks, so that none is left to compare; lower rank.")
    trained, held = (np.sort(part) for part in np.array_split(drawn, 2))
    X, targets = columns.X[trained], columns.targets[trained]
    settings: dict[str, Any] = {
        "C": columns.C,
        "tol": columns.tol,
        "max_updates": columns.max_updates,
        "n_jobs": columns.n_jobs,
        "weights": None if columns.weights is None else columns.weights[trained],
    }
    told = [progress.part(k, 2, f"{kind} machines") for k, kind in enumerate(("approximated", "exact"))]
    ours = LinearColumns(columns.feature_map, X, targets, progress=told[0], **settings)
    new, others = columns.X[held], columns.X[held]
    if columns.kernel.name == "precomputed":  # exact machines read kernel values with their own points
        X, others = X[:, trained], others[:, trained]
    exact = KernelColumns(columns.kernel, X, targets, progress=told[1], **settings)
    rank = columns.feature_map.width(new) - 1
    return Beside(held, ours.predict_scores(new), exact.predict_scores(others), rank, trained.size)
