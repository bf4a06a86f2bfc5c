"""The records of one machine as tables of errors: sets x codes x ways to decode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ecocviz.data.catalogue import DATASETS
from ecocviz.engine.catalogue import CODINGS, DECODINGS
from ecocviz.engine.params import ParamValue
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.evidence.drawings import Opens
from ecocviz.lab.evidence.entries import Measured, Record
from ecocviz.lab.papers.our_questions.measuring import PREPARATION
from ecocviz.lab.papers.our_questions.protocol import (
    CALIBRATION_FOLDS,
    CODES,
    DECODERS,
    FOLDS,
    GRIDS,
    MACHINES,
    TITLES,
    WIDTH,
)
from ecocviz.lab.scenario import make_scenario

BEST_LOSS, CHOSEN, HINDSIGHT = "best loss", "chosen", "hindsight"
WAYS = (*DECODERS, BEST_LOSS, CHOSEN, HINDSIGHT)
"""Decoders; the loss and the decoder that the inner folds chose; the decoder with the fewest test errors."""
MOST = 0.5 + 1e-9
"""In most settings: in more than half of them."""
LEVEL = 0.05
"""Of all tests."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Test errors of one machine.

    Attributes
    ----------
    machine
        Which one.
    sets, codes
        Keys; sets that lack a code are left out.
    rows : (n_sets,)
        Rows tested.
    wrong : (n_sets, n_codes, n_ways)
        Errors, in the order of `WAYS`.
    choices : (n_decoders,)
        How often each decoder was chosen among all, over sets, codes and outer folds.
    """

    machine: str
    sets: tuple[str, ...]
    codes: tuple[str, ...]
    rows: IntArray
    wrong: IntArray
    choices: IntArray

    def rates(self, way: str) -> FloatArray:
        """Return the error rates, (n_sets, n_codes), of one way to decode."""
        rates: FloatArray = self.wrong[:, :, WAYS.index(way)] / self.rows[:, None]
        return rates


def errors_of(measured: Sequence[Measured], machine: str) -> Errors:
    """Read the records of one machine."""
    found: dict[str, dict[str, Record]] = {}
    rows: dict[str, int] = {}
    for each in measured:
        if each.cell.about["machine"] == machine:
            name = each.cell.about["set"]
            found.setdefault(name, {}).update(each.record["codes"])
            rows[name] = each.record["rows"]
    sets = tuple(name for name, codes in found.items() if all(code in codes for code in CODES))
    wrong = [[_by_way(found[name][code]["folds"]) for code in CODES] for name in sets]
    chosen = [int(fold[-1]) for name in sets for code in CODES for fold in found[name][code]["folds"]]
    return Errors(
        machine,
        sets,
        CODES,
        np.array([rows[name] for name in sets], dtype=np.int64),
        np.array(wrong, dtype=np.int64).reshape(len(sets), len(CODES), len(WAYS)),
        np.bincount(np.array(chosen, dtype=np.int64), minlength=len(DECODERS)).astype(np.int64),
    )


def _by_way(folds: Sequence[Sequence[int]]) -> list[int]:
    """Add up the errors of the outer folds, each of which ends in the decoders that were chosen in it."""
    n = len(DECODERS)
    decoders = [sum(fold[d] for fold in folds) for d in range(n)]
    return [
        *decoders,
        sum(fold[fold[n]] for fold in folds),
        sum(fold[fold[n + 1]] for fold in folds),
        min(decoders),
    ]


# Names and links -------------------------------------------------------------------------------------


def set_title(key: str) -> str:
    """Name a data set."""
    return DATASETS[key].title


def code_title(key: str) -> str:
    """Name a code in a word or two."""
    return CODINGS[key].title.partition(":")[0]


def machine_title(machine: str) -> str:
    """Name a machine at the start of a sentence."""
    title = TITLES[machine]
    return title[:1].upper() + title[1:]


def way_title(way: str) -> str:
    """Name a way to decode."""
    named = {BEST_LOSS: "Best loss", CHOSEN: "Chosen decoder", HINDSIGHT: "Best in hindsight"}
    return named[way] if way in named else DECODINGS[way].title


def opens(name: str, machine: str, code: str, way: str) -> Opens:
    """Open one set, machine, code and decoder, at the middle of the machine's grid."""
    key, fixed = MACHINES[machine]
    point: Mapping[str, ParamValue] = GRIDS[machine][len(GRIDS[machine]) // 2]
    params = {**fixed, **{param: value for param, value in point.items() if param != WIDTH}}
    scenario = make_scenario(
        data=name,
        preparation=PREPARATION,
        split=("k-fold", {"n_folds": FOLDS}),
        coding=code,
        machine=(key, params),
        reduction=("ecoc", {"calibration_folds": CALIBRATION_FOLDS}),
        decoding=way if way in DECODERS else "linear",
    )
    return Opens(scenario)
