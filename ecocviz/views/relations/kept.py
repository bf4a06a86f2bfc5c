"""What is kept of the correlations that the Relations page has computed."""

from typing import Any

import numpy as np

from ecocviz.lab.scenario import Scenario
from ecocviz.lab.to_keep import Found
from ecocviz.views.relations.facts import Relations


def found_relations(scenario: Scenario, relations: Relations, seconds: float) -> Found:
    """Return what is kept of how a scenario's machines are related; `seconds` is what training took."""
    return Found(scenario, {}, seconds, more={f"relations-{relations.part}": relations_record(relations)})


def relations_record(relations: Relations) -> dict[str, Any]:
    """Return the numbers of correlations: of each kind their mean strength, and those most alike.

    Machines are counted from 1.
    """
    record: dict[str, Any] = {"points": relations.n, "machines": relations.n_bits}
    for kind, r in relations.correlations.items():
        mean = relations.mean_strength(kind)
        if np.isfinite(mean):
            a, b = relations.most_alike(kind)
            record[kind] = {"mean_strength": mean, "strongest": float(r[a, b]), "machines": [a + 1, b + 1]}
    return record
