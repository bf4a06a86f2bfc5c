"""What is kept of codes that were learned, or whose errors were compared."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ecocviz.lab.evaluate import Outcome
from ecocviz.lab.run import without_decoder
from ecocviz.lab.scenario import Scenario
from ecocviz.lab.to_keep import Found
from ecocviz.views.code_matrix.facts import Code, learner


@dataclass(frozen=True, slots=True)
class Trained:
    """A code that machines were trained for.

    Attributes
    ----------
    scenario
        The one on the screen, with this code.
    code
        None while it is awaited.
    seconds
        What training took.
    part, outcome
        What the scenario's decoder makes of which points; None where that was not asked for.
    """

    scenario: Scenario
    code: Code | None
    seconds: float
    part: str = "test"
    outcome: Outcome | None = None


def found_codes(trained: Iterable[Trained]) -> Iterator[Found]:
    """Go through what is kept of codes."""
    for one in trained:
        outcome, more = one.outcome, {} if one.code is None else {"code": code_record(one.code)}
        counts = {} if outcome is None else {one.part: (outcome.n_wrong, outcome.n)}
        left = {} if outcome is None or outcome.decided is None else {one.part: outcome.decided}
        yield Found(_trained_scenario(one), counts, one.seconds, left, more)


def _trained_scenario(one: Trained) -> Scenario:
    """Return what was trained: for its code alone that may be the plain reduction in place of one's own."""
    asked = learner(one.scenario)
    if one.outcome is not None or asked == without_decoder(one.scenario):
        return one.scenario
    return replace(asked, decoding=one.scenario.decoding)


def code_record(code: Code) -> dict[str, Any]:
    """Return the numbers of a code.

    Rows, machines, the smallest and the mean distance of two rows, how many wrong bits are repaired for
    certain (-1 for not even none), and how well near codewords stand for near classes, -1 to 1.
    """
    report = code.report
    found = {
        "rows": report.n_classes,
        "machines": report.n_bits,
        "smallest_distance": float(report.min_distance),
        "mean_distance": float(report.mean_distance),
        "repaired": report.repairable_bits_hamming,
        "agreement": code.agreement,
    }
    return {name: value for name, value in found.items() if value is not None}
