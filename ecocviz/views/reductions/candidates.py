"""Which reductions can take part in a comparison, and the binary problems that each will solve."""

from dataclasses import dataclass

import numpy as np

from ecocviz.data.types import Prepared
from ecocviz.engine.catalogue import CODINGS, DECODINGS
from ecocviz.engine.entries import column_sizes
from ecocviz.engine.params import ChoiceParam
from ecocviz.engine.types import CodeMatrix, IntArray
from ecocviz.lab.catalogue import DEFAULTS, REDUCTIONS
from ecocviz.lab.run import fixed_code, restrict_code, why_not_run
from ecocviz.lab.scenario import Scenario

VARIANT = "variant"
"""Name of the parameter whose options are compared one by one."""
RELIABILITY_CODING = "one-vs-all"
RELIABILITIES = frozenset({"reliabilities", "local_reliabilities"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reduction that can take part in the comparison.

    Attributes
    ----------
    key
        Its name in links: the reduction's, "_", and the variant or decoder that tells it from others.
    title, summary
        For the screen.
    scenario
        What is run.
    reason
        Why it cannot be, in one sentence; None if it can.
    """

    key: str
    title: str
    summary: str
    scenario: Scenario
    reason: str | None


def candidates(scenario: Scenario) -> tuple[Candidate, ...]:
    """List every reduction, variant by variant, on a scenario's data, code, machine and decoder.

    The scenario's own reduction keeps its parameters, the others take their defaults. The reliability
    decoders are of one-vs-all machines. What would be the same scenario is listed once.
    """
    found: list[Candidate] = []
    for key, entry in REDUCTIONS.items():
        base = scenario.chosen("reduction", key)
        variants = [p for p in entry.params if p.name == VARIANT and isinstance(p, ChoiceParam)]
        if not variants:
            found.append(_candidate(key, entry.title, entry.summary, base))
        for value, label in variants[0].options if variants else ():
            title = f"{entry.title}: {label.partition(':')[0]}"
            changed = base.chosen("reduction", **{VARIANT: value})
            found.append(_candidate(f"{key}_{value}", title, entry.summary, changed))
        if key == DEFAULTS["reduction"]:
            found += _by_reliability(base)
    return tuple({candidate.scenario: candidate for candidate in reversed(found)}.values())[::-1]


def _by_reliability(base: Scenario) -> list[Candidate]:
    coding = CODINGS[RELIABILITY_CODING]
    return [
        _candidate(
            f"{base.reduction.key}_{key}",
            f"{coding.title}, {entry.title[0].lower()}{entry.title[1:]}",
            entry.summary,
            base.chosen("coding", coding.key).chosen("decoding", key),
        )
        for key, entry in DECODINGS.items()
        if entry.needs & RELIABILITIES
    ]


def _candidate(key: str, title: str, summary: str, scenario: Scenario) -> Candidate:
    return Candidate(key, title, summary, scenario, why_not_run(scenario))


def own_key(everyone: tuple[Candidate, ...], scenario: Scenario) -> str:
    """Return the key of the candidate that is the scenario itself."""
    return next(candidate.key for candidate in everyone if candidate.scenario == scenario)


def compared_candidates(
    everyone: tuple[Candidate, ...], scenario: Scenario, asked: str
) -> tuple[Candidate, ...]:
    """Return those that take part: the asked ones (all, if none), and always the scenario's own."""
    keys = set(asked.split("."))
    if not keys & {candidate.key for candidate in everyone}:
        return everyone
    keys.add(own_key(everyone, scenario))
    return tuple(candidate for candidate in everyone if candidate.key in keys)


# Predicting ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prediction:
    """Binary problems as they are known before training: their sizes, (n_problems,).

    `at_most` says that the code is learned, so that it may have fewer columns or more zeros.
    """

    sizes: IntArray
    at_most: bool


def predict(scenario: Scenario, prepared: Prepared) -> Prediction | None:
    """Say how many binary problems of which size training will solve; None where that cannot be said."""
    entry = REDUCTIONS[scenario.reduction.key]
    counts = np.bincount(prepared.y_train, minlength=len(prepared.classes))
    present = np.flatnonzero(counts)
    code, at_most = np.empty((present.size, 0), dtype=np.int8), False
    try:
        if "coding" in entry.uses:
            code, at_most = _expected_code(scenario, len(prepared.classes), present)
        if entry.problems is None:
            return Prediction(column_sizes(counts[present], code), at_most)
        sizes = entry.problems(counts[present], code, **scenario.reduction.values)
    except ValueError:
        return None  # the code cannot be made: training says why
    return Prediction(sizes, at_most)


def _expected_code(scenario: Scenario, n_classes: int, present: IntArray) -> tuple[CodeMatrix, bool]:
    """Return the code, or for a learned one the largest it may be, and whether it is only that."""
    fixed = fixed_code(scenario, n_classes)
    if fixed is not None:
        return restrict_code(fixed, present), False
    n_bits = CODINGS[scenario.coding.key].n_bits(present.size, **scenario.coding.values)
    return np.ones((present.size, n_bits), dtype=np.int8), True
