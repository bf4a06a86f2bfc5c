"""What the operator's page says, as a record and as HTML: nothing of what users do, bring or are called."""

import html
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import psutil

from ecocviz import __version__
from ecocviz.serving.colours import COLOURS
from ecocviz.serving.desk import WINDOW_SECONDS, Desk

REFRESH_SECONDS = 4
SUMMED = (
    "sessions",
    "running",
    "waiting",
    "rss_bytes",
    "kept_bytes",
    "budget_bytes",
    "uploads",
    "upload_bytes",
)
LATE_SECONDS = 15.0
"""A process that has told nothing for so long is shown as silent."""

Record = dict[str, Any]


def status(desk: Desk, pids: Sequence[int | None], since: float) -> Record:
    """Say how a server is.

    Parameters
    ----------
    desk
        Where the processes tell.
    pids
        Of the app processes, in the order of their slots; None where one is being started.
    since
        When the server began, in seconds of `time.monotonic`.
    """
    processes = [_process(desk, slot, pid) for slot, pid in enumerate(pids)]
    runs = [run for pid in pids if pid is not None for run in desk.runs_of(pid)]
    total = {name: sum(one.get(name) or 0 for one in processes) for name in SUMMED}
    return {
        "version": __version__,
        "uptime_seconds": round(time.monotonic() - since),
        "window_seconds": round(WINDOW_SECONDS),
        "refused_codes": desk.refused,
        "total": total | _durations(runs),
        "processes": processes,
        "errors": list(reversed(desk.errors)),
    }


def _process(desk: Desk, slot: int, pid: int | None) -> Record:
    told = None if pid is None else desk.told.get(pid)
    if pid is None or told is None:
        return {"slot": slot, "state": "starting"}
    silent = time.monotonic() - told.at > LATE_SECONDS
    state = {
        "slot": slot,
        "pid": pid,
        "state": "silent" if silent else "serving",
        "rss_bytes": rss_bytes(pid),
    }
    return state | told.latest | _durations(desk.runs_of(pid))


def rss_bytes(pid: int) -> int:
    """Return the bytes in memory of a process and of those that compute for it."""
    total = 0
    with suppress(psutil.Error):  # it has just ended
        process = psutil.Process(pid)
        for each in [process, *process.children(recursive=True)]:
            with suppress(psutil.Error):
                total += each.memory_info().rss
    return total


def _durations(runs: list[float]) -> Record:
    """Return how many runs there were, and the milliseconds within which half and 95 % of them ended."""
    runs = sorted(runs)
    return {"runs": len(runs), "p50_ms": quantile(runs, 0.5), "p95_ms": quantile(runs, 0.95)}


