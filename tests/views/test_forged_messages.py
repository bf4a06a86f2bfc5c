"""Forged messages of widgets and components, through a real connection to a real server."""

import asyncio
import itertools
import time
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hostile.component_messages import forged
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.client import Tab
from benchmarks.load.screen import PREFIX, Screen
from benchmarks.load.server import serving
from ecocviz.views.shared.app.state import read_link

PAGES = ("", "data", "code_matrix", "decoders", "bits", "relations", "model_selection", "reductions")
TOGETHER = 4
"""Forged messages that go along with one request."""
PATIENCE = 60.0
NOBODYS = (
    f"{PREFIX}{'0' * 32}-playground.regions",
    "ecocviz",
    "ecocviz.jobs",
    "playground.known",
    "seed",
    "",
)
"""Ids of no widget that is on a screen; most of them are keys under which the app keeps what is its own."""


async def attack(address, n, seed, slow):
    """Send forged messages to every page; return what went wrong, a sentence each, and what was slow."""
    messages, wrong = forged(n, seed), []
    tab = Tab(Screen(address), wrong.append)
    await tab.open()
    for page in PAGES:
        if page:
            await tab.send(tab.screen.request(page=page))
            await tab.arrived()
        share = list(itertools.islice(messages, -(-n // len(PAGES))))
        for k in range(0, len(share), TOGETHER):
            before, began = len(wrong), time.perf_counter()
            sent = share[k : k + TOGETHER]
            await said(tab, [one.state(widgets(tab)) for one in sent])
            slow.append(time.perf_counter() - began)
            wrong[before:] = [f"{text} on {page!r} after {told(sent)}" for text in wrong[before:]]
        wrong += await honest(tab, page)
    await tab.close()
    return wrong


def told(sent):
    """Write forged messages, shortened."""
    return [str(one)[:160] for one in sent]


def widgets(tab):
    """Return the ids of what is on the screen and can say something, and of what is not there."""
    found = {node.id for node in tab.screen.nodes.values() if node.id.startswith(PREFIX)}
    return [*sorted(found), *NOBODYS]


async def said(tab, states):
    """Send what widgets say, and wait for the end of the run that it leads to."""
    before, end = tab.screen.runs_ended, time.perf_counter() + PATIENCE
    await tab.send(tab.screen.request(events=states))
    while tab.screen.running or tab.screen.runs_ended == before:
        assert time.perf_counter() < end, "The server does not answer any more."
        await asyncio.sleep(0.002)


async def honest(tab, page):
    """Say what is wrong with the page by now: it has to answer, on a link that can be read."""
    wrong = []
    _, _, dropped = read_link(dict(parse_qsl(tab.screen.query)))
    if dropped:
        wrong.append(f"The link of {page!r} holds what cannot be read: {dropped}")
    reset = tab.screen.widget("reset")
    if reset is None:
        return [*wrong, f"There is no page {page!r} any more."]
    await said(tab, [WidgetState(id=reset.id, trigger_value=True)])
    await tab.arrived()
    seed = tab.screen.widget("playground.regions" if not page else "reset")
    return wrong if seed is not None else [*wrong, f"The page {page!r} is not drawn any more."]


def check(n, seed, capsys):
    slow = []
    with serving(Path(__file__).parents[2], ["--no-browser"]) as server:
        before = server.rss()
        wrong = asyncio.run(attack(server.address, n, seed, slow))
        grown = server.rss() - before
    assert wrong == []
    assert "Traceback" not in capsys.readouterr().err
    return max(slow), grown


@pytest.mark.thorough
def test_forged_messages_change_nothing_and_end_no_run(capsys):
    slowest, grown = check(200, 0, capsys)
    assert slowest < 2.0
    assert grown < 500e6
