"""Parameters of parameters: of a machine that nobody gave (`machine__C`), of a dictionary.

Grid searches reach them like those of any estimator within another.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator

from ecocviz.engine.catalogue import CODINGS, DECODINGS, MACHINES, make_machine
from ecocviz.engine.entries import Coding, Decoding
from ecocviz.engine.params import shorten

_CATALOGUES: dict[str, tuple[str, Mapping[str, Coding] | Mapping[str, Decoding]]] = {
    "coding_params": ("coding", CODINGS),
    "decoding_params": ("decoding", DECODINGS),
}


class Nested(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """An estimator whose None stands for another estimator, and whose dictionaries have parameters.

    `stand_ins` makes what None stands for; a key of a machine stands for that machine, as it usually is. Both
    stay as they are until one of the nested parameters is set.
    """

    stand_ins: ClassVar[Mapping[str, Callable[[], Any]]] = {}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, with those of nested estimators and dictionaries if `deep`."""
        params: dict[str, Any] = super().get_params(deep=deep)
        if deep:
            for name in self.stand_ins:
                other = self._stood_for(name)
                if other is not None:
                    params |= {f"{name}__{key}": value for key, value in other.get_params().items()}
            for name in _CATALOGUES.keys() & params.keys():
                given = params[name] if isinstance(params[name], Mapping) else {}
                known = {**self._usual(name), **given}
                params |= {f"{name}__{key}": value for key, value in known.items()}
        return params

    def set_params(self, **params: Any) -> Self:  # noqa: ANN401 - values of any parameter
        """Set parameters by name; what is nested comes after what it is nested in."""
        super().set_params(**{name: value for name, value in params.items() if "__" not in name})
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            if not inner:
                continue
            if outer in _CATALOGUES and hasattr(self, outer):
                usual = self._usual(outer)
                if inner not in usual:
                    listed = ", ".join(usual) or "none"
                    raise ValueError(
                        f"There is no parameter {shorten(inner)!r} in {outer} of this "
                        f"{_CATALOGUES[outer][0]}; known parameters: {listed}."
                    )
                setattr(self, outer, {**(getattr(self, outer) or {}), inner: value})
                continue
            other = self._stood_for(outer) if outer in self.stand_ins else None
            if other is not None:
                setattr(self, outer, other)
            super().set_params(**{name: value})
        return self

    def _stood_for(self, name: str) -> Any:  # noqa: ANN401 - scikit-learn estimators share no type
        """Return what None or a key stands for, None where an estimator was given."""
        given = getattr(self, name)
        if given is None:
            return self.stand_ins[name]()
        known = name == "machine" and isinstance(given, str) and given in MACHINES
        return make_machine(given) if known else None

    def _usual(self, name: str) -> dict[str, Any]:
        """Return the parameters of a dictionary and their defaults, by the entry that it belongs to."""
        chosen, catalogue = _CATALOGUES[name]
        key = getattr(self, chosen)
        entry = catalogue.get(key) if isinstance(key, str) else None
        return {} if entry is None else {param.name: param.default for param in entry.params}
