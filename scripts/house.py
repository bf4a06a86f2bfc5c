"""Measure a checkout of this project: its size, how far its walks go, and how often it trains.

    python scripts/house.py                                # this checkout, as a table
    python scripts/house.py --checkout PATH --json
    python scripts/house.py --before PATH --after PATH     # two side by side
    python scripts/house.py --before before.json --after .  # what --json printed serves for a checkout

Lines are all lines of the files whose names end in `SUFFIXES`, blank ones and comments included. The
app half is `lab`, `figures`, `ui`, `views`, `pages` and `app.py`, as far as there are such, with its
JavaScript, CSS and HTML; the rest of the product is the engine, the data, and the modules at the top
of the package. Generated files (`__pycache__`) do not count.

Walks, hops and trainings are explained in `scripts/walks.py`. "Remembered" is the slider moved to a
value whose machines and regions are known: it is this count, over the whole product, that gave the
38 files which the layout `lab`, `figures`, `ui` was first criticised for.

A checkout is never changed; its package is imported from where it is (PYTHONPATH).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SUFFIXES = (".py", ".js", ".mjs", ".ts", ".css", ".html")
APP_HALF = ("ecocviz/lab", "ecocviz/figures", "ecocviz/ui", "ecocviz/views", "pages", "app.py")
ROOMS = ("ecocviz/engine", "ecocviz/data", *APP_HALF)
WALKS = {
    "slider": "slider: gamma -> new regions",
    "run": "`ecocviz run`",
    "upload": "upload -> Decoders",
    "curves": "a curve as a job",
}
SIZES = (": lines", ": files (of them Python)")
SECONDS_PER_WALK = 900

Facts = dict[str, Any]


def sources(top: Path) -> list[Path]:
    """Return the counted files of a folder, or the file itself; none where there is no such thing."""
    found = [top] if top.is_file() else sorted(path for path in top.rglob("*") if path.is_file())
    return [path for path in found if path.suffix in SUFFIXES and "__pycache__" not in path.parts]


def size(paths: Iterable[Path]) -> Facts:
    """Count files, Python files and lines."""
    known = list(paths)
    return {
        "files": len(known),
        "python files": sum(path.suffix == ".py" for path in known),
        "lines": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in known),
    }


def sizes(checkout: Path) -> dict[str, Facts]:
    """Count the product, its rooms, its app half and its tests."""
    product = [path for top in ("ecocviz", "pages", "app.py", "asgi.py") for path in sources(checkout / top)]
    rooms = {room: sources(checkout / room) for room in ROOMS}
    inside = {path for paths in rooms.values() for path in paths}
    return {
        "product": size(product),
        **{room: size(paths) for room, paths in rooms.items() if paths},
        "top of the package": size(path for path in product if path not in inside),
        "app half": size(path for room in APP_HALF for path in rooms[room]),
        "tests": size(sources(checkout / "tests")),
    }


def walk(name: str, checkout: Path) -> Facts:
    """Make one walk in a process and a home of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        done = subprocess.run(  # noqa: S603 - our own script
            [sys.executable, "-W", "ignore", str(HERE / "walks.py"), name, str(checkout)],
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": str(checkout), "ECOCVIZ_HOME": home},
            capture_output=True,
            text=True,
            timeout=SECONDS_PER_WALK,
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"The walk {name!r} through {checkout} ended with {done.returncode}:\n{done.stderr}")
    found: Facts = json.loads(done.stdout.splitlines()[-1])
    return found


def hops(files: list[str]) -> Facts:
    """Count the files of a walk, and those of the app half among them."""
    in_app = [name for name in files if any(name == top or name.startswith(f"{top}/") for top in APP_HALF)]
    return {"product": len(files), "app half": len(in_app), "files": files}


def measure(checkout: Path, *, with_walks: bool = True) -> Facts:
    """Measure everything."""
    facts: Facts = {"sizes": sizes(checkout)}
    if not with_walks:
        return facts
    facts["hops"] = {}
    for name in WALKS:
        found = walk(name, checkout)
        facts["hops"][name] = hops(found["files"])
        if "again" in found:
            facts["hops"][f"{name}, remembered"] = hops(found["again"])
    facts["trainings"] = walk("pages", checkout)
    return facts


def rows(facts: Facts) -> dict[str, str]:
    """Write what was measured, one line a number."""
    found: dict[str, str] = {}
    for name, counted in facts["sizes"].items():
        values = (f"{counted['lines']:,}", f"{counted['files']} ({counted['python files']})")
        found |= {f"{name}{title}": value for title, value in zip(SIZES, values, strict=True)}
    for name, counted in facts.get("hops", {}).items():
        title = WALKS.get(name) or f"{WALKS[name.partition(',')[0]]}, remembered"
        found[f"files run, {title} (of them app half)"] = f"{counted['product']} ({counted['app half']})"
    trainings = facts.get("trainings")
    if trainings:
        title = "trainings on a walk through all pages (of them distinct)"
        found[title] = f"{trainings['total']} ({trainings['distinct']})"
    return found


def table(columns: dict[str, Facts]) -> str:
    """Write a Markdown table, one column a checkout; a dash where one has no such thing."""
    written = {name: rows(facts) for name, facts in columns.items()}
    titles = list(dict.fromkeys(title for column in written.values() for title in column))
    # Rooms that only one side has stand with the others, before the sums.
    titles.sort(key=lambda title: (not title.endswith(SIZES), title.startswith(("app half", "tests"))))
    lines = ["| " + " | ".join(("", *written)) + " |", "|---|" + "---:|" * len(written)]
    lines += [
        "| " + " | ".join((title, *(column.get(title, "-") for column in written.values()))) + " |"
        for title in titles
    ]
    return "\n".join(lines)


def known(place: Path, *, with_walks: bool) -> Facts:
    """Measure a checkout, or read what was measured before."""
    if place.is_file():
        facts: Facts = json.loads(place.read_text(encoding="utf-8"))
        return facts
    if not (place / "ecocviz").is_dir():
        raise SystemExit(f"{place} is no checkout of this project.")
    return measure(place.resolve(), with_walks=with_walks)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure a checkout: size, hops of four walks, trainings.")
    parser.add_argument("--checkout", type=Path, default=HERE.parent, help="what to measure (this one)")
    parser.add_argument(
        "--before", type=Path, help="a checkout, or what --json printed, for the first column"
    )
    parser.add_argument("--after", type=Path, help="the same for the second column (--checkout)")
    parser.add_argument("--no-walks", action="store_true", help="count files and lines only")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    chosen = parser.parse_args(arguments)
    last = chosen.after or chosen.checkout
    places = {"now": last} if chosen.before is None else {"before": chosen.before, "after": last}
    columns = {name: known(place, with_walks=not chosen.no_walks) for name, place in places.items()}
    if chosen.json:
        print(json.dumps(columns["now"] if chosen.before is None else columns, indent=1))
    else:
        print(table(columns))


if __name__ == "__main__":
    main()
