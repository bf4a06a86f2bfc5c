"""The button that gives similar classes similar codewords, and the errors before and after."""

import numpy as np
import pytest
from pages_tools import components, finished, page_at, read, received, texts

from ecocviz.engine.analysis.assignment import assign_rows
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.params import pack_matrix
from ecocviz.lab.run import load, run, train
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.code_matrix.facts import BESIDE, ERRORS, problem_of
from ecocviz.views.code_matrix.page_assign import BUTTON

pytestmark = pytest.mark.page

CHOSEN = {"decoding": "hamming", "coding": "bch"}


@pytest.fixture
def page(root):
    def start(**fields):
        return finished(page_at(root / "pages" / "code_matrix.py", {"data": "glass", **fields}).run())

    return start


def held(test):
    return test.session_state["ecocviz"]


def button(test):
    return test.button(key=BUTTON)


def test_the_rows_are_exchanged_and_both_errors_are_those_of_the_scenarios(page):
    test = page(**CHOSEN)
    before = held(test).scenario
    given = build_code("bch", 6)
    found = assign_rows(given, problem_of(before, load(before)).distances, seed=before.seed)
    finished(button(test).click().run())
    after = held(test).scenario
    assert not test.error and found.changed
    assert after == before.chosen("coding", "custom", matrix=pack_matrix(found.code_matrix))
    assert held(test).selection[BESIDE] == "bch" and held(test).selection[ERRORS] == "1"
    first, second = run(after).test, run(before).test
    said = texts(test)
    assert f"({first.n_wrong} of {first.n}) above" in said
    assert f"({second.n_wrong} of {second.n}) beside" in said
    assert "than the code below: " in said
    assert f"agreement of +{found.after:.2f}" in said
    # The code before is shown beside, and undo brings it back.
    codes = [received(element)["code"] for element in components(test)]
    assert len(codes) == 2
    finished(test.button(key="undo").click().run())
    assert held(test).scenario == before


def test_nothing_changes_where_no_exchange_gains(page):
    test = page(**CHOSEN)
    finished(button(test).click().run())
    assigned, selected = held(test).scenario, held(test).selection
    finished(button(test).click().run())
    assert held(test).scenario == assigned and held(test).selection == selected
    assert "No exchange of rows was found" in texts(test)
    test.run()
    assert "No exchange of rows was found" not in texts(test)


@pytest.mark.parametrize("coding", ["one-vs-all", "one-vs-one"])
def test_it_rests_where_all_rows_are_equally_far_apart(page, coding):
    test = page(coding=coding)
    assert button(test).disabled and "equally far apart" in read(button(test).help)
    assert "does not matter which class has which" in texts(test)


def test_it_rests_where_a_class_has_several_rows(page):
    test = page(coding="subclass-ecoc", data="spirals", **{"data.n_samples": "150"})
    assert button(test).disabled and "not one for each class" in button(test).help


def test_a_learned_code_can_be_assigned_anew(page):
    test = page(coding="decoc", decoding="hamming")
    scenario = held(test).scenario
    learned = train(scenario).code_matrix
    finished(button(test).click().run())
    found = assign_rows(learned, problem_of(scenario, load(scenario)).distances, seed=0)
    coding = held(test).scenario.coding
    if found.changed:
        assert coding.values == {"matrix": pack_matrix(found.code_matrix)}
        assert "wrong only above" in texts(test)
    else:
        assert coding.key == "decoc" and "No exchange of rows" in texts(test)


def test_errors_are_compared_where_the_link_says_so_and_not_otherwise(page):
    test = page(beside="one-vs-one", **CHOSEN)
    assert "wrong only above" not in texts(test)
    (switch,) = test.toggle
    finished(switch.set_value(True).run())
    assert held(test).selection[ERRORS] == "1"
    first = run(make_scenario(data="glass", coding="bch", decoding="hamming")).test
    assert f"({first.n_wrong} of {first.n}) above" in texts(test)
    again = page(beside="one-vs-one", errors="1", **CHOSEN)
    assert "wrong only above" in texts(again)


def test_a_reduction_without_a_code_has_no_errors_to_compare(page):
    test = page(beside="one-vs-one", errors="1", reduction="support-pattern")
    assert len(test.error) == 1 and not test.exception


def test_the_same_wrong_points_are_a_tie(page):
    test = page(coding="one-vs-one", decoding="hamming", beside="one-vs-one", errors="1")
    assert "as many above" in texts(test) and "As many errors as the code below" in texts(test)
    assert np.shape(received(components(test)[0])["code"]) == (6,)
