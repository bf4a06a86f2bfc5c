"""What was wanted, what was measured, and the table of both."""

import os
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

Found = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    """A row of the table.

    Attributes
    ----------
    what
        In words.
    unit
        Of the number.
    number
        Takes it out of what a form has measured; None where it was not measured.
    most
        The most that is wanted, None where nothing is.
    """

    what: str
    unit: str
    number: Callable[[Found], float | None]
    most: float | None = None

    def row(self, found: Found) -> dict[str, Any]:
        """Return the row of a measurement; `met` is None where nothing was wanted or measured."""
        number = self.number(found)
        met = None if number is None or self.most is None else number <= self.most
        return {"what": self.what, "unit": self.unit, "wanted": self.most, "measured": number, "met": met}


def latency(kind: str, which: str) -> Callable[[Found], float | None]:
    """Return what takes a latency out of a measurement."""

    def number(found: Found) -> float | None:
        value: float | None = found["latency"].get(kind, {}).get(f"{which}_ms")
        return value

    return number


def errors(found: Found) -> float:
    """Return how many things went wrong."""
    return float(sum(found["errors"].values()))


def gave_up(found: Found) -> float:
    """Return how many visitors waited too long."""
    return float(found["gave_up"])


def growth(of: str, how: str = "") -> Callable[[Found], float | None]:
    """Return what says by how many percent something was more at the end than at the start."""

    def number(found: Found) -> float | None:
        start, end = (found["memory"].get(f"{how}{when}", {}).get(of) for when in ("start", "end"))
        return None if not start or not end else round(100 * (end / start - 1), 1)

    return number


def share(name: str) -> Callable[[Found], float | None]:
    """Return what takes a cost out of a measurement, in percent of one processor."""
    return lambda found: round(100 * found["costs"][f"{name}_cpu_share"], 1)


def returned(how: str) -> Callable[[Found], float | None]:
    """Return what counts those who did not come back so."""
    return lambda found: float(found["sessions"] - found["returned"].get(how, 0))


def gigabytes(*path: str) -> Callable[[Found], float | None]:
    """Return what takes a size out of the memory that was measured."""

    def number(found: Found) -> float | None:
        value = found["memory"]
        for name in path:
            value = value.get(name, {})
        return round(value / 2**30, 2) if value else None

    return number


def ratio(name: str) -> Callable[[Found], float | None]:
    """Return what takes a ratio out of the quick form."""
    return lambda found: found["ratios"].get(name)


def crowd(n: int, *path: str) -> Callable[[Found], float | None]:
    """Return what takes a number of one of several crowds out of a measurement."""

    def number(found: Found) -> float | None:
        value = found["crowds"].get(str(n), {})
        for name in path:
            value = value.get(name, {})
        return float(value) if value != {} else None

    return number


def times_alone(n: int, *path: str) -> Callable[[Found], float | None]:
    """Return what says how many times as much a number is among so many as it is for one alone."""

    def number(found: Found) -> float | None:
        among, alone = (crowd(k, *path)(found) for k in (n, 1))
        return None if among is None or not alone else round(among / alone, 2)

    return number


def each(of: str, per: float) -> Callable[[Found], float | None]:
    """Return what says how much of the memory one session holds, while the server still keeps it."""

    def number(found: Found) -> float | None:
        left, end = (found["memory"].get(when, {}).get(of) for when in ("left", "end"))
        n = found["sessions"]
        return None if not left or not end else round((left - end) / n / per, 1)

    return number


def lost(found: Found) -> float:
    """Return how many seeds of visitors' own have no run in the store."""
    return float(found["own_seeds"]["typed"] - found["own_seeds"]["kept"])


