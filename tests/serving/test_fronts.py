"""The parts of both fronts that need no process: the configuration, the cookie, the choice."""

import asyncio
import shutil
import socket
import subprocess
from unittest.mock import Mock

import pytest

from ecocviz.serving import processes, ready
from ecocviz.serving.forwarding import handed_on
from ecocviz.serving.front_asgi import AsgiFront, slot_in
from ecocviz.serving.front_haproxy import HaproxyFront, config_text, find_haproxy


@pytest.mark.parametrize(
    ("address", "bind"),
    [
        ("127.0.0.1", "bind ipv4@127.0.0.1:8501"),
        ("::1", "bind ipv6@[::1]:8501"),
        ("::", "bind ipv6@[::]:8501 v4v6"),
    ],
)
def test_the_configuration_names_the_address_and_every_slot(tmp_path, address, bind):
    text = config_text(address, 8501, [4001, None, 4003], tmp_path / "commands")
    lines = [line.strip() for line in text.splitlines()]
    assert bind in lines
    assert [line for line in lines if line.startswith("server ")] == [
        "server p0 127.0.0.1:4001 cookie p0",
        "server p1 127.0.0.1:1 cookie p1 disabled",
        "server p2 127.0.0.1:4003 cookie p2",
    ]
    assert "cookie ecocviz_process insert indirect nocache httponly attr SameSite=Lax" in lines


@pytest.mark.skipif(find_haproxy() is None, reason="haproxy is not installed")
@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "::1", "::"])  # noqa: S104 - nothing is bound
def test_haproxy_accepts_the_configuration(tmp_path, address):
    file = tmp_path / "haproxy.cfg"
    file.write_text(config_text(address, 8501, [4001, None], tmp_path / "commands"), "utf-8")
    done = subprocess.run(
        [find_haproxy(), "-c", "-f", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("cookies", "slot"),
    [
        ([b"a=1; ecocviz_process=p1; b=2"], 1),
        ([b"a=1", b"ecocviz_process=p0"], 0),
        ([b"ecocviz_process=p2"], None),  # closed
        ([b"ecocviz_process=p3"], None),
        ([b"ecocviz_process="], None),
        ([b"\xff\xfe; ecocviz_process"], None),
        ([], None),
    ],
)
def test_the_cookie_names_an_open_slot(cookies, slot):
    headers = [(b"host", b"a"), *((b"cookie", cookie) for cookie in cookies)]
    assert slot_in(headers, [4001, 4002, None]) == slot


def test_what_concerns_one_connection_is_not_handed_on():
    headers = [(b"Host", b"a"), (b"Connection", b"close"), (b"transfer-encoding", b"chunked"), (b"x", b"1")]
    assert handed_on(headers) == [(b"Host", b"a"), (b"x", b"1")]


def test_haproxy_is_the_front_where_there_is_one(monkeypatch):
    monkeypatch.setattr(processes, "find_haproxy", lambda: "/sbin/haproxy")
    fronts = [processes.make_front(name, "127.0.0.1", 8501, 2) for name in (None, "haproxy", "python")]
    assert [type(front) for front in fronts] == [HaproxyFront, HaproxyFront, AsgiFront]
    for front in fronts[:2]:
        shutil.rmtree(front.folder)
    monkeypatch.setattr(processes, "find_haproxy", lambda: None)
    assert isinstance(processes.make_front(None, "127.0.0.1", 8501, 2), AsgiFront)
    with pytest.raises(ValueError, match=r"^haproxy is not installed .*; --front python needs none\.$"):
        processes.make_front("haproxy", "127.0.0.1", 8501, 2)


def test_a_process_says_that_it_is_ready_to_whoever_listens(tmp_path, monkeypatch):
    monkeypatch.delenv(ready.VARIABLE, raising=False)
    ready.tell_ready()  # nobody listens
    monkeypatch.setenv(ready.VARIABLE, str(tmp_path / "gone"))
    ready.tell_ready()
    for name in (str(tmp_path / "here"), "@ecocviz-test-ready"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hearing:
            hearing.bind(name.replace("@", "\0"))
            monkeypatch.setenv(ready.VARIABLE, name)
            ready.tell_ready()
            hearing.settimeout(5)
            assert hearing.recv(64) == b"READY=1"


def test_the_last_process_is_never_passed_by():
    front = AsgiFront("127.0.0.1", 1, 2)
    supervisor = processes.Supervisor(None, front, 2, print)
    supervisor._slots = slots = [processes.Slot(k, processes.App(Mock(), 4_000 + k)) for k in range(2)]

    async def passed_by(slot):
        await supervisor._pass_by(slot)
        return [each.passed for each in slots], front._ports

    async def turns():
        for slot in slots:
            await front.open(slot.number, slot.app.port)
        assert await passed_by(slots[0]) == ([True, False], [None, 4_001])
        assert await passed_by(slots[1]) == ([True, False], [None, 4_001])
        assert await passed_by(slots[0]) == ([False, False], [4_000, 4_001])

    asyncio.run(turns())
    supervisor._folder.cleanup()
