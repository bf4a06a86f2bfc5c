"""One store and several processes: all at once, and killed with -9 at any moment."""

import os
import subprocess
import sys

import pytest


def told(root, *arguments):
    """Run the program beside this file; return the numbers that it prints."""
    done = subprocess.run(
        [sys.executable, str(root / "tests/store_processes.py"), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [int(word) for word in done.stdout.split()]


@pytest.mark.parametrize("what, n_before", [("together", 3), ("begun", 0)])
def test_processes_that_begin_together_make_the_file_once_and_lose_nothing(root, tmp_path, what, n_before):
    n = 6
    assert told(root, tmp_path, what, n) == [0, n_before + 1 + n, n * 60, 60, 0]
    assert [each.name for each in tmp_path.iterdir()] == ["runs.sqlite3"]


@pytest.mark.parametrize("times", [15, pytest.param(100, marks=pytest.mark.thorough)])
def test_a_killed_process_loses_at_most_the_point_in_flight(root, tmp_path, times):
    lost, n_told = told(root, tmp_path, "killed", times, 1)
    assert lost == 0 and n_told > times