COSTS = (
    Wanted("processor time of the server", "% of one", share("server")),
    Wanted("processor time of the load generator and its browsers", "% of one", share("load_generator")),
    Wanted("processor time of all other programs", "% of one", share("others")),
)
TROUBLE = (
    Wanted("errors", "", errors, 0),
    Wanted("visitors who gave up", "", gave_up, 0),
)
TABS = (
    Wanted("real tab: first picture, p50", "ms", latency("real tab: first picture", "p50")),
    Wanted("real tab: cached change to paint, p95", "ms", latency("real tab: cached change", "p95")),
    Wanted("real tab: new training to paint, p95", "ms", latency("real tab: new training", "p95")),
)
OTHERS = (
    Wanted("page switch, cached, p95", "ms", latency("page switch, cached", "p95")),
    Wanted("everybody at once, p95", "ms", latency("everybody at once", "p95")),
    Wanted("all that is known, p95", "ms", latency("all that is known", "p95")),
)
RSS = Wanted("most in memory (RSS)", "GiB", lambda found: round(found["costs"]["rss_peak_bytes"] / 2**30, 2))
MEMORY = (
    Wanted("growth of the heap, after all have left", "%", growth("heap_bytes"), 20),
    Wanted("the same, when what is kept on purpose is forgotten", "%", growth("heap_bytes", "emptied "), 20),
    Wanted("growth of Python's small blocks, after all have left", "%", growth("blocks"), 20),
    Wanted("the same, when what is kept on purpose is forgotten", "%", growth("blocks", "emptied "), 20),
    RSS,
)
CROWD = (
    Wanted("first page, p95", "ms", latency("first page", "p95")),
    Wanted("cached change, p50", "ms", latency("cached change", "p50")),
    Wanted("cached change, p95", "ms", latency("cached change", "p95"), 1000),
    Wanted("new small training, p95", "ms", latency("new training", "p95")),
    *OTHERS,
    *TABS,
    *TROUBLE,
)
CPU = "server_cpu_ms_per_change"
READERS = (
    *(
        Wanted(f"server time of a change, {n} session{'s' * (n > 1)}", "ms", crowd(n, "costs", CPU))
        for n in (1, 20, 60)
    ),
    Wanted("server time of a change, 60 against one alone", "times", times_alone(60, "costs", CPU), 2),
    *(
        Wanted(f"{kind}, {which}, {n} session{'s' * (n > 1)}", "ms", crowd(n, "latency", kind, f"{which}_ms"))
        for kind in ("cached change", "page switch, cached")
        for n in (1, 20, 60)
        for which in ("p50", "p95")
    ),
    *TROUBLE,
    Wanted("lines of complaint in the server's log", "", lambda found: float(len(found["complaints"])), 0),
    Wanted("heap of a session", "kB", each("heap_bytes", 1000.0)),
    Wanted("Python's small blocks of a session", "thousand", each("blocks", 1000.0)),
    *MEMORY,
    *COSTS,
)
ROWS: dict[str, tuple[Wanted, ...]] = {
    "class": (
        Wanted("first page, p95", "ms", latency("first page", "p95"), 300),
        Wanted("cached change, p50", "ms", latency("cached change", "p50")),
        Wanted("cached change, p95", "ms", latency("cached change", "p95"), 200),
        Wanted("new small training, p50", "ms", latency("new training", "p50")),
        Wanted("new small training, p95", "ms", latency("new training", "p95"), 600),
        *OTHERS,
        *TABS,
        *TROUBLE,
        *MEMORY,
        *COSTS,
    ),
    "arrivals": (
        Wanted("first page, p50", "ms", latency("first page", "p50")),
        Wanted("first page, p95", "ms", latency("first page", "p95")),
        *TABS[:1],
        *TROUBLE,
        *COSTS,
    ),
    "crowd": (*CROWD, *MEMORY, *COSTS),
    "crowd-by-two": (*CROWD, RSS, *COSTS),
    "quick": (
        Wanted("first page, p95, against one alone", "times", ratio("first page")),
        Wanted("cached change, p95, against one alone", "times", ratio("cached change"), 20),
        Wanted("new small training, p95, against one alone", "times", ratio("new training"), 20),
        Wanted("server time per change, against one alone", "times", ratio("server time per change"), 2),
        *TROUBLE,
    ),
    "heavy": (
        Wanted(
            "first page beside heavy work, longest",
            "ms",
            latency("first page beside heavy work", "max"),
            2000,
        ),
        Wanted("cached change, p50", "ms", latency("cached change", "p50")),
        Wanted("cached change, p95", "ms", latency("cached change", "p95"), 300),
        Wanted("cached change, longest", "ms", latency("cached change", "max")),
        Wanted("picture of letter one-vs-one, p50", "ms", latency("the picture of letter one-vs-one", "p50")),
        *TROUBLE,
        *COSTS,
    ),
    "gammas": (
        Wanted("most in memory (RSS)", "GiB", gigabytes("rss_peak_bytes"), 3),
        Wanted("kept in memory (RSS)", "GiB", gigabytes("left", "rss_bytes")),
        Wanted("kept in the heap", "GiB", gigabytes("left", "heap_bytes")),
        Wanted("longest until the picture", "ms", latency("letter with its own gamma", "max")),
        *TROUBLE,
    ),
    "reconnect": (
        Wanted("not back on the same link", "", returned("to the same link"), 0),
        Wanted("not back on the same pictures", "", returned("to the same pictures"), 0),
        Wanted("back on the screen, p95", "ms", latency("back on the screen", "p95")),
        *TROUBLE,
        *COSTS,
    ),
    "papers": READERS,
    "runs": READERS,
    "recording": (
        *READERS,
        Wanted("seeds of visitors' own whose run is not in the store", "", lost),
    ),
    "mixed": (
        Wanted("cached change, p50", "ms", latency("cached change", "p50")),
        Wanted("cached change, p95", "ms", latency("cached change", "p95"), 300),
        Wanted("page switch, cached, p95", "ms", latency("page switch, cached", "p95")),
        Wanted("new curves, p50", "ms", latency("new training", "p50")),
        Wanted("new curves, p95", "ms", latency("new training", "p95")),
        *TROUBLE,
        RSS,
        *COSTS,
    ),
    "visit": (
        Wanted("server time of a new visit, the page", "ms", lambda found: found["visit_cpu_ms"], 40),
        Wanted("the same with a browser's files", "ms", lambda found: found["browser_visit_cpu_ms"]),
        Wanted("first page, p50", "ms", latency("first page", "p50")),
        Wanted("errors", "", errors, 0),
    ),
}
"""Form -> the rows of the table."""


