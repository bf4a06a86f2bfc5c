"""What the app may take of the memory that there is: a part for what it keeps, a part to compute in."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ecocviz.engine.memory import available_memory, memory_limit

VARIABLE = "ECOCVIZ_MEMORY"
SHARE = 0.7
"""Of what the machine or its container allows, where nothing else is set."""
COMPUTING = 0.6
"""The share of the budget that all large computations together may take."""
FREE = 0.8
"""The share of what is free now that may be taken at once."""
TWO_AT_ONCE = 4 << 30
"""The budget from which on two large computations run side by side."""

MACHINES, VIEWS, RESULTS, READINGS = 500_000_000, 300_000_000, 100_000_000, 64_000_000
"""Room for trained machines, what views make of them, a pool's results, curves: where there is plenty."""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Budget:
    """Bytes that the app of this process may take."""

    total: int

    def keep(self, plenty: int) -> int:
        """Return the room for something that is kept, less where memory is scarce."""
        return min(plenty, self.total * plenty // (8 * MACHINES))

    @property
    def computing(self) -> int:
        """What one large computation may ever take."""
        return int(COMPUTING * self.total)

    def room(self) -> int:
        """Return what large computations may take now."""
        return min(self.computing, int(FREE * available_memory()))

    @property
    def n_large(self) -> int:
        """How many large computations run at the same time."""
        return max(2, (os.cpu_count() or 1) // 2) if self.total >= TWO_AT_ONCE else 1


def budget(environ: Mapping[str, str] = os.environ) -> Budget:
    """Return the budget that was set, such as ECOCVIZ_MEMORY=4G, or one that suits the machine."""
    asked = environ.get(VARIABLE, "")
    return Budget(read_bytes(asked) if asked else int(SHARE * memory_limit()))


def read_bytes(text: str) -> int:
    """Read a number of bytes.

    >>> read_bytes("512M"), read_bytes("4G"), read_bytes("1000000")
    (536870912, 4294967296, 1000000)
    """
    match = re.fullmatch(r"\s*(\d{1,15})\s*([KMG]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if match is None:
        raise ValueError(f"{VARIABLE} is a number of bytes such as 4G or 512M, not {text[:40]!r}.")
    return int(match[1]) * _UNITS[match[2].upper()]
