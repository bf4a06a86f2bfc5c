"""How long runs take, heard from the messages of a websocket; uploads, counted."""

import asyncio

from asgi_tools import scope_of
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ecocviz.views.shared.app.hearing import UPLOAD, Heard, Hearing, asks_for_run, ends_run


def asks():
    message = BackMsg()
    message.rerun_script.query_string = "v=1"
    return message.SerializeToString()


def ends(status):
    message = ForwardMsg(hash="a" * 32)
    message.metadata.cacheable = False
    message.script_finished = status
    return message.SerializeToString()


DONE, PART, EARLY = (
    ends(ForwardMsg.FINISHED_SUCCESSFULLY),
    ends(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY),
    ends(ForwardMsg.FINISHED_EARLY_FOR_RERUN),
)


def test_messages_are_known():
    assert asks_for_run(asks())
    other = BackMsg()
    other.stop_script = True
    assert not asks_for_run(other.SerializeToString())
    assert not any(map(asks_for_run, (None, b"")))
    assert ends_run(DONE) and ends_run(PART)
    assert not any(map(ends_run, (EARLY, None, b"", b"\xff\xfe", DONE + b"\x00" * 1_000)))
    begun = ForwardMsg()
    begun.new_session.name = "x"
    assert not ends_run(begun.SerializeToString())


def play(*messages):
    """Let messages pass, in this order: received ones as they are, sent ones in a tuple; return the runs."""
    heard, order = Heard(), list(messages)

    async def app(_scope, receive, send):
        for message in order:
            if isinstance(message, tuple):
                await send({"type": "websocket.send", "bytes": message[0]})
            else:
                await receive()

    async def receive():
        return {"type": "websocket.receive", "bytes": waiting.pop(0)}

    async def send(_message):
        return

    waiting = [message for message in messages if not isinstance(message, tuple)]
    asyncio.run(Hearing(app, heard)(scope_of(kind="websocket"), receive, send))
    return heard.taken()


def test_whole_runs_and_parts_are_timed_and_what_is_begun_anew_is_one_wait():
    assert len(play(asks(), (DONE,), asks(), (PART,))) == 2
    assert len(play(asks(), (EARLY,), asks(), (DONE,))) == 1
    assert len(play(asks(), asks(), (DONE,))) == 1
    assert play((DONE,), asks()) == []
    assert all(0 <= run < 1_000 for run in play(asks(), (DONE,)))


def test_what_was_heard_is_told_once():
    heard = Heard()
    heard.ran(0.5)
    assert heard.taken() == [500.0]
    assert heard.taken() == []


def upload(status, body):
    heard = Heard()

    async def app(_scope, receive, send):
        await receive()
        await send({"type": "http.response.start", "status": status, "headers": []})

    async def receive():
        return {"type": "http.request", "body": body}

    async def send(_message):
        return

    asyncio.run(Hearing(app, heard)(scope_of(f"{UPLOAD}a/b", method="PUT"), receive, send))
    return heard.uploads, heard.upload_bytes


def test_uploads_that_were_taken_are_counted():
    assert upload(204, b"x" * 70) == (1, 70)
    assert upload(413, b"x" * 70) == (0, 0)
