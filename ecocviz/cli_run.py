"""`ecocviz run`: its options, and what it prints."""

import argparse
import json
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ecocviz.cli_said import say
from ecocviz.cli_scenario import add_scenario, read_scenario
from ecocviz.cli_store import add_keeping, opened
from ecocviz.cli_sweep_told import undecided_text

if TYPE_CHECKING:
    from ecocviz.data.types import Table
    from ecocviz.data.uploads import UploadedFiles
    from ecocviz.lab.evaluate import Outcome
    from ecocviz.lab.run import Result

EXAMPLES = """\
examples:
  ecocviz run                                              the scenario that the app opens with
  ecocviz run --set data=glass coding=one-vs-one decoding=hamming seed=3
  ecocviz run --set machine.gamma=0.5 machine.C=10 --json
  ecocviz run experiment.toml --set decoding=linear        a scenario of the app, with another decoder
  ecocviz run 'http://127.0.0.1:8501/?v=1&data=glass'      what a link of the app shows
  ecocviz run --set data=glass rejecting=margin            about a tenth of the points left undecided
  ecocviz run --data my.csv --label species                a file of your own
  ecocviz run --data train.csv --test test.csv --leave-out id,name

`ecocviz list` shows what can be chosen, `ecocviz list machine` the machines with their parameters.
The numbers are kept: `ecocviz runs list` shows them."""


def add_run(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the others."""
    run = commands.add_parser(
        "run",
        help="run a scenario and print its numbers",
        description="Run a scenario and print its numbers.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_scenario(run)
    run.add_argument("--json", action="store_true", help="print JSON")
    add_keeping(run)


def run(chosen: argparse.Namespace) -> int:
    """Run what the options say and print its numbers; raise ValueError with one line for what is wrong."""
    from ecocviz.lab.compiled import find_room_for_compiled  # noqa: PLC0415 - as below

    find_room_for_compiled()  # before the numerics are loaded
    from ecocviz.lab.run import run as run_scenario  # noqa: PLC0415 - --help must not wait for the numerics
    from ecocviz.lab.threads import one_thread_each  # noqa: PLC0415 - as above

    one_thread_each()
    scenario, files, table = read_scenario(chosen)
    began = perf_counter()
    result = run_scenario(scenario, table=table)
    kept = _keep(chosen, result, perf_counter() - began)
    told = _as_dict(result, files, kept) if chosen.json else _as_text(result, files, kept)
    say(json.dumps(told, indent=2, ensure_ascii=False) if chosen.json else told)
    return 0


def _keep(chosen: argparse.Namespace, result: "Result", seconds: float) -> int | None:
    """Keep the numbers; return the number of the run. Where that is impossible, the command goes on."""
    from ecocviz.lab.store_about import record_of  # noqa: PLC0415 - as above
    from ecocviz.lab.store_file import StoreError  # noqa: PLC0415 - as above

    store = opened(chosen)
    if store is None:
        return None
    try:
        parts = {"test": record_of(result.test), "train": record_of(result.train)}
        return store.keep(result.scenario, parts, seconds)
    except StoreError as error:
        say(error, file=sys.stderr)
        return None


# What is printed -------------------------------------------------------------------------------------


def _about(files: "UploadedFiles", table: "Table") -> dict[str, Any]:
    return {
        "data": files.filename,
        "label": str(table.labels.name),
        "test": files.test_filename or None,
        "left_out": list(files.left_out),
    }


def _as_dict(result: "Result", files: "UploadedFiles | None", kept: int | None) -> dict[str, Any]:
    from ecocviz.lab.store_about import record_of  # noqa: PLC0415 - --help must not wait for the numerics

    trained = result.trained
    n_classes, n_bits = trained.code_matrix.shape
    return {
        "scenario": result.scenario.to_flat(),
        "data": trained.table.name,
        **({} if files is None else {"files": _about(files, trained.table)}),
        "classes": list(trained.classes),
        "n_classes": n_classes,
        "n_bits": n_bits,
        "n_models": len(trained.models),
        "train": record_of(result.train),
        "test": record_of(result.test),
        "notes": list(trained.notes),
        "training_seconds": round(trained.seconds, 3),
        "run": kept,
    }


def _as_text(result: "Result", files: "UploadedFiles | None", kept: int | None) -> str:
    from ecocviz.lab.catalogue import SLOTS  # noqa: PLC0415 - --help must not wait for the numerics

    trained = result.trained
    n_classes, n_bits = trained.code_matrix.shape
    rows = []
    for slot, entries in SLOTS.items():
        choice = getattr(result.scenario, slot)
        shown = entries[choice.key].params
        values = ", ".join(f"{param.name} {param.text(choice.values[param.name])}" for param in shown)
        rows.append((slot, entries[choice.key].title + (f" ({values})" if values else "")))
    if files is not None:
        about = _about(files, trained.table)
        test = f", test rows of {about['test']}" if about["test"] else ""
        rows[0] = ("data", f"{about['data']} (label {about['label']}{test})")
    rows.append(("seed", str(result.scenario.seed)))
    rows.append(("code", f"{n_classes} classes, {n_bits} machines"))
    rows.append(("training error", _share(result.train)))
    rows.append(("test error", _share(result.test)))
    rows += [("note", note) for note in trained.notes]
    rows += [] if kept is None else [("kept as", f"run {kept}")]
    wide = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{wide}}  {value}" for name, value in rows)


def _share(outcome: "Outcome") -> str:
    from ecocviz.lab.store_about import record_of  # noqa: PLC0415 - as above

    if outcome.error is None:
        return "no points"
    told = f"{100 * outcome.error:.1f} % ({outcome.n_wrong} of {outcome.rows.size})"
    return f"{told}{undecided_text(record_of(outcome), 1)}"
