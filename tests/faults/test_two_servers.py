"""Several servers on one folder: all bring, all remove, some are killed."""

import os
import signal
import subprocess
import sys

import pytest
from fault_tools import cleaned_up, look_over, note, pick
from waiting import until

from ecocviz.data import upload_store as store


@pytest.mark.thorough
@pytest.mark.parametrize("shared", ["", "1"], ids=["unshared", "shared"])
def test_servers_that_bring_and_remove_in_one_folder_meet_no_half_upload(
    root, fresh_home, monkeypatch, shared
):
    monkeypatch.setenv("ECOCVIZ_SHARED", shared)
    monkeypatch.setenv("ECOCVIZ_MAX_FOLDER_BYTES", "3000")
    seconds, n_servers = pick(2, 60), pick(2, 4)
    (fresh_home / "uploads").mkdir()

    def begin(number):
        return subprocess.Popen(
            [sys.executable, str(root / "tests/faults/contending.py"), str(number), str(seconds)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    running = [begin(number) for number in range(n_servers)]
    n_killed = 0
    for k in range(pick(3, 50)):  # one more server, which is killed in the middle of it
        victim = begin(100 + k)
        until(lambda: any(place.name.startswith(store.NEW) for place in list_of(fresh_home)), 30, 0.001)
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        n_killed += 1
    said = [process.communicate(timeout=seconds + 60) for process in running]
    assert [error for _, error in said] == [""] * n_servers
    turns = [[int(number) for number in out.split()] for out, _ in said]
    assert all(turn > 5 and read > 0 for turn, read, _ in turns)
    look_over(fresh_home / "uploads", leftovers=True)
    cleaned_up(fresh_home / "uploads")
    total = [sum(numbers) for numbers in zip(*turns, strict=True)]
    note(
        "servers on one folder",
        servers=n_servers,
        shared=bool(shared),
        brought=total[0],
        read=total[1],
        gone=total[2],
        killed=n_killed,
    )


def list_of(home):
    return list((home / "uploads").iterdir())
