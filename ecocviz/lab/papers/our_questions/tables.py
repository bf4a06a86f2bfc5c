"""The records of one machine as tables of errors: sets x codes x ways to decode."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ecocviz.data.catalogue import DATASETS
from ecocviz.engine.catalogue import CODINGS, DECODINGS
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.evidence.entries import Measured, Record
from ecocviz.lab.papers.our_questions.protocol import CODES, DECODERS, TITLES

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
    taken : (n_sets, n_codes, n_ways)
        The number of the decoder that each way took, in most folds where they differ.
    """

    machine: str
    sets: tuple[str, ...]
    codes: tuple[str, ...]
    rows: IntArray
    wrong: IntArray
    choices: IntArray
    taken: IntArray

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
    taken = [[_taken(found[name][code]["folds"]) for code in CODES] for name in sets]
    chosen = [int(fold[-1]) for name in sets for code in CODES for fold in found[name][code]["folds"]]
    return Errors(
        machine,
        sets,
        CODES,
        np.array([rows[name] for name in sets], dtype=np.int64),
        np.array(wrong, dtype=np.int64).reshape(len(sets), len(CODES), len(WAYS)),
        np.bincount(np.array(chosen, dtype=np.int64), minlength=len(DECODERS)).astype(np.int64),
        np.array(taken, dtype=np.int64).reshape(len(sets), len(CODES), len(WAYS)),
    )


def known_errors(measured: Sequence[Measured]) -> list[Errors]:
    """Read the records of all machines that have a set with every code."""
    found = [errors_of(measured, machine) for machine in TITLES]
    return [errors for errors in found if errors.sets]


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


def _taken(folds: Sequence[Sequence[int]]) -> list[int]:
    """Return the decoder of each way, of several equally often chosen ones the first."""
    n = len(DECODERS)
    decoders = _by_way(folds)[:n]
    chosen = [[fold[place] for fold in folds] for place in (n, n + 1)]
    usual = [max(sorted(set(each)), key=each.count) for each in chosen]
    return [*range(n), *usual, decoders.index(min(decoders))]


# Names -------------------------------------------------------------------------------------------


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
