"""What the processes of worker_pools.py are given to do: other processes import this, and not the program."""

import os
import sys
import time
from importlib import import_module

import numpy as np

from ecocviz.lab.run import train
from ecocviz.lab.workers import LOADED


def load():
    for module in LOADED:
        import_module(module)


def who(_=None):
    return os.getpid()


def zeros(megabytes):
    return np.ones(megabytes * 125_000)


def nap(seconds):
    time.sleep(seconds)
    return os.getpid()


def modules(_=None):
    return "streamlit" in sys.modules


def same(value, report):
    report.check()
    return value


def trained(scenario, report):
    """Train, and say what it cost."""
    began = time.process_time()
    return train(scenario, report), time.process_time() - began
