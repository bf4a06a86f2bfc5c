"""Sentences about how the machines are related, computed from their correlations."""

from math import isnan

import numpy as np

from ecocviz.engine.types import IntArray
from ecocviz.views.relations.facts import MAX_DRAWN, Relations
from ecocviz.views.shared.draw.words import count, listed, percent, signed

NAMES = {"weights": "weights", "scores": "scores", "errors": "errors", "relation": "learned relation"}


def strength_sentence(relations: Relations) -> str:
    """Compare the kinds: say in what the machines are most alike, and in what least."""
    strengths = {kind: relations.mean_strength(kind) for kind in relations.correlations if kind != "relation"}
    strengths = {kind: strength for kind, strength in strengths.items() if not isnan(strength)}
    if len(strengths) < 2:
        return ""
    kinds = sorted(strengths, key=lambda kind: -strengths[kind])
    first, *rest = [(NAMES[kind], f"{strengths[kind]:.2f}") for kind in kinds]
    others = listed([f"{name} ({value})" for name, value in rest])
    return (
        f"Machines are most alike in their {first[0]}, with a mean correlation |r| of {first[1]} over all "
        "pairs; then "
        f"come {others}."
    )


def alike_sentence(relations: Relations) -> str:
    """Name the pair of machines that is most alike, in their errors if they can be compared."""
    kind = relations.leading_kind
    a, b = relations.most_alike(kind)
    r = float(relations.correlations[kind][a, b])
    if round(abs(r), 2) == 0:
        return f"No two machines correlate in their {NAMES[kind]}."
    way = "the most alike" if r > 0 else "the most opposed"
    return f"Machines {a + 1} and {b + 1} are {way} in their {NAMES[kind]} (r = {signed(r)})."


def heatmaps_sentence(relations: Relations, n_drawn: int, *, clickable: bool) -> str:
    """Say what else there is to know of the heatmaps."""
    points = count(relations.n, "test point" if relations.part == "test" else "training point")
    said = [
        strength_sentence(relations),
        f"Scores and errors are measured on {points}. The colours of each picture end at its largest value.",
        *relations.missing.values(),
    ]
    n_without = relations.n_without("errors") if "errors" in relations.correlations else 0
    if n_without:
        said.append(
            f"{count(n_without, 'pair')} {'has' if n_without == 1 else 'have'} no correlation of errors, "
            "because one of the two machines is never (or always) wrong where both are asked."
        )
    if "relation" in relations.correlations:
        said.append("The learned relation is scaled so that its diagonal is 1.")
    if n_drawn < relations.n_bits:
        said.append(f"{n_drawn} of {relations.n_bits:,} machines are drawn; at most {MAX_DRAWN} fit.")
    if clickable:
        said.append("Click a cell to look at its two machines.")
    return " ".join(filter(None, said))


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
    'Both are wrong on 10.0 % (10 of 100) of the points that both are asked about; \
if they erred independently, it would be 2.2 points.'
    """
    n = int(counts.sum())
    a, b = pair[0] + 1, pair[1] + 1
    if n == 0:
        return f"No point is asked of both machine {a} and machine {b}, so their errors cannot be compared."
    if not counts[1].sum() and not counts[:, 1].sum():
        return f"Neither machine is wrong on the {count(n, 'point')} that both are asked about."
    both = int(counts[1, 1])
    expected = counts[1].sum() * counts[:, 1].sum() / n
    expected_text = f"{expected:,.0f}" if expected >= 10 else f"{expected:.1f}"
    return (
        f"Both are wrong on {percent(both, n)} of the points that both are asked about; "
        f"if they erred independently, it would be {expected_text} points."
    )


def correlations_sentence(relations: Relations, pair: tuple[int, int]) -> str:
    """List how two machines correlate."""
    found = (f"{NAMES[kind]} {signed(float(r[pair]))}" for kind, r in relations.correlations.items())
    return f"Correlations: {', '.join(found)}."


def scores_sentence(n_drawn: int, n: int) -> str:
    """Explain how points are drawn."""
    said = (
        "Each quadrant is one pair of answers; the signs beside a class are the answers that it should get. "
        "Outlined points have one wrong bit, strongly outlined ones two."
    )
    return said if n_drawn == n else f"{said} {n_drawn:,} of {n:,} points are drawn."


def machine_label(relations: Relations, b: int) -> str:
    """Name a machine by its number and its two sides."""
    asked, classes = np.sign(relations.code_matrix[:, b]), relations.classes
    sides = [[classes[c] for c in np.flatnonzero(asked == sign).tolist()] for sign in (1, -1)]
    if not all(sides):
        return f"machine {b + 1}"
    if min(map(len, sides)) > 2:
        return f"{b + 1}: {len(sides[0])} against {len(sides[1])} classes"
    names = [listed(side) if len(side) <= 2 else f"{len(side)} classes" for side in sides]
    if len(sides[0]) + len(sides[1]) == len(classes) and len(sides[1]) > 2:
        names[1] = f"{len(sides[1])} others"
    return f"{b + 1}: {names[0]} against {names[1]}"
