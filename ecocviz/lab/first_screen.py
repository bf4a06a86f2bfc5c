"""What the app opens with: a scenario in which codes, decoders and repair visibly differ.

`scripts/first_screen.py` has looked for it, `scripts/first_screen.md` is what it saw. It is no default: links
leave defaults out, so those stay what they are. A link without any field opens this; one that holds a
field, if only `v=1`, means the defaults.
"""

from dataclasses import replace
from functools import cache

from ecocviz.data.catalogue import DATASETS
from ecocviz.lab.scenario import Scenario, make_scenario
from ecocviz.lab.selection import PICK, Selection

MOST_PAIRED = 30
"""Classes of which each pair has a machine where data of one's own start."""
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
    """Return what is meant by a choice: other data leave the first screen's split, OpenML's all of it."""
    first = first_scenario()
    left = before.data.key == first.data.key != chosen.data.key
    if left and chosen.split == first.split:
        chosen = replace(chosen, split=make_scenario().split)
    fetched = DATASETS[chosen.data.key].needs == "network" and before.data.key != chosen.data.key
    return own_start(chosen) if fetched else chosen


def own_start(scenario: Scenario, n_classes: int | None = None) -> Scenario:
    """Return what data of one's own start with where nothing else was chosen.

    Choices that are neither the first screen's nor defaults were made by somebody, and stay.

    Parameters
    ----------
    n_classes
        Of the data; None if not known.
    """
    coding = "one-vs-all" if n_classes is not None and n_classes > MOST_PAIRED else "one-vs-one"
    start = make_scenario(preparation="standardise", coding=coding)
    slots = ("preparation", "coding", "machine", "decoding")
    untouched = (first_scenario(), make_scenario(), make_scenario(coding="one-vs-one"))
    return replace(
        scenario,
        **{
            slot: getattr(start, slot)
            for slot in slots
            if getattr(scenario, slot) in [getattr(each, slot) for each in untouched]
        },
    )


@cache
def first_selection() -> Selection:
    """Return what is selected on it."""
    return Selection().put([PICK], pick=PICKED)
