"""`ecocviz runs`: what was computed, listed, shown, exported and deleted."""

import io
import json
from itertools import filterfalse

import pandas as pd
import pytest
from test_cli import call, refused

from ecocviz import cli, cli_runs
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.store import open_store
from ecocviz.lab.store_about import key_of
from ecocviz.lab.store_looks import known_errors, points_of_runs

SCENARIO = make_scenario(data="glass", decoding="hamming")
FOUND = {"test": {"points": 3, "wrong": 1, "error": 1 / 3}, "bound": {"refused": "It has none."}}
OVER = {"machine.gamma": ["0.5", "1.0"], "seed": ["0"]}
SWEEP = {"scenario": make_scenario(data="iris").to_flat(), "over": OVER, "measures": ["test"]}


@pytest.fixture
def store(fresh_home):
    assert not [*fresh_home.iterdir()]
    found = open_store()
    yield found
    found.close()


@pytest.fixture
def three(store):
    """A scenario, a sweep that was stopped, a study of a paper."""
    run = store.keep(SCENARIO, FOUND, 1.25)
    sweep = store.begin("sweep", "Iris over machine.gamma, seed", SWEEP, 2)
    point = make_scenario(data="iris", machine=("kernel", {"gamma": 0.5})).to_flat()
    store.add(sweep, "a", {"scenario": point, "test": {"points": 45, "wrong": 9, "error": 0.2}})
    store.end(sweep, "stopped")
    paper = store.begin("paper", "Decoders", {"paper": "p", "study": "s", "setting": "quick"}, 1)
    store.add(paper, "glass/3", {"errors": [1, 2], "seconds": 0.5})
    store.end(paper, "done")
    store.rename(paper, "For the lecture")
    store.pin(paper)
    return run, sweep, paper


def listed(capsys, *filters):
    status, out, err = call(capsys, "runs", "list", *filters, "--json")
    assert (status, err) == (0, "")
    return [each["id"] for each in json.loads(out)]


def shown(capsys, number):
    status, out, _ = call(capsys, "runs", "show", str(number), "--json")
    assert status == 0
    return json.loads(out)


# list ------------------------------------------------------------------------------------------------


def test_the_list_says_what_was_computed_the_last_first(capsys, three):
    status, out, err = call(capsys, "runs", "list")
    lines = out.splitlines()
    assert (status, err) == (0, "") and len(lines) == 4
    assert lines[0].split() == ["run", "when", "kind", "state", "points", "what"]
    assert lines[1].startswith(f"{three[2]}* ") and lines[1].endswith("1 of 1  For the lecture (Decoders)")
    assert "sweep  stopped  1 of 2  Iris over machine.gamma, seed" in lines[2]
    assert "run    done     2 of 2  Glass, One-vs-all, Hamming" in lines[3]


def test_the_list_is_narrowed(capsys, store, three):
    run, sweep, paper = three
    assert listed(capsys) == [paper, sweep, run]
    assert listed(capsys, "--kind", "sweep") == [sweep] == listed(capsys, "--data", "iris")
    assert listed(capsys, "--text", "LECTURE for") == [paper] == listed(capsys, "--pinned")
    assert listed(capsys, "--last", "2") == [paper, sweep]
    assert listed(capsys, "--kind", "run", "--data", "iris") == []
    shown = [store.begin("run", f"Shown {k}", {"k": k}, 1, "", "bits", recent=True) for k in (1, 2)]
    assert listed(capsys, "--recent") == shown[::-1] and listed(capsys, "--kept") == [*reversed(three)]
    assert call(capsys, "runs", "export", "--all")[0] == 0
    assert listed(capsys) == [*reversed(shown), *reversed(three)] != listed(capsys, "--kept")
    assert call(capsys, "runs", "export", str(shown[0]))[0] == 0  # somebody wants this one
    assert call(capsys, "runs", "delete", "--recent", "--all")[1] == "Deleted 1 run.\n"
    assert listed(capsys, "--kept") == [shown[0], *reversed(three)]


