"""`ecocviz sweep`: files and options, workers and clusters, stopped and begun again."""

import importlib.util
import io
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from cluster_tools import ROOT
from test_cli import call, refused
from waiting import until

from ecocviz import cli
from ecocviz.lab import cluster
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario
from ecocviz.serving.addresses import free_port

IRIS = ("--set", "data=iris", "decoding=hamming")


@pytest.fixture(autouse=True)
def _own_store(fresh_home):
    """No test goes on where another was."""


def rows(capsys, *arguments, status=0):
    found, out, err = call(capsys, "sweep", *arguments, "--json")
    assert found == status
    return json.loads(out)["points"], err


def test_a_sweep_prints_the_numbers_of_runs(capsys):
    found, err = rows(capsys, *IRIS, "--over", "machine.gamma=0.1,1", "seed=0:1:2")
    assert err.splitlines()[0] == "4 points; on this computer, one point after the other"
    assert [row["point"] for row in found] == [0, 1, 2, 3]
    for row, (gamma, seed) in zip(found, [(0.1, 0), (0.1, 1), (1.0, 0), (1.0, 1)], strict=True):
        scenario = make_scenario(seed, data="iris", decoding="hamming", machine=("kernel", {"gamma": gamma}))
        result = run(scenario)
        assert row["scenario"] == scenario.to_flat()
        for part, outcome in (("train", result.train), ("test", result.test)):
            assert (row[part]["points"], row[part]["wrong"]) == (outcome.rows.size, outcome.n_wrong)


def test_a_file_brings_scenario_and_values_and_lines_come_as_text(capsys, tmp_path):
    file = tmp_path / "sweep.toml"
    file.write_text(
        make_scenario(data="iris").to_toml()
        + '\n[sweep]\ncoding = ["one-vs-all", "one-vs-one"]\n'
        + "machine.gamma = {from = 0.25, to = 4, values = 3}\n"
    )
    status, out, _ = call(capsys, "sweep", str(file), "--measure", "test", "bound")
    lines = out.splitlines()
    assert status == 0 and len(lines) == 10
    assert lines[0].startswith("coding=one-vs-all machine.gamma=0.25  test ") and ", bound " in lines[0]
    for code, (of_range, chosen) in zip(("one-vs-all", "one-vs-one"), (lines[6:8], lines[8:]), strict=True):
        mine = [line for line in lines[:6] if code in line]
        shares = [float(line.partition("  test ")[2].partition(" %")[0]) for line in mine]
        assert of_range == (
            f"test error from {min(shares):.2f} % to {max(shares):.2f} % over 3 points at coding={code}"
        )
        bounds = [float(line.partition(", bound ")[2].partition(" %")[0]) for line in mine]
        place, told = mine[bounds.index(min(bounds))].split("  test ")
        assert chosen == f"  chosen by bound: {place}, test error {told.partition(', bound')[0]}"


def test_over_seeds_mean_and_spread_are_the_answer(capsys):
    over = ("--over", "seed=0:3:4", "decoding=hamming,linear", "--measure", "test")
    status, out, _ = call(capsys, "sweep", *IRIS, *over)
    *points, first, second = out.splitlines()
    assert status == 0 and len(points) == 8 and "least" not in out
    for decoder, told in (("hamming", first), ("linear", second)):
        wrong = [float(line.partition("  test ")[2].partition(" %")[0]) for line in points if decoder in line]
        mean, scatter = np.mean(wrong), np.std(wrong, ddof=1)
        shown = told.replace("(", "").split()
        assert told.startswith("test error ") and told.endswith(f" at decoding={decoder}")
        assert [float(shown[2]), float(shown[-4])] == pytest.approx([mean, scatter], abs=0.011)
        assert " on average over 4 seeds (standard deviation " in told


def test_what_could_not_be_measured_is_told_and_is_the_status(capsys):
    over = ("--over", "machine=kernel,decision-tree", "decoding=hamming,srm")
    found, err = rows(capsys, *IRIS, *over, status=1)
    failed = [row for row in found if "failed" in row]
    assert len(failed) == 1 and len(found) == 4
    assert err.splitlines()[-1] == "1 of 4 points could not be measured."


class Terminal(io.StringIO):
    """What a terminal is sent, by both streams."""

    def isatty(self):
        return True


def lines_on_a_terminal(sent):
    """What is to be read in the end: what a line held before it was cleared is gone."""
    return [line.rpartition("\033[K")[2].rpartition("\r")[2] for line in sent.split("\n")]


