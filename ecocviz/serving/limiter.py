"""How often something may happen: a stock for each, which is used up and fills again with time."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

MOST_KEPT = 20_000
"""Of how many is known what they have left; who has used nothing for longest is forgotten first."""
IPV6_NETWORK = 64
"""Bits of an address that stand for one subscriber."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A stock of so many, of which one comes back in so many seconds."""

    stock: float
    seconds: float


@dataclass(slots=True)
class _Left:
    amount: float
    at: float


class Limiter:
    """Counts for each, and says who has to wait.

    Parameters
    ----------
    each
        What one may use.
    clock
        Tells the seconds.
    """

    def __init__(self, each: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._each, self._clock = each, clock
        self._left: OrderedDict[str, _Left] = OrderedDict()

    def seconds(self, who: str) -> float:
        """Return how long somebody has to wait for the next one: 0.0 for not at all."""
        own = self._left.get(who)
        if own is None:
            return 0.0
        return max(0.0, (1.0 - _now(self._each, own, self._clock())) * self._each.seconds)

    def count(self, who: str) -> None:
        """Note that one was used."""
        now = self._clock()
        own = self._left.setdefault(who, _Left(self._each.stock, now))
        own.amount, own.at = _now(self._each, own, now) - 1.0, now
        self._left.move_to_end(who)
        if len(self._left) > MOST_KEPT:
            self._left.popitem(last=False)


def _now(rate: Rate, left: _Left, now: float) -> float:
    return min(rate.stock, left.amount + (now - left.at) / rate.seconds)


def read_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Read an address; one of IPv4 that is written as one of IPv6 is one of IPv4."""
    try:
        known = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (known.ipv4_mapped or known) if isinstance(known, ipaddress.IPv6Address) else known


def network_of(address: str) -> str:
    """Return what stands for one client: an address, of IPv6 the network that a subscriber has.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    known = read_address(address)
    if known is None:
        return ""
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    return str(ipaddress.ip_network((int(known), IPV6_NETWORK), strict=False))
