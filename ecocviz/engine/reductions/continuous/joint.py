"""Linear machines and continuous code trained together, block by block, on one objective."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.entries import Design
from ecocviz.engine.kernels.feature_map import ascend_on_map
from ecocviz.engine.progress import NO_PROGRESS, Falling, Progress
from ecocviz.engine.reductions.continuous.programs import total_loss
from ecocviz.engine.reductions.support_pattern.on_gram import (
    certify,
    one_hot,
    relative,
    required_margins,
    taus_of,
)
from ecocviz.engine.reductions.support_pattern.on_scores import solve_on_scores
from ecocviz.engine.types import FloatArray, IntArray, Scores

MAX_SWEEPS = 2_000
"""Sweeps of one machine step; what is reached is kept only if it is an improvement."""
_CHECK_EVERY = 5


@dataclass(frozen=True, slots=True)
class JointDesign:
    """A linear map to scores and a code on top of it.

    Attributes
    ----------
    code : (n_classes, n_bits)
    machines : (n_bits, n_features)
        W: the score of machine b at x is W_b . x.
    objectives : (2 * n_rounds + 1,)
        beta / 2 |M|^2 + map_beta / 2 |W|^2 + losses, at the start and after each half round; never
        increasing.
    """

    code: FloatArray
    machines: FloatArray
    objectives: FloatArray


@dataclass(frozen=True, slots=True)
class MachineStep:
    """The best linear machines for a fixed code, with the proof.

    Attributes
    ----------
    machines : (n_bits, n_features)
    objective
        beta / 2 |W|^2 + losses.
    gap
        How far it may be from the least possible one.
    """

    machines: FloatArray
    objective: float
    gap: float


def fit_machines(
    X: FloatArray,
    y_index: IntArray,
    code: FloatArray,
    beta: float,
    *,
    margins: FloatArray | None = None,
    tol: float = 1e-3,
    max_sweeps: int = MAX_SWEEPS,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> MachineStep:
    """Find the linear machines that serve a fixed code best.

    min beta / 2 |W|^2 + sum_i max_r (M_r . W x_i + b_ir) - M_{y_i} . W x_i; its dual is that of
    [Crammer2002]_ with tau_i^T M M^T tau_j in place of tau_i . tau_j.

    Parameters
    ----------
    X : (n_samples, n_features)
    y_index : (n_samples,)
    code : (n_classes, n_bits)
    beta
        Weight of the machines' norm.
    margins : (n_samples, n_classes), optional
        Required margins with a 0 at every true class; 1 elsewhere when left out.
    tol, max_sweeps
        Relative duality gap, or sweeps, at which to stop.
    seed
        Of the random orders.
    progress
        Told the share of the work that is done; may raise to cancel.
    """
    rng = np.random.default_rng(seed)
    b = required_margins(y_index, code.shape[0]) if margins is None else margins
    eta = one_hot(y_index, code.shape[0])
    squares = np.einsum("ij,ij->i", X, X)
    products = code @ code.T
    X = np.ascontiguousarray(X)
    code = np.ascontiguousarray(code)
    sweeps = 0
    falling = Falling(progress, tol)
    while True:
        W = code.T @ taus_of(eta, y_index).T @ X / beta
        primal, gap, _ = certify(y_index, eta, X @ W.T @ code.T, b)
        falling.at(relative(gap, primal))
        if gap <= tol * primal or sweeps >= max_sweeps:
            return MachineStep(W, primal, gap)
        for _ in range(_CHECK_EVERY):
            ascend_on_map(X, squares, float(beta), code, products, b, eta, W, rng.permutation(X.shape[0]))
            falling.check()
        sweeps += _CHECK_EVERY


class LinearMachines:
    """Machines that are rows of a matrix (n_bits, n_features + 1), the last column for a constant 1."""

    def __init__(self, machines: FloatArray) -> None:
        self.machines = machines

    def predict_scores(self, X: FloatArray) -> Scores:
        """Return the scores of points, (n, n_bits)."""
        scores: Scores = with_constant(X) @ self.machines.T
        return scores


def with_constant(X: FloatArray) -> FloatArray:
    """Append a feature that is 1, (n_samples, n_features + 1)."""
    return np.hstack([X, np.ones((X.shape[0], 1))])


def class_codewords(design: Design, y_index: IntArray, n_classes: int) -> FloatArray:
    """Return one codeword for each class, (n_classes, n_bits): its points' mean where it has several."""
    code: FloatArray = design.code_matrix.astype(np.float64)
    if design.sample_rows is None:
        return code
    return np.stack([code[design.sample_rows[y_index == c]].mean(axis=0) for c in range(n_classes)])


