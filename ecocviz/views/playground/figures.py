"""The picked point as the browser's inspector draws it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.views.playground.inspection import Inspection, Verdict
from ecocviz.views.playground.words import point_sentence, tipping_sentence
from ecocviz.views.shared.draw.theme import class_chips
from ecocviz.views.shared.draw.words import number


def inspector_data(
    inspection: Inspection, decoder: int, classes: Sequence[str], *, title: str, of: str, next_text: str
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
    """
    verdict = inspection.verdicts[decoder]
    return {
        "title": title,
        "said": point_sentence(inspection, decoder, classes),
        "of": of,
        "classes": tuple(class_chips(classes)),
        "truth": inspection.truth,
        "decoder": decoder,
        "flips": tuple(np.flatnonzero(inspection.flipped).tolist()),
        "tipping": verdict.tipping or (),
        "flipText": tipping_sentence(verdict, classes),
        "nextText": next_text,
        "bits": _bits(inspection),
        "verdicts": tuple(map(_verdict, inspection.verdicts)),
    }


def _bits(inspection: Inspection) -> tuple[dict[str, Any], ...]:
    sure, asked = inspection.probabilities, inspection.asked
    return tuple(
        {
            "score": score,
            "text": number(score),
            "hard": int(inspection.bits[b]),
            "p": None if sure is None else float(sure[b]),
            "asks": None if asked is None else int(asked[b]),
        }
        for b, score in enumerate(inspection.scores.tolist())
    )


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "title": DECODINGS[verdict.decoding.key].title,
        "winner": verdict.winner,
        "runnerUp": verdict.runner_up,
        "margin": number(verdict.margin),
        "tips": "–" if verdict.tipping is None else str(len(verdict.tipping)),
        "costs": [number(cost) for cost in verdict.costs.tolist()],
    }
