"""What worker processes are given to do in tests: functions that another process can import."""

import ctypes
import itertools
import os
import signal
import sys
import threading
import time

import numba
import numpy as np


def double(value, report):
    report.at(0.5)
    return value + value


def tell(n, report):
    for i in range(n):
        report.note(f"step {i}")
        report.at((i + 1) / n)
        report.add((i, np.full(20_000, i)))
    return n


def endless(report):
    for i in itertools.count():
        report.note(str(i))
        time.sleep(0.001)


def deaf(report):
    report.note("deaf")
    while True:
        pass


@numba.njit(nogil=True)
def _spin():
    x = 0.0
    while x >= 0:
        x += 1.0
    return x


def compiled(report):
    report.note("compiled")
    return _spin()


def mute(report):
    report.note("mute")
    time.sleep(1000)


def crash(report):
    report.note("crash")
    ctypes.string_at(0)


def leave(status, report):
    report.note("leave")
    os._exit(status)


def kill(report):
    report.note("kill")
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(report):
    report.note("refuse")
    raise ValueError("This is refused.")


def fail(report):
    report.note("fail")
    raise KeyError("what was not there")


class OddError(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def fail_oddly(report):
    report.note("fail")
    raise OddError(1, 2)


def unpicklable(report):
    report.note("unpicklable")
    return lambda: None


def take(n_bytes, report):
    report.note("take")
    return int(np.ones(n_bytes, dtype=np.uint8).sum())


def about(report):
    report.note("about")
    return os.getpid(), os.nice(0), sorted(sys.modules), sys.modules["__main__"].__dict__.get("__file__")


def count(seconds, report):
    """Say something new as often as possible."""
    last, n = time.monotonic() + seconds, 0
    while time.monotonic() < last:
        n += 1
        report.note(str(n))
    return n


def flood(report):
    """Tell as much as possible, and be killed meanwhile."""
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGKILL]).start()
    while True:
        report.add(np.zeros(2_000))
        report.add(np.zeros(700))
