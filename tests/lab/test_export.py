import os
import subprocess
import sys

import pytest

from ecocviz.data.uploads import keep
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.params import pack_matrix
from ecocviz.lab import export
from ecocviz.lab.export import python_script
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario

CODE = build_code("one-vs-one", 4)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "scenario",
    [
        make_scenario(),
        make_scenario(
            data=("spirals", {"label_noise": 0.1}),
            coding=("dense-random", {"n_bits": 9}),
            machine=("kernel", {"gamma": 3.3, "C": 7.0}),
            decoding="exponential",
            split=("k-fold", {"n_folds": 4}),
            seed=11,
        ),
        make_scenario(coding=("custom", {"matrix": pack_matrix(CODE)}), decoding="hamming"),
    ],
)
def test_the_script_prints_the_apps_numbers(scenario, tmp_path):
    script = tmp_path / "experiment.py"
    script.write_text(python_script(scenario), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd=tmp_path)
    result = run(scenario)
    assert done.stdout.splitlines() == [
        f"training error {result.train.n_wrong} of {result.train.rows.size}",
        f"test error {result.test.n_wrong} of {result.test.rows.size}",
    ]


def test_what_a_script_needs_is_said():
    assert "`ecocviz fetch` and its number" in python_script(make_scenario(data="openml"))
    lost = python_script(make_scenario(data="upload"))
    assert "SystemExit" in lost and "not kept" in lost


def ran(script, folder):
    """Run a script where nothing is kept: its status, and what it prints."""
    file = folder / "experiment.py"
    file.write_text(script, encoding="utf-8")
    (folder / "empty").mkdir(exist_ok=True)
    environment = {**os.environ, "ECOCVIZ_HOME": str(folder / "empty")}
    done = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, check=False, cwd=folder, env=environment
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.splitlines(), done.stderr


ROWS = [
    f"{k},{(k * 37) % 101 / 7:.3f},{'red' if k % 3 else 'blue'},{'uvw'[(k * 37) % 101 // 34]}"
    for k in range(90)
]
OWN = "\n".join(["id,size,shade,kind", *ROWS]).encode()
NAME = '"""+__import__("os").abort()+""".csv'


@pytest.mark.thorough
def test_the_script_of_ones_own_data_runs_where_they_are_not_kept(tmp_path):
    cut = OWN.index(b"60,")
    name = keep(OWN[:cut], NAME, "kind", OWN[: OWN.index(b"\n") + 1] + OWN[cut:], "more.csv", left_out=["id"])
    scenario = make_scenario(data=("upload", {"digest": name}), split="own", coding="one-vs-one")
    result = run(scenario)
    status, printed, _ = ran(python_script(scenario), tmp_path)
    assert status == 0 and printed == [
        f"training error {result.train.n_wrong} of 60",
        f"test error {result.test.n_wrong} of {result.test.rows.size}",
    ]


@pytest.mark.thorough
def test_the_script_of_large_data_knows_their_file_again(tmp_path, monkeypatch):
    scenario = make_scenario(data=("upload", {"digest": keep(OWN, "own.csv", "kind")}))
    monkeypatch.setattr(export, "MOST_PACKED", 100)
    script = python_script(scenario)
    (tmp_path / "own.csv").write_bytes(OWN)
    status, printed, _ = ran(script, tmp_path)
    result = run(scenario)
    assert status == 0 and printed[1] == f"test error {result.test.n_wrong} of {result.test.rows.size}"
    (tmp_path / "own.csv").write_bytes(OWN + b"9,1,red,u\n")
    assert ran(script, tmp_path)[::2] == (
        1, "own.csv is another file than the one that this script was written for.\n",
    )  # fmt: skip
