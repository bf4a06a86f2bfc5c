"""First calls, made before anything is timed: compiled loops are loaded then, or compiled, for seconds."""

from contextlib import suppress

import numpy as np
from sklearn.base import clone

from ecocviz.engine import capabilities as can
from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.multiclass import Multiclass
from ecocviz.engine.params import ChoiceParam
from ecocviz.engine.progress import Asking, Progress
from ecocviz.engine.types import FloatArray, IntArray
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Choice, Scenario

N_FIRST = 6
"""Points of each class that training is tried on first."""

_CALLED: set[object] = set()
"""What has been called in this process."""


def call_first(
    scenario: Scenario, estimator: Multiclass, X: FloatArray, y: IntArray, progress: Progress
) -> None:
    """Train a copy on a few points, once in a process for each kind of machine and reduction.

    Parameters
    ----------
    scenario
        Whose reduction and machine these are.
    estimator
        Not trained; it stays so.
    X : (n, n_features)
    y : (n,)
    progress
        Asked whether to go on.
    """
    kind = _kind(scenario, "reduction"), _kind(scenario, "machine")
    if kind in _CALLED:
        return
    _CALLED.add(kind)
    few = np.sort(np.concatenate([np.flatnonzero(y == c)[:N_FIRST] for c in np.unique(y)]))
    with suppress(ValueError, Warning):  # too few points for something: what it says is not about the data
        copy: Multiclass = clone(estimator)
        copy.fit(X[few], y[few], progress=Asking(progress))
        if isinstance(copy, can.Decoded):
            _learn_first(copy, progress)


def _learn_first(machines: can.Decoded, progress: Progress) -> None:
    """Let decoders learn what they need of few points, everything once."""
    for key in {decoding.needs: key for key, decoding in DECODINGS.items()}.values():
        with suppress(ValueError, Warning):
            machines.evidence(key, {}, progress=Asking(progress))


def _kind(scenario: Scenario, slot: str) -> tuple[object, ...]:
    """Return what decides which loops are called: the key of a slot, and its parameters with few options."""
    choice: Choice = getattr(scenario, slot)
    options = [param.name for param in SLOTS[slot][choice.key].params if isinstance(param, ChoiceParam)]
    return choice.key, *(choice.values[name] for name in options)
