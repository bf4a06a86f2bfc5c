"""What the three steps to begin with are called, and what is to be looked at in each."""

from collections.abc import Sequence

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.views.playground.inspection import Inspection, Verdict
from ecocviz.views.shared.draw.words import count, listed, number

STEPS = ("Machines answer + or −", "The nearest row wins", "Flip bits until it breaks")
"""Titles."""


def strip_sentence(
    step: int, inspection: Inspection, decoder: int, classes: Sequence[str], unflipped: int
) -> str:
    """Say what to look at once a step is done.

    Parameters
    ----------
    step
        1, 2 or 3; 0 before any.
    inspection
        The picked point, with its flips.
    decoder
        Position of the scenario's own among the decoders.
    classes
        Names.
    unflipped
        The class that the decoder picks without any flip.
    """
    n_bits = len(inspection.scores)
    if step == 1:
        return (
            f"Each of the {count(n_bits, 'column')} of the code is one machine: + on one side of its border, "
            "− on the other. Point at a column's number to see its border again."
        )
    if step == 2:
        return _nearest_sentence(inspection, decoder, classes)
    if step == 3:
        return _flip_sentence(inspection, decoder, classes, unflipped)
    return "Click a step to see it happen."


def _nearest_sentence(inspection: Inspection, decoder: int, classes: Sequence[str]) -> str:
    verdict = inspection.verdicts[decoder]
    title = DECODINGS[verdict.decoding.key].title
    found = _tie_sentence(verdict, classes)
    if not found:
        name, rival = classes[verdict.winner], classes[verdict.runner_up]
        least, next_one = (number(verdict.costs[one]) for one in (verdict.winner, verdict.runner_up))
        found = f"{name} has the lowest cost, {least}; next is {rival} with {next_one}."
    return (
        f"The {count(len(inspection.scores), 'answer')} for the ringed point are compared with every row of "
        f"the code. {found} The column {title} cost, right of the rows, shows them all."
    )


def _tie_sentence(verdict: Verdict, classes: Sequence[str]) -> str:
    """Say which classes cost the same; nothing where one costs least."""
    tied = [name for name, cost in zip(classes, verdict.costs, strict=True) if cost == verdict.costs.min()]
    if len(tied) < 2:
        return ""
    return f"{listed(tied)} cost the same, {number(verdict.costs.min())}: the first listed, {tied[0]}, wins."


def _flip_sentence(inspection: Inspection, decoder: int, classes: Sequence[str], unflipped: int) -> str:
    verdict, n_flips = inspection.verdicts[decoder], int(inspection.flipped.sum())
    now = classes[verdict.winner]
    if not n_flips:
        return f"No bit is flipped, and the decision is {now}. Click again to flip one."
    flips = f"{count(n_flips, 'bit')} flipped"
    if verdict.winner == unflipped:
        return f"{flips}: still {now}. Click again to flip one more."
    tie = _tie_sentence(verdict, classes)
    parts = (f"{flips}: now {now} instead of {classes[unflipped]}.", tie, "Click again to put the bits back.")
    return " ".join(filter(None, parts))
