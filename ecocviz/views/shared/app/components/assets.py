"""Reads the browser files that lie beside the components: no build step, nothing from elsewhere."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent


@cache
def source(*names: str) -> str:
    """Join files of this folder into one text."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)
