"""The folder of uploads: each is there whole or not at all, with who brought it and when it was last used.

    uploads/NAME/about.json, train, test   what was brought
    uploads/NAME/digest                    of its content, where NAME is not that digest but a secret
    uploads/NAME/owner-WHO                 an empty file for each session that brought it; its time says when
                                           that session was last there
    uploads/new-..., uploads/old-...       being written, being removed

The time of NAME itself says when it was last used. Processes on several computers do all this in one folder
without a lock: what is written is renamed into its place, what is removed is renamed out of it first. Times
are written by the same clock that they are compared with.
"""

import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ecocviz.data.home import home

NAME_LENGTH = 32
NAME = re.compile(rf"[0-9a-f]{{{NAME_LENGTH}}}")
ABOUT, CONTENTS, DIGEST = "about.json", ("train", "test"), "digest"
PARTS = frozenset({ABOUT, *CONTENTS, DIGEST})
OWNER, NEW, OLD = "owner-", "new-", "old-"
ATTEMPTS = 3
"""Another process may remove what is being kept again, or keep the same at the same time."""
BEAT_SECONDS = 60.0
"""How often it is written down which sessions are there."""
ALIVE_SECONDS = 3 * BEAT_SECONDS
"""A session that was not seen for so long has ended."""
LEFTOVER_SECONDS = 900.0
"""What is being written or removed for longer has been left behind by a process that was killed."""
AHEAD_SECONDS = 600.0
"""A time that lies further ahead was written when the clock was wrong."""

Stamps = tuple[tuple[str, int, int], ...]
"""Name, time and size of each part of an upload."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An upload in the folder.

    Attributes
    ----------
    used
        When it was last used, in seconds of the clock.
    stamps
        By which a change of its content is noticed.
    owners
        Session -> when it was last there.
    """

    name: str
    used: float
    stamps: Stamps = ()
    owners: Mapping[str, float] = field(default_factory=dict)

    @property
    def n_bytes(self) -> int:
        """Size of what was brought."""
        return sum(size for _, _, size in self.stamps)

    @property
    def secret(self) -> bool:
        """Whether its name says nothing of its content."""
        return any(part == DIGEST for part, _, _ in self.stamps)

    def alive(self, at: float) -> list[str]:
        """Return the sessions that brought it and have not ended."""
        return [owner for owner, seen in self.owners.items() if abs(at - seen) <= ALIVE_SECONDS]


def now() -> float:
    """Return the time by which everything here is judged."""
    return time.time()


def folder() -> Path:
    """Return the folder; it may not exist yet."""
    return home() / "uploads"


def place_of(name: str) -> Path:
    """Return where an upload is, or would be; raise ValueError for a name that none can have."""
    if not NAME.fullmatch(name):
        raise ValueError("This is no name of an upload.")
    return folder() / name


# Looking ---------------------------------------------------------------------------------------------


def look(place: Path) -> Kept:
    """Return what is known of an upload; raise OSError if it is not there or cannot be looked at."""
    used, stamps, owners = place.stat().st_mtime, [], {}
    for file in place.iterdir():
        stat = file.stat()
        if file.name in PARTS:
            stamps.append((file.name, stat.st_mtime_ns, stat.st_size))
        elif file.name.startswith(OWNER):
            owners[file.name.removeprefix(OWNER)] = stat.st_mtime
    return Kept(place.name, used, tuple(sorted(stamps)), owners)


def scan() -> list[Kept]:
    """Return all uploads; those that disappear meanwhile or cannot be looked at are left out."""
    found = []
    for place in _listed():
        if NAME.fullmatch(place.name):
            with suppress(OSError):
                found.append(look(place))
    return found


def _listed() -> list[Path]:
    try:
        return list(folder().iterdir())
    except OSError:
        return []


# Writing ---------------------------------------------------------------------------------------------


def put(name: str, parts: Mapping[str, bytes], owner: str, whole: Callable[[Path], bool]) -> None:
    """Have an upload in the folder; raise OSError, and leave nothing behind, if that is impossible.

    Parameters
    ----------
    name
        What it is called.
    parts
        Its files.
    owner
        The session that brings it, "" if none does.
    whole
        Says whether one of that name that is there already is as it should be.
    """
    place = place_of(name)
    problem = OSError("The folder of uploads is changed by others all the time.")
    for _ in range(ATTEMPTS):
        if not _is_there(place):
            try:
                _write(place, parts, owner)
            except OSError as error:  # perhaps because another process has just written the same
                problem = error
            else:
                return
        elif not whole(place):
            remove(place)
        elif _claim(place, owner) and touch(place):
            return
    raise problem


