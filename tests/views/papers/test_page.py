"""The Papers page: the list, an exhibit by link and by choice, what clicks open, a run of one's own."""

import threading
from collections import Counter
from types import SimpleNamespace

import pytest
from pages_tools import assert_fine, charts, finished, page_at, texts
from papers_tools import KEY, MEASURED, cells, gathered, make_paper, put, refuse_two, scenario, square
from streamlit.testing.v1 import AppTest
from waiting import until

from ecocviz.lab.cost import Cost
from ecocviz.lab.evidence import here, results, standing
from ecocviz.lab.evidence.entries import Setting, Study, cells_of
from ecocviz.views.papers import facts, page
from ecocviz.views.shared.app import cache
from ecocviz.views.shared.app.scenes import GOTO

pytestmark = pytest.mark.page


@pytest.fixture
def made(monkeypatch, fresh_home):  # noqa: ARG001 - nothing is kept from before
    """Put a made-up paper in place of all others, its first study with full results that ship."""

    def make(*arguments, ship=True, **options):
        paper = make_paper(*arguments, **options)
        put(monkeypatch, paper)
        monkeypatch.setattr(page, "PAPERS", results.PAPERS)
        study, kept = paper.studies[0], gathered(paper)
        monkeypatch.setattr(standing, "shipped", lambda _, asked: kept if ship and asked is study else None)
        cache.forget()
        return paper

    monkeypatch.setattr(here, "CELL", Cost())  # other processes do not know the made-up paper
    yield make
    cache.forget()


@pytest.fixture
def app(root):
    def start(**fields):
        return finished(page_at(root / "pages" / "papers.py", {"v": "1", **fields}).run())

    return start


def selection(test):
    return test.session_state["ecocviz"].selection.to_flat()


def test_the_list_and_the_first_exhibit_are_shown_with_their_verdicts(made, app):
    made()
    test = app()
    assert_fine(test)
    listed = test.dataframe[0].value
    assert listed["Verdict"].tolist() == ["◐ partly", "◐ partly", "– not run"]
    assert listed["Exhibit"].tolist() == ["Fig. 1: squares", "The claim", "Table 1"]
    shown = texts(test)
    for part in (
        "3 figures, tables and claims of 1 paper: 2 partly agree and 1 is not measured yet.",
        "Squares are odd and large.",
        "partly: 1 of 2 statements hold.",
        "50.0 % (4 of 8)",
        "Even numbers among 8 have even squares.",
        "Numbers are squared.",
        "Only small numbers.",
        "Both hold.",
    ):
        assert part in shown
    assert any("the full setting on 2026-11-19" in each.value for each in test.caption)
    assert [code.value for code in test.code] == [f"ecocviz paper {KEY} figure-1 --full"]
    assert [len(chart["data"]) for chart in charts(test)] == [3, 7, 2]
    assert test.dataframe[1].value["square"].tolist()[:3] == ["0.0 (0.5)", "1.0 (1.5)", "4.0 (4.5)"]
    assert all(element.proto.alt for element in test.get("plotly_chart"))


def test_an_exhibit_is_opened_by_link_and_by_choice(made, app):
    made()
    test = app(paper=KEY, exhibit="table-1")
    assert "Not measured yet: there is no verdict." in texts(test) and not charts(test)
    test.selectbox(key="papers.exhibit").select("claim-1").run()
    assert selection(test) in ({"paper": KEY, "exhibit": "claim-1"}, {"exhibit": "claim-1"})
    assert "Squares grow." in texts(test) and len(charts(test)) == 3
    test = app(paper="nobody", exhibit="nothing")
    assert_fine(test)
    assert "Squares are odd and large." in texts(test)


def test_a_click_opens_the_scenario_of_its_point(made, monkeypatch):
    made()
    exhibit = page.everything()[0]
    view = page.View(exhibit, None, None, None, None, None)
    panels, table, ranks, heatmap = page._drawn(exhibit, exhibit.results).drawings
    adopted, state, session = [], {}, SimpleNamespace(opened="")
    monkeypatch.setattr(page.state, "adopt", lambda _, scenario, **_how: adopted.append(scenario))
    monkeypatch.setattr(page.state, "current", lambda: session)
    monkeypatch.setattr(page.st, "session_state", state)
    for drawing, number, where, k in (
        (panels, 2, "playground", 2),
        (panels, 18, "bits", 2),
        (table, 4, "playground", 2),
        (ranks, 1, "playground", 1),
        (heatmap, 3, "relations", 1),
    ):
        page._open(view, page.opens_at(drawing, number))
        assert state.pop(GOTO) == where
        assert adopted.pop() == scenario(k)
        assert session.opened.endswith("Fig. 1: squares: exactly what was measured.")
    for drawing, number in ((panels, 9), (table, 5), (ranks, 2)):  # the paper's own, a word, a rank
        page._open(view, page.opens_at(drawing, number))
    assert not adopted and not state


