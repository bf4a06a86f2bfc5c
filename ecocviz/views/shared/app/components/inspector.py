"""The decode inspector in the browser: packs an inspection and mounts the table."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.views.playground.inspection import Inspection
from ecocviz.views.shared.app.components.assets import component
from ecocviz.views.shared.app.components.code_grid import class_chips
from ecocviz.views.shared.draw.words import number, tipping_sentence

_mount = component("inspector")


def inspector_data(
    inspection: Inspection,
    classes: Sequence[str],
    decoder: int,
    *,
    title: str,
    said: str,
    of: str,
    next_text: str,
) -> dict[str, Any]:
    """Write an inspection as the browser shows it; `of` names the point, so that old flips are told apart."""
    asked: list[int | None] = [None] * len(inspection.scores)
    row = np.flatnonzero(inspection.class_index == inspection.truth)
    if row.size:
        asked = np.sign(inspection.code_matrix[row[0]]).astype(int).tolist()
    sure = inspection.probabilities
    verdict = inspection.verdicts[decoder]
    tipping = verdict.tipping
    return {
        "title": title,
        "said": said,
        "of": of,
        "classes": class_chips(classes),
        "truth": inspection.truth,
        "decoder": decoder,
        "flips": np.flatnonzero(inspection.flipped).tolist(),
        "tipping": list(tipping or ()),
        "flipText": tipping_sentence(
            None if tipping is None else len(tipping), classes[verdict.winner], tipping or ()
        ),
        "nextText": next_text,
        "bits": [
            {
                "score": float(score),
                "text": number(float(score)),
                "hard": int(inspection.bits[b]),
                "p": None if sure is None else float(sure[b]),
                "asks": asked[b],
            }
            for b, score in enumerate(inspection.scores)
        ],
        "verdicts": [
            {
                "title": DECODINGS[v.decoding.key].title,
                "winner": v.winner,
                "runnerUp": v.runner_up,
                "margin": number(v.margin),
                "tips": "–" if v.tipping is None else str(len(v.tipping)),
                "costs": [number(cost) for cost in v.costs.tolist()],
            }
            for v in inspection.verdicts
        ],
    }


def inspector(
    data: dict[str, Any],
    *,
    key: str,
    on_flips: Callable[[], None],
    on_next: Callable[[], None],
) -> Any:  # noqa: ANN401 - Streamlit's own result object
    """Mount the inspector; `flips` of its state lists flipped bits, its trigger `next` asks for a point."""
    return _mount(key=key, data=data, on_flips_change=on_flips, on_next_change=on_next)
