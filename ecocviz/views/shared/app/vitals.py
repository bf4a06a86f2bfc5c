"""How the server is: its sessions and its memory, told to whoever measures it.

What a process holds in memory stays high after its visitors have left, because freed pieces lie between
used ones; so the bytes in use of the C heap are told as well, where the C library is glibc. Python keeps its
small objects beside that heap: their number is told.
"""

import ctypes
import gc
import json
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from streamlit import runtime
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, GaugeStat

VARIABLE = "ECOCVIZ_VITALS"
"""Names the file that a signal lets the server write; without it no signal is listened to."""


class _Mallinfo2(ctypes.Structure):
    """What glibc's mallinfo2 returns."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
            "keepcost",
        )
    ]  # fmt: skip


def vitals() -> dict[str, int | None]:
    """Return live sessions, bytes and objects; None for what this system does not tell."""
    # The server must be able to start without the numerics that this imports.
    from ecocviz.views.shared.app import cache  # noqa: PLC0415 - see above

    return {
        "sessions": connected(),
        "rss_bytes": _rss_bytes(),
        "heap_bytes": heap_bytes(),
        "blocks": sys.getallocatedblocks(),
        "objects": len(gc.get_objects()),
        "machines_bytes": cache.keeper().n_bytes,
        "views_bytes": cache.remembered_bytes(),
        "results_bytes": cache.results_bytes(),
    }


def heap_bytes() -> int | None:
    """Return the bytes that the C heap has given out and not got back; None without glibc 2.33."""
    try:
        mallinfo2 = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return None
    mallinfo2.restype = _Mallinfo2
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)


def _rss_bytes() -> int | None:
    """Return the bytes of the process in memory; None where /proc does not say."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def connected() -> int | None:
    """Return how many browsers are connected; None outside of a server."""
    if not runtime.exists():
        return None
    families = runtime.get_instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY])
    return sum(stat.value for stats in families.values() for stat in stats if isinstance(stat, GaugeStat))


def answer_signals() -> None:
    """Write vitals when the process is sent SIGUSR1, if the environment names a file for them.

    SIGUSR2 lets it first forget all that it keeps on purpose: what then is more than before has leaked.
    Only the main thread can listen to signals. It writes in another, because it may hold a lock just then.
    """
    target = os.environ.get(VARIABLE)

    def answer(number: int, _frame: FrameType | None) -> None:
        threading.Thread(
            target=_write,
            args=(Path(str(target)),),
            kwargs={"emptied": number == signal.SIGUSR2},
            name="ecocviz-vitals",
            daemon=True,
        ).start()

    if target and hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, answer)
        signal.signal(signal.SIGUSR2, answer)


def _write(target: Path, *, emptied: bool) -> None:
    if emptied:
        from ecocviz.views.shared.app import cache  # noqa: PLC0415 - as above

        cache.forget()
    gc.collect()
    whole = target.with_suffix(".part")  # so that nobody reads half of it
    whole.write_text(json.dumps(vitals()), encoding="utf-8")
    whole.replace(target)
