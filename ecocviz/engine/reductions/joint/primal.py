"""Joint learning of linear machines with any code, from the moments of the points each machine is shown."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ecocviz.engine.kernels.spectrum import feature_means
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions.joint.relation import (
    Learned,
    MachineStep,
    conjugate_penalty,
    shrunken,
    step_weights,
    trace_norm_penalty,
)
from ecocviz.engine.types import Bits, FloatArray


@dataclass(frozen=True, slots=True)
class Moments:
    """Means and covariances, over the points each machine is shown; the data are not needed again.

    Attributes
    ----------
    means : (n_bits, n_features)
    target_means : (n_bits,)
    covariances : (n_bits, n_features, n_features)
        C_l, divided by N_l.
    products : (n_bits, n_features)
        c_l, covariance of features and targets.
    variances : (n_bits,)
        Of the targets.
    """

    means: FloatArray
    target_means: FloatArray
    covariances: FloatArray
    products: FloatArray
    variances: FloatArray

    def fitted(self, machines: FloatArray) -> FloatArray:
        """Return C_l w_l of every machine, (n_features, n_bits), for W, (n_features, n_bits)."""
        fitted: FloatArray = (self.covariances @ machines.T[:, :, None])[:, :, 0].T
        return fitted

    def losses(self, machines: FloatArray, fitted: FloatArray) -> float:
        """Return the sum over machines of the mean squared error at the best bias.

        Parameters
        ----------
        machines, fitted : (n_features, n_bits)
            W, and `fitted(W)`.
        """
        crossed = fitted - 2 * self.products.T
        return float(self.variances.sum() + np.vdot(machines, crossed))

    def slopes(self, fitted: FloatArray) -> FloatArray:
        """Return minus the gradient of the loss, 2 (c_l - C_l w_l) = Phi'B, (n_features, n_bits)."""
        return 2 * (self.products.T - fitted)

    def biases(self, machines: FloatArray) -> FloatArray:
        """Return the best biases, (n_bits,)."""
        biases: FloatArray = self.target_means - np.einsum("ld,dl->l", self.means, machines)
        return biases


def gather_moments(X: FloatArray, targets: Bits, weights: FloatArray | None = None) -> Moments:
    """Return the moments of every machine.

    Parameters
    ----------
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
        In {-1, 0, +1}; every column has both signs.
    weights : (n_samples,), optional
        Of the points.
    """
    n_bits, n_features = targets.shape[1], X.shape[1]
    means, target_means = np.empty((n_bits, n_features)), np.empty(n_bits)
    covariances, products = np.empty((n_bits, n_features, n_features)), np.empty((n_bits, n_features))
    for b in range(n_bits):
        shown = np.flatnonzero(targets[:, b])
        points, y = X[shown], targets[shown, b].astype(np.float64)
        shares = None if weights is None else weights[shown] / weights[shown].sum()
        means[b] = feature_means(points, shares)
        target_means[b] = y.mean() if shares is None else shares @ y
        points = points - means[b]
        if shares is None:
            covariances[b] = points.T @ points / shown.size
            products[b] = points.T @ (y - target_means[b]) / shown.size
        else:
            covariances[b] = points.T @ (shares[:, None] * points)
            products[b] = points.T @ (shares * (y - target_means[b]))
    return Moments(means, target_means, covariances, products, 1 - target_means**2)


class PrimalSolver:
    """The machines of any code for any relation, by Cholesky's method in n_features x n_bits unknowns.

    With W = Z R, R = diag(sqrt(s)) V', the stationary Z solves z + sum_l 2 (R_l R_l' (x) C_l) z =
    2 vec(c R'), whose eigenvalues are at least 1 however small the penalties are.

    Parameters
    ----------
    moments
        Of the training points.
    """

    def __init__(self, moments: Moments) -> None:
        self.moments = moments
        self.n_tasks, self.n_features = moments.means.shape
        self.flat_covariances = moments.covariances.reshape(self.n_tasks, -1)

    def solve(self, vectors: FloatArray, weights: FloatArray, *, exact: bool) -> MachineStep:
        """Find the machines of S = V diag(s) V'; arguments as in `MachineSolver`."""
        del exact
        if np.array_equal(vectors, np.eye(self.n_tasks)) and np.ptp(weights) == 0:
            return self._solve_alone(1 / float(weights[0]))
        roots = np.sqrt(weights)
        R = roots[:, None] * vectors.T
        q, D = weights.size, self.n_features
        pairs = (R[:, None, :] * R[None, :, :]).reshape(q * q, self.n_tasks)
        blocks = 2 * (pairs @ self.flat_covariances).reshape(q, q, D, D)
        system = np.ascontiguousarray(blocks.transpose(0, 2, 1, 3)).reshape(q * D, q * D)
        system.flat[:: q * D + 1] += 1
        right = 2 * (R @ self.moments.products).ravel()
        factor = scipy.linalg.cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
        Z = scipy.linalg.cho_solve(factor, right, check_finite=False).reshape(q, D).T
        self.machines: FloatArray = Z @ R
        return self._step(0.5 * float(np.vdot(Z, Z)), Z * roots)

    def _solve_alone(self, ridge: float) -> MachineStep:
        """Find the machines of S = I / ridge, one small system for each."""
        systems = 2 * self.moments.covariances + ridge * np.eye(self.n_features)
        right = 2 * self.moments.products[:, :, None]
        self.machines = np.asarray(np.linalg.solve(systems, right)[:, :, 0].T, dtype=np.float64)
        return self._step(ridge / 2 * float(np.vdot(self.machines, self.machines)), self.machines)

    def _step(self, penalty: float, factor: FloatArray) -> MachineStep:
        self.fitted = self.moments.fitted(self.machines)
        return MachineStep(self.moments.losses(self.machines, self.fitted), penalty, factor)

    def slopes(self) -> FloatArray:
        """Return Theta itself, (n_features, n_tasks)."""
        return self.moments.slopes(self.fitted)


