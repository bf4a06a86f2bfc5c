"""What the command line prints: names from outside neither steer the terminal nor turn its writing around."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


class PrintError(Exception):
    """What is to be printed cannot be: the disk that it goes to is full."""


@contextmanager
def printing() -> Iterator[None]:
    """Tell a fault of what is printed to from all others; that nobody reads any more stays as it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise PrintError(f"What is to be printed cannot be written: {error.strerror or error}.") from error


def say(*parts: object, sep: str = " ", **how: Any) -> None:  # noqa: ANN401 - as those of print
    """Print as `print` does, what steers a terminal as its number."""
    with printing():
        print(shown(sep.join(map(str, parts))), **how)


def shown(text: str) -> str:
    r"""Return text in which what a terminal obeys is written as JSON writes it: programs read the same.

    >>> shown("a\N{RIGHT-TO-LEFT OVERRIDE}b\N{ESCAPE}[31m")
    'a\\u202eb\\u001b[31m'
    """
    return _STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
