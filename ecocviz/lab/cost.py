"""What a piece of work is predicted to need: to about a factor of three."""

from dataclasses import dataclass

from ecocviz.engine.kernels.gram import SINGLE_PRECISION_ROWS

LARGE_SECONDS, LARGE_BYTES = 0.7, 300_000_000
"""Work beyond either is large: it waits for its turn and runs in a process of its own."""

PER_PRODUCT = 1e-10
"""Seconds that a kernel value takes of one point, one training point and one machine."""

IN_PARTS_BYTES = 400_000_000
"""What a kernel machine takes at most that trains on parts of the kernel matrix, and what goes with them."""


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


def gram_bytes(n_train: int, *, in_parts: bool = False) -> int:
    """Return about how many bytes the kernel values of the training points take.

    Parameters
    ----------
    n_train
        How many points.
    in_parts
        Whether they are a kernel machine's, which trains on parts of a matrix that is large.
    """
    whole = n_train**2 * (4 if n_train > SINGLE_PRECISION_ROWS else 8)
    return min(whole, IN_PARTS_BYTES) if in_parts else whole
