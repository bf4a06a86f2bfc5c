"""Everything a scenario can choose from, slot by slot, and what cannot be combined."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

from ecocviz.data.catalogue import DATASETS, PREPARATIONS, SPLITS
from ecocviz.engine import reductions
from ecocviz.engine.analysis.rejecting import NONE, RULES
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
        "rejecting": RULES,
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
        "rejecting": NONE.key,
    },
)
"""What a slot holds where a link or a file leaves it out; what the app opens with is `first_screen`."""


def why_not(
    coding: Coding | None,
    decoding: Decoding | None,
    reduction: Reduction | None,
    machine: Machine | None,
) -> str | None:
    """Say in one sentence why these cannot be combined, or None if they can.

    Any of the four may be None: then it is left out of the question. What a reduction does not use
    is no obstacle (`why_unused` says so instead).
    """
    uses = _PARTS if reduction is None else reduction.uses
    if (
        coding is not None
        and reduction is not None
        and "coding" in uses
        and coding.ternary
        and not reduction.ternary
    ):
        return f"{reduction.title} needs a code without zeros, but {coding.title} may have some."
    if decoding is None or "decoding" not in uses:
        return None
    if machine is not None and decoding.needs & _RELIABILITIES and not machine.kernel:
        return f"{decoding.title} decoding works with kernel machines only; choose one."
    if reduction is not None and decoding.needs & _RELIABILITIES and "machine" not in uses:
        return (
            f"{decoding.title} decoding works with kernel machines only, and {reduction.title} does not "
            "train them."
        )
    return None


def why_unused(slot: str, reduction: Reduction) -> str | None:
    """Say in one sentence that a reduction does not look at a slot, or None if it does."""
    if slot == "rejecting":
        slot = "decoding"  # it is an option of the decoder
    if slot in reduction.uses or slot not in _PARTS:
        return None
    return f"{reduction.title} does not use a {slot}; the choice is kept for other reductions."


_PARTS = frozenset({"coding", "machine", "decoding"})


_RELIABILITIES = frozenset({"reliabilities", "local_reliabilities"})
