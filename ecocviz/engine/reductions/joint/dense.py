"""Joint learning of a code without zeros: every step is diagonal in the eigenvectors of the Gram matrix."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.kernels.spectrum import centred_spectrum, feature_means
from ecocviz.engine.reductions.joint.relation import MachineStep
from ecocviz.engine.types import Bits, FloatArray


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Training points in the coordinates in which dense codes are solved; one for all codes and penalties.

    Attributes
    ----------
    vectors : (n_samples, rank)
        Eigenvectors U of the centred Gram matrix.
    values : (rank,)
        Eigenvalues kappa.
    means : (n_samples,)
        Mean of every row of the Gram matrix, by the weights of the points.
    weights : (n_samples,) or None
        Of the points: vectors and values are then those of points times the roots of their weights, and
        centred by the weighted mean. None where all weigh 1.
    """

    vectors: FloatArray
    values: FloatArray
    means: FloatArray
    weights: FloatArray | None = None

    @property
    def roots(self) -> FloatArray:
        """Roots of the weights, (n_samples, 1)."""
        n = self.vectors.shape[0]
        return np.ones((n, 1)) if self.weights is None else np.sqrt(self.weights)[:, None]


def gram_spectrum(gram: FloatArray, weights: FloatArray | None = None) -> Spectrum:
    """Return the spectrum of a kernel, from its (n_samples, n_samples) Gram matrix."""
    if weights is None:
        return Spectrum(*centred_spectrum(gram), gram.mean(axis=0))
    roots = np.sqrt(weights)
    scaled = gram * np.multiply.outer(roots, roots)
    return Spectrum(*centred_spectrum(scaled, roots=roots), weights @ gram / weights.sum(), weights)


def linear_spectrum(X: FloatArray, weights: FloatArray | None = None) -> Spectrum:
    """Return the spectrum of the linear kernel, from the thin singular decomposition of centred points.

    Parameters
    ----------
    X : (n_samples, n_features)
    """
    mean = feature_means(X, weights)
    roots = None if weights is None else np.sqrt(weights)[:, None]
    centred = X - mean if roots is None else roots * (X - mean)
    vectors, values, _ = np.linalg.svd(centred, full_matrices=False)
    kept = values > max(X.shape) * np.finfo(np.float64).eps * values[0]
    vectors = vectors[:, kept]
    if weights is None or roots is None:
        return Spectrum(vectors - vectors.mean(axis=0), values[kept] ** 2, X @ mean)
    vectors -= roots * (roots.T @ vectors / weights.sum())
    return Spectrum(vectors, values[kept] ** 2, X @ mean, weights)


