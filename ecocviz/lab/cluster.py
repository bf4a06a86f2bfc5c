"""Workers elsewhere: a Dask cluster that somebody has started, looked at before it is trusted with work.

Dask is the extra `dask`; nothing here loads it before it is asked for. Whoever can reach a scheduler can run
anything on its workers, so only who runs the app or the command names one.
"""

import hashlib
import os
import platform
import re
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any

VARIABLE = "ECOCVIZ_CLUSTER"
"""Names the cluster that the app sends the points of curves to."""

ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}")
CONNECT_SECONDS = 10.0
AGAIN_SECONDS = 60.0
"""How long a cluster that did not answer is left alone."""
ALIKE = ("ecocviz", "numpy", "scipy", "scikit-learn", "numba")
"""Packages that decide about the last digit."""

NOT_INSTALLED = (
    "A cluster needs Dask, which is not installed; install it with: pip install 'distributed>=2024.12'"
)
WRITTEN = "A cluster is written like tcp://host:8786, not {given!r}."
SILENT = "No Dask scheduler answers at {address}; start one with: dask scheduler"
NO_WORKERS = "The cluster at {address} has no workers; start one on each computer with: dask worker {address}"
NO_PACKAGE = "The workers of the cluster at {address} cannot load this ecocviz ({why}); install it there."
UNLIKE = (
    "The worker {worker} has {what} {theirs}, and this computer has {ours}; install the same versions there, "
    "because results would differ."
)
NOT_THERE = " It could not measure {n} of the newest points, which were measured on this computer."
"""Without the reason: it may tell of another visitor's data."""


def check_address(text: str) -> str:
    """Return a cluster's address, or raise ValueError with a sentence.

    >>> check_address("tcp://10.0.0.7:8786")
    'tcp://10.0.0.7:8786'
    """
    if not ADDRESS.fullmatch(text):
        raise ValueError(WRITTEN.format(given=text[:60]))
    return text


@contextmanager
def connected(address: str) -> Iterator[tuple[Executor, str]]:
    """Give the executor of a cluster, and in a few words where it is; raise ValueError with a sentence."""
    client, where = _connect(check_address(address))
    try:
        yield client.get_executor(), where
    finally:
        client.close(timeout=CONNECT_SECONDS)


def _connect(address: str) -> tuple[Any, str]:
    try:
        from distributed import Client  # noqa: PLC0415 - an extra, and slow to load
    except ImportError:
        raise ValueError(NOT_INSTALLED) from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]  # Dask's
    except (OSError, TimeoutError):
        raise ValueError(SILENT.format(address=address)) from None
    try:
        return client, _looked_at(client, address)
    except BaseException:
        client.close(timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]  # Dask's
        raise


def _looked_at(client: Any, address: str) -> str:  # noqa: ANN401 - Dask's
    """Say how many workers there are; raise ValueError where there are none, or others than we are."""
    try:
        theirs: dict[str, Mapping[str, str]] = client.run(versions)
    except Exception as error:
        why = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        raise ValueError(NO_PACKAGE.format(address=address, why=why)) from error
    if not theirs:
        raise ValueError(NO_WORKERS.format(address=address))
    ours = versions()
    for worker, about in theirs.items():
        for what, mine in ours.items():
            if about.get(what) != mine:
                told = UNLIKE.format(worker=worker, what=what, theirs=about.get(what, "none"), ours=mine)
                raise ValueError(told)
    return f"the cluster at {address} ({len(theirs)} worker{'s' if len(theirs) > 1 else ''})"


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return what must be the same on all computers; the code of ecocviz by a digest of its files."""
    found = {"Python": ".".join(platform.python_version_tuple()[:2])}
    for name in ALIKE:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found | {"ecocviz's code": _code()}


def _code() -> str:
    folder = Path(__file__).resolve().parent.parent
    hashed = hashlib.sha256()
    for part in ("engine", "lab", "data"):
        for file in sorted((folder / part).rglob("*.py")):
            hashed.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return hashed.hexdigest()[:12]


class Standing:
    """The operator's cluster: connected to when it is first needed, and again when it was lost.

    Parameters
    ----------
    address
        Of its scheduler; "" where there is none, and all is computed here. What cannot be used is refused.

    Attributes
    ----------
    n_missed
        Points of the newest curve that it did not measure, and this computer did.
    """

    n_missed = 0

    def __init__(self, address: str) -> None:
        self._address = address and check_address(address)
        if address and find_spec("distributed") is None:
            raise ValueError(NOT_INSTALLED)
        self._lock = threading.Lock()
        self._client: Any = None
        self._where = ""
        self._again = 0.0

    def executor(self) -> Executor | None:
        """Return the cluster's executor; None where there is no cluster, or none that answers."""
        if not self._address:
            return None
        with self._lock:
            if self._client is not None and self._client.status != "running":
                self._client = None
            if self._client is None and monotonic() >= self._again:
                self._look()
            return None if self._client is None else self._client.get_executor()

    def _look(self) -> None:
        try:
            self._client, where = _connect(self._address)
            self._where = f"Curves are computed on {where}."
        except ValueError as refusal:
            self._where, self.n_missed = f"Curves are computed on this computer. {refusal}", 0
            self._again = monotonic() + AGAIN_SECONDS

    @property
    def line(self) -> str:
        """Where work runs, in one line; "" where there is no cluster."""
        if self._address and not self._where:
            return f"Curves go to the cluster at {self._address}, once it has answered."
        return self._where + (NOT_THERE.format(n=self.n_missed) if self.n_missed else "")


def standing(environment: Mapping[str, str] = os.environ) -> Standing:
    """Return the cluster that the environment names."""
    return Standing(environment.get(VARIABLE, ""))
