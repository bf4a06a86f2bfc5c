"""Joint learning of kernel machines with a ternary code, by preconditioned conjugate gradients."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ecocviz.engine.kernels.spectrum import centred_spectrum, gram_factor
from ecocviz.engine.memory import check_memory
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions.joint.relation import MachineStep
from ecocviz.engine.types import Bits, FloatArray, IntArray

EXACT_TOL = 1e-13
"""Residual, relative to the targets, of a final solve."""
STEP_TOL = 1e-6
"""Residual of the solves in between: the objective errs by its square."""
WARN_TOL = 1e-7
"""A final residual above this is reported."""
MAX_ITERATIONS = 2_000
RESTARTS = 4


class GradientSolver:
    """The machines of any code and kernel for any relation, in products with the Gram matrix only.

    Solves P [Omega o (K B S) + B diag(N_l/2)] = P Y for B, which lives on the used pairs Omega and sums to
    zero in every column; P centres each column over its used points, which removes the biases from
    the linear system of [Liu2016]_ (Eq. 10). The preconditioner solves every machine by itself, from
    one eigendecomposition of its own centred Gram matrix, made once for all relations and penalties.

    Symbols: K -> gram, B -> duals, S = V diag(s) V'.

    Points with weights: K, Y and B are times the roots of the weights, (n_samples,), which also take the
    place of the ones of Omega in means and sums; N_l are sums of weights. `duals` are B as it is.

    Parameters
    ----------
    gram : (n_samples, n_samples)
    targets : (n_samples, n_bits)
        In {-1, 0, +1}; every column has both signs.
    progress
        Asked now and then whether to go on; may raise to cancel.
    weights : (n_samples,), optional
        Of the points.
    """

    def __init__(
        self,
        gram: FloatArray,
        targets: Bits,
        progress: Progress = NO_PROGRESS,
        weights: FloatArray | None = None,
    ) -> None:
        self.point_roots: FloatArray = np.ones(gram.shape[0]) if weights is None else np.sqrt(weights)
        gram = gram if weights is None else gram * np.multiply.outer(self.point_roots, self.point_roots)
        self.gram = gram
        self.n_tasks = targets.shape[1]
        # Columns lie in rows here, so that what one machine sees is contiguous.
        self.mask: FloatArray = np.ascontiguousarray(targets.T != 0, dtype=np.float64)
        self.roots: FloatArray = self.mask * self.point_roots
        self.counts: FloatArray = (self.mask if weights is None else self.mask * weights).sum(axis=1)
        self.halves: FloatArray = self.counts[:, None] / 2
        self.right = self._centre(targets.T * self.point_roots)
        self.progress = progress
        self._decompose()
        self.factor = gram_factor(gram)
        self.lengths: FloatArray = np.sqrt(gram.diagonal())
        self.rows_of_duals = np.zeros_like(self.right)
        self.residual = 0.0
        self.iterations = 0

    @property
    def duals(self) -> FloatArray:
        """B, (n_samples, n_bits)."""
        return self.rows_of_duals.T * self.point_roots[:, None]

    def _centre(self, columns: FloatArray) -> FloatArray:
        """Keep the used pairs and take each machine's mean over them away, (n_bits, n_samples)."""
        used = columns * self.mask
        used -= self.roots * ((used * self.roots).sum(axis=1) / self.counts)[:, None]
        return used

    def _decompose(self) -> None:
        """Eigenvectors of each machine's own centred Gram matrix; machines shown the same points share."""
        groups: dict[bytes, list[int]] = {}
        for b in range(self.n_tasks):
            groups.setdefault(self.mask[b].tobytes(), []).append(b)
        sizes = [int(self.mask[bits[0]].sum()) for bits in groups.values()]
        check_memory(sum(size * size for size in sizes), 1, 8)
        self.blocks: list[tuple[IntArray, IntArray, FloatArray, FloatArray]] = []
        for bits in groups.values():
            rows = np.flatnonzero(self.mask[bits[0]])
            own, roots = self.gram[np.ix_(rows, rows)], self.point_roots[rows]
            vectors, values = centred_spectrum(
                own, keep_null=True, roots=None if (roots == 1).all() else roots
            )
            places = np.add.outer(np.array(bits) * self.mask.shape[1], rows)
            self.blocks.append((np.array(bits), places, vectors, values))
            self.progress.check()

    def _prepare(self, S: FloatArray) -> None:
        """Set the eigenvalues of the preconditioner for S, (n_bits, n_bits)."""
        diagonal = np.diag(S)
        self.shrinkage = [
            1 / (np.multiply.outer(diagonal[bits], values) + self.halves[bits])
            for bits, _, _, values in self.blocks
        ]

    def _precondition(self, residuals: FloatArray) -> FloatArray:
        """Solve every machine by itself as if S were diagonal, (n_bits, n_samples)."""
        solved = np.zeros_like(residuals)
        into = solved.reshape(-1)
        for (_, places, vectors, _), shrinkage in zip(self.blocks, self.shrinkage, strict=True):
            within = (residuals.take(places) @ vectors) * shrinkage
            into[places] = within @ vectors.T
        return solved

    def solve(self, vectors: FloatArray, weights: FloatArray, *, exact: bool) -> MachineStep:
        """Find the machines of S = V diag(s) V', from where the last ones stand; see `MachineSolver`."""
        S = self.S = (vectors * weights) @ vectors.T
        self._prepare(S)
        tol = EXACT_TOL if exact else STEP_TOL
        size = float(np.linalg.norm(self.right))
        residuals = self.right - self._product(self.rows_of_duals, S)
        best = np.inf
        for _ in range(RESTARTS):
            left = float(np.linalg.norm(residuals)) / size
            # What the recursion believes drifts from what is: start again from the true residual.
            if left <= tol or left > best / 2:
                break
            best = left
            residuals = self._descend(residuals, S, tol * size)
        self.residual = float(np.linalg.norm(residuals)) / size
        if exact and self.residual > WARN_TOL:
            warnings.warn(
                f"Joint learning solved its linear system to a residual of {self.residual:.1g} only; "
                "raise lambda1 or lambda2.",
                ConvergenceWarning,
                stacklevel=2,
            )
        errors = residuals + self.rows_of_duals * self.halves
        loss = float((np.einsum("li,li->l", errors, errors) / self.counts).sum())
        self.theta = self._combine()
        directions = self.theta @ vectors
        penalty = 0.5 * float(weights @ np.einsum("ij,ij->j", directions, directions))
        return MachineStep(loss, penalty, directions * weights)

    def _combine(self) -> FloatArray:
        """Return F B with F'F = K, (rank, n_bits); a column that is all rounding is zero.

        The duals of a column sum to zero, so points that do not differ cancel. What rounding leaves of
        them, up to n eps |phi(x_i)| |B_il| summed over the points, is no direction: the relation divides
        by its own trace, and would make noise its whole content.
        """
        theta: FloatArray = self.factor @ self.rows_of_duals.T
        rounding = np.finfo(np.float64).eps * self.lengths.size * (np.abs(self.rows_of_duals) @ self.lengths)
        theta[:, np.linalg.norm(theta, axis=0) <= rounding] = 0
        return theta

    def _product(self, duals: FloatArray, S: FloatArray) -> FloatArray:
        """Apply the system to B', (n_bits, n_samples); S and the Gram matrix are symmetric."""
        return self._centre((S @ duals) @ self.gram) + duals * self.halves

    def _descend(self, residuals: FloatArray, S: FloatArray, enough: float) -> FloatArray:
        """Conjugate gradients from where B stands; return the true residual, (n_bits, n_samples)."""
        solved = self._precondition(residuals)
        direction = solved
        slope = float(np.vdot(residuals, solved))
        duals = self.rows_of_duals
        for count in range(MAX_ITERATIONS):
            image = self._product(direction, S)
            length = slope / float(np.vdot(direction, image))
            duals = duals + length * direction
            residuals = residuals - length * image
            self.iterations += 1
            if float(np.linalg.norm(residuals)) <= enough:
                break
            if count % 8 == 0:
                self.progress.check()
            solved = self._precondition(residuals)
            steeper = float(np.vdot(residuals, solved))
            direction = solved + (steeper / slope) * direction
            slope = steeper
        # Rounding lets the sums drift from zero; they are part of the system.
        self.rows_of_duals = self._centre(duals)
        return self.right - self._product(self.rows_of_duals, S)

    def slopes(self) -> FloatArray:
        """Return F B with F'F = K, (rank, n_tasks)."""
        return self.theta
