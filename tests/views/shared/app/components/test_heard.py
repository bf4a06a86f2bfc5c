"""What a browser says: read by few functions, and passed over where Streamlit could not read it."""

import json

import pytest
from google.protobuf.json_format import ParseDict
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from ecocviz.views.shared.app.components import heard
from ecocviz.views.shared.app.components.heard import (
    DEEPEST,
    LARGEST_STATE,
    MOST_PARTS,
    among,
    decimal,
    items,
    modest,
    record,
    whole,
)

SENTENCE = r"^[A-Z].*\.$"
BAD_NUMBERS = [
    True, False, None, "1", [1], {"a": 1}, 1.5, float("nan"), float("inf"), float("-inf"), 2**63, 10**400,
    10**5_000, -1, object(),
]  # fmt: skip


def str_of(value):
    return type(value).__name__


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@pytest.mark.parametrize("bad", BAD_NUMBERS, ids=str_of)
def test_what_is_no_whole_number_is_one_sentence(bad):
    with pytest.raises(ValueError, match=SENTENCE):
        whole(bad)


@pytest.mark.parametrize(
    "bad", [bad for bad in BAD_NUMBERS if bad not in (1.5, -1)], ids=lambda bad: type(bad).__name__
)
def test_what_is_no_finite_number_is_one_sentence(bad):
    with pytest.raises(ValueError, match=SENTENCE):
        decimal(bad)


def test_whole_numbers_may_be_written_with_a_point():
    assert whole(3.0) == 3 and type(whole(3.0)) is int
    assert decimal(3) == 3.0 and type(decimal(3)) is float


@examples(100)
@given(JSON)
def test_readers_read_or_refuse_in_one_sentence(value):
    for read in (whole, decimal, record, lambda it: items(it, 2), lambda it: among(it, {"a": 1})):
        sentence = refused(read, value)
        assert sentence is None or (sentence.endswith(".") and len(sentence) < 200)


def refused(read, value):
    """Return the sentence with which something is refused, None where it is read."""
    try:
        read(value)
    except ValueError as error:
        return str(error)
    return None


def test_lists_are_of_a_length_and_choices_on_offer():
    assert items((1, 2), most=2) == [1, 2]
    for bad in ([1, 2, 3], "ab", {"a": 1}, None):
        with pytest.raises(ValueError, match=SENTENCE):
            items(bad, most=2)
    with pytest.raises(ValueError, match=SENTENCE):
        items([1], most=2, n=2)
    for bad in ("b", None, True, ["a"], 10**400):
        with pytest.raises(ValueError, match=SENTENCE):
            among(bad, ["a", 1])


def test_what_is_modest():
    assert modest({"points": [[0.5, 1, 2]] * 2_000})
    deep = []
    for _ in range(DEEPEST):
        deep = [deep]
    for large in ([0] * MOST_PARTS, [[0] * 200] * 200, deep, [float("nan")], {"a": [float("inf")]}, -(2**64)):
        assert not modest(large)


# Listening -------------------------------------------------------------------------------------------

ID = "$$ID-0123456789abcdef0123456789abcdef-key"


def widget(**more):
    return WidgetMetadata(ID, deserializer=lambda value: value, serializer=lambda value: value, **more)


@pytest.fixture
def session():
    heard.attend()
    return SessionState()


def say(session, **value):
    session.set_widgets_from_proto(heard.WidgetStates(widgets=[WidgetState(id=ID, **value)]))
    return session._new_widget_state.get(ID)


def test_what_can_be_read_is_heard_and_stays_when_nonsense_follows(session):
    session.register_widget(widget(value_type="json_value"), "key")
    assert say(session, json_value='{"a": 1}') == {"a": 1}
    nonsense = ["{", '{"a": NaN}', '{"a": 1e400}', "9" * 5_000, "[" * 50_000, f'"{"x" * LARGEST_STATE}"']
    for text in nonsense:
        assert say(session, json_value=text) == {"a": 1}
    assert say(session, string_value="a") == {"a": 1}
    assert say(session, json_value='{"a": 2}') == {"a": 2}


def test_what_is_said_under_another_name_is_not_heard(session):
    for name in ("", "ecocviz", "$$STREAMLIT_INTERNAL_KEY_SCRIPT_RUN_WITHOUT_ERRORS"):
        session.set_widgets_from_proto(heard.WidgetStates(widgets=[WidgetState(id=name, bool_value=True)]))
        assert not session._new_widget_state.states


def test_what_was_said_before_the_widget_was_known_is_read_then(session):
    session.set_widgets_from_proto(heard.WidgetStates(widgets=[WidgetState(id=ID, string_value="a")]))
    assert ID in session._new_widget_state.states
    session.register_widget(widget(value_type="double_array_value"), "key")
    assert session._new_widget_state.get(ID) is None


def test_more_than_all_widgets_can_say_is_not_heard(session):
    session.register_widget(widget(value_type="string_value"), "key")
    assert say(session, string_value="a") == "a"
    many = [WidgetState(id=ID, string_value=f"{k}" + "x" * 900_000) for k in range(5)]
    session.set_widgets_from_proto(heard.WidgetStates(widgets=many))
    assert session._new_widget_state.get(ID) == "a"


@examples(100)
@given(JSON)
def test_any_json_is_read_or_passed_over(value):
    heard.attend()
    session = SessionState()
    session.register_widget(widget(value_type="json_value"), "key")
    shown = say(session, json_value=json.dumps(value))
    assert shown is None or modest(shown)


def test_a_callback_that_refuses_leaves_a_sentence(monkeypatch):
    kept = {}
    monkeypatch.setattr(heard.st, "session_state", kept)
    told = []
    monkeypatch.setattr(heard, "toast", told.append)

    def refuse(number):
        whole(number)

    heard._in_a_sentence(refuse)(True)
    heard.say_refusal()
    heard.say_refusal()
    assert told == ["The browser's message takes a whole number, not True."]


@pytest.mark.parametrize(
    "says, awaited, taken",
    [
        ({"int_value": 7}, "double_value", True),  # as browsers say whole numbers
        ({"double_value": 7.5}, "double_value", True),
        ({"double_array_value": {"data": [1.0]}}, "double_array_value", True),
        ({"string_value": "7"}, "double_value", False),
        ({"int_value": 7}, "string_value", False),
        ({"bool_value": True}, "double_value", False),
    ],
)
def test_a_number_is_taken_in_either_form(says, awaited, taken):
    state = ParseDict(says, WidgetState(id="$$ID-some-number"))
    metadata = WidgetMetadata(
        id=state.id, deserializer=lambda value: value, serializer=lambda value: value, value_type=awaited
    )
    assert heard._readable(state, metadata) is taken
