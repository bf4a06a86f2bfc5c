"""Where a room finds the server: the addresses of this computer, and whether the server answers at them."""

import http.client
import ipaddress
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import psutil

from ecocviz.serving.addresses import as_url

LISTENS = "ECOCVIZ_LISTENS"
"""Where the front listens, as "address port", for processes that only listen to the front."""
HEALTH = "/_stcore/health"
PATIENCE_SECONDS, KEPT_SECONDS = 1.5, 30.0
MOST_ADDRESSES = 8
OUTSIDE = ("192.0.2.1", "2001:db8::1")
"""Addresses of nobody (RFC 5737, RFC 3849): on the way to them a computer leaves by its main interface."""


def listening(address: str | None, port: int, environ: Mapping[str, str] = os.environ) -> tuple[str, int]:
    """Return where browsers reach this server: what the front said, else what the process itself was told.

    >>> listening("127.0.0.1", 40001, {"ECOCVIZ_LISTENS": "0.0.0.0 8501"}), listening("::", 80, {})
    (('0.0.0.0', 8501), ('::', 80))
    """
    front, _, front_port = environ.get(LISTENS, "").partition(" ")
    if front and front_port.isascii() and front_port.isdigit():
        return front, int(front_port)
    return address or "0.0.0.0", port  # noqa: S104 - what a server without an address listens on


def is_local(host: str) -> bool:
    """Say whether a host is this computer for itself only.

    >>> is_local("localhost"), is_local("127.0.0.2"), is_local("192.168.0.7"), is_local("course.example")
    (True, True, False, False)
    """
    name = host.strip("[]").lower().rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name in {"", "localhost"} or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def all_addresses() -> list[str]:
    """Return the addresses of all interfaces that are up."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    return [
        part.address
        for name, parts in psutil.net_if_addrs().items()
        if name in up
        for part in parts
        if part.family in {socket.AF_INET, socket.AF_INET6}
    ]


def own_addresses() -> tuple[str, ...]:
    """Return the addresses that others in the network can use, that of the main interface first."""
    return ordered(all_addresses(), [address for address in map(_leaving_to, OUTSIDE) if address])


def ordered(found: Iterable[str], main: Sequence[str]) -> tuple[str, ...]:
    """Return usable addresses: the main ones first, those of IPv4 before those of IPv6.

    >>> ordered(["127.0.0.1", "fe80::1%eth0", "fd00::2", "10.0.0.2", "192.168.0.7"], ["192.168.0.7"])
    ('192.168.0.7', '10.0.0.2', 'fd00::2')
    """
    usable = [text for text in dict.fromkeys(found) if _for_others(text)]
    usable.sort(key=lambda text: (":" in text, text not in main))
    return tuple(usable[:MOST_ADDRESSES])


def _for_others(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (
        address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast
    )


def _leaving_to(outside: str) -> str:
    """Return the address that a message to an outer one would leave from; nothing is sent."""
    family = socket.AF_INET6 if ":" in outside else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def offered(address: str, own: Sequence[str]) -> tuple[str, ...]:
    """Return which of its own addresses a server listens on that was started at an address.

    >>> own = ("192.168.0.7", "fd00::2")
    >>> offered("0.0.0.0", own), offered("::", own), offered("fd00::2", own), offered("127.0.0.1", own)
    (('192.168.0.7',), ('192.168.0.7', 'fd00::2'), ('fd00::2',), ())
    """
    if address == "::":
        return tuple(own)
    if address == "0.0.0.0":  # noqa: S104 - it is compared, nothing listens
        return tuple(one for one in own if ":" not in one)
    return () if is_local(address) else (address,)


def answers(address: str, port: int) -> bool:
    """Say whether a server answers there."""
    connection = http.client.HTTPConnection(address, port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", HEALTH)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Probes:
    """Asks addresses beside the pages: `look` never waits.

    Parameters
    ----------
    ask
        Says whether a server answers at an address and a port.
    now
        The clock.
    """

    def __init__(
        self, ask: Callable[[str, int], bool] = answers, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask, self._now = ask, now
        self._lock = threading.Lock()
        self._found: dict[tuple[str, int], tuple[bool | None, float]] = {}

    def look(self, address: str, port: int) -> bool | None:
        """Return what was found within the last half minute; None while it is being asked."""
        place = address, port
        with self._lock:
            found, at = self._found.get(place, (None, -KEPT_SECONDS))
            if self._now() - at < KEPT_SECONDS:
                return found
            self._found[place] = (None, self._now())
        threading.Thread(target=self._test, args=place, name="ecocviz-reach", daemon=True).start()
        return None

    def _test(self, address: str, port: int) -> None:
        found = self._ask(address, port)
        with self._lock:
            self._found[address, port] = (found, self._now())


@dataclass(frozen=True, slots=True)
class Place:
    """Where the app can be opened.

    Attributes
    ----------
    root
        The beginning of its links.
    asked
        The address and the port at which the server can be asked whether it answers; None where the
        browser's own address is known to work, or no other computer can use it.
    local
        Whether only this computer can use it.
    """

    root: str
    asked: tuple[str, int] | None = None
    local: bool = False

    @property
    def host(self) -> str:
        """What is typed into a browser."""
        return self.root.partition("://")[2]


def places(here: str, where: tuple[str, int], own: Sequence[str]) -> tuple[Place, ...]:
    """Return where the app can be opened, the best first: as the browser did, unless that is only local.

    Parameters
    ----------
    here
        The beginning of the browser's own address, "" if it is not known.
    where
        The address and the port that the server listens on.
    own
        Addresses of this computer that may be offered.

    Examples
    --------
    >>> [place.root for place in places("http://localhost:80", ("0.0.0.0", 80), ["10.0.0.7"])]
    ['http://10.0.0.7:80']
    >>> [place.root for place in places("https://course.example", ("0.0.0.0", 80), ["10.0.0.7"])]
    ['https://course.example', 'http://10.0.0.7:80']
    >>> places("http://localhost:80", ("127.0.0.1", 80), ["10.0.0.7"])[0].local
    True
    """
    local = not here or is_local(urlsplit(here).hostname or "")
    found = [] if local else [Place(here)]
    found += [
        Place(as_url(address, where[1]), (address, where[1]))
        for address in offered(where[0], own)
        if as_url(address, where[1]) != here
    ]
    return tuple(found) or (Place(here, local=True),)


def sentence(place: Place, found: bool | None) -> str:
    """Say whom an address serves.

    Parameters
    ----------
    place
        The address.
    found
        Whether the server answered there; None while it is being asked.
    """
    if place.local:
        return (
            "This link opens on this computer only. For a room, stop the app and start it with "
            "make app HOST=0.0.0.0 (or ecocviz serve --host 0.0.0.0)."
        )
    if place.asked is None:
        return "This browser uses the same address."
    if found is None:
        return "Asking whether the server answers at this address."
    if found:
        return "The server answers at this address. A firewall may still keep phones out: try one."
    return "The server does not answer at this address. Choose another, or look at the firewall."
