"""Every catalogue entry, and the limits of its parameters, on the pages that do not test it themselves.

Each test opens its page once and puts scenario after scenario on it, as a user would who tries
everything in a list. What cannot be combined is one sentence, on every page and in the sidebar.
"""

from itertools import combinations, product

import pytest
from pages_tools import components
from streamlit.testing.v1 import AppTest

from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.choices import why_not_options
from ecocviz.lab.run import why_not_run
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.shared.app import job_panel

pytestmark = pytest.mark.page

SMALL = {"data": ("blobs", {"n_samples": 60})}
COMBINED = ("coding", "decoding", "reduction", "machine")
UNAVAILABLE = " (unavailable)"


@pytest.fixture
def opened(root):
    def start(page, *, unfolded=()):
        test = AppTest.from_file(str(root / "pages" / f"{page}.py"), default_timeout=120)
        test.query_params |= {"data": "blobs", "data.n_samples": "60", "grid": "-1,1,3"}
        for group in unfolded:
            test.session_state[f"group.{group}"] = True
        return test.run()

    return start


def watched(test):
    """Place -> pool and key of the job that is watched there."""
    return test.session_state[job_panel.KEY].jobs if job_panel.KEY in test.session_state else {}


def put(test, *, wait=False, **choices):
    """Put a scenario on the page, and wait for its jobs if asked to."""
    wanted = make_scenario(**{**SMALL, **choices})
    test.session_state["ecocviz"].scenario = wanted
    test.run()
    if wait:
        for pool, key in watched(test).values():
            pool.wait(key, 60)
        test.run()
    assert not test.exception, (choices, test.exception)
    assert test.session_state["ecocviz"].scenario == wanted
    assert all("\n" not in error.value for error in test.error), choices
    return test


def leave(test):
    """Forget what still runs."""
    for pool, key in watched(test).values():
        pool.forget(key)


def entries(slot):
    return {key: entry for key, entry in SLOTS[slot].items() if not getattr(entry, "needs", "")}


def limits(slot):
    """Every entry with each of its parameters at either end, or at each option."""
    for key, entry in entries(slot).items():
        for param in entry.params:
            ends = ()
            if isinstance(param, ChoiceParam):
                ends = [option for option, _ in param.options]
            elif isinstance(param, IntParam | FloatParam):
                ends = [param.low, param.high, *(word for word, _ in getattr(param, "words", ()))]
            conditions = dict([(param.only_if[0], param.only_if[1][0])] if param.only_if else [])
            for value in ends:
                yield key, conditions | {param.name: value}


def shown_charts(test):
    assert all(element.proto.alt for element in test.get("plotly_chart"))
    return len(test.get("plotly_chart"))


# Entries ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slot", ["coding", "machine", "reduction", "decoding"])
def test_the_data_page_is_the_same_whatever_is_trained_on_it(opened, slot):
    test = opened("data")
    for key in entries(slot):
        put(test, **{slot: key})
        assert not test.error and shown_charts(test) == 2, key


@pytest.mark.parametrize("slot", ["data", "preparation", "split", "machine", "reduction", "decoding"])
def test_the_code_matrix_page_with_every_entry(opened, slot):
    test = opened("code_matrix")
    for key in entries(slot):
        put(test, wait=slot == "reduction", **({"data": (key, {})} if slot == "data" else {slot: key}))
        assert not test.error and shown_charts(test) >= 3, key
        (grid,) = components(test)
        assert grid.proto.component_name == "ecocviz.code_grid"


@pytest.mark.parametrize("slot", ["preparation", "coding"])
def test_the_model_selection_page_with_every_entry(opened, slot):
    test = opened("model_selection")
    for key in entries(slot):
        put(test, wait=True, **{slot: key})
        assert not test.error, (key, [error.value for error in test.error])
        assert shown_charts(test) >= 1, key


def test_the_model_selection_page_with_every_data_set(opened):
    test = opened("model_selection")
    for key in entries("data"):
        put(test, data=(key, {}))  # large ones would take minutes: the next one ends what was begun
        assert not test.error, (key, [error.value for error in test.error])
        _, plan = watched(test)["model-selection"]
        assert plan.scenario.data.key == key
        assert test.selectbox(key="ms.axis").value in {"machine.gamma", "machine.C"}
    leave(test)


# Limits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slot", ["data", "preparation", "split"])
def test_the_data_page_at_the_limits_of_every_parameter(opened, slot):
    test = opened("data")
    for choice in limits(slot):
        put(test, **{slot: choice})
        assert shown_charts(test) == (0 if test.error else 2), choice


def test_the_code_matrix_page_at_the_limits_of_every_parameter(opened):
    test = opened("code_matrix")
    for key, values in limits("coding"):
        if SLOTS["coding"][key].build is not None:  # the others train machines
            put(test, coding=(key, values))
            assert shown_charts(test) >= (0 if test.error else 2), (key, values)


def test_the_model_selection_page_at_the_limits_of_every_decoder(opened):
    test = opened("model_selection")
    for choice in limits("decoding"):
        put(test, wait=True, coding="one-vs-one", decoding=choice)
        assert not test.error and shown_charts(test) >= 1, choice


# What cannot be --------------------------------------------------------------------------------------


def impossible():
    """Every two entries that cannot be combined, the rest as on the first screen: choices, and why."""
    for pair in combinations(COMBINED, 2):
        for keys in product(*(SLOTS[slot] for slot in pair)):
            choices = dict(zip(pair, keys, strict=True))
            reason = why_not_run(make_scenario(**choices))
            if reason:
                yield choices, reason


def one_of_each_kind():
    """One impossible pair for every two slots."""
    return {tuple(choices): (choices, reason) for choices, reason in impossible()}.values()


def test_the_sidebar_says_why_for_every_two_entries_that_cannot_be_combined(opened):
    test = opened("data", unfolded=("Code", "Machine", "Reduction", "Decoder"))
    found = list(impossible())
    assert len(found) >= 30
    for choices, reason in found:
        put(test, **choices)
        assert reason in {caption.value for caption in test.sidebar.caption}, choices
        scenario = test.session_state["ecocviz"].scenario
        for slot in choices:
            box = test.sidebar.selectbox(key=f"slot.{slot}")
            marked = {label for label in box.options if label.endswith(UNAVAILABLE)}
            expected = {SLOTS[slot][key].title + UNAVAILABLE for key in why_not_options(scenario, slot)}
            assert marked == expected, choices
            assert SLOTS[slot][choices[slot]].title + UNAVAILABLE in marked, choices


@pytest.mark.parametrize("page", ["playground", "decoders", "bits", "relations", "model_selection"])
def test_a_page_that_needs_the_combination_says_why_there_is_none(opened, page):
    test = opened(page)
    for choices, reason in one_of_each_kind():
        put(test, **choices)
        assert [error.value for error in test.error] == [reason], choices
        assert not shown_charts(test)


def test_the_other_pages_show_what_they_can(opened):
    for page, n_charts in (("data", 2), ("code_matrix", 3)):
        test = opened(page)
        for choices, reason in one_of_each_kind():
            put(test, wait=True, **choices)
            assert not test.error and shown_charts(test) >= n_charts, (page, choices)
            assert page == "data" or reason in {caption.value for caption in test.caption}