def test_an_empty_list_says_so(capsys, store):
    assert call(capsys, "runs", "list") == (0, "", "No run is kept.\n")
    store.keep(SCENARIO, FOUND, 1.0)
    assert call(capsys, "runs", "list", "--data", "iris") == (0, "", "No run is like that.\n")


# show ------------------------------------------------------------------------------------------------


def test_a_scenario_is_shown_with_its_errors(capsys, three):
    _, out, _ = call(capsys, "runs", "show", str(three[0]))
    assert "scenario  data=glass; decoding=hamming; v=1" in out
    assert out.endswith("\n\ntest 33.33 % (1 of 3)\nbound unknown (It has none.)\n")
    found = shown(capsys, three[0])
    assert found["points"] == FOUND and found["about"] == {"scenario": SCENARIO.to_flat()}
    assert found["seconds"] == 1.25 and "owner" not in found


def test_a_sweep_is_shown_by_what_was_swept(capsys, store, three):
    store.add(three[1], "b", {"scenario": {"v": "1"}, "failed": "It cannot be."})
    store.add(three[1], "c", {"scenario": {"v": "9", "old": "x"}, "test": {"refused": "No."}})
    _, out, _ = call(capsys, "runs", "show", str(three[1]))
    assert "over      machine.gamma=0.5, 1.0; seed=0\n" in out
    assert out.endswith(
        "\n\nmachine.gamma=0.5 seed=0  test 20.00 % (9 of 45)\nmachine.gamma=scale seed=0  It cannot be.\n"
        "v=9 old=x  test unknown (No.)\n"
    )


def test_a_paper_is_shown_cell_by_cell(capsys, three):
    _, out, _ = call(capsys, "runs", "show", str(three[2]))
    assert out.endswith("\n\nglass/3  errors=1, 2; seconds=0.5\n")
    assert f"run      {three[2]}, pinned\nwhat     For the lecture (Decoders)\n" in out


def test_unknown_numbers_are_answered_with_those_that_there_are(capsys, three, store):
    for act in ("show", "delete", "export"):
        said = refused(capsys, "runs", act, "99")
        assert "There is no run 99; it may have been deleted." in said and "Runs 1 to 3 are there." in said
    store.delete(three)
    assert "No run is kept yet." in refused(capsys, "runs", "show", "1")
    with pytest.raises(SystemExit) as ended:
        call(capsys, "runs", "show", "latest")
    assert ended.value.code == 2
    assert "a run has a number such as 12, not 'latest'" in capsys.readouterr().err


def test_without_an_act_the_acts_are_named(capsys):
    with pytest.raises(SystemExit) as ended:
        call(capsys, "runs")
    assert ended.value.code == 2 and "ACT" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        call(capsys, "runs", "export", "--help")
    assert ended.value.code == 0 and "ecocviz runs export 12 13 --out points.csv" in capsys.readouterr().out


# delete ----------------------------------------------------------------------------------------------


def test_runs_are_deleted_by_number_or_by_what_they_are(capsys, three, store):
    run, sweep, paper = three
    assert "Name runs by their numbers, or choose them with --all" in refused(capsys, "runs", "delete")
    for wrong in (("1", "--all"), ("--kind", "run"), ("1", "--data", "glass")):
        assert "--all" in refused(capsys, "runs", "delete", *wrong)
    assert "There is no run 99" in refused(capsys, "runs", "delete", str(run), "99")
    assert len(store.runs()) == 3
    assert call(capsys, "runs", "delete", str(sweep), str(sweep))[:2] == (0, "Deleted 1 run.\n")
    assert call(capsys, "runs", "delete", "--all")[1] == "Deleted 1 run.\n"
    assert [each.id for each in store.runs()] == [paper]  # pinned
    assert call(capsys, "runs", "delete", "--all", "--pinned")[1] == "Deleted 1 run.\n"
    assert store.runs() == []


# Damage and hostile names ----------------------------------------------------------------------------


