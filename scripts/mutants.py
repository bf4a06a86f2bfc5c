"""Test the tests: make small faults in the lab and in the views' facts, and see whether a test notices.

    python scripts/mutants.py                        # 200 faults; lists those that no test noticed
    python scripts/mutants.py --number 30 --minutes 20 --state build/mutants.json
    python scripts/mutants.py --files ecocviz/lab/run.py

Every fault is made in a copy of the checkout, and the tests of its room run there: the examples in the
file itself and the tests of the same name first, then those that import the file, then those that reach
it through others, each the fastest first. Tests of whole pages and the browser's, which reach
everything, are not asked. What was found is kept in a file, so that a run that was stopped goes on where
it was; a fault whose file has changed is made again. The same seed chooses the same faults.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.mutator import Fault, faults, with_fault  # noqa: E402 - the path comes first
from scripts.rooms import Room  # noqa: E402 - the path comes first

TARGETS = ("ecocviz/lab/**/*.py", "ecocviz/views/*/facts*.py")
COPIED = (
    "ecocviz",
    "tests",
    "pages",
    "scripts",
    "benchmarks",
    "docs",
    ".streamlit",
    "app.py",
    "asgi.py",
    "pyproject.toml",
)
NUMBER, WORKERS = 200, 2
PATIENCE, SPARE_SECONDS = 4.0, 60.0
"""A fault's tests may take so many times as long as without it, and so many seconds more."""
PYTEST = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not (e2e or page)")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault of one file; `digest` is that of the file without it."""

    file: str
    digest: str
    fault: Fault

    @property
    def name(self) -> str:
        """Its name in the file of results."""
        fault = self.fault
        return f"{self.file}:{fault.line}:{fault.column} {self.digest} {fault.before!r} -> {fault.after!r}"

    def __str__(self) -> str:
        """Say what was changed, for a person."""
        before, after = (" ".join(text.split()) for text in (self.fault.before, self.fault.after))
        return f"{self.file}:{self.fault.line}  `{before}` -> `{after}`"


def chosen_mutants(root: Path, files: list[str], number: int, seed: int) -> list[Mutant]:
    """Choose faults by chance, at most one a place."""
    places = []
    for name in files:
        source = (root / name).read_text(encoding="utf-8")
        digest = hashlib.sha256(source.encode()).hexdigest()[:12]
        places += [(name, digest, edits) for edits in faults(source)]
    chance = random.Random(seed)  # noqa: S311 - no secret
    picked = chance.sample(places, min(number, len(places)))
    return [Mutant(name, digest, chance.choice(edits)) for name, digest, edits in picked]


# Running them ----------------------------------------------------------------------------------------


def copied(root: Path, target: Path) -> Path:
    """Copy what the tests need; times are kept, so that compiled files stay good."""
    for name in COPIED:
        if (root / name).is_dir():
            skipped = shutil.ignore_patterns("screenshots", "node_modules")
            shutil.copytree(root / name, target / name, ignore=skipped)
        elif (root / name).exists():
            shutil.copy2(root / name, target / name)
    return target


