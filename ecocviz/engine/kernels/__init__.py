"""Compiled loops: arrays in, arrays out. Every file is an island (numba's cache does not see other files).

What is compiled of an installed ecocviz is kept in the user's cache folder: pip would leave it behind.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import CacheImpl, UserWideCacheLocator

_HERE = Path(__file__).resolve().parent


class OfInstalled(UserWideCacheLocator):
    """Says where numba keeps what it compiles of these files; of others it decides itself."""

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "OfInstalled | None":
        """Return it for a function of ours, if the folder can be written to."""
        ours = Path(py_file).resolve().parent == _HERE
        return super().from_function(py_func, py_file) if ours else None  # type: ignore[no-untyped-call]  # numba's


if (_HERE.parents[1] / "_site").is_dir():  # a checkout has none: there it stays beside the source
    CacheImpl._locator_classes.insert(1, OfInstalled)  # noqa: SLF001 - after NUMBA_CACHE_DIR; numba's setting is for all packages