@pytest.mark.parametrize("broken", ['{"scenario": {"v"', "[]", "[" * 200_000], ids=["cut", "list", "deep"])
def test_a_damaged_row_is_said_and_hides_no_other(capsys, store, three, broken):
    run, sweep, paper = three
    change = (
        "UPDATE runs SET about = ? WHERE id = ?",
        "UPDATE points SET record = ? WHERE run = ? AND key = 'test'",
    )
    for query, number in zip(change, (sweep, run), strict=True):
        store.look(lambda db, query=query, number=number: db.execute(query, (broken, number)))
    told = "Part of these runs is damaged and left out; it stays until they are deleted: {}.\n".format
    status, out, err = call(capsys, "runs", "list", "--json")
    assert (status, err, [each["id"] for each in json.loads(out)]) == (0, told(sweep), [paper, sweep, run])
    assert call(capsys, "runs", "list", "--text", "iris over")[0] == 0
    status, out, err = call(capsys, "runs", "show", str(run), "--json")
    assert (status, err, list(json.loads(out)["points"])) == (0, told(run), ["bound"])
    for number in three:
        assert call(capsys, "runs", "show", str(number))[0] == 0
    for kind in ("csv", "json"):
        status, out, err = call(capsys, "runs", "export", "--all", "--format", kind)
        assert (status, err) == (0, told(f"{sweep}, {run}")) and "0.2" in out
    assert call(capsys, "runs", "report", "--all", "--over", "decoding")[0] == 0
    assert known_errors(store, None) == [] and list(points_of_runs(store, [run])[run]) == ["bound"]
    assert store.begin("sweep", "Iris", SWEEP, 2) == sweep
    assert store.find(sweep).about == SWEEP  # whoever computes the same again mends it
    assert call(capsys, "runs", "delete", str(run), str(sweep))[0] == 0
    assert listed(capsys) == [paper]


def test_a_name_does_not_steer_the_terminal_and_stays_as_it_is_in_json(capsys, store, three):
    name = "a\N{RIGHT-TO-LEFT OVERRIDE}b\x9b31m"
    values = name, "\x1b]0;me\x07", three[0]
    store.look(lambda db: db.execute("UPDATE runs SET name = ?, title = ? WHERE id = ?", values))
    for act in (("list",), ("show", str(three[0]))):
        _, out, _ = call(capsys, "runs", *act)
        assert "a\\u202eb\\u009b31m (\\u001b]0;me\\u0007)" in out
        assert out.isprintable() or set(filterfalse(str.isprintable, out)) == {"\n"}
    _, out, _ = call(capsys, "runs", "show", str(three[0]), "--json")
    assert json.loads(out)["name"] == name and not {*name, "\x1b"} & set(out) - set("ab31m")


# export ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_exports_go_to_a_file_of_any_kind(capsys, tmp_path, three, kind):
    for options in (("--out", str(tmp_path / f"a.{kind}")), ("--out", str(tmp_path / "b"), "--format", kind)):
        status, out, err = call(capsys, "runs", "export", "--all", *options)
        assert (status, out, err) == (0, "", f"Wrote 3 runs to {options[1]}.\n")
    content = (tmp_path / f"a.{kind}").read_bytes()
    assert content == (tmp_path / "b").read_bytes()
    if kind == "json":
        assert [each["id"] for each in json.loads(content)] == [*reversed(three)]
    else:
        read = {"csv": pd.read_csv, "parquet": pd.read_parquet}[kind](io.BytesIO(content))
        assert list(read["run"]) == [three[2], three[1], three[0], three[0]]
        assert list(read["error"].dropna()) == [1 / 3]


