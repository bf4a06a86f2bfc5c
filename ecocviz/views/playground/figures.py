"""The picked point as the browser's inspector draws it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ecocviz.engine.types import BoolArray, IntArray
from ecocviz.views.playground.inspection import Inspection, Verdict
from ecocviz.views.playground.words import point_sentence, reads_sentence, tipping_sentence
from ecocviz.views.shared.draw.theme import class_chips
from ecocviz.views.shared.draw.words import number


def inspector_data(
    inspection: Inspection,
    decoder: int,
    classes: Sequence[str],
    *,
    title: str,
    of: str,
    next_text: str,
    steps: tuple[tuple[int, str], ...] = (),
) -> dict[str, Any]:
    """Write an inspection as the browser shows it, lists as tuples, which Streamlit takes as they are.

    Parameters
    ----------
    inspection
        The point.
    decoder
        Position of the scenario's own among the decoders.
    classes
        Names.
    title
        Of the point.
    of
        Names the point, so that flips of another one are told apart.
    next_text
        What leads on to the next point; "" for nothing.
    steps
        Numbers of bits that are played, and what is said of the point with the first so many.
    """
    verdict, asked = inspection.verdicts[decoder], inspection.asked(decoder)
    sizes, sure = np.abs(inspection.scores), inspection.probabilities
    bars = np.rint(100 * inspection.scores / max(float(sizes.max()), 1e-300)).astype(np.int64)
    return {
        "title": title,
        "said": point_sentence(inspection, decoder, classes),
        "of": of,
        "classes": tuple(class_chips(classes)),
        "truth": inspection.truth,
        "decoder": decoder,
        "flips": positions(inspection.flipped),
        "tipping": verdict.tipping or (),
        "wrong": positions(inspection.wrong(decoder)),
        "split": positions(inspection.split),
        "matter": positions(inspection.matters(decoder)),
        "flipText": tipping_sentence(verdict, classes),
        "steps": steps,
        "readText": reads_sentence(inspection, decoder, classes),
        "nextText": next_text,
        "scores": tuple(map(number, inspection.scores.tolist())),
        "bars": tuple(bars.tolist()),
        "chances": None if sure is None else tuple(map(chance, sure.tolist())),
        "says": write_signs(inspection.seen(decoder)),
        "asks": None if asked is None else write_signs(asked),
        "verdicts": tuple(map(_verdict, inspection.verdicts)),
    }


def positions(where: BoolArray) -> tuple[int, ...]:
    """Return the positions that are marked, from 0."""
    return tuple(np.flatnonzero(where).tolist())


def chance(p: float) -> str:
    """Write a probability, and more digits of one that is only nearly one half.

    >>> chance(0.731), chance(0.4991), chance(0.5)
    ('0.73', '0.499', '0.50')
    """
    text = f"{p:.2f}"
    return text if text != "0.50" or p == 0.5 else f"{p:.3g}"


def write_signs(values: IntArray) -> str:
    """Write signs (n,) as one text.

    >>> write_signs(np.array([1, 0, -1]))
    '+0-'
    """
    return "".join("+" if value > 0 else "-" if value < 0 else "0" for value in values.tolist())


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "title": verdict.entry.title,
        "winner": verdict.winner,
        "runnerUp": verdict.runner_up,
        "tied": verdict.tied if verdict.is_tie else (),
        "margin": "0" if verdict.is_tie else number(verdict.margin),
        "tips": "–" if verdict.tipping is None else str(len(verdict.tipping)),
        "costs": tuple(map(number, verdict.costs.tolist())),
    }
