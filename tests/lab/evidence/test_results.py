"""Results: measured cell by cell, judged, written and read."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st
from papers_tools import KEY, MEASURED, make_paper, put, refuse_two

import ecocviz
from ecocviz.engine.tasks import Failed
from ecocviz.lab.evidence import results
from ecocviz.lab.evidence.entries import Cell, Setting, Word
from ecocviz.lab.evidence.results import Results, digest, find_study, from_json, gather, measured, to_json


def measure_all(paper, setting=Setting.QUICK, executor=None):
    study = paper.studies[0]
    return {
        cell.key: record
        for cell, record in results.measure(paper, study, study.cells(setting), executor=executor)
    }


def made(paper, setting=Setting.QUICK):
    return gather(paper, paper.studies[0], setting, measure_all(paper, setting), "2026-01-02")


@pytest.fixture
def paper(monkeypatch):
    paper = make_paper()
    put(monkeypatch, paper)
    return paper


@pytest.mark.parametrize("spread", [False, True])
def test_every_cell_is_measured_and_timed(paper, spread):
    with ThreadPoolExecutor(2) as executor:
        found = measure_all(paper, executor=executor if spread else None)
    assert {key: record["square"] for key, record in found.items()} == {f"quick/{k}": k * k for k in range(4)}
    for record in found.values():
        assert record["seconds"] >= 0
        assert record["pair"] == [1, 2]  # as whoever reads the file will have it


def test_a_cell_that_fails_says_why_and_the_others_go_on(monkeypatch):
    paper = make_paper(refuse_two)
    put(monkeypatch, paper)
    found = measure_all(paper)
    assert found.pop("quick/2") == Failed("Two cannot be measured.")
    assert [record["square"] for record in found.values()] == [0, 0, 0]


def test_times_are_measured_here_whatever_the_executor(monkeypatch):
    paper = make_paper(timed=True)
    put(monkeypatch, paper)

    class Nobody(ThreadPoolExecutor):
        def submit(self, *_args, **_kwargs):
            raise AssertionError("a time was measured elsewhere")

    study = paper.studies[1]
    list(results.measure(paper, study, study.cells(Setting.QUICK), executor=Nobody()))
    assert MEASURED == ["quick/0", "quick/1"]


def test_results_know_their_cells_version_and_command(paper):
    quick, full = made(paper), made(paper, Setting.FULL)
    assert (quick.paper, quick.study, quick.version) == (KEY, "squares", ecocviz.__version__)
    assert (quick.command, full.command) == (f"ecocviz paper {KEY}", f"ecocviz paper {KEY} --full")
    assert len(quick.records) == 4
    assert len(full.records) == 8
    assert quick.cells != full.cells
    assert quick.seconds == pytest.approx(sum(r["seconds"] for r in quick.records.values()), abs=0.06)


def test_records_are_put_in_the_order_of_the_cells_and_strangers_left_out(paper):
    study = paper.studies[0]
    records = {"quick/3": {"square": 9}, "stranger": {"square": 0}, "quick/1": {"square": 1}}
    found = gather(paper, study, Setting.QUICK, records, "2026-01-02")
    assert list(found.records) == ["quick/1", "quick/3"]
    assert [(m.cell.about["k"], m.record["square"]) for m in measured(study, found)] == [(1, 1), (3, 9)]


def test_a_verdict_counts_what_was_measured(paper):
    found = results.verdict(paper.exhibits[0], made(paper))
    assert found.word is Word.PARTLY
    assert [(s.held, s.of) for s in found.statements] == [(4, 4), (2, 4)]
    assert found.why == "Even numbers among 4 have even squares."


def test_a_digest_tells_cells_apart():
    one = Cell("a", {"x": 1, "y": [2.5]})
    assert digest([one]) == digest([Cell("a", {"y": [2.5], "x": 1})])
    others = [[], [Cell("b", one.about)], [Cell("a", {"x": 2, "y": [2.5]})], [one, one]]
    assert len({digest(cells) for cells in [[one], *others]}) == 5


leaves = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text()
leaves |= st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    leaves, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(), v, max_size=3), max_leaves=6
)


@given(
    st.dictionaries(st.text(), st.dictionaries(st.text(), values, max_size=4), max_size=4),
    st.sampled_from(Setting),
)
def test_results_are_read_as_they_were_written(records, setting):
    about = {"paper": "p", "study": "s", "version": "1.0", "date": "2026-01-02", "cells": "abc"}
    command = "ecocviz paper p — γ"
    before = Results(**about, setting=setting, command=command, seconds=1.5, records=records)
    text = to_json(before)
    assert from_json(text) == before
    assert json.loads(text)["setting"] == setting.value
    assert text.count("\n") == 12 + max(len(records), 1)  # a record a line


def test_what_ships_is_found_by_paper_and_study(paper, monkeypatch, tmp_path):
    study = paper.studies[0]
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    assert results.shipped(paper, study) is None
    folder = tmp_path / "results" / KEY
    folder.mkdir(parents=True)
    found = made(paper)
    (folder / "squares.json").write_text(to_json(found), encoding="utf-8")
    assert results.shipped(paper, study) == found
    assert results.shipped(paper, paper.studies[1]) is None


def test_studies_are_found_by_the_keys(paper):
    assert find_study(KEY, "times") is paper.studies[1]
    assert replace(paper.studies[1], timed=True) != paper.studies[1]
