"""Hands the components to Streamlit so that a browser loads their files once, not with every message.

Streamlit sends a component's JavaScript along with all that it shows, or serves it as a file of a folder that
is declared to it. Here it is served. The folder is declared when a component is mounted, so that it makes no
difference how ecocviz was installed or who runs the script.
"""

import hashlib
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import ref

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from ecocviz import __version__
from ecocviz.views.shared.app.components.joining import joined

_DECLARING = threading.Lock()
_MOUNTING: dict[str, Callable[..., Any]] = {}
_LOOKED: dict[str, tuple[ref[Any], float]] = {}
"""Component -> the server that it was declared to, and when its file was last seen."""
LOOK_AGAIN_SECONDS = 30.0
"""A file that something has cleared away is missed for so long at most."""


def component(name: str) -> Callable[..., Any]:
    """Return what mounts the component whose files are called `name`."""

    def mount(**arguments: Any) -> Any:  # noqa: ANN401 - Streamlit's own arguments and result object
        return _declared(name)(**arguments)

    return mount


def _declared(name: str) -> Callable[..., Any]:
    """Declare a component to the server that runs, where that does not know it; return what mounts it."""
    full = f"ecocviz.{name}"
    manager = get_bidi_component_manager()
    looked = _LOOKED.get(full)
    if looked is not None and looked[0]() is manager and monotonic() - looked[1] < LOOK_AGAIN_SECONDS:
        return _MOUNTING[full]  # sixty visitors at once do not wait for each other here
    with _DECLARING:
        file = _served(name)
        if manager.get_component_asset_root(full) is None:
            manifest = ComponentManifest("ecocviz", __version__, [ComponentConfig(name, file.parent.name)])
            manager.register_from_manifest(manifest, file.parent.parent)
            _MOUNTING[full] = st.components.v2.component(full, js=file.name)
        _LOOKED[full] = ref(manager), monotonic()
        return _MOUNTING[full]


def _served(name: str) -> Path:
    """Return the file that is served, written anew where something has cleared it away.

    Its name changes with what is in it, so that nobody is served an old one after an upgrade.
    """
    text = _joined(name)
    file = Path(_folder().name) / f"{name}-{_digest(text)}.js"
    if not file.is_file():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return file


_joined = cache(joined)


@cache
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """Return a folder of this process's own, which goes when it ends."""
    return tempfile.TemporaryDirectory(prefix="ecocviz-")
