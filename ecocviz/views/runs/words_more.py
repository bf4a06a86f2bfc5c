"""What is kept of runs beside errors, in words: bounds, bits, correlations, codes; the page of a run."""

from collections.abc import Mapping
from typing import Any

from ecocviz.engine.params import shorten
from ecocviz.lab.store_rows import PAPER, SWEEP
from ecocviz.views.runs import words
from ecocviz.views.runs.facts import Kept, count_of
from ecocviz.views.shared.draw.curves import MEASURES

PAGES = {
    "playground": "the Playground", "code_matrix": "Code matrix", "decoders": "Decoders", "bits": "Bits",
    "relations": "Relations", "model_selection": "Model selection", "reductions": "Reductions",
    "papers": "Papers",
}  # fmt: skip
"""Pages that show runs, and how their names follow "in"."""
MORE_NAMES = {
    **{str(measure): name for measure, name in MEASURES.items()},
    "bits-test": "Bits, test points", "bits-train": "Bits, training points",
    "relations-test": "Correlations of machines, test points",
    "relations-train": "Correlations of machines, training points", "code": "Code",
}  # fmt: skip

LONGEST_LIST = 200


def page_of(kept: Kept) -> str:
    """Return the page on which a run is opened: the one that showed it last, else what shows its kind."""
    usual = {PAPER: "papers", SWEEP: "model_selection"}.get(kept.run.kind, "playground")
    return kept.run.page if kept.run.page in PAGES else usual


def more_rows(kept: Kept) -> list[tuple[str, ...]]:
    """Return what else is kept of a run: what it is, and its numbers in words."""
    found: list[tuple[str, ...]] = []
    for name, record in kept.more.items():
        counted = count_of(record)
        said = " · ".join(f"{part} {value}" for part, value in flat(record).items())
        found.append((MORE_NAMES.get(name, name), said if counted is None else words.error_text(counted)))
    return found


def flat(record: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """Write a record without mappings in it: names with blanks between, numbers with six digits.

    >>> flat({"points": 3, "scores": {"mean": 1 / 3, "machines": [1, 2]}})
    {'points': '3', 'scores mean': '0.333333', 'scores machines': '1, 2'}
    """
    found: dict[str, str] = {}
    for key, value in record.items():
        name = key.replace("_", " ")
        if isinstance(value, Mapping):
            found |= flat(value, f"{before}{name} ")
        elif isinstance(value, list):
            found[f"{before}{name}"] = shorten(", ".join(map(_number_text, value)), LONGEST_LIST)
        else:
            found[f"{before}{name}"] = _number_text(value)
    return found


def _number_text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
