"""Forged messages of widgets and components, through a real connection to a real server."""

import asyncio
import itertools
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qsl

import psutil
import pytest
from hostile.component_messages import forged
from strategies import examples
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.client import Tab
from benchmarks.load.screen import PREFIX, Screen
from benchmarks.load.server import serving
from ecocviz.views.shared.app.state import read_link

PAGES = (
    "", "data", "code_matrix", "decoders", "bits", "relations", "model_selection", "reductions",
    "runs", "papers",
)  # fmt: skip
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


BIG = {
    "three megabytes": '"' + "a" * 3_000_000 + '"',
    "three megabytes of brackets": "[" * 1_500_000 + "]" * 1_500_000,
    "less of them": "[" * 450_000 + "]" * 450_000,
    "digits": "9" * 900_000,
    "many flips": f'{{"bits": [{",".join(["1"] * 100_000)}]}}',
}


async def overload(server):
    """Send large messages; return what went wrong, and the processor time of each."""
    wrong, costs = [], {}
    tab = Tab(Screen(server.address), wrong.append)
    await tab.open()
    regions, before = tab.screen.widget("playground.regions").id, tab.screen.query
    for name, text in BIG.items():
        spent = server.cpu_seconds()
        await said(tab, [WidgetState(id=regions, json_value=f'{{"pick": {text}}}')])
        costs[name] = server.cpu_seconds() - spent
    await tab.close()
    return wrong + ["The link has changed."] * (tab.screen.query != before), costs


async def flood(server):
    """Send ten megabytes; return what becomes of the connection, and the processor time."""
    said_by_tab, spent = [], server.cpu_seconds()
    tab = Tab(Screen(server.address), said_by_tab.append)
    await tab.open()
    text = json.dumps({"pick": "a" * 10_000_000})
    regions = tab.screen.widget("playground.regions").id
    await tab.send(tab.screen.request(events=[WidgetState(id=regions, json_value=text)]))
    end = time.perf_counter() + PATIENCE
    while not said_by_tab:
        assert time.perf_counter() < end, "The server keeps a connection that floods it."
        await asyncio.sleep(0.01)
    await tab.close()
    return said_by_tab, server.cpu_seconds() - spent


def run(coroutine):
    """Run in a thread of its own: that of the tests may have a loop, left to it by a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


NUMBERS = ("true", "-2", "1.5", '"1"', "NaN", "1e400", "[1]", "null", "9223372036854775808", "9" * 5_000)
PLACES = ("[]", "[1]", "[1,2,3]", '"1,2"', *(f"[-1, {number}]" for number in NUMBERS[4:]))
KEYS = ('"nobody"', "1", "[]", '"\\ud800"', "{}")
ROWS = ('"+"', '"+\\n-"', '"x"', "1", "[]", '""', "null")
REGIONS, INSPECTOR = "playground.regions", "playground.inspector"
NAMED = [
    *((REGIONS, f'{{"pick": {{"point": {number}, "n": 1}}}}') for number in NUMBERS),
    *((REGIONS, f'{{"pick": {{"place": {place}, "n": 1}}}}') for place in PLACES),
    *((REGIONS, f'{{"decoder": {key}}}') for key in KEYS),
    *((INSPECTOR, f'{{"flips": {{"bits": [{number}], "of": "3|", "n": 1}}}}') for number in NUMBERS),
    *(("playground.grid", f'{{"matrix": {rows}}}') for rows in ROWS),
]
"""Components of the first page and what they cannot say."""


async def misspeak(address):
    """Say on the first page what cannot be said, and then what can; return what has changed."""
    changed = []
    tab = Tab(Screen(address, "v=1"), changed.append)
    await tab.open()

    async def speak(key, text):
        await said(tab, [WidgetState(id=tab.screen.widget(key).id, json_value=text)])
        return tab.screen.query

    before = await speak(REGIONS, '{"pick": {"point": 3, "n": 0}}')
    for key, text in NAMED:
        after = await speak(key, text)
        if after != before:
            changed.append(f"{key} {text[:80]}: {before!r} became {after!r}")
            before = after
    after = await speak(REGIONS, '{"pick": {"point": 5, "n": 2}}')
    await tab.close()
    return changed, before, after


@pytest.mark.thorough
def test_forged_messages_change_nothing_and_end_no_run(capsys):
    slow, n = [], examples(160).max_examples
    with serving(Path(__file__).parents[2], ["--no-browser"]) as server:
        process = psutil.Process(server.pid)
        before = process.memory_info().rss
        wrong = run(attack(server.address, n, seed=0, slow=slow))
        changed, before_honest, after_honest = run(misspeak(server.address))
        said_by_tab, costs_of_flood = run(flood(server))
        more, costs = run(overload(server))  # others are served as before
        grown = process.memory_info().rss - before
    assert wrong + more + changed == []
    assert dict(parse_qsl(before_honest)) == {"v": "1", "pick": "3"}
    assert dict(parse_qsl(after_honest)) == {"v": "1", "pick": "5"}
    assert "Traceback" not in capsys.readouterr().err
    assert max(slow) < 5.0  # seconds, on a machine that does other things too
    assert max(costs.values()) < 2.0, costs
    assert said_by_tab == ["The server closed a connection."]
    assert costs_of_flood < 2.0
    assert grown < 500e6
