"""Discovery: one entry per module of a package, read from one typed constant.

Registration is a value at the end of a file, not a side effect of importing it: no decorator, no
order, and a broken or doubled entry stops the start with the file's name. An editor's "find usages"
does not see discovery; `ecocviz list` prints every entry.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Protocol, TypeVar


class Keyed(Protocol):
    """Anything with a stable kebab-case key."""

    @property
    def key(self) -> str:
        """The name in links and files; never changed once released."""


Entry = TypeVar("Entry", bound=Keyed)


def collect(package: ModuleType, constant: str, kind: type[Entry]) -> Mapping[str, Entry]:
    """Map keys to the entries of a package, in the order of their `order` and then their key."""
    found: dict[str, tuple[str, Entry]] = {}
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith("_"):
            continue
        name = f"{package.__name__}.{info.name}"
        entry = getattr(importlib.import_module(name), constant, None)
        if not isinstance(entry, kind):
            raise TypeError(f"{name} must define {constant}: {kind.__name__}")
        if entry.key in found:
            raise ValueError(f"{name}: key {entry.key!r} is already taken by {found[entry.key][0]}")
        found[entry.key] = (name, entry)
    ordered = sorted(
        (entry for _, entry in found.values()), key=lambda entry: (getattr(entry, "order", 100), entry.key)
    )
    return MappingProxyType({entry.key: entry for entry in ordered})