def test_on_a_terminal_a_bar_says_how_far_it_is_and_leaves_no_trace(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert cli.main(["sweep", *IRIS, "--over", "seed=1,2"]) == 0
    sent = terminal.getvalue()
    assert "[############............] 1 of 2, about " in sent and "2 of 2, about 0 s left" in sent
    lines = lines_on_a_terminal(sent)
    assert [line.split()[0] for line in lines[1:-1]] == ["seed=1", "seed=2", "test"]
    assert not any("left" in line for line in lines)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ((), "A sweep needs values"),
        (("--over", "machine.gama=1"), "has no parameter 'gama'"),
        (("--over", "machine.gamma=1", "--measure", "luck"), "There is no measure 'luck'"),
        (("--over", "machine.gamma=1", "--cluster", "10.0.0.7"), "written like tcp://host:8786"),
        (("--over", "machine.gamma=1", "--out", "/"), "/ cannot be written"),
        (("--set", "machine.gama=1", "--over", "seed=1"), "Did you mean machine.gamma?"),
    ],
)
def test_wrong_input_is_refused(capsys, arguments, sentence):
    assert sentence in refused(capsys, "sweep", *arguments)


def test_workers_are_a_number(capsys):
    with pytest.raises(SystemExit) as ended:
        call(capsys, "sweep", "--over", "seed=1", "--workers", "0")
    assert ended.value.code == 2 and "from 1 to 1024" in capsys.readouterr().err


def test_a_cluster_that_is_not_there_and_one_without_dask_are_said(capsys, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    address = f"tcp://127.0.0.1:{free_port()}"
    if importlib.util.find_spec("distributed") is not None:
        assert "No Dask scheduler answers" in refused(
            capsys, "sweep", "--over", "seed=1", "--cluster", address
        )
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = refused(capsys, "sweep", "--over", "seed=1", "--cluster", address)
    assert "pip install 'distributed>=2024.12'" in said


# The file of points ----------------------------------------------------------------------------------


def test_points_in_the_file_are_not_measured_again(capsys, tmp_path, monkeypatch):
    out = tmp_path / "points.jsonl"
    first, _ = rows(capsys, *IRIS, "--over", "machine.gamma=0.1,1", "--out", str(out))
    with out.open("a") as file:
        file.write('{"point": 2, "scena')  # whoever wrote this was killed
    found, err = rows(capsys, *IRIS, "--over", "machine.gamma=0.1,1,10", "--out", str(out))
    assert err.splitlines()[0].startswith("3 points, 2 of them measured before;")
    assert found[:2] == first and len(out.read_text().splitlines()) == 4
    monkeypatch.setattr("ecocviz.lab.sweep.train", None)
    again, _ = rows(capsys, *IRIS, "--over", "machine.gamma=1,10", "--out", str(out))
    assert [row["scenario"] for row in again] == [row["scenario"] for row in found[1:]]


def test_a_killed_client_leaves_its_points_and_the_next_one_goes_on(tmp_path):
    out = tmp_path / "points.jsonl"
    command = [sys.executable, "-m", "ecocviz.cli", "sweep", "--set", "data=iris", "--out", out, "--json"]
    command += ["--over", "machine.gamma=0.01:100:60"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT) as client:
        try:
            until(lambda: out.exists() and out.read_text().count("\n") >= 3, 90)
        finally:
            os.kill(client.pid, signal.SIGKILL)
    n_before = out.read_text().count("\n")
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    # A point goes to the store first: the next one may be there already.
    assert any(f"60 points, {n_before + more} of them measured before" in done.stderr for more in (0, 1))
    assert len(json.loads(done.stdout)["points"]) == 60


def default_interrupt():
    """Hear Ctrl+C: what a script has put into the background does not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_stopping_it_is_a_status_of_its_own(tmp_path):
    out = tmp_path / "points.jsonl"
    arguments = (
        "sweep",
        "--set",
        "data=letter",
        "--over",
        "machine.gamma=1:10:500",
        "--out",
        out,
        "--workers",
        "1",
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "ecocviz.cli", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=default_interrupt,  # noqa: PLW1509 - all it does is one call of the system
    )
    until(out.exists, 90)
    first = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert first == "500 points; on 1 worker process of this computer\n"
    assert process.returncode == 130 and "of 500 points were measured and are kept; the same" in said


def test_a_sweep_runs_over_what_is_left_undecided(capsys):
    found, _ = rows(capsys, *IRIS, "--over", "rejecting=none,syndrome,margin")
    assert ["undecided" in row["test"] for row in found] == [False, True, True]
    shares, _ = rows(
        capsys, *IRIS, "rejecting=margin", "decoding=likelihood", "--over", "rejecting.share=0,0.4"
    )
    for row, share in zip(shares, (0.0, 0.4), strict=True):
        scenario = make_scenario(data="iris", rejecting=("margin", {"share": share}))
        decided = run(scenario).test.decided
        assert (row["test"]["undecided"], row["test"]["decided_wrong"]) == (
            decided.n_rejected,
            decided.n_wrong,
        )
    status, out, _ = call(capsys, "sweep", *IRIS, "--over", "rejecting=syndrome")
    assert status == 0 and "left undecided" in out
