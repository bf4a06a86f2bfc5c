"""Sentences about how the machines are related, computed from their correlations."""

from collections.abc import Mapping, Sequence

import numpy as np

from ecocviz.engine.types import AnyCode, FloatArray, IntArray
from ecocviz.views.shared.draw.words import count, listed, percent, signed

NAMES = {"weights": "weights", "scores": "scores", "errors": "errors", "relation": "learned relation"}


def mean_strength(correlations: FloatArray) -> float:
    """Return the mean |r| over all pairs of machines.

    >>> mean_strength(np.array([[1.0, -0.5], [-0.5, 1.0]]))
    0.5
    """
    upper = np.triu_indices(correlations.shape[0], 1)
    return float(np.abs(correlations[upper]).mean())


def strength_sentence(correlations: Mapping[str, FloatArray]) -> str:
    """Compare the kinds: say in what the machines are most alike, and in what least.

    >>> close, far = np.array([[1.0, 0.8], [0.8, 1.0]]), np.array([[1.0, -0.1], [-0.1, 1.0]])
    >>> strength_sentence({"weights": far, "errors": close})
    'Over all pairs, errors are more strongly correlated (0.80 on average, either way) than weights (0.10).'
    """
    kinds = sorted(
        (k for k in correlations if k != "relation"), key=lambda k: -mean_strength(correlations[k])
    )
    if len(kinds) < 2:
        return ""
    first, *rest = [(NAMES[kind], f"{mean_strength(correlations[kind]):.2f}") for kind in kinds]
    others = listed([f"{name} ({value})" for name, value in rest])
    return (
        f"Over all pairs, {first[0]} are more strongly correlated ({first[1]} on average, either way) "
        f"than {others}."
    )


def alike_sentence(kind: str, pair: tuple[int, int], r: float) -> str:
    """Name the pair of machines that is most alike; `pair` counts from 0.

    >>> alike_sentence("errors", (0, 3), 0.6)
    'Machines 1 and 4 are the most alike in their errors (+0.60).'
    """
    if round(abs(r), 2) == 0:
        return f"No two machines correlate in their {NAMES[kind]}."
    way = "the most alike" if r > 0 else "the most opposed"
    return f"Machines {pair[0] + 1} and {pair[1] + 1} are {way} in their {NAMES[kind]} ({signed(r)})."


def joint_sentence(counts: IntArray, pair: tuple[int, int]) -> str:
    """Say how often two machines err together, and how often they would if they erred independently.

    Parameters
    ----------
    counts : (2, 2)
        Row: the first machine right, wrong; column: the second.
    pair
        The machines, counted from 0.

    Examples
    --------
    >>> joint_sentence(np.array([[80, 5], [5, 10]]), (0, 1))
    'Both err on 10.0 % (10 of 100) of the points asked of both; were they independent, on 2.2 points.'
    """
    n = int(counts.sum())
    a, b = pair[0] + 1, pair[1] + 1
    if n == 0:
        return f"No point is asked of both machine {a} and machine {b}, so their errors cannot be compared."
    if not counts[1].sum() and not counts[:, 1].sum():
        return f"Neither machine errs on the {count(n, 'point')} that both are asked about."
    both = int(counts[1, 1])
    expected = counts[1].sum() * counts[:, 1].sum() / n
    expected_text = f"{expected:,.0f}" if expected >= 10 else f"{expected:.1f}"
    return (
        f"Both err on {percent(both, n)} of the points asked of both; "
        f"were they independent, on {expected_text} points."
    )


def machine_label(column: AnyCode, classes: Sequence[str], b: int) -> str:
    """Name a machine by its number and its two sides.

    Parameters
    ----------
    column : (n_classes,)
        What it is to say of each class.
    classes
        Names, in order.
    b
        Its number, from 0.

    Examples
    --------
    >>> machine_label(np.array([1, -1, -1, -1]), ["ant", "bee", "cat", "dog"], 0)
    '1: ant against 3 others'
    >>> machine_label(np.array([1, -1, 0]), ["ant", "bee", "cat"], 1)
    '2: ant against bee'
    """
    sides = [[classes[c] for c in np.flatnonzero(np.sign(column) == sign).tolist()] for sign in (1, -1)]
    if not all(sides):
        return f"machine {b + 1}"
    if min(map(len, sides)) > 2:
        return f"{b + 1}: {len(sides[0])} against {len(sides[1])} classes"
    whole = len(sides[0]) + len(sides[1]) == len(classes)
    told = [listed(side) if len(side) <= 2 else f"{len(side)} classes" for side in sides]
    if whole and len(sides[1]) > 2:
        told[1] = f"{len(sides[1])} others"
    return f"{b + 1}: {told[0]} against {told[1]}"
