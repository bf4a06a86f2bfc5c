"""What the app opens with: a scenario in which codes, decoders and repair visibly differ.

`scripts/first_screen.py` has looked for it, `scripts/first_screen.md` is what it saw. It is no default: links
leave defaults out, so those stay what they are. A link without any field opens this; one that holds a
field, if only `v=1`, means the defaults.
"""

from dataclasses import replace
from functools import cache

from ecocviz.lab.scenario import Scenario, make_scenario
from ecocviz.lab.selection import PICK, Selection

PICKED = 274
"""A test point with one wrong bit: the code repairs it, and decoders that add up scores do not."""


@cache
def first_scenario() -> Scenario:
    """Return the scenario of the first screen."""
    return make_scenario(
        1,
        data=("blobs", {"n_samples": 600, "n_classes": 6}),
        split=("hold-out", {"test_share": 0.7}),
        coding="hadamard",
        machine=("kernel", {"gamma": 1.0}),
        decoding="hamming",
    )


def after(before: Scenario, chosen: Scenario) -> Scenario:
    """Return what is meant by a choice: with other data, the first screen's split is left as well."""
    first = first_scenario()
    left = before.data.key == first.data.key != chosen.data.key
    return replace(chosen, split=make_scenario().split) if left and chosen.split == first.split else chosen


@cache
def first_selection() -> Selection:
    """Return what is selected on it."""
    return Selection().put([PICK], pick=PICKED)
