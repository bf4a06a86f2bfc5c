"""The desk at its socket, and what the operator's page makes of what is told there."""

import asyncio
import json

import pytest
from asgi_tools import answered, scope_of

from ecocviz.serving import desk as desks
from ecocviz.serving.desk import Desk, ask, tell
from ecocviz.serving.operator import Operator
from ecocviz.serving.operator_page import operator_page, quantile, status, told
from ecocviz.serving.passes import Passes
from ecocviz.serving.turns import Turns


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "desk", lambda: "swordfish")


def test_codes_are_judged_at_the_socket_and_nothing_else_is_answered(desk, tmp_path):
    path = str(tmp_path / "desk")

    async def play():
        await desk.start()
        right = await ask(path, {"judge": {"address": "192.0.2.7", "code": "swordfish"}})
        wrong = await ask(path, {"judge": {"address": "192.0.2.7", "code": "Swordfish"}})
        strange = [
            await ask(path, said) for said in ({}, {"judge": {}}, {"judge": 1}, [], {"note": {"pid": 1}})
        ]
        await asyncio.to_thread(tell, path, {"note": {"pid": 7, "runs": [1.5], "errors": [], "sessions": 3}})
        await desk.stop()
        return right, wrong, strange

    right, wrong, strange = asyncio.run(play())
    assert Passes(desk.handed.key).good(right["pass"])
    assert wrong == {"wait": 0.0}
    assert strange == [None] * 5
    assert (desk.refused, desk.told[7].latest, desk.runs_of(7)) == (1, {"sessions": 3}, [1.5])


def test_without_a_desk_nobody_is_kept_waiting(tmp_path):
    assert asyncio.run(ask(str(tmp_path / "none"), {"judge": {}})) is None
    tell(str(tmp_path / "none"), {"note": {}})


@pytest.mark.parametrize(("browser", "n_heard"), [("", 60), ("one", 10)])
def test_all_processes_have_one_count_of_wrong_codes(desk, monkeypatch, browser, n_heard):
    monkeypatch.setattr(desk, "_turns", Turns(0.0, 40))

    async def play():
        for number in range(n_heard):
            assert "unheard" not in await desk.judge("192.0.2.7", f"guess {number}", browser)
        assert (await desk.judge("192.0.2.7", "swordfish", browser))["unheard"]
        assert "pass" in await desk.judge("192.0.2.8", "swordfish", browser)
        assert "pass" in await desk.judge("192.0.2.7", "swordfish", "another")

    asyncio.run(play())


def test_a_lecture_hall_that_types_the_right_code_is_let_in_at_once(desk):
    async def play():
        return [await desk.judge("192.0.2.7", "swordfish", f"browser {number}") for number in range(500)]

    assert all("pass" in said for said in asyncio.run(play()))


def test_a_flood_from_one_address_takes_turns_with_the_others(desk, monkeypatch):
    """A new browser for each try, a thousand at once: few are judged, another address waits for one turn."""
    monkeypatch.setattr(desk, "_turns", Turns(0.01, 40))

    async def play():
        flood = [
            asyncio.create_task(desk.judge("192.0.2.7", "a guess", f"browser {number}"))
            for number in range(1_000)
        ]
        await asyncio.sleep(0)
        assert "pass" in await desk.judge("192.0.2.8", "swordfish", "honest")
        judged_before = sum(task.done() and "busy" not in task.result() for task in flood)
        said = await asyncio.gather(*flood)
        return judged_before, sum("busy" not in one for one in said)

    judged_before, judged = asyncio.run(play())
    assert judged_before <= 2
    assert judged == 40  # one began at once; of those who waited, one gave way to the other address


