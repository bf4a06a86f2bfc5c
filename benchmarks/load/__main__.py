"""A class at once: what many browsers wait for, and what they cost the server. Linux only.

python -m benchmarks.load class                 # 60 browsers for 10 minutes
python -m benchmarks.load class --sessions 20 --minutes 1 --ttl 5
python -m benchmarks.load class --profile       # and where the server's time goes (needs py-spy)
python -m benchmarks.load arrivals              # 200 arrivals in 60 s
python -m benchmarks.load crowd                 # 200 browsers
python -m benchmarks.load crowd-by-two          # the same, served by two processes
python -m benchmarks.load quick                 # 20 browsers for 30 s: ratios to one alone
python -m benchmarks.load heavy                 # 20 train letter one-vs-one, others come and work
python -m benchmarks.load gammas                # six train letter, each with its own gamma
python -m benchmarks.load reconnect             # 200 browsers without a network for 90 s
python -m benchmarks.load papers                # 1, 20 and 60 read Papers
python -m benchmarks.load runs                  # 1, 20 and 60 look at Runs; 2,000 are kept
python -m benchmarks.load recording             # half of them make runs while the others look at Runs
python -m benchmarks.load mixed                 # 40 on Decoders, Model selection, Papers and Runs
python -m benchmarks.load visit                 # the server's time for a new visit
"""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks._sampled import Profile, listing
from benchmarks.load.kept_runs import N_RUNS
from benchmarks.load.quick import quick
from benchmarks.load.readers import mixed, papers, recording, runs
from benchmarks.load.report import complete, heading, table
from benchmarks.load.scenes import Plan, lesson
from benchmarks.load.trials import GAMMAS_BUDGET, gammas, heavy, reconnect, visit

ROOT = Path(__file__).resolve().parents[2]
READERS = Plan(ROOT, 60, 20.0, 90.0, 0, ttl_seconds=10, kept_runs=N_RUNS)
FORMS: dict[str, tuple[Callable[[Plan], dict[str, Any]], Plan]] = {
    "class": (lesson, Plan(ROOT)),
    "arrivals": (lesson, Plan(ROOT, 200, 60.0, 75.0, 1, aftermath=False)),
    "crowd": (lesson, Plan(ROOT, 200, 60.0, 300.0)),
    "crowd-by-two": (
        lesson,
        Plan(ROOT, 200, 60.0, 300.0, aftermath=False, arguments=("serve", "--workers", "2")),
    ),
    "quick": (quick, Plan(ROOT, 20, 5.0, 30.0, 0, aftermath=False)),
    "heavy": (heavy, Plan(ROOT, 20, 0.0, 0.0, 0)),
    "gammas": (gammas, Plan(ROOT, 6, 0.0, 900.0, 0, memory=GAMMAS_BUDGET)),
    "reconnect": (reconnect, Plan(ROOT, 200, 0.0, 90.0, 0)),
    "papers": (papers, READERS),
    "runs": (runs, READERS),
    "recording": (recording, READERS),
    "mixed": (mixed, replace(READERS, sessions=40)),
    "visit": (visit, Plan(ROOT, 1, 0.0, 0.0, 0)),
}
"""Form -> what plays it, and how."""


def chosen_plan(plan: Plan, chosen: argparse.Namespace) -> Plan:
    """Return a form's plan with what was chosen instead."""
    changes = {
        "sessions": chosen.sessions,
        "seconds": None if chosen.minutes is None else 60 * chosen.minutes,
        "arrive_seconds": chosen.arrive,
        "tabs": chosen.tabs,
        "ttl_seconds": chosen.ttl,
        "checkout": chosen.checkout,
        "arguments": None if chosen.serve is None else tuple(shlex.split(chosen.serve)),
    }
    changed = {name: value for name, value in changes.items() if value is not None}
    return replace(plan, profiled=chosen.profile, **changed)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("form", choices=FORMS)
    parser.add_argument("--sessions", type=int, help="how many browsers")
    parser.add_argument("--minutes", type=float, help="how long, from the first arrival")
    parser.add_argument("--arrive", type=float, help="seconds within which they come")
    parser.add_argument("--tabs", type=int, help="real Chromium tabs among them")
    parser.add_argument("--ttl", type=int, help="seconds for which the server keeps who has left")
    parser.add_argument("--checkout", type=Path, help="another checkout's app")
    parser.add_argument("--serve", help="arguments of ecocviz, --no-browser if left out")
    parser.add_argument("--profile", action="store_true", help="say where the server's time goes (py-spy)")
    parser.add_argument("--json", type=Path, help="write everything to this file")
    chosen = parser.parse_args()
    play, plan = FORMS[chosen.form]
    plan = chosen_plan(plan, chosen)
    load = os.getloadavg()[0]
    found = play(plan)
    profile: Profile | None = found.pop("profile", None)
    # What was chosen of the form's own, without where it is written to.
    words = [word for word in sys.argv[1:] if not word.startswith("--json") and word != str(chosen.json)]
    whole = complete(chosen.form, found, plan, shlex.join(["python", "-m", "benchmarks.load", *words]), load)
    print(f"{heading(whole)}\n\n{table(whole)}")
    for kind, told in whole["latency"].items():
        print(
            f"{kind}: {told['n']:g} times, in ms "
            + ", ".join(f"{key[:3]} {told[key]:g}" for key in list(told)[1:])
        )
    for sentence, n in whole["errors"].items():
        print(f"{n} times: {sentence}")
    if profile is not None:
        print(listing(profile, plan.checkout, found["costs"]["server_cpu_ms_per_change"], 40))
    if chosen.json:
        chosen.json.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