def descend(
    moments: Moments,
    lambda1: float,
    lambda2: float,
    *,
    tol: float,
    max_steps: int,
    progress: Progress = NO_PROGRESS,
) -> tuple[FloatArray, Learned]:
    """Find the optimum over machines and relation at once, by accelerated proximal gradients (FISTA).

    Minimises sum of losses + lambda1/2 |W|^2 + lambda2/2 |W|_*^2, what is left of Eq. 4 of [Liu2016]_
    when M is minimised out (|W|_* -> sum of singular values). A step that would raise the objective
    is taken again without momentum, so that the recorded objective never rises.

    Parameters
    ----------
    moments
        Of the training points.
    lambda1, lambda2
        Weights of the penalties; not both 0.
    tol
        Duality gap, as a share of the objective, at which the descent ends.
    max_steps
        Steps at most.
    progress
        Told the finished share; may raise to cancel.

    Returns
    -------
    machines : (n_features, n_bits)
        W.
    learned
        The relation, the objective after every step, and the gap.
    """
    steps = _Descent(moments, lambda1, lambda2)
    gap, converged, count = np.inf, False, 0
    while not converged and count < max_steps:
        count += 1
        steps.advance()
        if count % 10 == 0 or count == max_steps:
            gap = steps.gap()
            converged = gap <= tol * steps.history[-1]
            progress.at(count / max_steps)
    eigenvalues, vectors = np.linalg.eigh(relation := steps.relation())
    learned = Learned(
        relation=relation,
        history=np.array(steps.history),
        objective=steps.history[-1],
        gap=gap,
        cycles=count,
        converged=converged,
        vectors=vectors,
        weights=step_weights(np.maximum(eigenvalues, 0.0), lambda1, lambda2),
        factor=steps.machines,
    )
    return steps.machines, learned


class _Descent:
    """State of the accelerated descent; `fitted` follows every point, so that C W is formed once a step."""

    def __init__(self, moments: Moments, lambda1: float, lambda2: float) -> None:
        self.moments, self.lambda1, self.lambda2 = moments, lambda1, lambda2
        steepest = max(float(np.linalg.norm(C, 2)) for C in moments.covariances)
        self.rate = 1 / max(2 * steepest, np.finfo(np.float64).tiny)
        n_bits, n_features = moments.means.shape
        self.machines = self.fitted = np.zeros((n_features, n_bits))
        self.values = np.zeros(min(n_features, n_bits))
        self.rows = np.eye(n_bits)[: self.values.size]
        self.momentum, self.lead = 1.0, 0.0
        self.before, self.fitted_before = self.machines, self.fitted
        self.history = [moments.losses(self.machines, self.fitted)]

    def advance(self) -> None:
        """Take one step, with momentum if that lowers the objective, else without."""
        lead = self.lead
        ahead = self.machines + lead * (self.machines - self.before)
        fitted = self.fitted + lead * (self.fitted - self.fitted_before)
        if not self._step(ahead, fitted):
            self.momentum = 1.0
            self.lead = 0.0
            if not self._step(self.machines, self.fitted):
                # Rounding: nothing lower can be told apart from here.
                self.history.append(self.history[-1])
            return
        following = 0.5 + np.sqrt(0.25 + self.momentum**2)
        self.lead = (self.momentum - 1) / following
        self.momentum = following

    def _step(self, origin: FloatArray, fitted: FloatArray) -> bool:
        """Step from a point and go there if the objective does not rise; say whether it did not."""
        target = origin + self.rate * self.moments.slopes(fitted)
        left, values, rows = np.linalg.svd(target, full_matrices=False)
        # The proximal map of rate * (lambda1/2 |.|^2 + lambda2/2 |.|_*^2).
        values = shrunken(values, 1 + self.rate * self.lambda1, self.rate * self.lambda2)
        machines = (left * values) @ rows
        fitted = self.moments.fitted(machines)
        penalty = trace_norm_penalty(values, self.lambda1, self.lambda2)
        objective = self.moments.losses(machines, fitted) + penalty
        if objective > self.history[-1]:
            return False
        self.before, self.fitted_before = self.machines, self.fitted
        self.machines, self.fitted, self.values, self.rows = machines, fitted, values, rows
        self.history.append(objective)
        return True

    def gap(self) -> float:
        """Return the duality gap at the current machines, the dual point scaled for the best bound."""
        loss = self.moments.losses(self.machines, self.fitted)
        Theta = self.moments.slopes(self.fitted)
        slopes = np.linalg.svd(Theta, compute_uv=False)
        curvature = loss + conjugate_penalty(slopes, self.lambda1, self.lambda2)
        gain = loss + 0.5 * float(np.vdot(self.machines, Theta))
        return max(self.history[-1] - gain**2 / curvature, 0.0)

    def relation(self) -> FloatArray:
        """Return M = (W'W)^(1/2) / trace, (n_bits, n_bits)."""
        n_bits = self.rows.shape[1]
        total = float(self.values.sum())
        if total == 0:
            return np.asarray(np.eye(n_bits) / n_bits)
        half = self.rows.T * np.sqrt(self.values / total)
        relation: FloatArray = half @ half.T
        return relation
