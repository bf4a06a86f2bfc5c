"""The process that compiles the loops and those that load them compute the same numbers, to the last bit."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib
import numpy as np
from ecocviz import KernelMachine

points = np.random.default_rng(0).uniform(size=(150, 4))
signs = np.where(points.sum(axis=1) > 2.1, 1, -1)
machine = KernelMachine(kernel="rbf", gamma=2.0, C=10.0).fit(points, signs)
print(hashlib.sha256(machine.decision_function(points).tobytes()).hexdigest())

points = np.random.default_rng(1).uniform(size=(1_500, 70))  # more than pairs alone solve
signs = np.where(points.sum(axis=1) > 35.0, 1, -1)
machine = KernelMachine(C=10.0, approximation="nystroem", rank=100).fit(points, signs)
print(hashlib.sha256(machine.decision_function(points).tobytes()).hexdigest())
"""


@pytest.mark.thorough
def test_compiling_and_loading_give_the_same_scores(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", PROGRAM]
    compiled, loaded = (
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert any(tmp_path.rglob("*.nbi"))
    assert compiled == loaded
