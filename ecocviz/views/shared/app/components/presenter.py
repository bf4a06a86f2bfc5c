"""The lecturer's part of the presenter bar in the browser, and the keys of a lecture, on every page."""

from collections.abc import Callable

from ecocviz.views.shared.app.components.assets import component
from ecocviz.views.shared.app.components.heard import among, record, told

KEY = "presenter.keys"
ACTS = ("present", "leave", "next", "back", "undo", "code")

_mount = component("presenter")


def presenter(*, presenting: bool, scene: str, scenes: int, undo: bool, on_act: Callable[[], None]) -> None:
    """Mount it.

    Parameters
    ----------
    presenting
        Whether the bar is seen.
    scene
        Where in the list of scenes this is, and what the scene is called.
    scenes
        How many there are.
    undo
        Whether there is something to undo.
    on_act
        Called when a button or a key asks for something: see `asked_for`.
    """
    data = {"presenting": presenting, "scene": scene, "scenes": scenes, "undo": undo}
    _mount(key=KEY, data=data, on_act_change=on_act)


def asked_for() -> str:
    """Return what the browser asks for."""
    return str(among(record(told(KEY, "act")).get("act"), ACTS))
