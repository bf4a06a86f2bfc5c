"""Libraries of linear algebra use one thread in our processes, whenever they are loaded."""

import json
import os
import subprocess
import sys

from ecocviz.lab.threads import VARIABLES

SCRIPT = """
import json, os, sys
import numpy
from ecocviz.lab.threads import one_thread_each
one_thread_each()
import scipy.linalg, sklearn.ensemble
from threadpoolctl import threadpool_info
print(json.dumps([about["num_threads"] for about in threadpool_info()]))
print(json.dumps({name: os.environ[name] for name in sys.argv[1:]}))
"""


def test_one_thread_each_before_and_after_loading():
    clean = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *VARIABLES], env=clean, capture_output=True, text=True, check=True
    )
    threads, inherited = map(json.loads, done.stdout.splitlines())
    assert len(threads) >= 2 and set(threads) == {1}
    assert set(inherited.values()) == {"1"}