def _is_there(place: Path) -> bool:
    try:
        place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _write(place: Path, parts: Mapping[str, bytes], owner: str) -> None:
    """Write aside and rename: another process sees a whole upload or none."""
    place.parent.mkdir(0o700, parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=NEW, dir=place.parent))
    try:
        for part, content in parts.items():
            _write_file(aside / part, content)
        if owner:
            _write_file(aside / f"{OWNER}{owner}", b"")
            touch(aside / f"{OWNER}{owner}")
        touch(aside)
        aside.rename(place)
    except BaseException:
        _discard(aside)
        raise
    with suppress(OSError):  # a system that cannot do this for folders has the upload all the same
        _sync(place.parent)


def _write_file(path: Path, content: bytes) -> None:
    """Write a file, and have it on the disk before its folder gets its name."""
    with path.open("xb", buffering=0) as file:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())


def _sync(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def touch(place: Path) -> bool:
    """Note that an upload or its owner was there just now; return False if it is not there any more.

    Where nothing can be written that cannot either, and what is there can be used all the same.
    """
    at = now()
    try:
        os.utime(place, (at, at))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return os.path.exists(place)  # noqa: PTH110 - which is False, not an error, where nobody can look
    return True


def _claim(place: Path, owner: str) -> bool:
    """Add an owner to an upload; return False if it is not there any more."""
    if not owner:
        return True
    mark = place / f"{OWNER}{owner}"
    try:
        with suppress(FileExistsError):
            _write_file(mark, b"")
    except FileNotFoundError:
        return False
    except OSError:
        return True  # it is there and can be used; it counts as nobody's
    return touch(mark)


# Removing --------------------------------------------------------------------------------------------


def disown(kept: Kept, owner: str) -> None:
    """Take an upload out of a session's share; it is removed unless another session has brought it too."""
    place = place_of(kept.name)

    def wanted(there: Path) -> bool:
        with suppress(OSError):
            return any(other != owner for other in look(there).alive(now()))
        return False

    if wanted(place):
        with suppress(OSError):
            (place / f"{OWNER}{owner}").unlink()
    else:
        remove(place, unless=wanted)


def remove(place: Path, *, unless: Callable[[Path], bool] | None = None) -> None:
    """Remove an upload; it is put back if `unless` says so of it once nobody can find it any more."""
    aside = place.with_name(f"{OLD}{secrets.token_hex(8)}")
    with suppress(OSError):
        place.rename(aside)
        touch(aside)  # from now on it counts as left behind after a while
        if unless is not None and unless(aside):
            aside.rename(place)
    _discard(aside)


def _discard(aside: Path) -> None:
    """Delete a folder that nobody looks for; a second time, should the first meet a passing fault."""
    for _ in range(2):
        shutil.rmtree(aside, ignore_errors=True)


def sweep(expired: Callable[[Kept, float], bool]) -> None:
    """Remove what has expired, and what killed processes have left behind.

    What was written when the clock was ahead counts as used now: otherwise it would be kept until then.
    """
    at = now()
    for kept in scan():
        if kept.used > at + AHEAD_SECONDS:
            touch(folder() / kept.name)
        elif expired(kept, at):
            remove(folder() / kept.name)
    for place in _left():
        with suppress(OSError):
            if abs(at - place.stat().st_mtime) > LEFTOVER_SECONDS:
                _discard(place)


def _left() -> list[Path]:
    """Return what is being written or removed, by somebody who may have been killed meanwhile."""
    left = [place for place in _listed() if place.name.startswith((NEW, OLD))]
    for place, names, _ in os.walk(home() / "openml"):
        # scikit-learn writes a download to such a folder beside its place.
        left += [Path(place, name) for name in names if re.fullmatch(r"tmp\w{8}", name)]
    return left


def touch_all() -> None:
    """Let everything count as used now: the clock has jumped, and no time in the folder means anything."""
    for place in (*(folder() / kept.name for kept in scan()), *_left()):
        touch(place)
