"""What the numbers of our questions open: the nearest scenario, and how far it is from what was measured."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from ecocviz.data.bundled import manifest
from ecocviz.data.bundled_facts import FACTS
from ecocviz.engine.params import ParamValue
from ecocviz.engine.types import FloatArray
from ecocviz.lab.evidence.drawings import Opens
from ecocviz.lab.evidence.entries import nearest
from ecocviz.lab.papers.our_questions.measuring import PREPARATION
from ecocviz.lab.papers.our_questions.protocol import (
    CALIBRATION_FOLDS,
    DECODERS,
    FOLDS,
    GRIDS,
    MACHINES,
    WIDTH,
)
from ecocviz.lab.papers.our_questions.tables import (
    BEST_LOSS,
    HINDSIGHT,
    WAYS,
    Errors,
    code_title,
    set_title,
    way_title,
)
from ecocviz.lab.scenario import Scenario, make_scenario

WORDS = {"C": "C", "max_depth": "depth", "var_smoothing": "smoothing"}
"""Parameters of the grids -> what they are called."""
WIDTH_OPENED = "γ as \u201cscale\u201d"
"""The grid has half and twice that."""


def scenario_of(name: str, machine: str, code: str, decoding: str) -> Scenario:
    """Return the scenario of a set with a code, at the middle of the machine's grid."""
    key, fixed = MACHINES[machine]
    params = {**fixed, **{param: value for param, value in _middle(machine).items() if param != WIDTH}}
    return make_scenario(
        data=name,
        preparation=PREPARATION,
        split=("k-fold", {"n_folds": FOLDS}),
        coding=code,
        machine=(key, params),
        reduction=("ecoc", {"calibration_folds": CALIBRATION_FOLDS}),
        decoding=decoding,
    )


def _middle(machine: str) -> Mapping[str, ParamValue]:
    return GRIDS[machine][len(GRIDS[machine]) // 2]


def opens(errors: Errors, s: int, code: int, way: str) -> Opens:
    """Open a set with a code and a way to decode.

    Parameters
    ----------
    errors
        Of the machine.
    s, code
        Their numbers.
    way
        To decode; one that was chosen fold by fold opens the decoder that most folds chose.
    """
    decoding = DECODERS[int(errors.taken[s, code, WAYS.index(way)])]
    found = Opens(scenario_of(errors.sets[s], errors.machine, errors.codes[code], decoding))
    total, kept = rows_of(errors.sets[s]), int(errors.rows[s])
    rows = "" if kept == total else f"all {total:,} rows (the study has {kept:,})"
    at = [f"{WORDS[param]} = {value:g}" for param, value in _middle(errors.machine).items() if param in WORDS]
    at += [WIDTH_OPENED] * (WIDTH in _middle(errors.machine))
    machine = f"{' and '.join(at)}, amid the grid: which parameters the inner folds chose is not recorded"
    return found.but(rows, _decoder(way, decoding), machine)


def _decoder(way: str, decoding: str) -> str:
    if way == decoding:
        return ""
    why = "the best in hindsight" if way == HINDSIGHT else "which most folds chose"
    what = "the loss" if way == BEST_LOSS else "decoding"
    return f"{what} {way_title(decoding)}, {why}"


@cache
def rows_of(name: str) -> int:
    """Return how many rows a bundled set has, without reading it."""
    (file,) = [facts.file for facts in FACTS if facts.key == name]
    return int(manifest()[file]["n"])


def of_mean(errors: Errors, code: int, way: str, values: FloatArray) -> Opens:
    """Open the set that comes nearest to the mean of all of them.

    Parameters
    ----------
    values : (n_sets,)
        What the mean is of.
    """
    s = nearest(float(np.mean(values)), values.tolist())
    which = f"{set_title(errors.sets[s])}, the nearest of {len(errors.sets)} sets to their mean"
    return opens(errors, s, code, way).which(which)


def of_settings(errors: Errors, way: str, values: FloatArray) -> Opens:
    """Open the set and code that come nearest to the mean of all settings.

    Parameters
    ----------
    values : (n_sets, n_codes)
        What the mean is of.
    """
    s, code = divmod(nearest(float(values.mean()), values.ravel().tolist()), len(errors.codes))
    one = f"{set_title(errors.sets[s])} with {code_title(errors.codes[code])}"
    return opens(errors, s, code, way).which(f"{one}, one of the {values.size} settings counted")
