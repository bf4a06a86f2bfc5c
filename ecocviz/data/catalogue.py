"""DATASETS, PREPARATIONS, SPLITS: read-only mappings in the order in which they are shown.

Generators are discovered, one per file of `generators`; bundled sets come from the manifest.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeVar

from ecocviz.data import generators
from ecocviz.data.bundled import BUNDLED
from ecocviz.data.openml import OPENML
from ecocviz.data.preparations import PREPARATION_ENTRIES
from ecocviz.data.sklearn_sets import SKLEARN_SETS
from ecocviz.data.splits import SPLIT_ENTRIES
from ecocviz.data.types import Dataset, Preparation, Split, Table
from ecocviz.data.uploads import UPLOAD
from ecocviz.engine.lookup import look_up
from ecocviz.engine.params import ParamValue, complete
from ecocviz.engine.registry import collect


class _Ordered(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def order(self) -> int: ...


Entry = TypeVar("Entry", bound=_Ordered)


def _by_key(entries: Iterable[Entry]) -> Mapping[str, Entry]:
    """Map keys to entries in their order; refuse a key taken twice."""
    mapped: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda entry: (entry.order, entry.key)):
        if entry.key in mapped:
            raise ValueError(f"The key {entry.key!r} is taken twice.")
        mapped[entry.key] = entry
    return MappingProxyType(mapped)


GENERATORS: Mapping[str, Dataset] = collect(generators, "DATASET", Dataset)
DATASETS: Mapping[str, Dataset] = _by_key((*GENERATORS.values(), *SKLEARN_SETS, *BUNDLED, UPLOAD, OPENML))
PREPARATIONS: Mapping[str, Preparation] = _by_key(PREPARATION_ENTRIES)
SPLITS: Mapping[str, Split] = _by_key(SPLIT_ENTRIES)


def load_table(key: str, seed: int = 0, **params: ParamValue) -> Table:
    """Load a data set of the catalogue.

    Parameters
    ----------
    key
        One of DATASETS, such as "iris".
    seed
        Used by generators only.
    **params
        The set's own parameters; defaults where not given.

    Examples
    --------
    >>> load_table("iris").classes
    ('setosa', 'versicolor', 'virginica')
    """
    dataset = look_up(DATASETS, "data set", key)
    values = complete(dataset.params, params)
    return dataset.load(**values, **({"seed": seed} if dataset.seeded else {}))
