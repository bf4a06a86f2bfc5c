"""One store and several processes: all at once, and killed with -9 at any moment."""

import os
import subprocess
import sys

import pytest


def told(root, *arguments):
    """Run the program beside this file; return the numbers that it prints."""
    done = subprocess.run(
        [sys.executable, str(root / "tests/lab/store_processes.py"), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [int(word) for word in done.stdout.split()]


def test_processes_that_begin_together_bring_the_file_up_to_date_once_and_lose_nothing(root, tmp_path):
    n = 6
    assert told(root, tmp_path, "together", n) == [0, 3 + 1 + n, n * 60, 60, 2]


@pytest.mark.parametrize("times", [25, pytest.param(500, marks=pytest.mark.thorough)])
def test_a_killed_process_loses_at_most_the_point_in_flight(root, tmp_path, times):
    lost, n_told = told(root, tmp_path, "killed", times, 1)
    assert lost == 0 and n_told > times
