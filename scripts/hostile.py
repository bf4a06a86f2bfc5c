"""Run generated hostile cases: files, pasted texts, links, drawn points.

    python scripts/hostile.py --cases 100000              # the nightly form, half an hour on two cores
    python scripts/hostile.py --cases 3000 --kind csv     # one kind (may be given several times)
    python scripts/hostile.py --replay FILE --kind csv    # a case that failed, with its traceback

Every case is made from its kind and number (`tests/hostile/kind_*.py`) and run in a process of its own
bounds; noted are what became of it, its seconds of processor time and the memory it took at its peak. It
fails where it is no answer and no sentence, over 2 s, over 500 MB, or the end of the process. The bytes of
failures are kept in a folder that is named at the end. The status is 1 if there are any. Linux only.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)  # in place of this folder: a spawned process looks there too

from tests.hostile.cases import Kind, Noted, case_of, collect  # noqa: E402 - found from here on
from tests.hostile.workers import Form, Result, chunks, run  # noqa: E402 - as above


@dataclass
class Summary:
    """What became of the cases of one kind: (number, what) of each."""

    notes: list[tuple[int, Noted]] = field(default_factory=list)

    def line(self, name: str) -> str:
        """Write one line of the table."""
        outcomes = Counter(noted.outcome for _, noted in self.notes)
        n_sentences = outcomes.pop("sentence", 0)
        n_failed = sum(bool(noted.failure) for _, noted in self.notes)
        seconds = sorted(noted.seconds for _, noted in self.notes)
        largest = max(noted.megabytes for _, noted in self.notes)
        cells = [
            f"{len(self.notes):,}", f"{len(self.notes) - n_sentences - n_failed:,}", f"{n_sentences:,}",
            f"{1000 * seconds[len(seconds) // 2]:.1f} ms", f"{seconds[-1]:.2f} s", f"{largest:.0f} MB",
            f"{n_failed:,}",
        ]  # fmt: skip
        return f"| {name} | " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run cases, print the table; return the exit status."""
    asked = _parser().parse_args(arguments)
    every = collect()
    unknown = [name for name in asked.kind if name not in every]
    if unknown:
        print(f"There is no kind {unknown[0]!r}; there are {', '.join(every)}.", file=sys.stderr)
        return 2
    kinds = [kind for name, kind in every.items() if name in asked.kind or not asked.kind]
    if asked.replay is not None:
        return _replay(kinds, asked.replay.read_bytes())
    start = time.monotonic()
    until = start + (asked.seconds or float("inf"))
    summaries: dict[str, Summary] = defaultdict(Summary)

    def tell(result: Result) -> None:
        summaries[result.kind].notes.append((result.number, result.noted))
        if result.noted.failure:
            print(f"{result.kind} {result.number}: {result.noted.failure}", file=sys.stderr)

    run(chunks(kinds, asked.cases), Form(seed=asked.seed, until=until), tell)
    took = time.monotonic() - start
    _print_table(summaries, asked.seed, took)
    if asked.json is not None:
        _write_json(asked.json, summaries, asked.seed, took)
    failed = [(every[name], k) for name, s in summaries.items() for k, noted in s.notes if noted.failure]
    if failed:
        folder = _keep(failed, asked.seed)
        print(f"{len(failed):,} cases failed; they are in {folder}; look at one with --replay.")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run generated hostile cases.")
    parser.add_argument("--cases", type=int, default=3_000, help="how many in all (default: 3000)")
    parser.add_argument("--seconds", type=float, help="begin nothing new after so many seconds")
    parser.add_argument("--seed", type=int, default=0, help="other cases (default: 0)")
    parser.add_argument("--kind", action="append", default=[], help="only this kind")
    parser.add_argument("--json", type=Path, help="write what became of every case to this file")
    parser.add_argument("--replay", type=Path, help="run the case in this file, of the one --kind, here")
    return parser


def _replay(kinds: Sequence[Kind], content: bytes) -> int:
    for kind in kinds:
        print(kind.name, kind.take(content))
    return 0


def _print_table(summaries: dict[str, Summary], seed: int, took: float) -> None:
    total = sum(len(summary.notes) for summary in summaries.values())
    print(f"{total:,} cases (seed {seed}) in {took:.0f} s")
    print("| kind | cases | read | one sentence | half take | longest | most memory | failed |")
    print("|---|---|---|---|---|---|---|---|")
    for name, summary in sorted(summaries.items()):
        print(summary.line(name))


def _write_json(file: Path, summaries: dict[str, Summary], seed: int, took: float) -> None:
    """Write every case as [number, outcome, seconds, megabytes, failure]."""
    cases = {
        name: [[k, n.outcome, round(n.seconds, 4), round(n.megabytes, 1), n.failure] for k, n in s.notes]
        for name, s in summaries.items()
    }
    file.write_text(json.dumps({"seed": seed, "seconds": round(took, 1), "cases": cases}), "utf-8")


def _keep(failed: Sequence[tuple[Kind, int]], seed: int) -> Path:
    """Write the bytes of failed cases to a new folder."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    for kind, number in failed:
        (folder / f"{kind.name}-{seed}-{number}").write_bytes(case_of(kind, seed, number))
    return folder


if __name__ == "__main__":
    sys.exit(main())
