"""The one way in which tests wait: for a condition, until it holds or the time is up."""

import time


def until(condition, seconds=30.0, pause=0.01):
    """Look again and again until `condition()` is true; return what it gave, fail when the time is up."""
    end = time.monotonic() + seconds
    while not (given := condition()):
        assert time.monotonic() < end, f"Waited {seconds:g} seconds in vain."
        time.sleep(pause)
    return given
