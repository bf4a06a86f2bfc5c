"""What the tests of joint learning share: small problems, relations, settings."""

import numpy as np
import oracles_joint as oracles
from hypothesis import strategies as st

from ecocviz.engine.kernels.gram import Kernel
from ecocviz.engine.reductions.joint.settings import JointSettings

RBF = Kernel("rbf", 0.5, 3, 0.0)
LINEAR = Kernel("linear", 1.0, 3, 0.0)
PENALTIES = st.sampled_from(
    [(1e-2, 1e-2), (1e-4, 1e-2), (1e-3, 1e-5), (1e-6, 1e-6), (0.0, 1e-2), (1e-2, 0.0)]
)
AGREEMENT = 1e-8
PRODUCTS = 1e-5
"""W = Phi'B S: at penalties of 1e-6, S multiplies the rounding of the linear system itself by a million."""


def points(seed, n_classes, n_features=3, extra=5):
    """Points with every class at least twice, and labels."""
    generator = np.random.default_rng(seed)
    y = np.concatenate([np.tile(np.arange(n_classes), 2), generator.integers(n_classes, size=extra)])
    return generator.normal(size=(y.size, n_features)) + y[:, None] / 2, y


def some_relation(seed, n, rank):
    """A positive semidefinite matrix of trace 1: its eigenvectors and eigenvalues."""
    root = np.random.default_rng(seed).normal(size=(n, rank))
    values, vectors = np.linalg.eigh(root @ root.T / np.trace(root @ root.T))
    values[: n - rank] = 0
    return vectors, np.maximum(values, 0)


def inverse_penalty(vectors, eigenvalues, lambda1, lambda2):
    return oracles.inverse_penalty((vectors * eigenvalues) @ vectors.T, lambda1, lambda2)


def settled(kernel, lambda1, lambda2, solver="auto", tol=1e-6, max_cycles=400):
    return JointSettings(
        kernel=kernel, lambda1=lambda1, lambda2=lambda2, tol=tol, max_cycles=max_cycles, solver=solver
    )
