"""What the supervisor hands to its app processes: by their environment, out of which they take it at once."""

import ipaddress
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field

from ecocviz.serving.addresses import LOOPBACK
from ecocviz.serving.asgi import Scope, header
from ecocviz.serving.limiter import network_of, read_address

DESK, KEY, WORD, BEHIND = "ECOCVIZ_DESK", "ECOCVIZ_PASS_KEY", "ECOCVIZ_FRONT_WORD", "ECOCVIZ_BEHIND"
EMBED = "ECOCVIZ_EMBED"
"""Sites whose pages may show the app inside of themselves, with blanks between."""
SAYS_WORD, FORWARDED, PROTOCOL = b"x-ecocviz-front", b"x-forwarded-for", b"x-forwarded-proto"
MOST_HOPS = 20

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: the address that stands for them, "" where it is not known, and whether over https."""

    address: str
    https: bool


@dataclass(frozen=True, slots=True)
class Handed:
    """What an app process knows of the server that it is a part of.

    Attributes
    ----------
    desk
        The socket at which the supervisor listens; "" where there is none.
    key
        What passes are signed with; None where everybody is let in.
    word
        What our own front says with every request, so that it is believed whom it speaks for.
    behind
        Where other proxies stand, before our front, that are believed too.
    """

    desk: str = ""
    key: bytes | None = field(default=None, repr=False)
    word: str = field(default="", repr=False)
    behind: tuple[Network, ...] = ()

    def environment(self) -> dict[str, str]:
        """Write it down for a process."""
        told = {
            DESK: self.desk,
            KEY: "" if self.key is None else self.key.hex(),
            WORD: self.word,
            BEHIND: " ".join(map(str, self.behind)),
        }
        return {name: value for name, value in told.items() if value}

    def client(self, scope: Scope) -> Client:
        """Say who asks: what our front says, and before it the proxies that are believed.

        Every one of them appends the address that it was asked from, so they are gone through from behind.
        """
        if not self.word:
            return Client(
                network_of((scope.get("client") or ("",))[0]), https=scope["scheme"] in {"https", "wss"}
            )
        if header(scope, SAYS_WORD) != self.word.encode():
            # Somebody on this computer asks the process itself; what its server makes of headers is no proof.
            return Client(LOOPBACK, https=False)
        lines = [value.decode("latin-1") for name, value in scope["headers"] if name == FORWARDED]
        chain = [part.strip() for part in ",".join(lines).split(",")][-MOST_HOPS:]
        address, trusted = chain.pop(), False
        while chain and self._believed(address):
            address, trusted = chain.pop(), True
        proxied = trusted or self._believed(address)
        return Client(network_of(address), https=proxied and header(scope, PROTOCOL) == b"https")

    def _believed(self, address: str) -> bool:
        known = read_address(address)
        return known is not None and any(known in network for network in self.behind)


def take(environ: MutableMapping[str, str]) -> Handed:
    """Take what was handed to this process out of its environment: those that it starts need none of it."""
    told: Mapping[str, str] = {name: environ.pop(name, "") for name in (DESK, KEY, WORD, BEHIND)}
    key = bytes.fromhex(told[KEY]) if told[KEY] else None
    return Handed(told[DESK], key, told[WORD], read_networks(told[BEHIND].split()))


def embedding(environ: Mapping[str, str]) -> str:
    """Return who may show pages of this server inside of their own, as a policy names them."""
    return " ".join(["'self'", *environ.get(EMBED, "").split()])


def read_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Read addresses and networks; raise a sentence for what is neither.

    >>> read_networks(["127.0.0.1", "10.0.0.0/8"])
    (IPv4Network('127.0.0.1/32'), IPv4Network('10.0.0.0/8'))
    """
    networks = []
    for text in texts:
        try:
            networks.append(ipaddress.ip_network(text, strict=False))
        except ValueError:
            raise ValueError(
                f"{text[:60]!r} is no address and no network; write one like 10.0.0.7 or 172.16.0.0/12."
            ) from None
    return tuple(networks)
