import subprocess
import sys

import pytest

from ecocviz.engine.catalogue import build_code
from ecocviz.engine.params import pack_matrix
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
    assert "needs the uploaded file" in python_script(make_scenario(data="upload"))
