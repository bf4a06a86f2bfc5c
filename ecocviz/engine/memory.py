"""How much memory there is: the one place that knows, for this process and not for the whole machine.

A container, a login's limits and the machine itself may each allow less than the others. What counts is
the least of them. The numbers are read anew at every question, because others take and give memory back.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

if sys.platform == "linux":
    import resource

ROOT = Path("/")
"""Above /proc and /sys."""
SHARE_OF_MEMORY = 0.6
"""The largest share of the free memory that one Gram matrix may take."""
CAUTIOUS = 4 << 30
"""Bytes that are taken to be there where nobody tells."""

LITTLE = 16 << 20
"""Bytes that are taken without asking."""

_RLIMITS = {"Max address space": "VmSize", "Max data size": "VmData"}
"""A process's own limits, and what of it counts against each."""


@dataclass(frozen=True, slots=True)
class _Names:
    """What the files of a control group are called in one version of them, and what says "can be dropped"."""

    limits: tuple[str, ...]
    usage: str
    droppable: str


_V1 = _Names(("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file")
_V2 = _Names(("memory.max", "memory.high"), "memory.current", "inactive_file")


@dataclass(frozen=True, slots=True)
class _Bound:
    """A limit, and how much of it is taken by what cannot be dropped."""

    limit: int
    taken: int


def available_memory(root: Path = ROOT) -> int:
    """Return the bytes of memory that this process may still take, or a cautious 4 GiB where nobody tells."""
    host = _fields(root / "proc/meminfo")
    free = host["MemAvailable"] if "MemAvailable" in host else _pages("SC_AVPHYS_PAGES")
    return max(0, min([free, *(bound.limit - bound.taken for bound in _bounds(root, _total(host)))]))


def memory_limit(root: Path = ROOT) -> int:
    """Return the bytes that this process, or its container, may have altogether."""
    total = _total(_fields(root / "proc/meminfo"))
    return min([total, *(bound.limit for bound in _bounds(root, total))])


def check_memory(
    n_rows: int, n_columns: int, item_bytes: int, available: int | None = None, limit: float | None = None
) -> int:
    """Return the bytes a Gram matrix takes, or refuse with the number and a way out.

    `available` are the free bytes, where they are known already; `limit` the bytes that a user grants it.
    """
    needed = n_rows * n_columns * item_bytes
    if limit is not None and needed > limit:
        raise ValueError(
            f"The kernel matrix of {n_rows} points needs {needed / 2**20:,.1f} MiB, more than the "
            f"{limit / 2**20:,.1f} MiB of memory_limit; raise it, or use a random subsample of the points "
            "or a linear machine."
        )
    if needed <= LITTLE and available is None:
        return needed  # asking would take as long as making it
    free = available_memory() if available is None else available
    if needed > SHARE_OF_MEMORY * free:
        raise ValueError(
            f"The kernel matrix of {n_rows} points needs {needed / 2**30:.1f} GiB, and only "
            f"{free / 2**30:.1f} GiB of memory are free; use a random subsample of the points "
            "or a linear machine."
        )
    return needed


def why_no_room(what: str, needed: float) -> str | None:
    """Say in one sentence that something needs more memory than there is, or None if it fits.

    >>> why_no_room("A code of 3 machines", 300)
    """
    if needed <= LITTLE or needed <= SHARE_OF_MEMORY * (free := available_memory()):
        return None
    return (
        f"{what} needs {needed / 2**30:.1f} GiB, and only {free / 2**30:.1f} GiB of memory are free; "
        "use a code of fewer machines, or fewer points."
    )


@contextmanager
def limited(n_bytes: int | None) -> Iterator[None]:
    """Let this process take so many bytes more and then raise MemoryError, where the system can (Linux).

    What counts is data, not addresses: threads, compiled loops and linear algebra reserve gigabytes of
    addresses that they never use.
    """
    if n_bytes is None or sys.platform != "linux":
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    asked = _fields(ROOT / "proc/self/status").get("VmData", 0) + n_bytes
    allowed = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([asked, *allowed]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _total(host: dict[str, int]) -> int:
    return host["MemTotal"] if "MemTotal" in host else _pages("SC_PHYS_PAGES")


def _pages(name: str) -> int:
    """Return what the system says in pages, where there is no /proc."""
    try:
        return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return CAUTIOUS


def _bounds(root: Path, total: int) -> Iterator[_Bound]:
    """Go through every limit that is set below the machine's own memory."""
    for folder, names in _groups(root):
        limit = min([total, *(_number(folder / name, total) for name in names.limits)])
        if limit < total:
            droppable = _fields(folder / "memory.stat").get(names.droppable, 0)
            yield _Bound(limit, max(0, _number(folder / names.usage, 0) - droppable))
    sizes = _fields(root / "proc/self/status")
    for line in _lines(root / "proc/self/limits"):
        for name, size in _RLIMITS.items():
            if line.startswith(name) and (soft := line[len(name) :].split()[0]).isdigit():
                yield _Bound(int(soft), sizes.get(size, 0))


@lru_cache(maxsize=8)
def _groups(root: Path) -> tuple[tuple[Path, _Names], ...]:
    """Return the control groups that hold this process, its own and all around it that can be seen.

    /proc/self/cgroup says where the process is in a hierarchy, and a mount shows the hierarchy from some
    place downwards: from its top, or, in a container, from the container's own group, whichever way the
    path is told. What cannot be brought together is looked up at the place of the mount. A process
    is put into its groups before it starts, so that they are looked for once.
    """
    places, found = dict(_places(root)), []
    for line in _lines(root / "proc/self/mountinfo"):
        left, _, right = line.partition(" - ")
        shown, mount = (_unescaped(field) for field in left.split()[3:5])
        kind, _, options = right.split(maxsplit=2)
        if kind == "cgroup2":
            place, names = places.get(""), _V2
        elif kind == "cgroup" and "memory" in options.split(","):
            place, names = places.get("memory"), _V1
        else:
            continue
        top, inner = root / mount.lstrip("/"), PurePosixPath(place or "/")
        below = inner.relative_to(shown).parts if inner.is_relative_to(shown) else ()
        depths = 0 if ".." in below else len(below)
        found += [(top.joinpath(*below[:depth]), names) for depth in range(depths + 1)]
    return tuple(found)


def _places(root: Path) -> Iterator[tuple[str, str]]:
    """Go through (controller, path of the process's group); "" is the one hierarchy of version 2."""
    for line in _lines(root / "proc/self/cgroup"):
        number, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            if controller or number == "0":
                yield controller, path


def _unescaped(field: str) -> str:
    """Return a field of mountinfo with the characters that it writes in octal."""
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, character)
    return field


def _fields(file: Path) -> dict[str, int]:
    """Return the whole numbers of lines like "MemTotal: 12 kB" or "inactive_file 12", in bytes."""
    found = {}
    for line in _lines(file):
        name, *rest = line.split()
        if rest and rest[0].isdigit():
            found[name.rstrip(":")] = int(rest[0]) * (1024 if rest[1:] == ["kB"] else 1)
    return found


def _number(file: Path, otherwise: int) -> int:
    """Return the number in a file, or another one where it has none: "max" says that there is no limit."""
    said = "".join(_lines(file)).strip()
    return int(said) if said.isdigit() else otherwise


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []  # not Linux, or not this version of control groups