def test_what_gone_processes_told_is_forgotten_but_their_errors(desk, monkeypatch):
    error = {"at": 0.0, "kind": "ValueError", "place": "a.py:1"}
    desk.note(7, [1.0], [error], sessions=3)
    desk.note(8, [2.0], [], sessions=4)
    desk.forget({8})
    assert set(desk.told) == {8}
    assert list(desk.errors) == [error]
    assert desk.runs_of(7) == []
    monkeypatch.setattr(desks, "WINDOW_SECONDS", -1.0)
    assert desk.runs_of(8) == []  # they are too old


# The page --------------------------------------------------------------------------------------------

NUMBERS = {
    "sessions": 3,
    "running": 1,
    "waiting": 2,
    "kept_bytes": 5_000_000,
    "budget_bytes": 3 << 30,
    "uploads": 2,
    "upload_bytes": 3_000_000,
    "n_errors": 1,
    "uptime_seconds": 100,
}


@pytest.fixture
def record(desk):
    error = {"at": 1_000.0, "kind": "<b>Error", "place": "a.py:1"}
    desk.note(7, [float(run) for run in range(1, 101)], [error], **NUMBERS)
    desk.note(8, [500.0], [], **NUMBERS)
    return status(desk, [7, 8, 9, None], 0.0)


def test_the_record_has_every_process_and_all_together(record):
    total = record["total"]
    assert {name: total[name] for name in ("sessions", "running", "waiting", "uploads", "runs")} == {
        "sessions": 6,
        "running": 2,
        "waiting": 4,
        "uploads": 4,
        "runs": 101,
    }
    assert (total["p50_ms"], total["p95_ms"]) == (51.0, 96.0)
    assert [one["state"] for one in record["processes"]] == ["serving", "serving", "starting", "starting"]
    assert (record["processes"][0]["p95_ms"], record["processes"][1]["p95_ms"]) == (95.0, 500.0)
    json.dumps(record)


def test_a_process_that_tells_nothing_any_more_is_silent(desk, monkeypatch):
    desk.note(7, [], [], **NUMBERS)
    monkeypatch.setattr("ecocviz.serving.operator_page.LATE_SECONDS", -1.0)
    assert status(desk, [7], 0.0)["processes"][0]["state"] == "silent"


def test_the_page_says_it_in_words_and_escapes_them(record):
    page = operator_page(record)
    for text in (
        "Sessions connected",
        "<b>6</b>",
        "3.0 GiB",
        "96 ms",
        "&lt;b&gt;Error",
        "1970-01-01 00:16:40",
    ):
        assert text in page
    assert "<b>Error" not in page
    assert "<script" not in page
    assert "None." in operator_page(record | {"errors": []})


def test_quantiles_are_values_that_were_seen():
    values = [float(k) for k in range(1, 21)]
    assert [quantile(values, share) for share in (0.05, 0.5, 0.95, 1.0)] == [1.0, 10.0, 19.0, 20.0]
    assert quantile([7.0], 0.95) == 7.0


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("uptime_seconds", 59, "59 s"),
        ("uptime_seconds", 3_000, "50 min"),
        ("uptime_seconds", 200_000, "2 d 7 h"),
        ("sessions", None, "–"),
        ("sessions", 4, "4"),
    ],
)
def test_values_in_words(name, value, text):
    assert told(name, value) == text


# Who may look ----------------------------------------------------------------------------------------


@pytest.fixture
def page(record):
    return Operator(1, lambda: record)._answer


def test_it_answers_this_computer_only(page):
    assert answered(page, scope_of("/", host="class.example:8600"))[0] == 421
    assert answered(page, scope_of("/", host=""))[0] == 421
    status_, headers, text = answered(page, scope_of("/", host="127.0.0.1:8600"))
    assert (status_, text[:15]) == (200, "<!doctype html>")
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    assert headers[b"cache-control"] == b"no-store"
    assert json.loads(answered(page, scope_of("/status.json", host="localhost"))[2])["total"]["sessions"] == 6
    assert answered(page, scope_of("/other", host="localhost"))[0] == 404
    assert answered(page, scope_of("/", host="localhost", method="POST"))[0] == 405
