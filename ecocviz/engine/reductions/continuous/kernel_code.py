"""A continuous code in the space of a kernel between scores: known by its support patterns only."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.kernels.gram import Kernel, gram_matrix, training_dtype
from ecocviz.engine.machines._kernel_settings import settle_kernel
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.chunks import kernel_expansion
from ecocviz.engine.reductions.support_pattern.on_gram import required_margins, solve_on_gram
from ecocviz.engine.types import FloatArray, IntArray, Scores


@dataclass(frozen=True, slots=True)
class KernelCode:
    """Codewords that are sums over support patterns, and what is proved about them.

    Attributes
    ----------
    kernel
        Between scores.
    patterns : (n_support, n_bits)
        Scores of the support patterns.
    weights : (n_support, n_classes)
        What each codeword puts on them.
    taus : (n_samples, n_classes)
        Dual coefficients of all training points.
    objective, gap
        Objective of the design, and by how much it may miss the optimum.
    """

    kernel: Kernel
    patterns: Scores
    weights: FloatArray
    taus: FloatArray
    objective: float
    gap: float

    def closeness(self, scores: Scores) -> FloatArray:
        """Return how near scores (n, n_bits) are to each codeword, (n, n_classes)."""
        return kernel_expansion(self.kernel, scores, self.patterns, self.weights)


def design_kernel_code(
    scores: Scores,
    y_index: IntArray,
    n_classes: int,
    kernel: str,
    gamma: float | str,
    degree: int,
    beta: float,
    tol: float,
    progress: Progress = NO_PROGRESS,
    weights: FloatArray | None = None,
) -> KernelCode:
    """Design a code of the l2 norm for scores (n_samples, n_bits); parameters as in `design_code`.

    Points may have weights, (n_samples,): a loss times w is that of kernel values and margins times w.
    """
    settled, _ = settle_kernel(kernel, gamma, degree, 1.0, 0.0, scores, weights)
    gram = gram_matrix(settled, scores, dtype=training_dtype(scores.shape[0], tol))
    margins = required_margins(y_index, n_classes)
    if weights is not None:
        gram *= np.multiply.outer(weights, weights)
        margins *= weights[:, None]
    solution = solve_on_gram(gram, y_index, n_classes, beta, margins=margins, tol=tol, progress=progress)
    taus = solution.taus(y_index)
    if weights is not None:
        taus *= weights[:, None]
    support = np.flatnonzero(taus.any(axis=1))
    return KernelCode(settled, scores[support], taus[support] / beta, taus, solution.objective, solution.gap)