def test_exports_are_printed_else(capfdbinary, three):
    assert cli.main(["runs", "export", str(three[0])]) == 0
    assert capfdbinary.readouterr().out.startswith(b"run,kind,title,name,state,")
    assert cli.main(["runs", "export", str(three[0]), "--format", "parquet"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"PAR1")


def test_a_place_that_cannot_be_written_is_said(capsys, three, tmp_path):
    said = refused(capsys, "runs", "export", str(three[0]), "--out", str(tmp_path / "no" / "where.csv"))
    assert "where.csv cannot be written: No such file or directory." in said


@pytest.mark.usefixtures("three")
def test_a_name_that_ends_as_no_format_is_refused(capsys, tmp_path):
    assert "ends as none of csv, json, parquet" in refused(
        capsys, "runs", "export", "--all", "--out", str(tmp_path / "runs.xlsx")
    )
    assert not list(tmp_path.glob("*.xlsx"))


# report ----------------------------------------------------------------------------------------------


def test_a_report_is_written_by_a_program_of_its_own(capsys, tmp_path, store, three):
    for k, gamma in enumerate((0.1, 1.0)):
        point = make_scenario(data="iris", machine=("kernel", {"gamma": gamma}))
        error = {"points": 45, "wrong": 8 + k, "error": (8 + k) / 45}
        store.add(three[1], key_of(point), {"scenario": point.to_flat(), "test": error})
    out = tmp_path / "report.html"
    status, printed, err = call(
        capsys, "runs", "report", "--all", "--out", str(out), "--base", "http://a.example:85/bits"
    )
    assert (status, printed, err) == (0, "", f"Wrote 3 runs to {out}.\n")
    text = out.read_text(encoding="utf-8")
    for said in (
        "ecocviz: 3 runs",
        "33.3 % (1 of 3)",
        "20.0 % (9 of 45)",
        "For the lecture",
        "<svg",
        "</html>",
    ):
        assert said in text, said
    assert f'href="http://a.example:85/?{SCENARIO.to_query().replace("&", "&#38;")}"' in text


@pytest.mark.usefixtures("three")
def test_what_is_wrong_with_a_report_is_said(capsys, monkeypatch, tmp_path):
    assert "Name runs by their numbers, or choose them" in refused(capsys, "runs", "report")
    assert "--base is where the app is" in refused(capsys, "runs", "report", "1", "--base", "nowhere")
    assert "There is no run 99" in refused(capsys, "runs", "report", "99")
    out = str(tmp_path / "no" / "report.html")
    assert "report.html cannot be written" in refused(capsys, "runs", "report", "1", "--out", out)
    monkeypatch.setattr(cli_runs, "REPORT", ("-c", "import sys; sys.exit('It fell over.')"))
    with pytest.raises(SystemExit) as ended:
        call(capsys, "runs", "report", "1")
    assert ended.value.code == 1 and "It fell over." in capsys.readouterr().err
    monkeypatch.setattr(cli_runs, "REPORT", ("-c", "import sys; sys.stderr.write('Too many.'); sys.exit(2)"))
    assert "Too many." in refused(capsys, "runs", "report", "1")


# The store itself ------------------------------------------------------------------------------------


def test_a_store_that_cannot_be_opened_is_one_sentence(capsys, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "file"))
    assert "Runs are not kept: the data folder is a file" in refused(capsys, "runs", "list")


def test_a_damaged_store_is_set_aside_and_said(capsys, fresh_home):
    (fresh_home / "runs.sqlite3").write_bytes(b"no database at all" * 100)
    status, out, err = call(capsys, "runs", "list")
    assert (status, out) == (0, "") and err.startswith("The store of runs was damaged. It was set aside as ")
    open_store().close()


def test_run_keeps_its_numbers_unless_it_is_told_not_to(capsys, store):
    _, out, _ = call(capsys, "run", "--set", "data=iris", "--json")
    printed = json.loads(out)
    found = shown(capsys, printed["run"])
    assert found["about"]["scenario"] == printed["scenario"]
    assert found["points"] == {part: printed[part] for part in ("test", "train")}
    _, out, _ = call(capsys, "run", "--set", "data=iris")
    assert out.splitlines()[-1] == f"kept as         run {printed['run']}"
    _, out, _ = call(capsys, "run", "--set", "data=glass", "--no-store", "--json")
    assert json.loads(out)["run"] is None and len(store.runs()) == 1


def test_a_name_steers_no_terminal(capsys, three, store):
    store.rename(three[0], "a\x1b[31m\x9b2Jb\tc 😀\n<b>")
    assert store.find(three[0]).name == "a [31m 2Jb c 😀 <b>"
    _, out, _ = call(capsys, "runs", "list", "--kind", "run")
    assert "a [31m 2Jb c 😀 <b> (" in out and "\x1b" not in out
