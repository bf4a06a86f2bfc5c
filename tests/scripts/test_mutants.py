"""The small faults that test the tests: which are made, where, and what becomes of them."""

import json

import pytest

from scripts import mutants
from scripts.mutator import faults, with_fault

SOURCE = '''"""Texts: 1 < 2."""

LIMIT = 3

@decorated(1)
def first(x: "int | None" = 4, *, y: float = 0.5) -> "int | None":
    """Say 1 + 1."""
    if x < 1 and not done:
        raise ValueError(f"{x + 1} is not 5 or less")
    return x - 1

class Held:
    size: int = 7

    def wide(self):
        return "ä" * 2 if self.size == 8 else f"{self.size + 1}"
'''
TEST = "def test_it():\n    assert"
SETTINGS = """[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--import-mode=importlib"]
markers = ["e2e: none"]
"""


def edits(source):
    return {(one.line, one.before, one.after) for place in faults(source) for one in place}


def test_every_kind_of_fault_and_no_other():
    assert edits(SOURCE) == {
        (6, "4", "(3)"),
        (6, "4", "(5)"),
        (6, "0.5", "(1.0)"),
        (8, "x < 1", "(x <= 1)"),
        (8, "x < 1", "(x >= 1)"),
        (8, "1", "(0)"),
        (8, "1", "(2)"),
        (8, "not done", "(done)"),
        (8, "x < 1 and not done", "(x < 1 or not done)"),
        (8, "x < 1 and not done", "(not (x < 1 and (not done)))"),
        (10, "x - 1", "(x + 1)"),
        (10, "1", "(0)"),
        (10, "1", "(2)"),
        (10, "return x - 1", "return None"),
        (13, "7", "(6)"),
        (13, "7", "(8)"),
        (16, "2", "(1)"),
        (16, "2", "(3)"),
        (16, "self.size == 8", "(self.size != 8)"),
        (16, "8", "(7)"),
        (16, "8", "(9)"),
        (16, """return "ä" * 2 if self.size == 8 else f"{self.size + 1}\"""", "return None"),
    }


def test_a_fault_changes_its_place_only():
    for place in faults(SOURCE):
        for fault in place:
            changed = with_fault(SOURCE, fault)
            compile(changed, "changed", "exec")
            same = [a == b for a, b in zip(SOURCE.splitlines(), changed.splitlines(), strict=True)]
            assert same.count(False) == 1 and not same[fault.line - 1]


@pytest.fixture
def house(tmp_path):
    files = {
        "ecocviz/__init__.py": "",
        "ecocviz/lab/__init__.py": "",
        "ecocviz/lab/sums.py": "def total(a, b):\n    return a + b\n\ndef spare(a):\n    return a * 2\n",
        "ecocviz/lab/uses.py": "from ecocviz.lab.sums import total\n\ndef three():\n    return total(1, 2)\n",
        "tests/lab/test_sums.py": f"from ecocviz.lab.sums import total\n\n{TEST} total(1, 2) == 3\n",
        "tests/lab/test_other.py": f"from ecocviz.lab import uses\n\n{TEST} uses.three() == 3\n",
        "tests/pages/test_sums.py": f"from ecocviz.lab import sums\n\n{TEST} not sums\n",
        "pyproject.toml": SETTINGS,
    }
    for name, text in files.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "house"


def test_the_tests_of_a_file_are_those_that_reach_it(house):
    room = mutants.Room(house)
    asked = room.tests_of("ecocviz/lab/sums.py", {})
    assert asked == ["tests/lab/test_sums.py", "tests/lab/test_other.py"]
    assert room.tests_of("ecocviz/lab/uses.py", {}) == ["tests/lab/test_other.py"]


@pytest.mark.thorough
def test_faults_die_or_live_and_are_not_made_again(house, tmp_path, capsys):
    made = mutants.chosen_mutants(house, ["ecocviz/lab/sums.py"], 100, seed=1)
    assert made == mutants.chosen_mutants(house, ["ecocviz/lab/sums.py"], 100, seed=1)
    assert len(made) == 5
    results = mutants.Results(tmp_path / "found" / "state.json")
    mutants.hunt(house, made[:2], results, minutes=5.0, workers=1)
    mutants.hunt(house, made, results, minutes=5.0, workers=2)
    kept = json.loads((tmp_path / "found" / "state.json").read_text())["known"]
    assert {name.split(" ")[0].split(":")[1]: found for name, found in kept.items()} == {
        "2": "killed",
        "5": "alive",
    }
    assert len(capsys.readouterr().out.splitlines()) == len(made)
    lines = list(mutants.report(made, results.known))
    assert "| ecocviz/lab/sums.py | 5 | 2 | 3 |" in lines
    assert "40 % died. Alive:" in lines[4]
    assert "ecocviz/lab/sums.py:5  `a * 2` -> `(a / 2)`" in lines
    assert (
        (house / "ecocviz" / "lab" / "sums.py").read_text().startswith("def total(a, b):\n    return a + b")
    )
    mutants.hunt(house, made, mutants.Results(tmp_path / "found" / "state.json"), minutes=5.0, workers=1)
    assert capsys.readouterr().out == ""


def test_tests_that_fail_without_a_fault_are_told_of(house, tmp_path):
    (house / "tests" / "lab" / "test_sums.py").write_text(
        "from ecocviz.lab import sums\n\ndef test_it():\n    assert 0\n"
    )
    made = mutants.chosen_mutants(house, ["ecocviz/lab/sums.py"], 1, seed=0)
    with pytest.raises(SystemExit, match="fail without any fault"):
        mutants.hunt(house, made, mutants.Results(tmp_path / "state.json"), minutes=5.0, workers=1)
