"""The three steps to begin with, in the browser: buttons, and one sentence that says what to look at."""

from collections.abc import Callable
from typing import Any

from ecocviz.views.shared.app.components.assets import component

_mount = component("start_strip")


def start_strip(
    steps: tuple[str, ...], *, done: int, said: str, n_bits: int, key: str, on_step: Callable[[], None]
) -> Any:  # noqa: ANN401 - Streamlit's own result object
    """Mount the strip; its trigger `step` has the number of the step that is asked for, 0 to put it away.

    Parameters
    ----------
    steps
        Titles.
    done
        The step that was done last; 0 for none.
    said
        What to look at.
    n_bits
        Machines whose boundaries the first step plays, in the browser.
    """
    data = {"steps": steps, "done": done, "said": said, "nBits": n_bits}
    return _mount(key=key, data=data, on_step_change=on_step)
