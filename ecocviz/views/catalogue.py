"""Every field that a view adds to a link, collected from the views' facts."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from ecocviz import views
from ecocviz.lab.selection import SHARED, Field


def collect_fields() -> Mapping[str, Field]:
    """Return name -> field: those that views share, then each view's `SELECTION`; no name may come twice."""
    found = {field.name: field for field in SHARED}
    for module in pkgutil.iter_modules(views.__path__):
        if not module.ispkg or module.name == "shared":
            continue
        for field in import_module(f"{views.__name__}.{module.name}.facts").SELECTION:
            if field.name in found:
                raise ValueError(f"The view {module.name} declares {field.name!r}, which is already taken.")
            found[field.name] = field
    return MappingProxyType(found)


FIELDS = collect_fields()