def tested(tree: Path, arguments: list[str], limit: float | None) -> tuple[int | None, str]:
    """Run tests in a copy; return their status, None if the time was up, and the end of what they said."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(  # noqa: S603 - our own tests
        [sys.executable, *PYTEST, *arguments],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""
    return process.returncode, said[-2_000:]


def timed(tree: Path, tests: list[str]) -> dict[str, float]:
    """Run tests without a fault; return the seconds of each file."""
    report = tree / "times.xml"
    status, said = tested(tree, [*tests, f"--junitxml={report}"], None)
    if status:
        raise SystemExit(f"The tests fail without any fault:\n{said}")
    seconds: dict[str, float] = defaultdict(float)
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - written by our own pytest
        names = (case.get("classname") or "").split(".")
        file = next(
            (
                f"{'/'.join(names[:n])}.py"
                for n in range(len(names), 0, -1)
                if names[n - 1].startswith("test_")
            ),
            "",
        )
        seconds[file] += float(case.get("time") or 0)
    return dict(seconds)


def outcome(tree: Path, root: Path, mutant: Mutant, tests: list[str], limit: float) -> str:
    """Make a fault in a copy and return what became of it: "killed", "timeout" or "alive"."""
    target = tree / mutant.file
    source = (root / mutant.file).read_text(encoding="utf-8")
    target.write_text(with_fault(source, mutant.fault), encoding="utf-8")
    try:
        status, said = tested(tree, tests, limit)
    finally:
        shutil.copy2(root / mutant.file, target)
    if status not in {None, 0, 1, 2}:
        raise SystemExit(f"pytest could not run the tests of {mutant}:\n{said}")
    return {None: "timeout", 0: "alive"}.get(status, "killed")


class Results:
    """What became of the faults, in a file that grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, str] = {}
        self.seconds: dict[str, float] = {}
        if path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            self.known, self.seconds = kept["known"], kept["seconds"]

    def write(self) -> None:
        """Write everything."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"known": self.known, "seconds": self.seconds}, indent=1)
        self.path.write_text(text, encoding="utf-8")


def hunt(root: Path, mutants: list[Mutant], results: Results, minutes: float, workers: int) -> None:
    """Make the faults that are not known yet, a few at the same time, until the time is up."""
    end = time.monotonic() + 60 * minutes
    room = Room(root)
    missing = [mutant for mutant in mutants if mutant.name not in results.known]
    if not missing:
        return
    with tempfile.TemporaryDirectory(prefix="ecocviz-mutants-") as folder:
        trees: Queue[Path] = Queue()
        for number in range(workers):
            trees.put(copied(root, Path(folder) / str(number)))
        asked = sorted({test for mutant in missing for test in room.tests_of(mutant.file, {})})
        if not set(asked) <= results.seconds.keys():
            tree = trees.get()
            results.seconds |= dict.fromkeys(asked, 0.0) | timed(tree, asked)
            trees.put(tree)
            results.write()

        def work(mutant: Mutant) -> tuple[Mutant, str] | None:
            examples = [mutant.file] if ">>> " in (root / mutant.file).read_text(encoding="utf-8") else []
            tests = [*examples, *room.tests_of(mutant.file, results.seconds)]
            if time.monotonic() > end:
                return None
            tree = trees.get()
            try:
                limit = PATIENCE * sum(results.seconds.get(test, 0.0) for test in tests) + SPARE_SECONDS
                return mutant, outcome(tree, root, mutant, tests, limit) if tests else "alive"
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(workers) as pool:
            for done in as_completed([pool.submit(work, mutant) for mutant in missing]):
                found = done.result()
                if found is not None:
                    results.known[found[0].name] = found[1]
                    results.write()
                    print(f"{found[1]:8} {found[0]}", flush=True)


# The report ------------------------------------------------------------------------------------------


def report(mutants: list[Mutant], known: dict[str, str]) -> Iterator[str]:
    """Write how many faults of each file died, and which live."""
    done = [mutant for mutant in mutants if mutant.name in known]
    alive = [mutant for mutant in done if known[mutant.name] == "alive"]
    yield "| file | faults | killed | alive |"
    yield "|---|---:|---:|---:|"
    for file in sorted({mutant.file for mutant in done}):
        n = sum(mutant.file == file for mutant in done)
        living = sum(mutant.file == file for mutant in alive)
        yield f"| {file} | {n} | {n - living} | {living} |"
    died = len(done) - len(alive)
    share = 100 * died / max(len(done), 1)
    yield f"| all ({len(mutants) - len(done)} not tried) | {len(done)} | {died} | {len(alive)} |"
    yield f"\n{share:.0f} % died. Alive:"
    yield from map(str, sorted(alive, key=lambda mutant: (mutant.file, mutant.fault.line)))


def main(arguments: list[str] | None = None) -> int:
    """Make faults and report; the status is 1 if fewer than asked for died."""
    parser = argparse.ArgumentParser(description="Make small faults and see whether the tests notice.")
    parser.add_argument("--number", type=int, default=NUMBER, help="faults (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=120.0, help="begin none after so long (%(default)s)")
    parser.add_argument("--workers", type=int, default=WORKERS, help="at the same time (%(default)s)")
    parser.add_argument("--state", type=Path, default=ROOT / "build" / "mutants.json", help="what was found")
    parser.add_argument("--files", nargs="+", help="only in these files")
    parser.add_argument("--list", action="store_true", help="only say which faults would be made")
    parser.add_argument("--least", type=float, default=0.0, help="share that has to die, for status 0")
    chosen = parser.parse_args(arguments)
    files = chosen.files or sorted(
        {p.relative_to(ROOT).as_posix() for top in TARGETS for p in ROOT.glob(top)}
    )
    mutants = chosen_mutants(ROOT, files, chosen.number, chosen.seed)
    if chosen.list:
        print("\n".join(map(str, mutants)))
        return 0
    results = Results(chosen.state)
    hunt(ROOT, mutants, results, chosen.minutes, chosen.workers)
    print("\n".join(report(mutants, results.known)))
    outcomes = [results.known[mutant.name] for mutant in mutants if mutant.name in results.known]
    died = sum(found != "alive" for found in outcomes)
    return 0 if died >= chosen.least * len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
