import gc
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ecocviz.lab.first_screen import first_scenario
from ecocviz.lab.run import run
from ecocviz.views.shared.app import serve


def test_the_first_screen_is_computed_while_the_server_starts(monkeypatch):
    seen = []
    monkeypatch.setattr("ecocviz.views.shared.app.warm.warm_screen", lambda: seen.append("first screens"))
    monkeypatch.setattr("ecocviz.lab.run.run", lambda scenario: seen.append(scenario) or run(scenario))
    serve.warm_up()
    assert seen == [first_scenario(), "first screens"]


def told(*lines: str) -> list[str]:
    """Return the words that a fresh interpreter prints, warmed up."""
    program = "\n".join(
        ("import gc, sys", "from ecocviz.views.shared.app import serve", "serve.warm_up()", *lines)
    )
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=True).stdout.split()


@pytest.mark.thorough
def test_the_modules_of_every_page_are_loaded_and_spared_by_the_garbage_collector():
    counts = "print(gc.isenabled(), gc.get_freeze_count(), len(gc.get_objects()), *sys.modules)"
    collects, spared, left, *modules = told("gc.disable()", "serve.settle()", counts)
    assert collects == "True"
    assert int(spared) > 100_000
    assert int(left) < 10_000
    assert {"ecocviz.lab.curves", "ecocviz.views.reductions.figures"} <= set(modules)


def test_garbage_is_collected_after_work_when_the_server_is_idle_and_then_not_again(monkeypatch):
    used, collections, leaving = iter([0.0, 0.9, 0.9, 0.91, 0.91, 0.92, 0.92, 1.5, 1.5, 1.5, 1.5]), [], []

    class Leaving:
        """Says after five waits that the server ends."""

        def wait(self, seconds):
            leaving.append(seconds)
            return len(leaving) > 5

    monkeypatch.setattr(serve, "_LEAVING", Leaving())
    monkeypatch.setattr(serve.time, "process_time", lambda: next(used))
    monkeypatch.setattr(serve.gc, "collect", lambda: collections.append(len(leaving)))
    serve.collect_when_idle(1.0)
    assert leaving == [1.0] * 6
    # Work before waits 1 and 4, none before 2, 3 and 5.
    assert collections == [2, 5]


def test_whoever_waits_for_an_idle_server_hears_of_its_end(monkeypatch):
    used = iter([0.0, 0.001, 0.001, 0.9, 0.9, 0.901, 0.901, 0.902])
    answers = iter([False] * 4)
    leaving = type("Leaving", (), {"wait": lambda _self, _seconds: next(answers, True)})
    monkeypatch.setattr(serve, "_LEAVING", leaving())
    monkeypatch.setattr(serve.time, "process_time", lambda: next(used, 9.0))
    assert serve.idle(1.0, 2.0)
    assert list(used) == [] and list(answers) == []
    assert not serve.idle(1.0, 2.0)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize(
    ("before", "after"), [((64, 512), 512), ((64, 99_999), 8_192), ((9_999, 9_999), 9_999)]
)
def test_a_class_may_open_the_files_that_it_needs(before, after):
    program = (
        "import resource, sys\n"
        f"if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < {before[1]}: print('less'); sys.exit()\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, {(before[1], before[1])})\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, {before})\n"
        "from ecocviz.serving.descriptors import allow_files\n"
        "allow_files()\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    if done.stdout == "less\n":
        pytest.skip("this machine allows fewer")
    assert int(done.stdout) == after


def test_cycles_go_without_the_automatic_collector(tmp_path):
    script = tmp_path / "idle.py"
    script.write_text(
        "import gc, threading, time, weakref\n"
        "from ecocviz.views.shared.app import serve\n"
        "gc.disable()\n"
        "class Cycle: pass\n"
        "one = Cycle(); one.itself = one; left = weakref.ref(one); del one\n"
        "threading.Thread(target=serve.collect_when_idle, args=(0.05,), daemon=True).start()\n"
        "ends = time.monotonic() + 40\n"
        "while left() is not None and time.monotonic() < ends: time.sleep(0.05)\n"
        "print(left())\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=90, check=True)
    assert done.stdout == "None\n"


def test_the_script_is_served_with_the_options_of_streamlit_run(monkeypatch):
    calls, handled = [], {}
    monkeypatch.setattr(serve, "allow_files", lambda: None)
    monkeypatch.setattr(serve, "_prepare", lambda: None)
    monkeypatch.setattr(serve, "collect_when_idle", lambda: None)
    monkeypatch.setattr(gc, "disable", lambda: calls.append("collector off"))
    # The real one ends this process in a while.
    monkeypatch.setattr(serve, "_leave", lambda: calls.append("left"))
    monkeypatch.setattr(serve.cli, "main", lambda prog_name: calls.append((prog_name, list(sys.argv))))
    monkeypatch.setattr(serve.signal, "signal", handled.__setitem__)
    monkeypatch.setattr(sys, "argv", ["serve", "some/app.py", "--server.port", "1234"])
    serve.main()
    script = str(Path("some") / "asgi.py")
    streamlit = ("streamlit", ["streamlit", "run", script, "--server.port", "1234"])
    assert calls == ["collector off", streamlit, "left"]
    for number in (signal.SIGINT, signal.SIGTERM):
        with pytest.raises(SystemExit) as end:
            handled[number](number, None)
        assert end.value.code == 0


@pytest.mark.thorough
def test_a_long_computation_does_not_hold_up_the_end(tmp_path):
    script = tmp_path / "server.py"
    script.write_text(
        "import threading\n"
        "from ecocviz.lab.jobs import Jobs\n"
        "from ecocviz.views.shared.app import serve\n"
        "serve.GRACE_SECONDS = 0.5\n"
        "begun, never, jobs = threading.Event(), threading.Event(), Jobs()\n"
        "jobs.start('deaf', lambda report: begun.set() or never.wait())\n"
        "serve._prepare = lambda: None\n"
        "serve.cli.main = lambda prog_name: begun.wait() and print('up', flush=True)\n"
        "serve.sys.argv = ['serve', 'app.py']\n"
        "serve.main()\n"
    )
    began = time.monotonic()
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=50, check=False)
    assert done.stdout == "up\n" and done.returncode == 0
    assert time.monotonic() - began < 45


@pytest.mark.parametrize("part", ["warm_up", "_warm_the_rest"])
def test_a_failing_warm_up_is_told_unless_the_server_is_leaving(monkeypatch, part):
    def fail():
        raise RuntimeError("cannot schedule new futures after shutdown")

    settled = []
    monkeypatch.setattr(serve, "settle", lambda: settled.append(True))
    for each in ("warm_up", "_warm_the_rest"):
        monkeypatch.setattr(serve, each, fail if each == part else lambda: None)
    monkeypatch.setattr(serve, "_LEAVING", threading.Event())
    with pytest.raises(RuntimeError, match="after shutdown"):
        serve._prepare()
    serve._LEAVING.set()
    serve._prepare()
    assert len(settled) == 2
