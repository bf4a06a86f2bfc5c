"""Received words of test points: what studies of wrong bits share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ecocviz.engine.analysis.bits import BitReport, bit_report
from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import CodeMatrix
from ecocviz.lab.evaluate import Scored, score_part
from ecocviz.lab.run import train
from ecocviz.lab.scenario import Scenario, choose, make_scenario

SETS: Mapping[str, float] = {
    "glass": 0.5,
    "vowel": 0.5,
    "yeast": 0.5,
    "vehicle": 0.5,
    "segment": 0.5,
    "satimage": 0.7,
    "optdigits": 0.7,
    "pendigits": 0.85,
    "letter": 0.9,
}
"""Bundled sets of four classes and more -> share of the rows that test."""
QUICK_SETS = ("glass", "vowel", "yeast")
MACHINE_C = 10.0


@dataclass(frozen=True, slots=True)
class Received:
    """What machines said of test points.

    Attributes
    ----------
    scored
        For any decoder.
    code_matrix : (n_classes, n_bits)
    report
        Their wrong bits.
    repairs
        Wrong bits that are repaired for certain, zeros of the code at no cost; -1 for not even none.
    """

    scored: Scored
    code_matrix: CodeMatrix
    report: BitReport
    repairs: int


def scenario_of(
    about: Mapping[str, Any], coding: str, n_bits: int | None = None, decoding: str = "hamming"
) -> Scenario:
    """Return the scenario of a cell, which names a set and a seed, with a code."""
    return make_scenario(
        int(about["seed"]),
        data=str(about["set"]),
        split=("hold-out", {"test_share": SETS[str(about["set"])]}),
        coding=coding if n_bits is None else (coding, {"n_bits": n_bits}),
        machine=("kernel", {"kernel": "rbf", "C": MACHINE_C}),
        decoding=decoding,
    )


def received(scenario: Scenario, progress: Progress) -> Received:
    """Train a scenario's machines and let them answer the test points."""
    trained = train(scenario, progress)
    scored = score_part(trained, "test", progress)
    scores = scored.pool([batch.scores for batch in scored.batches if batch.scores is not None])
    repairs = code_report(trained.code_matrix).repairable_bits
    return Received(
        scored,
        trained.code_matrix,
        bit_report(scores, trained.code_matrix, scored.truth),
        -1 if repairs is None else repairs,
    )


def decided(found: Received, decoding: str, progress: Progress) -> Any:  # noqa: ANN401 - an Outcome
    """Let a decoder decide the test points."""
    return found.scored.decide(choose("decoding", decoding), progress)
