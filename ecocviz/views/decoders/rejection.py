"""What decoders get wrong among the points that they still decide, while doubtful ones are left undecided."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.analysis.rejection import RejectionCurve, margins, rejection_curve, syndrome_doubts
from ecocviz.engine.types import AnyCode
from ecocviz.lab.judge import Judgement
from ecocviz.views.decoders.facts import Comparison

MAX_CURVES = 4
WORDS = ("attenuated-hamming", "hamming")
"""Decoders whose costs are distances of the received word; the second only where a code has no zeros."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """One way to choose the points that are not decided.

    Attributes
    ----------
    name
        Of the decoder.
    curve
        Errors against points rejected.
    repairs
        By syndrome: how many wrong bits the code repairs for certain; None by margin.
    promised
        By syndrome: the step at which only words within that distance are decided.
    """

    name: str
    curve: RejectionCurve
    repairs: int | None = None
    promised: int = 0


def rejections(compared: Comparison, code_matrix: AnyCode) -> tuple[Rejection, ...]:
    """Return the curves by margin, the scenario's own decoder first, and the one by syndrome last.

    Of decoders that decide alike the first is taken.
    """
    found: list[Rejection] = []
    seen: set[bytes] = set()
    for each in sorted(compared.judged, key=lambda each: each is not compared.own):
        decided = each.outcome.labels.tobytes()
        if decided not in seen and len(found) < MAX_CURVES:
            seen.add(decided)
            doubts = -margins(each.outcome.costs)
            found.append(Rejection(compared.names[each.key], rejection_curve(each.outcome.wrong, doubts)))
    syndrome = by_syndrome(compared, code_matrix)
    return tuple(found) if syndrome is None else (*found, syndrome)


def by_syndrome(compared: Comparison, code_matrix: AnyCode) -> Rejection | None:
    """Return the curve by syndrome; None for a code without words, or where no distances were judged."""
    whole = bool((np.abs(code_matrix) == 1).all())
    known = {each.key: each for each in compared.judged}
    judged: Judgement | None = next((known[key] for key in WORDS[: 1 + whole] if key in known), None)
    repairs = code_report(code_matrix).repairable_bits
    if judged is None or repairs is None:
        return None
    doubts = syndrome_doubts(judged.outcome.costs)
    curve = rejection_curve(judged.outcome.wrong, doubts)
    promised = int(np.flatnonzero(curve.n_rejected == int((doubts > repairs).sum()))[0])
    return Rejection(compared.names[judged.key], curve, repairs, promised)
