"""`ecocviz paper`: what is listed, measured once, told, written, and gone on with."""

import json

import pytest
from papers_tools import KEY, MEASURED, cells, make_paper, put, refuse_two, square
from test_cli import call, refused

from ecocviz.lab.evidence import results, standing
from ecocviz.lab.evidence.entries import Setting


def told(capsys, *arguments, status=0):
    """Measure here; return what a program is told, and what a person is."""
    found, out, err = call(capsys, "paper", *arguments, "--workers", "1", "--json")
    assert found == status
    return json.loads(out), err


def ships(monkeypatch, paper):
    """Let full results of the first study ship."""
    study = paper.studies[0]
    records = {cell.key: {"square": cell.about["k"] ** 2} for cell in cells(Setting.FULL)}
    kept = results.gather(paper, study, Setting.FULL, records, "2026-11-19")
    for module in (results, standing):
        monkeypatch.setattr(module, "shipped", lambda _, asked: kept if asked is study else None)
    return kept


def test_each_study_is_measured_once_and_exhibits_are_judged_by_its_records(capsys, monkeypatch):
    put(monkeypatch, make_paper())
    found, err = told(capsys, KEY)
    assert MEASURED == ["quick/0", "quick/1", "quick/2", "quick/3", "quick/0", "quick/1"]
    assert [each["exhibit"] for each in found["exhibits"]] == ["figure-1", "claim-1", "table-1"]
    figure = found["exhibits"][0]
    assert [(s["held"], s["of"], s["holds"]) for s in figure["statements"]] == [(4, 4, True), (2, 4, False)]
    assert (figure["verdict"], figure["setting"], figure["shipped"]) == ("partly", "quick", "not run")
    assert figure["command"] == f"ecocviz paper {KEY}" and figure["why"].startswith("Even numbers among 4")
    assert f"{KEY} squares: 4 cells" in err and found["failed"] == 0


def test_one_exhibit_needs_its_study_only_and_full_is_larger(capsys, monkeypatch):
    put(monkeypatch, make_paper())
    found, _ = told(capsys, KEY, "claim-1", "--full")
    assert [f"full/{k}" for k in range(8)] == MEASURED
    assert [(each["exhibit"], each["setting"]) for each in found["exhibits"]] == [("claim-1", "full")]


def test_lines_say_claim_numbers_counts_and_verdict(capsys, monkeypatch):
    paper = make_paper()
    put(monkeypatch, paper)
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


def test_the_list_has_an_object_for_every_exhibit(capsys, monkeypatch):
    paper = make_paper()
    put(monkeypatch, paper)
    kept = ships(monkeypatch, paper)
    status, out, err = call(capsys, "paper", "--list", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "") and not MEASURED
    assert [(each["exhibit"], each["verdict"]) for each in found] == [
        ("figure-1", "partly"),
        ("claim-1", "partly"),
        ("table-1", "not run"),
    ]
    assert {key: found[0][key] for key in ("setting", "version", "date", "command", "seconds")} == {
        key: getattr(kept, key) for key in ("setting", "version", "date", "command", "seconds")
    }
    assert "statements" in found[0] and "statements" not in found[2]
    _, out, _ = call(capsys, "paper", KEY, "--list")
    assert out.splitlines()[0].split() == [KEY, "figure-1", "partly", "1/2", "Fig.", "1:", "squares"]
    assert "not run" in out.splitlines()[2]


def test_results_of_other_cells_are_no_results(capsys, monkeypatch):
    paper = make_paper()
    put(monkeypatch, paper)
    kept = ships(monkeypatch, paper)
    study = paper.studies[0]
    assert standing.complete(study, kept)
    fewer = results.gather(paper, study, Setting.FULL, dict(list(kept.records.items())[:-1]), kept.date)
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


def test_written_results_are_read_again_as_what_was_measured(capsys, monkeypatch, tmp_path):
    paper = make_paper()
    put(monkeypatch, paper)
    told(capsys, KEY, "--full", "--write", str(tmp_path))
    read = results.from_json((tmp_path / KEY / "squares.json").read_text())
    assert (read.paper, read.study, read.setting) == (KEY, "squares", Setting.FULL)
    assert read.command == f"ecocviz paper {KEY} --full" and standing.complete(paper.studies[0], read)
    record = dict(read.records["full/3"])
    assert record.pop("seconds") >= 0 and record == {"square": 9, "pair": [1, 2]}


def test_stopped_is_its_own_status(capsys, monkeypatch):
    def stop(cell, progress):
        if cell.about["k"] == 1:
            raise KeyboardInterrupt
        return square(cell, progress)

    put(monkeypatch, make_paper(stop))
    status, _, err = call(capsys, "paper", KEY, "--workers", "1")
    assert status == 130 and "Stopped: 1 of 6 cells were measured" in err


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ((), f"Name a paper, or all; there are {KEY}."),
        (("nobody-1900",), f"There is no paper 'nobody-1900'; there are {KEY}, and all."),
        ((KEY, "figure-9"), "has no exhibit 'figure-9'; name one of figure-1, claim-1, table-1."),
        (("all", "figure-1"), "all has no exhibit 'figure-1'"),
    ],
)
def test_wrong_input_is_refused(capsys, monkeypatch, arguments, sentence):
    put(monkeypatch, make_paper())
    assert sentence in refused(capsys, "paper", *arguments)


def test_a_folder_that_cannot_be_written_is_said(capsys, monkeypatch, tmp_path):
    put(monkeypatch, make_paper())
    (tmp_path / KEY).write_text("a file where the folder would be")
    status, _, err = call(capsys, "paper", KEY, "--workers", "1", "--write", str(tmp_path))
    assert status == 2 and "squares.json cannot be written" in err
