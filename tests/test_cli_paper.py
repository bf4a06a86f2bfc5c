"""`ecocviz paper`: what is listed, measured once, told, written, and gone on with."""

import json

import pytest
from papers_tools import KEY, MEASURED, cells, gathered, make_paper, put, refuse_two, stop_at_one
from test_cli import call, refused

from ecocviz.lab.evidence import kept, results, standing
from ecocviz.lab.evidence.entries import Cell, Setting
from ecocviz.lab.papers.liu_2016 import PAPER as LIU


@pytest.fixture(autouse=True)
def paper(fresh_home, monkeypatch):  # noqa: ARG001 - nothing is kept from before
    """Put a made-up paper in place of all others."""
    paper = make_paper()
    put(monkeypatch, paper)
    return paper


def told(capsys, *arguments, status=0):
    """Measure here; return what a program is told, and what a person is."""
    found, out, err = call(capsys, "paper", *arguments, "--workers", "1", "--json")
    assert found == status
    return json.loads(out), err


def ships(monkeypatch, paper):
    """Let full results of the first study ship."""
    study, found = paper.studies[0], gathered(paper)
    for module in (results, standing):
        monkeypatch.setattr(module, "shipped", lambda _, asked: found if asked is study else None)
    return found


def test_each_study_is_measured_once_and_exhibits_are_judged_by_its_records(capsys):
    found, err = told(capsys, KEY)
    assert MEASURED == ["quick/0", "quick/1", "quick/2", "quick/3", "quick/0", "quick/1"]
    assert [each["exhibit"] for each in found["exhibits"]] == ["figure-1", "claim-1", "table-1"]
    figure = found["exhibits"][0]
    assert [(s["held"], s["of"], s["holds"]) for s in figure["statements"]] == [(4, 4, True), (2, 4, False)]
    assert (figure["verdict"], figure["setting"], figure["shipped"]) == ("partly", "quick", "not run")
    assert figure["command"] == f"ecocviz paper {KEY}" and figure["why"].startswith("Even numbers among 4")
    assert f"{KEY} squares: 4 cells" in err and found["failed"] == 0


def test_one_exhibit_needs_its_study_only_and_full_is_larger(capsys):
    found, _ = told(capsys, KEY, "claim-1", "--full")
    assert [f"full/{k}" for k in range(8)] == MEASURED
    assert [(each["exhibit"], each["setting"]) for each in found["exhibits"]] == [("claim-1", "full")]


def test_lines_say_claim_numbers_counts_and_verdict(capsys, monkeypatch, paper):
    ships(monkeypatch, paper)
    status, out, _ = call(capsys, "paper", KEY, "figure-1", "--workers", "1")
    lines = out.splitlines()
    assert status == 0 and sum(line.startswith(f"{KEY} squares quick/") for line in lines) == 4
    for line in (
        "  Claim: Squares are odd and large.",
        "    set 2  4.0 (4.5)  word",
        "  Beside 8 numbers that the paper prints, ours lie 0.375 away in the middle, 0.5 at most.",
        "  the square is odd: 2 of 4 (does not hold; needs 80 %)",
        "  Verdict: partly",
        "  Why: Even numbers among 4 have even squares.",
        "  Of the results that ship (full, 2026-11-19): partly",
    ):
        assert line in lines


def test_the_list_has_an_object_for_every_exhibit(capsys, monkeypatch, paper):
    shipped = ships(monkeypatch, paper)
    status, out, err = call(capsys, "paper", "--list", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "") and not MEASURED
    assert [each["exhibit"] for each in found] == ["figure-1", "claim-1", "table-1"]
    assert [each["verdict"] for each in found] == ["partly", "partly", "not run"]
    for key in ("setting", "version", "date", "command", "seconds"):
        assert found[0][key] == getattr(shipped, key)
    assert "statements" in found[0] and "statements" not in found[2]
    _, out, _ = call(capsys, "paper", KEY, "--list")
    assert out.splitlines()[0] == found[0]["name"] == "Passerini et al. 2004: squares"
    assert out.splitlines()[1].split() == [KEY, "figure-1", "partly", "1/2", "Fig.", "1:", "squares"]
    assert "not run" in out.splitlines()[3]


def test_results_of_other_cells_are_no_results(capsys, monkeypatch, paper):
    shipped = ships(monkeypatch, paper)
    study = paper.studies[0]
    assert standing.complete(study, shipped)
    fewer = results.gather(paper, study, Setting.FULL, dict(list(shipped.records.items())[:-1]), shipped.date)
    assert not standing.complete(study, fewer)
    object.__setattr__(study, "cells", lambda _: cells(Setting.QUICK))
    _, out, _ = call(capsys, "paper", "--list", "--json")
    assert {each["verdict"] for each in json.loads(out)} == {"not run"}


def test_what_could_not_be_measured_is_told_is_not_judged_and_is_the_status(capsys, monkeypatch, tmp_path):
    put(monkeypatch, make_paper(refuse_two))
    found, err = told(capsys, KEY, "--write", str(tmp_path), status=1)
    assert [each["verdict"] for each in found["exhibits"]] == ["not run", "not run", "partly"]
    assert found["failed"] == 1 and err.splitlines()[-1] == "1 cell could not be measured."
    assert [file.name for file in tmp_path.glob("*/*")] == ["times.json"]
    status, out, _ = call(capsys, "paper", KEY, "figure-1", "--workers", "1")
    assert status == 1 and "quick/2: could not be measured: Two cannot be measured." in out


