"""The only way to the network: requests to OpenML, of who was asked to fetch, within time and bytes.

scikit-learn fetches sets with `urllib`, without a limit of either. So what `urllib` opens passes here. A
thread that was not asked to fetch is refused: opening a link, or a scenario from elsewhere, asks nobody.
"""

import json
import threading
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from functools import cache
from http.client import HTTPResponse
from time import monotonic
from typing import Any, Self
from urllib.parse import urlsplit

HOST = "openml.org"
SILENT_SECONDS = 10.0
"""How long OpenML may send nothing."""
MOST_JSON = 8_000_000


class NotAskedError(RuntimeError):
    """Raised where something would ask OpenML and nobody has asked for that."""


class TooMuchError(ValueError):
    """Raised with a sentence where a set takes more time or bytes than it may."""


@dataclass(slots=True)
class Allowance:
    """What fetching one set may take.

    Attributes
    ----------
    seconds, n_bytes
        In all.
    """

    seconds: float
    n_bytes: int
    _since: float = field(default_factory=monotonic)

    def use(self, n_bytes: int) -> None:
        """Note what has come; raise if it is too much, or took too long."""
        self.n_bytes -= n_bytes
        if self.n_bytes < 0:
            raise TooMuchError(
                "This OpenML set is too large for the room that is left here; choose a smaller one."
            )
        if monotonic() - self._since > self.seconds:
            raise TooMuchError(
                f"OpenML did not send this set within {self.seconds:.0f} seconds; try again, or choose "
                "another."
            )


_ASKED = threading.local()


@contextmanager
def asking(allowance: Allowance) -> Iterator[None]:
    """Let this thread ask OpenML inside."""
    guard()
    _ASKED.allowance = allowance
    try:
        yield
    finally:
        _ASKED.allowance = None


def read_json(path: str) -> Any:  # noqa: ANN401 - whatever OpenML answers
    """Ask OpenML for a description."""
    with urllib.request.urlopen(f"https://www.{HOST}/{path}") as answer:
        return json.loads(answer.read(MOST_JSON))


class _Guarded(urllib.request.OpenerDirector):
    """Opens for OpenML what it may, and for others what they want."""

    def __init__(self, usual: urllib.request.OpenerDirector) -> None:
        super().__init__()
        self._usual = usual
        for handler in (
            urllib.request.ProxyHandler,
            urllib.request.HTTPHandler,
            urllib.request.HTTPSHandler,
            urllib.request.HTTPDefaultErrorHandler,
            urllib.request.HTTPRedirectHandler,
            urllib.request.HTTPErrorProcessor,
        ):
            self.add_handler(handler())

    def open(self, fullurl: Any, data: Any = None, timeout: Any = None) -> Any:  # noqa: ANN401 - as in the base class
        """Open an address; a redirection comes here again."""
        parts = urlsplit(fullurl if isinstance(fullurl, str) else fullurl.full_url)
        host = parts.hostname or ""
        of_openml = host == HOST or host.endswith(f".{HOST}")
        allowance: Allowance | None = getattr(_ASKED, "allowance", None)
        if allowance is None and not of_openml:
            return self._usual.open(fullurl, data, timeout)
        if allowance is None:
            raise NotAskedError
        if not of_openml or parts.scheme not in {"http", "https"}:
            raise TooMuchError("This OpenML set is stored outside OpenML; choose another.")
        allowance.use(0)
        answer = super().open(fullurl, data, SILENT_SECONDS)
        return answer if isinstance(answer, _Bounded) else _Bounded(answer, allowance)


class _Bounded:
    """An answer that is read within an allowance."""

    def __init__(self, answer: HTTPResponse, allowance: Allowance) -> None:
        self._answer, self._allowance = answer, allowance

    def read(self, amount: int = -1) -> bytes:
        """Read so much of it, or all."""
        most = self._allowance.n_bytes + 1
        found = self._answer.read(most if amount < 0 else min(amount, most))
        self._allowance.use(len(found))
        return found

    def info(self) -> Message:
        """Return the headers."""
        return self._answer.info()

    def close(self) -> None:
        """Let the connection go."""
        self._answer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


@cache
def guard() -> None:
    """Let all that `urllib` opens pass here, from now on."""
    urllib.request.install_opener(_Guarded(urllib.request.build_opener()))
    # It says that it fetches a kept set again, which it may not, and that it tries again.
    warnings.filterwarnings("ignore", module=r"sklearn\.datasets\._openml")
