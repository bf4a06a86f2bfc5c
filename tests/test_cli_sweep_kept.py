"""Sweeps that are kept: they go on where they were, and whatever kills them changes no number."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from cluster_tools import ROOT
from fault_tools import pick
from test_cli import call

from ecocviz.lab import sweep
from ecocviz.lab.curve_plan import Line, axes, make_plan, trace
from ecocviz.lab.curves import Measure, Memory
from ecocviz.lab.report import JobState, Report, Snapshot
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.lab.store import open_store
from ecocviz.lab.store_file import StoreError
from ecocviz.lab.to_keep import curve_to_keep

OVER = ("--set", "data=iris", "decoding=hamming", "--over", "machine.gamma=0.1,1,10")
PROGRAM = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}


@pytest.fixture(autouse=True)
def store(fresh_home):
    assert not [*fresh_home.iterdir()]
    found = open_store()
    yield found
    found.close()


def swept(capsys, *arguments, status=0):
    found, out, err = call(capsys, "sweep", *arguments, "--json")
    assert found == status
    return json.loads(out), err


def numbers(points):
    """Return points without what no two measurements have in common: how long training took."""
    return [{name: value for name, value in row.items() if name != "training_seconds"} for row in points]


def no_measuring(monkeypatch):
    monkeypatch.setattr(sweep, "measure_point", None)


# Going on --------------------------------------------------------------------------------------------


def test_the_same_sweep_measures_nothing_again(capsys, store, monkeypatch):
    first, err = swept(capsys, *OVER)
    assert err.startswith("3 points; on")
    [run] = store.runs()
    assert (run.id, run.kind, run.state, run.n_done) == (first["run"], "sweep", "done", 3)
    assert run.about["over"] == {"machine.gamma": ["0.1", "1.0", "10.0"]}
    assert list(store.known(run.id).values()) == [
        {name: value for name, value in row.items() if name != "point"} for row in first["points"]
    ]
    no_measuring(monkeypatch)
    again, err = swept(capsys, *OVER)
    assert again == first and err.startswith("3 points, 3 of them measured before; on")
    # The same values in other words, and the measures in another order.
    again, _ = swept(capsys, *OVER[:4], "machine.gamma=0.1:10:3", "--measure", "train", "test")
    assert again == first and len(store.runs()) == 1


def test_another_sweep_is_another_run(capsys, store):
    first, _ = swept(capsys, *OVER, "--measure", "test")
    for more in (["--set", "seed=1"], ["--measure", "bound"], ["--over", "seed=0"]):
        other, err = swept(capsys, *OVER, *more)
        assert other["run"] != first["run"] and " measured before" not in err
    assert len(store.runs(kind="sweep")) == 4


def test_a_stopped_sweep_goes_on(capsys, store, monkeypatch):
    real, seen = sweep.measure_point, []

    def stops(task, *arguments, **options):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(task)
        return real(task, *arguments, **options)

    monkeypatch.setattr(sweep, "measure_point", stops)
    status, _, err = call(capsys, "sweep", *OVER)
    assert status == 130
    assert "Stopped: 2 of 3 points were measured and are kept; the same command goes on." in err
    assert [(run.state, run.n_done, run.n_points) for run in store.runs()] == [("stopped", 2, 3)]
    monkeypatch.setattr(sweep, "measure_point", lambda *a, **o: seen.append(a[0]) or real(*a, **o))
    found, err = swept(capsys, *OVER)
    assert err.startswith("3 points, 2 of them measured before;") and len(seen) == 3
    assert store.find(found["run"]).state == "done"


def test_fresh_measures_anew(capsys, store, tmp_path):
    out = tmp_path / "points.jsonl"
    first, _ = swept(capsys, *OVER, "--out", str(out))
    again, err = swept(capsys, *OVER, "--out", str(out), "--fresh")
    assert err.startswith("3 points; on") and again["run"] == first["run"]
    assert numbers(again["points"]) == numbers(first["points"])
    assert len(out.read_text().splitlines()) == 6 and store.find(first["run"]).n_done == 3


def test_store_and_file_bring_each_other_up_to_date(capsys, store, tmp_path, monkeypatch):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    first, _ = swept(capsys, *OVER, "--out", str(one), "--no-store")
    assert first["run"] is None and store.runs() == []
    no_measuring(monkeypatch)
    again, _ = swept(capsys, *OVER, "--out", str(one))
    assert again["points"] == first["points"] and store.find(again["run"]).n_done == 3
    assert len(one.read_text().splitlines()) == 3
    swept(capsys, *OVER, "--out", str(two))
    assert [json.loads(line) for line in two.read_text().splitlines()] == [
        {**row, "point": k} for k, row in enumerate(first["points"])
    ]


def test_what_failed_is_tried_again(capsys, store):
    over = ("--set", "data=iris", "--over", "machine=kernel,decision-tree", "decoding=hamming,srm")
    first, _ = swept(capsys, *over, status=1)
    assert first["failed"] == 1
    assert Counter("failed" in record for record in store.known(first["run"]).values()) == {False: 3, True: 1}
    _, err = swept(capsys, *over, status=1)
    assert err.startswith("4 points, 3 of them measured before;")


def test_a_store_that_fails_meanwhile_stops_nothing(capsys, store, monkeypatch):
    def full(*_):
        raise StoreError("Runs are not kept: the disk is full; make room on it.")

    monkeypatch.setattr(store, "add", full)
    found, err = swept(capsys, *OVER)
    assert len(found["points"]) == 3 and found["run"] is None
    assert err.count("the disk is full; make room on it. The sweep goes on.") == 1


def test_a_store_that_cannot_be_opened_is_said_and_stops_nothing(capsys, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "file"))
    found, err = swept(capsys, *OVER)
    assert len(found["points"]) == 3 and "Runs are not kept: the data folder is a file; name" in err
    status, _, err = call(capsys, "run", "--set", "data=iris")
    assert status == 0 and "Runs are not kept" in err


def test_a_reader_that_stops_early_stops_the_sweep_and_loses_no_point(store, fresh_home, tmp_path):
    command = [sys.executable, "-m", "ecocviz.cli", "sweep", *OVER, "--out", str(tmp_path / "points.jsonl")]
    environment = {**os.environ, "ECOCVIZ_HOME": str(fresh_home)}
    sweeping = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    sweeping.stdout.close()
    assert sweeping.stderr.read() == "3 points; on this computer, one point after the other\n"
    assert sweeping.wait(timeout=60) == 0
    sweeping.stderr.close()
    [run] = store.runs()
    assert (run.state, run.n_done) == ("stopped", 1)
    assert len((tmp_path / "points.jsonl").read_text().splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_said_and_the_store_has_the_point(capsys, store):
    status, _, err = call(capsys, "sweep", *OVER, "--out", "/dev/full")
    assert status == 2 and err.endswith("ecocviz: /dev/full cannot be written: No space left on device.\n")
    assert store.runs()[0].n_done == 1


# Killed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.thorough)])
def test_a_sweep_killed_at_random_moments_ends_with_the_numbers_of_an_undisturbed_one(kills):
    done = subprocess.run(
        [sys.executable, ROOT / "tests/killed_sweeps.py", str(kills), "1"],
        env={**os.environ, **PROGRAM},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["kills"] == kills
    last, undisturbed = (numbers(found[name]["points"]) for name in ("last", "undisturbed"))
    assert last == undisturbed and len(last) == 2 * 6 * kills
    # What is begun twice was in flight when a process was killed.
    begun = Counter(found["begun"])
    assert len(begun) == 6 * kills and sum(begun.values()) <= 6 * kills + kills


@pytest.mark.parametrize(("how", "n_twice"), [("both", 1), ("killed", 1), ("stuck", 1)])
def test_two_processes_share_the_points_of_a_sweep(how, n_twice):
    """What one has begun the other does not begin, until nothing else is left; then it waits for nobody."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests/sweeps_together.py", how],
        env={**os.environ, **PROGRAM},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    undisturbed = numbers(found["undisturbed"]["points"])
    assert [numbers(each["points"]) for each in found["ended"]] == [undisturbed] * (1 + (how != "killed"))
    begun = Counter(found["begun"])
    assert len(begun) == len(undisturbed) / 2 and sum(begun.values()) <= len(begun) + n_twice
    if how != "both":  # what the first one had begun, and nothing else, the second one measured too
        assert sum(begun.values()) == len(begun) + 1 and max(begun.values()) == 2


