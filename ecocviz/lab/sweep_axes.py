"""The values that a sweep runs over, as they are written: a list, or from here to there."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ecocviz.engine.params import FloatParam, IntParam, ParamValue, shorten
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import SEED, Scenario

RANGE = re.compile(r"([^:,]+):([^:,]+):([0-9]{1,6})")
"""Of `--over`: FROM:TO:VALUES."""
PARTS = ("from", "to", "values", "scale")
SCALES = ("log", "linear")
MOST_VALUES = 100_000


def read_over(scenario: Scenario, text: str) -> tuple[str, list[ParamValue]]:
    """Read NAME=VALUES: values with commas between them, or FROM:TO:HOW_MANY.

    Examples
    --------
    >>> from ecocviz.lab.scenario import make_scenario
    >>> read_over(make_scenario(), "coding=one-vs-all,one-vs-one")
    ('coding', ['one-vs-all', 'one-vs-one'])
    >>> read_over(make_scenario(), "machine.gamma=0.25:4:3")
    ('machine.gamma', [0.25, 1.0, 4.0])
    """
    name, equals, values = text.partition("=")
    if not equals or not values:
        raise ValueError(
            f"--over takes NAME=VALUES, such as machine.gamma=0.1,1,10 or machine.gamma=0.1:10:5, "
            f"not {shorten(text, 60)!r}."
        )
    spaced = RANGE.fullmatch(values)
    if spaced is None:
        return name, [value.strip() for value in values.split(",")]
    low, high, n = spaced.groups()
    return name, _spaced(scenario, name, {"from": low, "to": high, "values": int(n)})


def read_table(scenario: Scenario, table: Any) -> dict[str, list[ParamValue]]:  # noqa: ANN401 - what a file holds
    """Read the table [sweep] of a file: a list of values for each field, or {from, to, values, scale}."""
    if not isinstance(table, dict):
        raise ValueError(  # noqa: TRY004 - a user's file, not a programmer's type
            "In a sweep's file, [sweep] is a table: one line for each field that is swept."
        )
    return {name: _values(scenario, name, value) for name, value in _flat(table).items()}


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return the fields of a table; `machine.gamma = ...` without quotes is a table in it."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict) and "from" not in value:
            found |= _flat(value, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = value
    return found


def _values(scenario: Scenario, name: str, value: Any) -> list[ParamValue]:  # noqa: ANN401 - what a file holds
    if isinstance(value, dict):
        return _spaced(scenario, name, value)
    if not isinstance(value, list):
        value = [value]
    for each in value:
        if isinstance(each, bool) or not isinstance(each, int | float | str):
            raise ValueError(  # noqa: TRY004 - as above
                f"The values of {shorten(name, 40)} in [sweep] are numbers or words."
            )
    return [each if isinstance(each, str) else repr(each) for each in value]


def _spaced(scenario: Scenario, name: str, about: Mapping[str, Any]) -> list[ParamValue]:
    """Return values from one number to another, evenly on a scale: the parameter's own if none is said."""
    unknown = [part for part in about if part not in PARTS]
    try:
        low, high, n = float(about["from"]), float(about["to"]), int(about["values"])
        fits = not unknown and np.isfinite([low, high]).all() and 1 <= n <= MOST_VALUES
    except (KeyError, TypeError, ValueError):
        fits, low, high, n = False, 0.0, 0.0, 0
    param = _param(scenario, name)
    own = "log" if isinstance(param, FloatParam) and param.log else "linear"
    scale = about.get("scale", own)
    if not fits or scale not in SCALES:
        raise ValueError(
            f"The range of {shorten(name, 40)} needs numbers: from, to, and how many values; "
            "its scale is log or linear."
        )
    if scale == "log" and not (low > 0 and high > 0):
        raise ValueError(f"The range of {shorten(name, 40)} on the log scale begins and ends above 0.")
    found = np.geomspace(low, high, n) if scale == "log" else np.linspace(low, high, n)
    if param is SEED or isinstance(param, IntParam):
        return list(dict.fromkeys(round(value) for value in found.tolist()))
    return list(found.tolist())


def _param(scenario: Scenario, name: str) -> object:
    """Return the declared parameter of a field, None where there is none."""
    if name == SEED.name:
        return SEED
    slot, _, param = name.partition(".")
    if slot not in SLOTS:
        return None
    declared = SLOTS[slot][getattr(scenario, slot).key].params
    return next((each for each in declared if each.name == param), None)
