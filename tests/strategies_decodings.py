"""Codes, scores and evidence for tests of decoders."""

import hypothesis.extra.numpy as hnp
import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from ecocviz.engine.entries import Evidence

ONE_VS_ONE_3 = np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], dtype=np.int8)


def one_vs_one(n_classes):
    pairs = [(a, b) for a in range(n_classes) for b in range(a + 1, n_classes)]
    code_matrix = np.zeros((n_classes, len(pairs)), dtype=np.int8)
    for s, (a, b) in enumerate(pairs):
        code_matrix[a, s], code_matrix[b, s] = 1, -1
    return code_matrix


def one_vs_all(n_classes):
    return (2 * np.eye(n_classes) - 1).astype(np.int8)


@st.composite
def codes(draw, max_classes=5, max_bits=6, dense=False):
    """Legal code matrices: both signs in every column, distinct rows."""
    n_classes = draw(st.integers(2, max_classes))
    n_bits = draw(st.integers(max(1, (n_classes - 1).bit_length()), max_bits))
    entries = st.sampled_from((-1, 1) if dense else (-1, 0, 1))
    code_matrix = draw(hnp.arrays(np.int8, (n_classes, n_bits), elements=entries))
    for s in range(n_bits):
        a, b = draw(st.permutations(range(n_classes)))[:2]
        code_matrix[a, s], code_matrix[b, s] = 1, -1
    assume(len({row.tobytes() for row in code_matrix}) == n_classes)
    return code_matrix


def scores_for(n_bits, n_samples=3, bound=4):
    """Scores in eighths, so that exact zeros and ties occur."""
    eighths = st.integers(-8 * bound, 8 * bound).map(lambda number: number / 8)
    return hnp.arrays(np.float64, (n_samples, n_bits), elements=eighths)


@st.composite
def decoding_cases(draw, max_classes=5, max_bits=6, dense=False, n_samples=3):
    """A code matrix and scores of its machines."""
    code_matrix = draw(codes(max_classes, max_bits, dense))
    return draw(scores_for(code_matrix.shape[1], n_samples)), code_matrix


def random_evidence(rng, code_matrix, n_samples, useful=False):
    """Everything a decoder may ask for; `useful` keeps the sigmoids' slopes from being positive."""
    n_bits = code_matrix.shape[1]
    sigmoids = np.column_stack([rng.normal(-1, 1, n_bits), rng.normal(0, 0.5, n_bits)])
    if useful:
        sigmoids[:, 0] = -np.abs(sigmoids[:, 0])
    return Evidence(
        sigmoids=sigmoids,
        hit_rates=rng.uniform(0, 1, code_matrix.shape) * (code_matrix != 0),
        accuracies=rng.uniform(0.1, 1, n_bits),
        weights=rng.integers(1, 50, n_bits).astype(np.float64),
        reliabilities=rng.choice([0.37, 0.4, 1.0], n_bits),
        local_reliabilities=rng.choice([0.2, 0.4, 1.0], (n_samples, n_bits)),
    )


def perfect_evidence(code_matrix, n_samples):
    """What machines without an error would report."""
    n_bits = code_matrix.shape[1]
    return Evidence(
        sigmoids=np.column_stack([np.full(n_bits, -10.0), np.zeros(n_bits)]),
        hit_rates=(code_matrix != 0).astype(np.float64),
        accuracies=np.ones(n_bits),
        weights=np.ones(n_bits),
        reliabilities=np.ones(n_bits),
        local_reliabilities=np.ones((n_samples, n_bits)),
    )
