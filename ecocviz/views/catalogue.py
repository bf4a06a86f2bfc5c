"""What views add to links, collected from their facts: fields, and what makes a field's value meaningless."""

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType

from ecocviz import views
from ecocviz.lab import selection
from ecocviz.lab.selection import SHARED, Field


def _facts() -> Iterator[tuple[str, ModuleType]]:
    """Go through the views: name, and its facts."""
    for module in pkgutil.iter_modules(views.__path__):
        if module.ispkg and module.name != "shared":
            yield module.name, import_module(f"{views.__name__}.{module.name}.facts")


def collect_fields() -> Mapping[str, Field]:
    """Return name -> field: those that views share, then each view's `SELECTION`; no name may come twice."""
    found = {field.name: field for field in SHARED}
    for view, facts in _facts():
        for field in facts.SELECTION:
            if field.name in found:
                raise ValueError(f"The view {view} declares {field.name!r}, which is already taken.")
            found[field.name] = field
    return MappingProxyType(found)


def collect_forgotten() -> Mapping[str, tuple[Field, ...]]:
    """Return what has changed -> the fields that are forgotten then, of all views (their `FORGOTTEN`)."""
    sources = [selection.FORGOTTEN, *(getattr(facts, "FORGOTTEN", {}) for _, facts in _facts())]
    changes = dict.fromkeys(change for source in sources for change in source)
    return {change: tuple(f for source in sources for f in source.get(change, ())) for change in changes}


FIELDS = collect_fields()
FORGOTTEN = collect_forgotten()
