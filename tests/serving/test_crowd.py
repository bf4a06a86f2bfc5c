"""A process that has many browsers says what has room for them, once, in the terminal."""

import asyncio

import pytest

from ecocviz.serving.crowd import FULL, Full


@pytest.mark.parametrize("many", [FULL - 1, FULL, FULL + 50])
def test_many_open_browsers_are_told_of_once(many, capfd):
    async def play():
        leave = asyncio.Event()

        async def hold(_scope, _receive, _send):
            await leave.wait()

        full = Full(hold)

        async def come_and_go():
            leave.clear()
            come = [asyncio.create_task(full({"type": "websocket"}, None, None)) for _ in range(many)]
            come += [asyncio.create_task(full({"type": "http"}, None, None)) for _ in range(FULL)]
            await asyncio.sleep(0)
            leave.set()
            await asyncio.gather(*come)

        await come_and_go()
        await come_and_go()

    asyncio.run(play())
    said = capfd.readouterr().err
    assert said.count("ecocviz serve --workers") == said.count("100 browsers") == (many >= FULL)