def test_points_of_a_page_are_taken_while_it_measures_more(capsys, store, monkeypatch):
    blobs = make_scenario(data=("blobs", {"n_samples": 60}))
    (gamma,) = (axis for axis in axes(blobs) if axis.key == "machine.gamma")
    line, measures = Line(gamma, (0.5, 1.0, 2.0)), (Measure.TEST, Measure.TRAIN, Measure.BOUND)
    plan = make_plan(blobs, (line,), (choose("decoding", "hamming"),), measures)
    report = Report()
    trace(plan, report, Memory(), train)
    half = Snapshot(JobState.RUNNING, 0.5, "", tuple(report.partial), None, None, 0.0)
    known = {place: point for place, point in report.partial if place != 1}
    curve_to_keep(plan, replace(half, partial=tuple(known.items()))).write(store, "", "model_selection")
    seen, real = [], sweep.measure_point
    monkeypatch.setattr(sweep, "measure_point", lambda *a, **o: seen.append(a[0]) or real(*a, **o))
    over = ("--over", "machine.gamma=0.5,1,2", "decoding=hamming", "--measure", "test", "train", "bound")
    found, err = swept(capsys, "--set", "data=blobs", "data.n_samples=60", *over)
    assert err.startswith("3 points, 2 of them measured before;") and len(seen) == 1
    assert [(one.state, one.n_done, one.page) for one in store.runs()] == [("done", 3, "model_selection")]
    curve_to_keep(plan, replace(half, state=JobState.DONE)).write(store, "", "model_selection")
    again, _ = swept(capsys, "--set", "data=blobs", "data.n_samples=60", *over)
    assert numbers(again["points"]) == numbers(found["points"]) and len(store.runs()) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("workers", pick([()], [(), ("--workers", "2")]))
def test_programs_that_are_killed_measure_no_point_twice(workers):
    """The whole command, each time begun from nothing; what it has printed it never measures again."""
    n_kills, n_values = pick((4, 20), (50, 110))
    command = [sys.executable, "-m", "ecocviz.cli", "sweep", "--set", "data=glass", *workers]
    command += ["--over", f"machine.gamma=0.01:100:{n_values}", "decoding=hamming,likelihood"]
    printed = Counter()
    for kill in range(n_kills):
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
        ) as program:
            for _ in range(kill % 5):
                printed[program.stdout.readline()] += 1
            program.send_signal(signal.SIGKILL)
            printed.update(line for line in program.stdout.readlines() if line.endswith(b"\n"))
    done = subprocess.run([*command, "--json"], capture_output=True, check=True, cwd=ROOT)
    del printed[b""]
    assert len(printed) > n_kills and set(printed.values()) == {1}
    undisturbed = subprocess.run(
        [*command, "--json", "--no-store"], capture_output=True, check=True, cwd=ROOT
    )
    last, first = (numbers(json.loads(each.stdout)["points"]) for each in (done, undisturbed))
    assert last == first and len(first) == 2 * n_values
