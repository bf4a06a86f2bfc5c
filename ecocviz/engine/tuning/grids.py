"""What is tried: numbers as lists or ranges, codes and decoders by key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ecocviz.engine.catalogue import DECODINGS
from ecocviz.engine.entries import Decoding
from ecocviz.engine.lookup import look_up
from ecocviz.engine.params import ParamValue, complete, shorten
from ecocviz.engine.types import CodeMatrix, FloatArray

Numbers: TypeAlias = int | tuple[float, float, int] | Sequence[float] | FloatArray
"""How many values over the usual range, (low, high, how many), or the values themselves."""
Choices: TypeAlias = Sequence[Any]
"""Keys, pairs of a key and its parameters, or (codes only) matrices."""

GAMMA_RANGE = (2.0**-4, 2.0**5)
"""Usual widths of the kernel, as multiples of "scale", which is 1 / (n_features * variance of X)."""
C_RANGE = (0.1, 1000.0)


@dataclass(frozen=True, slots=True)
class Coded:
    """A code to be tried: a key or a matrix, and its parameters; `given` as the user wrote it."""

    coding: str | CodeMatrix
    params: Mapping[str, ParamValue]
    given: Any


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoder to be tried, and its parameters, complete; `given` as the user wrote it."""

    entry: Decoding
    params: Mapping[str, ParamValue]
    given: Any


def numbers(name: str, asked: Any, usual: tuple[float, float]) -> FloatArray:  # noqa: ANN401 - whatever the user wrote
    """Return the values of a parameter that are tried, ascending, (n_values,), or raise with a sentence.

    Parameters
    ----------
    name
        Of the parameter.
    asked
        What the user asked for; ranges are geometric.
    usual
        The range that a bare number of values is spread over.

    Examples
    --------
    >>> numbers("Cs", (1, 100, 3), C_RANGE).round(9).tolist()
    [1.0, 10.0, 100.0]
    >>> numbers("Cs", [8, 2], C_RANGE).tolist()
    [2.0, 8.0]
    """
    if isinstance(asked, Integral):
        values = _spread(name, *usual, asked)
    elif isinstance(asked, tuple):
        if len(asked) != 3:
            raise ValueError(f"A tuple in {name} is (low, high, how many); write values as a list.")
        values = _spread(name, *asked)
    else:
        values = _listed(name, asked)
    if not (values > 0).all() or not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite numbers above 0.")
    return np.unique(values)


def _spread(name: str, low: object, high: object, n_values: object) -> FloatArray:
    """Return a geometric range, (n_values,)."""
    sound = isinstance(n_values, Integral) and int(n_values) >= 1
    ends = [float(end) for end in (low, high) if isinstance(end, Real)]
    if not sound or len(ends) < 2 or not 0 < ends[0] <= ends[1] < np.inf:
        raise ValueError(
            f"{name} is a number of values, (low, high, how many) with 0 < low <= high, or a list of values."
        )
    values: FloatArray = np.geomspace(*ends, int(n_values))  # type: ignore[call-overload]  # checked above
    return values


def _listed(name: str, asked: Any) -> FloatArray:  # noqa: ANN401 - whatever the user wrote
    try:
        values = np.asarray(asked, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 1 or not values.size:
        raise ValueError(
            f"{name} is a number of values, (low, high, how many), or a list of numbers, "
            f"not {shorten(repr(asked))}."
        )
    return values


def coded(codings: Choices) -> tuple[Coded, ...]:
    """Return the codes that are tried, or raise with a sentence."""
    found = []
    for given in _several("codings", codings):
        coding, params = _with_params(given)
        if not isinstance(coding, str):
            coding = np.asarray(coding)
        found.append(Coded(coding, params, given))
    return tuple(found)


def decoded(decodings: Choices) -> tuple[Decoded, ...]:
    """Return the decoders that are tried, or raise with a sentence."""
    found = []
    for given in _several("decodings", decodings):
        key, params = _with_params(given)
        entry = look_up(DECODINGS, "decoding", key)
        found.append(Decoded(entry, complete(entry.params, dict(params)), given))
    return tuple(found)


def _several(name: str, choices: Any) -> list[Any]:  # noqa: ANN401 - whatever the user wrote
    if isinstance(choices, str) or not isinstance(choices, Sequence | np.ndarray) or not len(choices):
        raise ValueError(f"{name} is a list of what is tried, with one entry at least.")
    return list(choices)


def _with_params(given: Any) -> tuple[Any, Mapping[str, ParamValue]]:  # noqa: ANN401 - whatever the user wrote
    """Take a pair of a key and a dictionary apart."""
    if isinstance(given, tuple | list) and len(given) == 2 and isinstance(given[1], Mapping):
        return given[0], given[1]
    return given, {}


@dataclass(frozen=True, slots=True)
class Grid:
    """Every combination, the last of C, gamma, code, decoder changing slowest.

    Attributes
    ----------
    gammas : (n_gammas,)
        Empty where the kernel has no width.
    Cs : (n_Cs,)
        Ascending.
    codes, decoders
        What is tried of them.
    """

    gammas: FloatArray
    Cs: FloatArray
    codes: tuple[Coded, ...]
    decoders: tuple[Decoded, ...]

    @property
    def widths(self) -> list[float | None]:
        """The values of gamma; one None where the kernel has none."""
        return self.gammas.tolist() or [None]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """How many codes, decoders, values of C, values of gamma."""
        return len(self.codes), len(self.decoders), self.Cs.size, len(self.widths)

    def positions(self) -> list[tuple[int, ...]]:
        """Return each combination's place in arrays of `shape`, in the order of `cv_results_`.

        It is the order of scikit-learn's grid search over the same: codes change slowest, gamma fastest, so
        that the first of several best is the one of least C, and then of least gamma.
        """
        return list(product(*(range(n) for n in self.shape)))

    def params(self) -> list[dict[str, Any]]:
        """Return what each combination consists of."""
        named = []
        for k, d, c, g in self.positions():
            width = {} if self.widths[g] is None else {"gamma": self.widths[g]}
            named.append(
                {
                    **width,
                    "C": float(self.Cs[c]),
                    "coding": self.codes[k].given,
                    "decoding": self.decoders[d].given,
                }
            )
        return named


def masked(values: Sequence[Any]) -> "np.ma.MaskedArray[Any, Any]":
    """Return values as the columns `param_...` of scikit-learn's tables, (n_combinations,)."""
    column: npt.NDArray[Any] = np.empty(len(values), dtype=object)
    for position, value in enumerate(values):
        column[position] = value
    if all(isinstance(value, float) for value in values):
        column = column.astype(np.float64)
    return np.ma.MaskedArray(column, mask=np.zeros(len(values), dtype=np.bool_))
