"""What the tests of the pages do with Streamlit's AppTest: open a page, wait for it, read what it shows."""

import html
import json
import re
import struct
import zlib

import pytest
from strategies import nightly
from streamlit.testing.v1 import AppTest
from waiting import until

from ecocviz.lab.catalogue import SLOTS
from ecocviz.views.shared.draw.outside import JOINER

CODINGS_FIRST = {"bits": 0, "relations": 1, "decoders": 0, "playground": 1}
"""The pages that do much the same with every code: each takes every other one, from this one on."""


def entries_for(page, *slots):
    """Every entry of some slots, (slot, key); of the codings this page's own, and the others nightly."""
    return [
        pytest.param(slot, key, marks=nightly if slot == "coding" and k % 2 != CODINGS_FIRST[page] else ())
        for slot in slots
        for k, key in enumerate(SLOTS[slot])
    ]


def page_at(file, fields):
    """Open a page, not yet run, with the fields of a link; in their names `__` stands for a dot."""
    test = AppTest.from_file(str(file), default_timeout=120)
    for name, value in fields.items():
        test.query_params[name.replace("__", ".")] = value
    return test


def finished(test):
    """Run until the page's jobs are done."""

    def over():
        if not test.exception and test.get("progress"):
            test.run()
            return False
        return True

    until(over, 100)
    return test


def charts(test):
    """The figures as they are sent to the browser."""
    return [json.loads(element.proto.spec) for element in test.get("plotly_chart")]


def components(test, *, waits=False):
    """The components of a page to be seen; or those, never seen, by which one that waits is drawn again."""
    found = [one for one in test.get("bidi_component") if one.proto.component_name != "ecocviz.presenter"]
    return [one for one in found if (one.proto.component_name == "ecocviz.pulse") == waits]


def texts(test):
    """Everything that is written as HTML."""
    found = " ".join(element.proto.body for element in test.get("html") if "<style" not in element.proto.body)
    return re.sub("</?dfn[^>]*>", "", found)  # marks of words that are explained


def read(shown):
    """What a reader reads where a text from outside is shown."""
    return html.unescape(shown).replace(JOINER, "")


def received(element):
    """What a component was sent: JSON, or a header and the body that it describes."""
    proto = element.proto
    if proto.WhichOneof("data") != "bytes":
        return json.loads(proto.json)
    (size,) = struct.unpack("<I", proto.bytes[:4])
    whole = zlib.decompress(proto.bytes[4:])
    return json.loads(whole[:size]), whole[size:]


def assert_fine(test):
    """Nothing failed; what could not be drawn is one sentence."""
    assert not test.exception, test.exception
    assert len(test.error) <= 1
    assert all("\n" not in error.value for error in test.error)
