"""The decode inspector in the browser: a table of the picked point's bits and of the decoders' costs."""

from collections.abc import Callable
from typing import Any

from ecocviz.views.shared.app.components.assets import component

_mount = component("inspector")


def inspector(
    data: dict[str, Any],
    *,
    key: str,
    on_flips: Callable[[], None],
    on_next: Callable[[], None],
) -> Any:  # noqa: ANN401 - Streamlit's own result object
    """Mount the inspector; `flips` of its state lists flipped bits, its trigger `next` asks for a point."""
    return _mount(key=key, data=data, on_flips_change=on_flips, on_next_change=on_next)
