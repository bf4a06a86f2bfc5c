"""Room is kept before there is anything to fill it."""

from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st  # noqa: PLC0415 - the script is run on its own

    from ecocviz.views.shared.app.room import room, tiles_room  # noqa: PLC0415 - as above

    with room("some.table", 300):
        st.write("in it")
    with tiles_room("some.pictures", 7):
        st.write("they come later")


def test_room_is_as_high_as_what_will_be_there():
    test = AppTest.from_function(page).run()
    assert not test.exception
    bodies = [element.proto.body for element in test.get("html")]
    assert any(".st-key-some-table { min-height: 300px;" in body for body in bodies)
    (tiles,) = (body for body in bodies if "eco-rows" in body and "<style" not in body)
    assert tiles.count("<i></i>") == 7 and 'aria-hidden="true"' in tiles
    assert [element.value for element in test.markdown] == ["in it", "they come later"]
