"""The supervisor and both fronts with real processes, of a small app that starts at once."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack

import psutil
import pytest
from serving_tools import FRONTS, ROOT, SUPERVISE, WITHOUT, supervised
from waiting import until
from websockets.exceptions import ConnectionClosed

from ecocviz.serving.addresses import LOOPBACK, free_port
from ecocviz.serving.fronts import COOKIE

pytestmark = pytest.mark.thorough


@pytest.fixture(params=FRONTS)
def served(request):
    with supervised(request.param) as running:
        yield running


@pytest.fixture(params=FRONTS, scope="module")
def standing(request):
    """One that several tests look at and none harms."""
    with supervised(request.param) as running:
        yield running


def gone(family):
    return not any(member.is_running() and member.status() != psutil.STATUS_ZOMBIE for member in family)


# The front -----------------------------------------------------------------------------------------


def test_a_browser_stays_with_its_process(standing):
    status, cookie, body, _ = standing.ask()
    assert status == 200
    assert cookie in {"p0", "p1"}
    own = json.loads(body)["pid"]
    assert {standing.pid(cookie) for _ in range(6)} == {own}
    assert standing.ask(cookie=cookie)[1] is None  # it is not set again
    with standing.socket(cookie) as first, standing.socket(cookie) as second:
        assert {json.loads(each.recv())["pid"] for each in (first, second)} == {own}


def test_new_browsers_go_where_there_are_fewest(standing):
    with ExitStack() as open_ones:
        found = [json.loads(open_ones.enter_context(standing.socket()).recv())["pid"] for _ in range(4)]
    assert set(found) == standing.apps()
    assert {found.count(pid) for pid in set(found)} == {2}


def test_a_cookie_that_means_nothing_is_replaced(standing):
    for cookie in ("p7", "p-1", "", 'x"', "0"):
        status, given, _, _ = standing.ask(headers={"Cookie": f"{COOKIE}={cookie}; other"})
        assert status == 200
        assert given in {"p0", "p1"}


def test_what_browsers_send_arrives_as_it_was(standing):
    origin = f"http://class.example:{standing.port}"
    with standing.socket(
        "p1", origin=origin, subprotocols=["streamlit", "2|ab|cd|1", "an-old-session"], compression="deflate"
    ) as stream:
        said = json.loads(stream.recv())
        assert said["protocols"] == ["streamlit", "2|ab|cd|1", "an-old-session"]
        assert said["headers"]["origin"] == origin
        assert said["headers"]["host"] == f"{LOOPBACK}:{standing.port}"
        assert stream.subprotocol == "streamlit"
        for sent in (b"", b"\x00\xff" * 1_500_000, "täxt"):
            stream.send(sent)
            assert stream.recv() == sent
        stream.send("leave")
        with pytest.raises(ConnectionClosed) as closed:
            stream.recv()
        assert closed.value.rcvd.code == 1008
    status, _, body, _ = standing.ask(headers={"Host": "class.example", "X-Own": "1"})
    assert status == 200
    assert json.loads(body)["headers"]["host"] == "class.example"
    assert json.loads(body)["headers"]["x-own"] == "1"


def test_uploads_and_long_links_pass(standing):
    sent = os.urandom(1_500_000)
    assert standing.ask("/echo", method="PUT", body=sent)[2] == sent
    pieces = (sent[begin : begin + 100_000] for begin in range(0, len(sent), 100_000))
    status, _, body, _ = standing.ask("/echo", method="POST", body=pieces)  # without a length: in chunks
    assert (status, body) == (200, sent)
    assert standing.ask(f"/?coding.matrix={'A' * 40_000}")[0] == 200
    assert standing.ask("/", method="HEAD")[2] == b""


def test_what_is_too_large_for_the_app_is_refused_by_the_app(standing):
    try:
        status = standing.ask("/echo", method="POST", body=bytes(8_000_000))[0]
    except ConnectionError:
        status = 413  # hung up on before all was sent
    # The front of Python is itself hung up on, and may not come to read the app's answer.
    assert status in {413, 502}
    assert standing.ask()[0] == 200


# Processes -----------------------------------------------------------------------------------------


def test_the_browsers_of_a_dead_process_go_to_the_other_and_it_is_started_anew(served):
    before = served.both()
    with served.socket("p0") as stream:
        stream.recv()
        os.kill(before["p0"], signal.SIGKILL)
        with pytest.raises(ConnectionClosed):
            stream.recv(timeout=10)
        assert until(lambda: try_to(lambda: who(served, "p0")), 10) != before["p0"]
    after = served.both()
    assert after["p1"] == before["p1"]
    assert after["p0"] != before["p0"]
    assert len(served.apps()) == 2


def who(served, cookie):
    with served.socket(cookie) as stream:
        return json.loads(stream.recv())["pid"]


def try_to(do):
    try:
        return do()
    except Exception:  # noqa: BLE001 - a front may refuse in many ways for a moment
        return None


def test_processes_are_replaced_one_by_one_and_nobody_is_refused(served):
    before, failures, finished = served.both(), [], threading.Event()

    def visit():
        while not finished.is_set():
            for cookie in (None, "p0", "p1"):
                given = try_to(lambda cookie=cookie: served.ask(cookie=cookie))
                if given is None or given[0] != 200:
                    failures.append(given)

    visitor = threading.Thread(target=visit)
    visitor.start()
    try:
        served.process.send_signal(signal.SIGHUP)
        until(lambda: not set(before.values()) & served.apps() and len(served.apps()) == 2, 20)
    finally:
        finished.set()
        visitor.join()
    assert failures == []
    assert not set(served.both().values()) & set(before.values())


def test_a_replaced_process_cuts_its_websockets_and_they_find_the_new_one(served):
    before = served.both()
    with served.socket("p0") as stream:
        stream.recv()
        served.process.send_signal(signal.SIGHUP)
        with pytest.raises(ConnectionClosed):
            stream.recv(timeout=20)
    with served.socket("p0") as again:
        assert json.loads(again.recv())["pid"] not in before.values()


@pytest.mark.parametrize("front", FRONTS)
def test_a_process_that_gives_no_answer_is_ended_and_started_anew(front):
    with supervised(front, "deaf-soon") as served:
        before = served.both()
        with socket.create_connection((LOOPBACK, served.port)) as asking:
            asking.sendall(f"GET /deaf HTTP/1.1\r\nHost: a\r\nCookie: {COOKIE}=p0\r\n\r\n".encode())
            until(lambda: before["p0"] not in served.apps(), 20)
        assert served.both()["p1"] == before["p1"]


@pytest.mark.parametrize("front", FRONTS)
def test_a_process_that_is_stopped_is_passed_by_until_it_goes_on(front):
    with supervised(front, "passed-soon") as served:
        before = served.both()
        with served.socket("p0") as stream:
            stream.recv()
            os.kill(before["p0"], signal.SIGSTOP)
            with pytest.raises(ConnectionClosed):
                stream.recv(timeout=20)  # the browser comes again
        assert {served.ask(cookie=cookie)[1] for cookie in (None, None, "p0")} == {"p1"}
        os.kill(before["p0"], signal.SIGCONT)
        assert served.both() == before


@WITHOUT
def test_haproxy_is_started_anew():
    with supervised("haproxy") as served:
        before = served.both()
        (front,) = [child for child in served.family() if child.name() == "haproxy"]
        front.kill()
        until(lambda: try_to(lambda: served.pid("p1") == before["p1"]), 20)
        assert served.both() == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_with_all_that_it_has_started(served, number):
    family = served.family()
    with served.socket() as stream:
        stream.recv()
        served.process.send_signal(number)
        assert served.process.wait(timeout=10) == 0
    assert gone(family)


@pytest.mark.skipif(shutil.which("setsid") is None, reason="setsid gives a program a terminal")
def test_it_stops_when_its_terminal_is_closed():
    ours, theirs = os.openpty()
    script, port = SUPERVISE, free_port()
    process = subprocess.Popen(
        ["setsid", "--ctty", sys.executable, str(script), str(port), "python", "2"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    heard = b""
    while b"ecocviz is at" not in heard:
        heard += os.read(ours, 1_000)
    family = psutil.Process(process.pid).children(recursive=True)
    os.close(ours)
    process.wait(timeout=20)
    assert family
    assert gone(family)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel does not see to it")
def test_nothing_outlives_a_supervisor_that_is_killed(served):
    family = served.family()
    assert len(family) >= 2
    served.process.kill()
    until(lambda: gone(family), 20)
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, served.port))


def test_an_app_that_does_not_start_is_one_sentence():
    with supervised("python", "broken", ready=False) as served:
        output = served.process.communicate(timeout=20)[0]
        assert served.process.returncode == 1
    assert "ecocviz: The app does not start; what it says stands above." in output
    assert "Traceback" not in output
