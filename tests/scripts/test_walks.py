"""The script that walks: which files count as hops, which trainings are the same."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from ecocviz import ContinuousCodeClassifier, ECOCClassifier
from scripts import house
from scripts.walks import Hops, Trainings

MODULE = """
class Body:
    half = len('ab')

def called():
    return [k for k in range(3)]

HELD = len('abc')
"""


@pytest.fixture
def hops(tmp_path):
    made = Hops(tmp_path)
    yield made
    made.close()


def loaded(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    space = {}
    exec(compile(text, str(path), "exec"), space)  # noqa: S102 - the file just written
    return space


def test_a_function_that_runs_is_a_hop_and_an_import_is_none(tmp_path, hops):
    with hops.noted():
        inside = loaded(tmp_path / "ecocviz" / "inside.py", MODULE)
        outside = loaded(tmp_path / "tests" / "outside.py", MODULE)
        loaded(tmp_path / "ecocviz" / "imported.py", MODULE)
        loaded(tmp_path / "pages" / "script.py", MODULE)
        outside["called"]()
        thread = threading.Thread(target=inside["called"])
        thread.start()
        thread.join()
    inside["called"]()
    assert hops.files() == ["ecocviz/inside.py", "pages/script.py"]
    with hops.noted():
        pass
    assert hops.files() == []


def test_a_training_is_known_by_what_is_trained():
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.arange(30) % 3
    trainings = Trainings()
    with trainings.counted():
        for model in (
            ECOCClassifier("one-vs-all", decoding="hamming"),
            ECOCClassifier("one-vs-all", decoding="linear"),  # another decoder: the same machines
            ECOCClassifier("one-vs-one", decoding="hamming"),
            ContinuousCodeClassifier(ECOCClassifier("one-vs-all")),  # trains others inside
        ):
            model.fit(X, y)
        ECOCClassifier("one-vs-all").fit(X[:24], y[:24])
    assert sorted(trainings.made.values()) == [1, 1, 1, 2]
    ECOCClassifier("one-vs-all").fit(X, y)
    assert sum(trainings.made.values()) == 5


@pytest.mark.thorough
def test_a_walk_through_this_checkout(root):
    done = house.walk("run", root)
    assert "ecocviz/cli.py" in done["files"] and "ecocviz/lab/run.py" in done["files"]
    assert not [name for name in done["files"] if name.startswith(("tests", "pages")) or "draw" in name]


def test_another_checkout_than_asked_for_is_refused(root, tmp_path):
    command = [sys.executable, str(root / "scripts" / "walks.py"), "run", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "set PYTHONPATH to the checkout" in done.stderr