def quantile(ordered: Sequence[float], share: float) -> float | None:
    """Return the smallest of ordered numbers that so many of them do not exceed, None of none.

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.5), quantile([], 0.5)
    (2.0, None)
    """
    if not ordered:
        return None
    place = max(0, min(len(ordered) - 1, -int(-share * len(ordered) // 1) - 1))
    return round(ordered[place], 1)


# As HTML -------------------------------------------------------------------------------------------

LOOK = (
    COLOURS
    + """\
body { margin: 0 auto; max-width: 76rem; padding: 1.2rem; background: var(--back); color: var(--text);
  font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
h1 { margin: 0; font-size: 1.4rem; } h2 { margin: 1.6rem 0 .5rem; font-size: 1.05rem; }
p { margin: .2rem 0; color: var(--soft); }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .6rem;
  margin: 1rem 0 0; padding: 0; list-style: none; }
li { padding: .7rem .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
li b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
li span { color: var(--soft); }
.wide { overflow-x: auto; }
a { color: inherit; }
table { font-size: 13px; width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .4rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } .left { text-align: left; }
.wrong { color: var(--wrong); }
@media (max-width: 60rem) { body { padding: .8rem; } table { font-size: 12px; }
  th, td { padding: .3rem .25rem; } th { white-space: normal; vertical-align: bottom; } }
"""
)

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{refresh}">
<title>ecocviz · operator</title>
<style>{look}</style>
</head>
<body>
<h1>ecocviz, for the operator</h1>
<p>Version {version}, up for {uptime}. Runs of pages are those of the last {window}. \
<a href="status.json">The same as JSON</a></p>
<ul>
{cards}
</ul>
<h2>Processes</h2>
<div class="wide"><table>
<tr>{heads}</tr>
{rows}
</table></div>
<h2>Latest errors</h2>
{errors}
</body>
</html>
"""
COLUMNS = (
    ("Slot", "slot"), ("Process", "pid"), ("State", "state"), ("Sessions", "sessions"),
    ("Runs now", "running"), ("Waits", "waiting"), ("Memory", "rss_bytes"), ("Budget", "budget_bytes"),
    ("Kept", "kept_bytes"), ("Page runs", "runs"), ("p50", "p50_ms"), ("p95", "p95_ms"),
    ("Uploads", "uploads"), ("Errors", "n_errors"), ("Up for", "uptime_seconds"),
)  # fmt: skip


def operator_page(record: Record) -> str:
    """Write the page."""
    total, processes = record["total"], record["processes"]
    n_errors = sum(one.get("n_errors") or 0 for one in processes)
    cards = [
        ("Sessions connected", str(total["sessions"])),
        ("Jobs running, waiting", f"{total['running']}, {total['waiting']}"),
        ("Memory of the processes", told("rss_bytes", total["rss_bytes"])),
        ("Half of the runs within", told("p50_ms", total["p50_ms"])),
        ("95 % of the runs within", told("p95_ms", total["p95_ms"])),
        ("Runs of pages", f"{total['runs']:,}"),
        ("Errors", str(n_errors)),
        ("Uploads", f"{total['uploads']}, {told('upload_bytes', total['upload_bytes'])}"),
        ("Refused codes", str(record["refused_codes"])),
    ]
    heads = "".join(f'<th scope="col"{_side(name)}>{title}</th>' for title, name in COLUMNS)
    return PAGE.format(
        refresh=REFRESH_SECONDS,
        look=LOOK,
        version=html.escape(record["version"]),
        uptime=told("uptime_seconds", record["uptime_seconds"]),
        window=told("uptime_seconds", record["window_seconds"]),
        cards="\n".join(
            f"<li><b>{html.escape(value)}</b><span>{label}</span></li>" for label, value in cards
        ),
        heads=heads,
        rows="\n".join(_row(one) for one in processes),
        errors=_errors(record["errors"]),
    )


def _row(process: Record) -> str:
    cells = (
        f"<td{_side(name)}>{html.escape(told(name, process.get(name)))}</td>" for _title, name in COLUMNS
    )
    return f"<tr>{''.join(cells)}</tr>"


def _side(name: str) -> str:
    return ' class="left"' if name == "state" else ""


def _errors(errors: Sequence[Record]) -> str:
    if not errors:
        return "<p>None.</p>"
    rows = [
        f'<tr><td class="left">{_clock(float(one["at"]))}</td>'
        f'<td class="left wrong">{html.escape(str(one["kind"]))}</td>'
        f'<td class="left">{html.escape(str(one["place"]))}</td></tr>'
        for one in errors
    ]
    titles = ("Time (UTC)", "Kind", "Where")
    heads = "".join(f'<th scope="col" class="left">{title}</th>' for title in titles)
    return f'<div class="wide"><table><tr>{heads}</tr>{"".join(rows)}</table></div>'


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def told(name: str, value: Any) -> str:  # noqa: ANN401 - whatever a process tells
    """Write one value.

    >>> told("rss_bytes", 734_003_200), told("p95_ms", 41.25), told("uptime_seconds", 7_384)
    ('700 MiB', '41 ms', '2 h 3 min')
    """
    if value is None:
        return "–"
    if name.endswith("_bytes"):
        return f"{value / 2**30:.1f} GiB" if value >= 2**30 else f"{value / 2**20:.0f} MiB"
    if name.endswith("_ms"):
        return f"{value:,.0f} ms"
    return _span(value) if name.endswith("_seconds") else str(value)


def _span(seconds: float) -> str:
    minutes, hours, days = seconds // 60, seconds // 3_600, seconds // 86_400
    if minutes < 2:
        return f"{seconds:.0f} s"
    if hours < 1:
        return f"{minutes:.0f} min"
    return f"{hours:.0f} h {minutes % 60:.0f} min" if days < 2 else f"{days:.0f} d {hours % 24:.0f} h"
