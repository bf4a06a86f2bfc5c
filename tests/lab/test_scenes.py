"""Scenes: what is written is read again, and what is no list of scenes is refused in one sentence."""

import base64
import json
import tracemalloc
import zlib
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.engine.params import PACKED_ALPHABET
from ecocviz.lab import scenes as lab
from ecocviz.lab.scenes import Scene, from_json, make_scene, pack, to_json, unpack

SENTENCE = r"^[A-Z][^\n]*\.$"

titles = st.text(st.characters(exclude_categories=["Cs"]), max_size=lab.MAX_TITLE).filter(str.split)
fields = st.dictionaries(
    st.text("abc.", min_size=1, max_size=8), st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
)


@st.composite
def written(draw):
    page = draw(st.sampled_from(["playground", "code_matrix", "bits"]))
    return make_scene(draw(titles), f"{page}?{urlencode(draw(fields))}")


lists = st.lists(written(), max_size=8).map(tuple)


@given(lists)
def test_a_list_is_read_as_it_was_written(scenes):
    assert from_json(to_json(scenes).encode()) == scenes
    packed = pack(scenes)
    assert set(packed) <= set(PACKED_ALPHABET)
    assert unpack(packed) == scenes


def read(reader, given):
    """Read what may be anything: a list of scenes, or one sentence."""
    try:
        found = reader(given)
    except ValueError as refusal:
        refused = refusal
    else:
        refused = None
    if refused is not None:
        assert type(refused) is ValueError and "\n" not in str(refused) and str(refused).endswith(".")
        return None
    assert all(isinstance(scene, Scene) for scene in found)
    return found


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: (
        st.lists(part, max_size=4) | st.dictionaries(st.sampled_from(["scenes", "title", "link"]), part)
    ),
    max_leaves=12,
)


@given(st.binary(max_size=200) | anything.map(lambda value: json.dumps(value).encode()))
def test_any_file_is_a_list_or_a_sentence(data):
    read(from_json, data)
    read(unpack, base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("="))


@given(st.text(PACKED_ALPHABET, max_size=200) | st.text(max_size=40))
def test_any_field_is_a_list_or_a_sentence(text):
    read(unpack, text)


@given(st.text(max_size=100), st.text(max_size=100))
def test_any_title_and_link_is_a_scene_or_a_sentence(title, link):
    read(lambda pair: [make_scene(*pair)], (title, link))


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b'{"scenes": [' + b"9" * 5_000 + b"]}",
        b'{"scenes": [{"title": "\\ud800", "link": "bits?v=1"}]}',
        b'{"scenes": [{"title": "a", "link": "bits?\\ud800"}]}',
        b'{"scenes": [{"title": "a", "link": "//bits?v=1&' + b"a=1&" * 300 + b'"}]}',
        b'{"scenes": [{"title": "a", "link": "http://["}]}',
        b'{"scenes": [{"title": "a", "link": "../../etc?v=1"}]}',
        b'{"scenes": [{"title": "' + b"a" * 81 + b'", "link": "bits?v=1"}]}',
        b'{"scenes": [{"title": " ", "link": "bits?v=1"}]}',
        b'{"scenes": [' + b",".join([b'{"title": "a", "link": "bits"}'] * 61) + b"]}",
        b'{"scenes": 3}',
        b"\xff\xfe",
        b" " * (lab.MAX_BYTES + 1),
    ],
)
def test_what_is_no_list_is_one_sentence(data):
    with pytest.raises(ValueError, match=SENTENCE):
        from_json(data)


def test_a_bomb_is_refused_before_it_expands():
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 15_000_000, 9)).decode().rstrip("=")
    assert len(bomb) <= lab.MAX_PACKED
    tracemalloc.start()
    with pytest.raises(ValueError, match=SENTENCE):
        unpack(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * lab.MAX_BYTES


def test_what_a_link_cannot_hold_is_refused_with_what_to_do():
    with pytest.raises(ValueError, match=r"^The list of scenes is full: .* Save it as a file"):
        pack((make_scene("one", "bits?v=1"),) * (lab.MAX_SCENES + 1))


def test_a_link_of_any_server_is_a_scene():
    assert make_scene("Bits", "https://course.example:8501/bits?v=1&data=moons").fields == {
        "v": "1",
        "data": "moons",
    }