def machine() -> str:
    """Say what it was measured on."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as told:  # noqa: PTH123 - a device file
        names = [line.partition(":")[2].strip() for line in told if line.startswith("model name")]
    kind = names[0] if names else "unknown"
    return f"{os.cpu_count()} processors ({kind}), Python {platform.python_version()}"


def complete(form: str, found: Found, settings: Any, command: str, load_before: float) -> Found:
    """Return everything about a measurement, as it is written to a file."""
    told = {
        name: value if isinstance(value, int | float | str | bool) else str(value)
        for name, value in asdict(settings).items()
    }
    del told["checkout"]
    rows = [wanted.row(found) for wanted in ROWS.get(form, ())]
    whole = {
        "form": form,
        "command": command,
        "date": datetime.now(tz=UTC).date().isoformat(),
        "machine": machine(),
        "load_before": round(load_before, 2),
        "settings": told,
    }
    return whole | {"rows": rows} | found


def table(found: Found) -> str:
    """Write the rows of a measurement as a Markdown table."""
    lines = ["| | wanted | measured | met |", "|---|---|---|---|"]
    for row in found["rows"]:
        unit = f" {row['unit']}" if row["unit"] else ""
        wanted = "" if row["wanted"] is None else f"≤ {row['wanted']:g}{unit}"
        measured = "not measured" if row["measured"] is None else f"{row['measured']:,g}{unit}"
        met = {None: "", True: "yes", False: "**no**"}[row["met"]]
        lines.append(f"| {row['what']} | {wanted} | {measured} | {met} |")
    return "\n".join(lines)


def heading(found: Found) -> str:
    """Say in a line what a table is of."""
    told = found["settings"]
    who = f"{told['sessions']} sessions within {told['arrive_seconds']:g} s, {told['tabs']} real tabs"
    kept = f", {told['kept_runs']:,} kept runs" if told.get("kept_runs") else ""
    where = f"{found['machine']}, load before {found['load_before']:g}"
    when = f", {found['date']}" if "date" in found else ""
    return f"{found['form']}: {who}{kept}, {told['seconds']:g} s; {where}{when}"
