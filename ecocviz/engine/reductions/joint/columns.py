"""The machines of joint learning as trained columns: which solver, what they say of points, leaving out."""

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.kernels.gram import gram_matrix
from ecocviz.engine.memory import check_memory
from ecocviz.engine.points import is_sparse
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.chunks import kernel_expansion
from ecocviz.engine.reductions.joint.dense import DenseSolver, Spectrum, gram_spectrum, linear_spectrum
from ecocviz.engine.reductions.joint.gradients import GradientSolver
from ecocviz.engine.reductions.joint.left_out import left_out_scores
from ecocviz.engine.reductions.joint.primal import PrimalSolver, descend, gather_moments
from ecocviz.engine.reductions.joint.relation import (
    SMOOTHING,
    Learned,
    MachineSolver,
    learn_alone,
    learn_relation,
)
from ecocviz.engine.reductions.joint.settings import JointSettings
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray, Points, Scores

STEPS_PER_CYCLE = 50
"""Steps of the descent that stand for one alternation in `max_cycles`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Solution:
    """Machines of the active columns; `coefficients` for kernels, `machines` for the linear kernel."""

    learned: Learned
    relation: FloatArray
    products: FloatArray
    duals: FloatArray
    biases: FloatArray
    scores: Scores
    coefficients: FloatArray | None = None
    machines: FloatArray | None = None


class JointColumns:
    """Machines trained jointly; attributes as `TrainedColumns`, and what joint learning adds.

    Columns whose targets show one side only are left out of the joint problem: they are constant.

    Parameters
    ----------
    settings
        Kernel, penalties and stopping rules.
    X : (n_samples, n_features)
    targets : (n_samples, n_bits)
        Sides of each machine, 0 leaves a point out.
    weights : (n_samples,), optional
        Of the points: N_l is their sum, and mean squared errors are weighted.
    progress
        Told the finished share; may raise to cancel.
    spectrum
        Of the same points and kernel, where it is known already (dense codes).

    Attributes
    ----------
    relation : (n_bits, n_bits)
        M, of trace 1; zero for constant columns.
    weight_products : (n_bits, n_bits)
        W'W: inner products of the machines in the space of the kernel.
    duals : (n_samples, n_bits)
        Signed dual coefficients B; B times the targets are the alphas of the paper.
    coefficients : (n_samples, n_bits) or None
        A = B S of kernel machines: scores are k(x)'A + biases.
    machines : (n_features, n_bits) or None
        W of linear machines.
    biases : (n_bits,)
    history : (n_steps,)
        Objective after every half step; it never rises.
    objective, gap, cycles
        Final objective, how far it may be above its least value, alternations (or steps) taken.
    """

    probability_scale = False
    theorem = False
    alphas: FloatArray | None = None
    diagonal: FloatArray | None = None
    gaps: FloatArray | None = None
    upper: FloatArray | None = None
    n_updates: IntArray | None = None

    def __init__(
        self,
        settings: JointSettings,
        X: Points,
        targets: Bits,
        *,
        weights: FloatArray | None = None,
        progress: Progress = NO_PROGRESS,
        spectrum: Spectrum | None = None,
    ) -> None:
        self.weights = weights
        self.settings = settings
        self.X = X
        self.targets = targets
        self.active: IntArray = np.flatnonzero((targets == 1).any(axis=0) & (targets == -1).any(axis=0))
        self._spectrum = spectrum
        self.solver = settings.choose(X, targets[:, self.active])
        n_samples, n_bits = targets.shape
        self.relation: FloatArray = np.zeros((n_bits, n_bits))
        self.weight_products: FloatArray = np.zeros((n_bits, n_bits))
        self.duals: FloatArray = np.zeros((n_samples, n_bits))
        self.biases: FloatArray = np.sign(targets.sum(axis=0, dtype=np.int64)).astype(np.float64)
        self.scores: Scores = np.tile(self.biases, (n_samples, 1))
        linear = settings.kernel.name == "linear"
        self.coefficients: FloatArray | None = None if linear else np.zeros((n_samples, n_bits))
        self.machines: FloatArray | None = np.zeros((X.shape[1], n_bits)) if linear else None
        self.history: FloatArray = np.zeros(1)
        self.objective, self.gap, self.cycles, done = 0.0, 0.0, 0, True
        if self.active.size:
            done = self._place(self._solve(progress))
        self.converged: BoolArray = np.full(n_bits, done)
        self.squared_norms: FloatArray | None = np.diag(self.weight_products).copy()
        progress.at(1.0)

    @property
    def score_accuracy(self) -> FloatArray:
        """What scores may be off by: the tolerance is relative, and so is this."""
        largest: FloatArray = np.abs(self.scores).max(axis=0, initial=0.0)
        return self.settings.tol * largest

    def __getstate__(self) -> dict[str, Any]:
        """Leave the spectrum out of pickles: it is made again when it is needed."""
        return {**self.__dict__, "_spectrum": None}

    @property
    def spectrum(self) -> Spectrum:
        """The training points in the coordinates in which dense codes are solved."""
        if self._spectrum is None:
            linear = self.settings.kernel.name == "linear" and not is_sparse(self.X)
            self._spectrum = (
                linear_spectrum(self.X, self.weights) if linear else gram_spectrum(self._gram(), self.weights)
            )
        return self._spectrum

    def _gram(self) -> FloatArray:
        return np.asarray(gram_matrix(self.settings.kernel, self.X), dtype=np.float64)

    def _place(self, solution: _Solution) -> bool:
        """Write the active columns' machines between the constant ones; say whether they converged."""
        active, square = self.active, np.ix_(self.active, self.active)
        self.relation[square] = solution.relation
        self.weight_products[square] = solution.products
        self.duals[:, active] = solution.duals
        self.biases[active] = solution.biases
        self.scores[:, active] = solution.scores
        if self.coefficients is not None:
            self.coefficients[:, active] = solution.coefficients
        if self.machines is not None:
            self.machines[:, active] = solution.machines
        learned = solution.learned
        self.history, self.objective = learned.history, learned.objective
        self.gap, self.cycles = learned.gap, learned.cycles
        if not learned.converged:
            warnings.warn(
                f"Joint learning stopped after {learned.cycles} rounds with an objective of "
                f"{learned.objective:.4g}, up to {learned.gap:.2g} too high; "
                "raise max_iter, lambda1 or tol.",
                ConvergenceWarning,
                stacklevel=5,
            )
        return learned.converged

    def _solve(self, progress: Progress) -> _Solution:
        solve = {
            "spectral": self._solve_dense,
            "gradients": self._solve_by_gradients,
            "primal": self._solve_linear,
            "descent": self._solve_linear,
        }[self.solver]
        return solve(self.targets[:, self.active], progress)

    def _learn(self, solver: MachineSolver, progress: Progress) -> Learned:
        lambda1, lambda2 = self.settings.lambda1, self.settings.lambda2
        if lambda2 == 0:
            return learn_alone(solver, lambda1)
        return learn_relation(
            solver,
            lambda1,
            lambda2,
            start=1 / self.active.size,
            levels=SMOOTHING,
            tol=self.settings.tol,
            max_cycles=self.settings.max_cycles,
            progress=progress,
        )

    def _solve_dense(self, targets: Bits, progress: Progress) -> _Solution:
        solver = DenseSolver(self.spectrum, targets)
        learned = self._learn(solver, progress)
        self._turn, self._weights = learned.vectors, learned.weights
        duals, coefficients = solver.duals_and_coefficients()
        # (10') itself: what is missing to the targets is N/2 times the dual coefficient over the weight.
        missing = solver.n / 2 * duals
        if self.weights is not None:
            missing = missing / self.weights[:, None]
        factor = learned.factor @ solver.basis.T
        return _Solution(
            learned=learned,
            relation=solver.expand(learned.relation),
            products=factor.T @ factor,
            duals=duals,
            biases=solver.means - self.spectrum.means @ coefficients,
            scores=targets - missing,
            coefficients=coefficients,
            machines=self.X.T @ coefficients,
        )

    def _solve_by_gradients(self, targets: Bits, progress: Progress) -> _Solution:
        gram = self._gram()
        solver = GradientSolver(gram, targets, progress, self.weights)
        learned = self._learn(solver, progress)
        coefficients = solver.duals @ solver.S
        fitted = gram @ coefficients
        mask = self._shown(targets)
        biases = (mask * (targets - fitted)).sum(axis=0) / mask.sum(axis=0)
        return _Solution(
            learned=learned,
            relation=learned.relation,
            products=learned.factor.T @ learned.factor,
            duals=solver.duals,
            biases=biases,
            scores=fitted + biases,
            coefficients=coefficients,
            machines=self.X.T @ coefficients,
        )

    def _solve_linear(self, targets: Bits, progress: Progress) -> _Solution:
        moments = gather_moments(self.X, targets, self.weights)
        settings = self.settings
        if self.solver == "primal" or settings.lambda2 == 0:
            solver = PrimalSolver(moments)
            learned = self._learn(solver, progress)
            machines = solver.machines
        else:
            machines, learned = descend(
                moments,
                settings.lambda1,
                settings.lambda2,
                tol=settings.tol,
                max_steps=STEPS_PER_CYCLE * settings.max_cycles,
                progress=progress,
            )
        biases = moments.biases(machines)
        scores = self.X @ machines + biases
        mask = self._shown(targets)
        return _Solution(
            learned=learned,
            relation=learned.relation,
            products=machines.T @ machines,
            duals=2 * mask * (targets - scores) / mask.sum(axis=0),
            biases=biases,
            scores=scores,
            machines=machines,
        )

    def _shown(self, targets: Bits) -> FloatArray:
        """Return what each point counts for each machine, (n_samples, n_bits), 0 where it is left out."""
        own = 1.0 if self.weights is None else self.weights[:, None]
        shown: FloatArray = (targets != 0) * np.asarray(own, dtype=np.float64)
        return shown

    def independent(self) -> "JointColumns":
        """Train the same machines without a relation (lambda2 = 0), each by itself: the control.

        With lambda1 = 0 nothing would hold them: then the relation is held at I / n_bits instead, which
        is a ridge of lambda2 * n_bits.
        """
        old = self.settings
        ridge = old.lambda1 if old.lambda1 > 0 else old.lambda2 * max(self.active.size, 1)
        settings = replace(old, lambda1=ridge, lambda2=0.0)
        return JointColumns(settings, self.X, self.targets, weights=self.weights, spectrum=self._spectrum)

    def release(self) -> None:
        """Give back nothing: the spectrum serves the control, and leaving points out."""

    def predict_scores(self, X: Points) -> Scores:
        """Return the scores of new points, (n, n_bits): every machine's is a sum over all machines' duals."""
        if self.machines is not None:
            scores: Scores = X @ self.machines + self.biases
            return scores
        assert self.coefficients is not None  # noqa: S101 - kernel machines have them
        return kernel_expansion(self.settings.kernel, X, self.X, self.coefficients) + self.biases

    def held_out_scores(self, fold_ids: IntArray, progress: Progress = NO_PROGRESS) -> Scores:
        """Return each training point's scores by machines trained without its fold, (n_samples, n_bits).

        The relation is learned anew without the fold, too.
        """
        scores = np.empty(self.targets.shape)
        folds = np.unique(fold_ids)
        for number, fold in enumerate(folds):
            held = fold_ids == fold
            within = progress.part(number, folds.size, f"fold {number + 1} of {folds.size}")
            within.note("training all machines")
            weights = None if self.weights is None else self.weights[~held]
            trained = JointColumns(
                self.settings, self.X[~held], self.targets[~held], weights=weights, progress=within
            )
            scores[held] = trained.predict_scores(self.X[held])
        return scores

    def leave_one_out_scores(self, progress: Progress = NO_PROGRESS, tol: float | None = None) -> Scores:
        """Return each training point's scores by machines trained without it, (n_samples, n_bits), exactly.

        The relation and the weights 1/N_l of the other points stay as they are. For dense codes the
        scores follow from what training has computed; for ternary codes the linear system is inverted.
        `tol` is for solvers that can be told one; here it is not used.
        """
        del tol
        scores = self.scores.copy()
        if not self.active.size:
            return scores
        targets = self.targets[:, self.active]
        if self.solver == "spectral":
            solver = DenseSolver(self.spectrum, targets)
            solver.solve(self._turn, self._weights, exact=True)
            scores[:, self.active] = targets - solver.left_out_residuals()
            return scores
        size = int(np.count_nonzero(targets)) + self.active.size
        check_memory(3 * size, size, 8)
        scores[:, self.active] = left_out_scores(
            self._gram(),
            targets,
            self._inverse_penalty(),
            self.duals[:, self.active],
            self.scores[:, self.active],
            progress,
            self.weights,
        )
        return scores

    def _inverse_penalty(self) -> FloatArray:
        """Return S of the active columns from the relation."""
        lambda1, lambda2 = self.settings.lambda1, self.settings.lambda2
        M = self.relation[np.ix_(self.active, self.active)]
        eye = np.eye(self.active.size)
        if lambda2 == 0:
            return eye / lambda1
        S = np.linalg.solve(lambda1 * M + lambda2 * eye, M)
        return np.asarray(S + S.T) / 2
