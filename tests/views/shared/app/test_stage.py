"""What a page computes once is a job while it lasts, and is remembered afterwards."""

import threading

import pytest
from pages_tools import finished
from streamlit.testing.v1 import AppTest

from ecocviz.views.shared.app import cache


def page():
    import streamlit as st  # noqa: PLC0415 - the script is run on its own

    from ecocviz.views.shared.app.job_panel import draw_panel  # noqa: PLC0415 - as above
    from ecocviz.views.shared.app.stage import Awaited, computed  # noqa: PLC0415 - as above

    try:
        found = computed("sum", "test.sum", st.session_state["numbers"], st.session_state["work"])
    except ValueError as error:
        st.error(str(error))
    else:
        if isinstance(found, Awaited):
            draw_panel(found.place, found.snapshot)
        else:
            st.text(str(found))


@pytest.fixture
def app():
    def start(numbers, work):
        test = AppTest.from_function(page, default_timeout=30)
        test.session_state["numbers"], test.session_state["work"] = numbers, work
        return test.run()

    return start


def test_a_wait_says_what_it_is_for_and_what_is_computed_is_remembered(app):
    go_on, begun = threading.Event(), []

    def work(report):
        begun.append(1)
        report.note("adding")
        while not go_on.wait(0.005):
            report.at(0.25)
        return sum((1, 2, 3))

    test = app((1, 2, 3), work)
    assert [(bar.proto.text, bar.proto.value) for bar in test.get("progress")] == [("adding", 25)]
    go_on.set()
    finished(test)
    assert [text.value for text in test.text] == ["6"]
    assert cache.known("test.sum", (1, 2, 3)) == 6
    assert [text.value for text in app((1, 2, 3), work).text] == ["6"] and len(begun) == 1


def test_a_refusal_is_said_and_tried_again_by_whoever_comes_to_it(app):
    begun = []

    def work(_report):
        begun.append(1)
        raise ValueError("There is nothing to add.")

    test = app((), work)
    assert [error.value for error in test.error] == ["There is nothing to add."]
    test.run()
    assert len(begun) == 1 and cache.known("test.sum", ()) is None
    assert app((), work).error and len(begun) == 2
