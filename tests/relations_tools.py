"""Relations of machines that were never trained."""

import numpy as np

from ecocviz.views.relations.facts import Relations


def some_correlations(n, seed=0):
    r = np.corrcoef(np.random.default_rng(seed).normal(size=(n, 40)))
    np.fill_diagonal(r, 1.0)
    return r


def some_relations(
    *,
    correlations=None,
    code=None,
    classes=None,
    scores=None,
    truth=None,
    wrong=None,
    part="test",
    missing=None,
):
    """A record with what is given; the rest is empty, with as many machines and classes."""
    correlations = correlations or {}
    n_bits = next(iter(correlations.values())).shape[0] if code is None else code.shape[1]
    code = np.zeros((2, n_bits)) if code is None else code
    scores = np.zeros((0, n_bits)) if scores is None else scores
    return Relations(
        classes=classes or tuple(chr(65 + c) for c in range(len(code))),
        part=part,
        has_test=True,
        code_matrix=code,
        truth=np.zeros(len(scores), dtype=np.int64) if truth is None else truth,
        scores=scores,
        wrong=np.zeros(scores.shape, dtype=bool) if wrong is None else wrong,
        asked=np.ones(scores.shape, dtype=bool),
        correlations=correlations,
        orders={kind: np.arange(n_bits) for kind in (*correlations, "code")},
        missing=missing or {},
    )
