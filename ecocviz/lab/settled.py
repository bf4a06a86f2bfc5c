"""The numbers that parameters set by words have become."""

from collections.abc import Mapping

from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.params import FloatParam, IntParam, Param, ParamValue
from ecocviz.engine.types import FloatArray
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.trained import Trained

AUTOMATIC = "automatic"
"""The word for a whole number that is left to the entry."""
Numbers = Mapping[tuple[str, str], float]
"""(Parameter, word) -> the number that the word stands for."""


def word_numbers(trained: Trained, choice: Choice, slot: str) -> Numbers:
    """Return `numbers_on` the points that machines were trained on."""
    return numbers_on(trained.shown.prepared.X_train, choice, slot)


def numbers_on(X: FloatArray, choice: Choice, slot: str) -> Numbers:
    """Return what every word of a choice's parameters stands for on points that machines are trained on.

    Parameters
    ----------
    X : (n_samples, n_features)
        The points.
    choice
        The scenario's own in that slot.
    slot
        One whose entries may say what their words mean, else nothing is found.
    """
    entry = SLOTS[slot][choice.key]
    settle = getattr(entry, "settle", None)
    if settle is None:
        return {}
    found = {}
    for param in entry.params:
        for word, _ in param.words if isinstance(param, FloatParam) else ():
            numbers = settle(X, **{**choice.values, param.name: word})
            if param.name in numbers:
                found[param.name, word] = float(numbers[param.name])
    return found


def automatic_number(scenario: Scenario, slot: str, param: Param, n_classes: int | None) -> int | None:
    """Return the number of columns that a coding takes where its number is left to it, None if not known."""
    choice: Choice = getattr(scenario, slot)
    if slot != "coding" or n_classes is None or not is_automatic(param, choice.values[param.name]):
        return None
    try:
        return int(CODINGS[choice.key].n_bits(n_classes, **choice.values))
    except ValueError:
        return None


def is_automatic(param: Param, value: ParamValue) -> bool:
    """Say whether a value leaves the number to the entry."""
    return isinstance(param, IntParam) and param.automatic is not None and value == param.automatic
