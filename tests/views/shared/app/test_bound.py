"""A value that the browser sent before it heard of a change is not taken for a choice."""

import pytest
from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st  # noqa: PLC0415 - the script is run on its own

    from ecocviz.views.shared.app.bound import bind  # noqa: PLC0415 - as above

    held = st.session_state.setdefault("held", {"colour": "red", "chosen": []})

    def undo():
        held["colour"] = "red"

    st.button("Undo", key="undo", on_click=undo)
    bound = bind("colour", held["colour"])

    def choose(colour):
        held["colour"] = colour
        held["chosen"].append(colour)

    st.selectbox("Colour", ["red", "green", "blue"], key=bound.key, on_change=bound.on_change(choose))


@pytest.fixture
def app():
    return AppTest.from_function(page, default_timeout=30).run()


def held(app):
    return app.session_state["held"]


def test_a_choice_keeps_the_widget_and_a_change_from_elsewhere_renews_it(app):
    assert app.selectbox[0].key == "colour"
    app.selectbox[0].select("green").run()
    assert app.selectbox[0].key == "colour" and app.selectbox[0].value == "green"
    app.button(key="undo").click().run()
    assert app.selectbox[0].key != "colour" and app.selectbox[0].value == "red"
    app.selectbox[0].select("blue").run()
    assert held(app) == {"colour": "blue", "chosen": ["green", "blue"]}


def test_the_browsers_old_values_do_not_take_a_change_back(app):
    app.selectbox[0].select("green").run()
    before = app._tree.get_widget_states()  # what the browser knows, and sends once more
    app.button(key="undo").click().run()
    app._run(before)
    assert held(app) == {"colour": "red", "chosen": ["green"]}
    assert app.selectbox[0].value == "red"


def test_without_changes_the_key_stays(app):
    for _ in range(3):
        app.run()
    assert app.selectbox[0].key == "colour"


def leaving():
    import streamlit as st  # noqa: PLC0415 - the script is run on its own

    from ecocviz.views.shared.app.components.heard import attend  # noqa: PLC0415 - as above

    attend()
    held = st.session_state.setdefault("held", {"drawn": True, "heard": []})
    st.button("Leave", key="leave", on_click=lambda: held.update(drawn=False))
    if held["drawn"]:
        st.session_state["number"] = 3
        st.slider("Number", 0, 9, key="number", on_change=held["heard"].append, args=("number",))
        st.button("Button", key="button", on_click=held["heard"].append, args=("button",))


def test_a_widget_that_is_drawn_no_more_says_what_it_was_drawn_with_and_a_click_on_it_is_one():
    app = AppTest.from_function(leaving, default_timeout=30).run()
    button = app.button(key="button").click()
    before = app._tree.get_widget_states()  # of the browser, until it has heard that they are gone
    button._value = False
    app.button(key="leave").click().run()
    app._run(before)
    assert held(app)["heard"] == ["button"]
