"""Where compiled numerics are kept when neither the package's own folder nor the user's can be written to.

numba refuses to load a function that it cannot keep, and fails when the disk is full.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import platformdirs

VARIABLE = "NUMBA_CACHE_DIR"
PROBE = bytes(100_000)
"""About as large as a compiled loop."""


def find_room_for_compiled() -> None:
    """Let compiled code go to a folder of its own, for this run only, if it has nowhere else to go."""
    if os.environ.get(VARIABLE):
        return
    own = Path(__file__).parents[1] / "engine" / "kernels" / "__pycache__"
    if not any(map(_can_be_written, (own, Path(platformdirs.user_cache_dir("numba", appauthor=False))))):
        # None that the next run would find again: what lies there is run, and others may write beside it.
        os.environ[VARIABLE] = made = tempfile.mkdtemp(prefix="ecocviz-compiled-")
        atexit.register(shutil.rmtree, made, ignore_errors=True)


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            return file.write(PROBE) == len(PROBE)
    except OSError:
        return False
