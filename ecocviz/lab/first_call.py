"""First calls, made before anything is timed: compiled loops are loaded then, or compiled, for seconds."""

import warnings
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

N_FIRST, CLASSES_FIRST = 6, 4
"""Points of each class that training is tried on first, and classes: all pairs of 26 took 14 seconds."""

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
    classes = np.unique(y)
    for some in dict.fromkeys((CLASSES_FIRST, len(classes))):  # a code may not be for fewer classes
        few = np.sort(np.concatenate([np.flatnonzero(y == c)[:N_FIRST] for c in classes[:some]]))
        if _tried(estimator, X[few], y[few], progress):
            return


def _tried(estimator: Multiclass, X: FloatArray, y: IntArray, progress: Progress) -> bool:
    """Train a copy on a few points; what it says of them is not about the data. Return whether it could."""
    copy: Multiclass = clone(estimator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            copy.fit(X, y, progress=Asking(progress))
    except ValueError:
        return False
    if isinstance(copy, can.Decoded):
        _learn_first(copy, progress)
    return True


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
