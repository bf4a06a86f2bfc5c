"""The one way in which tests wait: for a condition, until it holds or the time is up."""

import time


def until(condition, seconds=60.0, pause=0.01):
    """Look again and again until `condition()` is true; return what it gave, fail when the time is up.

    The time is no promise of speed: a page that trains takes 35 s where others keep both cores busy.
    """
    end = time.monotonic() + seconds
    while not (given := condition()):
        assert time.monotonic() < end, f"Waited {seconds:g} seconds in vain."
        time.sleep(pause)
    return given
