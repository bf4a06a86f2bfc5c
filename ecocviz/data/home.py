"""The user's data folder, where everything that outlives the process is kept."""

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return the folder: ECOCVIZ_HOME if set, else the platform's place. It may not exist yet."""
    chosen = os.environ.get("ECOCVIZ_HOME", "").strip()
    return Path(os.path.expanduser(chosen)) if chosen else Path(platformdirs.user_data_dir("ecocviz"))  # noqa: PTH111 - `~nobody` stays a name, where pathlib would raise
