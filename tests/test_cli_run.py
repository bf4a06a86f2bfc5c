"""`ecocviz run` on a user's own file, and what it says about a slip of the keys."""

import json

import numpy as np
import pytest
from test_cli import call, refused

from ecocviz import cli
from ecocviz.data.catalogue import load_table
from ecocviz.data.home import home
from ecocviz.data.readers import read_table
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario


@pytest.fixture
def flowers(tmp_path):
    """Iris as somebody's file: a number for each row, the label in the middle, a column of names."""
    table = load_table("iris")
    frame = table.features.copy()
    frame.insert(0, "row", range(1, len(frame) + 1))
    frame.insert(2, "kind", table.labels)
    frame["patch"] = [f"p{i % 7}" for i in range(len(frame))]
    file = tmp_path / "flowers.csv"
    frame.to_csv(file, index=False)
    return file


def numbers(capsys, *arguments):
    status, out, err = call(capsys, "run", *arguments, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


# a file of one's own -----------------------------------------------------------------------------------


def test_a_file_of_ones_own_gives_the_numbers_of_its_table(capsys, flowers, fresh_home):
    options = ("--data", str(flowers), "--label", "kind", "--leave-out", "row,patch")
    printed = numbers(capsys, *options, "--set", "decoding=hamming", "seed=2")
    table = read_table(flowers.read_bytes(), "flowers.csv", "kind", left_out=("row", "patch"))
    expected = run(make_scenario(decoding="hamming", seed=2), table=table)
    assert printed["classes"] == ["setosa", "versicolor", "virginica"]
    for part, outcome in (("train", expected.train), ("test", expected.test)):
        assert (printed[part]["points"], printed[part]["wrong"]) == (outcome.rows.size, outcome.n_wrong)
    assert printed["data"] == "flowers.csv"
    about = {"data": "flowers.csv", "label": "kind", "test": None, "left_out": ["row", "patch"]}
    assert printed["files"] == about
    assert printed["scenario"]["data"] == "upload" and printed["scenario"]["decoding"] == "hamming"
    kept = {path.name.removesuffix("-wal").removesuffix("-shm") for path in fresh_home.rglob("*")}
    assert home() == fresh_home and kept == {flowers.name, "runs.sqlite3"}  # of the table, its numbers only


def test_the_printed_scenario_names_the_content(capsys, flowers):
    options = ("--data", str(flowers), "--label", "kind")
    first, again, other = (
        numbers(capsys, *options, *more)["scenario"]["data.digest"]
        for more in ((), ("--leave-out", "row"), ("--leave-out", "patch"))
    )
    assert first == again != other


def test_a_file_starts_as_in_the_app_unless_something_else_is_chosen(capsys, flowers):
    options = ("--data", str(flowers), "--label", "kind")
    printed = numbers(capsys, *options)
    own = {"preparation": "standardise", "coding": "one-vs-one"}
    assert {**printed["scenario"], "data.digest": ""} == {
        "v": "1",
        "data": "upload",
        "data.digest": "",
        **own,
    }
    assert printed["files"]["left_out"] == ["row"]
    table = read_table(flowers.read_bytes(), "flowers.csv", "kind")
    assert "row" not in table.features
    expected = run(make_scenario(**own), table=table)
    assert (printed["test"]["wrong"], printed["train"]["wrong"]) == (
        expected.test.n_wrong,
        expected.train.n_wrong,
    )
    chosen = numbers(capsys, *options, "--set", "coding=dense-random", "machine.gamma=2")["scenario"]
    assert (chosen["coding"], chosen["machine.gamma"], chosen["preparation"]) == (
        "dense-random", "2.0", "standardise",
    )  # fmt: skip
    usual = numbers(capsys, "?v=1", *options)["scenario"]  # a link without them means the defaults
    assert "coding" not in usual and "preparation" not in usual


def test_the_text_names_the_file(capsys, flowers):
    _, out, _ = call(capsys, "run", "--data", str(flowers), "--label", "kind")
    assert out.splitlines()[0] == "data            flowers.csv (label kind)"
    assert "flowers.csv, One-vs-one, Likelihood" in call(capsys, "runs", "list")[1]
    told = "row has a different value in every row, so it is left out; --leave-out names other columns, or ''"
    assert told in out and "Columns left out: row." in out
    _, out, _ = call(capsys, "run", "--data", str(flowers), "--label", "kind", "--leave-out", "")
    assert told not in out and "left out" not in out


def test_a_second_file_is_the_test_part(capsys, flowers, tmp_path):
    rows = flowers.read_text("utf-8").splitlines()
    shuffled = np.random.default_rng(0).permutation(rows[1:]).tolist()
    for name, part in (("a.csv", shuffled[:100]), ("b.csv", shuffled[100:])):
        (tmp_path / name).write_text("\n".join([rows[0], *part]), "utf-8")
    options = ["--data", str(tmp_path / "a.csv"), "--test", str(tmp_path / "b.csv"), "--label", "kind"]
    printed = numbers(capsys, *options)
    assert (printed["train"]["points"], printed["test"]["points"]) == (100, 50)
    assert printed["scenario"]["split"] == "own"
    assert printed["files"]["test"] == "b.csv"
    asked = numbers(capsys, *options, "--set", "split=hold-out", "split.test_share=0.3")
    assert asked["test"]["points"] == pytest.approx(45, abs=2)
    _, out, _ = call(capsys, "run", *options)
    assert "a.csv (label kind, test rows of b.csv)" in out


def test_it_takes_the_place_of_a_scenarios_data(capsys, flowers, tmp_path):
    scenario = make_scenario(data="glass", coding="one-vs-one", seed=5)
    file = tmp_path / "experiment.toml"
    file.write_text(scenario.to_toml(), "utf-8")
    printed = numbers(capsys, str(file), "--data", str(flowers), "--label", "kind")
    assert (printed["n_classes"], printed["scenario"]["coding"], printed["scenario"]["seed"]) == (
        3,
        "one-vs-one",
        "5",
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--label", "kind"), "--label goes with --data FILE"),
        (("--leave-out", "row"), "--leave-out goes with --data FILE"),
        (("--test", "b.csv"), "--test goes with --data FILE"),
        (("--data", "{}", "--set", "data=iris"), "leave data= out of --set"),
        (("--data", "{}", "--set", "data.digest=0"), "leave data= out of --set"),
        (("--data", "{}", "--label", "kin"), "has no column 'kin'; did you mean 'kind'?"),
        (("--data", "{}", "--label", "teapot"), "There is no column 'teapot' for the label"),
        (("--data", "{}", "--leave-out", "rows"), "has no column 'rows'; did you mean 'row'?"),
        (("--data", "{}", "--label", "kind", "--leave-out", "kind"), "cannot be left out"),
        (("--data", "none.csv"), "none.csv cannot be read: No such file"),
        (("--data", "{}", "--test", "none.csv"), "none.csv cannot be read: No such file"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(capsys, flowers, options, sentence):
    assert sentence in refused(capsys, "run", *(option.format(flowers) for option in options))


def test_a_file_too_large_is_not_even_read(capsys, flowers, monkeypatch):
    monkeypatch.setenv("ECOCVIZ_MAX_FILE_BYTES", "100")
    assert "at most 100 are accepted" in refused(capsys, "run", "--data", str(flowers))


# what was meant ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("coding=one-vs-al", "Did you mean coding=one-vs-all? `ecocviz list coding` shows them all."),
        ("coding=One-Vs-All", "Did you mean coding=one-vs-all?"),
        ("coding=hamming", "Did you mean decoding=hamming?"),
        ("coding=teapot", "`ecocviz list coding` shows what can be chosen."),
        ("codng=decoc", "Did you mean coding? A scenario has data, preparation,"),
        ("decoder=hamming", "Did you mean decoding?"),
        ("gamma=0.5", "Did you mean machine.gamma?"),
        (
            "colour=red",
            "A scenario has data, preparation, split, coding, machine, reduction, decoding, rejecting, seed.",
        ),
        ("machine.gama=1", "Did you mean machine.gamma? `ecocviz list machine` shows all parameters."),
        ("machine.teapot=1", "machine=kernel has kernel, gamma, "),
        ("coding.n_bits=4", "coding=one-vs-all has no parameters"),
        (
            "machine.kernel=rfb",
            "Kernel is one of rbf, linear, poly, not 'rfb'. Did you mean machine.kernel=rbf?",
        ),
        ("machine.gamma=scal", "Did you mean machine.gamma=scale?"),
        ("machine.gamma=1e99", "takes a number from 1e-06 to 1e+06 or 'scale', not '1e99'"),
        ("seed=-1", "Seed takes a whole number from 0 to 2147483647, not -1."),
    ],
)
def test_a_slip_of_the_keys_is_told_what_was_meant(capsys, setting, sentence):
    assert sentence in refused(capsys, "run", "--set", setting)


def test_a_file_with_a_slip_is_told_too(capsys, tmp_path):
    file = tmp_path / "experiment.toml"
    file.write_text('[coding]\nkey = "one-vs-oen"\n[machine]\ngamma = 1e99\n', "utf-8")
    sentence = refused(capsys, "run", str(file))
    assert "Did you mean coding=one-vs-one?" in sentence
    assert "takes a number from 1e-06 to 1e+06" in sentence


PARAMS = [
    (slot, key, param) for slot in SLOTS for key, entry in SLOTS[slot].items() for param in entry.params
]


@pytest.mark.parametrize(("slot", "key", "param"), PARAMS, ids=[f"{s}={k}.{p.name}" for s, k, p in PARAMS])
def test_every_parameter_tells_what_it_takes(capsys, slot, key, param):
    wrong = {IntParam: "9" * 15, FloatParam: "1e300", ChoiceParam: "teapot"}.get(type(param), "~")
    sentence = refused(capsys, "run", "--set", f"{slot}={key}", f"{slot}.{param.name}={wrong}")
    if isinstance(param, IntParam | FloatParam):
        assert (
            f"from {param.low:g} to {param.high:g}" in sentence or f"{param.low} to {param.high}" in sentence
        )
    elif isinstance(param, ChoiceParam):
        assert ", ".join(word for word, _ in param.options) in sentence
    else:
        assert f"{param.label} is not readable" in sentence


# help --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [(), ("run",)])
def test_the_examples_of_the_help_are_commands(capsys, command):
    with pytest.raises(SystemExit) as stop:
        cli.main([*command, "--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out.partition("\nexamples:\n")[2].partition("\n\n")[0]
    lines = [line.strip().split("   ")[0].split() for line in shown.splitlines()]
    assert len(lines) >= 4
    for name, *arguments in lines:
        assert name == "ecocviz"
        cli._parser().parse_args(arguments)


# points left undecided -----------------------------------------------------------------------------------


def test_what_is_left_undecided_is_printed_beside_the_error(capsys):
    asked = ("--set", "data=wine", "decoding=hamming", "rejecting=syndrome")
    expected = run(make_scenario(data="wine", decoding="hamming", rejecting="syndrome")).test
    printed, decided = numbers(capsys, *asked)["test"], expected.decided
    assert decided.n_rejected > 0
    assert printed == {
        "points": expected.n,
        "wrong": expected.n_wrong,
        "error": expected.error,
        "undecided": decided.n_rejected,
        "decided_wrong": decided.n_wrong,
        "decided_error": decided.error,
    }
    status, out, _ = call(capsys, "run", *asked)
    (line,) = [line for line in out.splitlines() if line.startswith("test error")]
    assert status == 0
    assert f"; {100 * decided.share:.1f} % left undecided ({decided.n_rejected:g} of {expected.n})" in line
    assert f"{100 * decided.error:.1f} % of the others wrong" in line
    assert "rejecting       Rejects by syndrome" in out
    assert numbers(capsys, "--set", "data=wine", "decoding=hamming")["test"].keys() == {
        "points",
        "wrong",
        "error",
    }
    assert "Did you mean rejecting=margin?" in refused(capsys, "run", "--set", "rejecting=margins")
