"""What is kept of the bits that the Bits page has counted, beside the errors of a scenario."""

from typing import Any

import numpy as np

from ecocviz.lab.evaluate import Outcome
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.to_keep import Found
from ecocviz.views.bits.facts import BitFacts

MOST_LISTED = 100
"""Of more machines not each one's errors are kept."""


def found_bits(scenario: Scenario, facts: BitFacts, seconds: float, outcome: Outcome | None = None) -> Found:
    """Return what is kept of a scenario's bits.

    Parameters
    ----------
    scenario
        With its decoder.
    facts
        Its bits.
    seconds
        What training took.
    outcome
        What the decoder makes of the same points; None where that is not known yet.
    """
    more = {f"bits-{facts.part}": bits_record(facts)}
    if outcome is None:
        return Found(scenario, {}, seconds, more=more)
    left = {} if outcome.decided is None else {facts.part: outcome.decided}
    return Found(scenario, {facts.part: (outcome.n_wrong, outcome.n)}, seconds, left, more)


def bits_record(facts: BitFacts) -> dict[str, Any]:
    """Return the numbers of wrong bits.

    Points, machines, bits that were asked for and wrong ones; how many wrong bits of a point are repaired for
    certain and how many points have no more; points with 0, 1, 2, ... wrong bits; the mean correlation of the
    errors of two machines; the errors of each machine.
    """
    counts = np.trim_zeros(facts.report.histogram, "b")
    record: dict[str, Any] = {
        "points": facts.n,
        "machines": facts.n_bits,
        "asked_bits": int(facts.report.asked.sum()),
        "wrong_bits": facts.n_wrong,
        "repaired": facts.repairs,
        "points_within": facts.n_within,
        "points_by_wrong_bits": [int(n) for n in counts],
    }
    if np.isfinite(facts.mean_phi):
        record["mean_phi"] = float(facts.mean_phi)
    if facts.n_bits <= MOST_LISTED:
        record["wrong_of_machines"] = [int(n) for n in np.diag(facts.joint)]
    return record
