"""Every browser module's own tests, run by node."""

import subprocess
from pathlib import Path

import pytest

from ecocviz.views.shared.app.components.joining import FOLDER

TESTS = Path(__file__).parent / "browser"
FILES = sorted(TESTS.glob("*.test.js"))


def test_every_module_has_tests():
    modules = {file.stem for file in FOLDER.glob("*.js")}
    assert {file.name.removesuffix(".test.js") for file in FILES} == modules


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.js"))
def test_module(node_path, file):
    command = [node_path, "--test", "--test-reporter=spec", file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests 0" not in done.stdout
