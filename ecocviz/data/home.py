"""The user's data folder, where everything that outlives the process is kept."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

import platformdirs

WHY = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "the disk is full"),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "nothing may be written to the data folder"),
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST), "the data folder is a file"),
}


def home() -> Path:
    """Return the folder: ECOCVIZ_HOME if set, else the platform's place. It may not exist yet."""
    chosen = os.environ.get("ECOCVIZ_HOME", "").strip()
    # A user that nobody knows stays a name in the path, where pathlib would raise an error.
    return Path(os.path.expanduser(chosen) if chosen else platformdirs.user_data_dir("ecocviz"))  # noqa: PTH111 - see above


def close_to_others(place: Path) -> None:
    """Let nobody else use a file or folder of ours, where there is one: names in it are secrets."""
    with suppress(OSError):
        mode = stat.S_IMODE(place.stat().st_mode)
        if mode & 0o077:
            place.chmod(mode & 0o700)


def why_not_written(error: OSError, *, shared: bool = False) -> tuple[str, str] | None:
    """Say why the folder could not be written to, and what to do; None if it is for none of these reasons.

    >>> why_not_written(OSError(errno.ENOSPC, ""))
    ('the disk is full', 'make room on it')
    """
    why = WHY.get(error.errno or 0)
    if why is None:
        return None
    if shared:
        return why, "tell whoever runs this server"
    return why, "make room on it" if why == WHY[errno.ENOSPC] else "name another folder in ECOCVIZ_HOME"
