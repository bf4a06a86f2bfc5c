"""One store and several processes: all at once, and killed with -9 at any moment."""

import pytest
from fault_tools import told_by


def told(*arguments):
    """Return the numbers that the program beside this file prints."""
    return [int(word) for word in told_by("store_processes.py", *arguments).split()]


@pytest.mark.parametrize("what, n_before", [("together", 3), ("begun", 0)])
def test_processes_that_begin_together_make_the_file_once_and_lose_nothing(tmp_path, what, n_before):
    n = 6
    assert told(tmp_path, what, n) == [0, n_before + 1 + n, n * 60, 60, 0]
    assert [each.name for each in tmp_path.iterdir()] == ["runs.sqlite3"]


@pytest.mark.parametrize("times", [15, pytest.param(100, marks=pytest.mark.thorough)])
def test_a_killed_process_loses_at_most_the_point_in_flight(tmp_path, times):
    lost, n_told = told(tmp_path, "killed", times, 1)
    assert lost == 0 and n_told > times