def test_where_this_computer_cannot_measure_the_sentence_is_said(capsys, monkeypatch):
    paper = make_paper(needs=lambda: "A solver is missing.")
    put(monkeypatch, paper)
    ships(monkeypatch, paper)
    found, _ = told(capsys, KEY)
    assert [each["refusal"] for each in found["exhibits"]] == ["A solver is missing."] * 2 + [""]
    assert [each["shipped"] for each in found["exhibits"]] == ["partly", "partly", "not run"]
    assert MEASURED == ["quick/0", "quick/1"]


def test_written_results_are_read_again_as_what_was_measured(capsys, tmp_path, paper):
    told(capsys, KEY, "--full", "--write", str(tmp_path))
    read = results.from_json((tmp_path / KEY / "squares.json").read_text())
    assert (read.paper, read.study, read.setting) == (KEY, "squares", Setting.FULL)
    assert read.command == f"ecocviz paper {KEY} --full" and standing.complete(paper.studies[0], read)
    record = dict(read.records["full/3"])
    assert record.pop("seconds") >= 0 and record == {"square": 9, "pair": [1, 2]}


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ((), f"Name a paper, or all; there are {KEY}."),
        (("nobody-1900",), f"There is no paper 'nobody-1900'; there are {KEY}, and all."),
        ((KEY, "figure-9"), "has no exhibit 'figure-9'; name one of figure-1, claim-1, table-1."),
        (("all", "figure-1"), "all has no exhibit 'figure-1'"),
    ],
)
def test_wrong_input_is_refused(capsys, arguments, sentence):
    assert sentence in refused(capsys, "paper", *arguments)


def test_a_folder_that_cannot_be_written_is_said(capsys, tmp_path):
    (tmp_path / KEY).write_text("a file where the folder would be")
    status, _, err = call(capsys, "paper", KEY, "--workers", "1", "--write", str(tmp_path))
    assert status == 2 and "squares.json cannot be written" in err


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_measured(capsys, tmp_path):
    (tmp_path / "file").touch()
    said = refused(capsys, "paper", KEY, "--workers", "1", "--write", str(tmp_path / "file" / "results"))
    assert "Nothing can be written to" in said and not MEASURED


# What is kept ----------------------------------------------------------------------------------------


def test_measured_cells_are_not_measured_again_unless_all_are_to_be(capsys):
    first, _ = told(capsys, KEY)
    MEASURED.clear()
    again, err = told(capsys, KEY)
    assert not MEASURED and "4 cells, 4 of them measured before" in err and again == first
    told(capsys, KEY, "--fresh")
    assert len(MEASURED) == 6


def test_a_run_that_was_stopped_goes_on_where_it_was(capsys, monkeypatch):
    put(monkeypatch, make_paper(stop_at_one))
    status, _, err = call(capsys, "paper", KEY, "--workers", "1")
    assert status == 130 and "Stopped: 1 of 6 cells were measured and are kept" in err
    monkeypatch.setattr("papers_tools.STOPS", False)
    found, err = told(capsys, KEY, "figure-1")
    assert MEASURED == ["quick/0", "quick/1", "quick/2", "quick/3"]
    assert "4 cells, 1 of them measured before" in err and found["exhibits"][0]["verdict"] == "partly"


def test_only_cells_that_were_changed_are_measured_again(capsys, monkeypatch):
    told(capsys, KEY, "figure-1")
    paper = make_paper()
    changed = [*cells(Setting.QUICK)[:3], Cell("quick/3", {"k": 5})]
    object.__setattr__(paper.studies[0], "cells", lambda _: changed)
    put(monkeypatch, paper)
    _, err = told(capsys, KEY, "figure-1")
    assert MEASURED == ["quick/3"] and "4 cells, 3 of them measured before" in err


def test_other_cells_and_a_changed_measurement_are_measured_anew(capsys, monkeypatch, tmp_path):
    told(capsys, KEY, "figure-1")
    MEASURED.clear()
    told(capsys, KEY, "figure-1", "--full")
    assert len(MEASURED) == 8
    changed = tmp_path / "changed.py"
    changed.write_text("another = 'way to measure'")
    monkeypatch.setattr(kept.inspect, "getsourcefile", lambda _: str(changed))
    MEASURED.clear()
    told(capsys, KEY, "figure-1")
    assert len(MEASURED) == 4


def test_without_a_place_to_keep_them_cells_are_measured_and_it_is_said(capsys, monkeypatch, tmp_path):
    (tmp_path / "home").write_text("no folder")
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "home"))
    found, err = told(capsys, KEY)
    assert [each["verdict"] for each in found["exhibits"]] == ["partly"] * 3
    assert err.count("Runs are not kept") == 1


def test_other_processes_measure_the_same_as_this_one(capsys, monkeypatch):
    put(monkeypatch, LIU)  # other processes know the catalogue's papers only
    tiny = ("paper", "liu-2016", "figure-1", "--fresh", "--json")  # one cell of a tenth of a second
    found = []
    for workers in ("1", "2"):
        status, out, _ = call(capsys, *tiny, "--workers", workers)
        assert status == 0
        found.append(json.loads(out)["exhibits"][0])
        found[-1].pop("seconds")
    assert found[0] == found[1] and found[0]["statements"]