def test_opening_a_scenario_leads_to_its_page(made, root):
    made()
    test = AppTest.from_file(str(root / "app.py"), default_timeout=120)
    test.switch_page("pages/papers.py")
    finished(test.run())
    test.button(key=f"papers.{KEY}.figure-1.3.open").click().run()  # one more run would open this page again
    assert_fine(test)
    assert test.session_state["ecocviz"].scenario == scenario(1)
    opened = "opened from Passerini et al. 2004, Fig. 1: squares: exactly what was measured."
    assert any(each.value.endswith(opened) for each in test.caption)
    assert not [each for each in test.button if each.key == "papers.run"]  # the page is another one


def test_the_quick_setting_is_run_here_and_stands_beside_what_ships(made, app):
    made()
    test = app()
    test.button(key="papers.run").click().run()
    finished(test)
    assert_fine(test)
    assert sorted(MEASURED) == [f"quick/{k}" for k in range(4)]
    assert "Measured here: ◐ partly, the same as the results that ship: ◐ partly." in texts(test)
    assert "50.0 % (2 of 4)" in texts(test) and selection(test)["numbers"] == "here"
    assert len(test.dataframe[1].value) == 4
    test.button(key="papers.back").click().run()
    assert "50.0 % (4 of 8)" in texts(test) and "numbers" not in selection(test)
    again = app(numbers="here")
    assert len(MEASURED) == 4 and "50.0 % (2 of 4)" in texts(again)


def test_what_is_measured_so_far_is_drawn_and_a_cancelled_run_goes_on(made, root):
    going = threading.Event()

    def wait_at_two(cell, progress):
        while cell.about["k"] == 2 and not going.wait(0.02):
            progress.check()
        return square(cell, progress)

    made(wait_at_two, ship=False)
    test = page_at(root / "pages" / "papers.py", {"v": "1", "numbers": "here"}).run()

    def two_are_drawn():
        test.run()
        return len(test.dataframe) > 1 and len(test.dataframe[1].value) == 2

    until(two_are_drawn, 60)
    assert_fine(test)
    assert "Not measured yet" in texts(test) and test.get("progress")
    test.button(key="papers.cancel").click().run()
    assert any(each.value.startswith("Stopped at ") for each in test.caption)
    going.set()
    test.button(key="papers.again").click().run()
    finished(test)
    assert "Measured here: ◐ partly. No results ship." in texts(test)
    assert sorted(MEASURED) == [f"quick/{k}" for k in range(4)]


def test_a_cell_that_cannot_be_measured_is_said(made, app):
    made(refuse_two)
    test = app(numbers="here")
    assert not test.exception
    assert [error.value for error in test.error] == ["Two cannot be measured."]
    assert len(test.dataframe[1].value) == 2


def test_where_this_computer_cannot_measure_the_stored_numbers_are_shown(made, app):
    made(needs=lambda: "A solver is missing; install it.")
    test = app(numbers="here")
    assert_fine(test)
    assert "A solver is missing; install it." in [each.value for each in test.caption]
    assert "50.0 % (4 of 8)" in texts(test) and not MEASURED
    assert not [each for each in test.button if each.key == "papers.run"]


@pytest.mark.usefixtures("made")
def test_without_any_paper_there_is_a_sentence(app, monkeypatch):
    put(monkeypatch)
    monkeypatch.setattr(page, "PAPERS", results.PAPERS)
    cache.forget()
    test = app()
    assert not test.exception and len(test.error) == 1


def test_exhibits_are_judged_and_drawn_once_for_all_sessions(made, app):
    paper = made()
    app()
    drawn = []
    for exhibit in paper.exhibits:
        object.__setattr__(exhibit, "judge", drawn.append)
        object.__setattr__(exhibit, "draw", drawn.append)
    assert_fine(app())
    assert drawn == []


def test_what_never_changes_is_made_once_whoever_draws(made, app, monkeypatch):
    made()
    calls = Counter()

    def count(where, name):
        real = getattr(where, name)
        monkeypatch.setattr(where, name, lambda *given: calls.update([name]) or real(*given))

    count(results, "to_json")
    monkeypatch.setattr(facts, "to_json", results.to_json)
    count(page.words, "list_table")
    count(page.figures_tables, "shown_table")
    count(page, "all_standings")
    first = app()
    for test in (first, app()):
        test.run()
        test.run()
        assert_fine(test)
    # The digest is made of the results for the drawings, and again with them.
    assert calls == {"to_json": 2, "list_table": 1, "shown_table": 1, "all_standings": 1}


def test_the_cells_of_a_study_are_made_once():
    asked = []
    study = Study(key="k", cells=lambda setting: asked.append(setting) or cells(setting), measure=square)
    whole = cells_of(study, Setting.FULL)
    assert [cell.key for cell in whole] == [cell.key for cell in cells(Setting.FULL)]
    assert results.digest_of(study, Setting.FULL) == results.digest(cells(Setting.FULL))
    assert cells_of(study, Setting.FULL) is whole and asked == [Setting.FULL]
    assert len(cells_of(study, Setting.QUICK)) == 4
