"""Addresses and ports: what a server may listen on, said in one sentence where it may not."""

import errno
import os
import socket
from random import sample

LOOPBACK = "127.0.0.1"
"""Where app processes listen, and the app of one person."""
NEVER_GIVEN = range(20_000, 32_768)
"""Below the ports that systems give to whoever asks for any, connections to elsewhere among them."""


def resolve(host: str) -> str:
    """Return a host's numeric address, of IPv4 where it has one; raise a sentence if there is none."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise ValueError(
            f"There is no host {host[:80]!r}; give an address of this computer, or 0.0.0.0 for all of them."
        ) from None
    found.sort(key=lambda info: info[0] != socket.AF_INET)
    return str(found[0][4][0])


def family_of(address: str) -> socket.AddressFamily:
    """Say whether a numeric address is of IPv4 or IPv6."""
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def why_not(address: str, port: int) -> str | None:
    """Return the sentence that says why a server cannot listen there; None if it can."""
    with socket.socket(family_of(address), socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            # As the server will: a port whose last connections are only being closed is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except PermissionError:
            return f"Port {port} needs an administrator's rights; choose one from 1024 up."
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                return f"{address} is not an address of this computer; 0.0.0.0 stands for all of its own."
            return (
                f"Port {port} is in use by another program; choose another: --port (or PORT= with make app)."
            )
    return None


def free_port() -> int:
    """Return a port of the loopback address that is free, and that the system gives to nobody meanwhile."""
    ports = sample(NEVER_GIVEN, 100)
    return next(port for port in ports if why_not(LOOPBACK, port) is None)


def as_url(address: str, port: int) -> str:
    """Write down where a server is to be found.

    >>> as_url("127.0.0.1", 8501), as_url("::1", 80)
    ('http://127.0.0.1:8501', 'http://[::1]:80')
    """
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
