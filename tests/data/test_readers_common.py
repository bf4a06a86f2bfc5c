"""What readers share: names without repetition, Thrift's compact form."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz.data.readers_common import text_lines, unique_names
from ecocviz.data.readers_thrift import Compact, NotThriftError, TooManyValuesError
from tests.hostile.thrift_tree import Node, write


@examples(200)
@given(names=st.lists(st.sampled_from(["a", "a (2)", "a (3)", "", "b" * 90, " a ", "column 2"]), max_size=12))
def test_names_become_usable(names):
    usable = unique_names(names)
    assert len(set(usable)) == len(usable) == len(names)
    assert all(usable) and max(map(len, usable), default=0) <= 86
    for given_name, name in zip(names, usable, strict=True):
        assert name.startswith((" ".join(given_name.split()) or "column")[:79])


def test_thousands_of_equal_names_take_no_time():
    start = time.process_time()
    assert unique_names(["a"] * 50_000)[-1] == "a (50000)"
    assert time.process_time() - start < 1


@given(text=st.text("ab\r\n\x85\u2028", max_size=20))
def test_lines_end_where_the_formats_say(text):
    lines = list(text_lines(text))
    assert "".join(lines) == text
    assert [line.rstrip("\r\n") for line in lines] == re.split(r"\r\n|\r|\n", text)[: len(lines)]


# Thrift ----------------------------------------------------------------------------------------------

LEAF = (
    st.integers(-(2**63), 2**63 - 1).map(lambda number: Node(6, number))
    | st.binary(max_size=20).map(lambda content: Node(8, content))
    | st.binary(min_size=8, max_size=8).map(lambda content: Node(7, content))
)


def structs(inner):
    fields = st.dictionaries(st.integers(1, 200), inner, max_size=4)
    return fields.map(lambda chosen: Node(12, sorted(chosen.items())))


def lists(inner):
    same = st.lists(structs(inner), max_size=20).map(lambda items: Node(9, items, 12))
    return same | st.lists(st.integers(-9, 9), max_size=20).map(
        lambda ns: Node(9, [Node(5, n) for n in ns], 5)
    )


TREES = structs(st.recursive(LEAF, lambda inner: structs(inner) | lists(inner), max_leaves=12))


def plain(node):
    """A tree as the reader returns it."""
    if node.kind == 12:
        return {field: plain(value) for field, value in node.value}
    return [plain(item) for item in node.value] if node.kind == 9 else node.value


@given(tree=TREES, before=st.binary(max_size=3))
def test_what_is_written_is_read(tree, before):
    reader = Compact(before + write(tree) + b"more", len(before), 1_000)
    assert reader.struct() == plain(tree)
    assert reader.position == len(before) + len(write(tree))


@given(tree=TREES, end=st.integers(0, 200))
def test_what_is_cut_off_is_noticed(tree, end):
    content = write(tree)
    if end < len(content):
        with pytest.raises(NotThriftError):
            Compact(content[:end], 0, 1_000).struct()


@examples(300)
@given(content=st.binary(max_size=60))
def test_any_bytes_are_values_or_noticed(content):
    reader = Compact(content, 0, 50)
    try:
        reader.struct()
    except NotThriftError:
        return
    assert reader.position <= len(content)


def test_values_are_counted():
    tree = Node(12, [(1, Node(9, [Node(5, 7)] * 30, 5))])
    assert Compact(write(tree), 0, 31).struct() == {1: [7] * 30}
    with pytest.raises(TooManyValuesError):
        Compact(write(tree), 0, 30).struct()


@pytest.mark.parametrize("byte", [b"\x19", b"\x1c", b"\x1b\x01\xcc"])
def test_depth_has_an_end(byte):
    with pytest.raises(NotThriftError):
        Compact(byte * 10_000, 0, 100_000).struct()


def test_truth_values_stand_in_their_type():
    # Field 1 true, field 2 false, field 3 a list of two truth values, field 4 a byte, field 5 an empty map.
    content = b"\x11\x12\x19\x21\x01\x02\x13\x07\x1b\x00\x00"
    assert Compact(content, 0, 9).struct() == {1: True, 2: False, 3: [b"\1", b"\2"], 4: b"\7", 5: None}
