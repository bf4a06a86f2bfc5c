"""The clock of the day, really set under a running program; `test_upload_expiry.py` has the rest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLACES = ("/usr/lib", "/usr/local/lib")


def find_libfaketime():
    """Return the library that sets a program's clock, None if it is not installed."""
    found = [path for place in PLACES for path in Path(place).glob("**/faketime/libfaketime.so.1")]
    return str(found[0]) if found else None


@pytest.mark.skipif(find_libfaketime() is None, reason="libfaketime is not installed")
def test_a_clock_that_is_set_under_a_running_server(root, tmp_path, fresh_home):
    del fresh_home
    clock = tmp_path / "clock"
    clock.write_text("+0")
    done = subprocess.run(
        [sys.executable, str(root / "tests/faults/jumping.py"), str(clock)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")]),
            "LD_PRELOAD": str(find_libfaketime()),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        },
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
