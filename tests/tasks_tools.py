"""What tasks do in tests: other processes import these functions by name."""

import os
import signal
import time
import uuid
from pathlib import Path

import numpy as np
from sklearn import get_config
from sklearn.datasets import make_classification
from threadpoolctl import threadpool_info

from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.engine.tasks import task_progress


class Data:
    """Points, and a folder in which every process notes that it has opened them."""

    def __init__(self, folder, X, y=None):
        self.folder, self.X, self.y = Path(folder), X, y

    def __getstate__(self):
        return self.folder, self.X, self.y

    def __setstate__(self, state):
        self.folder, self.X, self.y = state
        note(self.folder / "opened", str(os.getpid()))


def points(folder, n=120):
    X, y = make_classification(n, 6, n_informative=5, n_redundant=0, n_classes=4, random_state=0)
    return Data(folder, X, y)


def note(folder, text):
    """Leave a file with a name of its own, there at once or not at all."""
    folder.mkdir(exist_ok=True)
    ready = folder.parent / f"{uuid.uuid4().hex}.part"
    ready.write_text(text, encoding="utf-8")
    ready.rename(folder / uuid.uuid4().hex)


def notes(folder):
    """Return what was noted."""
    return sorted(path.read_text(encoding="utf-8") for path in folder.iterdir()) if folder.is_dir() else []


def square(data, k):
    """Return a square, and who has computed it; arrays must be writeable."""
    data.X[0] = data.X[0]
    if k == 3:
        raise KeyError("three")
    return k * k, os.getpid()


def fit(data, gamma):
    """Return what machines of a kernel width say of the points, and a sum that threads round differently."""
    model = ECOCClassifier("one-vs-one", machine=KernelMachine(gamma=gamma), random_state=0)
    model.fit(data.X, data.y, progress=task_progress())
    return model.costs(data.X), np.linalg.pinv(data.X.T @ data.X + gamma * np.eye(data.X.shape[1]))


def threads(_, __):
    """Return how many threads the libraries of linear algebra have, and a setting of scikit-learn."""
    counts = {about["num_threads"] for about in threadpool_info() if about["user_api"] == "blas"}
    return counts, get_config()["assume_finite"]


def endless(data, k):
    """Say that it runs, and go on until told to stop."""
    note(data.folder / "began", str(k))
    try:
        while True:
            task_progress().check()
            time.sleep(0.005)
    finally:
        note(data.folder / "ended", str(k))


def dies_once(data, k):
    """End this process the first time that task 1 is begun."""
    note(data.folder / f"begun-{k}", str(os.getpid()))
    if k == 1 and len(notes(data.folder / "begun-1")) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return k, os.getpid()


def always_dies(data, k):
    """End this process whenever task 1 is begun."""
    note(data.folder / f"begun-{k}", str(os.getpid()))
    if k == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return k, os.getpid()


def answer_lambda(_, __):
    return lambda: None
