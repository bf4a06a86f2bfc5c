"""Where a process spends its time, sampled from outside by py-spy."""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SAMPLES_PER_SECOND = 1000
WAITING = re.compile(
    r"EpollSelector\.select|PollingPathWatcher|^_worker \(|Condition\.wait|Queue\.get|InotifyFD|Thread\.join"
)
"""Functions that wait: the sampler takes a thread that was just woken, or is about to sleep, for busy."""
PLUMBING = re.compile(
    r"runpy|click/|asyncio/|threading\.py|streamlit/web/(cli|bootstrap)|concurrent/futures/thread|serve\.py"
)
"""Functions that only lead to others: left out where what they call counts."""


@dataclass
class Profile:
    """Stacks of the server's busy threads, sampled while changes are made."""

    stacks: Counter[tuple[str, ...]] = field(default_factory=Counter)

    @contextmanager
    def taken(self, pid: int) -> Iterator[None]:
        """Sample the process meanwhile."""
        own = Path(sys.executable).with_name("py-spy")
        sampler = own if own.exists() else "py-spy"
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "stacks"
            command = [str(sampler), "record", "--pid", str(pid), "--rate", str(SAMPLES_PER_SECOND)]
            command += ["--format", "raw", "--function", "--nonblocking", "--output", str(target)]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                yield
            finally:
                process.send_signal(2)  # as Ctrl+C: write what was sampled
                _, said = process.communicate(timeout=60)
            if not target.exists():
                raise RuntimeError(f"py-spy sampled nothing: {said.decode()}")
            for written in target.read_text().splitlines():
                stack, _, count = written.rpartition(" ")
                frames = tuple(stack.split(";"))
                if not WAITING.search(frames[-1]):
                    self.stacks[frames] += int(count)

    def shares(self, *, own: bool, inside: str = "") -> list[tuple[float, str]]:
        """Return the share of each function, the largest first.

        Parameters
        ----------
        own
            Without what it calls.
        inside
            Only functions of files whose path has this in it; own time is then that of everything they
            call outside of such files.
        """
        counts: Counter[str] = Counter()
        for stack, count in self.stacks.items():
            named = [frame for frame in stack if inside in frame]
            counted = named[-1:] if own else [frame for frame in named if not PLUMBING.search(frame)]
            for frame in set(counted):
                counts[frame] += count
        total = sum(self.stacks.values())
        return [(count / total, frame) for frame, count in counts.most_common()]


def listing(profile: Profile, checkout: Path, cpu_ms: float, n: int) -> str:
    """Write where the milliseconds of a change go: samples' shares of the measured time."""
    lines = [f"{sum(profile.stacks.values())} samples; milliseconds are shares of {cpu_ms:.1f} ms a change"]
    for title, own, inside in (
        ("own time", True, ""),
        ("with what it calls", False, ""),
        ("functions of the product, with what they call", False, "ecocviz"),
        ("functions of the product, own and what they call elsewhere", True, "ecocviz"),
    ):
        lines += ["", f"## {title}", ""]
        lines += [
            f"{cpu_ms * share:6.2f} ms  {100 * share:5.1f} %  {short(frame, checkout)}"
            for share, frame in profile.shares(own=own, inside=inside)[:n]
        ]
    return "\n".join(lines)


def short(frame: str, checkout: Path) -> str:
    """Shorten the path in a frame's name."""
    return re.sub(r"\S*site-packages/|\S*/lib/python3\.\d+/", "", frame.replace(f"{checkout}/", ""))
