"""What a piece of work is predicted to need: to about a factor of three."""

from dataclasses import dataclass

from ecocviz.engine.kernels.gram import SINGLE_PRECISION_ROWS

LARGE_SECONDS, LARGE_BYTES = 0.7, 300_000_000
"""Work beyond either is large: it waits for its turn and runs in a process of its own."""

PER_PRODUCT = 1e-10
"""Seconds that a kernel value takes of one point, one training point and one machine."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds, and bytes of memory beyond what is taken already."""

    seconds: float = 0.0
    n_bytes: int = 0

    @property
    def large(self) -> bool:
        """Whether it is too much to be done beside others."""
        return self.seconds > LARGE_SECONDS or self.n_bytes > LARGE_BYTES


def scoring_cost(n_points: int, n_train: int, n_machines: int) -> Cost:
    """Predict what it takes to score points by trained machines."""
    return Cost(PER_PRODUCT * n_points * n_train * n_machines, 24 * n_points * n_machines)


def gram_bytes(n_train: int) -> int:
    """Return about how many bytes the kernel values of the training points take."""
    return n_train**2 * (4 if n_train > SINGLE_PRECISION_ROWS else 8)
