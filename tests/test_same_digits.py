"""One scenario, four ways: the app, the command line, the exported script, the store. The same numbers."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from pages_tools import assert_fine, finished, page_at, texts
from test_cli import call

from ecocviz.lab.evaluate import evaluate, score_part
from ecocviz.lab.export import python_script
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.store import open_store
from ecocviz.lab.store_about import record_of
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.draw.words import percent

pytestmark = pytest.mark.page

SCENARIOS = {
    "a decoder with probabilities": make_scenario(2, data="glass", coding="one-vs-one"),
    "a learned code": make_scenario(1, data="iris", coding="decoc", decoding="hamming"),
    "a cross-validation": make_scenario(3, data="wine", split=("k-fold", {"n_folds": 3}), decoding="linear"),
    "joint learning": make_scenario(4, data="iris", reduction="joint", decoding="hamming"),
    "a random code": make_scenario(5, data="ecoli", coding="dense-random"),
    "points left undecided": make_scenario(
        7, data="wine", decoding="linear", rejecting=("margin", {"share": 0.2})
    ),
    "trees": make_scenario(6, data="glass", machine="decision-tree", decoding="hamming"),
}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory, root):
    """What two programs find: the home of one; by scenario, what it and scripts print, and all costs."""
    folder = tmp_path_factory.mktemp("same-digits")
    files, scripts = [], []
    for k, scenario in enumerate(SCENARIOS.values()):
        files.append(folder / f"{k}.toml")
        files[-1].write_text(scenario.to_toml(), "utf-8")
        scripts.append(folder / f"{k}.py")
        scripts[-1].write_text(python_script(scenario), "utf-8")
    environ = {**os.environ, "ECOCVIZ_HOME": str(folder / "home")}
    programs = [
        subprocess.Popen(
            [sys.executable, root / "tests/run_scenarios.py", what, *names],
            stdout=subprocess.PIPE, text=True, env=environ, cwd=root,
        )
        for what, names in (("cli", files), ("script", scripts))
    ]  # fmt: skip
    printed = [json.loads(program.communicate(timeout=300)[0]) for program in programs]
    assert [program.returncode for program in programs] == [0, 0]
    costs = [dict(np.load(f"{script}.npz")) for script in scripts]
    found = zip(map(json.loads, printed[0]), printed[1], costs, strict=True)
    return folder / "home", dict(zip(SCENARIOS, found, strict=True))


def left_out(part, about):
    """What a script prints of points that are left undecided."""
    if "undecided" not in about:
        return ""
    others = about["points"] - about["undecided"]
    return (
        f"{part}: {about['undecided']} left undecided, {about['decided_wrong']} of the other {others} wrong\n"
    )


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_same_scenario_gives_the_same_numbers_four_ways(name, elsewhere, root, capsys, monkeypatch):
    scenario, (home, found) = SCENARIOS[name], elsewhere
    by_command, by_script, exact = found[name]
    errors = {part: (by_command[part]["wrong"], by_command[part]["points"]) for part in ("train", "test")}

    # The script
    (wrong, n), (test_wrong, test_n) = errors["train"], errors["test"]
    left = "".join(map(left_out, ("training", "test"), (by_command["train"], by_command["test"])))
    assert left == "" or scenario.rejecting.key != "none"
    assert by_script == f"training error {wrong} of {n}\ntest error {test_wrong} of {test_n}\n{left}"

    # The store
    monkeypatch.setenv("ECOCVIZ_HOME", str(home))
    status, out, _ = call(capsys, "runs", "show", str(by_command["run"]), "--json")
    open_store().close()
    kept = json.loads(out)
    assert status == 0 and kept["about"]["scenario"] == by_command["scenario"] == scenario.to_flat()
    assert kept["points"] == {part: by_command[part] for part in ("test", "train")}

    # The app: what its page says, and all costs of the machines that it has trained
    monkeypatch.undo()
    page = finished(page_at(root / "app.py", scenario.to_flat()).run())
    assert_fine(page)
    said = re.sub("<[^>]+>", "", texts(page))
    assert f"Test error {percent(test_wrong, test_n)}." in said
    if left:
        about = by_command["test"]
        assert f"With {percent(about['undecided'], test_n)} left undecided" in said
    trained = cache.keeper().find(scenario)
    assert trained is not None
    for part in ("train", "test"):
        ours = evaluate(trained, part, scenario.decider)
        assert record_of(ours) == by_command[part]
        assert np.array_equal(ours.costs, exact[part])
        assert (ours.n_wrong, ours.n) == errors[part]
    chances = score_part(trained, "test").probabilities(scenario.decoding)
    assert ("probabilities" in exact) == (chances is not None)
    assert chances is None or np.array_equal(chances, exact["probabilities"])
