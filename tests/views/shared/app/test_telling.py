"""What a process tells the desk, and what stands before Streamlit."""

import asyncio
import json
import time

from waiting import until

from ecocviz.lab.budget import budget
from ecocviz.serving.crowd import Crowd, Full
from ecocviz.serving.desk import Desk
from ecocviz.serving.door import Door
from ecocviz.serving.handed import Handed
from ecocviz.views.shared.app import cache, telling
from ecocviz.views.shared.app.files import KeptFiles
from ecocviz.views.shared.app.first_paint import FirstPaint
from ecocviz.views.shared.app.guarded import middleware
from ecocviz.views.shared.app.headers import Guards
from ecocviz.views.shared.app.hearing import HEARD, Hearing


def classes(handed):
    return [each.cls for each in middleware(handed)]


def test_what_stands_before_streamlit(monkeypatch):
    assert classes(Handed()) == [Guards, Full, FirstPaint, KeptFiles]
    assert classes(Handed(desk="/desk")) == [Guards, Full, Hearing, FirstPaint, KeptFiles]
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    assert classes(Handed("/desk", b"key")) == [Guards, Door, Crowd, Full, Hearing, FirstPaint, KeptFiles]


def test_a_process_tells_numbers_only():
    told = telling.how()
    assert all(value is None or isinstance(value, int) for value in told.values())
    assert told["budget_bytes"] == budget().total


def test_the_desk_hears_of_runs_and_of_how_the_process_is(tmp_path, monkeypatch):
    monkeypatch.setattr(telling, "TELL_SECONDS", 0.01)
    desk = Desk(tmp_path / "desk")

    async def play():
        await desk.start()
        HEARD.taken()
        HEARD.ran(0.25)
        telling.begin_telling(str(tmp_path / "desk"))
        telling.READY.set()
        await asyncio.to_thread(until, lambda: desk.told and next(iter(desk.told.values())).latest)
        await desk.stop()

    asyncio.run(play())
    ((pid, told),) = desk.told.items()
    assert [run for _, run in told.runs] == [250.0]
    assert told.at <= time.monotonic()
    assert pid > 0 and set(told.latest) == set(telling.how())
    json.dumps(told.latest)


def test_a_visitors_share_is_that_of_the_policy(monkeypatch):
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    for kept in (cache.gate, cache.shares):
        kept.clear()
    try:
        assert cache.gate()._limit == budget().computing // 2
        assert cache.shares()._most == 12
    finally:
        for kept in (cache.gate, cache.shares):
            kept.clear()