class DenseSolver:
    """The machines of a dense code for any relation, at the cost of a few small products.

    With H K H = U diag(kappa) U' and S = V diag(s) V', the centred linear system of [Liu2016]_
    (Eq. 10) falls apart into numbers: (U'B V)_kj = (U'Y V)_kj / (kappa_k s_j + n/2). The code is first
    compressed to its rank: the rows of W lie in the row space of the centred targets, so n_classes - 1
    tasks, combinations of columns, stand for a code of any length.

    Points with weights: rows of targets, features and duals are times the roots of the weights while the
    system is solved, and n is the sum of the weights; nothing else changes.

    Parameters
    ----------
    spectrum
        Of the training points.
    targets : (n_samples, n_bits)
        In {-1, +1}.
    """

    def __init__(self, spectrum: Spectrum, targets: Bits) -> None:
        self.spectrum = spectrum
        weights = spectrum.weights
        self.means, self.basis, centred = compressed(targets, weights)
        self.centred: FloatArray = centred if weights is None else spectrum.roots * centred
        self.n_tasks = self.basis.shape[1]
        self.n = targets.shape[0] if weights is None else float(weights.sum())
        # Centred U makes U'H Y = U'Y.
        self.projected: FloatArray = spectrum.vectors.T @ self.centred
        self.rest: FloatArray = self.centred - spectrum.vectors @ self.projected
        self.floor = float(np.einsum("ij,ij->", self.rest, self.rest)) / self.n
        self.roots = np.sqrt(spectrum.values)[:, None]

    def solve(self, vectors: FloatArray, weights: FloatArray, *, exact: bool) -> MachineStep:
        """Find the machines of S = V diag(s) V'; arguments as in `MachineSolver`."""
        del exact
        self.turn, self.weights = vectors, weights
        self.shifts = np.multiply.outer(self.spectrum.values, weights) + self.n / 2
        self.duals = (self.projected @ vectors) / self.shifts
        self.directions: FloatArray = self.roots * self.duals
        loss = self.n / 4 * float(np.einsum("ij,ij->", self.duals, self.duals)) + self.floor
        squares = np.einsum("ij,ij->j", self.directions, self.directions)
        return MachineStep(loss, 0.5 * float(weights @ squares), self.directions * weights)

    def slopes(self) -> FloatArray:
        """Return diag(sqrt(kappa)) U'B, (rank, n_tasks)."""
        return self.directions @ self.turn.T

    def duals_and_coefficients(self) -> tuple[FloatArray, FloatArray]:
        """Return B and A = B S of all machines, (n_samples, n_bits) each."""
        U = self.spectrum.vectors
        outside = self.rest * (2 / self.n)
        duals = U @ (self.duals @ self.turn.T) + outside
        within = U @ ((self.duals * self.weights) @ self.turn.T)
        coefficients = within + outside @ (self.turn * self.weights) @ self.turn.T
        if self.spectrum.weights is not None:
            duals, coefficients = self.spectrum.roots * duals, self.spectrum.roots * coefficients
        return duals @ self.basis.T, coefficients @ self.basis.T

    def expand(self, relation: FloatArray) -> FloatArray:
        """Return the relation of all machines, (n_bits, n_bits), from that of the tasks."""
        expanded: FloatArray = self.basis @ relation @ self.basis.T
        return (expanded + expanded.T) / 2

    def left_out_residuals(self) -> FloatArray:
        """Return Y_i - f(x_i) of machines trained without point i, (n_samples, n_bits), relation fixed.

        The residual of point i grows by 1 / (1 - leverage): (B V)_ij / h_ij, where h_ij is the entry of
        the inverse of the centred system, sum_k U_ik^2 / (kappa_k s_j + n/2) plus 2/n times what U
        leaves out of point i. The other points keep their weight 1/n.
        """
        U = self.spectrum.vectors
        squared = U**2
        turned = U @ self.duals + (2 / self.n) * (self.rest @ self.turn)
        inverse = squared @ (1 / self.shifts)
        own = 1.0 if self.spectrum.weights is None else self.spectrum.weights
        inverse += (1 - own / self.n - squared.sum(axis=1))[:, None] * (2 / self.n)
        residuals: FloatArray = (turned / inverse) @ self.turn.T @ self.basis.T
        return residuals if self.spectrum.weights is None else residuals / self.spectrum.roots


def compressed(targets: Bits, weights: FloatArray | None = None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Write centred targets in as few columns as their rank.

    Parameters
    ----------
    targets : (n_samples, n_bits)
    weights : (n_samples,), optional
        Of the points.

    Returns
    -------
    means : (n_bits,)
        Mean of every column.
    basis : (n_bits, rank)
        Q, orthonormal columns that span the rows of the centred targets.
    centred : (n_samples, rank)
        Centred targets times Q.
    """
    rows = np.ascontiguousarray(targets)
    keys = rows.view(np.dtype((np.void, rows.shape[1]))).ravel()
    _, first, which, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    if weights is not None:
        counts = np.bincount(which.ravel(), weights)
    codewords = rows[first].astype(np.float64)
    means = counts @ codewords / counts.sum()
    centred = codewords - means
    _, values, rows_of = np.linalg.svd(np.sqrt(counts)[:, None] * centred, full_matrices=False)
    rank = int((values > max(centred.shape) * np.finfo(np.float64).eps * values[0]).sum())
    basis = rows_of[:rank].T
    return means, basis, (centred @ basis)[which]
