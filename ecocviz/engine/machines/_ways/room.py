"""How much memory training on working sets takes, and how large these may be."""

from ecocviz.engine.kernels.gram import KERNELS, TILE
from ecocviz.engine.machines._ways.problem import Problem
from ecocviz.engine.machines._ways.rounds import Limits
from ecocviz.engine.memory import LITTLE, SHARE_OF_MEMORY, available_memory
from ecocviz.engine.points import is_sparse

USUAL_ROOM = 192 << 20
"""Bytes for the Gram matrices of working sets at one time, where nobody says how much."""
HELD_BYTES = 1 << 27
"""Bytes of machines that are trained again at the same time, without folds or without points."""
SMALLEST_SET = 64
"""Points that a working set must be allowed to have."""
LEFT_OUT_SETS = 4
"""Working sets of left-out points at the same time."""
_MACHINE_BYTES = 56
"""Of one machine and one point: side, bound, coefficient, residual, need, and its share of what moves."""
_TILE_BYTES = 32
"""Of a kernel value while it is made, where kernels do not come as one matrix product."""


def machines_at_once(problem: Problem) -> int:
    """Return how many machines, trained already, are trained again at the same time."""
    n_samples, n_bits = problem.X.shape[0], problem.targets.shape[1]
    held: float = HELD_BYTES if problem.memory_limit is None else min(HELD_BYTES, problem.memory_limit / 8)
    fitting = int(held // (_MACHINE_BYTES * max(1, n_samples)))
    return max(int(n_bits), LEFT_OUT_SETS, fitting)


def limits_for(problem: Problem, n_machines: int, item_bytes: int, tol: float) -> Limits:
    """Return how large working sets may be for so many machines at the same time, or refuse.

    Two of the largest fit in at the same time. The numbers depend on the problem only, not on threads nor on
    what is free, so that the machines come out the same again.

    Parameters
    ----------
    problem
        With its `memory_limit`.
    n_machines
        Trained at the same time.
    item_bytes
        Of a kernel value.
    tol
        Largest violation of the optimality conditions.
    """
    n_samples, n_bits = problem.X.shape[0], problem.targets.shape[1]
    at_least = max(n_machines, n_bits, LEFT_OUT_SETS)  # what holds points out must not be refused later
    factored = problem.kernel.name in KERNELS and not is_sparse(problem.X)
    tile = (3 * item_bytes if factored else _TILE_BYTES) * min(n_samples, TILE) ** 2
    smallest = 2 * (tile + item_bytes * min(n_samples, SMALLEST_SET) ** 2)
    fixed = _factor_bytes(problem, item_bytes) + _MACHINE_BYTES * n_samples * (n_bits + at_least)
    limit = problem.memory_limit
    if limit is not None and limit < fixed + smallest:
        raise ValueError(
            f"Training on {n_samples} points needs {(fixed + smallest) / 2**20:,.1f} MiB at least, "
            f"more than the {limit / 2**20:,.1f} MiB of memory_limit; raise it, or use a random subsample "
            "of the points or a linear machine."
        )
    room = USUAL_ROOM if limit is None else limit - fixed
    room = max(smallest, min(room, 2 * (tile + item_bytes * n_samples**2)))
    _check_free(n_samples, fixed + room if limit is None else fixed + smallest)
    largest = max(1, int(((room / 2 - tile) / item_bytes) ** 0.5))
    n_jobs = 1 if problem.kernel.name == "callable" else problem.n_jobs  # it may not bear threads
    return Limits(tol, problem.max_updates, largest, room, tile, n_jobs)


def _factor_bytes(problem: Problem, item_bytes: int) -> int:
    """Return the bytes of the points as factors of kernel values, and of copies while they are made."""
    X = problem.X
    if problem.kernel.name == "precomputed":
        return 0
    if is_sparse(X):
        return 2 * int(X.data.nbytes + X.indices.nbytes)
    return 4 * item_bytes * int(X.shape[0]) * (int(X.shape[1]) + 2)


def _check_free(n_samples: int, needed: float) -> None:
    """Refuse what does not fit into the memory that is free."""
    if needed <= LITTLE:
        return  # asking would take as long
    free = available_memory()
    if needed > SHARE_OF_MEMORY * free:
        raise ValueError(
            f"Training on {n_samples} points needs {needed / 2**30:.1f} GiB, and only "
            f"{free / 2**30:.1f} GiB of memory are free; use a random subsample of the points "
            "or a linear machine."
        )
