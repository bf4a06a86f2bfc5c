"""Which exhibit is shown, what is drawn of whole and of partial results, what a measurement depends on."""

import dataclasses

from papers_tools import KEY, cells, make_paper, put

from ecocviz.lab.evidence import results
from ecocviz.lab.evidence.catalogue import PAPERS
from ecocviz.lab.evidence.entries import Setting
from ecocviz.lab.evidence.standing import Standing
from ecocviz.views.papers.facts import (
    SELECTION,
    all_standings,
    chosen,
    content_of,
    draw_exhibit,
    here_results,
    job_key,
    stand_here,
)


def records(n):
    return {cell.key: {"square": cell.about["k"] ** 2, "seconds": 0.5} for cell in cells(Setting.QUICK)[:n]}


def test_every_key_of_the_catalogue_fits_into_a_link():
    paper, exhibit, _ = SELECTION
    for found in PAPERS.values():
        assert paper.check(found.key) == found.key
        assert [exhibit.check(each.key) for each in found.exhibits]


def test_the_first_is_shown_unless_a_link_names_another(monkeypatch):
    other = dataclasses.replace(make_paper(), key="other-2000")
    put(monkeypatch, make_paper(), other)
    stands = all_standings(results.PAPERS)
    assert chosen(stands, "", "") is stands[0]
    assert chosen(stands, "other-2000", "claim-1") is stands[4]
    assert chosen(stands, "other-2000", "nothing") is stands[3]
    assert chosen(stands, "nobody", "table-1") is stands[2]
    assert chosen((), "", "") is None


def test_what_was_measured_here_is_judged_only_when_all_cells_are_there():
    paper = make_paper()
    standing = Standing(paper, paper.exhibits[0], None, None)
    some, whole = (here_results(standing, records(n), "2026-11-19") for n in (2, 4))
    assert stand_here(standing, some).verdict is None
    assert stand_here(standing, whole).word == "partly"
    assert whole.seconds == 2.0 and content_of(some) != content_of(whole)
    assert len(draw_exhibit(standing, some, whole=False).drawings) == 4


def test_an_exhibit_that_needs_all_its_cells_is_not_drawn_of_some():
    def draw(found):
        return [found[3]]

    paper = make_paper()
    exhibit = dataclasses.replace(paper.exhibits[0], draw=draw)
    standing = Standing(paper, exhibit, None, None)
    assert draw_exhibit(standing, here_results(standing, records(2), ""), whole=False).drawings == ()


def test_a_job_is_known_by_its_study_and_cells():
    paper = make_paper()
    squares, times = paper.studies
    assert job_key(paper, squares) == job_key(make_paper(), make_paper().studies[0])
    assert job_key(paper, squares) != job_key(paper, times)
    assert KEY in job_key(paper, squares)
