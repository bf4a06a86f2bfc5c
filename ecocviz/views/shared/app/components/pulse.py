"""An invisible part of a page that asks Python again after a while, and not while nobody sees the page."""

from collections.abc import Callable

from ecocviz.views.shared.app.components.assets import component

_mount = component("pulse")


def pulse(after: float, number: int, *, key: str, on_tick: Callable[[], None]) -> None:
    """Have `on_tick` called, and what surrounds this drawn again, after so many seconds.

    Parameters
    ----------
    after
        Seconds; while the page is hidden they do not end.
    number
        Another number begins a new wait.
    key
        Of the component; begins with `pulse.`, by which it is hidden.
    on_tick
        Called first.
    """
    _mount(key=key, data={"after": round(1000 * after), "number": number}, on_tick_change=on_tick)
