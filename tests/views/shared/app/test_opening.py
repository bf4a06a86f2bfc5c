import asyncio

import pytest
import streamlit as st

from ecocviz.views.shared.app import opening


@pytest.mark.parametrize(
    ("options", "opened"),
    [
        ({"server.headless": True, "server.address": "127.0.0.1", "server.port": 8601}, []),
        (
            {"server.headless": False, "server.address": "127.0.0.1", "server.port": 8601},
            ["http://127.0.0.1:8601"],
        ),
        ({"server.headless": False, "server.address": None, "server.port": 80}, ["http://localhost:80"]),
    ],
)
def test_the_browser_is_opened_once_the_server_answers_unless_it_is_not_wanted(monkeypatch, options, opened):
    asked = []
    monkeypatch.setattr(opening, "open_browser", asked.append)
    monkeypatch.setattr(st, "get_option", options.__getitem__)

    async def served():
        async with opening.opening(None):
            assert asked == []
            await asyncio.sleep(0)
        return asked

    assert asyncio.run(served()) == opened
