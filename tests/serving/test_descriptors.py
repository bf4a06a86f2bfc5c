"""Who holds descriptors: connections that ask for nothing, and more sessions than there is room for."""

import socket
import subprocess
import sys
import threading

import pytest
import uvicorn
from waiting import until
from websockets.sync.client import connect

from ecocviz.serving import descriptors
from ecocviz.serving.addresses import LOOPBACK, free_port
from ecocviz.serving.descriptors import Impatient, may_open_more

HEAD = b"GET / HTTP/1.1\r\nHost: a\r\n"


@pytest.fixture
def port(monkeypatch):
    """A server that waits a tenth of a second for a request; its app takes three to answer one."""
    monkeypatch.setattr(descriptors, "HEAD_SECONDS", 0.1)

    async def app(scope, receive, send):
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": (await receive())["text"]})
            return
        await descriptors.asyncio.sleep(0.3)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(
        app, port=free_port(), http=Impatient, ws="websockets-sansio", lifespan="off", log_level="warning"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started)
    yield config.port
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize("sent", [b"", HEAD, b"\x16\x03\x01"])
def test_half_a_request_is_hung_up_on(port, sent):
    with socket.create_connection((LOOPBACK, port), timeout=10) as line:
        line.sendall(sent)
        while line.recv(1_000):
            pass


def test_half_a_second_request_is_hung_up_on_too(port):
    with socket.create_connection((LOOPBACK, port), timeout=10) as line:
        line.sendall(HEAD + b"\r\n")
        assert line.recv(1_000).startswith(b"HTTP/1.1 200")  # which took longer than asking may
        line.sendall(HEAD)
        while line.recv(1_000):
            pass


def test_a_websocket_stays(port):
    with connect(f"ws://{LOOPBACK}:{port}/", proxy=None) as line:
        with socket.create_connection((LOOPBACK, port), timeout=10) as other:
            assert other.recv(1) == b""  # the time is over
        line.send("still there")
        assert line.recv() == "still there"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_no_session_begins_that_there_is_no_room_for():
    program = (
        "import resource\n"
        "from ecocviz.serving.descriptors import may_open_more\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))\n"
        "print(may_open_more())\n"
        "held = [open('/dev/null') for _ in range(60)]\n"
        "print(may_open_more(), may_open_more())\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["True", "False", "False"]
    assert found.stderr.count("More browsers are refused") == 1
    assert may_open_more()


def test_that_nobody_can_be_let_in_is_said_once(caplog):
    descriptors._tell.cache_clear()

    async def play():
        loop = descriptors.asyncio.get_running_loop()
        for _ in range(3):
            descriptors.say_it_once(loop, {"message": "socket.accept() out of system resource"})
        descriptors.say_it_once(loop, {"message": "something else"})

    descriptors.asyncio.run(play())
    assert [record.getMessage()[:12] for record in caplog.records] == ["More browser", "something el"]
