"""When the components tell the server what happened: only while nothing runs."""

import pytest


@pytest.fixture(scope="module")
def node(node_on):
    return node_on("quiet.js")


# The page's state at every look, and when the component was taken away; returns the looks it took to send.
PLAY = """
const looks = [], sent = [];
let look = 0;
const app = () => ({ dataset: { testScriptState: given.states[look] } });
globalThis.document = { querySelector: () => (given.page ? app() : null) };
globalThis.setTimeout = (again) => looks.push(again);
const root = { get isConnected() { return look < given.gone; } };
logic.whenQuiet(root, () => sent.push(look));
while (looks.length && look < 1000) { look += 1; looks.shift()(); }
return { sent, looked: look };
"""


def play(node, states, gone=10_000, page=True):
    return node(PLAY, {"states": states, "gone": gone, "page": page})


def test_an_event_is_sent_at_once_where_nothing_runs(node):
    assert play(node, ["notRunning"])["sent"] == [0]
    assert play(node, [], page=False)["sent"] == [0]


def test_an_event_waits_for_the_run_that_is_under_way(node):
    assert play(node, ["rerunRequested", "running", "running", "notRunning"])["sent"] == [3]


def test_an_event_of_a_page_that_is_gone_is_never_sent(node):
    assert play(node, ["running", "running", "notRunning"], gone=2)["sent"] == []


def test_an_event_is_not_held_for_ever(node):
    played = play(node, ["running"] * 1001)
    assert len(played["sent"]) == 1 and 50 <= played["sent"][0] <= 400
