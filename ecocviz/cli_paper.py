"""`ecocviz paper`: the figures, tables and claims of papers, measured again and judged by their rules."""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ecocviz.cli_paper_run import Run, made_folder
from ecocviz.cli_said import say
from ecocviz.cli_sweep import whole_workers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ecocviz.lab.evidence.entries import Exhibit, Paper
    from ecocviz.lab.evidence.standing import Standing

EXAMPLES = """\
examples:
  ecocviz paper --list                             every figure, table and claim, with its verdict
  ecocviz paper --list --json                      the same for programs, with the counts behind each verdict
  ecocviz paper passerini-2004                     one paper, with its quick setting
  ecocviz paper passerini-2004 figure-2 --full     one figure, as large as the results that ship
  ecocviz paper all --workers 4                    all papers, each study once
  ecocviz paper all --full --write results         and write results/PAPER/STUDY.json

Measured cells are kept: a run that was stopped goes on where it was when the same command is given again, and
--fresh measures all anew.
The status is 0 when all was measured, 1 when some could not be, 2 when the input is wrong, 130 when it was
stopped."""


def add_paper(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the others."""
    paper = commands.add_parser(
        "paper",
        help="measure what papers claim, and judge it",
        description="Measure figures, tables and claims of papers again, show our numbers beside theirs, and "
        "judge each claim by a rule that was written down before.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    paper.add_argument("key", nargs="?", metavar="KEY", help="a paper, or `all`")
    paper.add_argument("exhibit", nargs="?", metavar="EXHIBIT", help="one of its figures, tables or claims")
    paper.add_argument("--list", action="store_true", help="list what there is, with the verdicts that ship")
    paper.add_argument("--full", action="store_true", help="as large as the results that ship, not quick")
    paper.add_argument(
        "--workers",
        type=whole_workers,
        default=os.cpu_count() or 1,
        metavar="N",
        help="measure N cells at the same time, each in a process; what is timed runs alone "
        "(default: %(default)s)",
    )
    paper.add_argument("--json", action="store_true", help="print JSON when all is done")
    paper.add_argument("--write", type=Path, metavar="FOLDER", help="write the results of each study there")
    paper.add_argument("--fresh", action="store_true", help="measure again what was measured before")


def paper(chosen: argparse.Namespace) -> int:
    """Measure what the options name; return the exit status, raise ValueError for what is wrong."""
    from ecocviz.lab.compiled import find_room_for_compiled  # noqa: PLC0415 - as below

    find_room_for_compiled()  # before the numerics are loaded
    from ecocviz.lab.evidence.catalogue import PAPERS  # noqa: PLC0415 - --help must not wait for the numerics
    from ecocviz.lab.evidence.entries import Setting  # noqa: PLC0415 - as above
    from ecocviz.lab.threads import one_thread_each  # noqa: PLC0415 - as above

    one_thread_each()
    if chosen.key is None and not chosen.list:
        raise ValueError(
            f"Name a paper, or all; there are {', '.join(PAPERS)}. --list shows what they claim."
        )
    exhibits = _exhibits(PAPERS, chosen.key or "all", chosen.exhibit)
    if chosen.list:
        return _list(exhibits, as_json=chosen.json)
    setting = Setting.FULL if chosen.full else Setting.QUICK
    if chosen.write is not None:
        made_folder(chosen.write)  # before anything is measured
    run = Run(exhibits, setting, as_json=chosen.json, folder=chosen.write, fresh=chosen.fresh)
    with _executor(chosen.workers) as executor:
        try:
            run.measure(executor)
        except KeyboardInterrupt:
            return run.stopped()
    return run.end()


def _exhibits(
    papers: "Mapping[str, Paper]", key: str, exhibit: str | None
) -> "list[tuple[Paper, list[Exhibit]]]":
    if key != "all" and key not in papers:
        raise ValueError(f"There is no paper {key[:40]!r}; there are {', '.join(papers)}, and all.")
    found = list(papers.values()) if key == "all" else [papers[key]]
    if exhibit is None:
        return [(each, list(each.exhibits)) for each in found]
    named = [(each, [e for e in each.exhibits if e.key == exhibit]) for each in found]
    if key == "all" or not named[0][1]:
        known = "one paper" if key == "all" else ", ".join(each.key for each in papers[key].exhibits)
        raise ValueError(f"{key} has no exhibit {exhibit[:40]!r}; name one of {known}.")
    return named


@contextmanager
def _executor(workers: int) -> "Iterator[Executor | None]":
    """Give what measures cells: processes, or this one where one is enough."""
    if workers == 1:
        yield None
        return
    from ecocviz.lab.workers import Workers  # noqa: PLC0415 - as above

    executor = Workers(workers, silent_seconds=float("inf"))  # a cell may take long
    try:
        yield executor
    finally:
        executor.close()


# What is known ---------------------------------------------------------------------------------------


def _list(exhibits: "Sequence[tuple[Paper, Sequence[Exhibit]]]", *, as_json: bool) -> int:
    from ecocviz.lab.evidence.standing import as_dict, standings  # noqa: PLC0415 - as above
    from ecocviz.lab.evidence.told import aligned  # noqa: PLC0415 - as above

    wanted = {(paper.key, exhibit.key) for paper, found in exhibits for exhibit in found}
    stands = [
        each
        for each in standings(paper for paper, _ in exhibits)
        if (each.paper.key, each.exhibit.key) in wanted
    ]
    if as_json:
        say(json.dumps([as_dict(each) for each in stands], indent=2, ensure_ascii=False))
        return 0
    rows = [
        [each.paper.key, each.exhibit.key, each.word, _counts(each), each.exhibit.title] for each in stands
    ]
    lines = iter(aligned(rows, words=True))
    for name, found in groupby(stands, key=lambda each: each.paper.name):
        say(name, *(f"  {next(lines)}" for _ in found), sep="\n")
    return 0


def _counts(standing: "Standing") -> str:
    """Say how many statements of how many hold."""
    if standing.verdict is None:
        return ""
    statements = standing.verdict.statements
    return f"{sum(each.holds for each in statements)}/{len(statements)}"
