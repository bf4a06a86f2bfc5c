"""Where the time of our pipeline goes, for one easy and one hard case."""

import cProfile
import pstats
import time

from benchmarks.common import Table, code, load
from benchmarks.pipeline import ours

CASES = (("optdigits", 0.0625, "all-pairs"), ("optdigits", 1.0, "dense 3Q"))


def measure() -> Table:
    """Profile processor time; the six functions that take the most."""
    table = Table("Where our time goes", "One fit and prediction of 2,000 points with 2,000, profiled.")
    for name, gamma, family in CASES:
        problem = load(name, 2000)
        matrix = code(family, 10)
        profiler = cProfile.Profile(time.process_time)
        profiler.runcall(ours, problem, matrix, gamma)
        stats = pstats.Stats(profiler).stats
        total = sum(entry[2] for entry in stats.values())
        largest = sorted(stats.items(), key=lambda item: -item[1][2])[:6]
        shares = ", ".join(f"`{key[2]}` {100 * entry[2] / total:.0f} %" for key, entry in largest)
        table.rows.append(
            {
                "data": f"{name} 2000",
                "γ": gamma,
                "code": family,
                "ms": f"{1000 * total:.0f}",
                "shares": shares,
            }
        )
    return table
