"""Everything a scenario can choose from, slot by slot, and what cannot be combined."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

from ecocviz.data.catalogue import DATASETS, PREPARATIONS, SPLITS
from ecocviz.engine import reductions
from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES
from ecocviz.engine.entries import Coding, Decoding, Machine, Reduction
from ecocviz.engine.params import Param
from ecocviz.engine.registry import collect


class Entry(Protocol):
    """What every catalogue entry offers to links, widgets and lists."""

    @property
    def key(self) -> str:
        """The name in links and files."""

    @property
    def title(self) -> str:
        """The name on the screen."""

    @property
    def summary(self) -> str:
        """One sentence."""

    @property
    def params(self) -> tuple[Param, ...]:
        """What can be set."""


REDUCTIONS: Mapping[str, Reduction] = collect(reductions, "REDUCTION", Reduction)

SLOTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "data": DATASETS,
        "preparation": PREPARATIONS,
        "split": SPLITS,
        "coding": CODINGS,
        "machine": MACHINES,
        "reduction": REDUCTIONS,
        "decoding": DECODINGS,
    },
)
"""Slot name -> key -> entry, in the order in which a scenario is told."""

DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        "data": "blobs",
        "preparation": "min-max",
        "split": "hold-out",
        "coding": "one-vs-all",
        "machine": "kernel",
        "reduction": "ecoc",
        "decoding": "likelihood",
    },
)
"""The first screen: what a slot holds until somebody chooses."""


def why_not(
    coding: Coding | None,
    decoding: Decoding | None,
    reduction: Reduction | None,
    machine: Machine | None,
) -> str | None:
    """Say in one sentence why these cannot be combined, or None if they can.

    Any of the four may be None: then it is left out of the question.
    """
    if decoding is not None and coding is not None:
        if decoding.one_vs_one_only and coding.key not in {"one-vs-one", "custom"}:
            return f"{decoding.title} decoding counts duels of two classes; choose the one-vs-one coding."
        if not decoding.zeros and coding.ternary:
            return f"{decoding.title} decoding knows no entries of 0, which {coding.title} may hold."
    if (
        decoding is not None
        and machine is not None
        and decoding.needs & _RELIABILITIES
        and not machine.kernel
    ):
        return (
            f"{decoding.title} decoding needs the dual coefficients of kernel machines; choose one of those."
        )
    if reduction is not None and decoding is not None and "decoding" not in reduction.uses:
        return f"{reduction.title} decides by itself and uses no decoder."
    return None


_RELIABILITIES = frozenset({"reliabilities", "local_reliabilities"})
