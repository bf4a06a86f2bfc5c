import json
import os
import signal
import subprocess
import sys
import time

import pytest

from ecocviz.views.shared.app import cache, vitals

PROGRAM = """
import time
from ecocviz.views.shared.app.vitals import answer_signals
answer_signals()
print("ready", flush=True)
time.sleep(60)
"""


def test_vitals_are_numbers_or_unknown():
    told = vitals.vitals()
    assert set(told) == {
        "sessions",
        "rss_bytes",
        "heap_bytes",
        "blocks",
        "objects",
        "machines_bytes",
        "views_bytes",
        "results_bytes",
    }
    assert told["sessions"] is None  # no server runs here
    assert told["blocks"] > told["objects"] > 1_000
    assert told["machines_bytes"] >= 0
    assert all(value is None or isinstance(value, int) for value in told.values())


@pytest.mark.skipif(vitals.heap_bytes() is None, reason="the C library does not tell its heap")
@pytest.mark.parametrize("n_bytes", [50_000, 50_000_000], ids=["small pieces", "one mapped piece"])
def test_the_heap_grows_by_what_is_held_and_shrinks_when_it_is_not(n_bytes):
    before = vitals.heap_bytes()
    held = [bytearray(n_bytes) for _ in range(50_000_000 // n_bytes)]
    during = vitals.heap_bytes()
    del held
    after = vitals.heap_bytes()
    assert 45_000_000 < during - before < 80_000_000
    assert after - before < 10_000_000


@pytest.fixture
def listening():
    """Start a process that answers signals, or would; return it and the file."""
    started = []

    def start(**environment):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=os.environ | environment, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def test_emptied_nothing_is_kept_and_what_is_asked_for_is_made_again(tmp_path):
    made = []
    for _ in range(2):
        assert cache.remember("test", "vitals", lambda: made.append(None) or [1]) == [1]
    vitals._write(tmp_path / "vitals.json", emptied=True)
    told = json.loads((tmp_path / "vitals.json").read_text())
    assert told["machines_bytes"] == told["views_bytes"] == told["results_bytes"] == 0
    cache.remember("test", "vitals", lambda: made.append(None) or [1])
    assert len(made) == 2


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="this system has no such signal")
@pytest.mark.parametrize("name", ["SIGUSR1", "SIGUSR2"])
def test_a_signal_writes_them_if_a_file_is_named(listening, tmp_path, name):
    file = tmp_path / "vitals.json"
    process = listening(ECOCVIZ_VITALS=str(file))
    process.send_signal(signal.Signals[name])
    end = time.monotonic() + 60
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.05)
    told = json.loads(file.read_text())
    assert told["rss_bytes"] is None or told["rss_bytes"] > 10_000_000
    assert process.poll() is None


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="this system has no such signal")
def test_without_a_file_the_signal_is_left_as_it_is(listening):
    process = listening(ECOCVIZ_VITALS="")
    process.send_signal(signal.SIGUSR1)
    assert process.wait(timeout=20) == -signal.SIGUSR1
