"""A process tells whoever started it that it is ready: the notification of systemd, one datagram to a socket.

`ecocviz serve` waits for it before clients are sent to a process; systemd does for a service of
`Type=notify`.
"""

import os
import socket
from contextlib import suppress

VARIABLE = "NOTIFY_SOCKET"
READY = b"READY=1"


def tell_ready() -> None:
    """Say that this process is ready, if anybody wants to know."""
    path = os.environ.get(VARIABLE)
    if not path:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as teller:
        # A name that begins with @ is of Linux's abstract sockets.
        teller.sendto(READY, "\0" + path[1:] if path.startswith("@") else path)