def joint_design(
    X: FloatArray,
    y_index: IntArray,
    n_classes: int,
    n_bits: int,
    *,
    beta: float,
    map_beta: float,
    n_rounds: int,
    start: FloatArray | None = None,
    margins: FloatArray | None = None,
    tol: float = 1e-3,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> JointDesign:
    """Alternate between the best code for the machines and the best machines for the code.

    Extension of [Crammer2002]_, which leaves interleaving open: J = beta / 2 |M|^2 + map_beta / 2
    |W|^2 + losses is convex in M and in W. M = 0, W = 0 is stationary, and from random machines the
    first code step often leads there; a given code with the best machines for it is the better start.
    A step that does not lower J is not taken.

    Parameters
    ----------
    X : (n_samples, n_features)
    y_index : (n_samples,)
    n_classes, n_bits
        Shape of the code.
    beta, map_beta
        Weights of the code's and the machines' norms.
    n_rounds
        Rounds of one code step and one machine step each.
    start : (n_classes, n_bits), optional
        A code to start from; random machines when left out.
    margins : (n_samples, n_classes), optional
        As in `fit_machines`.
    tol
        Relative duality gap of each step.
    seed
        Of the random machines, and of random orders.
    progress
        Told the share of the work that is done; may raise to cancel.
    """
    rng = np.random.default_rng(seed)
    b = required_margins(y_index, n_classes) if margins is None else margins
    scale = np.sqrt(max(float(np.einsum("ij,ij->i", X, X).mean()), 1e-300))
    W = rng.normal(size=(n_bits, X.shape[1])) / scale
    M = np.zeros((n_classes, n_bits))
    if start is not None:
        M = np.array(start, dtype=np.float64)
        progress.note("training machines for the first code")
        W = fit_machines(
            X, y_index, M, map_beta, margins=b, tol=tol, seed=seed, progress=progress.part(0, n_rounds + 1)
        ).machines

    def joint(code: FloatArray, machines: FloatArray) -> float:
        norms = beta * (code * code).sum() + map_beta * (machines * machines).sum()
        return float(norms) / 2 + total_loss(X @ machines.T @ code.T, b, y_index)

    objectives = [joint(M, W)]
    for number in range(n_rounds):
        here = progress.part(number + 1, n_rounds + 1, f"round {number + 1} of {n_rounds}")
        here.note("designing the code")
        solution = solve_on_scores(
            X @ W.T, y_index, n_classes, beta, margins=b, tol=tol, seed=seed, progress=here.part(0, 2)
        )
        assert solution.codewords is not None  # noqa: S101 - solvers on scores always give the code
        value = joint(solution.codewords, W)
        if value < objectives[-1]:
            M = solution.codewords
        objectives.append(min(value, objectives[-1]))
        here.note("training the machines")
        step = fit_machines(X, y_index, M, map_beta, margins=b, tol=tol, seed=seed, progress=here.part(1, 2))
        value = joint(M, step.machines)
        if value < objectives[-1]:
            W = step.machines
        objectives.append(min(value, objectives[-1]))
    return JointDesign(M, W, np.array(objectives))
